"""A search as a picture: the way through the lattice of sets, or of many columns, which are in the set at each step."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dmlib.arrays import Floats
from dmlib.feature_selection.rows_scene import Fit, Rows, fitted_rows, pairs_of_columns, row_values
from dmlib.feature_selection.scores import Score, Subset, goodness
from dmlib.feature_selection.search import SearchStep
from dmlib.feature_selection.search_ledger import SHORT, SearchLedger, better_is
from dmlib.feature_selection.subset_search import SCORES
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Rects, Segments, Texts
from dmlib.pictures.motion import path, thin, thinned_note, with_before
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene, bounds
from dmlib.pictures.words import short

MOST_IN_LATTICE = 6
NAMED_AXIS = 32  # columns up to which an axis names each
CHOSEN, SCORED, BEST = 0, 1, 2  # colours
FAINT = 0.25
LEGEND = (Key("set", CHOSEN, 0), Key("scored before", SCORED, 0), Key("best of all sets", BEST, 0, hollow=True))


@dataclass(frozen=True)
class Walked:
    """A run of a search, as its pictures need it."""

    steps: Sequence[SearchStep]
    score: Score
    features: Sequence[str]
    best: Subset | None  # of all sets, where all are looked at
    number: Mapping[Subset, int]  # of the sets that are drawn, from 1


def search_scene(run: Run, show_all: bool) -> Scene:
    """Draw a search: with up to six columns the lattice of all sets, with more the columns in the set step by step."""
    problem, trace = run.problem, run.trace
    training = problem.training
    score = run.once("score", lambda: run.model.scorer(training.X, training.y))
    for step in trace.steps:
        score.remember((*step.candidates, step.subset), (*step.values, step.value))
    at = thin(len(trace.steps))
    pairs = with_before(trace.steps, at)
    steps = [step for step, _ in pairs]
    small = score.n_features <= MOST_IN_LATTICE
    all_sets = _all_sets(score.n_features) if small else []
    too_slow = show_all and not score.affordable(all_sets)
    best = _best_of_all(score) if small and show_all and not too_slow else None
    drawn = all_sets if small else [each for step in steps for each in step.best or step.candidates]
    number = {subset: i for i, subset in enumerate(dict.fromkeys(drawn), 1)}
    ledger = SearchLedger(score, problem.features, number)
    walked = Walked(steps, score, problem.features, best, number)
    subsets = [step.subset for step in steps]
    fit = Fit(problem) if problem.numeric_target else None
    rows = fitted_rows(fit, subsets) if fit else _two_columns(run, steps)

    def frame(step: SearchStep, before: SearchStep) -> Frame:
        more: Blocks = []
        if run.selected is not None:
            more = (
                fit.row(step.subset, run.selected)
                if fit
                else [row_values(problem, run.selected, range(min(12, score.n_features)), "" if small else "column")]
            )
        return ledger.frame(step, before, more)

    frames = Deferred(frame, [step for step, _ in pairs], [before for _, before in pairs])
    panel, marks = lattice(walked) if small else membership(walked)
    side, curve = scores_by_size(walked)
    notes = (*problem.notes, *thinned_note(at), f"{ledger.name} is to be {better_is(score.name)}.")
    if too_slow:
        notes += ("Scores are those of the sets that were compared: this model takes too long for all.",)
    legend = LEGEND if best is not None else LEGEND[:2] if small else ()
    return Scene((panel, side, rows.panel), (*marks, *curve, *rows.marks), frames, notes, (), legend)


def _best_of_all(score: Score) -> Subset:
    return max(_all_sets(score.n_features), key=lambda subset: goodness(score, score(subset)))


def _all_sets(p: int) -> list[Subset]:
    return [subset for k in range(p + 1) for subset in itertools.combinations(range(p), k)]


def _two_columns(run: Run, steps: Sequence[SearchStep]) -> Rows:
    """Return the rows by the first two columns of each set; of the empty set, by the first two of all."""
    first = (0, 1) if run.problem.X.shape[1] > 1 else (0,)
    pairs = [(*(step.subset or first), None)[:2] for step in steps]
    return pairs_of_columns(run.problem, [(int(pair[0] or 0), pair[1]) for pair in pairs], "Rows: two columns")


# --- the lattice ------------------------------------------------------------------------------------------------------


def lattice(walked: Walked) -> tuple[Panel, list[Mark]]:
    """Return all sets, a level for each size, and the way through them."""
    p, steps, score = len(walked.features), walked.steps, walked.score
    sets = _all_sets(p)
    number = {subset: i for i, subset in enumerate(sets)}
    levels = [[subset for subset in sets if len(subset) == k] for k in range(p + 1)]
    width = max(map(len, levels))
    place = {
        subset: (width * (i + 0.5) / len(level), float(k))
        for k, level in enumerate(levels)
        for i, subset in enumerate(level)
    }
    x, y = np.array([place[subset] for subset in sets]).T
    edges = np.array([(number[a], number[b]) for a in sets for b in sets if len(b) == len(a) + 1 and set(a) < set(b)])
    states = [_states(steps[: i + 1], number) for i in range(len(steps))]
    tips = [_tip(walked, subset) for subset in sets]
    marks: list[Mark] = [
        Segments(x0=x[edges[:, 0]], y0=y[edges[:, 0]], x1=x[edges[:, 1]], y1=y[edges[:, 1]], width=0.5, of=""),
        _bests(steps, place) if steps[-1].best else _way(steps, place),
    ]
    if walked.best is not None:
        bx, by = place[walked.best]
        marks.append(Points(x=[bx], y=[by], color=[BEST], symbol=[0], hollow=[1], size=[14.0], of=""))
    color = PerFrame([state[0] for state in states])
    size = PerFrame([state[1] for state in states])
    opacity = PerFrame([state[2] for state in states])
    numbers = [walked.number[subset] for subset in sets]
    marks.append(
        Points(
            x=x, y=y, color=color, symbol=[0], size=size, opacity=opacity, labels=tips, numbers=numbers, of="set",
        )
    )  # fmt: skip
    marks.append(Texts(x=x, y=y, text=[_label(walked, subset) for subset in sets], dy=-17.0, halo=True, of=""))
    if width <= 10:
        values = [score(subset) if walked.best is not None else np.nan for subset in sets]
        texts = ["" if np.isnan(value) else f"{value:.3g}".replace("-", "−") for value in values]
        marks.append(Texts(x=x, y=y, text=texts, dy=25.0, halo=True, of=""))
    panel = Panel("data", Axis("", 0.0, float(width)), Axis("columns in the set", -0.6, p + 0.5, integer=True))
    return panel, marks


def _label(walked: Walked, subset: Subset) -> str:
    """Return the name of a single column with its number, and the numbers of the others."""
    if len(subset) == 1:
        name = walked.features[subset[0]]
        return f"{subset[0] + 1} {name if len(name) <= 12 else name[:11] + '…'}"
    return "".join(str(j + 1) for j in subset) or "∅"


def _tip(walked: Walked, subset: Subset) -> str:
    names = ", ".join(walked.features[j] for j in subset) or "no column"
    if walked.best is None:
        return names
    value = walked.score(subset)
    return names if np.isnan(value) else f"{names}: {short(value)}"


def _states(steps: Sequence[SearchStep], number: dict[Subset, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return colour, size and opacity of each set: at a step, those compared are large, those of before small."""
    color = np.full(len(number), NO_CLASS, np.uint8)
    size, opacity = np.full(len(number), 3.5), np.full(len(number), FAINT)
    for step in steps:
        for subset in (*step.candidates, step.subset):
            color[number[subset]], size[number[subset]], opacity[number[subset]] = SCORED, 5.0, 0.6
    last = steps[-1]
    for subset in last.candidates:
        size[number[subset]], opacity[number[subset]] = 7.0, 1.0
    here = number[last.subset]
    color[here], size[here], opacity[here] = CHOSEN, 11.0, 1.0
    return color, size, opacity


def _bests(steps: Sequence[SearchStep], place: dict[Subset, tuple[float, float]]) -> Line:
    """Return the line through the best set of each size so far."""
    places = [np.array([place[subset] for subset in step.best]) for step in steps]
    x, y = (PerFrame([each[:, i] for each in places]) for i in range(2))
    return Line(x=x, y=y, color="accent", width=3.0)


def _way(steps: Sequence[SearchStep], place: dict[Subset, tuple[float, float]]) -> Segments:
    """Return the moves so far."""
    moves = [(*place[a.subset], *place[b.subset]) for a, b in itertools.pairwise(steps)]
    ends = np.array(moves, float).reshape(-1, 4)
    n = range(len(steps))
    x0, y0, x1, y1 = (PerFrame([ends[:k, c] for k in n]) for c in range(4))
    colors = PerFrame([np.full(k, CHOSEN, np.uint8) for k in n])
    return Segments(x0=x0, y0=y0, x1=x1, y1=y1, color=colors, width=4.0, of="")


# --- many columns -----------------------------------------------------------------------------------------------------


def membership(walked: Walked) -> tuple[Panel, list[Mark]]:
    """Return a line for each column, filled during the steps in which it is in the set."""
    p, steps = len(walked.features), walked.steps
    spans = []
    for j in range(p):
        inside = np.array([j in step.subset for step in steps])
        edges = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(int)))
        spans += [(start - 0.5, end - 0.5, p - 1 - j, j + 1) for start, end in edges.reshape(-1, 2)]
    x0, x1, y, columns = np.array(spans, float).reshape(-1, 4).T
    x, names = Axis("step", -0.5, len(steps) - 0.5, integer=True), tuple(walked.features)[::-1]
    ticks = names if p <= NAMED_AXIS else tuple(name if (p - 1 - i) % 4 == 0 else "" for i, name in enumerate(names))
    panel = Panel("data", x, Axis("column", -0.6, p - 0.4, ticks=ticks))
    now = np.arange(len(steps)) + 0.5
    bars = Rects(
        x0=PerFrame([np.minimum(x0, t) for t in now]), x1=PerFrame([np.minimum(x1, t) for t in now]),
        y0=y - 0.4, y1=y + 0.4, color=[CHOSEN], opacity=[0.75],
        numbers=columns, of="column",
    )  # fmt: skip
    moved = [[] if step.moved is None else [float(p - 1 - step.moved)] for step in steps]
    dots = Points(
        x=PerFrame([[float(i)] * len(each) for i, each in enumerate(moved)]), y=PerFrame(moved), color=[SCORED],
        symbol=[0], size=[6.0], of="",
    )  # fmt: skip
    return panel, [bars, dots]


# --- the scores -------------------------------------------------------------------------------------------------------


def scores_by_size(walked: Walked) -> tuple[Panel, list[Mark]]:
    """Return the scores of the sets on the way by their size, and of the candidates."""
    steps, score = walked.steps, walked.score
    way = [(len(step.subset), step.value) for step in steps]
    tree = steps[-1].best
    places = [_values(walked, step.best if tree else step.candidates) for step in steps]
    every = np.concatenate([*(each[:, 1] for each in places), [value for _, value in way]])
    y = Axis(SHORT.get(score.name, SCORES[score.name]), *bounds(every[np.isfinite(every)], 0.08))
    sizes = Axis("columns in the set", -0.3, walked.score.n_features + 0.3, integer=True)
    panel = Panel("scores", sizes, y, f"{y.label} by size", side=True)
    inside = [each[(each[:, 1] >= y.low) & (each[:, 1] <= y.high)] for each in places]
    dots = Points(
        panel="scores", x=PerFrame([e[:, 0] for e in inside]), y=PerFrame([e[:, 1] for e in inside]), color=[SCORED],
        symbol=[0], size=[3.0], opacity=[0.7], numbers=PerFrame([e[:, 2] for e in inside]), of="set",
    )  # fmt: skip
    now = PerFrame([[walked.number.get(step.subset, 0) if np.isfinite(step.value) else 0] for step in steps])
    if tree:
        line = Line(
            panel="scores", x=PerFrame([e[:, 0] for e in places]), y=PerFrame([e[:, 1] for e in places]),
            color="accent", width=1.5,
        )  # fmt: skip
        here = np.array(way, float)
        spot = Points(
            panel="scores", x=PerFrame(list(here[:, :1])), y=PerFrame(list(_inside(here[:, 1:], y))), color=[CHOSEN],
            symbol=[0], size=[6.0], numbers=now, of="set",
        )  # fmt: skip
        return panel, [line, dots, spot]
    known = [(size, value) for size, value in way if np.isfinite(value)]
    reached = np.cumsum([np.isfinite(value) for _, value in way])
    line, end = path(known, reached, panel="scores")
    return panel, [dots, line, replace(end, numbers=now, of="set")]


def _inside(values: Floats, axis: Axis) -> Floats:
    return np.clip(np.nan_to_num(values, nan=axis.high), axis.low, axis.high)


def _values(walked: Walked, subsets: Sequence[Subset]) -> Floats:
    """Return size, score and number of each set that has a score."""
    known = [(len(subset), walked.score(subset), walked.number[subset]) for subset in subsets]
    return np.array([each for each in known if np.isfinite(each[1])], float).reshape(-1, 3)
