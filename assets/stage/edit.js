/**
 * Drawing: add, drag, join, relabel, delete, lasso-delete, spray and clear points, with undo and redo.
 *
 * The points belong to Python. Every change is reported with a growing number; what comes back with an older number is
 * on its way and ignored. Until the answer is there, the marks of the scene are shown at the drawn positions.
 * @module
 */
import { polygonContains } from '../vendor/d3.js';
import { drawEdges, left, toggled } from './join.js';
import { symbolPicture } from './ledger.js';
import { symbolOf } from './theme.js';

const REACH = 14;
const SNAP = 6;  // pixels around a row in which a placed centre is that row
const LIVE = 90;  // milliseconds between reports while dragging
const SPRAY = { every: 45, radius: 0.05 };  // milliseconds a point; share of the box's width
const TOOLS = {
  draw: ['Draw', 'Click to add a point, drag to move it, right-click to delete it'],
  join: ['Join', 'Drag from one node to another, or click them in turn: an edge comes, or goes'],
  spray: ['Spray', 'Hold and move to spray points'],
  lasso: ['Lasso', 'Draw a loop to delete what is inside'],
  erase: ['Erase', 'Click points to delete them'],
};

export class Editor {
  constructor(stage) {
    Object.assign(this, { stage, on: false, tool: 'draw', kind: 0, points: [], edges: [], rev: 0, past: [], future: [], chosen: -1 });
    this.bar = stage.bar.appendChild(Object.assign(document.createElement('div'), { className: 'dm-edit', hidden: true }));
  }

  get active() {
    return this.on && Boolean(this.spec);
  }

  /** Take over what Python says, unless it answers an older change. */
  load(spec) {
    this.spec = spec;
    this.bar.hidden = !spec;
    if (!spec) return;
    const fresh = spec.base !== this.base;
    if (fresh) Object.assign(this, { base: spec.base, rev: spec.rev, past: [], future: [], chosen: -1, on: Boolean(spec.open) });
    // An answer to the change before must not take a point away from under the pointer.
    if (fresh || (!this.gesture && spec.rev >= this.rev)) {
      this.rev = spec.rev;
      this.points = spec.points.map(([x, y, c], row) => ({ x, y, c, row }));
      this.edges = spec.edges ?? [];
      this.pending = false;
    }
    this.override();
    this.buildBar();
  }

  buildBar() {
    const { spec } = this;
    const focused = this.bar.contains(document.activeElement) ? document.activeElement.dataset.do : null;
    const tools = spec.classes ? Object.entries(TOOLS).filter(([name]) => name !== 'join' || spec.edges) : [];
    const button = (name, text, title, pressed) => `<button type="button" data-do="${name}" title="${title}"${pressed === undefined ? '' : ` aria-pressed="${pressed}"`}>${text}</button>`;
    this.bar.innerHTML = button('toggle', spec.label, `${spec.label}: on or off`, this.on)
      + (this.on ? tools.map(([name, [text, title]]) => button(`tool:${name}`, text, title, name === this.tool)).join('') : '')
      + '<span class="dm-classes"></span>'
      + (this.on ? button('undo', 'Undo', 'Undo (Ctrl+Z)') + button('redo', 'Redo', 'Redo (Ctrl+Y)') + button('clear', 'Clear', 'Delete all points') : '');
    if (this.on && spec.classes?.length > 1) {
      this.bar.querySelector('.dm-classes').append(...spec.classes.map((name, i) => {
        const chip = Object.assign(document.createElement('button'), { type: 'button', title: `Class ${name} (key ${i + 1})` });
        chip.setAttribute('aria-pressed', String(i === this.kind));
        chip.dataset.do = `class:${i}`;
        chip.setAttribute('aria-label', `Class ${name}`);
        chip.append(symbolPicture(i, this.stage.theme, 13));
        return chip;
      }));
    }
    this.stage.root.classList.toggle('dm-drawing', this.on);
    this.bar.querySelectorAll('button').forEach((element) => { element.onclick = () => this.act(element.dataset.do); });
    this.mark();
    if (focused) this.bar.querySelector(`[data-do='${focused}']`)?.focus();
  }

  /** Show which of undo and redo have something to do. */
  mark() {
    const set = (name, enabled) => { const element = this.bar.querySelector(`[data-do=${name}]`); if (element) element.disabled = !enabled; };
    set('undo', this.past.length);
    set('redo', this.future.length);
    set('clear', this.points.length);
  }

  act(name) {
    const [verb, value] = name.split(':');
    const acts = {
      toggle: () => { this.on = !this.on; this.chosen = -1; },
      tool: () => Object.assign(this, { tool: value, chosen: -1 }),
      class: () => this.relabel(Number(value)),
      undo: () => this.travel(this.past, this.future),
      redo: () => this.travel(this.future, this.past),
      clear: () => this.remove(this.points.keys()),
    };
    acts[verb]();
    if (this.stage.theme) this.buildBar();
    this.stage.invalidate();
  }

  relabel(kind) {
    this.kind = kind;
    const point = this.points[this.chosen];
    if (point && point.c !== kind) this.change(this.points.map((p, i) => (i === this.chosen ? { ...p, c: kind } : p)));
  }

  travel(from, to) {
    if (!from.length) return;
    to.push({ points: this.points, edges: this.edges });
    const { points, edges } = from.pop();
    Object.assign(this, { points: points.map((point) => ({ ...point, row: -1 })), edges });
    this.chosen = -1;
    this.send();
  }

  /** Replace points and edges, remembering the old ones. */
  change(points, before = this.points, edges = this.edges) {
    this.past.push({ points: before.map((point) => ({ ...point })), edges: this.edges });
    if (this.past.length > 200) this.past.shift();
    this.future = [];
    Object.assign(this, { points, edges });
    if (this.chosen >= points.length) this.chosen = -1;
    this.send();
  }

  send() {
    this.rev += 1;
    this.pending = true;
    this.override();
    this.mark();
    const edges = this.spec.edges && { edges: this.edges };
    this.stage.report.edited?.({ rev: this.rev, base: this.base, points: this.points.map(({ x, y, c }) => [x, y, c]), ...edges });
    this.stage.invalidate();
  }

  /** Let the scene's own marks follow the drawing until the new scene comes. */
  override() {
    const mark = this.stage.dataMark;
    if (!mark || !this.spec?.classes) return;
    const n = mark.channels.x.values.length;
    delete mark.override;
    if (!this.pending) return;
    mark.override = { x: new Float32Array(n).fill(NaN), y: new Float32Array(n).fill(NaN) };
    for (const { x, y, row } of this.points) if (row >= 0 && row < n) [mark.override.x[row], mark.override.y[row]] = [x, y];
  }

  // Pointer -------------------------------------------------------------------------------------------------------

  attach(panel, name) {
    const { canvas } = panel;
    const mine = () => this.active && name === this.spec.panel;
    canvas.addEventListener('pointerdown', (event) => { if (mine() && event.button === 0 && event.isPrimary) this.down(event, panel); });
    canvas.addEventListener('pointermove', (event) => { if (this.gesture) this.move(event, panel); });
    canvas.addEventListener('pointerup', (event) => { if (this.gesture) this.up(event, panel); });
    canvas.addEventListener('pointercancel', () => this.cancel());
    canvas.addEventListener('contextmenu', (event) => {
      if (!mine()) return;
      event.preventDefault();
      const index = this.at(event, panel);
      if (index >= 0) this.remove([index]);
    });
  }

  /** Whether an event of a panel is for drawing instead of panning. Two fingers still zoom. */
  takes(event, panel) {
    return this.active && panel.spec?.name === this.spec.panel && !(event.touches?.length > 1);
  }

  cursor(panel) {
    return this.active && panel.spec.name === this.spec.panel ? 'crosshair' : null;
  }

  where(event, panel) {
    const [x0, x1, y0, y1] = this.spec.box;
    const { x, y } = panel.axesOnScreen;
    const snap = (value, low, high) => {
      const inside = Math.min(high, Math.max(low, value));
      return this.spec.step ? Math.round(inside / this.spec.step) * this.spec.step : inside;
    };
    return [snap(x.invert(event.offsetX), x0, x1), snap(y.invert(event.offsetY), y0, y1)];
  }

  /** Where a new point goes: a placed centre that is put on a row is that row. */
  target(event, panel) {
    const mark = this.spec.classes ? null : this.stage.dataMark;
    const { moment } = this.stage.player;
    const row = mark && panel.nearest(event.offsetX, event.offsetY, moment, (other) => other === mark, SNAP);
    return row ? row.values : this.where(event, panel);
  }

  at(event, panel) {
    const { x, y } = panel.axesOnScreen;
    let [best, distance] = [-1, REACH];
    this.points.forEach((point, i) => {
      const d = Math.hypot(x(point.x) - event.offsetX, y(point.y) - event.offsetY);
      if (d < distance) [best, distance] = [i, d];
    });
    return best;
  }

  down(event, panel) {
    this.stage.root.focus({ preventScroll: true });
    panel.canvas.setPointerCapture(event.pointerId);
    const before = this.points;
    const tool = this.spec.classes ? this.tool : 'draw';
    const index = this.at(event, panel);
    this.gesture = { tool, before, trail: [[event.offsetX, event.offsetY]], sent: 0, moved: false };
    if (tool === 'erase') {
      this.gesture = null;
      if (index >= 0) this.remove([index]);
    } else if (tool === 'join') {
      this.join(index);
      this.gesture.from = index;
    } else if (tool === 'draw') {
      this.points = before.map((point) => ({ ...point }));
      this.chosen = index;
      if (index < 0) this.add(...this.target(event, panel));
    } else if (tool === 'spray') {
      this.points = before.map((point) => ({ ...point }));
      this.spray(event, panel);
    }
    this.stage.invalidate();
  }

  add(x, y) {
    if (this.points.length >= this.spec.max) {
      this.stage.caption.textContent = `At most ${this.spec.max} points can be drawn. Delete some first.`;
      return;
    }
    this.points.push({ x, y, c: this.spec.classes ? this.kind : this.points.length, row: -1 });
    this.chosen = this.points.length - 1;
    this.gesture.moved = true;
  }

  /** Join the chosen point to another one, or part them; without a chosen one, choose it. */
  join(index) {
    const from = this.chosen;
    this.chosen = from < 0 || from === index ? index : -1;
    if (index >= 0 && from >= 0 && from !== index) this.change(this.points, this.points, toggled(this.edges, from, index));
  }

  spray(event, panel) {
    const now = performance.now();
    if (now - this.gesture.sent < SPRAY.every) return;
    this.gesture.sent = now;
    const [x, y] = this.where(event, panel);
    const [x0, x1] = this.spec.box;
    const [angle, radius] = [Math.random() * 2 * Math.PI, Math.sqrt(Math.random()) * SPRAY.radius * (x1 - x0)];
    const { axesOnScreen: axes } = panel;
    const target = { offsetX: axes.x(x + radius * Math.cos(angle)), offsetY: axes.y(y + radius * Math.sin(angle)) };
    this.add(...this.where(target, panel));
  }

  move(event, panel) {
    const { gesture } = this;
    gesture.trail.push([event.offsetX, event.offsetY]);
    if (gesture.tool === 'spray') this.spray(event, panel);
    if (gesture.tool === 'draw' && this.chosen >= 0) {
      const [x, y] = this.where(event, panel);
      const point = this.points[this.chosen];
      if (point.x !== x || point.y !== y) {
        Object.assign(point, { x, y });
        gesture.moved = true;
        this.pending = true;
        this.override();
        if (performance.now() - gesture.sent > LIVE) {
          gesture.sent = performance.now();
          this.send();
        }
      }
    }
    this.stage.invalidate();
  }

  up(event, panel) {
    const { gesture } = this;
    this.gesture = null;
    if (gesture.tool === 'lasso') this.lasso(gesture.trail, panel);
    else if (gesture.tool === 'join') {
      const index = this.at(event, panel);
      if (this.chosen >= 0 && index >= 0 && index !== gesture.from) this.join(index);
    }
    else if (gesture.moved) this.change(this.points, gesture.before);
    else this.points = gesture.before;
    this.load(this.spec);
    this.stage.invalidate();
  }

  cancel() {
    const { gesture } = this;
    if (!gesture) return;
    this.gesture = null;
    this.points = gesture.before;
    if (gesture.moved) this.send();
    this.load(this.spec);
    this.stage.invalidate();
  }

  lasso(trail, panel) {
    if (trail.length < 3) return;
    const { x, y } = panel.axesOnScreen;
    const inside = this.points.flatMap((point, i) => (polygonContains(trail, [x(point.x), y(point.y)]) ? [i] : []));
    if (inside.length) this.remove(inside);
  }

  remove(indices) {
    const gone = new Set(indices);
    this.chosen = -1;
    const stay = this.points.filter((_, i) => !gone.has(i));
    this.change(this.spec.classes ? stay : stay.map((point, c) => ({ ...point, c })), this.points, left(this.edges, gone));
  }

  /** Handle a key; true if it was one of the editor's. */
  key(event) {
    if (!this.active || event.target.tagName === 'SELECT') return false;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && key === 'z') this.act(event.shiftKey ? 'redo' : 'undo');
    else if (command && key === 'y') this.act('redo');
    else if (command) return false;
    else if ((key === 'delete' || key === 'backspace') && this.chosen >= 0) this.remove([this.chosen]);
    else if (key === 'escape' && this.chosen >= 0) this.chosen = -1;
    else if (/^[1-9]$/.test(key) && Number(key) <= (this.spec.classes?.length ?? 0)) this.act(`class:${Number(key) - 1}`);
    else return false;
    this.stage.invalidate();
    return true;
  }

  // Picture -------------------------------------------------------------------------------------------------------

  draw(g, axes, panel, theme) {
    if (!this.spec || panel.spec.name !== this.spec.panel) return;
    if (this.pending) drawEdges(g, axes, this.points, this.edges, theme);
    const centres = !this.spec.classes;
    const loose = this.points.filter((point, i) => (centres ? this.active : !this.stage.dataMark || (this.pending && point.row < 0) || (this.active && i === this.chosen)));
    for (const { x, y, c, row } of loose) {
      g.beginPath();
      g.translate(axes.x(x), axes.y(y));
      symbolOf(c).draw(g, (centres ? 150 : row < 0 ? 64 : 160) * theme.scale);
      g.translate(-axes.x(x), -axes.y(y));
      g.lineWidth = 2 * theme.scale;
      g.strokeStyle = theme.ink;
      g.fillStyle = theme.colorOf(c);
      if (row < 0 || centres) g.fill();
      g.stroke();
    }
    if (this.gesture?.tool === 'lasso') {
      g.strokeStyle = theme.accent;
      g.setLineDash([5, 4]);
      g.beginPath();
      this.gesture.trail.forEach(([x, y], i) => g[i ? 'lineTo' : 'moveTo'](x, y));
      g.stroke();
      g.setLineDash([]);
    }
  }
}
