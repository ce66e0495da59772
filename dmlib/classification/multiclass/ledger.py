"""Reductions to binary problems in words and numbers: each problem, its votes, and the decoding."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.class_ledger import table_by_class
from dmlib.classification.multiclass.binary_step import BinaryStep, Mask, agreeing, contradictory
from dmlib.classification.multiclass.one_vs_one import OneVsOneClassifier, squeezed
from dmlib.classification.multiclass.one_vs_rest import OneVsRestClassifier
from dmlib.classification.multiclass.output_code import OutputCodeClassifier
from dmlib.classification.multiclass.reduction import BinaryReduction
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged, numbered_table
from dmlib.pictures.regions import error_table, query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, short, signed
from dmlib.problem import Problem, Query

MAX_CLASSES = 3  # in a list
MAX_TERMS = 6  # of a sum


class Narrator:
    """Captions and ledgers of a reduction to binary problems.

    Parameters
    ----------
    problem : Problem
        The data, labelled.
    model : BinaryReduction
        Fitted to the training rows.
    query : Query
        The place or row that is classified.
    signs : ndarray of shape (n_classes, n_problems)
        The code matrix.
    """

    def __init__(self, problem: Problem, model: BinaryReduction, query: Query, signs: Ints) -> None:
        self.problem = problem
        self.model = model
        self.query = query
        self.signs = signs
        self.names = [problem.classes[code] for code in model.classes_]
        values, positive = model.answers(problem.table(query.x[None]))
        self.values: Floats = values[0]
        self.positive: Mask = positive[0]
        self.scores: Floats = model._scores(values, positive)[0]

    def votes(self, number: int) -> Ints:
        """Return the votes of the first problems for the query, shape (n_classes,)."""
        return np.asarray(agreeing(self.signs[:, :number], self.positive[None, :number])[0])

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: BinaryStep = moment.step
        caption, blocks = self._problem(step) if step.phase == "train" else self._decoding()
        query = query_table(self.problem, self.query)
        return caption, [*blocks, query, *self._query_blocks(step)]

    # --- a problem --------------------------------------------------------------------------------

    def _problem(self, step: BinaryStep) -> tuple[str, Blocks]:
        plus = self._side(step.number, 1)
        minus = self._side(step.number, -1)
        number = f"Problem {step.number} of {self.signs.shape[1]}"
        if not plus or not minus:
            sign = "positive" if plus else "negative"
            caption = f"{number}: all classes have the same bit, so no classifier is trained."
            return caption, [Formula(f"the prediction is {sign} everywhere")]
        n = len(step.rows)
        is_wrong = step.predicted != step.positive
        false_negatives = int((is_wrong & step.positive).sum())
        false_positives = int((is_wrong & ~step.positive).sum())
        n_positive = int(step.positive.sum())
        n_wrong = false_negatives + false_positives
        caption = (
            f"{number}: {plus} (+) against {minus} (−); "
            f"{count(n_wrong, 'row', 'rows')} of {n} misclassified."
        )
        rows = [
            ("+", plus, n_positive, false_negatives),
            ("−", minus, n - n_positive, false_positives),
        ]
        total = f"({false_negatives} + {false_positives}) / {n} = {num(n_wrong / n)}"
        blocks: Blocks = [
            LedgerTable(
                ("side", "classes", "rows", "misclassified"), rows, "The rows of this problem"
            ),
            Formula(f"error = {total}"),
        ]
        if step.reason:
            blocks.append(Formula(f"its classifier warns (1 is +, 0 is −): {step.reason}"))
        return caption, blocks

    def _side(self, number: int, side: int) -> str:
        """Return the names of the classes on a side of a problem."""
        classes = np.flatnonzero(self.signs[:, number - 1] == side)
        if len(classes) == len(self.names) - 1 > 1:
            return "the rest"
        return self._list(classes)

    def _list(self, classes: Iterable[int]) -> str:
        return abridged([self.names[c] for c in classes], MAX_CLASSES, ", ")

    # --- all together -----------------------------------------------------------------------------

    def _decoding(self) -> tuple[str, Blocks]:
        _, positive = self.model.answers(self.problem.training.data)
        is_tied = contradictory(agreeing(self.signs, positive))
        n = len(is_tied)
        n_tied = int(is_tied.sum())
        n_problems = self.signs.shape[1]
        blocks: Blocks = [
            error_table(self.problem, self.model),
            Formula(f"votes contradict at {n_tied} / {n} = {num(is_tied.mean())} of the rows"),
        ]
        votes = count(n_problems, "problem votes", "problems vote")
        rows = count(n_tied, "row", "rows")
        caption = f"{votes}: at {rows} of {n} no single class has the most votes."
        if isinstance(self.model, OutputCodeClassifier):
            equal_words, distance = self._code_words()
            caption = equal_words or caption
            blocks.append(Formula(distance))
        if n_problems == 1 and len(self.names) == 2:
            caption = "Two classes need only one problem: its prediction is the class."
        return caption, blocks

    def _code_words(self) -> tuple[str, str]:
        """Return which classes have the same code word, if any do, and the distance of words."""
        pairs = combinations(range(len(self.names)), 2)
        d, i, j = min((int((self.signs[i] != self.signs[j]).sum()), i, j) for i, j in pairs)
        distance = f"code words differ in at least {d} bits"
        if d == 0:
            first, second = self.names[i], self.names[j]
            consequence = f"so {second} is never predicted: lengthen the code."
            return f"{first} and {second} have the same code word, {consequence}", distance
        corrected = count((d - 1) // 2, "wrong bit is", "wrong bits are")
        return "", f"{distance}: (d − 1) / 2 = {num((d - 1) / 2)}, so {corrected} corrected"

    # --- the query --------------------------------------------------------------------------------

    def _query_blocks(self, step: BinaryStep) -> Blocks:
        rows: list[list[Cell]] = [
            [
                i + 1,
                self._side(i + 1, 1),
                self._side(i + 1, -1),
                short(self.values[i]),
                "+" if self.positive[i] else "−",
            ]
            for i in range(step.number)
        ]
        quantity = "Decision value" if self.model.even == 0 else "Probability of +"
        head = ("problem", "+", "−", "value", "predicted")
        title = f"{quantity} at the place, + above {self.model.even:g}"
        newest = [step.number - 1] if step.phase == "train" else []
        table = numbered_table(head, rows, title, newest, by="problem")
        if step.phase == "train":
            return [table, Formula(f"votes so far: {self._vote_list(self.votes(step.number))}")]
        return [table, self._totals(), *map(Formula, self._winner())]

    def _vote_list(self, votes: Ints) -> str:
        terms = [f"{name} {num(n)}" for name, n in zip(self.names, votes, strict=True)]
        return abridged(terms, MAX_TERMS, "; ")

    def _totals(self) -> LedgerTable:
        """Return the votes and scores of the classes."""
        columns: dict[str, Iterable[Any]] = {"votes": self.votes(self.signs.shape[1])}
        if isinstance(self.model, OneVsOneClassifier):
            sums = self.signs @ self.values
            columns |= {"sum": map(short, sums), "squeezed": map(short, squeezed(sums))}
            columns["total"] = map(short, self.scores)
        elif isinstance(self.model, OneVsRestClassifier):
            columns["value"] = map(short, self.scores)
        else:
            columns["distance"] = map(short, -self.scores)
        best = int(self.scores.argmax())
        codes = self.model.classes_
        return table_by_class(self.problem, codes, columns, "Votes and tie-breaking", best=best)

    def _winner(self) -> list[str]:
        """Return which class wins, and how ties of votes are broken."""
        best = int(self.scores.argmax())
        votes = self.votes(self.signs.shape[1])
        leaders = np.flatnonzero(votes == votes.max())
        equal = np.flatnonzero(self.scores == self.scores.max())
        end = f": the class is {self.names[best]}"
        if len(equal) > 1:
            end = f"; {self._list(equal)} are equal, so the first wins{end}"
        if isinstance(self.model, OneVsRestClassifier):
            return [self._positives(), f"the largest value is {num(self.scores.max())}{end}"]
        if isinstance(self.model, OneVsOneClassifier):
            reason = f"{self.names[leaders[0]]} has most votes"
            if len(leaders) > 1:
                reason = f"tie of {self._list(leaders)}, broken by the sum of values"
            return [self._sum(best), f"{reason}{end}"]
        bits = f"most bits agree with {self._list(leaders)}"
        return [f"{bits}; the nearest code word is at {num(-self.scores.max())}{end}"]

    def _positives(self) -> str:
        """Return which problems of one-versus-rest are positive."""
        if len(self.names) == 2:
            negation = "" if self.positive[0] else "not "
            return f"{self._side(1, 1)} is {negation}predicted"
        classes = np.flatnonzero(self.positive)
        if len(classes) == 1:
            return f"one problem is positive: {self.names[classes[0]]}"
        problems = "no problem is positive"
        if len(classes):
            problems = f"several problems are positive: {self._list(classes)}"
        return f"{problems}, so values of different problems are compared"

    def _sum(self, c: int) -> str:
        """Return the sum of values that breaks ties, of one class."""
        terms = [signed(self.signs[c, i] * self.values[i]) for i in np.flatnonzero(self.signs[c])]
        total = float(self.signs[c] @ self.values)
        scaled = num(squeezed(np.array(total)))
        quotient = f"{num(total)} / (3 ({num(abs(total))} + 1)) = {scaled}"
        equation = f"sum of {self.names[c]} = {abridged(terms, MAX_TERMS)} = {num(total)}"
        return f"{equation}; squeezed {quotient}"
