/**
 * A drawing: where its points are under the pointer, and how it looks until the picture shows it.
 * @module
 */
import { symbolOf } from './theme.js';
/** @import { Axes, Context, DrawnPoint, Edge, Edit, Points, Theme } from './types' */

/**
 * The place of the pointer in the box that is drawn in.
 * @type {(edit: Edit, axes: Axes, px: number, py: number) => [x: number, y: number]}
 */
export function placeIn({ box: [x0, x1, y0, y1], step }, { x, y }, px, py) {
  /** @type {(value: number, low: number, high: number) => number} */
  const snap = (value, low, high) => {
    const inside = Math.min(high, Math.max(low, value));
    return step ? Math.round(inside / step) * step : inside;
  };
  return [snap(x.invert(px), x0, x1), snap(y.invert(py), y0, y1)];
}

/**
 * The number of the nearest point within reach of the pointer; -1 for none.
 * @type {(points: DrawnPoint[], axes: Axes, px: number, py: number, reach: number) => number}
 */
export function pointAt(points, { x, y }, px, py, reach) {
  let [best, distance] = [-1, reach];
  points.forEach((point, i) => {
    const d = Math.hypot(x(point.x) - px, y(point.y) - py);
    if (d < distance) [best, distance] = [i, d];
  });
  return best;
}

/**
 * The positions of a mark's rows as they are drawn; rows that are gone are nowhere.
 * @type {(mark: Points, points: DrawnPoint[]) => Points['override']}
 */
export function positionsOf(mark, points) {
  const n = mark.channels.x.values.length;
  const [xs, ys] = [new Float32Array(n).fill(NaN), new Float32Array(n).fill(NaN)];
  for (const { x, y, row } of points) {
    if (row >= 0 && row < n) [xs[row], ys[row]] = [x, y];
  }
  return { x: xs, y: ys };
}

/**
 * Draw edges between points.
 * @type {(g: Context, axes: Axes, points: DrawnPoint[], edges: Edge[], theme: Theme) => void}
 */
export function drawEdges(g, axes, points, edges, theme) {
  g.strokeStyle = theme.accent;
  g.lineWidth = 1.5 * theme.scale;
  g.beginPath();
  for (const [u, v] of edges) {
    g.moveTo(axes.x(points[u].x), axes.y(points[u].y));
    g.lineTo(axes.x(points[v].x), axes.y(points[v].y));
  }
  g.stroke();
}

/**
 * Draw points: those that are rows of the data, whose symbols the picture has, as outlines.
 * @type {(g: Context, axes: Axes, points: DrawnPoint[], centres: boolean, theme: Theme) => void}
 */
export function drawPoints(g, axes, points, centres, theme) {
  for (const { x, y, c, row } of points) {
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
}

/**
 * Draw the loop of a lasso.
 * @type {(g: Context, trail: [number, number][], theme: Theme) => void}
 */
export function drawLoop(g, trail, theme) {
  g.strokeStyle = theme.accent;
  g.setLineDash([5, 4]);
  g.beginPath();
  trail.forEach(([x, y], i) => g[i ? 'lineTo' : 'moveTo'](x, y));
  g.stroke();
  g.setLineDash([]);
}
