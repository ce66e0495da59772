"""Measuring clusters as a picture: the rows in their clusters, the measure part by part, and other clusterings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.cluster_validity.algorithm import EXTERNAL, HOPKINS, SPOKEN, ClusterValidity, ValidityStep
from dmlib.clustering.cluster_validity.clusterings import NAMES, name_of
from dmlib.clustering.cluster_validity.ledger import Teller
from dmlib.clustering.cluster_validity.panels_scene import Measured, measure_panel, probe_marks
from dmlib.params import Choice
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import short_table
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Points, Rects, Segments, Texts
from dmlib.pictures.motion import moves, thin, thinned_note
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.plane import data_panel, data_points, data_scene, view_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene, bounds
from dmlib.pictures.words import num4, short

NONE = "none"
OTHERS = Choice((NONE, *NAMES))
OPTIONS = {
    "second": Option(OTHERS, "random"),
    "third": Option(OTHERS, "hierarchical"),
    "fourth": Option(OTHERS, NONE),
}
"""The clusterings that are compared with the one that is judged."""
FAINT, FULL = 0.18, 1.0  # opacity of rows beside the cluster whose part it is, and of its own
MOST_KEYS = 8
MOST_LINES = 400


def cluster_validity_scene(run: Run) -> Scene:
    """Draw how a measure of a clustering is built up.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import ClusterValidity
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.0, 0.0, 1.0]}), ["a", "b"])
    >>> run = Run.of(problem, ClusterValidity("kmedoids", 2))
    >>> [frame.phase for frame in cluster_validity_scene(run).frames]
    ['cluster', 'part', 'part', 'combine', 'done']
    """
    problem, trace = run.problem, run.trace
    if not trace.steps or trace.steps[-1].phase != "done":
        return data_scene(problem, trace.reason)
    shown = thin(len(trace.steps))
    steps: list[ValidityStep] = [trace.steps[i] for i in shown]
    measured = Measured(problem, steps, np.array([step.n_terms for step in steps]))
    panels, marks = ([], []) if steps[-1].reason else measure_panel(measured)
    side, side_marks, table = _compared(run)
    teller = Teller(problem, name_of(run.model.clustering), run.selected)

    def frame(step: ValidityStep) -> Frame:
        told = teller.frame(step)
        return Frame(told.caption, [*told.ledger, *([table] if step.phase == "done" else [])], told.phase)

    places = steps[-1].places
    probes = [] if places is None else probe_marks(measured, places, "data")
    shown_places = [] if places is None else [problem.plane.project(places)]
    return Scene(
        (data_panel(problem, *shown_places), *panels, side),
        (*_below(measured), _points(measured), *probes, *marks, *side_marks),
        Deferred(frame, steps),
        (*problem.notes, *view_note(problem, "clusters may overlap"), *_noise_note(steps[-1]), *thinned_note(shown)),
        legend=_legend(measured),
    )


def _noise_note(step: ValidityStep) -> tuple[str, ...]:
    n = int((step.labels < 0).sum())
    if not n:
        return ()
    how = "is one more cluster here" if step.measure in EXTERNAL else "is left out of the measure"
    return (f"Noise ({n} of {len(step.labels)} rows, grey) {how}.",)


# --- the rows ---------------------------------------------------------------------------------------------------------


def _points(measured: Measured) -> Points:
    """Return the rows in the colours of their clusters; beside a cluster whose part is computed others are faint."""
    labels = measured.last.labels
    colors = np.where(labels < 0, NO_CLASS, labels % NO_CLASS).astype(np.uint8)
    all_full = np.full(len(labels), FULL)
    opacity = [all_full if _about(s) is None else np.where(labels == _about(s), FULL, FAINT) for s in measured.steps]
    more: dict[str, Any] = {}
    if measured.last.measure in EXTERNAL:
        more["symbol"] = (np.unique(np.asarray(measured.problem.y), return_inverse=True)[1] % NO_CLASS).astype(np.uint8)
    return data_points(measured.problem, color=colors, opacity=PerFrame(opacity), **more)


def _about(step: ValidityStep) -> int | None:
    """Return the label of the cluster whose part a step computes."""
    if step.phase != "part" or step.term is None or step.measure == HOPKINS:
        return None
    return step.names[step.term.index]


def _below(measured: Measured) -> list[Mark]:
    """Return what a measure draws among the rows: lines to the centre, extreme pairs of rows, or probes."""
    measure, points = measured.last.measure, measured.problem.points
    if measured.last.reason:
        return []
    if measure in ("sse", "calinski_harabasz", "davies_bouldin"):
        return [_spokes(measured)]
    if measure == "dunn":
        return [_extremes(measured, points)]
    return []


def _spokes(measured: Measured) -> Segments:
    """Return the lines from the rows of a cluster to its centre."""
    points, starts, ends = measured.problem.points, [], []
    for step in measured.steps:
        label = _about(step)
        mine = points[step.labels == label] if label is not None else points[:0]
        mine = mine[:: max(1, -(-len(mine) // MOST_LINES))]
        center = points[step.labels == label].mean(axis=0) if len(mine) else np.zeros(2)
        starts.append(mine)
        ends.append(np.broadcast_to(center, mine.shape))
        if step.measure == "davies_bouldin" and step.term is not None and len(mine):
            other = points[step.labels == step.names[step.term.other]].mean(axis=0)
            starts[-1], ends[-1] = np.vstack([mine, center]), np.vstack([ends[-1], other])
    return moves(starts, ends, arrow=False, width=1.0)


def _extremes(measured: Measured, points: Floats) -> Segments:
    """Return the diameter of the cluster and its least distance to another; in the end those that decide."""
    starts, ends = [], []
    terms = measured.last.parts.terms
    widest, nearest = max(terms, key=lambda t: t.values[0]), min(terms, key=lambda t: t.values[1])
    final = (*widest.rows[:2], *nearest.rows[2:])
    for step in measured.steps:
        rows = step.term.rows if step.phase == "part" and step.term else final if step.phase != "cluster" else ()
        starts.append(points[list(rows[::2])])
        ends.append(points[list(rows[1::2])])
    return moves(starts, ends, arrow=False, width=3.0)


def _legend(measured: Measured) -> tuple[Key, ...]:
    found = [int(label) for label in np.unique(measured.last.labels)]
    clusters = [
        Key("noise") if label < 0 else Key(f"cluster {label + 1}", label % NO_CLASS) for label in found[:MOST_KEYS]
    ]
    if measured.last.measure == HOPKINS:
        return Key("distance from a random place", 0, 3, hollow=True), Key("distance from a row", 1)
    if measured.last.measure in EXTERNAL and measured.problem.classes:
        known = np.unique(np.asarray(measured.problem.y))
        symbols = [Key(str(measured.problem.classes[c]), symbol=i) for i, c in enumerate(known[:MOST_KEYS])]
        return *clusters, *symbols
    return tuple(clusters)


# --- other clusterings ------------------------------------------------------------------------------------------------


def others(run: Run) -> list[str]:
    """Return the names of the clusterings that the reader compares with."""
    return [name for name in chosen(run, OPTIONS).values() if name != NONE]


def judged(run: Run, name: str) -> dict[str, float] | str:
    """Return all measures of another clustering on the same rows, or the sentence with which it is refused."""

    def measure() -> dict[str, float] | str:
        model = ClusterValidity(name, run.model.n_clusters, measure="sse", random_state=run.seed)
        try:
            return dict(model.fit(*run.problem.training.arguments).measures_)
        except ValueError as error:
            return str(error)

    found: dict[str, float] | str = run.once(f"measures of {name}", measure)
    return found


def _compared(run: Run) -> tuple[Panel, list[Mark], Any]:
    """Return bars of the measure for all clusterings that are compared, and a table of them."""
    last: ValidityStep = run.trace.steps[-1]
    if last.measure == HOPKINS:
        names, values = ["these rows", "random rows, on average"], [last.value, 0.5]
    else:
        names = [name_of(run.model.clustering), *(name_of(name) for name in others(run))]
        found = [judged(run, name) for name in others(run)]
        values = [last.value, *(np.nan if isinstance(each, str) else each[last.measure] for each in found)]
    heights = np.where(np.isfinite(values), values, np.nan)
    index = np.arange(len(names))
    known = np.flatnonzero(np.isfinite(heights))
    low, high = bounds(np.append(heights, 0.0), 0.12)
    low = min(low, 0.0) if np.nanmin(np.append(heights, 0.0)) < 0 else 0.0
    rects = Rects(
        panel="compare", x0=np.zeros(len(known)), x1=heights[known], y0=-known - 0.42, y1=-known - 0.16,
        color=np.where(known == 0, 0, NO_CLASS).astype(np.uint8), opacity=[0.8], of="",
    )  # fmt: skip
    told = [f"{name}: {'–' if np.isnan(v) else num4(v)}" for name, v in zip(names, heights, strict=True)]
    texts = Texts(
        panel="compare",
        x=np.full(len(names), low + 0.02 * (high - low)),
        y=-index + 0.22,
        text=told,
        anchor="start",
        dy=2.0,
        of="",
    )
    label = SPOKEN[last.measure]
    panel = Panel(
        "compare",
        Axis(label, low, high),
        Axis("", -len(names) + 0.45, 0.55, ticks=[""]),
        f"Compared: {label}",
        side=True,
    )
    rows: Sequence[tuple[Any, ...]] = [
        (name, None if np.isnan(v) else short(v)) for name, v in zip(names, heights, strict=True)
    ]
    return panel, [rects, texts], short_table(("clustering", label), rows, "Compared on the same rows", [0])
