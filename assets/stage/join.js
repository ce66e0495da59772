/**
 * The edges of a drawn graph: pairs of the numbers of its points.
 * @module
 */
/** @import { Edge } from './types' */

/**
 * The edges with one from a point to another, if there was none between them; without it, if there
 * was one.
 * @type {(edges: Edge[], i: number, j: number) => Edge[]}
 */
export function toggled(edges, i, j) {
  const others = edges.filter(([u, v]) => !((u === i && v === j) || (u === j && v === i)));
  return others.length < edges.length ? others : [...edges, [i, j]];
}

/**
 * The edges that are left when some points go, by the new numbers of the points that stay.
 * @type {(edges: Edge[], gone: Set<number>) => Edge[]}
 */
export function left(edges, gone) {
  const number = (/** @type {number} */ i) => i - [...gone].filter((other) => other < i).length;
  return edges.filter(([u, v]) => !gone.has(u) && !gone.has(v))
    .map(([u, v, ...weight]) => [number(u), number(v), ...weight]);
}
