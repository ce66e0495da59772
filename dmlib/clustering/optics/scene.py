"""OPTICS as a picture: the walk through the plane, and the reachability plot that grows with it, with a cut."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.clustering.clusters import Clusters
from dmlib.clustering.core_graph import NOISE
from dmlib.clustering.density_scene import (
    CROSS,
    DOT,
    MAX_FRAMES,
    MOST_CLUSTERS,
    cluster_colors,
    cluster_keys,
    cluster_sizes,
    disc_note,
    labelled_rows,
    reach_mark,
)
from dmlib.clustering.neighbors import Indices, Neighbors
from dmlib.clustering.optics.algorithm import OPTICSStep
from dmlib.clustering.reachability import cut_height, cut_reachability
from dmlib.params import Choice, Number
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, numbered_table
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Points, Rects, Segments
from dmlib.pictures.motion import at_last, during, rays, thin, thinned_note, xy
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.plane import data_panel, data_points, data_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Handle, Key, Panel, Scene
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem import Problem

MOST = 3  # lines of a table
MOST_REACHED = 6  # segments to rows that are reached more easily
OPTIONS = {
    "cut": Option(Number(0.0, 1e150, shown=(0.01, 10.0), log=True, names=("auto",)), "auto"),
    "clusters": Option(Choice(("cut", "xi")), "cut"),
}
"""The height of the cut, "auto" as in :func:`dmlib.clustering.reachability.cut_height`; and which clusters are
coloured: those below the cut, or with "xi" those that the run found by steep flanks."""
LEGEND = (Key("noise", NO_CLASS, CROSS), Key("not processed", NO_CLASS))


def optics_scene(run: Run) -> Scene:
    """Draw a run of OPTICS.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.OPTICS`; see :data:`OPTIONS`.

    Returns
    -------
    Scene
        One frame for each row that takes its place, and one for the end; of very many, some.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import OPTICS
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.0, 0.0, 0.0]}), ["a", "b"])
    >>> scene = optics_scene(Run.of(problem, OPTICS(2)))
    >>> [frame.phase for frame in scene.frames], scene.handles[0].label
    (['start', 'process', 'process', 'process', 'done'], 'cut = 4.5')
    """
    problem, trace, model, options = run.problem, run.trace, run.model, chosen(run, OPTIONS)
    steps: Sequence[OPTICSStep] = trace.steps
    if not steps:
        return data_scene(problem, trace.reason)
    plot = _Plot(problem, steps, model.max_eps, options["cut"], options["clusters"])
    shown = thin(len(steps), MAX_FRAMES)
    mine = [steps[i] for i in shown]
    panel, side = data_panel(problem), plot.panel()
    rows, radii = [step.row for step in mine], [step.core_distance for step in mine]
    marks = (
        *reach_mark(problem, panel, model.metric, rows, radii, [NO_CLASS] * len(mine)),
        _reached(problem, mine),
        data_points(problem, size=[DOT]),
        plot.processed(problem, shown),
        _walked(problem, mine),
        _taken(problem, plot, mine),
        plot.bars(shown),
        *plot.flanks(mine),
        plot.newest(mine),
    )
    frames = _Ledger(problem, plot, Neighbors(problem.X, metric=model.metric), run.selected).frames(steps, shown)
    notes = (*problem.notes, *disc_note(problem), *thinned_note(shown))
    return Scene((panel, side), marks, frames, notes, (plot.handle(),), (*cluster_keys(plot.labels), *LEGEND))


def shown_clusters(run: Run) -> Clusters:
    """Return the clusters that are coloured; see :data:`OPTIONS`.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import OPTICS
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0]}), ["a"])
    >>> shown_clusters(Run.of(problem, OPTICS(2))).labels_.tolist()
    [0, 0, 1, 1]
    """
    model, by_cut = run.fitted, chosen(run, OPTIONS)["clusters"] == "cut"
    return Clusters(model.cut(shown_cut(run)) if by_cut else model.labels_)


def shown_cut(run: Run) -> float:
    """Return the height of the cut, as :data:`OPTIONS` say."""
    model, cut = run.fitted, chosen(run, OPTIONS)["cut"]
    return cut_height(cut, model.reachability_, model.core_distances_, model.max_eps)


class _Plot:
    """The reachability plot of the steps so far: heights, clusters, and what they look like."""

    def __init__(
        self, problem: Problem, steps: Sequence[OPTICSStep], max_eps: float, cut: float | str, clusters: str
    ) -> None:
        self.n_samples = n_samples = len(problem.X)
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
        self.numbers = problem.rows[self.order] + 1
        finite = self.reach[np.isfinite(self.reach)]
        highest = float(finite.max()) if finite.size else 0.0
        self.top = 1.12 * (min(max(highest, self.cut), 2 * highest) or self.cut or 1.0)
        self.heights = np.minimum(self.reach[self.order], self.top)

    def panel(self) -> Panel:
        """Return the panel of the plot."""
        return Panel(
            "order",
            Axis("position in the order", 0.0, self.n_samples + 1.0, integer=True),
            Axis("reachability", 0.0, self.top),
            title="Reachability plot: drag the cut",
        )

    def handle(self) -> Handle:
        """Return the line that cuts."""
        return Handle("cut", "order", f"cut = {num(self.cut)}", "y", None, min(self.cut, self.top))

    def bars(self, shown: Indices) -> Rects:
        """Return one bar for each place, of no height until its row has taken it."""
        colors = cluster_colors(self.labels)[self.order]
        place = np.arange(len(self.order))
        heights = during(self.heights, place, len(place), shown, 0.0)
        x0, x1, y0 = place + 0.5, place + 1.5, 0.0 * place
        return Rects(panel="order", x0=x0, x1=x1, y0=y0, y1=heights, color=colors, numbers=self.numbers)

    def processed(self, problem: Problem, shown: Indices) -> Points:
        """Return the rows that have taken their place, in the colours of their clusters; noise as crosses."""
        place = np.full(self.n_samples, self.n_samples)
        place[self.order] = np.arange(len(self.order))
        return labelled_rows(problem, np.where(place <= shown[:, None], self.labels, NOISE - 1))

    def newest(self, steps: Sequence[OPTICSStep]) -> Points:
        """Return the mark on the bar of the row that was just taken."""
        x, y = xy(
            None if step.row is None else np.array([step.position + 1.0, self.heights[step.position]]) for step in steps
        )
        return Points(panel="order", x=x, y=y, color=[NO_CLASS], emphasis=True, size=[5.0])

    def flanks(self, steps: Sequence[OPTICSStep]) -> list[Mark]:
        """Return, at the end, the clusters that steep flanks bound, as lines over their places."""
        hierarchy = steps[-1].hierarchy
        if self.by_cut or hierarchy is None or not len(hierarchy):
            return []
        first, last = np.asarray(hierarchy).T
        level = np.array([((first <= a) & (last >= b)).sum() for a, b in hierarchy]) - 1
        height = self.top * (0.98 - 0.03 * level)
        x0, x1, y = (at_last(values, len(steps)) for values in (first + 0.6, last + 1.4, height))
        return [Segments(panel="order", x0=x0, y0=y, x1=x1, y1=y, width=3.0)]


def _reached(problem: Problem, steps: Sequence[OPTICSStep]) -> Segments:
    """Return the segments to the rows that are reached more easily now, as far as they are reached most easily."""
    nearest = [np.argsort(step.reachabilities[step.updated], kind="stable")[:MOST_REACHED] for step in steps]
    ways = [(step.row, step.updated[some]) for step, some in zip(steps, nearest, strict=True)]
    return rays(problem.points, ways)


def _walked(problem: Problem, steps: Sequence[OPTICSStep]) -> Segments:
    """Return the arrow from the row that reached the one that was taken."""
    ways = [
        (None if step.row is None or step.predecessor < 0 else step.predecessor, np.array([step.row or 0]))
        for step in steps
    ]
    return rays(problem.points, ways, color=[0], arrow=True, width=2.5)


def _taken(problem: Problem, plot: _Plot, steps: Sequence[OPTICSStep]) -> Points:
    rows = [np.array([] if step.row is None else [step.row], np.intp) for step in steps]
    x, y = xy(problem.points[row] for row in rows)
    color = PerFrame([cluster_colors(plot.labels[row]) for row in rows])
    return Points(x=x, y=y, color=color, emphasis=True, size=[8.0])


class _Ledger:
    """The captions and the arithmetic."""

    def __init__(self, problem: Problem, plot: _Plot, near: Neighbors, selected: int | None) -> None:
        self.problem, self.plot, self.near, self.selected = problem, plot, near, selected
        self.names = problem.rows + 1
        self.predecessor = np.full(len(problem.X), -1)
        self.place = np.zeros(len(problem.X), np.intp)  # from 1; 0 while a row is not processed

    def frames(self, steps: Sequence[OPTICSStep], shown: Indices) -> list[Frame]:
        """Return the frames of the steps that are shown."""
        frames, wanted, waited = [], set(shown.tolist()), 0
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
            caption = f"Row {name} starts: the seed list is empty, so the first unprocessed row is taken"
        else:
            which = "the only row on the seed list" if waited == 1 else f"the smallest of {waited} on the seed list"
            caption = f"Row {name}, {which} ({num4(step.reachability)}), gets position {step.position + 1}"
        if np.isinf(step.core_distance):
            caption += "; no core point within max_eps, so it reaches no point."
        else:
            caption += (
                f" and lowers the reachability of {count(n, 'row', 'rows')}." if n else " and lowers no reachability."
            )
        ledger: Blocks = [Formula(f"core distance of row {name}: {num4(step.core_distance)}")]
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
            (int(self.names[step.updated[i]]), short(distances[i]), short(now[i]), _finite(step.before[i]))
            for i in first
        ]
        return numbered_table(("row", "d", "max(core, d)", "before"), rows, f"Reached from row {self.names[row]}")

    def _queue(self, step: OPTICSStep, waiting: Indices) -> Formula:
        first = waiting[np.argsort(step.reachabilities[waiting], kind="stable")[:MOST]]
        texts = [f"{self.names[i]} at {num4(step.reachabilities[i])}" for i in first]
        return Formula(f"Seed list ({len(waiting)}): {', '.join(texts)}{', …' * (len(waiting) > MOST)}")

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
            ledger.append(LedgerTable(("from position", "to position", "rows"), spans, "Clusters within clusters"))
        ledger.append(Formula(f"{len(labels) - n_noise} in clusters + {n_noise} noise = {len(labels)} rows"))
        ending = step.reason.split(":")[0] + "." if ":" in step.reason else step.reason
        return f"Done. {ending} {found}.", ledger

    def _selected(self, step: OPTICSStep) -> Blocks:
        """Tell what is known of the selected row."""
        if self.selected is None:
            return []
        row, place = self.selected, int(self.place[self.selected])
        reach, source = float(step.reachabilities[row]), int(self.predecessor[row])
        state = f"position {place}" if place else "waits" if np.isfinite(reach) else "not reached yet"
        if source < 0:
            return [Formula(f"Row {self.names[row]}: {state}, reachability ∞")]
        core, distance = float(self.plot.core[source]), float(self.near.distances(source)[row])
        return [
            Formula(f"Row {self.names[row]}: {state}; reached from row {self.names[source]}"),
            Formula(f"max(core {num4(core)}, d {num4(distance)}) = {num4(reach)}"),
        ]


def _finite(value: float) -> float | str:
    return short(value) if np.isfinite(value) else "∞"
