/**
 * The edges of a drawn graph: pairs of the numbers of its points.
 * @module
 */

/** The edges with one from a point to another, if there was none between them; without it, if there was one. */
export function toggled(edges, i, j) {
  const others = edges.filter(([u, v]) => !((u === i && v === j) || (u === j && v === i)));
  return others.length < edges.length ? others : [...edges, [i, j]];
}

/** The edges that are left when some points go, by the new numbers of the points that stay. */
export function left(edges, gone) {
  const number = (i) => i - [...gone].filter((other) => other < i).length;
  return edges.filter(([u, v]) => !gone.has(u) && !gone.has(v)).map(([u, v, ...weight]) => [number(u), number(v), ...weight]);
}

/** Draw all edges, as long as the picture does not show them yet. */
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
