"""Questions about reductions to binary problems: their rows, the votes so far, the decoding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.class_questions import best, first_of, is_optional
from dmlib.classification.multiclass.binary_step import BinaryStep, Mask, agreeing
from dmlib.classification.multiclass.one_vs_one import OneVsOneClassifier
from dmlib.classification.multiclass.one_vs_rest import OneVsRestClassifier
from dmlib.classification.multiclass.output_code import OutputCodeClassifier
from dmlib.classification.multiclass.reduction import BinaryReduction
from dmlib.pictures.answers import Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem

MAX_PROBLEMS = 10  # whose predictions are written out
MAX_ROWS = 100  # among which telling ones are looked for
N_ASKED = 3  # rows whose prediction is asked for


class Rule(Misconception):
    """Wrong rules of one-versus-one."""

    ALL = "Every binary classifier is trained on all rows."
    NEWEST = "The class that wins the newest problem leads."
    SURE = "The class that wins by the largest value leads."
    SUM = "The class with the largest sum of values is predicted, whatever the votes are."


def questions(run: Run[Problem, BinaryReduction]) -> Iterator[Question]:
    """Yield the questions that the binary problems and their decoding answer.

    Parameters
    ----------
    run : Run
        Steps of one of the reductions.

    Yields
    ------
    Question
        Before each problem but the first, and before the decoding.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 4.0, 5.0, 8.0, 9.0], "c": list("xxyyzz")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> [question.topic for question in questions(Run.of(problem, OneVsOneClassifier()))][:3]
    ['rows', 'votes', 'rows']
    """
    yield from first_of(_of_steps(run))


def _of_steps(run: Run[Problem, BinaryReduction]) -> Iterator[Question]:
    steps = run.trace.steps
    if not run.trace.complete:
        return
    model, problem = run.fitted, run.problem
    names = [problem.classes[code] for code in model.classes_]
    values, positive = (each[0] for each in model.answers(problem.table(run.current_query.x[None])))
    for number in range(1, len(steps)):
        step: BinaryStep = steps[number]
        if step.phase == "train":
            yield from _rows(run, number, step, names)
            yield from _votes(number, step, names, values, positive)
        elif is_optional(names):
            yield from _decoding(run, number, step, names)


def _rows(
    run: Run[Problem, BinaryReduction], number: int, step: BinaryStep, names: list[str]
) -> Iterator[Question]:
    column = step.signs[:, step.number - 1]
    n_all, n = len(run.problem.training.X), len(step.rows)
    plus, minus = (_listing(names, column == sign) for sign in (1, -1))
    if not plus or not minus:
        return
    sides = [int(step.positive.sum()), int((~step.positive).sum())]
    yield Question(
        number,
        "rows",
        f"Problem {step.number} is {plus} against {minus}: on how many rows is its classifier "
        "trained?",
        Value(n),
        f"{count(sides[0], 'row is', 'rows are')} of {plus} and {sides[1]} of {minus}: {n} of the "
        f"{n_all} training rows.",
        [Wrong(Rule.ALL, n_all)],
        "Count the rows of the classes on its two sides.",
    )


def _votes(
    number: int, step: BinaryStep, names: list[str], values: Floats, positive: Mask
) -> Iterator[Question]:
    if not is_optional(names, 1):
        return
    n = step.number
    votes = agreeing(step.signs[:, :n], positive[None, :n])[0]
    leaders = best(votes)
    won = [_winners(step.signs[:, j], bool(positive[j])) for j in range(n)]
    if not won[-1]:
        return
    surest = won[int(np.abs(values[:n]).argmax())]
    listing = ", ".join(f"{vote} for {name}" for vote, name in zip(votes, names, strict=True))
    sides = " and ".join(names[c] for c in won[-1])
    yield Question(
        number,
        "votes",
        f"At the query problem {n} is won by {sides}: which class has the most votes then?",
        Option([*names, "none alone"], leaders if len(leaders) == 1 else [len(names)]),
        f"The votes are {listing}.",
        [*(Wrong(Rule.NEWEST, c) for c in won[-1][:1]), *(Wrong(Rule.SURE, c) for c in surest[:1])],
        "Add the new votes to the bars.",
        hides=("Raster",),
    )


def _decoding(
    run: Run[Problem, BinaryReduction], number: int, step: BinaryStep, names: list[str]
) -> Iterator[Question]:
    model, signs = run.fitted, step.signs
    if signs.shape[1] > MAX_PROBLEMS:
        return
    rows = np.asarray(run.problem.training.X)[:MAX_ROWS]
    values, positive = model.answers(run.problem.table(rows))
    scores = model._scores(values, positive)
    sums = (values - model.even) @ signs.T
    differs = sums.argmax(axis=1) != scores.argmax(axis=1)
    for i in np.argsort(~differs, kind="stable")[:N_ASKED]:
        row = int(run.problem.training.rows[i]) + 1
        results = _results_text(model, signs, names, values[i] - model.even, positive[i])
        is_pairs = isinstance(model, OneVsOneClassifier)
        votes = agreeing(signs, positive[[i]])[0]
        if is_pairs and len(best(votes)) > 1:
            continue  # ties are decided by the values
        yield Question(
            number,
            "prediction",
            f"For row {row}, {results}. Which class is predicted?",
            Option(names, best(scores[i])),
            _proof(model, names, scores[i], votes),
            [Wrong(Rule.SUM, int(sums[i].argmax()))] if is_pairs else [],
            _hint(model),
            hides=("Raster",),
            about=[row],
        )


def _results_text(model: Any, signs: Ints, names: list[str], values: Floats, positive: Mask) -> str:
    """Return the predictions of the binary classifiers for a row."""
    if isinstance(model, OneVsRestClassifier) and len(names) > 2:
        return "the values are " + ", ".join(
            f"{num4(value)} for {name}" for value, name in zip(values, names, strict=True)
        )
    if isinstance(model, OutputCodeClassifier):
        bits = "".join("+" if bit else "−" for bit in positive)
        words = ", ".join(
            f"{name} {''.join('+' if sign > 0 else '−' for sign in word)}"
            for name, word in zip(names, signs, strict=True)
        )
        exact = "" if model.decoding == "hamming" else f" ({', '.join(map(num4, values))})"
        return f"the bits are {bits}{exact}, and the code words {words}"
    results = []
    for column, value, is_positive in zip(signs.T, values, positive, strict=True):
        winner, loser = (_listing(names, column == sign) for sign in (1, -1))
        winner, loser = (winner, loser) if is_positive else (loser, winner)
        results.append(f"{winner} beats {loser} by {num4(abs(value))}")
    return ", ".join(results)


def _proof(model: Any, names: list[str], scores: Floats, votes: Ints) -> str:
    if isinstance(model, OneVsOneClassifier):
        numbers, what = [str(vote) for vote in votes], "votes"
    elif isinstance(model, OutputCodeClassifier):
        numbers, what = [num4(-score) for score in scores], "distances of the code words"
    else:
        numbers, what = [num4(score) for score in scores], "values"
    listing = ", ".join(f"{n} for {name}" for n, name in zip(numbers, names, strict=True))
    return f"The {what} are {listing}."


def _hint(model: Any) -> str:
    if isinstance(model, OneVsOneClassifier):
        return "Each pair has one vote, however large its value is."
    if isinstance(model, OutputCodeClassifier):
        return "The nearest code word wins."
    return "The largest value wins."


def _winners(column: Ints, is_positive: bool) -> list[int]:
    """Return the classes on the side of a problem that wins."""
    return [int(c) for c in np.flatnonzero(column == (1 if is_positive else -1))]


def _listing(names: list[str], mask: Mask) -> str:
    return ", ".join(names[c] for c in np.flatnonzero(mask))
