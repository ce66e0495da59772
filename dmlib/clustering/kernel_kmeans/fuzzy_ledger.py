"""Fuzzy c-means in words and numbers: the memberships of a row, and the weighted means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.clustering.centers_ledger import MAX_COLUMNS, center_table, distances_to_centers
from dmlib.clustering.kernel_kmeans.fuzzy_cmeans import FuzzyCMeansStep
from dmlib.pictures.ledger import Blocks, Formula, class_table, few
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import changes, count, num, num4, short
from dmlib.problem import Problem

MOST_TERMS = 4  # of a sum


def asked_row(step: FuzzyCMeansStep, selected: int | None) -> int | None:
    """Return the row whose memberships are written out: the selected one, or the one that is shared out most evenly."""
    if selected is not None or step.memberships is None or step.memberships.shape[1] < 2:
        return selected
    second, first = np.partition(step.memberships, -2, axis=1)[:, -2:].T
    return int((first - second).argmin())


@dataclass(frozen=True)
class FuzzyTeller:
    """What the captions and tables of a run share."""

    problem: Problem
    m: float
    selected: int | None

    def frame(self, step: FuzzyCMeansStep, before: FuzzyCMeansStep) -> Frame:
        """Return the caption and the arithmetic of a step, which comes after another."""
        tell = {"seed": self._seed, "assign": self._assign, "update": self._update, "done": self._done}[step.phase]
        caption, ledger = tell(step, before)
        asked = asked_row(step, self.selected)
        told = [] if asked is None or step.memberships is None else self._row(step, step.memberships[asked], asked)
        mine: Blocks = []
        if self.selected is not None:
            known = step.centers[np.isfinite(step.centers[:, 0])]
            nearest = int(((self.problem.X[self.selected] - known) ** 2).sum(axis=1).argmin())
            mine = distances_to_centers(self.problem, known, nearest, self.selected)
        return Frame(caption, [*told, *mine, *ledger], step.phase)

    def _row(self, step: FuzzyCMeansStep, shares: NDArray[Any], row: int) -> Blocks:
        """Write out the memberships of a row; after an update they are those by the centres before it."""
        name = f"Row {self.problem.rows[row] + 1}"
        best = int(shares.argmax())
        if step.phase == "update":
            columns = self.problem.features[:MAX_COLUMNS]
            x = self.problem.X[row]
            rows = [
                (float(u), float(u**self.m), *(float(u**self.m * x[j]) for j in range(len(columns)))) for u in shares
            ]
            head = ("u", "uᵐ", *(f"uᵐ × {column}" for column in columns))
            return [class_table(head, rows, f"{name}: its terms in the means")]
        squares = ((self.problem.X[row] - step.centers) ** 2).sum(axis=1)
        power = 1 / (self.m - 1)
        with np.errstate(divide="ignore"):
            ratios = np.where(squares > 0, (squares.min() or 1.0) / np.where(squares > 0, squares, 1.0), 1.0) ** power
        rows = [(short(d), short(r), short(u)) for d, r, u in zip(squares, ratios, shares, strict=True)]
        head = ("d²", "q = (d²min/d²)^p", "u = q / Σ q")
        terms = few([num4(r) for r in ratios], MOST_TERMS)
        return [
            class_table(head, rows, f"{name}: memberships, p = 1/(m−1) = {num4(power)}", [best]),
            Formula(f"u{best + 1} = {num4(ratios[best])} / ({terms}) = {shares[best]:.4g}"),
        ]

    def _seed(self, step: FuzzyCMeansStep, before: FuzzyCMeansStep) -> tuple[str, Blocks]:
        j = int(np.isfinite(step.centers[:, 0]).sum())
        table: Blocks = [center_table(self.problem, step.centers[:j], "Centres so far")]
        if step.chosen is None:
            return f"Centre {j} starts where you put it.", table
        return f"Centre {j} starts at row {self.problem.rows[step.chosen] + 1}, as k-means chooses it.", table

    def _assign(self, step: FuzzyCMeansStep, before: FuzzyCMeansStep) -> tuple[str, Blocks]:
        if before.memberships is None:
            told = f"the objective is {num4(step.inertia)}"
        else:
            told = f"the largest change is {num4(step.change)}; {_falls(before, step)}"
        return f"Assign: the memberships follow from the distances; {told}.", self._sums(step)

    def _update(self, step: FuzzyCMeansStep, before: FuzzyCMeansStep) -> tuple[str, Blocks]:
        powers = np.asarray(step.memberships) ** self.m
        shown = self.problem.features[:MAX_COLUMNS]
        sums = powers.T @ self.problem.X[:, : len(shown)]
        rows = [
            tuple(f"{s:.5g} / {w:.5g} = {c:.5g}" for s, c in zip(row, center, strict=False))
            for row, w, center in zip(sums, powers.sum(axis=0), step.centers, strict=True)
        ]
        caption = f"Update: every centre moves to the mean of all rows, weighted by uᵐ; {_falls(before, step)}."
        return caption, [class_table(shown, rows, "New centre = Σ uᵐ x / Σ uᵐ"), *self._sums(step)]

    def _done(self, step: FuzzyCMeansStep, before: FuzzyCMeansStep) -> tuple[str, Blocks]:
        after = count(step.iteration, "iteration", "iterations")
        caption = f"Done after {after}: objective {num4(step.inertia)}. {step.reason}"
        n = len(self.problem.X)
        pc = step.partition_coefficient
        coefficient = Formula(f"Partition coefficient = ΣΣ u² / n = {num(pc * n)} / {n} = {num(pc)}")
        return caption, [*self._sums(step), coefficient, center_table(self.problem, step.centers, "Centres")]

    def _sums(self, step: FuzzyCMeansStep) -> Blocks:
        """Return the shares of the clusters in the objective, and their sum."""
        shares = np.asarray(step.memberships)
        squares = np.column_stack([((self.problem.X - center) ** 2).sum(axis=1) for center in step.centers])
        parts = (shares**self.m * squares).sum(axis=0)
        rows = [(float(size), float(part)) for size, part in zip(shares.sum(axis=0), parts, strict=True)]
        terms = few([f"{part:.5g}" for part in parts], 6)
        return [
            class_table(("Σ u", "Σ uᵐ d²"), rows, "Clusters"),
            Formula(f"J = ΣΣ uᵐ d² = {terms} = {num(step.inertia)}"),
        ]


def _falls(before: FuzzyCMeansStep, step: FuzzyCMeansStep) -> str:
    return changes("the objective", short(before.inertia), short(step.inertia))
