/**
 * The edges of a drawn graph: pairs of the numbers of its points.
 * @module
 */
/** @import { Axes, DrawnPoint, Edge, Edit } from './types' */

/**
 * The edges with one from a point to another, if there was none; without it, if there was one. Where
 * edges have no directions one is there either way; where they may close no cycle, it is turned.
 * @type {(edges: Edge[], i: number, j: number, rules?: Partial<Edit>) => Edge[]}
 */
export function toggled(edges, i, j, { directed, acyclic } = {}) {
  const back = without(edges, j, i);
  const others = without(directed ? edges : back, i, j);
  return others.length < edges.length ? others : [...(acyclic ? back : edges), [i, j]];
}

/** @type {(edges: Edge[], i: number, j: number) => Edge[]} */
const without = (edges, i, j) => edges.filter(([u, v]) => u !== i || v !== j);

/**
 * The points of a directed cycle in which an edge is, from its first point to that again; none
 * where there is no such cycle.
 * @type {(edges: Edge[], edge: [from: number, to: number]) => number[]}
 */
export function cycleOf(edges, [i, j]) {
  if (!edges.some(([u, v]) => u === i && v === j)) return [];
  const ways = [[i, j]];
  const seen = new Set([j]);
  for (const way of ways) {
    const last = way[way.length - 1];
    if (last === i) return way;
    for (const [u, v] of edges) {
      if (u === last && !seen.has(v)) {
        seen.add(v);
        ways.push([...way, v]);
      }
    }
  }
  return [];
}

/**
 * The number of the nearest edge within reach of the pointer; -1 for none.
 * @type {(edges: Edge[], points: DrawnPoint[], axes: Axes, px: number, py: number, reach: number) => number}
 */
export function edgeAt(edges, points, { x, y }, px, py, reach) {
  const distances = edges.map(([u, v]) => {
    const [ax, ay] = [x(points[u].x), y(points[u].y)];
    const [dx, dy] = [x(points[v].x) - ax, y(points[v].y) - ay];
    const share = ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1);
    const t = Math.min(1, Math.max(0, share));
    return Math.hypot(ax + t * dx - px, ay + t * dy - py);
  });
  const nearest = Math.min(...distances);
  return nearest < reach ? distances.indexOf(nearest) : -1;
}

/**
 * The edges that are left when some points go, by the new numbers of the points that stay.
 * @type {(edges: Edge[], gone: Set<number>) => Edge[]}
 */
export function left(edges, gone) {
  const number = (/** @type {number} */ i) => i - [...gone].filter((other) => other < i).length;
  return apart(edges, gone).map(([u, v, ...weight]) => [number(u), number(v), ...weight]);
}

/** The edges without those of some points. @type {(edges: Edge[], points: Set<number>) => Edge[]} */
export const apart = (edges, points) => edges.filter(([u, v]) => !points.has(u) && !points.has(v));
