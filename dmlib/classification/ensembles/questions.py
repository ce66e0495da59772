"""Questions about bagging and forests: bags, out-of-bag predictions, and means of votes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.class_questions import first_of, total
from dmlib.classification.ensembles.ensemble_step import EnsembleStep
from dmlib.classification.ensembles.voting import VotingClassifier
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem

MAX_DRAWS = 16  # in a bag that is written out
MAX_TREES = 8  # whose probabilities are averaged by hand
MAX_ROWS = 30  # among which one is looked for that tells wrong rules apart


class Rule(Misconception):
    """Wrong rules of bagging."""

    EVERY = "A bag has every row once, so that none is left out."
    REPEATED = "The rows that are drawn more than once are out of bag."
    ONE = "A row is left out with probability 1 / n."
    MAJORITY = "The probability of a class is the fraction of the classifiers that predict it."
    LAST = "The classifier that joins last decides."
    IN_BAG = "All classifiers vote out of bag, also those that were trained on the row."


def questions(run: Run[Problem, VotingClassifier]) -> Iterator[Question]:
    """Yield the questions that the trees of an ensemble answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.BaggingClassifier` or
        :class:`dmlib.classification.RandomForestClassifier`.

    Yields
    ------
    Question
        Before each tree.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import BaggingClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "c": list("xxyyxx")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> run = Run.of(problem, BaggingClassifier(n_estimators=2, random_state=0))
    >>> [question.topic for question in questions(run)][:2]
    ['chance', 'left out']
    """
    yield from first_of(_of_trees(run))


def _of_trees(run: Run[Problem, VotingClassifier]) -> Iterator[Question]:
    steps: Sequence[EnsembleStep] = run.trace.steps
    if len(steps) < 2 or not run.trace.complete:
        return
    trees = _Trees(run, steps)
    for number in range(1, min(len(steps), MAX_TREES + 1)):
        if number == 1:
            yield from _chance(trees)
        if number % 3 == 1:
            yield from _left_out(trees, number)
        elif number % 3 == 2:
            yield from _probability(trees, number)
        else:
            yield from _out_of_bag(trees, number)


class _Trees:
    """The trees of a run, with what they predict for the query and for some training rows.

    Parameters
    ----------
    run : Run
        The run.
    steps : sequence of EnsembleStep
        Its steps.
    """

    def __init__(self, run: Run[Problem, VotingClassifier], steps: Sequence[EnsembleStep]) -> None:
        problem = run.problem
        self.bags = [step.bag for step in steps[1 : MAX_TREES + 1]]
        self.bootstrap = bool(run.model.bootstrap)
        self.rows = problem.training.rows + 1
        self.names = [problem.classes[code] for code in run.fitted.classes_]
        some_rows = np.asarray(problem.training.X)[:MAX_ROWS]
        rows = np.vstack([run.current_query.x[None], some_rows])
        every = run.fitted.each_predict_proba(problem.table(rows))
        shares = np.array([each for each, _ in zip(every, self.bags, strict=False)])
        self.query: Floats = shares[:, 0]  # (n_trees, n_classes)
        self.of_rows: Floats = shares[:, 1:]  # (n_trees, n_rows, n_classes)
        self.is_left_out = np.array(
            [np.bincount(bag, minlength=len(self.rows)) == 0 for bag in self.bags]
        )


def _chance(trees: _Trees) -> Iterator[Question]:
    n, draws = len(trees.rows), len(trees.bags[0])
    if not trees.bootstrap:
        return
    chance = (1 - 1 / n) ** draws
    yield Question(
        1,
        "chance",
        f"{draws} rows are drawn from {n} with replacement: with which probability is a certain "
        "row left out?",
        Value(chance, 0.01),
        f"Each draw misses it with probability 1 − 1/{n}, so all do with (1 − 1/{n})^{draws} = "
        f"{num4(chance)}.",
        (Wrong(Rule.EVERY, 0.0), Wrong(Rule.ONE, 1 / n)),
        "All draws must miss it.",
    )


def _left_out(trees: _Trees, number: int) -> Iterator[Question]:
    bag = trees.bags[number - 1]
    if len(bag) > MAX_DRAWS or len(trees.rows) > MAX_DRAWS:
        return
    times = np.bincount(bag, minlength=len(trees.rows))
    draws = ", ".join(str(trees.rows[i]) for i in bag)
    outside, repeated = (_numbers(trees, places) for places in (times == 0, times > 1))
    yield Question(
        number,
        "left out",
        f"The draws for classifier {number} are rows {draws}. Which training rows are out of its "
        "bag?",
        Pick("row", [outside], several=True),
        f"{count(int((times > 0).sum()), 'row is', 'rows are')} among the draws; of the "
        f"{len(trees.rows)} training rows, {len(outside)} are not.",
        (Wrong(Rule.EVERY, []), Wrong(Rule.REPEATED, repeated)),
        "Some rows are drawn several times, others never.",
    )


def _probability(trees: _Trees, number: int) -> Iterator[Question]:
    votes = trees.query[:number]
    majority = _fractions(votes)
    mean = votes.mean(axis=0)
    k = int(np.abs(mean - majority).argmax())
    name = trees.names[k]
    listing = ", ".join(num4(p) for p in votes[:, k])
    yield Question(
        number,
        "probability",
        f"At the query the {number} classifiers, the new one included, have P({name}) = {listing}: "
        "which probability do they have together?",
        Value(float(mean[k]), 0.01),
        f"({total(votes[:, k])}) / {number} = {num4(mean[k])}.",
        (Wrong(Rule.MAJORITY, float(majority[k])), Wrong(Rule.LAST, float(votes[-1, k]))),
        "Every classifier counts alike, and as much as it is sure.",
    )


def _out_of_bag(trees: _Trees, number: int) -> Iterator[Question]:
    votes, left_out = trees.of_rows[:number], trees.is_left_out[:number, : trees.of_rows.shape[1]]
    n_left_out = left_out.sum(axis=0)
    is_mixed = (n_left_out > 0) & (n_left_out < number)
    if not is_mixed.any():
        return
    with np.errstate(invalid="ignore", divide="ignore"):
        means = (votes * left_out[:, :, None]).sum(axis=0) / n_left_out[:, None]
    gaps = np.where(is_mixed[:, None], np.abs(means - votes.mean(axis=0)), -1.0)
    i, k = (int(place) for place in np.unravel_index(gaps.argmax(), gaps.shape))
    name, own = trees.names[k], votes[:, i, k]
    listing = ", ".join(
        f"{num4(p)} ({'out of bag' if out else 'in bag'})"
        for p, out in zip(own, left_out[:, i], strict=True)
    )
    yield Question(
        number,
        "out of bag",
        f"For row {trees.rows[i]} the {number} classifiers have P({name}) = {listing}: what is its "
        "out-of-bag probability?",
        Value(float(means[i, k]), 0.01),
        f"({total(own[left_out[:, i]])}) / {n_left_out[i]} = {num4(means[i, k])}: only "
        "classifiers that were trained without the row count.",
        (Wrong(Rule.IN_BAG, float(own.mean())), Wrong(Rule.LAST, float(own[-1]))),
        "The row is like a test row for some of the classifiers.",
        about=[int(trees.rows[i])],
    )


def _fractions(votes: Floats) -> Floats:
    """Return for each class the fraction of the trees that predict it."""
    winners: Ints = votes.argmax(axis=1)
    fractions: Floats = np.bincount(winners, minlength=votes.shape[1]) / len(votes)
    return fractions


def _numbers(trees: _Trees, mask: Any) -> list[int]:
    return [int(row) for row in trees.rows[np.flatnonzero(mask)]]
