"""Questions about the perceptron and Adaline: sums, mistakes, and what a row does to weights."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from dmlib.neural.perceptron.algorithm import Adaline
from dmlib.neural.perceptron.kernel import KernelPerceptron
from dmlib.neural.perceptron.neuron import LinearUnit, NeuronStep
from dmlib.neural.perceptron.voted import VotedPerceptron
from dmlib.pictures.answers import Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import Problem

MAX_QUESTIONS = 60
MAX_TERMS = 4  # of a sum that is computed by hand
TOLERANCE = 0.02  # of a sum or a weight, as a share of the size of its terms
FATES = ("the weights stay", "the row is added", "the row is subtracted")


class Rule(Misconception):
    """Wrong rules of a perceptron."""

    LINE = "A row on the line is classified correctly."
    ALWAYS = "Every row changes the weights, misclassified or not."
    SUBTRACT = "A misclassified row is subtracted from the weights, whatever its class."
    INTERCEPT = "The weighted sum has no intercept."
    REPLACE = "The weights become the values of the misclassified row."
    DISTANCE = "The farther a row is on the wrong side, the more it changes the weights."


def questions(run: Run[Problem, LinearUnit]) -> Iterator[Question]:
    """Yield the questions that the rows of the first epochs answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.Perceptron`, :class:`dmlib.neural.KernelPerceptron` or
        :class:`dmlib.neural.Adaline`.

    Yields
    ------
    Question
        Before each row.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.neural import Perceptron
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "c": ["no", "yes", "no"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True)
    >>> [question.topic for question in questions(Run.of(problem, Perceptron(max_iter=1)))]
    ['mistake', 'sum', 'weight']
    """
    of_rows = _of_counts if isinstance(run.model, KernelPerceptron) else _of_rows
    yield from islice(of_rows(run), MAX_QUESTIONS)
    if isinstance(run.model, VotedPerceptron) and run.trace.complete:
        yield from _vote(run)


def _of_rows(run: Run[Problem, LinearUnit]) -> Iterator[Question]:
    steps = run.trace.steps
    terms = run.model.terms(np.asarray(run.problem.training.X, float))
    of_rows = [i for i in range(1, len(steps)) if steps[i].row is not None]
    for turn, number in enumerate(of_rows):
        step, before = steps[number], steps[number - 1]
        asked = _Row(run, number, step, before, terms[step.row])
        if turn % 3 == 1:
            yield from asked.sum()
        elif (turn % 3 == 2 and step.phase == "update") or isinstance(run.model, Adaline):
            yield asked.weight()
        else:
            yield asked.mistake()


def _vote(run: Run[Problem, LinearUnit]) -> Iterator[Question]:
    """Ask for the vote on a row, if there is one on which the last weights or heads mislead."""
    terms = run.model.terms(np.asarray(run.problem.training.X, float))
    ballot, last = run.trace.steps[-1].ballot, run.trace.steps[-1].weights
    votes, is_positive = ballot.votes, terms @ ballot.vectors.T > 0
    n_votes, n_vectors = is_positive @ votes, is_positive.sum(axis=1)
    by_vote, by_last = 2 * n_votes > ballot.n_rows, terms @ last > 0
    by_head = 2 * n_vectors > len(ballot.votes)
    misleading = np.flatnonzero((by_vote != by_last) | (by_vote != by_head))
    if not len(misleading):
        return
    i = int(misleading[0])
    row, negative = int(run.problem.training.rows[i]) + 1, ballot.n_rows - int(n_votes[i])
    of_last = "above" if by_last[i] else "not above"
    yield Question(
        len(run.trace.steps) - 1,
        "vote",
        f"For row {row}, {n_vectors[i]} of {len(ballot.votes)} weight vectors have a sum above 0; "
        f"they survived {n_votes[i]} rows, the others {negative}. The sum of the last is {of_last} "
        "0. Which class does the voted perceptron predict?",
        Option(run.problem.classes[:2], [int(by_vote[i])]),
        f"{n_votes[i]} votes {'>' if by_vote[i] else '≤'} {negative} votes.",
        hint="A vector has as many votes as rows that it survived.",
        about=[row],
    )


class _Row:
    """The questions about one row.

    Parameters
    ----------
    run : Run
        The run.
    number : int
        The number of the step.
    step, before : NeuronStep
        The step of the row, and the one before it.
    terms : ndarray of shape (n_terms,)
        Its values, after a 1 where there is an intercept.
    """

    def __init__(
        self,
        run: Run[Problem, LinearUnit],
        number: int,
        step: NeuronStep,
        before: NeuronStep,
        terms: np.ndarray,
    ) -> None:
        self.model, self.problem = run.model, run.problem
        self.number, self.step, self.terms = number, step, terms
        self.weights = before.weights
        self.row = int(run.problem.training.rows[step.row or 0]) + 1
        self.n_constant = int(run.model.fit_intercept)

    def mistake(self) -> Question:
        """Return the question what a row does to the weights."""
        step, is_update = self.step, self.step.phase == "update"
        fate = 1 if step.sign > 0 else 2
        wrong = [Wrong(Rule.ALWAYS, fate)]
        if is_update:
            wrong = [Wrong(Rule.SUBTRACT, 2)]
            if step.score == 0:
                wrong.insert(0, Wrong(Rule.LINE, 0, "On the line, no class is right."))
        product = f"y s = {signed(step.sign)} · {signed(step.score, 4)} = "
        relation = "≤ 0: misclassified" if is_update else "> 0: classified correctly"
        return Question(
            self.number,
            "mistake",
            f"Row {self.row} of class {self._name} is next: what happens to the weights?",
            Option(FATES, [fate if is_update else 0]),
            f"With the sign y of the class, {product}{num4(step.sign * step.score + 0.0)} "
            f"{relation}, so {FATES[fate * is_update]}.",
            wrong,
            "On which side of the line does it lie?",
            about=[self.row],
        )

    def sum(self) -> Iterator[Question]:
        """Yield the question for the weighted sum of a row."""
        if not 2 <= len(self.terms) <= MAX_TERMS or not self.weights.any():
            return
        parts = self.terms * self.weights
        products = " + ".join(
            f"{signed(weight, 4)} · {signed(term, 4)}"
            for weight, term in zip(self.weights, self.terms, strict=True)
        )
        intercept = float(parts[0]) * self.n_constant
        yield Question(
            self.number,
            "sum",
            f"{self._weights}; row {self.row} has {self._values}. What is its weighted sum?",
            Value(self.step.score, TOLERANCE * max(float(np.abs(parts).max()), 1e-9)),
            f"s = {products} = {num4(self.step.score)}.",
            [Wrong(Rule.INTERCEPT, self.step.score - intercept)],
            "Multiply each value by its weight, and add up.",
            about=[self.row],
        )

    def weight(self) -> Question:
        """Return the question for a weight after the update by a row."""
        step, model, y = self.step, self.model, self.step.sign
        j = self.n_constant + int(np.argmax(np.abs(self.terms[self.n_constant :])))
        name, old, x = self.problem.features[j - self.n_constant], self.weights[j], self.terms[j]
        error, is_adaline = y - step.score, isinstance(model, Adaline)
        size = TOLERANCE * max(abs(step.gain * x), abs(old), 1e-9)
        factor = f"{num4(model.learning_rate)} · {signed(error if is_adaline else y, 4)}"
        verb = "is misclassified" if not is_adaline else f"has the sum {num4(step.score)}"
        rate = f"η = {num4(model.learning_rate)}"
        wrong = [
            Wrong(Rule.REPLACE, x),
            Wrong(Rule.SUBTRACT, old - model.learning_rate * x),
            Wrong(Rule.DISTANCE, old + model.learning_rate * error * x),
        ]
        return Question(
            self.number,
            "weight",
            f"Row {self.row} of class {self._name} with {name} = {num4(x)} {verb}, {rate}, and the "
            f"weight of {name} is {num4(old)}: what does it become?",
            Value(float(step.weights[j]), size),
            f"{num4(old)} + {factor} · {signed(x, 4)} = {num4(step.weights[j])}.",
            wrong[:1] if is_adaline else wrong,
            "The row is added, times the learning rate and "
            + ("its error, the sign minus the sum." if is_adaline else "the sign of its class."),
            about=[self.row],
        )

    @property
    def _name(self) -> str:
        """The class of the row, with its sign."""
        sign = "+1" if self.step.sign > 0 else "−1"
        return f"{self.problem.classes[int(self.step.sign > 0)]} ({sign})"

    @property
    def _weights(self) -> str:
        names = [*["the intercept"] * self.n_constant, *self.problem.features]
        pairs = zip(names, self.weights, strict=True)
        return "The weights are " + ", ".join(f"{num4(w)} ({name})" for name, w in pairs)

    @property
    def _values(self) -> str:
        values = self.terms[self.n_constant :]
        pairs = zip(self.problem.features, values, strict=True)
        return ", ".join(f"{name} = {num4(x)}" for name, x in pairs)


# --- the kernel perceptron ------------------------------------------------------------------------


def _of_counts(run: Run[Problem, LinearUnit]) -> Iterator[Question]:
    """Ask what a row does to its count, by its sum."""
    counts = ("every α stays", "its α grows by 1", "its α falls by 1")
    for number, step in enumerate(run.trace.steps):
        if step.row is None:
            continue
        row = int(run.problem.training.rows[step.row]) + 1
        name = run.problem.classes[int(step.sign > 0)]
        sign, is_update = "+1" if step.sign > 0 else "−1", step.phase == "update"
        wrong = [Wrong(Rule.LINE, 0)] if step.score == 0 else []
        yield Question(
            number,
            "count",
            f"Row {row} of class {name} ({sign}) has the sum {num4(step.score)}: what happens to "
            "the counts?",
            Option(counts, [int(is_update)]),
            f"y s = {num4(step.sign * step.score + 0.0)} {'≤' if is_update else '>'} 0.",
            wrong if is_update else [Wrong(Rule.ALWAYS, 1)],
            "A count is a number of mistakes.",
            about=[row],
        )
