"""The panel of a measure: silhouettes, sums of squares, matrices, similarities or probes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats
from dmlib.clustering.cluster_validity.algorithm import HOPKINS, ValidityStep
from dmlib.clustering.cluster_validity.external import PAIRS
from dmlib.clustering.cluster_validity.internal import SEPARATIONS
from dmlib.clustering.cluster_validity.links import LINKS, NORMALIZED_CUT
from dmlib.evenly import evenly
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Raster, Rects, Texts
from dmlib.pictures.places import NOWHERE, line_through, points_at
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.pictures.words import num
from dmlib.problem import Problem

MAX_CELLS = 150  # whose numbers are written
MAX_PIXELS = 200  # along a side of a matrix of similarities
BAR = 0.85  # opacity
NAME = "measure"

Chart = tuple[Panel, Callable[[ValidityStep], Sequence[Mark]]]
"""A panel, and a function that draws the parts of a measure up to a step."""


def measure_chart(problem: Problem, end: ValidityStep) -> Chart:
    """Return the panel of the measure of a run that ends so, and its marks at each step."""
    charts = {
        "silhouette": _silhouettes,
        "sse": _sums,
        "calinski_harabasz": _sums,
        "dunn": _diameters,
        **dict.fromkeys(SEPARATIONS, _separations),
        **dict.fromkeys((*LINKS, NORMALIZED_CUT), _links),
        "davies_bouldin": _ratios,
        "correlation": _similarities,
        HOPKINS: _distances,
    }
    return charts.get(end.measure, _contingency)(problem, end)


def _colors(end: ValidityStep, clusters: ArrayLike) -> NDArray[np.uint8]:
    """Return the colours of clusters, which are numbered as the parts are."""
    labels = np.asarray(end.names)[np.asarray(clusters, np.intp)]
    return np.where(labels < 0, NO_CLASS, labels % NO_CLASS).astype(np.uint8)


def _ticks(end: ValidityStep) -> list[str]:
    """Return the names of the clusters on an axis."""
    return ["noise" if label < 0 else str(label + 1) for label in end.names]


def _clusters(end: ValidityStep) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows that are in clusters, and the number of the cluster of each."""
    rows = np.flatnonzero(end.labels >= 0)
    return rows, np.unique(end.labels[rows], return_inverse=True)[1]


def _silhouettes(problem: Problem, end: ValidityStep) -> Chart:
    """Return the silhouettes of the rows as bars, cluster by cluster, the largest first."""
    s = np.asarray(end.parts.matrix)
    rows, codes = _clusters(end)
    order = np.lexsort((-s, codes))
    n, sorted_codes = len(s), codes[order]
    low = min(-0.05, float(s.min()) * 1.1) - 0.015  # names stand free of the axis
    numbers = problem.rows[rows[order]] + 1
    names = _silhouette_names(end, sorted_codes, low + 0.015)

    def marks(step: ValidityStep) -> list[Mark]:
        n_bars = int((sorted_codes < step.n_terms).sum())
        top = -np.arange(n_bars, dtype=float)
        bars = Rects(
            panel=NAME,
            x0=np.zeros(n_bars),
            x1=s[order][:n_bars],
            y0=top,
            y1=top - 1,
            color=_colors(end, sorted_codes[:n_bars]),
            opacity=[BAR],
            numbers=numbers[:n_bars],
        )
        is_combined = step.phase in ("combine", "done")
        mean = [[s.mean(), 0.0], [s.mean(), -n]] if is_combined else NOWHERE
        return [bars, line_through(mean, panel=NAME, dash=True), names]

    x, y = Axis("silhouette s", low, 1.0), Axis("rows by cluster", -n, 0.0, ticks=[""])
    return Panel(NAME, x, y, "Silhouettes"), marks


def _silhouette_names(end: ValidityStep, codes: NDArray[np.intp], x: float) -> Texts:
    """Return the names of clusters at the middle of their bars."""
    middles = [-np.flatnonzero(codes == j).mean() - 0.5 for j in range(codes.max() + 1)]
    return Texts(
        panel=NAME,
        x=np.full(len(middles), x),
        y=middles,
        text=_ticks(end),
        anchor="start",
        dy=4.0,
        of="",
    )


def _sums(problem: Problem, end: ValidityStep) -> Chart:
    """Return for each cluster its part of the SSE beside its part of the separation."""
    values = np.array([term.values for term in end.parts.terms])

    def bars(n: int, column: int, offset: float, opacity: float) -> Rects:
        clusters = np.arange(n)
        return Rects(
            panel=NAME,
            x0=clusters + offset,
            x1=clusters + offset + 0.36,
            y0=np.zeros(n),
            y1=values[:n, column],
            color=_colors(end, clusters),
            opacity=[opacity],
            of="",
        )

    def marks(step: ValidityStep) -> list[Mark]:
        return [bars(step.n_terms, 1, -0.38, BAR), bars(step.n_terms, 2, 0.02, 0.35)]

    x = Axis("cluster", -0.5, len(values) - 0.5, ticks=_ticks(end))
    y = Axis("sum of squares", 0.0, 1.05 * float(values[:, 1:].max()) or 1.0)
    return Panel(NAME, x, y, "Cohesion (full) and separation (pale)"), marks


# Matrices
# ---------------------------------------------------------------------------------------------


def _diameters(problem: Problem, end: ValidityStep) -> Chart:
    matrix = np.asarray(end.parts.matrix)
    x = _matrix_axis("cluster", _ticks(end))
    panel = _matrix_panel(end, x, "Diameters (diagonal) and separations")
    return panel, _cells(
        end, _share_of_largest(matrix), [num(value, 3) for value in matrix.ravel()]
    )


def _links(problem: Problem, end: ValidityStep) -> Chart:
    matrix = np.asarray(end.parts.matrix)
    x = _matrix_axis("cluster", _ticks(end))
    links = "Links" if end.measure == NORMALIZED_CUT else "Σ d² of links:"
    panel = _matrix_panel(end, x, f"{links} within (diagonal) and between")
    return panel, _cells(
        end, _share_of_largest(matrix), [num(value, 4) for value in matrix.ravel()]
    )


def _separations(problem: Problem, end: ValidityStep) -> Chart:
    matrix = np.asarray(end.parts.matrix)
    texts = ["" if i == j else num(matrix[i, j], 3) for i, j in np.ndindex(*matrix.shape)]
    title = f"{SEPARATIONS[end.measure]} of pairs of clusters"
    panel = _matrix_panel(end, _matrix_axis("cluster", _ticks(end)), title)
    return panel, _cells(end, _share_of_largest(matrix), texts)


def _ratios(problem: Problem, end: ValidityStep) -> Chart:
    matrix = np.asarray(end.parts.matrix)
    texts = ["" if i == j else num(matrix[i, j], 3) for i, j in np.ndindex(*matrix.shape)]
    x = _matrix_axis("cluster", _ticks(end))
    panel = _matrix_panel(end, x, "R of pairs of clusters; the largest counts")
    return panel, _cells(end, _share_of_largest(matrix), texts)


def _share_of_largest(matrix: Floats) -> Floats:
    finite = np.where(np.isfinite(matrix), matrix, 0.0)
    shares: Floats = finite / (finite.max() or 1.0)
    return shares


def _contingency(problem: Problem, end: ValidityStep) -> Chart:
    """Return the rows of each cluster and class."""
    counts = np.asarray(end.parts.matrix)
    codes = np.unique(np.asarray(problem.y))
    classes = [str(problem.classes[code]) if problem.classes else str(code) for code in codes]
    title = "Rows of each cluster and class"
    texts = [f"{n:.0f}" for n in counts.ravel()]
    if end.measure in PAIRS:
        title = "Rows (and pairs) of cluster and class"
        texts = [f"{n:.0f} ({abs(n * (n - 1)) / 2:.0f})" for n in counts.ravel()]
    panel = _matrix_panel(end, _matrix_axis("known class", classes), title)
    return panel, _cells(end, counts / np.maximum(counts.sum(axis=1, keepdims=True), 1), texts)


def _matrix_axis(label: str, ticks: Sequence[str]) -> Axis:
    n = len(ticks)
    return Axis(label, -0.5 - 0.12 * n, n - 0.5, ticks=ticks)


def _matrix_panel(end: ValidityStep, x: Axis, title: str) -> Panel:
    return Panel(NAME, x, Axis("cluster", -len(end.names) + 0.5, 0.5, ticks=[""]), title)


def _cells(
    end: ValidityStep, shares: Floats, texts: Sequence[str]
) -> Callable[[ValidityStep], list[Mark]]:
    """Return a function that draws a matrix whose rows appear with the parts of their clusters."""
    k, width = shares.shape
    i, j = (each.ravel() for each in np.indices(shares.shape))
    opacity = np.clip(0.75 * shares.ravel(), 0.04, 1.0)
    names = Texts(
        panel=NAME,
        x=np.full(k, -0.5 - 0.02 * width),
        y=-np.arange(k),
        text=_ticks(end),
        anchor="end",
        dy=4.0,
        of="",
    )

    def marks(step: ValidityStep) -> list[Mark]:
        rows, columns = i[: step.n_terms * width], j[: step.n_terms * width]
        cells = Rects(
            panel=NAME,
            x0=columns - 0.48,
            x1=columns + 0.48,
            y0=-rows - 0.48,
            y1=-rows + 0.48,
            color=_colors(end, rows),
            opacity=opacity[: len(rows)],
            of="",
        )
        if shares.size > MAX_CELLS:
            return [cells, names]
        return [cells, Texts(panel=NAME, x=columns, y=-rows, text=texts, dy=4.0, of=""), names]

    return marks


def _similarities(problem: Problem, end: ValidityStep) -> Chart:
    """Return the similarities of all rows, sorted by cluster; finished blocks are framed."""
    matrix = np.asarray(end.parts.matrix)
    codes = _clusters(end)[1]
    order = np.argsort(codes, kind="stable")
    order = order[evenly(len(order), MAX_PIXELS)]
    n = len(order)
    pixels = np.round(255 * np.clip(matrix[np.ix_(order, order)], 0, 1)).astype(np.uint8).ravel()
    extent = (0, n, 0, n)
    image = Raster(
        panel=NAME, pixels=pixels, width=n, height=n, extent=extent, ramp=True, opacity=0.9
    )
    blocks = np.unique(codes[order])

    def marks(step: ValidityStep) -> list[Mark]:
        frames = [_frame(end, codes[order], j, step.n_terms) for j in blocks]
        return [image, *frames]

    extent_title = f" ({n} of {len(codes)} rows)" if n < len(codes) else ""
    x, y = (Axis("rows, sorted by cluster", 0.0, n) for _ in range(2))
    return Panel(NAME, x, y, f"Similarity matrix{extent_title}"), marks


def _frame(end: ValidityStep, codes: NDArray[np.intp], j: int, n_terms: int) -> Line:
    """Return the frame of the block of a cluster; nowhere before its part."""
    a, b = np.searchsorted(codes, [j, j + 1])
    n = len(codes)
    corners = [[a, n - a], [b, n - a], [b, n - b], [a, n - b], [a, n - a]]
    color = int(_colors(end, j))
    return line_through(corners if j < n_terms else NOWHERE, panel=NAME, color=color, width=3.0)


# Probes
# ---------------------------------------------------------------------------------------------


def _distances(problem: Problem, end: ValidityStep) -> Chart:
    """Return the distances of each probe: from a random place upwards, from a row downwards."""
    u, w = np.array([term.values for term in end.parts.terms]).T

    def bars(heights: Floats, color: int) -> Rects:
        probes = np.arange(len(heights))
        return Rects(
            panel=NAME,
            x0=probes + 0.55,
            x1=probes + 1.45,
            y0=np.zeros(len(heights)),
            y1=heights,
            color=np.full(len(heights), color, np.uint8),
            opacity=[BAR],
            of="",
        )

    def marks(step: ValidityStep) -> list[Mark]:
        return [bars(u[: step.n_terms], 0), bars(-w[: step.n_terms], 1)]

    x = Axis("probe", 0.5, len(u) + 0.5, integer=True)
    y = Axis("−w and u", *bounds(np.concatenate([u, -w, [0.0]])))
    return Panel(NAME, x, y, "Distances u (up) and w (down) to the nearest row"), marks


def random_places(problem: Problem, step: ValidityStep) -> list[Points]:
    """Return the random places of Hopkins' statistic up to a step; no mark for other measures."""
    if step.places is None:
        return []
    places = problem.plane.project(step.places)[: step.n_terms]
    return [points_at(places, color=[0], symbol=[3], hollow=[1], size=[5.0], of="")]
