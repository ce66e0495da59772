"""Questions about support vector machines: a pair of multipliers, the slacks and the margin."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dmlib.classification.class_questions import first_of
from dmlib.classification.svm.algorithm import SVC, NuSVC
from dmlib.classification.svm.machine import Machine
from dmlib.classification.svm.svm_step import SVCStep
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import Problem

MAX_ROWS = 300  # whose slacks are computed
MAX_SLACKS = 12  # rows with a slack that are picked
MAX_WEIGHTS = 3  # of a length that is computed by hand
MAX_VALUE = 100.0
EDGE = 1e-3  # distance from the edge of the margin that is none
CLEAR = 0.06  # distance from it that is seen
TOLERANCE = 0.01


class Rule(Misconception):
    """Wrong rules of support vector machines."""

    OPPOSITE = "When one multiplier of a pair rises, the other falls by as much."
    ALONE = "A multiplier moves alone: its partner stays."
    UNCLIPPED = "A multiplier moves to the maximum of the objective, however far away it is."
    MISCLASSIFIED = "Only misclassified rows have a slack."
    SUPPORT = "Every support vector has a slack."
    HALF = "The margin is 1 / ‖w‖ wide."


def questions(run: Run[Problem, SVC | NuSVC]) -> Iterator[Question]:
    """Yield the questions that the steps of a support vector machine answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.SVC` or :class:`dmlib.classification.NuSVC`.

    Yields
    ------
    Question
        Before pairs are moved, and before the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import SVC
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 4.0, 5.0], "c": ["no", "no", "yes", "yes"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True, positive="yes")
    >>> [question.topic for question in questions(Run.of(problem, SVC(kernel="linear")))]
    ['rows with a slack', 'margin']
    """
    yield from first_of(_of_steps(run))


def _of_steps(run: Run[Problem, SVC | NuSVC]) -> Iterator[Question]:
    steps = run.trace.steps
    for number in range(1, len(steps)):
        step, before = steps[number], steps[number - 1]
        if step.phase == "pair":
            pair = [*_clipped(run, number, step, before), *_partner(run, number, step, before)]
            yield from [question for question in pair if not _says_answer(question)][:1]
        elif step.phase == "done" and isinstance(run.model, SVC) and step.kernel is not None:
            yield from _slacks(run, number, step)
            yield from _margin(run, number, step)


def _says_answer(question: Question) -> bool:
    """Return whether the answer is one of the numbers in the prompt, other than 0 and 1."""
    answer = question.answer
    assert isinstance(answer, Value)
    solution = re.escape(answer.text(answer.value))
    is_whole = float(answer.value).is_integer()
    return not is_whole and bool(re.search(rf"(?<![\d.]){solution}(?![\d.])", question.prompt))


# --- a pair ---------------------------------------------------------------------------------------


def _partner(
    run: Run[Problem, SVC | NuSVC], number: int, step: SVCStep, before: SVCStep
) -> Iterator[Question]:
    assert step.move is not None
    i, j = step.move.i, step.move.j
    old, new = before.alpha[[i, j]], step.alpha[[i, j]]
    change = float(new[0] - old[0])
    if abs(change) < 10 * TOLERANCE * max(old.max(), new.max()):
        return
    first, second = _rows(run, step, [i, j])
    is_alike = step.sign[i] == step.sign[j]
    classes = "the same class" if is_alike else "different classes"
    signs = f"{'+1' if step.sign[i] > 0 else '(−1)'} · {signed(change, 4)}"
    yield Question(
        number,
        "partner",
        f"Rows {first} and {second}, of {classes}, are the pair. α of row {first} goes from "
        f"{num4(old[0])} to {num4(new[0])}; what does α of row {second}, {num4(old[1])} so far, "
        "become?",
        Value(float(new[1]), TOLERANCE * max(old.max(), new.max())),
        f"Σ y α stays 0: y α of row {first} changes by {signs}, so that of row {second} by the "
        f"opposite, to α = {num4(new[1])}.",
        (Wrong(Rule.OPPOSITE, float(old[1] - change)), Wrong(Rule.ALONE, float(old[1]))),
        "The sum of y α over all rows stays the same.",
        about=[first, second],
    )


def _clipped(
    run: Run[Problem, SVC | NuSVC], number: int, step: SVCStep, before: SVCStep
) -> Iterator[Question]:
    move = step.move
    assert move is not None
    if not move.step < move.unclipped or not np.isfinite(step.box).all():
        return
    pair = [move.i, move.j]
    first, second = _rows(run, step, pair)
    (one, old), y = before.alpha[pair], float(step.sign[move.j])
    best = float(old - y * move.unclipped)
    low, high = step.box
    is_alike = step.sign[move.i] == step.sign[move.j]
    constraint = "their sum" if is_alike else "their difference"
    tops = [num4(bound) for bound in step.bound[pair]]
    ranges = f"both stay from 0 to {tops[1]}"
    if tops[0] != tops[1]:
        ranges = f"they stay from 0 to {tops[0]} and {tops[1]}"
    yield Question(
        number,
        "box",
        f"α of rows {first} and {second} is {num4(one)} and {num4(old)}; {constraint} stays, and "
        f"{ranges}. The objective is largest where α of row {second} is {num4(best)}: what does it "
        "become?",
        Value(float(step.alpha[move.j]), TOLERANCE * max(high, 1e-9)),
        f"α of row {second} can be from {num4(low)} to {num4(high)}, else α of row {first} would "
        f"leave the box; of these values, {num4(step.alpha[move.j])} is the nearest to "
        f"{num4(best)}.",
        (Wrong(Rule.UNCLIPPED, best), Wrong(Rule.ALONE, float(old))),
        "Follow the line until one of the two meets a side of the box.",
        about=[first, second],
    )


# --- the end --------------------------------------------------------------------------------------


def _slacks(run: Run[Problem, SVC | NuSVC], number: int, step: SVCStep) -> Iterator[Question]:
    if len(step.rows) > MAX_ROWS or np.isinf(step.bound).any():
        return
    machine = Machine(run.problem, run.trace.steps[0])
    values = step.sign * machine.decision(machine.X, step)
    inside = np.flatnonzero(values < 1 - EDGE)
    is_clear = not ((np.abs(values - 1) > EDGE) & (np.abs(values - 1) < CLEAR)).any()
    if is_clear and len(inside) <= MAX_SLACKS:
        yield _with_slack(run, number, step, values)
    # of a row between boundary and edge, and of one on the wrong side
    between = np.flatnonzero((values > CLEAR) & (values < 1 - CLEAR))[:1].tolist()
    for k in {*between, int(values.argmin())}:
        if values[k] < 1 - CLEAR and abs(values[k]) < MAX_VALUE:
            yield _slack(run, number, step, k, float(values[k]))


def _with_slack(
    run: Run[Problem, SVC | NuSVC], number: int, step: SVCStep, values: NDArray[np.float64]
) -> Question:
    inside = _rows(run, step, np.flatnonzero(values < 1 - EDGE))
    listing = ", ".join(
        f"{num4(values[k])} (row {row})"
        for k, row in zip(np.flatnonzero(values < 1 - EDGE), inside, strict=True)
    )
    proof = f"y f(x) is below 1 there: {listing}."
    return Question(
        number,
        "rows with a slack",
        "The machine is trained. Which rows have a slack?",
        Pick("row", [inside], several=True),
        proof if inside else "y f(x) is at least 1 for all rows: none has a slack.",
        (
            Wrong(Rule.MISCLASSIFIED, _rows(run, step, np.flatnonzero(values < 0))),
            Wrong(Rule.SUPPORT, _rows(run, step, np.flatnonzero(step.alpha))),
        ),
        "Look for rows on the wrong side of the dashed line of their class.",
    )


def _slack(
    run: Run[Problem, SVC | NuSVC], number: int, step: SVCStep, k: int, value: float
) -> Question:
    (row,) = _rows(run, step, [k])
    wrong = [Wrong(Rule.MISCLASSIFIED, 0.0)] if value > 0 else []
    return Question(
        number,
        "slack",
        f"The decision value of row {row}, times the sign of its class, is {num4(value)}: "
        "what is its slack ξ?",
        Value(1 - value, TOLERANCE * max(1.0, abs(value))),
        f"ξ = max(0, 1 − y f(x)) = 1 − {signed(value, 4)} = {num4(1 - value)}.",
        wrong,
        "A slack begins at the edge of the margin, where y f(x) = 1.",
        about=[row],
    )


def _margin(run: Run[Problem, SVC | NuSVC], number: int, step: SVCStep) -> Iterator[Question]:
    assert step.kernel is not None
    n_weights = len(run.problem.features)
    if step.kernel.name != "linear" or n_weights > MAX_WEIGHTS:
        return
    machine = Machine(run.problem, run.trace.steps[0])
    w = (step.sign * step.alpha) @ machine.X
    length = float(np.linalg.norm(w))
    if not length > 0 or not np.isfinite(length):
        return
    squares = " + ".join(f"{signed(each, 4)}²" for each in w)
    yield Question(
        number,
        "margin",
        f"w = ({', '.join(num4(each) for each in w)}): how wide is the margin, from edge to edge?",
        Value(2 / length, TOLERANCE * 2 / length),
        f"2 / ‖w‖ = 2 / √({squares}) = {num4(2 / length)}.",
        [Wrong(Rule.HALF, 1 / length)],
        "From the boundary to each edge, f changes by 1.",
    )


def _rows(run: Run[Problem, SVC | NuSVC], step: SVCStep, places: object) -> list[int]:
    """Return the numbers of the rows of some multipliers."""
    rows = run.problem.training.rows[step.rows[np.asarray(places, np.intp)]] + 1
    return [int(row) for row in rows]
