"""Mean shift in words and numbers: one weighted mean, the modes, and the sizes of the clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from dmlib.arrays import Floats
from dmlib.clustering.density_scene import cluster_sizes
from dmlib.clustering.mean_shift.algorithm import ORPHAN, TOLERANCE, MeanShiftStep
from dmlib.clustering.mean_shift.kernel import kernel_weights
from dmlib.pictures.ledger import (
    Blocks,
    Formula,
    LedgerTable,
    abridged,
    class_table,
    numbered_table,
)
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num4, short, signed
from dmlib.problem import Problem

MAX_COLUMNS = 2  # whose arithmetic is written out
MAX_TERMS = 4  # of a sum
MAX_ROWS = 8  # of the table of weights


@dataclass(frozen=True)
class Narrator:
    """Captions and ledgers of mean shift."""

    problem: Problem
    kernel: str
    seed: int  # the one whose arithmetic is written out
    selected: int | None  # the row that the reader clicked

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: MeanShiftStep = moment.step
        build = {
            "seed": self._start,
            "shift": self._shift,
            "converge": self._convergence,
            "merge": self._merge,
            "assign": self._labels,
        }
        caption, blocks = build[step.phase](step, moment.before)
        return caption, [*self._selected_row(step), *blocks]

    def _selected_row(self, step: MeanShiftStep) -> Blocks:
        """Return where the seed of the selected row is, and how far the modes are from the row."""
        if self.selected is None:
            return []
        row, number = self.problem.X[self.selected], self.problem.rows[self.selected] + 1
        way = num4(np.linalg.norm(step.places[self.seed] - row))
        blocks: Blocks = [Formula(f"row {number}: its seed is {self._at(step)}, {way} away")]
        if step.phase == "assign":
            distances = np.linalg.norm(step.cluster_centers - row, axis=1)
            terms = [f"{num4(each)} to mode {j + 1}" for j, each in enumerate(distances)]
            blocks.append(Formula(f"row {number}: {abridged(terms, MAX_TERMS, ', ')}"))
        return blocks

    def _start(self, step: MeanShiftStep, before: MeanShiftStep) -> tuple[str, Blocks]:
        seeds = count(len(step.places), "seed starts", "seeds start")
        caption = f"{seeds}; the bandwidth h is {num4(step.bandwidth)}."
        return caption, [
            Formula(f"followed: seed {self.seed + 1} at {self._place(step.places[self.seed])}"),
            Formula(f"weight at distance d: {self._kernel_formula(step.bandwidth)}"),
        ]

    def _kernel_formula(self, bandwidth: float) -> str:
        if self.kernel == "flat":
            return f"1 if d ≤ {num4(bandwidth)}, else 0"
        return f"exp(−d² / (2 · {num4(bandwidth)}²))"

    def _shift(self, step: MeanShiftStep, before: MeanShiftStep) -> tuple[str, Blocks]:
        n_moving = int(step.moving.sum())
        moving = f"{n_moving} of {count(len(step.moving), 'seed', 'seeds')}"
        shifts = np.linalg.norm(step.places - before.places, axis=1)
        caption = (
            f"Shift {step.iteration}: each seed moves to the mean {self._rows_around()}, "
            f"by at most {num4(shifts.max())}; {moving} have not converged."
        )
        shift, threshold = shifts[self.seed], TOLERANCE * step.bandwidth
        sign, verdict = (">", "it moves on") if step.moving[self.seed] else ("≤", "converged")
        rule = f"‖m − x‖ = {num4(shift)} {sign} h / 1000 = {num4(threshold)}: {verdict}"
        return caption, [*self._mean(step, before), Formula(rule)]

    def _rows_around(self) -> str:
        return "of the rows within h" if self.kernel == "flat" else "of all rows by weight"

    def _mean(self, step: MeanShiftStep, before: MeanShiftStep) -> Blocks:
        """Return the weighted mean around the followed seed, written out."""
        problem, place = self.problem, before.places[self.seed]
        squares = cdist(place[None], problem.X, "sqeuclidean")[0]
        weights = kernel_weights(squares, step.bandwidth, self.kernel)
        order = np.argsort(squares, kind="stable")
        order = order[weights[order] > 0]
        total = float(weights.sum())
        blocks: Blocks = [Formula(f"seed {self.seed + 1}: x = {self._place(place)}")]
        if not total:
            return [*blocks, Formula("no row is within h: it stays")]
        for j, name in enumerate(problem.features[:MAX_COLUMNS]):
            terms = [self._term(weights[row], problem.X[row, j]) for row in order]
            quotient = f"({abridged(terms, MAX_TERMS)}) / {num4(total)}"
            blocks.append(Formula(f"m, {name}: {quotient} = {num4(step.places[self.seed, j])}"))
        rows = [
            (int(problem.rows[row] + 1), short(np.sqrt(squares[row])), short(weights[row]))
            for row in order
        ]
        title = "Rows around the seed"
        table = numbered_table(("row", "distance", "weight"), rows, title, max_rows=MAX_ROWS)
        return [*blocks, table]

    def _term(self, weight: float, value: float) -> str:
        return num4(value) if self.kernel == "flat" else f"{num4(weight)}·{signed(value, 4)}"

    def _convergence(self, step: MeanShiftStep, before: MeanShiftStep) -> tuple[str, Blocks]:
        shifts = count(step.iteration, "shift", "shifts")
        lost = int((step.densities == 0).sum())
        ledger: Blocks = [Formula(f"seed {self.seed + 1} ends at {self._at(step)}")]
        if lost:
            ledger.append(Formula(f"{lost} of {len(step.places)} seeds have no row within h"))
        return f"The seeds rest after {shifts}. {step.reason}", ledger

    def _merge(self, step: MeanShiftStep, before: MeanShiftStep) -> tuple[str, Blocks]:
        mode = len(step.cluster_centers)
        absorbed = (step.modes == mode - 1).sum()
        seeds = count(int(absorbed), "seed", "seeds")
        waiting = int(((step.modes < 0) & (step.densities > 0)).sum())
        caption = (
            f"Merge: mode {mode} is the densest place left; "
            f"the {seeds} within {num4(step.bandwidth)} are merged into it."
        )
        return caption, [self._modes(step, mode - 1), Formula(f"seeds without a mode: {waiting}")]

    def _modes(self, step: MeanShiftStep, emphasis: int | None = None) -> LedgerTable:
        features = self.problem.features[:MAX_COLUMNS]
        absorbed = np.bincount(step.modes[step.modes >= 0], minlength=len(step.cluster_centers))
        densities = [step.densities[step.modes == j].max() for j in range(len(absorbed))]
        rows = [
            (*map(short, center[: len(features)]), short(density), int(n))
            for center, density, n in zip(step.cluster_centers, densities, absorbed, strict=True)
        ]
        head = (*features, "weight", "seeds")
        return class_table(head, rows, "Modes", () if emphasis is None else (emphasis,))

    def _labels(self, step: MeanShiftStep, before: MeanShiftStep) -> tuple[str, Blocks]:
        labels = step.labels if step.labels is not None else np.empty(0, np.intp)
        clusters = count(len(step.cluster_centers), "cluster", "clusters")
        caption = f"Assign: every row gets the label of its nearest mode: {clusters}."
        n_orphans = int((labels == ORPHAN).sum())
        if n_orphans:
            orphans = count(n_orphans, "row is an orphan", "rows are orphans")
            caption = f"Assign: rows get the label of their nearest mode: {clusters}; {orphans}."
        return caption, [*cluster_sizes(labels), self._modes(step)]

    def _at(self, step: MeanShiftStep) -> str:
        return self._place(step.places[self.seed])

    def _place(self, place: Floats) -> str:
        return f"({abridged([num4(value) for value in place], MAX_COLUMNS + 1, ', ')})"
