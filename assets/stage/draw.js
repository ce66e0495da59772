/**
 * One function per kind of mark. Each draws onto a 2-D context (a canvas, or the SVG recorder of
 * export.js) through the panel's scales; none keeps state.
 * @module
 */
import { Delaunay } from '../vendor/d3.js';
import { lies } from './names.js';
import { NO_CLASS } from './scene.js';
import { channels, contextOf, symbolOf } from './theme.js';
/** @import { Axes, Box, Cells, Context, Draw, Ellipses, Line, Mark, Moment } from './types' */
/** @import { Points, Raster, Rects, Segments, Texts, Theme, Values } from './types' */

const ENDS = /** @type {const} */ (['x0', 'y0', 'x1', 'y1']);
const ALIGN = /** @type {const} */ ({ start: 'left', middle: 'center', end: 'right' });
/** Radius of a point, and of one with emphasis, in pixels. */
export const POINT = 4.5;
export const EMPHASIS = 9;
const SMALL = 3.5;  // mean radius below which points are drawn over their rims
const EDGED = 5;  // pixels from which a bar whose colour may be that of the page has an edge
const DIM = 0.7;  // on a dark page a region in full colour would be mud
const NARROW = 345;  // pixels of a panel, below which texts may not cover nodes
const OUTLINED = 3000;  // beyond so many points an outline costs more than it separates

/** @type {(mark: Mark, moment: Moment) => Values[]} */
export const endsOf = (mark, moment) => ENDS.map((name) => mark.get(name, moment));

/** @type {(values: Values) => number} */
const mean = (values) => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
};

/** @type {(values: Values | undefined, i: number, fallback: number) => number} */
export const only = (values, i, fallback) => (values === undefined ? fallback
  : values[values.length === 1 ? 0 : i]);

/**
 * The colour of a class: the theme's, or that of the mark's own palette.
 * @type {(mark: Mark, moment: Moment, theme: Theme) => (index: number) => string}
 */
function inks(mark, moment, theme) {
  const palette = mark.get('palette', moment);
  if (!palette) return theme.colorOf;
  return (index) => `rgb(${palette.subarray(3 * index, 3 * index + 3).join()})`;
}

/**
 * Call `each` with the indices of every class that occurs: a class is one path and one fill.
 * @param {number} n
 * @param {Values | undefined} colors
 * @param {(index: number, members: number[]) => void} each
 */
function byClass(n, colors, each) {
  /** @type {Map<number, number[]>} */
  const groups = new Map();
  for (let i = 0; i < n; i += 1) {
    const index = only(colors, i, NO_CLASS);
    const members = groups.get(index);
    if (members) members.push(i);
    else groups.set(index, [i]);
  }
  for (const [index, members] of groups) each(index, members);
}

/** @type {(g: Context, symbol: number, x: number, y: number, radius: number) => void} */
function place(g, symbol, x, y, radius) {
  g.translate(x, y);
  symbolOf(symbol).draw(g, Math.PI * radius * radius);
  g.translate(-x, -y);
}

/** @type {Draw<Points>} */
function points(g, mark, moment, { x, y }, theme) {
  const [xs, ys] = [mark.get('x', moment), mark.get('y', moment)];
  const names = ['color', 'size', 'opacity', 'symbol', 'hollow'];
  const [colors, sizes, opacities, symbols, hollows] = names.map((name) => mark.get(name, moment));
  const normal = mark.emphasis ? EMPHASIS : POINT;
  const rim = mark.emphasis || xs.length <= OUTLINED;
  const several = opacities !== undefined && opacities.length > 1;
  // The rims of small points in a crowd would leave nothing of them: they lie below.
  const below = rim && !mark.emphasis && (sizes ? mean(sizes) : normal) < SMALL;
  const path = (/** @type {number[]} */ batch, /** @type {number} */ index) => {
    g.beginPath();
    for (const i of batch) {
      if (Number.isNaN(xs[i])) continue;
      const radius = only(sizes, i, normal) * theme.scale;
      place(g, only(symbols, i, index), x(xs[i]), y(ys[i]), radius);
    }
  };
  const colorOf = inks(mark, moment, theme);
  byClass(xs.length, colors, (index, members) => {
    const color = colorOf(index);
    for (const hollow of hollows ? [false, true] : [false]) {
      const some = hollows
        ? members.filter((i) => Boolean(only(hollows, i, 0)) === hollow) : members;
      g.fillStyle = hollow ? theme.background : color;
      g.strokeStyle = hollow ? color : mark.emphasis ? theme.ink : theme.background;
      g.lineWidth = (hollow ? 1.6 : mark.emphasis ? 2 : 0.8) * theme.scale;
      for (const batch of several ? some.map((i) => [i]) : [some]) {
        g.globalAlpha = only(opacities, batch[0], 1);
        path(batch, index);
        if (below && !hollow) g.stroke();
        g.fill();
        if (hollow || (rim && !below)) g.stroke();
      }
    }
    g.globalAlpha = 1;
  });
}

/** @type {Draw<Line>} */
function line(g, mark, moment, axes, theme) {
  g.strokeStyle = theme.role(mark.color);
  g.lineWidth = mark.width * theme.scale;
  g.setLineDash(mark.dash ? [6, 4] : []);
  g.beginPath();
  polyline(g, mark, moment, axes);
  g.stroke();
  g.setLineDash([]);
}

/** @type {(g: Context, mark: Line, moment: Moment, axes: Axes) => void} */
export function polyline(g, mark, moment, { x, y }) {
  const [xs, ys] = [mark.get('x', moment), mark.get('y', moment)];
  let open = false;
  for (let i = 0; i < xs.length; i += 1) {
    const gap = Number.isNaN(xs[i]) || Number.isNaN(ys[i]);
    if (!gap) g[open ? 'lineTo' : 'moveTo'](x(xs[i]), y(ys[i]));
    open = !gap;
  }
}

/** @type {Draw<Segments>} */
function segments(g, mark, moment, { x, y }, theme) {
  const [x0, y0, x1, y1] = endsOf(mark, moment);
  const sizes = mark.get('size', moment);
  byClass(x0.length, mark.get('color', moment), (index, members) => {
    g.strokeStyle = theme.colorOf(index);
    for (const batch of sizes ? members.map((i) => [i]) : [members]) {
      g.lineWidth = only(sizes, batch[0], mark.width) * theme.scale;
      g.beginPath();
      for (const i of batch) {
        const [ax, ay, bx, by] = [x(x0[i]), y(y0[i]), x(x1[i]), y(y1[i])];
        if (Number.isNaN(ax + ay + bx + by)) continue;
        g.moveTo(ax, ay);
        g.lineTo(bx, by);
        const long = Math.hypot(bx - ax, by - ay) > 8;
        if (mark.arrow && long) arrowHead(g, ax, ay, bx, by, 6 * theme.scale);
      }
      g.stroke();
    }
  });
}

/**
 * @param {Context} g
 * @param {number} ax
 * @param {number} ay
 * @param {number} bx
 * @param {number} by
 * @param {number} size
 */
export function arrowHead(g, ax, ay, bx, by, size) {
  const angle = Math.atan2(by - ay, bx - ax);
  for (const side of [-0.45, 0.45]) {
    g.moveTo(bx, by);
    g.lineTo(bx - size * Math.cos(angle + side), by - size * Math.sin(angle + side));
  }
}

/** @type {(g: Context, mark: Ellipses, i: number, moment: Moment, axes: Axes) => void} */
export function ellipse(g, mark, i, moment, { x, y }) {
  const [xs, ys] = [mark.get('x', moment), mark.get('y', moment)];
  const [rx, ry] = [mark.get('rx', moment), mark.get('ry', moment)];
  const angles = mark.get('angle', moment);
  const [cos, sin] = [Math.cos(only(angles, i, 0)), Math.sin(only(angles, i, 0))];
  for (let k = 0; k < 72; k += 1) {
    const [u, v] = [rx[i] * Math.cos(k * Math.PI / 36), ry[i] * Math.sin(k * Math.PI / 36)];
    g[k ? 'lineTo' : 'moveTo'](x(xs[i] + u * cos - v * sin), y(ys[i] + u * sin + v * cos));
  }
  g.closePath();
}

/** @type {Draw<Ellipses>} */
function ellipses(g, mark, moment, axes, theme) {
  const colors = mark.get('color', moment);
  for (let i = 0; i < mark.get('x', moment).length; i += 1) {
    g.beginPath();
    ellipse(g, mark, i, moment, axes);
    g.fillStyle = g.strokeStyle = theme.colorOf(only(colors, i, NO_CLASS));
    g.globalAlpha = mark.fill;
    g.fill();
    g.globalAlpha = 1;
    g.lineWidth = 1.5 * theme.scale;
    g.stroke();
  }
}

/** @type {Draw<Rects>} */
function rects(g, mark, moment, { x, y }, theme) {
  const [x0, y0, x1, y1] = endsOf(mark, moment);
  const opacities = mark.get('opacity', moment);
  const colors = mark.get('color', moment);
  const colorOf = inks(mark, moment, theme);
  g.strokeStyle = theme.muted;
  g.lineWidth = 1;
  for (let i = 0; i < x0.length; i += 1) {
    if (Number.isNaN(x0[i])) continue;
    g.fillStyle = colorOf(only(colors, i, NO_CLASS));
    g.globalAlpha = only(opacities, i, 1);
    g.beginPath();
    const [left, top] = [x(x0[i]), y(y1[i])];
    const [width, height] = [x(x1[i]) - left, y(y0[i]) - top];
    g.rect(left, top, width, height);
    g.fill();
    if (mark.channels.palette && Math.min(width, height) > EDGED) g.stroke();
  }
  g.globalAlpha = 1;
}

/** @type {Draw<Texts>} */
function texts(g, mark, moment, { x, y, inner, written, covers }, theme) {
  const [xs, ys] = [mark.get('x', moment), mark.get('y', moment)];
  g.fillStyle = theme.ink;
  g.font = `${12 * theme.scale}px ${theme.font}`;
  g.textAlign = ALIGN[mark.anchor];
  g.textBaseline = 'middle';
  g.strokeStyle = theme.background;
  g.lineWidth = 3.5 * theme.scale;
  for (let i = 0; i < xs.length; i += 1) {
    if (Number.isNaN(xs[i])) continue;
    const down = y(ys[i]) + mark.dy * theme.scale;
    const box = boxOf(g, mark, mark.text[i], x(xs[i]), down, inner);
    // On a phone the nodes of trees and lattices come first; a tap names them.
    if (inner.width < NARROW * theme.scale && covers(box, 18 * theme.scale)) continue;
    if (lies(box, written, 12 * theme.scale)) continue;
    if (mark.halo) g.strokeText(mark.text[i], box.x, box.y);
    g.fillText(mark.text[i], box.x, box.y);
  }
}

/**
 * Where a text is written: what it names may stand so near to the panel's edge that the text would
 * be cut off there.
 * @param {Context} g
 * @param {Texts} mark
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {Box} inner
 */
function boxOf(g, mark, text, x, y, inner) {
  const { width } = g.measureText(text);
  const left = x - { start: 0, middle: 0.5, end: 1 }[mark.anchor] * width;
  const end = inner.x + inner.width;
  const seen = x >= inner.x && x <= end;
  const kept = seen ? Math.max(inner.x, Math.min(left, end - width)) : left;
  return { x: x + kept - left, y, left: kept, width };
}

/**
 * The cells are computed in data units: distances are the algorithm's, whatever the panel's shape.
 * @type {Draw<Cells>}
 */
function cells(g, mark, moment, { x, y, domain }, theme) {
  const [xs, ys] = [mark.get('x', moment), mark.get('y', moment)];
  const colors = mark.get('color', moment);
  const present = Array.from(xs.keys()).filter((i) => !Number.isNaN(xs[i] + ys[i]));
  if (!present.length) return;
  const [[x0, x1], [y0, y1]] = [domain.x, domain.y];
  const sites = Delaunay.from(present, (i) => xs[i], (i) => ys[i]);
  const diagram = sites.voronoi([x0, y0, x1, y1]);
  present.forEach((site, k) => {
    const cell = diagram.cellPolygon(k);
    if (!cell) return;
    g.beginPath();
    cell.forEach(([u, v], i) => g[i ? 'lineTo' : 'moveTo'](x(u), y(v)));
    g.closePath();
    g.fillStyle = theme.colorOf(only(colors, site, site));
    g.globalAlpha = 0.13;
    g.fill();
    g.globalAlpha = 0.55;
    g.strokeStyle = theme.muted;
    g.lineWidth = theme.scale;
    g.stroke();
    g.globalAlpha = 1;
  });
}

/** @type {Draw<Raster>} */
function raster(g, mark, moment, { x, y }, theme) {
  const [x0, x1, y0, y1] = mark.extent;
  const dims = theme.dark && !mark.channels.palette && !mark.ramp;
  /** @type {(canvas: HTMLCanvasElement, alpha: number) => void} */
  const draw = (canvas, alpha) => {
    g.globalAlpha = alpha * mark.opacity * (dims ? DIM : 1);
    g.drawImage(canvas, x(x0), y(y1), x(x1) - x(x0), y(y0) - y(y1));
  };
  g.imageSmoothingEnabled = !mark.channels.palette && !mark.crisp;
  const now = imageOf(mark, moment, theme);
  // One image fades into the other.
  if (mark.before && mark.before !== now && moment.t < 1 && now) draw(mark.before, 1 - moment.t);
  if (now) draw(now, mark.before && mark.before !== now ? moment.t : 1);
  if (moment.t >= 1) mark.before = now;
  g.globalAlpha = 1;
  g.imageSmoothingEnabled = true;
}

/**
 * The image of a raster at a moment; null where it has none. Two canvases take turns.
 * @type {(mark: Raster, moment: Moment, theme: Theme) => HTMLCanvasElement | null}
 */
function imageOf(mark, moment, theme) {
  if (!mark.get('pixels', moment).length) return null;
  const names = ['pixels', 'shade', 'palette'];
  const at = names.map((name) => mark.channels[name]?.rowIn(moment.frame)).join();
  if (mark.canvas && mark.painted?.at === at && mark.painted.theme === theme) return mark.canvas;
  mark.painted = { at, theme };
  if (mark.canvas && mark.canvas === mark.before) {
    [mark.canvas, mark.spare] = [mark.spare ?? document.createElement('canvas'), mark.canvas];
  }
  mark.canvas ??= document.createElement('canvas');
  paintRaster(mark, mark.canvas, moment, theme);
  return mark.canvas;
}

/**
 * Paint an image onto its mark's canvas: that of the image before it, if it had one (panel.js).
 * @type {(mark: Raster, canvas: HTMLCanvasElement, moment: Moment, theme: Theme) => void}
 */
function paintRaster(mark, canvas, moment, theme) {
  const { width, height } = mark;
  const pixels = mark.get('pixels', moment);
  const colors = mark.get('palette', moment);
  const opacity = mark.ramp ? pixels : mark.get('shade', moment);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = contextOf(canvas);
  const picture = context.createImageData(width, height);
  const [bytes, words] = [picture.data, new Uint32Array(picture.data.buffer)];
  /** @type {number[]} */
  const palette = [];
  /** @type {(value: number) => ArrayLike<number>} */
  const colorOf = (value) => (colors ? [...colors.subarray(3 * value, 3 * value + 3), 255]
    : channels(mark.ramp ? theme.accent : theme.colorOf(value)));
  pixels.forEach((value, i) => {
    palette[value] ??= new Uint32Array(Uint8Array.from(colorOf(value)).buffer)[0];
    words[i] = palette[value];
    if (opacity) bytes[4 * i + 3] = opacity[i];
  });
  context.putImageData(picture, 0, 0);
}

/** @type {Record<Mark['kind'], Draw<any>>} */
const KINDS = {
  Points: points, Line: line, Segments: segments, Ellipses: ellipses, Rects: rects, Texts: texts,
  Cells: cells, Raster: raster,
};

/** Draw a mark. @type {Draw<Mark>} */
export const drawMark = (g, mark, moment, places, theme) => {
  KINDS[mark.kind](g, mark, moment, places, theme);
};
