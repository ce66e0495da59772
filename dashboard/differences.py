"""Differences between two runs on the same rows, at the frames that stand side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import contingency_matrix

from dmlib.estimator import HasEdges, SupportsStages
from dmlib.pictures.pair import FramePairs
from dmlib.pictures.run import AnyRun
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import brief

if TYPE_CHECKING:
    from dashboard.view import View

Codes = NDArray[np.intp]
MAX_NAMES = 4
"""Coefficients that are named."""


@dataclass(frozen=True)
class Difference:
    """A difference between two runs at a step.

    Attributes
    ----------
    text : str
        A sentence that counts it; empty where the two cannot be compared.
    rows : ndarray of bool, optional
        Of the rows that both show, those that differ.
    edges : tuple of ndarray of shape (n, 2), optional
        The edges that only the first has, and those that only the second has.
    """

    text: str = ""
    rows: NDArray[np.bool_] | None = None
    edges: tuple[Codes, Codes] | None = None


NO_DIFFERENCE = Difference()


def differences(pinned: View, current: View, frames: FramePairs) -> list[Difference]:
    """Return what differs at each pair of frames of two views."""
    first, second = pinned.run, current.run
    places = common_rows(pinned, current)
    if first is None or second is None or not len(places[0]):
        return [NO_DIFFERENCE] * len(frames)
    if _answers(is_regressor, first, second, places):
        return _regressions(pinned, current, frames, places)
    is_classes = _answers(is_classifier, first, second, places)
    answers_of = _classes if is_classes else _clusters
    columns = []
    for side, view in enumerate((pinned, current)):
        codes = answers_of(view, sorted({pair[side] for pair in frames}))
        columns.append({frame: column[places[side]] for frame, column in codes.items()})
    compare = _compare_classes if is_classes else _compare_clusters
    compared = [compare(columns[0].get(i), columns[1].get(j)) for i, j in frames]
    is_end = (
        pinned.scene.frames[frames[-1][0]].is_last and current.scene.frames[frames[-1][1]].is_last
    )
    return [*compared[:-1], _with_edges(compared[-1], first, second)] if is_end else compared


def common_rows(pinned: View, current: View) -> tuple[Codes, Codes]:
    """Return the places of the rows of the data that both views show, in each; none of others.

    One technique may leave out rows with missing values that another one takes.
    """
    problems = (pinned.data.problem, current.data.problem)
    is_same = (
        pinned.data.table is current.data.table or pinned.data.table_code == current.data.table_code
    )
    if not is_same or any(problem is None for problem in problems):
        return np.empty(0, np.intp), np.empty(0, np.intp)
    left_rows, right_rows = (problem.rows for problem in problems)
    _, first, second = np.intersect1d(left_rows, right_rows, return_indices=True)
    return first, second


def same_rows(pinned: View, current: View) -> bool:
    """Return whether two views show the same rows of the same data, and no others."""
    n_common = len(common_rows(pinned, current)[0])
    sizes = [
        len(view.data.problem.rows) for view in (pinned, current) if view.data.problem is not None
    ]
    return n_common > 0 and sizes == [n_common, n_common]


def _answers(is_kind: Any, first: AnyRun, second: AnyRun, places: tuple[Codes, Codes]) -> bool:
    """Return whether two runs predict a target, and the same one."""
    runs = (first, second)
    if not all(run.problem.labelled and is_kind(run.model) for run in runs):
        return False
    pinned, current = (run.problem.y[place] for run, place in zip(runs, places, strict=True))
    return np.array_equal(pinned, current, equal_nan=True)


# --- clusters -----------------------------------------------------------------------------------


def _clusters(view: View, frames: Sequence[int]) -> dict[int, Codes]:
    """Return the clusters of all rows in these frames, where the steps have them."""
    assert view.run is not None
    columns: dict[int, Codes] = {}
    for i in frames:
        labels = _labels(view, view.scene.frames[i])
        if labels is not None and len(labels) == len(view.run.problem.rows):
            columns[i] = np.asarray(labels)
    return columns


def _labels(view: View, frame: Frame) -> Any:
    if frame.is_last and view.run is not None and view.run.trace.complete:
        return getattr(view.technique.answer(view.run), "labels_", None)
    return getattr(frame.step, "labels", None)


def _compare_clusters(pinned: Codes | None, current: Codes | None) -> Difference:
    """Count the rows in other clusters, after the numbers are matched by overlap.

    Examples
    --------
    >>> one = np.array([0, 0, 1, 1, -1])
    >>> _compare_clusters(one, np.array([1, 1, 0, 1, -1])).text
    '1 of 5 rows differ; adjusted Rand index 0.211.'
    """
    if pinned is None or current is None:
        return NO_DIFFERENCE
    rows = pinned != matched(pinned, current)
    index = adjusted_rand_score(pinned, current)
    return Difference(f"{_count(rows)}; adjusted Rand index {brief(index)}.", rows)


def matched(pinned: Codes, current: Codes) -> Codes:
    """Return clusters under the numbers of those on the left with which they share most rows.

    Rows without a cluster, of a negative number, stay without. A cluster without a counterpart gets
    a number that none on the left has.

    Examples
    --------
    >>> matched(np.array([0, 0, 1, -1]), np.array([2, 2, 2, 0])).tolist()
    [0, 0, 0, 2]
    """
    both = (pinned >= 0) & (current >= 0)
    numbers: dict[int, int] = {}
    if both.any():
        names, codes = np.unique(pinned[both]), np.unique(current[both])
        table = contingency_matrix(pinned[both], current[both])
        pairs = zip(*linear_sum_assignment(table, maximize=True), strict=True)
        numbers |= {int(codes[j]): int(names[i]) for i, j in pairs}
    free = count(int(pinned.max(initial=-1)) + 1)
    unmatched = set(current[current >= 0].tolist()) - numbers.keys()
    numbers |= {code: next(free) for code in sorted(unmatched)}
    return np.array([numbers.get(code, -1) for code in current.tolist()], dtype=np.intp)


def _with_edges(difference: Difference, first: AnyRun, second: AnyRun) -> Difference:
    """Add the edges that only one of two runs has, where both join rows by edges."""
    models = [run.fitted for run in (first, second) if run.trace.complete]
    edges = [set(map(tuple, m.edges().tolist())) for m in models if isinstance(m, HasEdges)]
    if len(edges) < 2 or not all(edges):
        return difference
    alone = [sorted(edges[0] - edges[1]), sorted(edges[1] - edges[0])]
    counts = f"{len(alone[0]):,} edges are only at the left, {len(alone[1]):,} only at the right."
    first_only, second_only = (np.reshape(each, (-1, 2)).astype(np.intp) for each in alone)
    text = f"{difference.text} {counts}".strip()
    return replace(difference, text=text, edges=(first_only, second_only))


# --- classes ------------------------------------------------------------------------------------


def _classes(view: View, frames: Sequence[int]) -> dict[int, Codes]:
    """Return the predicted classes of all rows in these frames, where the run knows them."""
    run, scene = view.run, view.scene
    if run is None or not run.trace.complete:
        return {}
    columns: dict[int, Codes] = {}
    ends = [i for i in frames if scene.frames[i].is_last]
    if ends:
        end = run.once("predicted classes", partial(run.fitted.predict, run.problem.data))
        columns |= dict.fromkeys(ends, np.asarray(end))
    records = {type(step) for step in run.trace.steps}
    earlier = [i for i in frames if i not in columns and type(scene.frames[i].step) in records]
    if earlier and isinstance(run.fitted, SupportsStages):
        steps = [scene.frames[i].step for i in earlier]
        stages = run.fitted.predict_at(steps, run.problem.data)
        known = zip(earlier, stages, strict=True)
        columns |= {i: np.asarray(codes) for i, codes in known if codes is not None}
    return columns


def _compare_classes(pinned: Codes | None, current: Codes | None) -> Difference:
    """Count the rows of another predicted class.

    Examples
    --------
    >>> _compare_classes(np.array([0, 1, 1]), np.array([0, 1, 0])).text
    '1 of 3 rows differ in the predicted class.'
    """
    if pinned is None or current is None:
        return NO_DIFFERENCE
    rows = pinned != current
    return Difference(f"{_count(rows)} in the predicted class.", rows)


# --- numbers ------------------------------------------------------------------------------------


def _regressions(
    pinned: View, current: View, frames: FramePairs, places: tuple[Codes, Codes]
) -> list[Difference]:
    """Say at the end of both how far the predictions differ, and which signs of coefficients."""
    first, second = pinned.run, current.run
    assert first is not None
    assert second is not None
    ends = [pinned.scene.frames[i].is_last and current.scene.frames[j].is_last for i, j in frames]
    if not (any(ends) and first.trace.complete and second.trace.complete):
        return [NO_DIFFERENCE] * len(frames)
    predicted = [
        run.once("predicted numbers", partial(run.fitted.predict, run.problem.data))[place]
        for run, place in zip((first, second), places, strict=True)
    ]
    gaps = np.abs(np.subtract(*predicted))
    text = f"Predictions differ by {brief(gaps.mean())} on average, at most {brief(gaps.max())}."
    end = Difference(f"{text} {_signs(first, second)}".strip())
    return [end if is_end else NO_DIFFERENCE for is_end in ends]


def _signs(first: AnyRun, second: AnyRun) -> str:
    """Say which coefficients have another sign in the second run, zeros apart."""
    slopes = [np.asarray(getattr(run.fitted, "coef_", ()), float) for run in (first, second)]
    features = tuple(first.problem.features)
    if any(each.shape != (len(features),) for each in slopes):
        return ""
    if features != tuple(second.problem.features):
        return ""
    names = [name for name, a, b in zip(features, *slopes, strict=True) if a * b < 0]
    if not names:
        return "No coefficient has another sign."
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    listed = ", ".join(names[:MAX_NAMES])
    return f"Other sign of {len(names)} of {len(features)} coefficients: {listed}{more}."


def _count(rows: NDArray[np.bool_]) -> str:
    return f"{int(rows.sum()):,} of {len(rows):,} rows differ"
