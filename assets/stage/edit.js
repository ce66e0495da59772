/**
 * Drawing: add, drag, join, relabel, delete, lasso-delete, spray and clear points, with undo and
 * redo.
 *
 * The points belong to Python. Every change is reported with a growing number; what comes back with
 * an older number is on its way and ignored. Until the answer is there, the marks of the scene are
 * shown at the drawn positions.
 * @module
 */
import { polygonContains } from '../vendor/d3.js';
import { EditBar } from './editbar.js';
import { History } from './history.js';
import { left, toggled } from './join.js';
import { drawEdges, drawLoop, drawPoints, placeIn, pointAt, positionsOf } from './sketch.js';
/** @import { Panel } from './panel.js' */
/** @import { Player } from './player.js' */
/** @import { View } from './view.js' */
/** @import { Axes, Context, DrawnPoint, Edge, Edit, Theme } from './types' */
/** @typedef {{ points: DrawnPoint[], edges: Edge[] }} Drawing */
/**
 * @typedef {{ tool: string, before: DrawnPoint[], trail: [number, number][], sent: number,
 *   moved: boolean, from?: number }} Gesture
 */

const REACH = 14;
const SNAP = 6;  // pixels around a row in which a placed centre is that row
const LIVE = 90;  // milliseconds between reports while dragging
const SPRAY = { every: 45, radius: 0.05 };  // milliseconds a point; share of the box's width

export class Editor {
  on = false;
  tool = 'draw';
  /** The class of new points. */
  kind = 0;
  /** What can be drawn, and what Python knows of it. @type {Edit | null} */
  spec = null;
  base = '';
  rev = 0;
  /** Whether Python does not know yet what is drawn. */
  pending = false;
  /** @type {DrawnPoint[]} */
  points = [];
  /** @type {Edge[]} */
  edges = [];
  /** The number of the point that is touched; -1 for none. */
  chosen = -1;
  /** @type {History<Drawing>} */
  history = new History();
  /** @type {Gesture | null} */
  gesture = null;

  /**
   * @param {HTMLElement} toolbar
   * @param {Pick<View, 'root' | 'theme' | 'dataMark' | 'focus' | 'invalidate'>} view
   * @param {Pick<Player, 'moment'>} player
   * @param {{ say: (text: string) => void, edited: (change: object) => void }} host
   */
  constructor(toolbar, view, player, host) {
    this.view = view;
    this.player = player;
    this.host = host;
    this.bar = new EditBar(toolbar, (name) => this.act(name));
  }

  /** What is drawn on now. */
  get active() {
    return this.on ? this.spec : null;
  }

  /** Whether a panel is drawn on now. @param {Panel} panel */
  drawsOn(panel) {
    return this.active?.panel === panel.spec.name;
  }

  /** Take over what Python says, unless it answers an older change. @param {Edit | null} spec */
  load(spec) {
    this.spec = spec;
    if (!spec) {
      this.bar.hide();
      return;
    }
    const fresh = spec.base !== this.base;
    if (fresh) {
      const { base, rev, open } = spec;
      Object.assign(this, { base, rev, chosen: -1, on: Boolean(open), history: new History() });
    }
    // An answer to the change before must not take a point away from under the pointer.
    if (fresh || (!this.gesture && spec.rev >= this.rev)) {
      this.rev = spec.rev;
      this.points = spec.points.map(([x, y, c], row) => ({ x, y, c, row }));
      this.edges = spec.edges ?? [];
      this.pending = false;
    }
    this.override();
    this.showBar(spec);
  }

  /** @param {Edit} spec */
  showBar(spec) {
    const { on, tool, kind, possible, view: { root, theme } } = this;
    root.classList.toggle('dm-drawing', on);
    this.bar.show(spec, { on, tool, kind, possible, theme });
  }

  /** How much each button has to do. */
  get possible() {
    const { points, history: { past, future } } = this;
    return { undo: past.length, redo: future.length, clear: points.length };
  }

  /** @param {string} name */
  act(name) {
    const [verb, value] = name.split(':');
    /** @type {Record<string, () => void>} */
    const acts = {
      toggle: () => Object.assign(this, { on: !this.on, chosen: -1 }),
      tool: () => Object.assign(this, { tool: value, chosen: -1 }),
      class: () => this.relabel(Number(value)),
      undo: () => this.travel(this.history.undo(this.drawing)),
      redo: () => this.travel(this.history.redo(this.drawing)),
      clear: () => this.remove(this.points.keys()),
    };
    acts[verb]();
    if (this.spec) this.showBar(this.spec);
    this.view.invalidate();
  }

  /** @param {number} kind */
  relabel(kind) {
    this.kind = kind;
    const { chosen } = this;
    if (!this.points[chosen] || this.points[chosen].c === kind) return;
    this.change(this.points.map((point, i) => (i === chosen ? { ...point, c: kind } : point)));
  }

  /** All that is undone. @returns {Drawing} */
  get drawing() {
    return { points: this.points, edges: this.edges };
  }

  /** Go to another drawing, if there is one. @param {Drawing | undefined} drawing */
  travel(drawing) {
    if (!drawing) return;
    this.points = drawing.points.map((point) => ({ ...point, row: -1 }));
    this.edges = drawing.edges;
    this.chosen = -1;
    this.send();
  }

  /**
   * Replace points and edges, remembering the old ones.
   * @type {(points: DrawnPoint[], before?: DrawnPoint[], edges?: Edge[]) => void}
   */
  change(points, before = this.points, edges = this.edges) {
    this.history.keep({ points: before.map((point) => ({ ...point })), edges: this.edges });
    Object.assign(this, { points, edges });
    if (this.chosen >= points.length) this.chosen = -1;
    this.send();
  }

  send() {
    this.rev += 1;
    this.pending = true;
    this.override();
    this.bar.enable(this.possible);
    const edges = this.spec?.edges && { edges: this.edges };
    const points = this.points.map(({ x, y, c }) => [x, y, c]);
    this.host.edited({ rev: this.rev, base: this.base, points, ...edges });
    this.view.invalidate();
  }

  /** Let the scene's own marks follow the drawing until the new scene comes. */
  override() {
    const mark = this.view.dataMark;
    if (!mark || !this.spec?.classes) return;
    delete mark.override;
    if (this.pending) mark.override = positionsOf(mark, this.points);
  }

  // Pointer ---------------------------------------------------------------------------------------

  /** @param {Panel} panel */
  attach(panel) {
    const { canvas } = panel;
    canvas.addEventListener('pointerdown', (event) => {
      if (this.drawsOn(panel) && event.button === 0 && event.isPrimary) this.down(event, panel);
    });
    canvas.addEventListener('pointermove', (event) => this.move(event, panel));
    canvas.addEventListener('pointerup', (event) => this.up(event, panel));
    canvas.addEventListener('pointercancel', () => this.cancel());
    canvas.addEventListener('contextmenu', (event) => {
      if (!this.drawsOn(panel)) return;
      event.preventDefault();
      const index = this.at(event, panel);
      if (index >= 0) this.remove([index]);
    });
  }

  /**
   * Whether an event of a panel is for drawing instead of panning. Two fingers still zoom.
   * @type {(event: MouseEvent & { touches?: TouchList }, panel: Panel) => boolean}
   */
  takes(event, panel) {
    return this.drawsOn(panel) && !(event.touches && event.touches.length > 1);
  }

  /** @param {Panel} panel */
  cursor(panel) {
    return this.drawsOn(panel) ? 'crosshair' : null;
  }

  /**
   * Where a new point goes: a placed centre that is put on a row is that row.
   * @type {(event: MouseEvent, panel: Panel, spec: Edit) => [number, number]}
   */
  target(event, panel, spec) {
    const mark = spec.classes ? null : this.view.dataMark;
    const { moment } = this.player;
    const row = mark && panel.nearest(
      event.offsetX, event.offsetY, moment, (other) => other === mark, SNAP,
    );
    return row ? row.values : placeIn(spec, panel.axesOnScreen, event.offsetX, event.offsetY);
  }

  /**
   * The number of the point under the pointer; -1 for none.
   * @type {(event: MouseEvent, panel: Panel) => number}
   */
  at(event, panel) {
    return pointAt(this.points, panel.axesOnScreen, event.offsetX, event.offsetY, REACH);
  }

  /** @type {(event: PointerEvent, panel: Panel) => void} */
  down(event, panel) {
    const spec = this.active;
    if (!spec) return;
    this.view.focus();
    panel.canvas.setPointerCapture(event.pointerId);
    const before = this.points;
    const tool = spec.classes ? this.tool : 'draw';
    const index = this.at(event, panel);
    /** @type {Gesture} */
    const gesture = {
      tool, before, trail: [[event.offsetX, event.offsetY]], sent: 0, moved: false,
    };
    this.gesture = gesture;
    if (tool === 'erase') {
      this.gesture = null;
      if (index >= 0) this.remove([index]);
    } else if (tool === 'join') {
      this.join(index);
      gesture.from = index;
    } else if (tool === 'draw') {
      this.points = before.map((point) => ({ ...point }));
      this.chosen = index;
      if (index < 0) this.add(gesture, spec, this.target(event, panel, spec));
    } else if (tool === 'spray') {
      this.points = before.map((point) => ({ ...point }));
      this.spray(event, panel, gesture, spec);
    }
    this.view.invalidate();
  }

  /** @type {(gesture: Gesture, spec: Edit, place: [number, number]) => void} */
  add(gesture, { max, classes }, [x, y]) {
    if (this.points.length >= max) {
      this.host.say(`At most ${max} points can be drawn. Delete some first.`);
      return;
    }
    this.points.push({ x, y, c: classes ? this.kind : this.points.length, row: -1 });
    this.chosen = this.points.length - 1;
    gesture.moved = true;
  }

  /**
   * Join the chosen point to another one, or part them; without a chosen one, choose it.
   * @param {number} index
   */
  join(index) {
    const from = this.chosen;
    this.chosen = from < 0 || from === index ? index : -1;
    if (index < 0 || from < 0 || from === index) return;
    this.change(this.points, this.points, toggled(this.edges, from, index));
  }

  /** @type {(event: MouseEvent, panel: Panel, gesture: Gesture, spec: Edit) => void} */
  spray(event, panel, gesture, spec) {
    const now = performance.now();
    if (now - gesture.sent < SPRAY.every) return;
    gesture.sent = now;
    const [x, y] = placeIn(spec, panel.axesOnScreen, event.offsetX, event.offsetY);
    const [x0, x1] = spec.box;
    const angle = Math.random() * 2 * Math.PI;
    const radius = Math.sqrt(Math.random()) * SPRAY.radius * (x1 - x0);
    const { axesOnScreen: axes } = panel;
    const across = axes.x(x + radius * Math.cos(angle));
    const down = axes.y(y + radius * Math.sin(angle));
    this.add(gesture, spec, placeIn(spec, axes, across, down));
  }

  /** @type {(event: MouseEvent, panel: Panel) => void} */
  move(event, panel) {
    const { gesture, spec } = this;
    if (!gesture || !spec) return;
    gesture.trail.push([event.offsetX, event.offsetY]);
    if (gesture.tool === 'spray') this.spray(event, panel, gesture, spec);
    if (gesture.tool === 'draw' && this.chosen >= 0) {
      const [x, y] = placeIn(spec, panel.axesOnScreen, event.offsetX, event.offsetY);
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
    this.view.invalidate();
  }

  /** @type {(event: MouseEvent, panel: Panel) => void} */
  up(event, panel) {
    const { gesture } = this;
    if (!gesture) return;
    this.gesture = null;
    if (gesture.tool === 'lasso') this.lasso(gesture.trail, panel);
    else if (gesture.tool === 'join') {
      const index = this.at(event, panel);
      if (this.chosen >= 0 && index >= 0 && index !== gesture.from) this.join(index);
    }
    else if (gesture.moved) this.change(this.points, gesture.before);
    else this.points = gesture.before;
    this.load(this.spec);
    this.view.invalidate();
  }

  cancel() {
    const { gesture } = this;
    if (!gesture) return;
    this.gesture = null;
    this.points = gesture.before;
    if (gesture.moved) this.send();
    this.load(this.spec);
    this.view.invalidate();
  }

  /** @type {(trail: [number, number][], panel: Panel) => void} */
  lasso(trail, panel) {
    if (trail.length < 3) return;
    const { x, y } = panel.axesOnScreen;
    const inside = this.points.flatMap((point, i) => (
      polygonContains(trail, [x(point.x), y(point.y)]) ? [i] : []));
    if (inside.length) this.remove(inside);
  }

  /** @param {Iterable<number>} indices */
  remove(indices) {
    const gone = new Set(indices);
    this.chosen = -1;
    const stay = this.points.filter((_, i) => !gone.has(i));
    const points = this.spec?.classes ? stay : stay.map((point, c) => ({ ...point, c }));
    this.change(points, this.points, left(this.edges, gone));
  }

  /** Handle a key; true if it was one of the editor's. @param {KeyboardEvent} event */
  key(event) {
    const { active } = this;
    if (!active || event.target instanceof HTMLSelectElement) return false;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && key === 'z') this.act(event.shiftKey ? 'redo' : 'undo');
    else if (command && key === 'y') this.act('redo');
    else if (command) return false;
    else if (this.chosen >= 0 && (key === 'delete' || key === 'backspace')) {
      this.remove([this.chosen]);
    } else if (this.chosen >= 0 && key === 'escape') this.chosen = -1;
    else if (/^[1-9]$/.test(key) && Number(key) <= (active.classes?.length ?? 0)) {
      this.act(`class:${Number(key) - 1}`);
    } else return false;
    this.view.invalidate();
    return true;
  }

  // Picture ---------------------------------------------------------------------------------------

  /** @type {(g: Context, axes: Axes, panel: Panel, theme: Theme) => void} */
  draw(g, axes, panel, theme) {
    if (!this.spec || panel.spec.name !== this.spec.panel) return;
    if (this.pending) drawEdges(g, axes, this.points, this.edges, theme);
    const centres = !this.spec.classes;
    const { active, view: { dataMark } } = this;
    const loose = this.points.filter((point, i) => (centres ? active
      : !dataMark || (this.pending && point.row < 0) || (active && i === this.chosen)));
    drawPoints(g, axes, loose, centres, theme);
    if (this.gesture?.tool === 'lasso') drawLoop(g, this.gesture.trail, theme);
  }
}
