/**
 * A panel: two axes, zoom and pan, the marks in it, and what lies under the pointer.
 * @module
 */
import { scaleLinear, select, zoom, zoomIdentity } from '../vendor/d3.js';
import { drawMark } from './draw.js';

const MARGIN = 12;  // pixels to the right of a panel
const ROOM = 44;  // pixels for the tick labels of the vertical axis,
const LITTLE = 30;  // in a narrow panel
const NARROW = 220;
const LETTER = 6.6;  // pixels of a letter of a name beside the vertical axis,
const NAMES = 0.22;  // and the most that names may take of the panel's width
const TITLE = 20;  // pixels for the title of that axis
const REACH = 14;  // pixels around a point in which it answers the pointer
const BESIDE = 5;  // pixels within which the pointer is on a line

/** Widen a domain so that one unit is as long on both axes. */
function equalise(domain, width, height) {
  const unit = Math.max((domain.x[1] - domain.x[0]) / width, (domain.y[1] - domain.y[0]) / height);
  const widen = ([low, high], span) => [(low + high - span) / 2, (low + high + span) / 2];
  return { x: widen(domain.x, unit * width), y: widen(domain.y, unit * height) };
}

export class Panel {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{changed: () => void, panAllowed: (event: Event) => boolean, wheelAllowed: () => boolean}} host
   */
  constructor(canvas, host) {
    this.canvas = canvas;
    this.host = host;
    this.transform = zoomIdentity;
    this.size = [0, 0];
    this.zoom = zoom()
      .scaleExtent([1, 60])
      .filter((event) => (event.type === 'wheel' ? event.ctrlKey || event.metaKey || host.wheelAllowed()
        : event.type === 'touchstart' ? event.touches.length > 1  // one finger scrolls the page
          : event.type !== 'dblclick' && !event.button && host.panAllowed(event)))
      .on('zoom', (event) => {
        this.transform = event.transform;
        host.changed();
      });
    select(canvas).call(this.zoom);
  }

  /** Take over the panel of a new scene; the zoom stays as long as the axes do. */
  load(spec, marks) {
    const axes = JSON.stringify([spec.x, spec.y, spec.equal]);
    const moved = this.axes !== undefined && this.axes !== axes;
    marks.forEach((mark, i) => { mark.canvas = this.marks?.[i]?.canvas; });  // of an image: to make one takes longer than to paint it
    Object.assign(this, { spec, axes, marks });
    if (moved) this.reset();
  }

  get zoomed() {
    return this.transform.k !== 1 || this.transform.x !== 0 || this.transform.y !== 0;
  }

  reset() {
    select(this.canvas).call(this.zoom.transform, zoomIdentity);
  }

  zoomBy(factor) {
    select(this.canvas).call(this.zoom.scaleBy, factor);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = window.devicePixelRatio || 1;
    if (this.size[0] === width && this.size[1] === height && this.ratio === ratio) return;
    Object.assign(this, { size: [width, height], ratio });
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    if (this.ground) this.clear();
    this.zoom.extent([[0, 0], [width, height]]).translateExtent([[0, 0], [width, height]]);
  }

  /** The scales for a box, of the domain that is in view on the screen. */
  scales(box, scale, domain = null) {
    const usual = (box.width < NARROW * scale ? LITTLE : ROOM) * scale;
    const longest = Math.max(0, ...(this.spec.y.ticks ?? []).map((text) => text.length));
    const room = Math.max(usual, Math.min(longest * LETTER * scale, NAMES * box.width));
    const left = this.spec.y.label ? room + TITLE * scale : 22 * scale;
    const inner = {
      x: box.x + left, y: box.y + (this.spec.title ? 24 : 10) * scale,
      width: Math.max(box.width - left - MARGIN, 20),
      height: Math.max(box.height - ((this.spec.title ? 24 : 10) + (this.spec.x.label ? 42 : 24)) * scale, 20),
    };
    let shown = domain ?? { x: [this.spec.x.low, this.spec.x.high], y: [this.spec.y.low, this.spec.y.high] };
    if (this.spec.equal) shown = equalise(shown, inner.width, inner.height);
    const x = scaleLinear(shown.x, [inner.x, inner.x + inner.width]);
    const y = scaleLinear(shown.y, [inner.y + inner.height, inner.y]);
    return { x, y, inner, room, domain: shown };
  }

  /** The scales on the screen, zoom included. */
  view(scale) {
    const base = this.scales({ x: 0, y: 0, width: this.size[0], height: this.size[1] }, scale);
    const x = this.transform.rescaleX(base.x);
    const y = this.transform.rescaleY(base.y);
    return { ...base, x, y, domain: { x: x.domain(), y: y.domain() } };
  }

  /** Paint over everything. A canvas that nothing shines through is sooner on the screen; it would begin black. */
  clear() {
    const g = this.canvas.getContext('2d', { alpha: false });
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.fillStyle = this.ground;
    g.fillRect(0, 0, this.canvas.width, this.canvas.height);
    return g;
  }

  /** Paint the panel on its canvas. */
  paint(moment, theme, overlay) {
    this.ground = theme.background;
    const g = this.clear();
    const ratio = window.devicePixelRatio || 1;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.axesOnScreen = this.view(theme.scale);
    g.drawImage(this.backdrop(theme, ratio), 0, 0, ...this.size);
    this.renderMarks(g, this.axesOnScreen, moment, theme, overlay);
  }

  /** The axes as a picture, kept while they stay the same: writing numbers is what costs most in a frame. */
  backdrop(theme, ratio) {
    const { x, y } = this.axesOnScreen;
    const key = JSON.stringify([x.domain(), y.domain(), this.axes, this.spec.title, this.size, ratio]);
    if (this.kept?.key !== key || this.kept.theme !== theme) {
      const layer = Object.assign(document.createElement('canvas'), { width: Math.max(1, this.canvas.width), height: Math.max(1, this.canvas.height) });
      const g = layer.getContext('2d');
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawAxes(g, this.axesOnScreen, this.spec, theme);
      this.kept = { key, theme, layer };
    }
    return this.kept.layer;
  }

  /** Draw axes and marks onto any 2-D context. */
  render(g, axes, moment, theme, overlay) {
    drawAxes(g, axes, this.spec, theme);
    this.renderMarks(g, axes, moment, theme, overlay);
  }

  renderMarks(g, axes, moment, theme, overlay) {
    const { inner } = axes;
    g.save();
    g.beginPath();
    g.rect(inner.x, inner.y, inner.width, inner.height);
    g.clip();
    const places = { ...axes, written: [] };
    for (const mark of this.marks) drawMark(g, mark, moment, places, theme);
    overlay?.(g, places, theme);
    g.restore();
  }

  /** The nearest visible point mark under the pointer: { mark, index, x, y } or null. */
  nearest(px, py, moment, accept = () => true, reach = REACH) {
    let best = null;
    let distance = reach;
    for (const mark of [...this.marks].reverse()) {
      if (mark.kind !== 'Points' || !accept(mark)) continue;
      const [xs, ys] = [mark.get('x', moment), mark.get('y', moment)];
      const opacity = mark.get('opacity', moment);
      for (let index = 0; index < xs.length; index += 1) {
        if (opacity && opacity[opacity.length === 1 ? 0 : index] === 0) continue;  // not there (yet)
        const [x, y] = [this.axesOnScreen.x(xs[index]), this.axesOnScreen.y(ys[index])];
        const d = Math.hypot(x - px, y - py);
        // At one place the top mark counts, unless it has no name and is a row.
        const named = d === distance && mark.data && best && !best.mark.labels?.length;
        if (d < distance || named) [best, distance] = [{ mark, index, x, y, values: [xs[index], ys[index]] }, d];
      }
    }
    return best;
  }

  /** The numbered line, the rectangle or the pixel of a numbered image under the pointer: { mark, index } or null. */
  under(px, py, moment) {
    const [x, y] = [this.axesOnScreen.x.invert(px), this.axesOnScreen.y.invert(py)];
    return this.strokeUnder(px, py, moment) ?? this.rectUnder(x, y, moment) ?? this.pixelUnder(x, y, moment);
  }

  strokeUnder(px, py, moment) {
    const { x, y } = this.axesOnScreen;
    let [best, distance] = [null, BESIDE];
    for (const mark of this.marks.filter(({ of, channels }) => of && channels.numbers)) {
      for (const { index, ends: [x0, y0, x1, y1] } of strokes(mark, moment)) {
        const d = fromStroke([px, py], [x(x0), y(y0)], [x(x1), y(y1)]);
        if (d <= distance) [best, distance] = [{ mark, index }, d];  // of equal ones the last, which is on top
      }
    }
    return best;
  }

  rectUnder(x, y, moment) {
    const within = (a, b, value) => Math.min(a, b) <= value && value <= Math.max(a, b);
    for (const mark of this.marks.filter(({ kind }) => kind === 'Rects').reverse()) {
      const [x0, y0, x1, y1] = ['x0', 'y0', 'x1', 'y1'].map((name) => mark.get(name, moment));
      const index = x0.findLastIndex((_, i) => within(x0[i], x1[i], x) && within(y0[i], y1[i], y));
      if (index >= 0) return { mark, index };
    }
    return null;
  }

  pixelUnder(x, y, moment) {
    for (const mark of this.marks.filter(({ kind, channels }) => kind === 'Raster' && channels.numbers).reverse()) {
      const [x0, x1, y0, y1] = mark.extent;
      const [column, row] = [Math.floor((mark.width * (x - x0)) / (x1 - x0)), Math.floor((mark.height * (y1 - y)) / (y1 - y0))];
      const there = column >= 0 && column < mark.width && row >= 0 && row < mark.height && mark.get('pixels', moment).length;
      if (there) return { mark, index: row * mark.width + column };
    }
    return null;
  }
}

/** The strokes of a mark, and which of its parts each is: { index, ends: [x0, y0, x1, y1] }. */
function strokes(mark, moment) {
  if (mark.kind === 'Segments') {
    const ends = ['x0', 'y0', 'x1', 'y1'].map((name) => mark.get(name, moment));
    return Array.from(ends[0], (_, index) => ({ index, ends: ends.map((values) => values[index]) }));
  }
  if (mark.kind !== 'Line') return [];
  const [xs, ys] = [mark.get('x', moment), mark.get('y', moment)];
  return Array.from(xs.slice(1), (x, i) => ({ index: 0, ends: [xs[i], ys[i], x, ys[i + 1]] }));
}

/** The distance of a point from a stroke; NaN where the stroke is interrupted. */
function fromStroke([x, y], [x0, y0], [x1, y1]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const t = Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - x0 - t * dx, y - y0 - t * dy);
}

/** The ticks of an axis: { at, text } each; numbers that do not fit are written shorter, as one that is cut off is another. */
function ticksOf(scale, axis, length, each, fits = () => true) {
  let n = Math.max(2, Math.round(length / each));
  if (axis.ticks?.length) {
    const [low, high] = scale.domain();
    const every = Math.ceil((high - low) / Math.max(1, length / (each * 0.5)));
    return axis.ticks.map((text, at) => ({ at, text })).filter(({ at }) => at >= low && at <= high && at % every === 0);
  }
  // A single tick does not say how long a unit is.
  while (n < 5 && scale.ticks(n).length < 2) n += 1;
  const top = Math.max(...scale.domain().map(Math.abs));
  const format = scale.tickFormat(n, top < 1e-3 || top >= 1e15 ? '~e' : top >= 1e5 ? 's' : 'f');
  const ticks = scale.ticks(n).filter((at) => !axis.integer || Number.isInteger(at))
    .map((at) => ({ at, text: axis.integer ? String(at) : format(at) }));
  if (ticks.every(({ text }) => fits(text))) return ticks;
  const short = scale.tickFormat(n, top < 1 ? '~e' : '~s');
  return ticks.map(({ at }) => ({ at, text: at ? short(at) : '0' }));
}

/** A name that fits into so many pixels. */
function shortened(g, text, room) {
  if (g.measureText(text).width <= room) return text;
  let length = text.length;
  while (length > 1 && g.measureText(`${text.slice(0, length)}…`).width > room) length -= 1;
  return `${text.slice(0, length)}…`;
}

function drawAxes(g, { x, y, inner, room }, spec, theme) {
  const size = 11 * theme.scale;
  g.font = `${size}px ${theme.font}`;
  g.lineWidth = 1;
  g.strokeStyle = theme.grid;
  g.fillStyle = theme.muted;
  g.textAlign = 'center';
  g.textBaseline = 'top';
  g.beginPath();
  // Names that are short, as the letters of a string, may stand closer.
  const widest = Math.max(0, ...(spec.x.ticks ?? []).map((text) => g.measureText(text).width));
  const eachX = widest ? Math.min(80 * theme.scale, 2 * (widest + 8)) : 80 * theme.scale;
  const ticksX = spec.x.label ? ticksOf(x, spec.x, inner.width, eachX) : [];
  const roomX = ticksX.length > 1 ? Math.abs(x(ticksX[1].at) - x(ticksX[0].at)) - 6 : inner.width;
  for (const { at, text } of ticksX) {
    g.moveTo(x(at), inner.y);
    g.lineTo(x(at), inner.y + inner.height);
    g.fillText(shortened(g, text, roomX), x(at), inner.y + inner.height + 5);
  }
  g.textAlign = 'right';
  g.textBaseline = 'middle';
  const fits = (text) => g.measureText(text).width <= room;
  for (const { at, text } of spec.y.label ? ticksOf(y, spec.y, inner.height, (spec.y.ticks?.length ? 26 : 45) * theme.scale, fits) : []) {
    g.moveTo(inner.x, y(at));
    g.lineTo(inner.x + inner.width, y(at));
    g.fillText(shortened(g, text, room), inner.x - 6, y(at));
  }
  g.stroke();
  g.strokeStyle = theme.muted;
  g.beginPath();
  g.moveTo(inner.x, inner.y);
  g.lineTo(inner.x, inner.y + inner.height);
  g.lineTo(inner.x + inner.width, inner.y + inner.height);
  g.stroke();
  titles(g, inner, room, spec, theme, size);
}

function titles(g, inner, room, spec, theme, size) {
  g.fillStyle = theme.ink;
  g.font = `${size * 1.08}px ${theme.font}`;
  g.textAlign = 'center';
  g.textBaseline = 'bottom';
  g.fillText(shortened(g, spec.x.label, inner.width), inner.x + inner.width / 2, inner.y + inner.height + 38 * theme.scale);
  if (spec.y.label) {
    g.save();
    g.translate(inner.x - room - 6 * theme.scale, inner.y + inner.height / 2);
    g.rotate(-Math.PI / 2);
    g.fillText(shortened(g, spec.y.label, inner.height), 0, 0);
    g.restore();
  }
  if (spec.title) {
    g.textAlign = 'left';
    g.font = `600 ${size * 1.12}px ${theme.font}`;
    // A long title starts where the names of the vertical axis start.
    const more = spec.y.label ? room + 6 * theme.scale : 0;
    const title = shortened(g, spec.title, inner.width + more + MARGIN);
    const left = Math.max(inner.x - more, Math.min(inner.x, inner.x + inner.width + MARGIN - g.measureText(title).width));
    g.fillText(title, left, inner.y - 6 * theme.scale);
  }
}
