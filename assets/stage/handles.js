/**
 * Handles: controls on the picture. A point comes to where it is dragged or where its panel is
 * clicked; a line moves along its axis, or turns around its centre. The values belong to Python;
 * while one is dragged, what comes back for it is older and waits. Grids, whose cells are switched,
 * are handles as well (grids.js).
 * @module
 */
import { Grids } from './grids.js';
import { lies } from './names.js';
/** @import { Panel } from './panel.js' */
/** @import { View } from './view.js' */
/** @import { Axes, Axis, Box, Context, Grid, Handle, Moves, Places, Scale } from './types' */
/** @import { Theme } from './types' */
/** @typedef {{ handle: Handle, panel: Panel, from: [number, number], moved: boolean }} Drag */

const REACH = 12;  // pixels around a handle in which it answers the pointer
const LATER = 90;  // milliseconds after a key until it is reported: more of them may follow
const STILL = 4;  // pixels that a click may move
const NUDGE = 0.01;  // share of the axis that a key moves
const TURN = Math.PI / 180;  // by which a key turns
const CURSORS = { point: 'move', turn: 'move', x: 'ew-resize', y: 'ns-resize' };
/** @type {Record<string, [right: number, up: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Handles {
  /** @type {Handle[]} */
  all = [];
  /** @type {Drag | null} */
  dragged = null;
  /** What keys have moved, and is not told yet. @type {Handle | null} */
  nudged = null;
  /** @type {number | undefined} */
  telling;

  /**
   * @param {Pick<View, 'focus' | 'invalidate' | 'panels'>} view
   * @param {Moves} link
   * @param {(text: string) => void} say
   */
  constructor(view, link, say) {
    this.view = view;
    this.link = link;
    this.grids = new Grids(view, link, say);
  }

  /**
   * Take over what Python says; `later` says of which grid later cells are on their way.
   * @type {(specs: (Handle | Grid)[], later: (name: string) => boolean) => void}
   */
  load(specs, later) {
    const held = this.dragged?.handle ?? this.nudged;
    this.grids.load(specs.filter((spec) => spec.kind === 'grids'), later);
    this.all = specs.filter((spec) => spec.kind !== 'grids').map((spec) => (
      held && spec.name === held.name ? Object.assign(held, { label: spec.label }) : { ...spec }));
    if (held && !this.all.includes(held)) Object.assign(this, { dragged: null, nudged: null });
  }

  /** @param {Panel} panel */
  attach(panel) {
    const { canvas } = panel;
    this.grids.attach(panel);
    canvas.addEventListener('pointerdown', (event) => {
      const handle = event.button === 0 && event.isPrimary ? this.at(event, panel) : null;
      if (!handle) return;
      event.stopImmediatePropagation();
      canvas.setPointerCapture(event.pointerId);
      this.view.focus();
      const from = /** @type {Drag['from']} */ ([event.offsetX, event.offsetY]);
      this.dragged = { handle, panel, from, moved: false };
    }, { capture: true });
    canvas.addEventListener('pointermove', (event) => {
      if (this.dragged?.panel === panel) this.drag(event, this.dragged);
    });
    canvas.addEventListener('pointerup', () => {
      if (this.dragged?.panel === panel) this.drop(this.dragged);
    });
    canvas.addEventListener('pointercancel', () => { this.dragged = null; });
  }

  /**
   * Whether an event of a panel is for a handle instead of panning or drawing.
   * @type {(event: MouseEvent, panel: Panel) => boolean}
   */
  takes(event, panel) {
    return Boolean(this.dragged ?? this.at(event, panel) ?? this.grids.at(event, panel));
  }

  /** @type {(event: MouseEvent, panel: Panel) => Handle | null} */
  at(event, panel) {
    const { axes } = panel;
    if (!this.link.movable || !axes || event.offsetX === undefined) return null;
    const distance = (/** @type {Handle} */ handle) => {
      const [x, y] = onScreen(handle, axes);
      return Math.hypot(handle.kind === 'y' ? 0 : x - event.offsetX,
        handle.kind === 'x' ? 0 : y - event.offsetY);
    };
    return this.of(panel).find((handle) => distance(handle) < REACH) ?? null;
  }

  /** The handles of a panel that stand somewhere. @param {Panel} panel */
  of(panel) {
    return this.all.filter((handle) => handle.panel === panel.spec.name
      && (handle.x !== null || handle.y !== null));
  }

  /** @type {(event: MouseEvent, panel: Panel) => string | null} */
  cursor(event, panel) {
    const handle = this.dragged?.handle ?? this.at(event, panel);
    if (!handle && this.grids.at(event, panel)) return 'cell';
    if (handle) return CURSORS[handle.kind];
    return this.pointIn(panel) ? 'crosshair' : null;
  }

  /** @type {(event: MouseEvent, dragged: Drag) => void} */
  drag(event, dragged) {
    const [dx, dy] = [event.offsetX - dragged.from[0], event.offsetY - dragged.from[1]];
    if (!dragged.moved && Math.hypot(dx, dy) < STILL) return;
    dragged.moved = true;
    this.place(dragged.handle, event, dragged.panel);
    this.tell(dragged.handle);
  }

  /** @param {Drag} dragged */
  drop({ handle, moved }) {
    this.dragged = null;
    if (moved) this.tell(handle);
  }

  /**
   * A click that hit no row: the panel's point comes here. True if there is one.
   * @type {(event: MouseEvent, panel: Panel) => boolean}
   */
  summon(event, panel) {
    if (this.grids.at(event, panel)) return true;
    const handle = this.pointIn(panel);
    if (!handle) return false;
    this.place(handle, event, panel);
    this.tell(handle);
    return true;
  }

  /** Bring the first handle of a panel to where it is clicked, a line too. @type {(event: MouseEvent, panel: Panel) => void} */
  bring(event, panel) {
    const handle = this.all.find((each) => each.panel === panel.spec.name);
    if (!handle) return;
    this.place(handle, event, panel);
    this.tell(handle);
  }

  /** @type {(panel: Panel) => Handle | null} */
  pointIn(panel) {
    if (!this.link.movable) return null;
    return this.all.find((handle) => (
      handle.kind === 'point' && handle.panel === panel.spec.name)) ?? null;
  }

  /** @type {(handle: Handle, event: MouseEvent, panel: Panel) => void} */
  place(handle, event, panel) {
    const { x, y, inner } = panel.axesOnScreen;
    /** @type {(value: number, low: number, length: number) => number} */
    const inside = (value, low, length) => Math.min(low + length, Math.max(low, value));
    const [left, top] = [
      inside(event.offsetX, inner.x, inner.width), inside(event.offsetY, inner.y, inner.height),
    ];
    if (handle.kind !== 'y') handle.x = x.invert(left);
    if (handle.kind !== 'x') handle.y = y.invert(top);
    this.view.invalidate();
  }

  /** @param {Handle} handle */
  tell(handle) {
    const { name, x, y } = handle;
    const place = handle.kind === 'turn' ? { x: degrees(handle), y: null } : { x, y };
    if (this.link.movable) this.link.move({ name, ...place }, true);
  }

  /**
   * Shift and an arrow move the first handle; true if the key was that.
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (this.grids.key(event)) return true;
    const step = ARROWS[event.key];
    if (!event.shiftKey || !step || !this.all.length) return false;
    const [handle] = this.all;
    if (handle.kind === 'turn') turn(handle, TURN * (step[1] - step[0]));
    else this.nudge(handle, step);
    this.view.invalidate();
    this.nudged = handle;
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      this.nudged = null;
      this.tell(handle);
    }, LATER);
    return true;
  }

  /** @type {(handle: Handle, step: [number, number]) => void} */
  nudge(handle, step) {
    const panel = this.view.panels.get(handle.panel);
    if (!panel) return;
    const { spec, axesOnScreen: { x, y } } = panel;
    /** @type {(scale: Scale, axis: Axis, value: number | null, by: number) => number} */
    const along = (scale, { integer }, value, by) => {
      const [low, high] = scale.domain();
      const least = integer ? 1 : 0;  // less would be rounded away
      return (value ?? (low + high) / 2) + by * Math.max(NUDGE * (high - low), least);
    };
    if (handle.kind !== 'y') handle.x = along(x, spec.x, handle.x, step[0]);
    if (handle.kind !== 'x') handle.y = along(y, spec.y, handle.y, step[1]);
  }

  /** @type {(g: Context, places: Places, panel: Panel, theme: Theme) => void} */
  draw(g, places, panel, theme) {
    const { inner } = places;
    this.grids.draw(g, places, panel, theme);
    for (const handle of this.of(panel)) {
      const [x, y] = onScreen(handle, places);
      g.strokeStyle = theme.ink;
      g.fillStyle = theme.ink;
      g.lineWidth = 2 * theme.scale;
      g.beginPath();
      if (handle.kind === 'point') {
        cross(g, x, y, 9 * theme.scale);
      } else if (handle.kind === 'turn') {
        axis(g, handle, places);
      } else if (handle.kind === 'y') {
        g.setLineDash([7, 4]);
        g.moveTo(inner.x, y);
        g.lineTo(inner.x + inner.width, y);
      } else {
        g.setLineDash([7, 4]);
        g.moveTo(x, inner.y);
        g.lineTo(x, inner.y + inner.height);
      }
      g.stroke();
      g.setLineDash([]);
      this.caption(g, handle, places, theme);
    }
  }

  /**
   * The name of a handle beside it; a line also gets a grip that says that it can be moved.
   * @type {(g: Context, handle: Handle, places: Places, theme: Theme) => void}
   */
  caption(g, handle, places, theme) {
    const { inner } = places;
    const [x, y] = onScreen(handle, places);
    const size = 11 * theme.scale;
    g.font = `600 ${size}px ${theme.font}`;
    g.textBaseline = 'bottom';
    if (handle.kind === 'turn') {
      g.beginPath();
      g.arc(x, y, 6 * theme.scale, 0, 2 * Math.PI);
      g.fill();
    }
    if (handle.kind === 'point' || handle.kind === 'turn') {
      const left = beside(g, handle.label, x, 11 * theme.scale, inner);
      const lines = [below(y - 5, size, inner), Math.min(y + 5 + size, inner.y + inner.height)];
      rimmed(g, handle.label, left, free(g, handle.label, left, lines, places, size), theme);
      return;
    }
    const across = handle.kind === 'y' ? inner.x + inner.width - 8 : x;
    const down = handle.kind === 'y' ? y : inner.y + inner.height - 8;
    g.beginPath();
    g.arc(across, down, 5 * theme.scale, 0, 2 * Math.PI);
    g.fill();
    if (handle.kind === 'x') {
      const left = beside(g, handle.label, across, 8, inner);
      const length = Math.max(1, Math.floor(inner.height / size) - 3);
      const lines = Array.from({ length }, (_, i) => inner.y + (i + 2) * size);
      rimmed(g, handle.label, left, free(g, handle.label, left, lines, places, size), theme);
      return;
    }
    const left = across - 10 - g.measureText(handle.label).width;
    rimmed(g, handle.label, left, below(down - 4, size, inner), theme);
  }
}

/**
 * Where a handle is in a picture. A line has one of the two.
 * @type {(handle: Handle, axes: Axes) => [x: number, y: number]}
 */
const onScreen = (handle, { x, y }) => [x(handle.x ?? 0), y(handle.y ?? 0)];

/**
 * The left end of a name to the right of a place, or to its left where the panel ends.
 * @type {(g: Context, text: string, x: number, gap: number, inner: Box) => number}
 */
function beside(g, text, x, gap, inner) {
  const { width } = g.measureText(text);
  const end = inner.x + inner.width;
  if (x + gap + width <= end) return x + gap;
  return x - gap - width < inner.x ? Math.max(inner.x, end - width) : x - gap - width;
}

/**
 * The first of some lower ends where a name covers nothing that is written, if possible no line
 * either; else the very first.
 * @param {Context} g
 * @param {string} text
 * @param {number} left
 * @param {number[]} lines
 * @param {Places} places
 * @param {number} size
 */
function free(g, text, left, lines, { written, crossed }, size) {
  const { width } = g.measureText(text);
  const box = (/** @type {number} */ y) => ({ left, width, y: y - size / 2 });
  return lines.find((y) => !crossed(box(y), size) && !lies(box(y), written, size))
    ?? lines.find((y) => !lies(box(y), written, size)) ?? lines[0];
}

/**
 * The lower end of a name: where the panel ends above, it stands under what it names.
 * @type {(y: number, size: number, inner: Box) => number}
 */
function below(y, size, inner) {
  return y - size < inner.y ? y + 2 * size : y;
}

/** @type {(g: Context, text: string, left: number, y: number, theme: Theme) => void} */
function rimmed(g, text, left, y, theme) {
  g.textAlign = 'left';
  g.lineWidth = 3 * theme.scale;
  g.strokeStyle = theme.background;
  g.lineJoin = 'round';
  g.strokeText(text, left, y);
  g.fillText(text, left, y);
}

/** @type {(g: Context, x: number, y: number, radius: number) => void} */
function cross(g, x, y, radius) {
  g.arc(x, y, radius, 0, 2 * Math.PI);
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    g.moveTo(x + dx * radius * 0.5, y + dy * radius * 0.5);
    g.lineTo(x + dx * radius * 1.5, y + dy * radius * 1.5);
  }
}

/** The end of a turn and its centre. @param {Handle} handle */
const turning = ({ x, y, around }) => {
  const [cx, cy] = around ?? [0, 0];
  return { x: x ?? 0, y: y ?? 0, cx, cy };
};

/**
 * The line of a turn: from its end through the centre and as far on the other side.
 * @type {(g: Context, handle: Handle, axes: Axes) => void}
 */
function axis(g, handle, { x, y }) {
  const { x: endX, y: endY, cx, cy } = turning(handle);
  g.setLineDash([7, 4]);
  g.moveTo(x(endX), y(endY));
  g.lineTo(x(2 * cx - endX), y(2 * cy - endY));
}

/**
 * The angle of a turn in degrees, from 0 to 180: a line has no direction.
 * @param {Handle} handle
 */
function degrees(handle) {
  const { x, y, cx, cy } = turning(handle);
  return ((Math.atan2(y - cy, x - cx) * 180) / Math.PI + 180) % 180;
}

/** @type {(handle: Handle, angle: number) => void} */
function turn(handle, angle) {
  const { x, y, cx, cy } = turning(handle);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  handle.x = cx + cos * (x - cx) - sin * (y - cy);
  handle.y = cy + sin * (x - cx) + cos * (y - cy);
}
