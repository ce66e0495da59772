/**
 * One function per kind of mark. Each draws onto a 2-D context (a canvas, or the SVG recorder of export.js) through
 * the panel's scales; none keeps state.
 * @module
 */
import { Delaunay } from '../vendor/d3.js';
import { NO_CLASS } from './scene.js';
import { channels, symbolOf } from './theme.js';

const POINT = 4.5;
const EMPHASIS = 9;
const BLANK = 3;  // pixels between two texts
const SMALL = 3.5;  // mean radius below which points are drawn over their rims
const OUTLINED = 3000;  // beyond so many points an outline costs more than it separates

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const only = (values, i, fallback) => (values === undefined ? fallback : values[values.length === 1 ? 0 : i]);

/** The colour of a class: the theme's, or that of the mark's own palette. */
function inks(mark, moment, theme) {
  const palette = mark.get('palette', moment);
  return palette ? (index) => `rgb(${palette.subarray(3 * index, 3 * index + 3).join()})` : (index) => theme.colorOf(index);
}

/** Call `each` with the indices of every class that occurs, so that a class is one path and one fill. */
function byClass(n, colors, each) {
  const groups = new Map();
  for (let i = 0; i < n; i += 1) {
    const index = only(colors, i, NO_CLASS);
    if (!groups.has(index)) groups.set(index, []);
    groups.get(index).push(i);
  }
  for (const [index, members] of groups) each(index, members);
}

function place(g, symbol, x, y, radius) {
  g.translate(x, y);
  symbol.draw(g, Math.PI * radius * radius);
  g.translate(-x, -y);
}

function points(g, mark, moment, { x, y }, theme) {
  const [xs, ys] = [mark.get('x', moment), mark.get('y', moment)];
  const [colors, sizes, opacities, symbols, hollows] = ['color', 'size', 'opacity', 'symbol', 'hollow'].map((name) => mark.get(name, moment));
  const normal = mark.emphasis ? EMPHASIS : POINT;
  const rim = mark.emphasis || xs.length <= OUTLINED;
  const several = opacities !== undefined && opacities.length > 1;
  // The rims of small points in a crowd would leave nothing of them: they lie below.
  const below = rim && !mark.emphasis && mean(sizes ?? [normal]) < SMALL;
  const path = (batch, index) => {
    g.beginPath();
    for (const i of batch) {
      if (!Number.isNaN(xs[i])) place(g, symbolOf(only(symbols, i, index)), x(xs[i]), y(ys[i]), only(sizes, i, normal) * theme.scale);
    }
  };
  const colorOf = inks(mark, moment, theme);
  byClass(xs.length, colors, (index, members) => {
    const color = colorOf(index);
    for (const hollow of hollows ? [false, true] : [false]) {
      const some = hollows ? members.filter((i) => Boolean(only(hollows, i, 0)) === hollow) : members;
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

function line(g, mark, moment, axes, theme) {
  g.strokeStyle = theme.role(mark.color);
  g.lineWidth = mark.width * theme.scale;
  g.setLineDash(mark.dash ? [6, 4] : []);
  g.beginPath();
  polyline(g, mark, moment, axes);
  g.stroke();
  g.setLineDash([]);
}

function polyline(g, mark, moment, { x, y }) {
  const [xs, ys] = [mark.get('x', moment), mark.get('y', moment)];
  let open = false;
  for (let i = 0; i < xs.length; i += 1) {
    const gap = Number.isNaN(xs[i]) || Number.isNaN(ys[i]);
    if (!gap) g[open ? 'lineTo' : 'moveTo'](x(xs[i]), y(ys[i]));
    open = !gap;
  }
}

function segments(g, mark, moment, { x, y }, theme) {
  const [x0, y0, x1, y1, sizes] = ['x0', 'y0', 'x1', 'y1', 'size'].map((name) => mark.get(name, moment));
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
        if (mark.arrow && Math.hypot(bx - ax, by - ay) > 8) arrowHead(g, ax, ay, bx, by, 6 * theme.scale);
      }
      g.stroke();
    }
  });
}

function arrowHead(g, ax, ay, bx, by, size) {
  const angle = Math.atan2(by - ay, bx - ax);
  for (const side of [-0.45, 0.45]) {
    g.moveTo(bx, by);
    g.lineTo(bx - size * Math.cos(angle + side), by - size * Math.sin(angle + side));
  }
}

function ellipse(g, mark, i, moment, { x, y }) {
  const [xs, ys, rx, ry, angles] = ['x', 'y', 'rx', 'ry', 'angle'].map((name) => mark.get(name, moment));
  const [cos, sin] = [Math.cos(only(angles, i, 0)), Math.sin(only(angles, i, 0))];
  for (let k = 0; k < 72; k += 1) {
    const [u, v] = [rx[i] * Math.cos(k * Math.PI / 36), ry[i] * Math.sin(k * Math.PI / 36)];
    g[k ? 'lineTo' : 'moveTo'](x(xs[i] + u * cos - v * sin), y(ys[i] + u * sin + v * cos));
  }
  g.closePath();
}

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

function rects(g, mark, moment, { x, y }, theme) {
  const [x0, y0, x1, y1] = ['x0', 'y0', 'x1', 'y1'].map((name) => mark.get(name, moment));
  const opacities = mark.get('opacity', moment);
  const colors = mark.get('color', moment);
  const colorOf = inks(mark, moment, theme);
  for (let i = 0; i < x0.length; i += 1) {
    if (Number.isNaN(x0[i])) continue;
    g.fillStyle = colorOf(only(colors, i, NO_CLASS));
    g.globalAlpha = only(opacities, i, 1);
    g.beginPath();
    g.rect(x(x0[i]), y(y1[i]), x(x1[i]) - x(x0[i]), y(y0[i]) - y(y1[i]));
    g.fill();
  }
  g.globalAlpha = 1;
}

function texts(g, mark, moment, { x, y, inner, written }, theme) {
  const [xs, ys] = [mark.get('x', moment), mark.get('y', moment)];
  g.fillStyle = theme.ink;
  g.font = `${12 * theme.scale}px ${theme.font}`;
  g.textAlign = { start: 'left', middle: 'center', end: 'right' }[mark.anchor];
  g.textBaseline = 'middle';
  g.strokeStyle = theme.background;
  g.lineWidth = 3.5 * theme.scale;
  for (let i = 0; i < xs.length; i += 1) {
    if (Number.isNaN(xs[i])) continue;
    const box = boxOf(g, mark, mark.text[i], x(xs[i]), y(ys[i]) + mark.dy * theme.scale, inner);
    if (lies(box, written, 12 * theme.scale)) continue;
    if (mark.halo) g.strokeText(mark.text[i], box.x, box.y);
    g.fillText(mark.text[i], box.x, box.y);
  }
}

/** Where a text is written: what it names may stand so near to the panel's edge that the text would be cut off there. */
function boxOf(g, mark, text, x, y, inner) {
  const { width } = g.measureText(text);
  const left = x - { start: 0, middle: 0.5, end: 1 }[mark.anchor] * width;
  const end = inner.x + inner.width;
  const seen = x >= inner.x && x <= end;
  const kept = seen ? Math.max(inner.x, Math.min(left, end - width)) : left;
  return { x: x + kept - left, y, left: kept, width };
}

/** Whether a text would lie over one that is written, or run into it: neither could be read. Zooming in separates them. */
export function lies(box, written, size) {
  const over = written.some((other) => Math.abs(other.y - box.y) < 0.8 * size
    && Math.max(other.left, box.left) - Math.min(other.left + other.width, box.left + box.width) < BLANK);
  if (!over) written.push(box);
  return over;
}

// The cells are computed in data units: distances are the algorithm's, whatever the shape of the panel.
function cells(g, mark, moment, { x, y, domain }, theme) {
  const [xs, ys, colors] = ['x', 'y', 'color'].map((name) => mark.get(name, moment));
  const present = Array.from(xs.keys()).filter((i) => !Number.isNaN(xs[i] + ys[i]));
  if (!present.length) return;
  const [[x0, x1], [y0, y1]] = [domain.x, domain.y];
  const diagram = Delaunay.from(present, (i) => xs[i], (i) => ys[i]).voronoi([x0, y0, x1, y1]);
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

function raster(g, mark, moment, { x, y }, theme) {
  const names = ['pixels', 'shade', 'palette'];
  const [pixels, shade, colors] = names.map((name) => mark.get(name, moment));
  if (!pixels.length) return;
  const at = names.map((name) => mark.channels[name]?.rowIn(moment.frame)).join();
  if (mark.painted?.at !== at || mark.painted.theme !== theme) {
    mark.painted = { at, theme };
    paintRaster(mark, pixels, shade, colors, theme);
  }
  const [x0, x1, y0, y1] = mark.extent;
  g.imageSmoothingEnabled = !colors && !mark.crisp;
  g.globalAlpha = mark.opacity;
  g.drawImage(mark.canvas, x(x0), y(y1), x(x1) - x(x0), y(y0) - y(y1));
  g.globalAlpha = 1;
  g.imageSmoothingEnabled = true;
}

/** Paint an image onto its mark's canvas: that of the image before it, if it had one (panel.js). */
function paintRaster(mark, pixels, shade, colors, theme) {
  const { width, height } = mark;
  mark.canvas ??= document.createElement('canvas');
  if (mark.canvas.width !== width || mark.canvas.height !== height) Object.assign(mark.canvas, { width, height });
  const context = mark.canvas.getContext('2d');
  const picture = context.createImageData(width, height);
  const [bytes, words, palette] = [picture.data, new Uint32Array(picture.data.buffer), []];
  const colorOf = (value) => (colors ? [...colors.subarray(3 * value, 3 * value + 3), 255] : channels(mark.ramp ? theme.accent : theme.colorOf(value)));
  const opacity = mark.ramp ? pixels : shade;
  pixels.forEach((value, i) => {
    palette[value] ??= new Uint32Array(Uint8Array.from(colorOf(value)).buffer)[0];
    words[i] = palette[value];
    if (opacity) bytes[4 * i + 3] = opacity[i];
  });
  context.putImageData(picture, 0, 0);
}

const AROUND = 3.5;  // pixels between a symbol and the ring around it

/** The outlines of some parts of a mark, as one path. */
const OUTLINES = {
  Points: (g, mark, parts, moment, { x, y }, theme) => {
    const [xs, ys, sizes, opacities] = ['x', 'y', 'size', 'opacity'].map((name) => mark.get(name, moment));
    for (const i of parts) {
      if (Number.isNaN(xs[i] + ys[i]) || only(opacities, i, 1) === 0) continue;
      const radius = (only(sizes, i, mark.emphasis ? EMPHASIS : POINT) + AROUND) * theme.scale;
      g.moveTo(x(xs[i]) + radius, y(ys[i]));
      g.arc(x(xs[i]), y(ys[i]), radius, 0, 2 * Math.PI);
    }
  },
  Rects: (g, mark, parts, moment, { x, y }) => {
    const [x0, y0, x1, y1] = ['x0', 'y0', 'x1', 'y1'].map((name) => mark.get(name, moment));
    for (const i of parts) {
      if (!Number.isNaN(x0[i])) g.rect(x(x0[i]), y(y1[i]), x(x1[i]) - x(x0[i]), y(y0[i]) - y(y1[i]));
    }
  },
  Ellipses: (g, mark, parts, moment, axes) => parts.forEach((i) => ellipse(g, mark, i, moment, axes)),
  Segments: (g, mark, parts, moment, { x, y }) => {
    const [x0, y0, x1, y1] = ['x0', 'y0', 'x1', 'y1'].map((name) => mark.get(name, moment));
    for (const i of parts) {
      if (Number.isNaN(x0[i] + y0[i] + x1[i] + y1[i])) continue;
      g.moveTo(x(x0[i]), y(y0[i]));
      g.lineTo(x(x1[i]), y(y1[i]));
    }
  },
  Line: (g, mark, parts, moment, axes) => polyline(g, mark, moment, axes),
  Raster: (g, mark, parts, moment, { x, y }) => {
    const [x0, x1, y0, y1] = mark.extent;
    const [left, top, width, height] = [x(x0), y(y1), (x(x1) - x(x0)) / mark.width, (y(y0) - y(y1)) / mark.height];
    parts.forEach((i) => g.rect(left + (i % mark.width) * width, top + Math.floor(i / mark.width) * height, width, height));
  },
};

/** Outline some parts of a mark in the ink, on a rim of the background, so that it shows on every colour. */
export function outline(g, mark, parts, moment, axes, theme) {
  g.beginPath();
  OUTLINES[mark.kind](g, mark, parts, moment, axes, theme);
  for (const [color, width] of [[theme.background, 5], [theme.ink, 2.2]]) {
    g.strokeStyle = color;
    g.lineWidth = width * theme.scale;
    g.stroke();
  }
}

const KINDS = {
  Points: points, Line: line, Segments: segments, Ellipses: ellipses, Rects: rects, Texts: texts, Cells: cells,
  Raster: raster,
};

/** Draw a mark. `moment` is { frame, from, t }; `axes` is { x, y, domain } of its panel. */
export const drawMark = (g, mark, moment, axes, theme) => KINDS[mark.kind](g, mark, moment, axes, theme);
