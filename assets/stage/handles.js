/**
 * Handles: controls on the picture. A point comes to where it is dragged or where its panel is clicked; a line moves
 * along its axis, or turns around its centre. The values belong to Python; while one is dragged, what comes back for it
 * is older and waits. Grids, whose cells are switched, are handles as well (grids.js).
 * @module
 */
import { lies } from './draw.js';
import { Grids } from './grids.js';

const REACH = 12;  // pixels around a handle in which it answers the pointer
const LATER = 90;  // milliseconds after a key until it is reported: more of them may follow
const STILL = 4;  // pixels that a click may move
const NUDGE = 0.01;  // share of the axis that a key moves
const TURN = Math.PI / 180;  // by which a key turns

export class Handles {
  constructor(stage) {
    Object.assign(this, { stage, all: [], dragged: null, nudged: null, grids: new Grids(stage) });
  }

  /** Take over what Python says; `later` says of which grid later cells are on their way. */
  load(specs, later = () => false) {
    const held = this.dragged?.handle ?? this.nudged;
    this.grids.load(specs.filter(({ kind }) => kind === 'grids'), later);
    this.all = specs.filter(({ kind }) => kind !== 'grids').map((spec) => (held && spec.name === held.name ? Object.assign(held, { label: spec.label }) : { ...spec }));
    if (held && !this.all.includes(held)) Object.assign(this, { dragged: null, nudged: null });
  }

  attach(panel) {
    const { canvas } = panel;
    this.grids.attach(panel);
    canvas.addEventListener('pointerdown', (event) => {
      const handle = event.button === 0 && event.isPrimary ? this.at(event, panel) : null;
      if (!handle) return;
      event.stopImmediatePropagation();
      canvas.setPointerCapture(event.pointerId);
      this.stage.root.focus({ preventScroll: true });
      this.dragged = { handle, panel, from: [event.offsetX, event.offsetY], moved: false };
    }, { capture: true });
    canvas.addEventListener('pointermove', (event) => { if (this.dragged?.panel === panel) this.drag(event); });
    canvas.addEventListener('pointerup', () => { if (this.dragged?.panel === panel) this.drop(); });
    canvas.addEventListener('pointercancel', () => { this.dragged = null; });
  }

  /** Whether an event of a panel is for a handle instead of panning or drawing. */
  takes(event, panel) {
    return Boolean(this.dragged) || Boolean(this.at(event, panel)) || Boolean(this.grids.at(event, panel));
  }

  at(event, panel) {
    if (!this.stage.report.moved || !panel.axesOnScreen || event.offsetX === undefined) return null;
    const { x, y } = panel.axesOnScreen;
    const distance = (handle) => Math.hypot(
      handle.kind === 'y' ? 0 : x(handle.x) - event.offsetX, handle.kind === 'x' ? 0 : y(handle.y) - event.offsetY,
    );
    return this.of(panel).find((handle) => distance(handle) < REACH) ?? null;
  }

  /** The handles of a panel that stand somewhere. */
  of(panel) {
    return this.all.filter((handle) => handle.panel === panel.spec.name && (handle.x !== null || handle.y !== null));
  }

  cursor(event, panel) {
    const handle = this.dragged?.handle ?? this.at(event, panel);
    if (!handle && this.grids.at(event, panel)) return 'cell';
    if (handle) return { point: 'move', turn: 'move', x: 'ew-resize', y: 'ns-resize' }[handle.kind];
    return this.pointIn(panel) ? 'crosshair' : null;
  }

  drag(event) {
    const { dragged } = this;
    const [dx, dy] = [event.offsetX - dragged.from[0], event.offsetY - dragged.from[1]];
    if (!dragged.moved && Math.hypot(dx, dy) < STILL) return;
    dragged.moved = true;
    this.place(dragged.handle, event, dragged.panel);
    this.tell(dragged.handle);
  }

  drop() {
    const { handle, moved } = this.dragged;
    this.dragged = null;
    if (moved) this.tell(handle);
  }

  /** A click that hit no row: the panel's point comes here. True if there is one. */
  summon(event, panel) {
    if (this.grids.at(event, panel)) return true;
    const handle = this.pointIn(panel);
    if (!handle) return false;
    this.place(handle, event, panel);
    this.tell(handle);
    return true;
  }

  pointIn(panel) {
    if (!this.stage.report.moved) return null;
    return this.all.find((handle) => handle.kind === 'point' && handle.panel === panel.spec.name);
  }

  place(handle, event, panel) {
    const { x, y, inner } = panel.axesOnScreen;
    const inside = (value, low, length) => Math.min(low + length, Math.max(low, value));
    if (handle.kind !== 'y') handle.x = x.invert(inside(event.offsetX, inner.x, inner.width));
    if (handle.kind !== 'x') handle.y = y.invert(inside(event.offsetY, inner.y, inner.height));
    this.stage.invalidate();
  }

  tell(handle) {
    const { name, x, y } = handle;
    const place = handle.kind === 'turn' ? { x: degrees(handle), y: null } : { x, y };
    if (this.stage.report.moved) this.stage.talk.say('moved', { name, ...place }, true);
  }

  /** Shift and an arrow move the first handle; true if the key was that. */
  key(event) {
    if (this.grids.key(event)) return true;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!event.shiftKey || !step || !this.all.length) return false;
    const [handle] = this.all;
    if (handle.kind === 'turn') turn(handle, TURN * (step[1] - step[0]));
    else this.nudge(handle, step);
    this.stage.invalidate();
    this.nudged = handle;
    clearTimeout(this.telling);
    this.telling = setTimeout(() => { this.nudged = null; this.tell(handle); }, LATER);
    return true;
  }

  nudge(handle, step) {
    const { spec, axesOnScreen: { x, y } } = this.stage.panels.get(handle.panel);
    const along = (scale, { integer }, value, by) => {
      const [low, high] = scale.domain();
      return (value ?? (low + high) / 2) + by * Math.max(NUDGE * (high - low), integer ? 1 : 0);  // less would be rounded away
    };
    if (handle.kind !== 'y') handle.x = along(x, spec.x, handle.x, step[0]);
    if (handle.kind !== 'x') handle.y = along(y, spec.y, handle.y, step[1]);
  }

  draw(g, { x, y, inner, written }, panel, theme) {
    this.grids.draw(g, { x, y }, panel, theme);
    for (const handle of this.of(panel)) {
      g.strokeStyle = theme.ink;
      g.fillStyle = theme.ink;
      g.lineWidth = 2 * theme.scale;
      g.beginPath();
      if (handle.kind === 'point') {
        cross(g, x(handle.x), y(handle.y), 9 * theme.scale);
      } else if (handle.kind === 'turn') {
        axis(g, handle, { x, y });
      } else if (handle.kind === 'y') {
        g.setLineDash([7, 4]);
        g.moveTo(inner.x, y(handle.y));
        g.lineTo(inner.x + inner.width, y(handle.y));
      } else {
        g.setLineDash([7, 4]);
        g.moveTo(x(handle.x), inner.y);
        g.lineTo(x(handle.x), inner.y + inner.height);
      }
      g.stroke();
      g.setLineDash([]);
      this.caption(g, handle, { x, y, inner, written }, theme);
    }
  }

  /** The name of a handle beside it; a line also gets a grip that says that it can be moved. */
  caption(g, handle, { x, y, inner, written }, theme) {
    const size = 11 * theme.scale;
    g.font = `600 ${size}px ${theme.font}`;
    g.textBaseline = 'bottom';
    if (handle.kind === 'turn') {
      g.beginPath();
      g.arc(x(handle.x), y(handle.y), 6 * theme.scale, 0, 2 * Math.PI);
      g.fill();
    }
    if (handle.kind === 'point' || handle.kind === 'turn') {
      const left = beside(g, handle.label, x(handle.x), 11 * theme.scale, inner);
      const lines = [below(y(handle.y) - 5, size, inner), Math.min(y(handle.y) + 5 + size, inner.y + inner.height)];
      rimmed(g, handle.label, left, free(g, handle.label, left, lines, written, size), theme);
      return;
    }
    const grip = handle.kind === 'y' ? [inner.x + inner.width - 8, y(handle.y)] : [x(handle.x), inner.y + inner.height - 8];
    g.beginPath();
    g.arc(...grip, 5 * theme.scale, 0, 2 * Math.PI);
    g.fill();
    if (handle.kind === 'x') {
      const left = beside(g, handle.label, grip[0], 8, inner);
      const lines = Array.from({ length: Math.max(1, Math.floor(inner.height / size) - 3) }, (_, i) => inner.y + (i + 2) * size);
      rimmed(g, handle.label, left, free(g, handle.label, left, lines, written, size), theme);
      return;
    }
    rimmed(g, handle.label, grip[0] - 10 - g.measureText(handle.label).width, below(grip[1] - 4, size, inner), theme);
  }
}

/** The left end of a name to the right of a place, or to its left where the panel ends. */
function beside(g, text, x, gap, inner) {
  const { width } = g.measureText(text);
  const end = inner.x + inner.width;
  if (x + gap + width <= end) return x + gap;
  return x - gap - width < inner.x ? Math.max(inner.x, end - width) : x - gap - width;
}

/** The first of some lower ends where a name covers nothing that is written; else the very first. */
function free(g, text, left, lines, written, size) {
  const { width } = g.measureText(text);
  return lines.find((y) => !lies({ left, width, y: y - size / 2 }, written, size)) ?? lines[0];
}

/** The lower end of a name: where the panel ends above, it stands under what it names. */
function below(y, size, inner) {
  return y - size < inner.y ? y + 2 * size : y;
}

function rimmed(g, text, left, y, theme) {
  g.textAlign = 'left';
  g.lineWidth = 3 * theme.scale;
  g.strokeStyle = theme.background;
  g.lineJoin = 'round';
  g.strokeText(text, left, y);
  g.fillText(text, left, y);
}

function cross(g, x, y, radius) {
  g.arc(x, y, radius, 0, 2 * Math.PI);
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    g.moveTo(x + dx * radius * 0.5, y + dy * radius * 0.5);
    g.lineTo(x + dx * radius * 1.5, y + dy * radius * 1.5);
  }
}

/** The line of a turn: from its end through the centre and as far on the other side. */
function axis(g, { x: endX, y: endY, around: [cx, cy] }, { x, y }) {
  g.setLineDash([7, 4]);
  g.moveTo(x(endX), y(endY));
  g.lineTo(x(2 * cx - endX), y(2 * cy - endY));
}

/** The angle of a turn in degrees, from 0 to 180: a line has no direction. */
function degrees({ x, y, around: [cx, cy] }) {
  return ((Math.atan2(y - cy, x - cx) * 180) / Math.PI + 180) % 180;
}

function turn(handle, angle) {
  const { x, y, around: [cx, cy] } = handle;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  handle.x = cx + cos * (x - cx) - sin * (y - cy);
  handle.y = cy + sin * (x - cx) + cos * (y - cy);
}
