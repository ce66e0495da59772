/**
 * A drawing: where its points are under the pointer, and how it looks until the picture shows it.
 * @module
 */
import { polygonContains } from '../vendor/d3.js';
import { arrowHead } from './draw.js';
import { lies } from './names.js';
import { symbolOf } from './theme.js';
/** @import { Axes, Context, DrawnPoint, Edge, Edit, Places, Points, Theme } from './types' */

const SPRAY_RADIUS = 0.05;  // share of the box's width
const NODE = 7;  // pixels
const RING = 15;
const BEFORE = 14;  // pixels between the head of an arrow and the middle of its node
const LETTERS = 16;

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
 * Draw edges between points; of a graph with directions, arrows.
 * @type {(g: Context, axes: Axes, points: { x: number, y: number }[], edges: Edge[],
 *   directed: boolean | undefined, theme: Theme) => void}
 */
export function drawEdges(g, axes, points, edges, directed, theme) {
  g.strokeStyle = theme.accent;
  g.lineWidth = (directed ? 2.5 : 1.5) * theme.scale;
  g.beginPath();
  for (const [u, v] of edges) {
    const [ax, ay] = [axes.x(points[u].x), axes.y(points[u].y)];
    const [bx, by] = [axes.x(points[v].x), axes.y(points[v].y)];
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const gap = directed ? Math.min(BEFORE * theme.scale, length / 2) / length : 0;
    const [x, y] = [bx - gap * (bx - ax), by - gap * (by - ay)];
    g.moveTo(ax, ay);
    g.lineTo(x, y);
    if (directed) arrowHead(g, ax, ay, x, y, 7 * theme.scale);
  }
  g.stroke();
}

/**
 * Draw some of the nodes with their names: those of the network filled, the others as rings.
 * @type {(g: Context, places: Places, points: DrawnPoint[], names: string[], isLoose: boolean[],
 *   theme: Theme) => void}
 */
export function drawNodes(g, places, points, names, isLoose, theme) {
  const size = 11 * theme.scale;
  g.font = `${size}px ${theme.font}`;
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  points.forEach(({ x, y, c }, i) => {
    if (!isLoose[i]) return;
    const [px, py] = [places.x(x), places.y(y)];
    g.strokeStyle = theme.muted;
    g.fillStyle = c ? theme.muted : theme.background;
    g.lineWidth = 1.5 * theme.scale;
    g.beginPath();
    g.arc(px, py, NODE * theme.scale, 0, 2 * Math.PI);
    g.fill();
    g.setLineDash(c ? [] : [3, 3]);
    g.stroke();
    g.setLineDash([]);
    const name = names[i].length > LETTERS ? `${names[i].slice(0, LETTERS - 1)}…` : names[i];
    const { width } = g.measureText(name);
    const box = { left: px - width / 2, width, y: py + (NODE + 14) * theme.scale };
    g.fillStyle = theme.muted;
    if (!lies(box, places.written, size)) g.fillText(name, px, box.y);
  });
}

/**
 * Draw the ring around a point.
 * @type {(g: Context, axes: Axes, point: { x: number, y: number }, theme: Theme) => void}
 */
export function drawRing(g, { x, y }, point, theme) {
  g.strokeStyle = theme.accent;
  g.lineWidth = 2.5 * theme.scale;
  g.beginPath();
  g.arc(x(point.x), y(point.y), RING * theme.scale, 0, 2 * Math.PI);
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

/**
 * A place near the pointer, by chance.
 * @type {(edit: Edit, axes: Axes, px: number, py: number) => [x: number, y: number]}
 */
export function sprayedPlace(edit, axes, px, py) {
  const [x, y] = placeIn(edit, axes, px, py);
  const [x0, x1] = edit.box;
  const angle = Math.random() * 2 * Math.PI;
  const radius = Math.sqrt(Math.random()) * SPRAY_RADIUS * (x1 - x0);
  return placeIn(edit, axes, axes.x(x + radius * Math.cos(angle)),
    axes.y(y + radius * Math.sin(angle)));
}

/**
 * The numbers of the points in a loop.
 * @type {(trail: [number, number][], points: DrawnPoint[], axes: Axes) => number[]}
 */
export function lassoed(trail, points, { x, y }) {
  if (trail.length < 3) return [];
  return points.flatMap((point, i) => (
    polygonContains(trail, [x(point.x), y(point.y)]) ? [i] : []));
}
