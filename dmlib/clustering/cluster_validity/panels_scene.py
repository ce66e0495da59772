"""The panel of a measure: silhouettes, sums of squares, matrices of clusters, similarities, or probes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.cluster_validity.algorithm import HOPKINS, ValidityStep
from dmlib.clustering.cluster_validity.external import PAIRS
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Raster, Rects, Texts
from dmlib.pictures.motion import during, when
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.pictures.words import num
from dmlib.problem import Problem

MOST_CELLS = 150  # whose numbers are written
MOST_PIXELS = 200  # along a side of a matrix of similarities
BAR = 0.85  # opacity
NAME = "measure"


@dataclass(frozen=True)
class Measured:
    """What the panels are drawn from."""

    problem: Problem
    steps: Sequence[ValidityStep]
    at: NDArray[np.intp]  # (n_frames,): the number of parts that each frame has

    @property
    def last(self) -> ValidityStep:
        """The last step."""
        return self.steps[-1]

    @property
    def done(self) -> list[bool]:
        """Whether the parts are put together in each frame."""
        return [step.phase in ("combine", "done") for step in self.steps]

    def since(self, values: Any, index: Any) -> Any:
        """Return values that are there from the frame on in which their part is computed."""
        return during(values, np.asarray(index) + 1, np.iinfo(np.intp).max, self.at)

    def color(self, index: Any) -> NDArray[np.uint8]:
        """Return the colours of the clusters of parts."""
        labels = np.asarray(self.last.names)[np.asarray(index, np.intp)]
        return np.where(labels < 0, NO_CLASS, labels % NO_CLASS).astype(np.uint8)

    @property
    def ticks(self) -> list[str]:
        """What the axes call the clusters."""
        return ["noise" if label < 0 else str(label + 1) for label in self.last.names]


def measure_panel(measured: Measured) -> tuple[list[Panel], list[Mark]]:
    """Return the panel of the measure of a run, with its marks."""
    draw = DRAWN.get(measured.last.measure, _contingency)
    panel, marks = draw(measured)
    return [panel], marks


def _silhouettes(measured: Measured) -> tuple[Panel, list[Mark]]:
    """Return the silhouettes of the rows as bars, cluster by cluster, the largest first."""
    s = np.asarray(measured.last.parts.matrix)
    rows = np.flatnonzero(measured.last.labels >= 0)
    codes = np.unique(measured.last.labels[rows], return_inverse=True)[1]
    order = np.lexsort((-s, codes))
    n = len(s)
    top = -np.arange(n, dtype=float)
    x1 = measured.since(s[order], codes[order])
    rects = Rects(
        panel=NAME, x0=np.zeros(n), x1=x1, y0=top, y1=top - 1, color=measured.color(codes[order]), opacity=[BAR],
        numbers=measured.problem.rows[rows[order]] + 1,
    )  # fmt: skip
    mean = float(s.mean())
    line = Line(panel=NAME, x=when(measured.done, [mean, mean]), y=when(measured.done, [0.0, -float(n)]), dash=True)
    middles = np.array([-np.flatnonzero(codes[order] == j).mean() - 0.5 for j in range(codes.max() + 1)])
    low = min(-0.05, float(s.min()) * 1.1) - 0.015  # names stand free of the axis
    names = Texts(
        panel=NAME, x=np.full(len(middles), low + 0.015), y=middles, text=measured.ticks, anchor="start", dy=4.0, of=""
    )
    panel = Panel(NAME, Axis("silhouette s", low, 1.0), Axis("rows by cluster", -n, 0.0, ticks=[""]), "Silhouettes")
    return panel, [rects, line, names]


def _sums(measured: Measured) -> tuple[Panel, list[Mark]]:
    """Return for each cluster its part of the SSE beside its part of the separation."""
    values = np.array([term.values for term in measured.last.parts.terms])
    index = np.arange(len(values))
    marks: list[Mark] = []
    for column, left, opacity in ((1, -0.38, BAR), (2, 0.02, 0.35)):
        marks.append(
            Rects(
                panel=NAME, x0=index + left, x1=index + left + 0.36, y0=np.zeros(len(values)),
                y1=measured.since(values[:, column], index), color=measured.color(index), opacity=[opacity], of="",
            )
        )  # fmt: skip
    y = Axis("sum of squares", 0.0, 1.05 * float(values[:, 1:].max()) or 1.0)
    title = "Cohesion (full) and separation (pale)"
    return Panel(NAME, Axis("cluster", -0.5, len(values) - 0.5, ticks=measured.ticks), y, title), marks


def _cells(
    measured: Measured,
    matrix: Floats,
    shade: Floats,
    texts: Sequence[str],
    columns: Sequence[str],
    label: str,
    title: str,
) -> tuple[Panel, list[Mark]]:
    """Return a matrix whose rows appear with the parts of their clusters."""
    k, width = matrix.shape
    i, j = (each.ravel() for each in np.indices(matrix.shape))
    rects = Rects(
        panel=NAME, x0=j - 0.48, x1=measured.since(j + 0.48, i), y0=-i - 0.48, y1=-i + 0.48, color=measured.color(i),
        opacity=np.clip(shade.ravel(), 0.04, 1.0), of="",
    )  # fmt: skip
    x = Axis(label, -0.5 - 0.12 * width, width - 0.5, ticks=columns)
    marks: list[Mark] = [rects]
    if matrix.size <= MOST_CELLS:
        marks.append(Texts(panel=NAME, x=measured.since(j.astype(float), i), y=-i, text=texts, dy=4.0, of=""))
    names = Texts(
        panel=NAME, x=np.full(k, -0.5 - 0.02 * width), y=-np.arange(k), text=measured.ticks, anchor="end", dy=4.0, of=""
    )
    return Panel(NAME, x, Axis("cluster", -k + 0.5, 0.5, ticks=[""]), title), [*marks, names]


def _between(measured: Measured) -> tuple[Panel, list[Mark]]:
    matrix = np.asarray(measured.last.parts.matrix)
    finite = np.where(np.isfinite(matrix), matrix, 0.0)
    shade = 0.75 * finite / (finite.max() or 1.0)
    texts = [num(value, 3) for value in matrix.ravel()]
    title = "R of pairs of clusters; the largest counts"
    if measured.last.measure == "dunn":
        title = "Diameters (diagonal) and separations"
    else:
        texts = ["" if i == j else texts[i * len(matrix) + j] for i, j in np.ndindex(*matrix.shape)]
    return _cells(measured, matrix, shade, texts, measured.ticks, "cluster", title)


def _contingency(measured: Measured) -> tuple[Panel, list[Mark]]:
    counts = np.asarray(measured.last.parts.matrix)
    problem = measured.problem
    known = np.unique(np.asarray(problem.y))
    classes = [str(problem.classes[code]) if problem.classes else str(code) for code in known]
    shade = 0.75 * counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    title = "Rows of each cluster and class"
    texts = [f"{n:.0f}" for n in counts.ravel()]
    if measured.last.measure in PAIRS:
        title = "Rows (and pairs) of cluster and class"
        texts = [f"{n:.0f} ({abs(n * (n - 1)) / 2:.0f})" for n in counts.ravel()]
    return _cells(measured, counts, shade, texts, classes, "known class", title)


def _similarities(measured: Measured) -> tuple[Panel, list[Mark]]:
    """Return the similarities of all rows, sorted by cluster; the block of a cluster is framed with its part."""
    matrix = np.asarray(measured.last.parts.matrix)
    rows = np.flatnonzero(measured.last.labels >= 0)
    codes = np.unique(measured.last.labels[rows], return_inverse=True)[1]
    order = np.argsort(codes, kind="stable")
    if len(order) > MOST_PIXELS:
        order = order[np.linspace(0, len(order) - 1, MOST_PIXELS).astype(int)]
    n = len(order)
    sorted_codes = codes[order]
    pixels = np.round(255 * np.clip(matrix[np.ix_(order, order)], 0, 1)).astype(np.uint8).ravel()
    marks: list[Mark] = [
        Raster(panel=NAME, pixels=pixels, width=n, height=n, extent=(0, n, 0, n), ramp=True, opacity=0.9)
    ]
    for j in range(codes.max() + 1):
        mine = np.flatnonzero(sorted_codes == j)
        if not mine.size:
            continue
        a, b = mine[0], mine[-1] + 1
        x = measured.since(np.array([a, b, b, a, a], float), np.full(5, j))
        marks.append(
            Line(panel=NAME, x=x, y=n - np.array([a, a, b, b, a], float), color=int(measured.color(j)), width=3.0)
        )
    some = f" ({n} of {len(codes)} rows)" if n < len(codes) else ""
    axes = (Axis("rows, sorted by cluster", 0.0, n), Axis("rows, sorted by cluster", 0.0, n))
    return Panel(NAME, *axes, f"Similarity matrix{some}"), marks


def _probes(measured: Measured) -> tuple[Panel, list[Mark]]:
    """Return the distances of each probe: from a random place upwards, from a row downwards."""
    values = np.array([term.values for term in measured.last.parts.terms])
    index = np.arange(len(values))
    marks: list[Mark] = [
        Rects(
            panel=NAME, x0=index + 0.55, x1=index + 1.45, y0=np.zeros(len(values)),
            y1=measured.since(sign * values[:, column], index), color=np.full(len(values), column, np.uint8),
            opacity=[BAR], of="",
        )
        for column, sign in ((0, 1), (1, -1))
    ]  # fmt: skip
    reach = bounds(np.concatenate([values[:, 0], -values[:, 1], [0.0]]))
    x = Axis("probe", 0.5, len(values) + 0.5, integer=True)
    title = "Distances u (up) and w (down) to the nearest row"
    return Panel(NAME, x, Axis("−w and u", *reach), title), marks


def probe_marks(measured: Measured, places: Floats, panel: str) -> list[Mark]:
    """Return the random places of Hopkins' statistic, as they come."""
    drawn = measured.problem.plane.project(places)
    index = np.arange(len(drawn))
    x, y = drawn.T
    points = Points(panel=panel, x=measured.since(x, index), y=y, color=[0], symbol=[3], hollow=[1], size=[5.0], of="")
    return [points]


DRAWN = {
    "silhouette": _silhouettes,
    "sse": _sums,
    "calinski_harabasz": _sums,
    "dunn": _between,
    "davies_bouldin": _between,
    "correlation": _similarities,
    HOPKINS: _probes,
}
"""What draws a measure; the others are of the contingency table."""
