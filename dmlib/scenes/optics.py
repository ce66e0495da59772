"""OPTICS as a picture: the walk through the plane, and the reachability plot that grows with it, with a cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.clustering.core_graph import NOISE
from dmlib.clustering.neighbors import Floats, Indices, Neighbors
from dmlib.clustering.optics import OPTICS, OPTICSStep
from dmlib.clustering.reachability import cut_height, cut_reachability
from dmlib.problem import Problem
from dmlib.scene import (
    NO_CLASS,
    Axis,
    Formula,
    Frame,
    Handle,
    Key,
    LedgerTable,
    Mark,
    Panel,
    PerFrame,
    Points,
    Rects,
    Scene,
    Segments,
)
from dmlib.scenes.centers import Blocks, count, num
from dmlib.scenes.data import data_panel, data_points, data_scene
from dmlib.scenes.density import (
    CROSS,
    DOT,
    MOST_CLUSTERS,
    cluster_colors,
    cluster_sizes,
    frames_shown,
    in_blocks,
    reach_mark,
    rows_in_blocks,
    thinned_note,
    view_note,
)
from dmlib.trace import Trace

BYTES_OF_A_ROW = 60
MOST = 3  # lines of a table
MOST_REACHED = 6  # segments to rows that are reached more easily
LEGEND = (Key("in a cluster", 0), Key("noise", NO_CLASS, CROSS), Key("not processed", NO_CLASS))


def optics_scene(
    problem: Problem,
    trace: Trace,
    *,
    max_eps: float = np.inf,
    metric: str = "minkowski",
    cut: float | str = "auto",
    clusters: str = "cut",
    selected: int | None = None,
) -> Scene:
    """Draw a run of OPTICS.

    Parameters
    ----------
    problem : Problem
        The data.
    trace : Trace
        Steps of :class:`dmlib.clustering.OPTICS`.
    max_eps, metric
        Its parameters.
    cut : float or "auto"
        The height of the cut; "auto": see :func:`dmlib.clustering.reachability.cut_height`.
    clusters : {"cut", "xi"}
        Whose clusters are coloured: those below the cut, or those that the run found by steep flanks.
    selected : int, optional
        The sample whose reachability is written out.

    Returns
    -------
    Scene
        One frame for each row that takes its place, and one for the end; of very many, some.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import OPTICS
    >>> from dmlib.problem import prepare
    >>> from dmlib.trace import run
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.0, 0.0, 0.0]}), ["a", "b"])
    >>> scene = optics_scene(problem, run(OPTICS(2), problem.X))
    >>> [frame.phase for frame in scene.frames], scene.handles[0].label
    (['start', 'process', 'process', 'process', 'done'], 'cut = 4.5')
    """
    steps: Sequence[OPTICSStep] = trace.steps
    if not steps:
        return data_scene(problem, trace.reason)
    plot = _Plot(problem, steps, max_eps, cut, clusters)
    shown = frames_shown(_sizes(steps, len(problem.X)), BYTES_OF_A_ROW * len(problem.X))
    mine = [steps[i] for i in shown]
    panel, side = data_panel(problem), plot.panel()
    rows = [step.row for step in mine]
    radii = [step.core_distance for step in mine]
    colors = [NO_CLASS] * len(mine)
    marks = (
        *reach_mark(problem, panel, metric, rows, radii, colors),
        _reached(problem, mine),
        data_points(problem, size=[DOT]),
        *plot.processed(problem, shown),
        _walked(problem, mine),
        _taken(problem, plot, mine),
        *plot.bars(shown),
        *plot.flanks(mine),
        plot.newest(mine),
    )
    frames = _Ledger(problem, plot, Neighbors(problem.X, metric=metric), selected).frames(steps, shown)
    notes = (*problem.notes, *view_note(problem), *thinned_note(shown))
    return Scene((panel, side), marks, frames, notes, (plot.handle(),), LEGEND)


def _sizes(steps: Sequence[OPTICSStep], n_samples: int) -> Floats:
    """Return about how many bytes each step takes: its ledger, its segments, what is processed and the bars."""
    reached = [min(len(step.updated), MOST_REACHED) for step in steps]
    return np.asarray(500 + 16 * np.array(reached, float) + 6 * n_samples**0.5)


def optics_clusters(model: OPTICS, *, cut: float | str = "auto", clusters: str = "cut") -> Indices:
    """Return the clusters that are coloured, of a fitted model; see :func:`optics_scene`.

    Examples
    --------
    >>> optics_clusters(OPTICS(2).fit([[0.0], [1.0], [9.0], [10.0]])).tolist()
    [0, 0, 1, 1]
    """
    if clusters == "xi":
        return model.labels_
    return model.cut(cut_height(cut, model.reachability_, model.core_distances_, model.max_eps))


class _Plot:
    """The reachability plot of the steps so far: heights, clusters, and what they look like."""

    def __init__(
        self, problem: Problem, steps: Sequence[OPTICSStep], max_eps: float, cut: float | str, clusters: str
    ) -> None:
        n_samples = len(problem.X)
        self.order = np.array([step.row for step in steps if step.row is not None], np.intp)
        self.reach, self.core = np.full(n_samples, np.inf), np.full(n_samples, np.inf)
        for step in steps:
            if step.row is not None:
                self.reach[step.row], self.core[step.row] = step.reachability, step.core_distance
        self.cut = cut_height(cut, self.reach[self.order], self.core[self.order], max_eps)
        self.labels = np.full(n_samples, -1)
        found = steps[-1].labels if clusters == "xi" else None
        if clusters == "cut":
            place = np.arange(len(self.order))
            self.labels[self.order] = cut_reachability(place, self.reach[self.order], self.core[self.order], self.cut)
        elif found is not None:
            self.labels = found
        self.by_cut = clusters == "cut"
        finite = self.reach[np.isfinite(self.reach)]
        highest = float(finite.max()) if finite.size else 0.0
        self.top = 1.12 * (min(max(highest, self.cut), 2 * highest) or self.cut or 1.0)
        self.n_samples = n_samples
        self.heights = np.minimum(self.reach[self.order], self.top)

    def panel(self) -> Panel:
        """Return the panel of the plot."""
        return Panel(
            "order",
            Axis("place in the order", 0.0, self.n_samples + 1.0, integer=True),
            Axis("reachability", 0.0, self.top),
            title="Reachability plot: drag the cut",
        )

    def handle(self) -> Handle:
        """Return the line that cuts."""
        return Handle("cut", "order", f"cut = {num(self.cut)}", "y", None, min(self.cut, self.top))

    def bars(self, shown: Sequence[int]) -> list[Mark]:
        """Return one bar for each place, of no height until its row has taken it."""
        colors = cluster_colors(self.labels)[self.order]
        marks: list[Mark] = []
        for block, heights in in_blocks(self.heights, shown, 0.0, np.arange(len(self.heights))):
            left = np.arange(block.start, block.stop) + 0.5
            floor = np.zeros(len(left))
            marks.append(Rects(panel="order", x0=left, x1=left + 1, y0=floor, y1=heights, color=colors[block]))
        return marks

    def processed(self, problem: Problem, shown: Sequence[int]) -> list[Points]:
        """Return the rows that have taken their place, in the colours of their clusters; noise as crosses."""
        place = np.full(self.n_samples, self.n_samples)
        place[self.order] = np.arange(len(self.order))
        labels = np.where(place <= np.asarray(shown)[:, None], self.labels, NOISE - 1)
        return rows_in_blocks(problem, labels, self.order)

    def newest(self, steps: Sequence[OPTICSStep]) -> Points:
        """Return the mark on the bar of the row that was just taken."""
        places = [np.empty(0) if step.row is None else np.array([step.position + 1.0]) for step in steps]
        tops = [np.empty(0) if step.row is None else self.heights[[step.position]] for step in steps]
        return Points(panel="order", x=PerFrame(places), y=PerFrame(tops), color=[NO_CLASS], emphasis=True, size=[5.0])

    def flanks(self, steps: Sequence[OPTICSStep]) -> list[Mark]:
        """Return, at the end, the clusters that steep flanks bound, as lines over their places."""
        hierarchy = steps[-1].hierarchy
        if self.by_cut or hierarchy is None or not len(hierarchy):
            return []
        first, last = np.asarray(hierarchy).T
        level = np.array([((first <= a) & (last >= b)).sum() for a, b in hierarchy]) - 1
        height = self.top * (0.98 - 0.03 * level)
        none = np.empty(0)
        ends = [
            PerFrame([none] * (len(steps) - 1) + [values])
            for values in (first + 0.6, height, last + 1.4, height.copy())
        ]
        x0, y0, x1, y1 = ends
        return [Segments(panel="order", x0=x0, y0=y0, x1=x1, y1=y1, width=3.0)]


def _reached(problem: Problem, steps: Sequence[OPTICSStep]) -> Segments:
    """Return the segments to the rows that are reached more easily now, as far as they are reached most easily."""
    pairs = []
    for step in steps:
        nearest = np.argsort(step.reachabilities[step.updated], kind="stable")[:MOST_REACHED]
        pairs.append((step.row, step.updated[nearest]))
    return _segments(problem, pairs)


def _walked(problem: Problem, steps: Sequence[OPTICSStep]) -> Segments:
    """Return the arrow from the row that reached the one that was taken."""
    pairs = [
        (None, np.empty(0, np.intp))
        if step.row is None or step.predecessor < 0
        else (step.predecessor, np.array([step.row]))
        for step in steps
    ]
    return _segments(problem, pairs, color=[0], arrow=True, width=2.5)


def _segments(problem: Problem, pairs: Sequence[tuple[int | None, Indices]], **look: Any) -> Segments:
    points, nothing = problem.points, np.empty((0, 2))
    ends = [nothing if row is None else points[others] for row, others in pairs]
    starts = [
        nothing if row is None else np.repeat(points[[row]], len(end), axis=0)
        for (row, _), end in zip(pairs, ends, strict=True)
    ]
    (x0, y0), (x1, y1) = (
        [PerFrame([place[:, axis] for place in places]) for axis in (0, 1)] for places in (starts, ends)
    )
    return Segments(x0=x0, y0=y0, x1=x1, y1=y1, **look)


def _taken(problem: Problem, plot: _Plot, steps: Sequence[OPTICSStep]) -> Points:
    rows = [np.array([] if step.row is None else [step.row], np.intp) for step in steps]
    x, y = (PerFrame([problem.points[row, axis] for row in rows]) for axis in (0, 1))
    color = PerFrame([cluster_colors(plot.labels[row]) for row in rows])
    return Points(x=x, y=y, color=color, emphasis=True, size=[8.0])


class _Ledger:
    """The captions and the arithmetic."""

    def __init__(self, problem: Problem, plot: _Plot, near: Neighbors, selected: int | None) -> None:
        self.problem, self.plot, self.near, self.selected = problem, plot, near, selected
        self.names = problem.rows + 1
        self.predecessor = np.full(len(problem.X), -1)
        self.place = np.zeros(len(problem.X), np.intp)  # from 1; 0 while a row is not processed

    def frames(self, steps: Sequence[OPTICSStep], shown: Sequence[int]) -> list[Frame]:
        """Return the frames of the steps that are shown."""
        frames, wanted, waited = [], set(shown), 0
        for i, step in enumerate(steps):
            if step.row is not None:
                self.place[step.row] = step.position + 1
                self.predecessor[step.updated] = step.row
            waiting = np.flatnonzero((self.place == 0) & np.isfinite(step.reachabilities))
            if i in wanted:
                caption, ledger = self._done(step) if step.row is None else self._taken(step, step.row, waiting, waited)
                frames.append(Frame(caption, [*self._selected(step), *ledger], step.phase))
            waited = len(waiting)
        return frames

    def _taken(self, step: OPTICSStep, row: int, waiting: Indices, waited: int) -> tuple[str, Blocks]:
        """Tell how a row took its place, and whom it reaches."""
        name, n = self.names[row], len(step.updated)
        if step.phase == "start":
            caption = f"Row {name} starts a walk: no row waits, so the first unprocessed one is taken"
        else:
            which = "the only waiting row" if waited == 1 else f"most easily reached of {waited} waiting rows"
            caption = f"Row {name}, {which} ({_short(step.reachability)}), takes place {step.position + 1}"
        if np.isinf(step.core_distance):
            caption += "; no core point within max_eps, it reaches nobody."
        else:
            caption += f" and is a better way to {count(n, 'row', 'rows')}." if n else " and is no better way to any."
        ledger: Blocks = [Formula(f"core distance of row {name}: {_short(step.core_distance)}")]
        if n:
            ledger.append(self._updates(step, row))
        unseen = len(self.place) - step.position - 1 - len(waiting)
        if len(waiting):
            ledger.append(self._queue(step, waiting))
        if unseen:
            ledger.append(Formula(f"{unseen} rows are not reached yet."))
        return caption, ledger

    def _updates(self, step: OPTICSStep, row: int) -> LedgerTable:
        """Return how the reachability of the first few rows that were updated is computed."""
        now = step.reachabilities[step.updated]
        first = np.argsort(now, kind="stable")[:MOST]
        distances = self.near.distances(row)[step.updated]
        rows = [
            (int(self.names[step.updated[i]]), _round(distances[i]), _round(now[i]), _finite(step.before[i]))
            for i in first
        ]
        return LedgerTable(("row", "d", "max(core, d)", "before"), rows, f"Reached from row {self.names[row]}")

    def _queue(self, step: OPTICSStep, waiting: Indices) -> Formula:
        first = waiting[np.argsort(step.reachabilities[waiting], kind="stable")[:MOST]]
        texts = [f"{self.names[i]} at {_short(step.reachabilities[i])}" for i in first]
        return Formula(f"Waiting ({len(waiting)}): {', '.join(texts)}{', …' * (len(waiting) > MOST)}")

    def _done(self, step: OPTICSStep) -> tuple[str, Blocks]:
        labels, plot = self.plot.labels, self.plot
        n_clusters, n_noise = int(labels.max()) + 1, int((labels < 0).sum())
        clusters, noise = count(n_clusters, "cluster", "clusters"), count(n_noise, "row", "rows")
        found = f"Steep flanks bound {clusters} and leave {noise} of noise"
        if plot.by_cut:
            found = f"The cut at {num(plot.cut)} gives {clusters} and leaves {noise} of noise"
        ledger: Blocks = cluster_sizes(labels)
        if not plot.by_cut and step.hierarchy is not None and len(step.hierarchy):
            spans = [(int(a) + 1, int(b) + 1, int(b - a) + 1) for a, b in step.hierarchy[:MOST_CLUSTERS]]
            ledger.append(LedgerTable(("from place", "to place", "rows"), spans, "Clusters within clusters"))
        ledger.append(Formula(f"{len(labels) - n_noise} in clusters + {n_noise} noise = {len(labels)} rows"))
        ending = step.reason.split(":")[0] + "." if ":" in step.reason else step.reason
        return f"Done. {ending} {found}.", ledger

    def _selected(self, step: OPTICSStep) -> Blocks:
        """Tell what is known of the selected row."""
        if self.selected is None:
            return []
        row, place = self.selected, int(self.place[self.selected])
        reach, source = float(step.reachabilities[row]), int(self.predecessor[row])
        state = f"place {place}" if place else "waits" if np.isfinite(reach) else "not reached yet"
        if source < 0:
            return [Formula(f"Row {self.names[row]}: {state}, reachability ∞")]
        core, distance = float(self.plot.core[source]), float(self.near.distances(source)[row])
        return [
            Formula(f"Row {self.names[row]}: {state}; reached from row {self.names[source]}"),
            Formula(f"max(core {_short(core)}, d {_short(distance)}) = {_short(reach)}"),
        ]


def _short(value: float) -> str:
    return num(float(f"{value:.4g}"))


def _finite(value: Any) -> float | str:
    return _round(value) if np.isfinite(value) else "∞"


def _round(value: Any) -> float:
    return float(f"{value:.4g}")
