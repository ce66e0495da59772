"""Kernel k-means in words and numbers: the three terms of a distance, by the kernel matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.centers_ledger import sum_of_parts
from dmlib.clustering.kernel_kmeans.feature_space import FeatureSpace
from dmlib.clustering.kernel_kmeans.kernel_lloyd import KernelKMeansStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, class_table, numbered_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import changes, count, num, num4, short
from dmlib.problem import Problem

TOP = 5  # rows of a table


def focus_row(step: KernelKMeansStep, before: KernelKMeansStep, selected: int | None) -> int | None:
    """Return the row that is written out: the selected one, or the closest decision of the step.

    Among rows that change their cluster it is the one that gains most. With one centre there is
    none.
    """
    if selected is not None or step.centers.shape[1] < 2:
        return selected
    squares = step.distances.squared
    first, second = np.partition(squares, 1, axis=1)[:, :2].T
    if step.phase == "assign" and before.labels is not None and step.labels is not None:
        rows = np.arange(len(squares))
        gains = squares[rows, before.labels] - squares[rows, step.labels]
        if (step.labels != before.labels).any():
            return int(gains.argmax())
    return int((second - first).argmin())


@dataclass(frozen=True)
class Narrator:
    """Captions and ledgers of kernel k-means."""

    problem: Problem
    space: FeatureSpace  # its rows in the feature space
    init: Any  # the parameter of the algorithm
    is_weighted: bool  # whether rows are weighted by their degrees
    selected: int | None  # the sample that the reader clicked

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: KernelKMeansStep = moment.step
        build = {
            "seed": self._seed,
            "assign": self._assign,
            "update": self._update,
            "done": self._done,
        }[step.phase]
        caption, ledger = build(step, moment.before)
        row = focus_row(step, moment.before, self.selected)
        distances = [] if row is None else self._row(step, row)
        similar = [] if self.selected is None else [self._similar(self.selected)]
        return caption, [*distances, *ledger, *similar]

    def _name(self, row: int) -> str:
        return f"row {self.problem.rows[row] + 1}"

    def _row(self, step: KernelKMeansStep, row: int) -> Blocks:
        """Write out the squared distances of a row to all centres, the nearest term by term."""
        own, cross = float(step.distances.own[row]), step.distances.cross[row]
        squares = step.distances.squared[row]
        nearest = int(squares.argmin())
        rows = [
            (short(2 * c), short(w), short(d))
            for c, w, d in zip(cross, step.distances.within, squares, strict=True)
        ]
        head = ("2 k̄(x,y)", "k̄(y,z)", "d²")
        title = f"{self._name(row).capitalize()}: k(x,x) = {num4(own)}, cluster means k̄"
        return [class_table(head, rows, title, [nearest]), self._terms(step, row, nearest)]

    def _terms(self, step: KernelKMeansStep, row: int, j: int) -> Formula:
        distances = step.distances
        own, cross, within = distances.own[row], distances.cross[row, j], distances.within[j]
        terms = "k(x,x) − 2 Σ αᵧ k(x,y) + ΣΣ αᵧ α_z k(y,z)"
        sums = f"{num(own)} − 2 × {num(cross)} + {num(within)}"
        if not self.is_weighted:
            n = int(np.count_nonzero(step.centers[:, j]))
            terms = "k(x,x) − 2/n Σ k(x,y) + 1/n² ΣΣ k(y,z)"
            sums = f"{num(own)} − 2 × {num(cross * n)} / {n} + {num(within * n * n)} / {n}²"
        return Formula(f"to centre {j + 1}: {terms} = {sums} = {num(distances.squared[row, j])}")

    def _seed(self, step: KernelKMeansStep, before: KernelKMeansStep) -> tuple[str, Blocks]:
        if step.labels is not None:
            return self._first_clusters(step)
        j, row = step.centers.shape[1], step.chosen if step.chosen is not None else 0
        name = self._name(row)
        if step.nearest is None:
            return f"Centre {j} is a row drawn at random: {name}.", [self._similar(row)]
        total = step.nearest.sum()
        share = step.nearest / total
        order = np.argsort(-share, kind="stable")[:TOP]
        rows = self._numbered(order, step.nearest, share)
        reason = f"drawn with probability D² / ΣD² in feature space ({share[row]:.2g})"
        quotient = f"{num(step.nearest[row])} / {num(total)} = {share[row]:.4g}"
        return f"Centre {j} is {name}, {reason}.", [
            numbered_table(("row", "D²", "D² / ΣD²"), rows, f"The {len(rows)} farthest rows"),
            Formula(f"{name}: D² = k(x,x) − 2 k(x,c) + k(c,c); D² / ΣD² = {quotient}"),
        ]

    def _first_clusters(self, step: KernelKMeansStep) -> tuple[str, Blocks]:
        sizes = class_table(("rows",), [(int(n),) for n in step.counts], "First clusters")
        start = "the first clusters are given"
        if isinstance(self.init, str):
            vectors = f"the {len(step.counts)} largest eigenvectors of the kernel matrix"
            start = f"k-means on {vectors} gives the first clusters"
        return f"Start: {start}; the SSE in feature space is {num4(step.inertia)}.", [sizes]

    def _similar(self, row: int) -> LedgerTable:
        """Return the rows that are most similar to one of them, and how far away they are."""
        similar = self.space.K[row]
        order = np.argsort(-similar, kind="stable")[:TOP]
        squares = self.space.to_row(row)
        table = self._numbered(order, similar, squares)
        return numbered_table(("row y", "k(x,y)", "d²"), table, f"x: {self._name(row)}", by="row y")

    def _numbered(self, rows: NDArray[np.intp], *columns: Floats) -> list[tuple[float, ...]]:
        """Return the numbers of rows, with their values in some columns."""
        numbers = (self.problem.rows[rows] + 1).tolist()
        return list(zip(numbers, *(column[rows].tolist() for column in columns), strict=True))

    def _assign(self, step: KernelKMeansStep, before: KernelKMeansStep) -> tuple[str, Blocks]:
        parts = self._parts(step)
        gained = step.counts - (0 if before.labels is None else before.counts)
        rows = list(zip(step.counts.tolist(), gained.tolist(), parts.tolist(), strict=True))
        if before.labels is None or before.phase == "seed":
            join = "every row joins the centre nearest in feature space"
            caption = f"Assign: {join}; the SSE is {_brief(step)}."
        elif step.n_changed == 0:
            caption = f"Assign: no row changes its cluster; the SSE stays {_brief(step)}."
        else:
            change = count(step.n_changed, "row changes", "rows change")
            caption = f"Assign: {change} to a nearer centre; {_falls(before, step)}."
        return caption, [
            class_table(("rows", "change", "Σ d²"), rows, "After the assignment"),
            self._sum(step),
        ]

    def _update(self, step: KernelKMeansStep, before: KernelKMeansStep) -> tuple[str, Blocks]:
        move = "every centre moves to the mean of its points in feature space"
        caption = f"Update: {move}; {_falls(before, step)}."
        for cluster, row in step.relocated:
            taken_row = f"{self._name(row)}, far from its own centre"
            caption += f" Cluster {cluster + 1} was empty: it takes {taken_row}."
        return caption, [self._means(step), self._sum(step)]

    def _means(self, step: KernelKMeansStep) -> LedgerTable:
        pairs = list(zip(step.counts.tolist(), step.distances.within.tolist(), strict=True))
        if self.is_weighted:
            head = ("rows", "‖m‖² = ΣΣ αᵧ α_z k(y,z)")
            return class_table(head, pairs, "Means of the clusters, by weight")
        rows = [(n, f"{num4(w * n * n)} / {n}² = {num4(w)}") for n, w in pairs]
        head = ("rows n", "‖m‖² = ΣΣ k(y,z) / n²")
        return class_table(head, rows, "Means: sums over the points of the cluster")

    def _done(self, step: KernelKMeansStep, before: KernelKMeansStep) -> tuple[str, Blocks]:
        parts = self._parts(step)
        rows = [(int(n), float(p)) for n, p in zip(step.counts, parts, strict=True)]
        after = count(step.iteration, "iteration", "iterations")
        caption = f"Done after {after}: SSE {_brief(step)} in feature space. {step.reason}"
        return caption, [class_table(("rows", "Σ d²"), rows, "Clusters"), self._sum(step)]

    def _parts(self, step: KernelKMeansStep) -> NDArray[np.float64]:
        labels = np.asarray(step.labels)
        squares = self.space.weights * step.distances.squared[np.arange(len(labels)), labels]
        return np.bincount(labels, squares, minlength=len(step.counts)).astype(np.float64)

    def _sum(self, step: KernelKMeansStep) -> Formula:
        return sum_of_parts(self._parts(step), step.inertia)


def _brief(step: KernelKMeansStep) -> str:
    return num4(step.inertia)


def _falls(before: KernelKMeansStep, step: KernelKMeansStep) -> str:
    return changes("the SSE", short(before.inertia), short(step.inertia))
