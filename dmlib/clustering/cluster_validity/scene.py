"""Cluster validity as a picture: rows, the measure part by part, and other clusterings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.cluster_validity.algorithm import (
    EXTERNAL,
    HOPKINS,
    MEASURE_NAMES,
    ClusterValidity,
    ValidityStep,
)
from dmlib.clustering.cluster_validity.clusterings import TITLES, name_of
from dmlib.clustering.cluster_validity.ledger import Narrator
from dmlib.clustering.cluster_validity.links import BETWEEN, LINKS, NORMALIZED_CUT
from dmlib.clustering.cluster_validity.panels_scene import measure_chart, random_places
from dmlib.evenly import evenly
from dmlib.params import Choice
from dmlib.pictures.ledger import LedgerTable, short_table
from dmlib.pictures.marks import NO_CLASS, Points, Rects, Segments, Texts
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.places import NOWHERE, segments_between
from dmlib.pictures.plane import data_panel, data_points, view_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, data_alone, story
from dmlib.pictures.words import num4, short
from dmlib.problem import Problem

NO_CLUSTERING = "none"
CLUSTERINGS = Choice((NO_CLUSTERING, *TITLES))
OPTIONS = {
    "second": Option(CLUSTERINGS, "random"),
    "third": Option(CLUSTERINGS, "hierarchical"),
    "fourth": Option(CLUSTERINGS, NO_CLUSTERING),
}
"""The clusterings that are compared with the one that is judged."""
FAINT, FULL = 0.18, 1.0  # opacity of rows beside the cluster whose part it is, and of its own
MAX_KEYS = 8
MAX_LINES = 400
MAX_LINKS = 600  # of the proximity graph
TO_CENTERS = ("sse", "calinski_harabasz", "davies_bouldin")  # measures of distances to centres


def cluster_validity_scene(run: Run[Problem, ClusterValidity]) -> Scene:
    """Draw how a measure of a clustering is built up.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import ClusterValidity
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.0, 0.0, 1.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> run = Run.of(problem, ClusterValidity("kmedoids", 2))
    >>> [frame.phase for frame in cluster_validity_scene(run).frames]
    ['cluster', 'part', 'part', 'combine', 'done']
    """
    problem, steps = run.problem, run.trace.steps
    if not steps or steps[-1].phase != "done":
        return data_alone(run)
    end: ValidityStep = steps[-1]
    charts = [] if end.reason else [measure_chart(problem, end)]
    comparison = Comparison(run)
    narrator = Narrator(problem, name_of(run.model.clustering), comparison.table(), run.selected)

    def draw(moment: Moment) -> Drawing:
        step: ValidityStep = moment.step
        marks = (
            *([] if end.reason else _segments(problem, step)),
            _rows(problem, step),
            *random_places(problem, step),
            *(mark for _, chart_marks in charts for mark in chart_marks(step)),
            *comparison.marks(),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    places = [] if end.places is None else [problem.plane.project(end.places)]
    return story(
        run,
        draw,
        panels=(data_panel(problem, *places), *(panel for panel, _ in charts), comparison.panel()),
        legend=_legend(problem, end),
        notes=(*view_note(problem, "clusters may overlap"), *_noise_note(end), *_links_note(end)),
    )


def _noise_note(step: ValidityStep) -> tuple[str, ...]:
    n = int((step.labels < 0).sum())
    if not n:
        return ()
    how = "is one more cluster here" if step.measure in EXTERNAL else "is left out of the measure"
    return (f"Noise ({n} of {len(step.labels)} rows, grey) {how}.",)


def _links_note(step: ValidityStep) -> tuple[str, ...]:
    if step.measure not in (*LINKS, NORMALIZED_CUT) or step.reason:
        return ()
    n_links = len(_linked(step)[0])
    if n_links <= MAX_LINKS:
        return ()
    return (f"{MAX_LINKS} of {n_links:,} links are drawn, evenly spaced; all are added up.",)


# --- the rows -------------------------------------------------------------------------------------


def _rows(problem: Problem, step: ValidityStep) -> Points:
    """Return the rows in the colours of their clusters; only the current cluster is strong."""
    labels, current = step.labels, _current_label(step)
    opacity = np.full(len(labels), FULL)
    if current is not None:
        opacity[labels != current] = FAINT
    return data_points(
        problem,
        color=np.where(labels < 0, NO_CLASS, labels % NO_CLASS).astype(np.uint8),
        opacity=opacity,
        symbol=_class_symbols(problem) if step.measure in EXTERNAL else None,
    )


def _class_symbols(problem: Problem) -> NDArray[np.uint8]:
    codes = np.unique(np.asarray(problem.y), return_inverse=True)[1]
    return (codes % NO_CLASS).astype(np.uint8)


def _current_label(step: ValidityStep) -> int | None:
    """Return the label of the cluster whose part a step computes."""
    if step.phase != "part" or step.term is None or step.measure == HOPKINS:
        return None
    return step.names[step.term.index]


def _segments(problem: Problem, step: ValidityStep) -> list[Segments]:
    """Return the segments among the rows: lines to the centre, or extreme pairs."""
    if step.measure in TO_CENTERS:
        return [_spokes(problem.points, step)]
    if step.measure == "dunn":
        return [_extremes(problem.points, step)]
    if step.measure in (*LINKS, NORMALIZED_CUT):
        return _links(problem.points, step)
    return []


def _spokes(points: Floats, step: ValidityStep) -> Segments:
    """Return the lines from rows to their centre, and from there to the most similar cluster."""
    label = _current_label(step)
    if label is None or step.term is None:
        return segments_between(NOWHERE, NOWHERE, width=1.0)
    rows = points[step.labels == label]
    center = rows.mean(axis=0)
    starts = rows[:: max(1, -(-len(rows) // MAX_LINES))]
    ends = np.broadcast_to(center, starts.shape)
    if step.measure == "davies_bouldin":
        nearest = points[step.labels == step.names[step.term.compared]].mean(axis=0)
        starts, ends = np.vstack([starts, center]), np.vstack([ends, nearest])
    return segments_between(starts, ends, width=1.0)


def _extremes(points: Floats, step: ValidityStep) -> Segments:
    """Return the diameter and the separation of a cluster; at the end those that decide."""
    rows: tuple[int, ...] = ()
    if step.phase == "part" and step.term is not None:
        rows = step.term.rows
    elif step.phase != "cluster":
        widest = max(step.parts.terms, key=lambda term: term.values[0])
        nearest = min(step.parts.terms, key=lambda term: term.values[1])
        rows = (*widest.rows[:2], *nearest.rows[2:])
    return segments_between(points[list(rows[::2])], points[list(rows[1::2])], width=3.0)


def _links(points: Floats, step: ValidityStep) -> list[Segments]:
    """Return the links between clusters and within: all, or those whose part a step computes."""
    linked = _linked(step)
    drawn = evenly(linked.shape[1], MAX_LINKS)
    pairs = linked[:, drawn]
    labels, current = step.labels[pairs], _current_label(step)
    is_within = labels[0] == labels[1]
    is_part = (labels == current).any(axis=0) if current is not None else np.full(len(drawn), True)
    if step.phase != "cluster" and step.measure in LINKS:
        is_part &= is_within != (step.measure == BETWEEN)
    between, within = pairs[:, is_part & ~is_within], pairs[:, is_part & is_within]
    color = (step.labels[within[0]] % NO_CLASS).astype(np.uint8)
    return [
        segments_between(points[between[0]], points[between[1]], width=0.75),
        segments_between(points[within[0]], points[within[1]], color=color, width=1.5),
    ]


def _linked(step: ValidityStep) -> NDArray[np.intp]:
    """Return the rows at both ends of each link: of the measure's graph, or of the complete one."""
    if step.parts.links is not None:
        return step.parts.links
    rows = np.flatnonzero(step.labels >= 0)
    return rows[np.array(np.triu_indices(len(rows), 1))]


def _legend(problem: Problem, end: ValidityStep) -> tuple[Key, ...]:
    if end.measure == HOPKINS:
        random = Key("distance from a random place", 0, 3, hollow=True)
        return random, Key("distance from a row", 1)
    clusters = [
        Key("noise") if label < 0 else Key(f"cluster {label + 1}", label % NO_CLASS)
        for label in np.unique(end.labels)[:MAX_KEYS].tolist()
    ]
    if end.measure in EXTERNAL and problem.classes:
        codes = np.unique(np.asarray(problem.y))[:MAX_KEYS]
        names = [str(problem.classes[code]) for code in codes]
        return *clusters, *(Key(name, symbol=i) for i, name in enumerate(names))
    return tuple(clusters)


# --- other clusterings ----------------------------------------------------------------------------


def compared_names(run: Run[Problem, ClusterValidity]) -> list[str]:
    """Return the names of the clusterings that the reader compares with."""
    return [name for name in chosen(run, OPTIONS).values() if name != NO_CLUSTERING]


def judged(run: Run[Problem, ClusterValidity], name: str) -> dict[str, float] | str:
    """Return all measures of another clustering on the same rows, or why it is refused."""

    def measure() -> dict[str, float] | str:
        model = ClusterValidity(
            name,
            run.model.n_clusters,
            measure="sse",
            n_neighbors=run.model.n_neighbors,
            random_state=run.seed,
        )
        try:
            return dict(model.fit(*run.problem.training.arguments).measures_)
        except ValueError as error:
            return str(error)

    measures: dict[str, float] | str = run.once(f"measures of {name}", measure)
    return measures


class Comparison:
    """The measure of all clusterings that are compared.

    Parameters
    ----------
    run : Run
        The run, with the clusterings as its :data:`OPTIONS`.
    """

    def __init__(self, run: Run[Problem, ClusterValidity]) -> None:
        end: ValidityStep = run.trace.steps[-1]
        self.label = MEASURE_NAMES[end.measure]
        if end.measure == HOPKINS:
            self.names, values = ["these rows", "random rows, on average"], [end.value, 0.5]
        else:
            measures = [judged(run, name) for name in compared_names(run)]
            self.names = [name_of(run.model.clustering), *map(name_of, compared_names(run))]
            values = [end.value, *(_value(each, end.measure) for each in measures)]
        self.values = np.where(np.isfinite(values), values, np.nan)
        low, self._high = bounds(np.append(self.values, 0.0), 0.12)
        self._low = min(low, 0.0) if np.nanmin(np.append(self.values, 0.0)) < 0 else 0.0

    def panel(self) -> Panel:
        """Return the panel of the bars."""
        x = Axis(self.label, self._low, self._high)
        y = Axis("", -len(self.names) + 0.45, 0.55, ticks=[""])
        return Panel("compare", x, y, f"Compared: {self.label}", side=True)

    def marks(self) -> tuple[Rects, Texts]:
        """Return a bar for each clustering, the name above it."""
        finite = np.flatnonzero(np.isfinite(self.values))
        start = self._low + 0.02 * (self._high - self._low)
        bars = Rects(
            panel="compare",
            x0=np.zeros(len(finite)),
            x1=self.values[finite],
            y0=-finite - 0.42,
            y1=-finite - 0.16,
            color=np.where(finite == 0, 0, NO_CLASS).astype(np.uint8),
            opacity=[0.8],
            of="",
        )
        names = Texts(
            panel="compare",
            x=np.full(len(self.names), start),
            y=0.22 - np.arange(len(self.names)),
            text=self._texts(),
            anchor="start",
            dy=2.0,
            of="",
        )
        return bars, names

    def _texts(self) -> list[str]:
        texts = ["–" if np.isnan(value) else num4(value) for value in self.values]
        return [f"{name}: {text}" for name, text in zip(self.names, texts, strict=True)]

    def table(self) -> LedgerTable:
        """Return the clusterings as a table."""
        cells = [None if np.isnan(value) else short(value) for value in self.values]
        rows = list(zip(self.names, cells, strict=True))
        head = ("clustering", self.label)
        return short_table(head, rows, "Compared on the same rows", [0])


def _value(measures: dict[str, float] | str, measure: str) -> float:
    """Return a measure, NaN where the clustering was refused."""
    return np.nan if isinstance(measures, str) else measures[measure]
