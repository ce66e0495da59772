"""Ensembles in words and numbers: the bag of a classifier, and the votes on the query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from dmlib.arrays import Floats
from dmlib.classification.ensembles.bags import never_drawn
from dmlib.classification.ensembles.ensemble_step import EnsembleStep
from dmlib.classification.staged_ledger import last_error_table
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged, numbered_table
from dmlib.pictures.regions import query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num4, short
from dmlib.problem import Problem, Query

MAX_TIMES, MAX_ROWS, MAX_VOTES, MAX_TERMS = 4, 8, 10, 6


class Narrator:
    """Captions and ledgers of an ensemble.

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
        The class shares that each classifier predicts for the query.
    query : Query
        The place or sample that is asked about.
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
        self.problem, self.model, self.steps, self.errors, self.votes = (
            problem,
            model,
            steps,
            errors,
            votes,
        )
        self.query = query
        self.numbers = problem.rows[problem.trained] + 1
        self.names = [problem.classes[code] for code in model.classes_]
        self.codes = np.searchsorted(model.classes_, np.asarray(problem.training.y))

    def tell(self, now: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: EnsembleStep = now.step
        if not now.index:
            return self._start(), [self._chance(len(self.steps[1].bag))]
        parts = self._votes(now.index), self._bag(step), self._tree(step), self._out_of_bag(step)
        ledger = [block for part in parts for block in part]
        if now.is_last:
            ledger.append(last_error_table(self.problem, self.errors))
        return self._caption(step, now.index), ledger

    def _start(self) -> str:
        how = "with" if self.model.bootstrap else "without"
        n = len(self.steps[1].bag)
        return (
            f"No tree yet: each will be grown from {n} rows, drawn {how} replacement from"
            f" {len(self.codes)}."
        )

    def _caption(self, step: EnsembleStep, number: int) -> str:
        different, n = len(np.unique(step.bag)), len(self.codes)
        oob = self.errors["out-of-bag"][number]
        judged = (
            "no row has been left out yet"
            if np.isnan(oob)
            else f"the out-of-bag error is {oob:.1%}"
        )
        test = (
            f", the test error {self.errors['test'][number]:.1%}" if "test" in self.errors else ""
        )
        return f"Tree {number} joins, grown from {different} of {n} rows: {judged}{test}."

    # --- the bag --------------------------------------------------------------------------------

    def _chance(self, n: int) -> Formula:
        """Return the probability that a bag leaves a row out."""
        N = len(self.codes)
        chance = num4(never_drawn(N, n, self.model.bootstrap))
        if self.model.bootstrap:
            return Formula(
                f"a row is left out with probability (1 − 1/N)^n = (1 − 1/{N})^{n} = {chance}"
            )
        return Formula(f"a row is left out with probability 1 − n/N = 1 − {n}/{N} = {chance}")

    def _bag(self, step: EnsembleStep) -> Blocks:
        times, n = np.bincount(step.bag, minlength=len(self.codes)), len(step.bag)
        outside = int((times == 0).sum())
        left_out = Formula(
            f"left out: {outside} of {len(times)} rows = {num4(outside / len(times))}"
        )
        top = np.argsort(-times, kind="stable")[:MAX_ROWS]
        rows: list[list[Cell]] = [
            [int(self.numbers[i]), self.names[self.codes[i]], int(times[i])] for i in top
        ]
        frequent = numbered_table(("row", "class", "times drawn"), rows, "Rows drawn most often")
        table = [self._times(times, n)] if self.model.bootstrap else []
        return [self._chance(n), left_out, *table, frequent]

    def _times(self, times: NDArray[np.intp], n: int) -> LedgerTable:
        """Return how many rows were drawn how often, and the mean of the binomial distribution."""
        N = len(times)
        means = N * binom.pmf(np.arange(MAX_TIMES), n, 1 / N)
        rows: list[list[Cell]] = [
            [str(t), int((times == t).sum()), short(means[t])] for t in range(MAX_TIMES)
        ]
        rows.append(
            [
                f"{MAX_TIMES} or more",
                int((times >= MAX_TIMES).sum()),
                short(max(N - means.sum(), 0.0)),
            ]
        )
        return LedgerTable(
            ("times drawn", "rows", "on average"), rows, f"The bag: {n} draws with replacement"
        )

    def _tree(self, step: EnsembleStep) -> Blocks:
        tree = getattr(step.estimator, "tree_", None)
        if tree is None:
            return []
        columns = ""
        if len(step.columns) < len(self.problem.features):
            names = [self.problem.features[j] for j in step.columns]
            columns = f", given {abridged(names, MAX_TERMS, ', ')}"
        return [
            Formula(
                f"tree: {count(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.max_depth}{columns}"
            )
        ]

    def _out_of_bag(self, step: EnsembleStep) -> Blocks:
        judged = int((step.left_out > 0).sum())
        if not judged:
            return [Formula("every row is in every bag: there is no out-of-bag error")]
        error = step.oob_error(self.codes)
        wrong = round(error * judged)
        fraction = f"{wrong} misclassified / {judged} left out at least once"
        return [Formula(f"out-of-bag error = {fraction} = {num4(error)}")]

    # --- the query ------------------------------------------------------------------------------

    def _votes(self, number: int) -> Blocks:
        votes = self.votes[:number]
        mean = votes.mean(axis=0)
        winner = int(mean.argmax())
        terms = [num4(share) for share in votes[:, winner]]
        total = f"({abridged(terms, MAX_TERMS)}) / {number} = {num4(mean[winner])}"
        shares = [f"{name} {num4(share)}" for name, share in zip(self.names, mean, strict=True)]
        return [
            query_table(self.problem, self.query),
            self._each(votes, number),
            Formula(f"mean probability of {self.names[winner]} = {total}"),
            Formula(f"{abridged(shares, MAX_TERMS, ', ')}: the class is {self.names[winner]}"),
            *self._in_bag(number),
        ]

    def _each(self, votes: Floats, number: int) -> LedgerTable:
        first = max(0, number - MAX_VOTES)
        own = self._place()
        rows: list[list[Cell]] = []
        for i in range(first, number):
            share, prediction = float(votes[i].max()), self.names[int(votes[i].argmax())]
            times = [] if own is None else [int((self.steps[i + 1].bag == own).sum())]
            rows.append([i + 1, prediction, short(share), *times])
        head = ("tree", "says", "share", *(() if own is None else ("times in bag",)))
        more = f" (the last {MAX_VOTES} of {number})" if first else ""
        return LedgerTable(head, rows, f"Votes, tree by tree{more}")

    def _in_bag(self, number: int) -> Blocks:
        """Return the mean vote of the trees grown without the query, if it is a training row."""
        own = self._place()
        if own is None:
            return []
        without = [i for i in range(number) if not (self.steps[i + 1].bag == own).any()]
        if not without:
            return [Formula(f"the row is in all {number} bags: it has no out-of-bag vote yet")]
        mean = self.votes[without].mean(axis=0)
        winner = int(mean.argmax())
        result = f"{self.names[winner]} {num4(mean[winner])}"
        n_trees = count(len(without), "tree", "trees")
        return [Formula(f"{n_trees} of {number} grown without the row: {result}")]

    def _place(self) -> int | None:
        """Return the place of the query among the training rows; None if it is none of them."""
        if self.query.sample is None:
            return None
        places = np.flatnonzero(self.problem.trained == self.query.sample)
        return int(places[0]) if len(places) else None
