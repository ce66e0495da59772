"""Questions about discretisation: where a column is cut, what a cut gains, the code of a value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.answers import Option, Place, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.words import num4, upper_first
from dmlib.preprocessing.bin_counts import WIDTH_RULES
from dmlib.preprocessing.discretisation.algorithm import Discretizer, DiscretizerStep
from dmlib.preprocessing.discretisation.binarizer import (
    CODINGS,
    Binarizer,
    BinarizerStep,
    code_table,
)
from dmlib.preprocessing.discretisation.column_scene import CutColumn
from dmlib.preprocessing.discretisation.scene import shown_column
from dmlib.preprocessing.discretisation.supervised import Trial, entropy
from dmlib.problem import Problem

MAX_QUESTIONS = 40
MIN_REACH = 0.012  # of the axis: what a click can hit
MAX_CODES = 5  # intervals whose codes are asked for
RULE_NAMES = {
    "width": "equal width",
    "frequency": "equal frequency",
    "percentile": "the rule of percentiles",
    "statistical": "the rule of mean and standard deviations",
    **WIDTH_RULES,
    "one_rule": "1R",
}
CLOSE = 1e-9  # scores of cuts that differ by rounding errors


class Rule(Misconception):
    """Wrong rules of discretisation."""

    WIDTH = "The cuts divide the range into equal widths."
    FREQUENCY = "The cuts divide the rows into equal numbers."
    CHANGE = "A column is cut where the class changes for the first time."
    UNWEIGHTED = "The entropy after a cut is the mean of both sides, whatever their sizes."
    SUM = "The entropy after a cut is the sum of both sides."
    ANY_GAIN = "Every cut that lowers the entropy is made."


def questions(run: Run[Problem, Discretizer | Binarizer]) -> Iterator[Question]:
    """Yield the questions that the steps of the column in the picture answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.preprocessing.Discretizer` or
        :class:`dmlib.preprocessing.Binarizer`.

    Yields
    ------
    Question
        Before cuts are made, tried, moved or removed, and before intervals get their codes.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1, 2, 3, 5, 6], "c": list("xxxyyx")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> [question.topic for question in questions(Run.of(problem, Discretizer("entropy")))]
    ['place of a cut', 'entropy after a cut', 'cut or not']
    """
    steps, model = run.trace.steps, run.model
    if not steps or not run.trace.complete:
        return
    column = CutColumn(run.problem, run.fitted, shown_column(run))
    numbers = [i for i, step in enumerate(steps) if i and step.column == column.column]
    for number in numbers[:MAX_QUESTIONS]:
        step = steps[number]
        if isinstance(model, Binarizer):
            yield from _code(model.coding, column, number, step)
        elif step.phase == "move":
            yield from _move(column, number, step, steps[number - 1])
        else:
            yield from _cut(model.strategy, column, number, step)


def _cut(
    strategy: str, column: CutColumn, number: int, step: DiscretizerStep
) -> Iterator[Question]:
    if strategy == "entropy":
        yield from _trial(column, number, step)
    elif step.phase == "merge" and strategy == "chi_merge":
        yield from _merge(column, number, step)
    elif step.phase == "cut":
        yield from _unsupervised(strategy, column, number, step)


# --- entropy --------------------------------------------------------------------------------------


def _trial(column: CutColumn, number: int, step: DiscretizerStep) -> Iterator[Question]:
    trial = step.trial
    if trial is None or trial.entropy <= CLOSE or len(trial.candidates) < 2:
        return
    rows = _rows_of(column, step, trial)
    x, y = column.x[rows], column.y[rows]
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    changes = np.flatnonzero((np.diff(y) != 0) & (np.diff(x) > 0))
    first_change = (x[changes[0]] + x[changes[0] + 1]) / 2 if len(changes) else trial.cut
    best = trial.candidates[trial.scores <= trial.scores.min() + CLOSE]
    places = [trial.cut, *(float(cut) for cut in best if cut != trial.cut)]
    part = _part(column, x)
    yield Question(
        number,
        "place of a cut",
        f"Which cut of {part} is tried?",
        _place(column, places),
        f"{_sides(column, x, y, trial.cut)}: the entropy after this cut is"
        f" {num4(trial.scores.min())} bits, the lowest of all candidates.",
        (
            Wrong(Rule.WIDTH, (float(x[0] + x[-1]) / 2, 0.0)),
            Wrong(Rule.FREQUENCY, (float(np.median(x)), 0.0)),
            Wrong(Rule.CHANGE, (float(first_change), 0.0)),
        ),
        "Look for the cut that leaves both sides as pure as possible.",
        tie="Several cuts have the same entropy." if len(places) > 1 else "",
    )
    yield from _entropy_after(column, number, trial, x, y)
    if trial.scores.min() < trial.entropy - CLOSE:
        yield _decision(number, trial)


def _entropy_after(
    column: CutColumn, number: int, trial: Trial, x: Floats, y: NDArray[np.intp]
) -> Iterator[Question]:
    """Ask about a candidate that is not tried, whose sides differ most in size and entropy."""
    best, k = float(trial.scores.min()), len(column.classes)
    most: tuple[float, float, Floats] | None = None
    for cut, score in zip(trial.candidates, trial.scores, strict=True):
        parts = (y[x <= cut], y[x > cut])
        sides = np.array([np.bincount(part, minlength=k) for part in parts], float)
        gap = abs(float(score) - float(entropy(sides).mean()))
        if score > best + CLOSE and (most is None or gap > most[0]):
            most = gap, float(score), sides
    if most is None:
        return
    _, after, sides = most
    n_below, n_above = (int(n) for n in sides.sum(axis=1))
    left, right = (float(value) for value in entropy(sides))
    yield Question(
        number,
        "entropy after a cut",
        f"A candidate leaves {n_below} of {len(x)} rows below with entropy {num4(left)}, and"
        f" {n_above} above with {num4(right)}: what is the entropy after it?",
        Value(after, 0.01, "bits"),
        f"Each side counts by its rows: ({n_below} · {num4(left)} + {n_above} · {num4(right)}) /"
        f" {len(x)} = {num4(after)} bits.",
        (Wrong(Rule.UNWEIGHTED, (left + right) / 2), Wrong(Rule.SUM, left + right)),
        "A side with more rows counts more.",
    )


def _decision(number: int, trial: Trial) -> Question:
    gain, cost = num4(trial.gain), num4(trial.threshold)
    is_cut = trial.phase == "cut"
    relation = "more" if is_cut else "not more"
    return Question(
        number,
        "cut or not",
        f"The best cut of these {trial.n} rows gains {gain} bits, and its description costs {cost}:"
        " what becomes of it?",
        Option(
            ["it is made", "it is rejected", "it is made, and another one is removed"],
            [0 if is_cut else 1],
        ),
        f"The gain {gain} is {relation} than the cost {cost}, so the cut is"
        f" {'made' if is_cut else 'rejected'}.",
        (Wrong(Rule.ANY_GAIN, 0),),
        "By the minimum description length, a cut has to pay for its own description.",
    )


def _rows_of(column: CutColumn, step: DiscretizerStep, trial: Trial) -> NDArray[np.intp]:
    """Return the rows of the interval that a candidate divides."""
    cuts = step.borders[step.borders != trial.cut]
    interval = np.searchsorted(cuts, trial.cut)
    return np.flatnonzero(np.searchsorted(cuts, column.x) == interval)


def _part(column: CutColumn, x: Floats) -> str:
    name = column.axis.label
    if len(x) == len(column.x):
        return f"{name}"
    return f"the {len(x)} rows with {name} from {num4(x[0])} to {num4(x[-1])}"


def _sides(column: CutColumn, x: Floats, y: NDArray[np.intp], cut: float) -> str:
    """Return the classes of the rows on both sides of a cut."""
    sides = []
    for name, is_side in (("below", x <= cut), ("above", x > cut)):
        counts = np.bincount(y[is_side], minlength=len(column.classes))
        pairs = zip(counts, column.classes, strict=True)
        listing = " and ".join(f"{n} {label}" for n, label in pairs if n)
        sides.append(f"{name} are {listing}")
    return f"At {num4(cut)}, {', '.join(sides)}"


# --- other cuts -----------------------------------------------------------------------------------


def _merge(column: CutColumn, number: int, step: DiscretizerStep) -> Iterator[Question]:
    trial = step.trial
    if trial is None or len(trial.candidates) < 2:
        return
    lowest = trial.candidates[trial.scores <= trial.scores.min() + CLOSE]
    places = [trial.cut, *(float(cut) for cut in lowest if cut != trial.cut)]
    yield Question(
        number,
        "merge",
        "Which cut does ChiMerge remove next?",
        _place(column, places),
        f"Both sides of {num4(trial.cut)} have χ² = {num4(trial.gain)}, the smallest of all pairs"
        " of neighbours.",
        (),
        "Look for neighbours whose classes have the most similar shares.",
        tie="Several pairs of neighbours have this χ²." if len(places) > 1 else "",
    )


def _unsupervised(
    strategy: str, column: CutColumn, number: int, step: DiscretizerStep
) -> Iterator[Question]:
    final = np.asarray(column.model.cuts_[column.column], float)
    if step.trial is None or not len(final):
        return
    cut = step.trial.cut
    rank, n_parts = int(np.searchsorted(final, cut)) + 1, len(final) + 1
    low, high = float(column.x.min()), float(column.x.max())
    width = low + (high - low) * rank / n_parts
    frequency = float(np.quantile(column.x, rank / n_parts))
    which = f"cut {rank} of {len(final)}" if len(final) > 1 else "the cut"
    yield Question(
        number,
        "place of a cut",
        f"Where does {RULE_NAMES[strategy]} put {which} of {column.axis.label}?",
        _place(column, [cut]),
        _reason(strategy, column, cut, n_parts),
        (Wrong(Rule.WIDTH, (width, 0.0)), Wrong(Rule.FREQUENCY, (frequency, 0.0))),
        f"The values lie between {num4(low)} and {num4(high)}.",
    )


def _move(
    column: CutColumn, number: int, step: DiscretizerStep, before: DiscretizerStep
) -> Iterator[Question]:
    """Ask for the first cut after the centres of k-means move to the means of their rows."""
    if before.phase != "move":
        return
    interval = np.searchsorted(before.borders, column.x)
    parts = [column.x[interval == i] for i in (0, 1)]
    if not all(map(len, parts)):
        return
    low, high = (float(part.mean()) for part in parts)
    cut, inner = float(step.borders[0]), np.concatenate(parts)
    yield Question(
        number,
        "place of a cut",
        "The centres move to the means of their rows: where does the first cut lie then?",
        _place(column, [cut]),
        f"The means are {num4(low)} and {num4(high)}, and halfway is {num4(cut)}.",
        (
            Wrong(Rule.WIDTH, (float(inner.min() + inner.max()) / 2, 0.0)),
            Wrong(Rule.FREQUENCY, (float(np.median(inner)), 0.0)),
        ),
        "The cut is halfway between two means.",
    )


def _reason(strategy: str, column: CutColumn, cut: float, n_parts: int) -> str:
    """Return the arithmetic of a cut that depends on no entropy."""
    x = column.x
    low, high, n_below = float(x.min()), float(x.max()), int((x <= cut).sum())
    below = f"{n_below} of {len(x)} rows lie below {num4(cut)}"
    if strategy in ("width", *WIDTH_RULES):
        width = (high - low) / n_parts
        return (
            f"The {n_parts} intervals are ({num4(high)} − {num4(low)}) / {n_parts} ="
            f" {num4(width)} wide, so this cut lies at {num4(cut)}."
        )
    reasons = {
        "frequency": f"{below}; each of {n_parts} intervals holds about"
        f" {num4(len(x) / n_parts)} rows.",
        "percentile": f"{below}, about as many as this percentile asks for.",
        "statistical": f"The mean is {num4(x.mean())}, the standard deviation {num4(x.std())}: the"
        f" cut lies at {num4(cut)}.",
        "one_rule": f"Up to {num4(cut)} the majority class has enough rows, and the next value has"
        " another class.",
    }
    return reasons.get(strategy, f"{below}.")


def _place(column: CutColumn, cuts: Sequence[float]) -> Place:
    """Return a vertical line at one of several cuts, wherever it lies between two values."""
    panel = Panel("data", column.axis, Axis("", -0.6, len(column.classes) - 0.4))
    values = np.unique(column.x)
    gaps = [float(np.abs(values - cut).min(initial=np.inf)) for cut in cuts]
    width, height = panel.size.tolist()
    reach = float(np.clip(min(gaps), MIN_REACH * width, 0.04 * width))
    return Place(panel, [(float(cut), 0.0) for cut in cuts], "x", (reach, height))


# --- bits -----------------------------------------------------------------------------------------


def _code(coding: str, column: CutColumn, number: int, step: BinarizerStep) -> Iterator[Question]:
    k = len(step.borders) + 1
    if step.phase != "code" or k < 3 or step.interval >= MAX_CODES:
        return
    right = _text(step.bits)
    own = (_text(code) for code in code_table(k, coding))
    others = (_text(code_table(k, other)[step.interval]) for other in CODINGS)
    options = sorted(list(dict.fromkeys([right, *others, *own]))[:4])
    part = column.names[step.interval] if column.names else f"interval {step.interval + 1} of {k}"
    yield Question(
        number,
        "code",
        f"Which bits ({CODINGS[coding]}) does {part} get?",
        Option(options, [options.index(right)]),
        f"{upper_first(part)} has the number {step.interval}, counted from 0: {right} in"
        f" {CODINGS[coding]} bits.",
        (),
        {
            "one_hot": "Each interval has a bit of its own.",
            "thermometer": "There is a bit for each cut that is passed.",
            "binary": "The first interval has the number 0.",
            "gray": "Neighbours differ in one bit.",
        }[coding],
    )


def _text(bits: NDArray[np.int_]) -> str:
    return "".join(str(int(bit)) for bit in bits)
