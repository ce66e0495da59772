/**
 * The outlines of parts of marks: what is lit has a rim in the ink.
 * @module
 */
import { ellipse, EMPHASIS, endsOf, only, POINT, polyline } from './draw.js';
/** @import { Ellipses, Line, Mark, Outline, Points, Raster, Rects, Segments } from './types' */

const AROUND = 3.5;  // pixels between a symbol and the ring around it

/**
 * The outlines of some parts of a mark, as one path.
 * @type {{ Points: Outline<Points>, Rects: Outline<Rects>, Ellipses: Outline<Ellipses>,
 *   Segments: Outline<Segments>, Line: Outline<Line>, Raster: Outline<Raster> }}
 */
const OUTLINES = {
  Points: (g, mark, parts, moment, { x, y }, theme) => {
    const [xs, ys] = [mark.get('x', moment), mark.get('y', moment)];
    const [sizes, opacities] = [mark.get('size', moment), mark.get('opacity', moment)];
    for (const i of parts) {
      if (Number.isNaN(xs[i] + ys[i]) || only(opacities, i, 1) === 0) continue;
      const radius = (only(sizes, i, mark.emphasis ? EMPHASIS : POINT) + AROUND) * theme.scale;
      g.moveTo(x(xs[i]) + radius, y(ys[i]));
      g.arc(x(xs[i]), y(ys[i]), radius, 0, 2 * Math.PI);
    }
  },
  Rects: (g, mark, parts, moment, { x, y }) => {
    const [x0, y0, x1, y1] = endsOf(mark, moment);
    for (const i of parts) {
      if (Number.isNaN(x0[i])) continue;
      g.rect(x(x0[i]), y(y1[i]), x(x1[i]) - x(x0[i]), y(y0[i]) - y(y1[i]));
    }
  },
  Ellipses: (g, mark, parts, moment, axes) => {
    parts.forEach((i) => ellipse(g, mark, i, moment, axes));
  },
  Segments: (g, mark, parts, moment, { x, y }) => {
    const [x0, y0, x1, y1] = endsOf(mark, moment);
    for (const i of parts) {
      if (Number.isNaN(x0[i] + y0[i] + x1[i] + y1[i])) continue;
      g.moveTo(x(x0[i]), y(y0[i]));
      g.lineTo(x(x1[i]), y(y1[i]));
    }
  },
  Line: (g, mark, _, moment, axes) => polyline(g, mark, moment, axes),
  Raster: (g, mark, parts, _, { x, y }) => {
    const [x0, x1, y0, y1] = mark.extent;
    const [left, width] = [x(x0), (x(x1) - x(x0)) / mark.width];
    const [top, height] = [y(y1), (y(y0) - y(y1)) / mark.height];
    for (const i of parts) {
      const [column, row] = [i % mark.width, Math.floor(i / mark.width)];
      g.rect(left + column * width, top + row * height, width, height);
    }
  },
};

/**
 * Outline some parts of a mark in the ink, on a rim of the background: it shows on every colour.
 * @type {Outline<Mark>}
 */
export function outline(g, mark, parts, moment, axes, theme) {
  g.beginPath();
  /** @type {Record<string, Outline<any>>} */
  const outlines = OUTLINES;
  outlines[mark.kind](g, mark, parts, moment, axes, theme);
  for (const [color, width] of /** @type {const} */ ([[theme.background, 5], [theme.ink, 2.2]])) {
    g.strokeStyle = color;
    g.lineWidth = width * theme.scale;
    g.stroke();
  }
}
