/**
 * A panel: two axes, zoom and pan, the marks in it, and what lies under the pointer.
 * @module
 */
import { scaleLinear, select, zoom, zoomIdentity } from '../vendor/d3.js';
import { drawAxes, MARGIN } from './axes.js';
import { drawMark } from './draw.js';
import { nameLine, obstacles } from './names.js';
import { contextOf } from './theme.js';
/** @import { ZoomBehavior } from '../vendor/d3.js' */
/** @import { Axes, Box, Context, Domain, Hit, Mark, Moment, PanelSpec, Part } from './types' */
/** @import { Places, Points, Theme } from './types' */

const ROOM = 44;  // pixels for the tick labels of the vertical axis,
const LITTLE = 30;  // in a narrow panel
const NARROW = 220;
const LETTER = 6.6;  // pixels of a letter of a name beside the vertical axis,
const NAMES = 0.22;  // and the most that names may take of the panel's width
const TITLE = 20;  // pixels for the title of that axis
const REACH = 14;  // pixels around a point in which it answers the pointer
const ENDS = /** @type {const} */ (['x0', 'y0', 'x1', 'y1']);
const BESIDE = 5;  // pixels within which the pointer is on a line

/**
 * Widen a domain so that one unit is as long on both axes.
 * @type {(domain: Domain, width: number, height: number) => Domain}
 */
function equalise(domain, width, height) {
  const [across, up] = [domain.x[1] - domain.x[0], domain.y[1] - domain.y[0]];
  const unit = Math.max(across / width, up / height);
  /** @type {(ends: number[], span: number) => number[]} */
  const widen = ([low, high], span) => [(low + high - span) / 2, (low + high + span) / 2];
  return { x: widen(domain.x, unit * width), y: widen(domain.y, unit * height) };
}

export class Panel {
  transform = zoomIdentity;
  /** @type {[width: number, height: number]} */
  size = [0, 0];
  ratio = 0;
  ground = '';
  /** The axes as text: as long as they stay the same, so does the zoom. */
  key = '';
  /** @type {Mark[]} */
  marks = [];
  /** Kinds of marks that are not drawn. @type {string[]} */
  hides = [];
  /** The scales of the last picture; null before the first. @type {Axes | null} */
  axes = null;
  /** @type {{ key: string, theme: Theme, layer: HTMLCanvasElement } | null} */
  kept = null;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {PanelSpec} spec
   * @param {{ changed: () => void, panAllowed: (event: MouseEvent) => boolean,
   *   wheelAllowed: () => boolean }} host
   */
  constructor(canvas, spec, host) {
    this.canvas = canvas;
    this.spec = spec;
    this.zoom = /** @type {ZoomBehavior<HTMLCanvasElement, unknown>} */ (zoom())
      .scaleExtent([1, 60])
      .filter((event) => {
        if (event.type === 'wheel') return event.ctrlKey || event.metaKey || host.wheelAllowed();
        if (event.type === 'touchstart') return event.touches.length > 1;  // one scrolls the page
        return event.type !== 'dblclick' && !event.button && host.panAllowed(event);
      })
      .on('zoom', (event) => {
        this.transform = event.transform;
        host.changed();
      });
    select(canvas).call(this.zoom);
  }

  /**
   * Take over the panel of a new scene; the zoom stays as long as the axes do.
   * @param {PanelSpec} spec
   * @param {Mark[]} marks
   */
  load(spec, marks) {
    const key = JSON.stringify([spec.x, spec.y, spec.equal]);
    const moved = this.key !== '' && this.key !== key;
    // Of an image: to make a canvas takes longer than to paint it.
    marks.forEach((mark, i) => { mark.canvas = this.marks[i]?.canvas; });
    Object.assign(this, { spec, key, marks });
    if (moved) this.reset();
  }

  /** The scales on the screen: there is a picture. */
  get axesOnScreen() {
    return /** @type {Axes} */ (this.axes);
  }

  get zoomed() {
    return this.transform.k !== 1 || this.transform.x !== 0 || this.transform.y !== 0;
  }

  reset() {
    select(this.canvas).call(this.zoom.transform, zoomIdentity);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = window.devicePixelRatio || 1;
    if (this.size[0] === width && this.size[1] === height && this.ratio === ratio) return;
    this.size = [width, height];
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    if (this.ground) this.clear();
    this.zoom.extent([[0, 0], [width, height]]).translateExtent([[0, 0], [width, height]]);
  }

  /**
   * The scales for a box, of the domain that is in view on the screen.
   * @param {Box} box
   * @param {number} scale
   * @param {Domain | null} [domain]
   * @returns {Axes}
   */
  scales(box, scale, domain = null) {
    const usual = (box.width < NARROW * scale ? LITTLE : ROOM) * scale;
    const longest = Math.max(0, ...this.spec.y.ticks.map((text) => text.length));
    const room = Math.max(usual, Math.min(longest * LETTER * scale, NAMES * box.width));
    const left = this.spec.y.label ? room + TITLE * scale : 22 * scale;
    const [above, below] = [this.spec.title ? 24 : 10, this.spec.x.label ? 42 : 24];
    const inner = {
      x: box.x + left, y: box.y + above * scale,
      width: Math.max(box.width - left - MARGIN, 20),
      height: Math.max(box.height - (above + below) * scale, 20),
    };
    const { x: across, y: up } = this.spec;
    let shown = domain ?? { x: [across.low, across.high], y: [up.low, up.high] };
    if (this.spec.equal) shown = equalise(shown, inner.width, inner.height);
    const x = scaleLinear(shown.x, [inner.x, inner.x + inner.width]);
    const y = scaleLinear(shown.y, [inner.y + inner.height, inner.y]);
    return { x, y, inner, room, domain: shown };
  }

  /** The scales on the screen, zoom included. @type {(scale: number) => Axes} */
  view(scale) {
    const [width, height] = this.size;
    const base = this.scales({ x: 0, y: 0, width, height }, scale);
    const x = this.transform.rescaleX(base.x);
    const y = this.transform.rescaleY(base.y);
    return { ...base, x, y, domain: { x: x.domain(), y: y.domain() } };
  }

  /**
   * Paint over everything. A canvas that nothing shines through is sooner on the screen; it would
   * begin black.
   */
  clear() {
    const g = contextOf(this.canvas, { alpha: false });
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.fillStyle = this.ground;
    g.fillRect(0, 0, this.canvas.width, this.canvas.height);
    return g;
  }

  /**
   * Paint the panel on its canvas.
   * @param {Moment} moment
   * @param {Theme} theme
   * @param {(g: Context, places: Places) => void} overlay
   */
  paint(moment, theme, overlay) {
    this.ground = theme.background;
    const g = this.clear();
    const ratio = window.devicePixelRatio || 1;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.axes = this.view(theme.scale);
    g.drawImage(this.backdrop(this.axes, theme, ratio), 0, 0, ...this.size);
    this.renderMarks(g, this.axes, moment, theme, overlay);
  }

  /**
   * The axes as a picture, kept while they stay the same: writing numbers is what costs most in a
   * frame.
   * @type {(axes: Axes, theme: Theme, ratio: number) => HTMLCanvasElement}
   */
  backdrop(axes, theme, ratio) {
    const { title } = this.spec;
    const domains = [axes.x.domain(), axes.y.domain()];
    const key = JSON.stringify([domains, this.key, title, this.size, ratio]);
    if (this.kept?.key !== key || this.kept.theme !== theme) {
      const layer = document.createElement('canvas');
      layer.width = Math.max(1, this.canvas.width);
      layer.height = Math.max(1, this.canvas.height);
      const g = contextOf(layer);
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawAxes(g, axes, this.spec, theme);
      this.kept = { key, theme, layer };
    }
    return this.kept.layer;
  }

  /**
   * Draw axes and marks onto any 2-D context.
   * @param {Context} g
   * @param {Axes} axes
   * @param {Moment} moment
   * @param {Theme} theme
   * @param {(g: Context, places: Places) => void} overlay
   */
  render(g, axes, moment, theme, overlay) {
    drawAxes(g, axes, this.spec, theme);
    this.renderMarks(g, axes, moment, theme, overlay);
  }

  /**
   * @param {Context} g
   * @param {Axes} axes
   * @param {Moment} moment
   * @param {Theme} theme
   * @param {(g: Context, places: Places) => void} overlay
   */
  renderMarks(g, axes, moment, theme, overlay) {
    const { inner } = axes;
    g.save();
    g.beginPath();
    g.rect(inner.x, inner.y, inner.width, inner.height);
    g.clip();
    const marks = this.marks.filter((mark) => !this.hides.includes(mark.kind));
    /** @type {Places} */
    const places = { ...axes, written: [], ...obstacles(marks, moment, axes) };
    for (const mark of marks) drawMark(g, mark, moment, places, theme);
    for (const mark of marks) {
      if (mark.kind === 'Line' && mark.label) nameLine(g, mark, moment, places, theme);
    }
    overlay(g, places);
    g.restore();
  }

  /**
   * The marks of a kind, from the top one down.
   * @template {Mark['kind']} K
   * @param {K} kind
   */
  marksOf(kind) {
    const marks = this.marks.filter((mark) => mark.kind === kind).reverse();
    return /** @type {Extract<Mark, { kind: K }>[]} */ (marks);
  }

  /**
   * The nearest visible point under the pointer.
   * @param {number} px
   * @param {number} py
   * @param {Moment} moment
   * @param {(mark: Points) => boolean} [accept]
   */
  nearest(px, py, moment, accept = () => true, reach = REACH) {
    /** @type {Hit | null} */
    let best = null;
    let distance = reach;
    for (const mark of this.marksOf('Points')) {
      if (!accept(mark)) continue;
      const [xs, ys] = [mark.get('x', moment), mark.get('y', moment)];
      const opacity = mark.get('opacity', moment);
      for (let index = 0; index < xs.length; index += 1) {
        const hidden = opacity && opacity[opacity.length === 1 ? 0 : index] === 0;
        if (hidden) continue;  // not there (yet)
        const [x, y] = [this.axesOnScreen.x(xs[index]), this.axesOnScreen.y(ys[index])];
        const d = Math.hypot(x - px, y - py);
        // At one place the top mark counts, unless it has no name and is a row.
        const named = d === distance && mark.data && best && !best.mark.labels.length;
        if (!(d < distance || named)) continue;
        best = /** @type {Hit} */ ({ mark, index, x, y, values: [xs[index], ys[index]] });
        distance = d;
      }
    }
    return best;
  }

  /**
   * The numbered line, the rectangle or the pixel of a numbered image under the pointer; with `of`,
   * of the marks whose numbers count that.
   * @type {(px: number, py: number, moment: Moment, of?: string) => Part | null}
   */
  under(px, py, moment, of = '') {
    const [x, y] = [this.axesOnScreen.x.invert(px), this.axesOnScreen.y.invert(py)];
    const accept = (/** @type {Mark} */ mark) => !of || mark.of === of;
    return this.strokeUnder(px, py, moment, accept) ?? this.rectUnder(x, y, moment, accept)
      ?? this.pixelUnder(x, y, moment, accept);
  }

  /** @type {(px: number, py: number, moment: Moment, accept: (mark: Mark) => boolean) => Part | null} */
  strokeUnder(px, py, moment, accept) {
    const { x, y } = this.axesOnScreen;
    let best = null;
    let distance = BESIDE;
    for (const mark of this.marks.filter((one) => one.of && one.channels.numbers && accept(one))) {
      for (const { index, ends: [x0, y0, x1, y1] } of strokes(mark, moment)) {
        const d = fromStroke([px, py], [x(x0), y(y0)], [x(x1), y(y1)]);
        if (!(d <= distance)) continue;
        best = { mark, index };  // of equal ones the last, which is on top
        distance = d;
      }
    }
    return best;
  }

  /** @type {(x: number, y: number, moment: Moment, accept: (mark: Mark) => boolean) => Part | null} */
  rectUnder(x, y, moment, accept) {
    /** @type {(a: number, b: number, value: number) => boolean} */
    const within = (a, b, value) => Math.min(a, b) <= value && value <= Math.max(a, b);
    for (const mark of this.marksOf('Rects').filter(accept)) {
      const [x0, y0, x1, y1] = ENDS.map((name) => mark.get(name, moment));
      const index = x0.findLastIndex((_, i) => within(x0[i], x1[i], x) && within(y0[i], y1[i], y));
      if (index >= 0) return { mark, index };
    }
    return null;
  }

  /** @type {(x: number, y: number, moment: Moment, accept: (mark: Mark) => boolean) => Part | null} */
  pixelUnder(x, y, moment, accept) {
    for (const mark of this.marksOf('Raster').filter((one) => one.channels.numbers && accept(one))) {
      const { width, height, extent: [x0, x1, y0, y1] } = mark;
      const column = Math.floor((width * (x - x0)) / (x1 - x0));
      const row = Math.floor((height * (y1 - y)) / (y1 - y0));
      const inside = column >= 0 && column < width && row >= 0 && row < height;
      if (inside && mark.get('pixels', moment).length) return { mark, index: row * width + column };
    }
    return null;
  }
}

/**
 * The strokes of a mark, and which of its parts each is; the ends are x0, y0, x1, y1.
 * @type {(mark: Mark, moment: Moment) => { index: number, ends: number[] }[]}
 */
function strokes(mark, moment) {
  if (mark.kind === 'Segments') {
    const all = ENDS.map((name) => mark.get(name, moment));
    return Array.from(all[0], (_, index) => ({ index, ends: all.map((values) => values[index]) }));
  }
  if (mark.kind !== 'Line') return [];
  const [xs, ys] = [mark.get('x', moment), mark.get('y', moment)];
  return Array.from(xs.slice(1), (x, i) => ({ index: 0, ends: [xs[i], ys[i], x, ys[i + 1]] }));
}

/**
 * The distance of a point from a stroke; NaN where the stroke is interrupted.
 * @type {(point: number[], from: number[], to: number[]) => number}
 */
function fromStroke([x, y], [x0, y0], [x1, y1]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const t = Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - x0 - t * dx, y - y0 - t * dy);
}
