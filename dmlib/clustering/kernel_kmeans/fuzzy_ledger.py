"""Fuzzy c-means in words and numbers: the memberships of a row, and the weighted means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.centers_ledger import (
    MAX_COLUMNS,
    center_table,
    distances_to_centers,
    quotients,
)
from dmlib.clustering.kernel_kmeans.fuzzy_cmeans import FuzzyCMeansStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, class_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import changes, count, num, num4, short
from dmlib.problem import Problem

MAX_TERMS = 4  # of a sum


def focus_row(step: FuzzyCMeansStep, selected: int | None) -> int | None:
    """Return the row that is written out: the selected one, or the most evenly shared one."""
    if selected is not None or step.memberships is None or step.memberships.shape[1] < 2:
        return selected
    second, first = np.partition(step.memberships, -2, axis=1)[:, -2:].T
    return int((first - second).argmin())


@dataclass(frozen=True)
class Narrator:
    """Captions and ledgers of fuzzy c-means."""

    problem: Problem
    m: float  # the fuzzifier
    selected: int | None  # the sample that the reader clicked

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: FuzzyCMeansStep = moment.step
        build = {
            "seed": self._seed,
            "assign": self._assign,
            "update": self._update,
            "done": self._done,
        }[step.phase]
        caption, ledger = build(step, moment.before)
        return caption, [*self._focus(step), *self._distances(step), *ledger]

    def _distances(self, step: FuzzyCMeansStep) -> Blocks:
        """Return the distances of the selected row to the centres."""
        if self.selected is None:
            return []
        centers = step.centers[np.isfinite(step.centers[:, 0])]
        squares = ((self.problem.X[self.selected] - centers) ** 2).sum(axis=1)
        return distances_to_centers(self.problem, centers, int(squares.argmin()), self.selected)

    def _focus(self, step: FuzzyCMeansStep) -> Blocks:
        """Write out the memberships of a row; after an update by the centres before it."""
        row = focus_row(step, self.selected)
        if row is None or step.memberships is None:
            return []
        shares, name = step.memberships[row], f"Row {self.problem.rows[row] + 1}"
        x = self.problem.X[row]
        if step.phase == "update":
            return [self._terms(shares, x, name)]
        return self._ratios(shares, ((x - step.centers) ** 2).sum(axis=1), name)

    def _terms(self, shares: Floats, x: Floats, name: str) -> LedgerTable:
        """Return the terms of a row in the means."""
        columns = self.problem.features[:MAX_COLUMNS]
        rows = [(u, u**self.m, *(u**self.m * x[: len(columns)]).tolist()) for u in shares.tolist()]
        head = ("u", "uᵐ", *(f"uᵐ × {column}" for column in columns))
        return class_table(head, rows, f"{name}: its terms in the means")

    def _ratios(self, shares: Floats, squares: Floats, name: str) -> Blocks:
        """Return the memberships of a row by its squared distances."""
        power, best = 1 / (self.m - 1), int(shares.argmax())
        is_positive = squares > 0
        nearest = squares.min() or 1.0
        ratios = np.where(is_positive, nearest / np.where(is_positive, squares, 1.0), 1.0) ** power
        rows = [tuple(map(short, row)) for row in zip(squares, ratios, shares, strict=True)]
        head = ("d²", "q = (d²min/d²)^p", "u = q / Σ q")
        title = f"{name}: memberships, p = 1/(m−1) = {num4(power)}"
        terms = abridged([num4(ratio) for ratio in ratios], MAX_TERMS)
        return [
            class_table(head, rows, title, [best]),
            Formula(f"u{best + 1} = {num4(ratios[best])} / ({terms}) = {shares[best]:.4g}"),
        ]

    def _seed(self, step: FuzzyCMeansStep, before: FuzzyCMeansStep) -> tuple[str, Blocks]:
        j = int(np.isfinite(step.centers[:, 0]).sum())
        table: Blocks = [center_table(self.problem, step.centers[:j], "Centres so far")]
        if step.chosen is None:
            return f"Centre {j} starts where you put it.", table
        row = self.problem.rows[step.chosen] + 1
        return f"Centre {j} starts at row {row}, as k-means chooses it.", table

    def _assign(self, step: FuzzyCMeansStep, before: FuzzyCMeansStep) -> tuple[str, Blocks]:
        result = f"the largest change is {num4(step.change)}; {_falls(before, step)}"
        if before.memberships is None:
            result = f"the objective is {num4(step.inertia)}"
        return f"Assign: the memberships follow from the distances; {result}.", self._sums(step)

    def _update(self, step: FuzzyCMeansStep, before: FuzzyCMeansStep) -> tuple[str, Blocks]:
        powers = np.asarray(step.memberships) ** self.m
        features = self.problem.features[:MAX_COLUMNS]
        sums = powers.T @ self.problem.X[:, : len(features)]
        centers = step.centers[:, : len(features)]
        weights = [f"{weight:.5g}" for weight in powers.sum(axis=0)]
        rows = quotients(sums, weights, centers)
        move = "every centre moves to the mean of all rows, weighted by uᵐ"
        table = class_table(features, rows, "New centre = Σ uᵐ x / Σ uᵐ")
        return f"Update: {move}; {_falls(before, step)}.", [table, *self._sums(step)]

    def _done(self, step: FuzzyCMeansStep, before: FuzzyCMeansStep) -> tuple[str, Blocks]:
        after = count(step.iteration, "iteration", "iterations")
        caption = f"Done after {after}: objective {num4(step.inertia)}. {step.reason}"
        n, coefficient = len(self.problem.X), step.partition_coefficient
        quotient = f"{num(coefficient * n)} / {n} = {num(coefficient)}"
        return caption, [
            *self._sums(step),
            Formula(f"Partition coefficient = ΣΣ u² / n = {quotient}"),
            center_table(self.problem, step.centers, "Centres"),
        ]

    def _sums(self, step: FuzzyCMeansStep) -> Blocks:
        """Return the shares of the clusters in the objective, and their sum."""
        shares = np.asarray(step.memberships)
        squares = [((self.problem.X - center) ** 2).sum(axis=1) for center in step.centers]
        parts = (shares**self.m * np.column_stack(squares)).sum(axis=0)
        rows = np.column_stack([shares.sum(axis=0), parts]).tolist()
        terms = abridged([f"{part:.5g}" for part in parts], 6)
        return [
            class_table(("Σ u", "Σ uᵐ d²"), rows, "Clusters"),
            Formula(f"J = ΣΣ uᵐ d² = {terms} = {num(step.inertia)}"),
        ]


def _falls(before: FuzzyCMeansStep, step: FuzzyCMeansStep) -> str:
    return changes("the objective", short(before.inertia), short(step.inertia))
