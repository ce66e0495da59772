"""DBSCAN as a picture: the disc of the row that asks, the seed list, and the k-distances whose line sets eps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.clustering.core_graph import NOISE
from dmlib.clustering.dbscan.algorithm import UNCLASSIFIED, DBSCANStep
from dmlib.clustering.density_scene import (
    CROSS,
    DOT,
    MOST_FRAMES,
    cluster_colors,
    cluster_sizes,
    disc_note,
    labelled_rows,
    listed,
    reach_mark,
)
from dmlib.clustering.neighbors import Indices, Neighbors
from dmlib.pictures.ledger import Blocks, Formula, numbered_table
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points
from dmlib.pictures.motion import during, nth, rays, thin, thinned_note, xy
from dmlib.pictures.plane import data_panel, data_points, data_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Handle, Key, Panel, Scene
from dmlib.pictures.words import count, num, num4
from dmlib.problem import Problem

MOST_NEAREST = 5  # rows whose distances are written out
WAITING, CONTESTED = 7.5, 9.0  # radius in pixels of the rings around rows
LEGEND = (
    Key("core point", 0),
    Key("border point", 0, hollow=True),
    Key("noise", NO_CLASS, CROSS),
    Key("unvisited", NO_CLASS),
    Key("on the seed list", NO_CLASS, hollow=True),
)


def dbscan_scene(run: Run) -> Scene:
    """Draw a run of DBSCAN.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.DBSCAN`.

    Returns
    -------
    Scene
        One frame for each neighbourhood, and one for the end; of very many, some.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import DBSCAN
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0], "b": [0.0, 0.0, 0.0, 0.0]}), ["a", "b"])
    >>> scene = dbscan_scene(Run.of(problem, DBSCAN(1.0, min_samples=3)))
    >>> [frame.phase for frame in scene.frames]
    ['visit', 'visit', 'expand', 'visit', 'done']
    """
    problem, trace, model = run.problem, run.trace, run.model
    steps: Sequence[DBSCANStep] = trace.steps
    if not steps:
        return data_scene(problem, trace.reason)
    shown = thin(len(steps), MOST_FRAMES)
    mine = [steps[i] for i in shown]
    view = _View(problem, Neighbors(problem.X, metric=model.metric), model.eps, model.min_samples, run.selected)
    panel, side, handle = data_panel(problem), *view.distance_panel()
    rows = [step.row for step in mine]
    colors = [NO_CLASS if step.cluster < 0 else step.cluster % NO_CLASS for step in mine]
    marks = (
        *reach_mark(problem, panel, model.metric, rows, [model.eps] * len(rows), colors),
        _waiting(problem, steps, shown),
        _contested(problem, mine),
        rays(problem.points, [(s.row, s.joined[s.joined != s.row]) for s in mine], arrow=True),
        data_points(problem, size=[DOT]),
        _rows(problem, steps, shown),
        _asking(problem, mine),
        *view.distance_marks(rows),
    )
    frames = view.frames(steps, shown)
    return Scene(
        (panel, side), marks, frames, (*problem.notes, *disc_note(problem), *thinned_note(shown)), (handle,), LEGEND
    )


def _rows(problem: Problem, steps: Sequence[DBSCANStep], shown: Indices) -> Points:
    """Return the rows as the steps label them; border points are outlined once they have asked."""
    asked = np.full(len(problem.X), len(steps))
    for i, step in enumerate(steps):
        if step.row is not None:
            asked[step.row] = len(steps) if step.core else i
    labels = np.stack([steps[i].labels for i in shown])
    return labelled_rows(problem, labels, (asked <= shown[:, None]) & (labels >= 0))


def _waiting(problem: Problem, steps: Sequence[DBSCANStep], shown: Indices) -> Points:
    """Return the rings around the rows on the seed list, there from the step in which they join to that they ask in."""
    joins = {row: i for i, step in enumerate(steps) for row in step.joined.tolist()}
    asks = {step.row: i for i, step in enumerate(steps) if step.row is not None}
    rows = list(joins)
    last = [asks.get(row, len(steps)) - 1 for row in rows]
    x, y = problem.points[rows].T
    return Points(
        x=during(x, list(joins.values()), last, shown), y=y, size=[WAITING], color=[NO_CLASS], symbol=[0], hollow=[1]
    )


def _contested(problem: Problem, steps: Sequence[DBSCANStep]) -> Points:
    """Return, at the end, rings around the border points that another cluster could have had, in its colour."""
    others = [
        (row, cluster)
        for row, clusters in steps[-1].contested
        for cluster in clusters
        if cluster != steps[-1].labels[row]
    ]
    places = problem.points[[row for row, _ in others]] if others else np.empty((0, 2))
    colors = np.array([cluster % NO_CLASS for _, cluster in others], np.uint8)
    before = len(steps) - 1
    x, y = xy([None] * before + [places])
    return Points(x=x, y=y, size=[CONTESTED], color=PerFrame([colors[:0]] * before + [colors]), hollow=[1])


def _asking(problem: Problem, steps: Sequence[DBSCANStep]) -> Points:
    x, y = xy(None if step.row is None else problem.points[[step.row]] for step in steps)
    color = [cluster_colors(step.labels[[] if step.row is None else [step.row]]) for step in steps]
    hollow = [np.array([] if step.row is None else [not step.core], np.uint8) for step in steps]
    return Points(
        x=x,
        y=y,
        color=PerFrame(color),
        hollow=PerFrame(hollow),
        emphasis=True,
        size=[8.0],
    )


class _View:
    """What the frames and the panel of k-distances are made from."""

    def __init__(self, problem: Problem, near: Neighbors, eps: float, min_samples: int, selected: int | None) -> None:
        self.problem, self.near, self.eps, self.min_samples, self.selected = problem, near, eps, min_samples, selected
        n = len(problem.X)
        self.kth = near.kth(min_samples) if min_samples <= n else np.full(n, np.inf)
        self.rank = np.argsort(np.argsort(-self.kth, kind="stable"), kind="stable") + 1

    # --- k-distances --------------------------------------------------------------------------------------------------

    def distance_panel(self) -> tuple[Panel, Handle]:
        """Return the panel of the sorted k-distances, and the line in it that sets eps."""
        finite = self.kth[np.isfinite(self.kth)]
        highest = float(finite.max()) if finite.size else 0.0
        top = 1.06 * (min(max(highest, self.eps), 2 * highest) or self.eps or 1.0)
        k = self.min_samples - 1
        panel = Panel(
            "distances",
            Axis("rows, sorted by this distance", 0.0, len(self.kth) + 1.0, integer=True),
            Axis(f"to the {nth(k)} other row", 0.0, top),
            title=f"{k}-distances: drag the line" if k else "Every row is a core point",
            side=True,
        )
        return panel, Handle("eps", "distances", f"eps = {num(self.eps)}", "y", None, min(self.eps, top))

    def distance_marks(self, rows: Sequence[int | None]) -> tuple[Mark, ...]:
        """Return the curve, and the place of the row that asks on it."""
        places = [np.empty(0, np.intp) if row is None else np.array([row]) for row in rows]
        finite = np.isfinite(self.kth)
        curve = -np.sort(-self.kth[finite])
        x, y = (PerFrame([values[place[finite[place]]] for place in places]) for values in (self.rank, self.kth))
        return (
            Line(panel="distances", x=np.arange(1, len(curve) + 1), y=curve, color="accent"),
            Points(panel="distances", x=x, y=y, color=[NO_CLASS], emphasis=True, size=[5.0]),
        )

    # --- frames -------------------------------------------------------------------------------------------------------

    def frames(self, steps: Sequence[DBSCANStep], shown: Indices) -> list[Frame]:
        """Return the frames of the steps that are shown."""
        asked = np.zeros(len(self.problem.X), bool)
        core = np.zeros(len(self.problem.X), bool)
        frames, wanted, owner = [], set(shown.tolist()), None
        for i, step in enumerate(steps):
            if step.row is not None:
                asked[step.row], core[step.row] = True, step.core
            if self.selected is not None and self.selected in step.joined:
                owner = step.row
            if i in wanted:
                caption, ledger = self._done(step) if step.row is None else self._ask(step, step.row)
                counts = _counts(step, asked, core)
                frames.append(Frame(caption, [*self._selected(step, owner), *ledger, counts], step.phase))
        return frames

    def _name(self, row: int) -> str:
        return f"Row {self.problem.rows[row] + 1}"

    def _ask(self, step: DBSCANStep, row: int) -> tuple[str, Blocks]:
        """Tell one neighbourhood."""
        n, enough = len(step.neighbors), self.min_samples
        how = f"at least {enough}" if step.core else f"fewer than {enough}"
        found = f"{self._name(row)} has {count(n, 'row', 'rows')} within {num(self.eps)}, {how}:"
        cluster, new = step.cluster + 1, len(step.joined)
        if step.phase == "visit" and step.core:
            caption = f"{found} it is a core point and starts cluster {cluster} with its unassigned neighbours."
        elif step.phase == "visit":
            caption = f"{found} it is noise, unless a core point reaches it later."
        elif not step.core:
            caption = f"{found} it is a border point of cluster {cluster}, and does not extend the cluster."
        elif new:
            caption = f"{found} a core point, so {count(new, 'new row joins', 'new rows join')} cluster {cluster}."
        else:
            caption = f"{found} a core point, and all its neighbours are in a cluster already."
        if step.rescued.size:
            back = count(len(step.rescued), "row comes", "rows come")
            caption = f"{caption[:-1]}; {back} back from noise."
        sign, verdict = ("≥", "a core point") if step.core else ("<", "no core point")
        inside = f"N(row {self.problem.rows[row] + 1}) = {{{listed(self.problem, step.neighbors)}}}"
        ledger: Blocks = [Formula(f"{inside}: {n} {sign} {enough}, {verdict}")]
        if 1 < enough <= len(self.kth):
            sign = "≤" if step.core else ">"
            ledger.append(Formula(f"{nth(enough - 1)} other row at {num4(self.kth[row])} {sign} eps"))
        ledger.append(Formula(f"Seed list ({len(step.seeds)}): {listed(self.problem, step.seeds) or 'empty'}"))
        return caption, ledger

    def _done(self, step: DBSCANStep) -> tuple[str, Blocks]:
        ledger = cluster_sizes(step.labels)
        caption = f"Done. {step.reason}"
        if step.contested:
            n = len(step.contested)
            caption += (
                f" {count(n, 'ringed border point lies', 'ringed border points lie')} in reach of several clusters: "
                f"visited in another order, another cluster could contain {'it' if n == 1 else 'them'}."
            )
            rows_of = [
                (int(self.problem.rows[row] + 1), int(step.labels[row]) + 1, ", ".join(str(c + 1) for c in clusters))
                for row, clusters in step.contested
            ]
            ledger.append(
                numbered_table(("row", "in cluster", "in reach of"), rows_of, "Depends on the visiting order")
            )
        return caption, ledger

    def _selected(self, step: DBSCANStep, owner: int | None) -> Blocks:
        """Tell what is known of the selected row."""
        if self.selected is None:
            return []
        distances = self.near.distances(self.selected)
        inside = np.flatnonzero(distances <= self.eps)
        n, core = len(inside), len(inside) >= self.min_samples
        label = step.labels[self.selected]
        state = {UNCLASSIFIED: "unvisited", NOISE: "noise so far" if step.row is not None else "noise"}
        now = state.get(int(label), f"in cluster {label + 1}")
        if label >= 0 and owner is not None and owner != self.selected:
            now += f", reached from row {self.problem.rows[owner] + 1}"
        sign = "≥" if core else "<"
        nearest = inside[np.argsort(distances[inside], kind="stable")][:MOST_NEAREST]
        near = ", ".join(f"{self.problem.rows[i] + 1} at {num4(distances[i])}" for i in nearest)
        return [
            Formula(f"{self._name(self.selected)}: |N| = {n} {sign} {self.min_samples}; {now}"),
            Formula(f"its nearest rows: {near}"),
        ]


def _counts(step: DBSCANStep, asked: NDArray[np.bool_], core: NDArray[np.bool_]) -> Formula:
    """Return how many rows of each kind there are so far."""
    labels = step.labels
    border, noise = int((asked & ~core & (labels >= 0)).sum()), int((labels == NOISE).sum())
    waiting, unseen = len(step.seeds), int((labels == UNCLASSIFIED).sum())
    kinds = {"core": core.sum(), "border": border, "noise": noise, "waiting": waiting, "unvisited": unseen}
    parts = [f"{number} {kind}" for kind, number in kinds.items() if number]
    return Formula(f"{' + '.join(parts)} = {len(labels)} rows")
