"""Binary problems for many classes in words and numbers: each problem, its votes, and the decoding."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.multiclass.binary_step import BinaryStep, agreeing, contradictory
from dmlib.classification.multiclass.one_vs_one import OneVsOneClassifier, squeezed
from dmlib.classification.multiclass.one_vs_rest import OneVsRestClassifier
from dmlib.pictures.ledger import (
    Blocks,
    Cell,
    Formula,
    LedgerTable,
    abridged,
    numbered_table,
    short_table,
)
from dmlib.pictures.regions import error_table, query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, short, signed
from dmlib.problem import Problem, Query

MAX_CLASSES, MAX_TERMS = 3, 6


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

    def __init__(self, problem: Problem, model: Any, query: Query, signs: Ints) -> None:
        self.problem, self.model, self.query, self.signs = problem, model, query, signs
        self.names = [problem.classes[code] for code in model.classes_]
        values, positive = model.answers(problem.table(query.x[None]))
        self.values, self.positive = values[0], positive[0]

    def votes(self, number: int) -> Ints:
        """Return the votes of the first problems at the place, shape (n_classes,)."""
        return np.asarray(agreeing(self.signs[:, :number], self.positive[None, :number])[0])

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: BinaryStep = moment.step
        caption, blocks = self._problem(step) if step.phase == "train" else self._decoding()
        query = query_table(self.problem, self.query)
        return caption, [*blocks, query, *self._query_blocks(step)]

    # --- a problem --------------------------------------------------------------------------------

    def _problem(self, step: BinaryStep) -> tuple[str, Blocks]:
        n, missed = len(step.rows), int((step.said != step.positive).sum())
        plus, minus = self._side(step.number, 1), self._side(step.number, -1)
        which = f"Problem {step.number} of {self.signs.shape[1]}"
        if not plus or not minus:
            word = "positive" if plus else "negative"
            text = "all classes have the same bit, so no classifier is trained"
            return f"{which}: {text}.", [Formula(f"the prediction is {word} everywhere")]
        caption = (
            f"{which}: {plus} (+) against {minus} (−); "
            f"{count(missed, 'row', 'rows')} of {n} misclassified."
        )
        rows: list[list[Cell]] = []
        is_wrong = step.said != step.positive
        for sign, names, is_member in (("+", plus, step.positive), ("−", minus, ~step.positive)):
            rows.append([sign, names, int(is_member.sum()), int((is_member & is_wrong).sum())])
        table = LedgerTable(("side", "classes", "rows", "wrong"), rows, "The rows of this problem")
        wrong = f"{rows[0][3]} + {rows[1][3]}"
        warned = (
            [Formula(f"its classifier warns (1 is +, 0 is −): {step.reason}")]
            if step.reason
            else []
        )
        return caption, [table, Formula(f"error = ({wrong}) / {n} = {num(missed / n)}"), *warned]

    def _side(self, number: int, side: int) -> str:
        """Return the classes on a side of a problem, in words."""
        members = [self.names[c] for c in np.flatnonzero(self.signs[:, number - 1] == side)]
        if len(members) == len(self.names) - 1 > 1:
            return "the rest"
        return abridged(members, MAX_CLASSES, ", ")

    # --- all together -----------------------------------------------------------------------------

    def _decoding(self) -> tuple[str, Blocks]:
        answers = self.model.answers(self.problem.training.data)[1]
        tied = contradictory(agreeing(self.signs, answers))
        n, m = len(tied), self.signs.shape[1]
        caption, words = self._words()
        if m == 1 and len(self.names) == 2:
            caption = "Two classes need only one problem: its prediction is the class."
        elif not caption:
            votes, where = (
                count(m, "problem votes", "problems vote"),
                count(int(tied.sum()), "row", "rows"),
            )
            caption = f"{votes}: at {where} of {n} no single class has the most votes."
        share = Formula(
            f"votes contradict at {int(tied.sum())} / {n} = {num(tied.mean())} of the rows"
        )
        return caption, [error_table(self.problem, self.model), share, *words]

    def _words(self) -> tuple[str, Blocks]:
        """Return which classes an output code cannot tell apart, if there are any, and how many bits it corrects."""
        if isinstance(self.model, OneVsRestClassifier | OneVsOneClassifier):
            return "", []
        pairs = combinations(range(len(self.names)), 2)
        d, i, j = min((int((self.signs[i] != self.signs[j]).sum()), i, j) for i, j in pairs)
        differ = f"code words differ in at least {d} bits"
        if d == 0:
            same = (
                f"{self.names[i]} and {self.names[j]} have the same "
                f"code word, so {self.names[j]} is never predicted"
            )
            return f"{same}: lengthen the code.", [Formula(differ)]
        corrected = count((d - 1) // 2, "wrong bit is", "wrong bits are")
        return "", [
            Formula(f"{differ}: (d − 1) / 2 = {num((d - 1) / 2)}, so {corrected} corrected")
        ]

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
        kind = "decision value" if self.model.even == 0 else "probability of +"
        border = f"+ above {self.model.even:g}"
        emphasis = [step.number - 1] if step.phase == "train" else []
        table = numbered_table(
            ("problem", "+", "−", "value", "predicted"),
            rows,
            f"{kind.capitalize()} at the place, {border}",
            emphasis,
            by="problem",
        )
        if step.phase == "train":
            return [table, Formula(f"votes so far: {self._listed(self.votes(step.number))}")]
        return [table, self._totals(), *map(Formula, self._winner())]

    def _listed(self, numbers: Any) -> str:
        terms = [f"{name} {num(n)}" for name, n in zip(self.names, numbers, strict=True)]
        return abridged(terms, MAX_TERMS, "; ")

    @property
    def _scores(self) -> Floats:
        return np.asarray(self.model._scores(self.values[None], self.positive[None])[0])

    def _totals(self) -> LedgerTable:
        """Return, class by class, votes and what decides."""
        votes, scores = self.votes(self.signs.shape[1]), self._scores
        measures: list[tuple[str, Floats]] = [("value", scores)]
        if isinstance(self.model, OneVsOneClassifier):
            sums = self.signs @ self.values
            measures = [("sum", sums), ("squeezed", squeezed(sums)), ("total", scores)]
        elif not isinstance(self.model, OneVsRestClassifier):
            measures = [("distance", -scores)]
        lines: list[list[Cell]] = [
            [name, *[None] * (1 + len(measures))] for name in self.problem.classes
        ]
        for c, code in enumerate(self.model.classes_):
            lines[code] = [
                self.names[c],
                int(votes[c]),
                *(short(values[c]) for _, values in measures),
            ]
        best = [int(self.model.classes_[scores.argmax()])]
        return short_table(
            ("class", "votes", *(name for name, _ in measures)),
            lines,
            "Votes and tie-breaking",
            best,
            classes=True,
        )

    def _winner(self) -> list[str]:
        """Return how ties of votes are broken, and who wins."""
        votes, scores = self.votes(self.signs.shape[1]), self._scores
        first = self.names[int(scores.argmax())]
        leaders = [self.names[c] for c in np.flatnonzero(votes == votes.max())]
        single = len(leaders) == 1
        equal = [self.names[c] for c in np.flatnonzero(scores == scores.max())]
        last = (
            ""
            if len(equal) == 1
            else f"; {abridged(equal, MAX_CLASSES, ', ')} are equal, so the first wins"
        )
        if isinstance(self.model, OneVsRestClassifier):
            return [
                self._claims(),
                f"the largest value is {num(scores.max())}{last}: the class is {first}",
            ]
        if isinstance(self.model, OneVsOneClassifier):
            tie = (
                f"{leaders[0]} has most votes"
                if single
                else f"tie of {abridged(leaders, MAX_CLASSES, ', ')}"
            )
            how = "" if single else ", broken by the sum of values"
            return [self._sum(int(scores.argmax())), f"{tie}{how}{last}: the class is {first}"]
        votes_say = f"most bits agree with {abridged(leaders, MAX_CLASSES, ', ')}"
        nearest = f"the nearest code word is at {num(-scores.max())}"
        return [f"{votes_say}; {nearest}{last}: the class is {first}"]

    def _claims(self) -> str:
        """Return which classes claim the place, by one-versus-rest."""
        if len(self.names) == 2:
            return (
                f"{self._side(1, 1)} is predicted"
                if self.positive[0]
                else f"{self._side(1, 1)} is not predicted"
            )
        claiming = [self.names[c] for c in np.flatnonzero(self.positive)]
        if len(claiming) == 1:
            return f"one problem is positive: {claiming[0]}"
        claims = (
            f"several problems are positive: {abridged(claiming, MAX_CLASSES, ', ')}"
            if claiming
            else "no problem is positive"
        )
        return f"{claims}, so values of different problems are compared"

    def _sum(self, c: int) -> str:
        """Write out the sum that breaks ties, of one class."""
        terms = [signed(self.signs[c, i] * self.values[i]) for i in np.flatnonzero(self.signs[c])]
        total = float(self.signs[c] @ self.values)
        size = f"{num(total)} / (3 ({num(abs(total))} + 1)) = {num(squeezed(np.array(total)))}"
        return (
            f"sum of {self.names[c]} = {abridged(terms, MAX_TERMS)} = {num(total)}; squeezed {size}"
        )
