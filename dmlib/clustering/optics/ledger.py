"""OPTICS in words and numbers: how a row takes its place, and which rows it reaches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dmlib.clustering.density_scene import MAX_CLUSTERS, cluster_sizes
from dmlib.clustering.neighbors import Indices, Neighbors
from dmlib.clustering.optics.algorithm import OPTICSStep
from dmlib.clustering.optics.plot_scene import ReachabilityPlot
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, numbered_table
from dmlib.pictures.story import Fold, Moment
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem import Problem

MAX_LINES = 3  # of a table


@dataclass(frozen=True)
class Narrator:
    """Captions and ledgers of OPTICS."""

    problem: Problem
    neighbors: Neighbors  # its rows
    plot: ReachabilityPlot  # the order of the rows, their distances and clusters
    selected: int | None  # the row that the reader clicked

    @property
    def numbers(self) -> Indices:
        """The numbers of the rows, from 1."""
        return self.problem.rows + 1

    @property
    def source(self) -> Fold:
        """The row that the selected row was reached from, None before, as it accumulates."""
        return Fold(None, self._next_source)

    def _next_source(self, source: int | None, step: OPTICSStep) -> int | None:
        is_updated = self.selected is not None and self.selected in step.updated
        return step.row if is_updated else source

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: OPTICSStep = moment.step
        if step.row is None:
            caption, ledger = self._end(step)
        else:
            caption, ledger = self._caption(step, moment.before), self._reach(step, step.row)
        return caption, [*self._selected_row(step, moment.so_far), *ledger]

    def _waiting(self, step: OPTICSStep) -> Indices:
        """Return the seed list after a step."""
        is_unprocessed = self.plot.place > step.position
        return np.flatnonzero(is_unprocessed & np.isfinite(step.reachabilities))

    def _caption(self, step: OPTICSStep, before: OPTICSStep) -> str:
        number, n_waited = self.numbers[step.row], len(self._waiting(before))
        if step.phase == "start":
            choice = "starts: the seed list is empty, so the first unprocessed row is taken"
            return f"Row {number} {choice}{self._effect(step)}"
        which = f"the smallest of {n_waited} on the seed list"
        if n_waited == 1:
            which = "the only row on the seed list"
        position = f"({num4(step.reachability)}), gets position {step.position + 1}"
        return f"Row {number}, {which} {position}{self._effect(step)}"

    def _effect(self, step: OPTICSStep) -> str:
        n = len(step.updated)
        if np.isinf(step.core_distance):
            return "; no core point within max_eps, so it reaches no point."
        if not n:
            return " and lowers no reachability."
        return f" and lowers the reachability of {count(n, 'row', 'rows')}."

    def _reach(self, step: OPTICSStep, row: int) -> Blocks:
        """Return the core distance, the updated rows and the seed list."""
        core = f"core distance of row {self.numbers[row]}: {num4(step.core_distance)}"
        ledger: Blocks = [Formula(core)]
        waiting = self._waiting(step)
        n_unseen = len(self.numbers) - step.position - 1 - len(waiting)
        if len(step.updated):
            ledger.append(self._updates(step, row))
        if len(waiting):
            ledger.append(self._seed_list(step, waiting))
        if n_unseen:
            ledger.append(Formula(f"{n_unseen} rows are not reached yet."))
        return ledger

    def _updates(self, step: OPTICSStep, row: int) -> LedgerTable:
        """Return how the reachability of the first few updated rows is computed."""
        reachabilities = step.reachabilities[step.updated]
        distances = self.neighbors.distances(row)[step.updated]
        order = np.argsort(reachabilities, kind="stable")[:MAX_LINES]
        before = [short(d) if np.isfinite(d) else "∞" for d in step.before[order]]
        columns = (map(short, values[order]) for values in (distances, reachabilities))
        numbers = self.numbers[step.updated[order]].tolist()
        rows = list(zip(numbers, *columns, before, strict=True))
        head = ("row", "d", "max(core, d)", "before")
        return numbered_table(head, rows, f"Reached from row {self.numbers[row]}")

    def _seed_list(self, step: OPTICSStep, waiting: Indices) -> Formula:
        ordered = waiting[np.argsort(step.reachabilities[waiting], kind="stable")]
        first = ordered[: MAX_LINES + 1]  # the last of them stands for an ellipsis
        texts = [f"{self.numbers[i]} at {num4(step.reachabilities[i])}" for i in first]
        return Formula(f"Seed list ({len(waiting)}): {abridged(texts, MAX_LINES, ', ')}")

    def _end(self, step: OPTICSStep) -> tuple[str, Blocks]:
        labels, plot = self.plot.labels, self.plot
        n_clusters, n_noise = int(labels.max()) + 1, int((labels < 0).sum())
        clusters = count(n_clusters, "cluster", "clusters")
        noise = count(n_noise, "row", "rows")
        result = f"Steep flanks bound {clusters} and leave {noise} of noise"
        if plot.by_cut:
            result = f"The cut at {num(plot.cut)} gives {clusters} and leaves {noise} of noise"
        total = f"{len(labels) - n_noise} in clusters + {n_noise} noise = {len(labels)} rows"
        ledger = [*cluster_sizes(labels), *self._hierarchy(step), Formula(total)]
        ending = step.reason.split(":")[0] + "." if ":" in step.reason else step.reason
        return f"Done. {ending} {result}.", ledger

    def _hierarchy(self, step: OPTICSStep) -> Blocks:
        """Return the clusters that steep flanks bound, those within others included."""
        if self.plot.by_cut or step.hierarchy is None or not len(step.hierarchy):
            return []
        bounds = step.hierarchy[:MAX_CLUSTERS]
        spans = [(int(a) + 1, int(b) + 1, int(b - a) + 1) for a, b in bounds]
        head = ("from position", "to position", "rows")
        return [LedgerTable(head, spans, "Clusters within clusters")]

    def _selected_row(self, step: OPTICSStep, source: int | None) -> Blocks:
        """Return what is known of the selected row."""
        row = self.selected
        if row is None:
            return []
        reachability = float(step.reachabilities[row])
        state = "waits" if np.isfinite(reachability) else "not reached yet"
        if self.plot.place[row] <= step.position:
            state = f"position {self.plot.place[row] + 1}"
        number = self.numbers[row]
        if source is None:
            return [Formula(f"Row {number}: {state}, reachability ∞")]
        core, distance = float(self.plot.core[source]), float(self.neighbors.distances(source)[row])
        return [
            Formula(f"Row {number}: {state}; reached from row {self.numbers[source]}"),
            Formula(f"max(core {num4(core)}, d {num4(distance)}) = {num4(reachability)}"),
        ]
