"""DBSCAN in words and numbers: one neighbourhood, and how many points of each kind there are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dmlib.classification.kernels import Kernel
from dmlib.clustering.core_graph import NOISE
from dmlib.clustering.dbscan.algorithm import UNCLASSIFIED, DBSCANStep
from dmlib.clustering.density_scene import cluster_sizes, listed
from dmlib.clustering.kernel_distance import FAR, ball_of
from dmlib.clustering.neighbors import Neighbors
from dmlib.pictures.ledger import Blocks, Formula, numbered_table
from dmlib.pictures.motion import nth
from dmlib.pictures.story import Fold, Moment
from dmlib.pictures.words import count, num, num4, short, signed
from dmlib.problem import Problem

MAX_NEAREST = 5  # rows whose distances are written out
MAX_INSIDE, MAX_OUTSIDE = 3, 2  # of them by a kernel, on either side of eps


@dataclass(frozen=True)
class Visits:
    """The rows that have been visited up to a step."""

    rows: NDArray[np.bool_]  # (n_samples,): whether each has been visited
    core: NDArray[np.bool_]  # (n_samples,): whether it has, and is a core point
    reached_from: int | None = None  # the core point that the selected row joined its cluster from


@dataclass(frozen=True)
class Narrator:
    """Captions and ledgers of DBSCAN."""

    problem: Problem
    neighbors: Neighbors  # its rows
    # (n_samples,): the distance within which each row has min_samples rows, itself included
    kth_distances: NDArray[np.float64]
    eps: float
    min_samples: int  # the number of rows that make a core point
    selected: int | None  # the row that the reader clicked
    example: int  # the row whose disc is drawn at the end
    kernel: Kernel | None = None  # whose feature space has the distances

    @property
    def _reach(self) -> str:
        has_ball = self.kernel is None or ball_of(self.kernel, self.eps) is not None
        return "disc" if has_ball else "neighbourhood"

    @property
    def visits(self) -> Fold:
        """The visited rows, as they accumulate."""
        no_rows = np.zeros(len(self.problem.X), bool)
        return Fold(Visits(no_rows, no_rows), self._visit)

    def _visit(self, visits: Visits, step: DBSCANStep) -> Visits:
        if step.row is None:
            return visits
        rows, core = visits.rows.copy(), visits.core.copy()
        rows[step.row], core[step.row] = True, step.core
        joins = self.selected is not None and self.selected in step.joined
        return Visits(rows, core, step.row if joins else visits.reached_from)

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: DBSCANStep = moment.step
        visits: Visits = moment.so_far
        if step.row is None:
            caption, blocks = self._end(step)
        else:
            caption, blocks = self._neighborhood(step, step.row)
        return caption, [*self._selected_row(step, visits), *blocks, _kinds_of_points(step, visits)]

    def _neighborhood(self, step: DBSCANStep, row: int) -> tuple[str, Blocks]:
        number, n = self.problem.rows[row] + 1, len(step.neighbors)
        min_samples = self.min_samples
        sign, verdict = ("≥", "a core point") if step.core else ("<", "no core point")
        inside = f"N(row {number}) = {{{listed(self.problem, step.neighbors)}}}"
        blocks: Blocks = [Formula(f"{inside}: {n} {sign} {min_samples}, {verdict}")]
        if 1 < min_samples <= len(self.kth_distances):
            distance = num4(self.kth_distances[row])
            sign = "≤" if step.core else ">"
            blocks.append(Formula(f"{nth(min_samples - 1)} other row at {distance} {sign} eps"))
        blocks += self._by_kernel(row)
        seeds = listed(self.problem, step.seeds) or "empty"
        blocks.append(Formula(f"Seed list ({len(step.seeds)}): {seeds}"))
        return self._caption(step, number), blocks

    def _by_kernel(self, row: int) -> Blocks:
        """Return the distances on either side of eps, as the kernel makes them."""
        if self.kernel is None or len(self.problem.X) < 2:
            return []
        distances = self.neighbors.distances(row)
        others = np.argsort(distances, kind="stable")
        others = others[others != row]
        n_inside = int((distances[others] <= self.eps).sum())
        shown = others[max(n_inside - MAX_INSIDE, 0) : n_inside + MAX_OUTSIDE]
        X = self.problem.X
        cross, own = self.kernel(X[[row]], X[shown])[0], self.kernel.diagonal(X[shown])
        itself = float(self.kernel.diagonal(X[[row]])[0])
        rows = [
            (int(self.problem.rows[i]) + 1, float(c), float(o), short(distances[i]))
            for i, c, o in zip(shown, cross, own, strict=True)
        ]
        head, title = ("row", "k(x,y)", "k(y,y)", "d"), f"Around eps, by k(x,x) = {num(itself)}"
        inside = range(min(n_inside, MAX_INSIDE))
        first = f"√({num(itself)} − 2 · {signed(cross[0])} + {num(own[0])})"
        blocks: Blocks = [
            numbered_table(head, rows, title, list(inside)),
            Formula(f"d = √(k(x,x) − 2 k(x,y) + k(y,y)) = {first} = {num4(distances[shown[0]])}"),
        ]
        ball = ball_of(self.kernel, self.eps)
        if ball is not None and ball[1] < FAR**0.5:
            root = ("√(", ")") if self.kernel.name == "rbf" else ("", "")
            formula = f"{root[0]}−ln(1 − eps²/2) / γ{root[1]}"
            blocks.append(Formula(f"d ≤ eps within {formula} = {num4(ball[1])} of x"))
        return blocks

    def _caption(self, step: DBSCANStep, number: int) -> str:
        rows = count(len(step.neighbors), "row", "rows")
        quantity = "at least" if step.core else "fewer than"
        n, cluster = len(step.joined), step.cluster + 1
        if step.phase == "visit" and step.core:
            start = f"starts cluster {cluster} with its unassigned neighbours"
            result = f"it is a core point and {start}"
        elif step.phase == "visit":
            result = "it is noise, unless a core point reaches it later"
        elif not step.core:
            result = f"it is a border point of cluster {cluster}, and does not extend the cluster"
        elif n:
            joining = count(n, "new row joins", "new rows join")
            result = f"a core point, so {joining} cluster {cluster}"
        else:
            result = "a core point, and all its neighbours are in a cluster already"
        if step.rescued.size:
            result += f"; {count(len(step.rescued), 'row comes', 'rows come')} back from noise"
        size = f"{rows} within {num(self.eps)}, {quantity} {self.min_samples}"
        return f"Row {number} has {size}: {result}."

    def _end(self, step: DBSCANStep) -> tuple[str, Blocks]:
        caption, blocks = f"Done. {step.reason}", cluster_sizes(step.labels)
        if self.selected is None:
            n = int((self.neighbors.distances(self.example) <= self.eps).sum())
            row = self.problem.rows[self.example] + 1
            disc = (
                f"the {self._reach} of row {row} holds {count(n, 'row', 'rows')}, itself included"
            )
            blocks.append(Formula(f"eps = {num(self.eps)}: {disc}"))
        if not step.contested:
            return caption, blocks
        n = len(step.contested)
        points = count(n, "ringed border point lies", "ringed border points lie")
        them = "it" if n == 1 else "them"
        effect = f"visited in another order, another cluster could contain {them}"
        caption += f" {points} in reach of several clusters: {effect}."
        rows = [self._contested_row(step, *contested) for contested in step.contested]
        head = ("row", "in cluster", "in reach of")
        return caption, [*blocks, numbered_table(head, rows, "Depends on the visiting order")]

    def _contested_row(
        self, step: DBSCANStep, row: int, clusters: tuple[int, ...]
    ) -> tuple[int, int, str]:
        reach = ", ".join(str(cluster + 1) for cluster in clusters)
        return int(self.problem.rows[row] + 1), int(step.labels[row]) + 1, reach

    def _selected_row(self, step: DBSCANStep, visits: Visits) -> Blocks:
        """Return what is known of the selected row."""
        row = self.selected
        if row is None:
            return []
        distances = self.neighbors.distances(row)
        inside = np.flatnonzero(distances <= self.eps)
        sign = "≥" if len(inside) >= self.min_samples else "<"
        nearest = inside[np.argsort(distances[inside], kind="stable")][:MAX_NEAREST]
        listing = ", ".join(f"{self.problem.rows[i] + 1} at {num4(distances[i])}" for i in nearest)
        state = self._state(step, int(step.labels[row]), visits.reached_from)
        number = self.problem.rows[row] + 1
        return [
            Formula(f"Row {number}: |N| = {len(inside)} {sign} {self.min_samples}; {state}"),
            Formula(f"its nearest rows: {listing}"),
        ]

    def _state(self, step: DBSCANStep, label: int, reached_from: int | None) -> str:
        if label == UNCLASSIFIED:
            return "unvisited"
        if label == NOISE:
            return "noise" if step.row is None else "noise so far"
        if reached_from is None or reached_from == self.selected:
            return f"in cluster {label + 1}"
        return f"in cluster {label + 1}, reached from row {self.problem.rows[reached_from] + 1}"


def _kinds_of_points(step: DBSCANStep, visits: Visits) -> Formula:
    """Return how many rows of each kind there are so far."""
    labels = step.labels
    counts = {
        "core": visits.core.sum(),
        "border": (visits.rows & ~visits.core & (labels >= 0)).sum(),
        "noise": (labels == NOISE).sum(),
        "waiting": len(step.seeds),
        "unvisited": (labels == UNCLASSIFIED).sum(),
    }
    parts = [f"{number} {kind}" for kind, number in counts.items() if number]
    return Formula(f"{' + '.join(parts)} = {len(labels)} rows")
