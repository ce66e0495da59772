"""Ensembles in words and numbers: the bag of a classifier, and the votes on the query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from dmlib.arrays import Floats
from dmlib.classification.base_learners import noun_of
from dmlib.classification.ensembles.ensemble_step import EnsembleStep
from dmlib.classification.ensembles.losses_ledger import ProbabilityLoss, mean_of
from dmlib.classification.ensembles.voting import VotingClassifier
from dmlib.classification.staged_ledger import last_error_table, left_out_formula
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged, numbered_table
from dmlib.pictures.regions import query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num4, percent, short, upper_first
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
    loss : ProbabilityLoss, optional
        The loss that is estimated out of bag; by default the error.
    """

    def __init__(
        self,
        problem: Problem,
        model: VotingClassifier,
        steps: Sequence[EnsembleStep],
        errors: Mapping[str, Floats],
        votes: Floats,
        query: Query,
        loss: ProbabilityLoss | None = None,
    ) -> None:
        self.problem, self.model, self.steps, self.loss = problem, model, steps, loss
        self.errors, self.votes, self.query = errors, votes, query
        self.noun = noun_of(model)
        self.numbers = problem.rows[problem.trained] + 1
        self.names = [problem.classes[code] for code in model.classes_]
        self.codes = np.searchsorted(model.classes_, np.asarray(problem.training.y))

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: EnsembleStep = moment.step
        if not moment.index:
            return self._start(), [self._chance(self.steps[1])]
        parts = self._votes(moment.index), self._bag(step), self._tree(step), self._out_of_bag(step)
        ledger = [block for part in parts for block in part]
        if moment.is_last:
            ledger.append(last_error_table(self.problem, self.errors))
        return self._caption(step, moment.index), ledger

    def _start(self) -> str:
        how = "with" if self.model.bootstrap else "without"
        n = len(self.steps[1].bag)
        return (
            f"No {self.noun} yet: each will be trained on {n} rows, drawn {how} replacement from"
            f" {len(self.codes)}."
        )

    def _caption(self, step: EnsembleStep, number: int) -> str:
        different, n = len(np.unique(step.bag)), len(self.codes)
        oob = self.errors["out-of-bag"][number]
        errors = f"the out-of-bag error is {percent(oob)}"
        if self.loss is not None:
            errors = self.loss.text(mean_of(self.loss.out_of_bag(step)))
        if np.isnan(oob):
            errors = "no row has been left out yet"
        if "test" in self.errors:
            errors += f", the test error {percent(self.errors['test'][number])}"
        subject = upper_first(self.noun)
        return f"{subject} {number} joins, trained on {different} of {n} rows: {errors}."

    # --- the bag --------------------------------------------------------------------------------

    def _chance(self, step: EnsembleStep) -> Formula:
        return left_out_formula(len(self.codes), len(step.bag), self.model.bootstrap)

    def _bag(self, step: EnsembleStep) -> Blocks:
        times, n = np.bincount(step.bag, minlength=len(self.codes)), len(step.bag)
        outside = int((times == 0).sum())
        share = num4(outside / len(times))
        left_out = Formula(f"left out: {outside} of {len(times)} rows = {share}")
        top = np.argsort(-times, kind="stable")[:MAX_ROWS]
        rows: list[list[Cell]] = [
            [int(self.numbers[i]), self.names[self.codes[i]], int(times[i])] for i in top
        ]
        frequent = numbered_table(("row", "class", "times drawn"), rows, "Rows drawn most often")
        table = [self._times(times, n)] if self.model.bootstrap else []
        return [self._chance(step), left_out, *table, frequent]

    def _times(self, times: NDArray[np.intp], n: int) -> LedgerTable:
        """Return the numbers of rows by how often they were drawn, and their binomial means."""
        N = len(times)
        means = N * binom.pmf(np.arange(MAX_TIMES), n, 1 / N)
        rows: list[list[Cell]] = [
            [str(t), int((times == t).sum()), short(means[t])] for t in range(MAX_TIMES)
        ]
        n_often, mean = int((times >= MAX_TIMES).sum()), max(N - means.sum(), 0.0)
        rows.append([f"{MAX_TIMES} or more", n_often, short(mean)])
        title = f"The bag: {n} draws with replacement"
        return LedgerTable(("times drawn", "rows", "on average"), rows, title)

    def _tree(self, step: EnsembleStep) -> Blocks:
        tree = getattr(step.estimator, "tree_", None)
        if tree is None:
            return []
        columns = ""
        if len(step.columns) < len(self.problem.features):
            names = [self.problem.features[j] for j in step.columns]
            columns = f", given {abridged(names, MAX_TERMS, ', ')}"
        n_leaves = count(tree.n_leaves, "leaf", "leaves")
        return [Formula(f"tree: {n_leaves}, depth {tree.max_depth}{columns}")]

    def _out_of_bag(self, step: EnsembleStep) -> Blocks:
        n_left_out = int((step.left_out > 0).sum())
        if not n_left_out:
            return [Formula("every row is in every bag: there is no out-of-bag error")]
        if self.loss is not None:
            return self._loss_of_rows(self.loss, step)
        error = step.oob_error(self.codes)
        n_errors = round(error * n_left_out)
        fraction = f"{n_errors} misclassified / {n_left_out} left out at least once"
        return [Formula(f"out-of-bag error = {fraction} = {num4(error)}")]

    def _loss_of_rows(self, loss: ProbabilityLoss, step: EnsembleStep) -> Blocks:
        """Write out the loss of one row, the query or that with the largest, and the mean."""
        losses, place = loss.out_of_bag(step), self._place()
        row = int(np.nanargmax(losses)) if place is None or np.isnan(losses[place]) else place
        shares, code = step.oob_decision_function[row], int(self.codes[row])
        terms = [f"({num4(p)} − {int(k == code)})²" for k, p in enumerate(shares)]
        if loss.name == "informational":
            terms = [f"log₂ (1 / {num4(shares[code])})"]
        finite, n_infinite = losses[np.isfinite(losses)], int(np.isinf(losses).sum())
        subject = "the others" if n_infinite else "rows left out at least once"
        mean = f"{num4(finite.sum())} / {len(finite)} = {num4(mean_of(finite))}"
        infinite = f"{n_infinite} with P(own class) = 0: {loss.text(np.inf)}"
        name, result = self.names[code], f"{abridged(terms, MAX_TERMS)} = {num4(losses[row])}"
        return [
            Formula(f"row {self.numbers[row]} ({name}), out of bag: {result}"),
            *([Formula(infinite)] if n_infinite else []),
            *([Formula(f"mean loss of {subject} = {mean}")] if len(finite) else []),
        ]

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
        place = self._place()
        rows: list[list[Cell]] = []
        for i in range(first, number):
            share, prediction = float(votes[i].max()), self.names[int(votes[i].argmax())]
            times = [] if place is None else [int((self.steps[i + 1].bag == place).sum())]
            rows.append([i + 1, prediction, short(share), *times])
        head = (self.noun, "says", "share", *(() if place is None else ("times in bag",)))
        extent = f" (the last {MAX_VOTES} of {number})" if first else ""
        return LedgerTable(head, rows, f"Votes, {self.noun} by {self.noun}{extent}")

    def _in_bag(self, number: int) -> Blocks:
        """Return the mean vote of the trees grown without the query, if it is a training row."""
        place = self._place()
        if place is None:
            return []
        without = [i for i in range(number) if not (self.steps[i + 1].bag == place).any()]
        if not without:
            return [Formula(f"the row is in all {number} bags: it has no out-of-bag vote yet")]
        mean = self.votes[without].mean(axis=0)
        winner = int(mean.argmax())
        result = f"{self.names[winner]} {num4(mean[winner])}"
        members = count(len(without), self.noun, f"{self.noun}s")
        return [Formula(f"{members} of {number} trained without the row: {result}")]

    def _place(self) -> int | None:
        """Return the place of the query among the training rows; None if it is none of them."""
        if self.query.sample is None:
            return None
        places = np.flatnonzero(self.problem.trained == self.query.sample)
        return int(places[0]) if len(places) else None
