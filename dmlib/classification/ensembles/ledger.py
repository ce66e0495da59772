"""The words and the arithmetic beside the picture of an ensemble: who is in the bag, and who votes for what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from dmlib.arrays import Floats
from dmlib.classification.ensembles.bags import never_drawn
from dmlib.classification.ensembles.ensemble_step import EnsembleStep
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, few, numbered_table
from dmlib.pictures.regions import error_table, query_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, num4, short
from dmlib.problem import Problem, Query

MOST_TIMES, MOST_ROWS, MOST_VOTES, MOST_TERMS = 4, 8, 10, 6


class Teller:
    """Tells in words and numbers what a classifier that joins brings.

    Parameters
    ----------
    problem : Problem
        The data, labelled.
    model : estimator
        Fitted to the training samples.
    steps : sequence of EnsembleStep
        The whole run.
    errors : mapping of str to ndarray of shape (n_steps,)
        The errors after each step: "training", "out-of-bag" and, where rows are held out, "test".
    votes : ndarray of shape (n_estimators, n_classes)
        What each classifier says of what is asked about.
    query : Query
        What is asked about.
    """

    def __init__(
        self,
        problem: Problem,
        model: Any,
        steps: Sequence[EnsembleStep],
        errors: Mapping[str, Floats],
        votes: Floats,
        query: Query,
    ) -> None:
        self.problem, self.model, self.steps, self.errors, self.votes = problem, model, steps, errors, votes
        self.query = query
        self.numbers = problem.rows[problem.trained] + 1
        self.names = [problem.classes[code] for code in model.classes_]
        self.codes = np.searchsorted(model.classes_, np.asarray(problem.training.y))

    def frame(self, number: int) -> Frame:
        """Return caption and ledger of a step."""
        step = self.steps[number]
        if not number:
            return Frame(self._start(), [self._chance(len(self.steps[1].bag))], step.phase)
        last = [error_table(self.problem, self.model)] if number == len(self.steps) - 1 else []
        ledger = [*self._votes(number), *self._bag(step), *self._tree(step), *self._out_of_bag(step), *last]
        return Frame(self._caption(step, number), ledger, step.phase)

    def _start(self) -> str:
        how = "with" if self.model.bootstrap else "without"
        n = len(self.steps[1].bag)
        return f"No tree yet: each will be grown from {n} rows, drawn {how} replacement from {len(self.codes)}."

    def _caption(self, step: EnsembleStep, number: int) -> str:
        different, n = len(np.unique(step.bag)), len(self.codes)
        oob = self.errors["out-of-bag"][number]
        judged = "no row has been left out yet" if np.isnan(oob) else f"the out-of-bag error is {oob:.1%}"
        test = f", the test error {self.errors['test'][number]:.1%}" if "test" in self.errors else ""
        return f"Tree {number} joins, grown from {different} of {n} rows: {judged}{test}."

    # --- the bag ------------------------------------------------------------------------------------------------------

    def _chance(self, n: int) -> Formula:
        """Return the probability that a bag leaves a row out."""
        N = len(self.codes)
        chance = num4(never_drawn(N, n, self.model.bootstrap))
        if self.model.bootstrap:
            return Formula(f"a row is left out with probability (1 − 1/N)^n = (1 − 1/{N})^{n} = {chance}")
        return Formula(f"a row is left out with probability 1 − n/N = 1 − {n}/{N} = {chance}")

    def _bag(self, step: EnsembleStep) -> Blocks:
        times, n = np.bincount(step.bag, minlength=len(self.codes)), len(step.bag)
        outside = int((times == 0).sum())
        left = Formula(f"left out: {outside} of {len(times)} rows = {num4(outside / len(times))}")
        often = np.argsort(-times, kind="stable")[:MOST_ROWS]
        rows: list[list[Cell]] = [[int(self.numbers[i]), self.names[self.codes[i]], int(times[i])] for i in often]
        who = numbered_table(("row", "class", "times drawn"), rows, "Rows drawn most often")
        table = [self._times(times, n)] if self.model.bootstrap else []
        return [self._chance(n), left, *table, who]

    def _times(self, times: NDArray[np.intp], n: int) -> LedgerTable:
        """Return how many rows were drawn how often, beside the mean of the binomial distribution."""
        N = len(times)
        means = N * binom.pmf(np.arange(MOST_TIMES), n, 1 / N)
        rows: list[list[Cell]] = [[str(t), int((times == t).sum()), short(means[t])] for t in range(MOST_TIMES)]
        rows.append([f"{MOST_TIMES} or more", int((times >= MOST_TIMES).sum()), short(max(N - means.sum(), 0.0))])
        return LedgerTable(("times drawn", "rows", "on average"), rows, f"The bag: {n} draws with replacement")

    def _tree(self, step: EnsembleStep) -> Blocks:
        tree = getattr(step.estimator, "tree_", None)
        if tree is None:
            return []
        given = ""
        if len(step.columns) < len(self.problem.features):
            given = f", given {few([self.problem.features[j] for j in step.columns], MOST_TERMS, ', ')}"
        return [Formula(f"tree: {count(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.max_depth}{given}")]

    def _out_of_bag(self, step: EnsembleStep) -> Blocks:
        judged = int((step.left_out > 0).sum())
        if not judged:
            return [Formula("every row is in every bag: there is no out-of-bag error")]
        error = step.oob_error(self.codes)
        wrong = round(error * judged)
        return [Formula(f"out-of-bag error = {wrong} misclassified / {judged} left out at least once = {num4(error)}")]

    # --- what is asked about ------------------------------------------------------------------------------------------

    def _votes(self, number: int) -> Blocks:
        votes = self.votes[:number]
        mean = votes.mean(axis=0)
        winner = int(mean.argmax())
        terms = [num4(share) for share in votes[:, winner]]
        total = f"({few(terms, MOST_TERMS)}) / {number} = {num4(mean[winner])}"
        shares = [f"{name} {num4(share)}" for name, share in zip(self.names, mean, strict=True)]
        return [
            query_table(self.problem, self.query),
            self._each(votes, number),
            Formula(f"mean probability of {self.names[winner]} = {total}"),
            Formula(f"{few(shares, MOST_TERMS, ', ')}: the class is {self.names[winner]}"),
            *self._in_bag(number),
        ]

    def _each(self, votes: Floats, number: int) -> LedgerTable:
        first = max(0, number - MOST_VOTES)
        own = self._place()
        rows: list[list[Cell]] = []
        for i in range(first, number):
            share, said = float(votes[i].max()), self.names[int(votes[i].argmax())]
            inside = [] if own is None else [int((self.steps[i + 1].bag == own).sum())]
            rows.append([i + 1, said, short(share), *inside])
        head = ("tree", "says", "share", *(() if own is None else ("times in bag",)))
        more = f" (the last {MOST_VOTES} of {number})" if first else ""
        return LedgerTable(head, rows, f"Votes, tree by tree{more}")

    def _in_bag(self, number: int) -> Blocks:
        """Tell, of a training row that is asked about, what the trees say that were grown without it."""
        own = self._place()
        if own is None:
            return []
        without = [i for i in range(number) if not (self.steps[i + 1].bag == own).any()]
        if not without:
            return [Formula(f"the row is in all {number} bags: it has no out-of-bag vote yet")]
        mean = self.votes[without].mean(axis=0)
        winner = int(mean.argmax())
        told = f"{self.names[winner]} {num4(mean[winner])}"
        return [Formula(f"{count(len(without), 'tree', 'trees')} of {number} grown without the row: {told}")]

    def _place(self) -> int | None:
        """Return the place among the training rows of what is asked about; None of a place or a held-out row."""
        if self.query.sample is None:
            return None
        found = np.flatnonzero(self.problem.trained == self.query.sample)
        return int(found[0]) if len(found) else None
