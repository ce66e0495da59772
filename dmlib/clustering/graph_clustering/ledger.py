"""Threshold graph clustering in words and numbers: kept edges and components."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.clustering.graph_clustering.algorithm import (
    Indices,
    ThresholdGraphClustering,
    ThresholdGraphClusteringStep,
)
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num
from dmlib.problem import GraphProblem

MAX_COMPONENTS = 12  # lines of a table
MAX_NAMED = 4  # nodes that are named in one line
LONGEST = 24  # characters of a name


class Narrator:
    """Captions and ledgers of threshold graph clustering.

    Parameters
    ----------
    run : Run
        The run.
    """

    def __init__(self, run: Run[GraphProblem, ThresholdGraphClustering]) -> None:
        self.problem, self.selected = run.problem, run.selected
        self.threshold, self.is_similarity = run.model.threshold, run.model.weights == "similarity"

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: ThresholdGraphClusteringStep = moment.step
        caption, ledger = self._end(step) if step.edge is None else self._edge(step, *step.edge)
        return caption, [*self._selected_node(step), *ledger]

    def _edge(self, step: ThresholdGraphClusteringStep, u: int, v: int) -> tuple[str, Blocks]:
        a, b = self._name(u), self._name(v)
        sign = "≥" if self.is_similarity else "≤"
        comparison = f"{num(step.weight)} {sign} {num(self.threshold)}"
        edge = f"Edge {a} – {b} (weight {comparison})"
        components = count(step.n_components, "component", "components")
        n = int((step.components == step.components[u]).sum())
        ledger: Blocks = [Formula(f"w({a}, {b}) = {comparison}: kept edge {step.n_kept}")]
        first, second = step.sizes
        if step.phase == "inside":
            caption = f"{edge} lies inside a component of {n} nodes."
            ledger.append(Formula(f"find({a}) = find({b}): still {components}"))
            return caption, [*ledger, self._components(step)]
        caption = f"{edge} merges components of {first} and {second} nodes: {components} left."
        if first == second == 1:
            caption = f"{edge} joins two single nodes: {components} left."
        arithmetic = f"{first} + {second} = {n} nodes; {step.n_components + 1} − 1 = {components}"
        before = short_table(("component of", "nodes"), ((a, first), (b, second)), "Before")
        return caption, [*ledger, before, Formula(arithmetic), self._components(step)]

    def _end(self, step: ThresholdGraphClusteringStep) -> tuple[str, Blocks]:
        labels = step.labels if step.labels is not None else step.components
        sizes = np.bincount(labels)
        n_clusters = int((sizes > 1).sum())
        n_single = len(sizes) - n_clusters
        all_clusters = count(len(sizes), "cluster", "clusters")
        total = Formula(f"{n_clusters} + {n_single} single = {all_clusters}")
        ledger: Blocks = [total]
        if n_clusters:
            ledger.append(self._clusters(labels, sizes[:n_clusters]))
        return f"Done. {step.reason}", ledger

    def _clusters(self, labels: Indices, sizes: Indices) -> LedgerTable:
        """Return the table of the clusters of these sizes."""
        ends = labels[self.problem.edges[self._is_kept()]]
        n_edges = np.bincount(ends[ends[:, 0] == ends[:, 1], 0], minlength=len(sizes))
        rows = [
            (n, f"{n_edges[k]} of {n * (n - 1) // 2}", self._listed(np.flatnonzero(labels == k)))
            for k, n in enumerate(sizes.tolist())
        ]
        head = ("nodes", "pairs joined", "members")
        return short_table(
            head, rows, "Clusters", max_rows=MAX_COMPONENTS, of="clusters", classes=True
        )

    def _is_kept(self) -> NDArray[np.bool_]:
        """Return which edges of the graph are kept."""
        weights = self.problem.weights
        is_kept: NDArray[np.bool_] = weights <= self.threshold
        if self.is_similarity:
            is_kept = weights >= self.threshold
        return is_kept

    def _components(self, step: ThresholdGraphClusteringStep) -> LedgerTable:
        """Return the table of the components of two or more nodes, the largest first."""
        roots, sizes = np.unique(step.components, return_counts=True)
        order = [k for k in np.argsort(-sizes, kind="stable") if sizes[k] > 1]
        listed = order[:MAX_COMPONENTS]
        rows = [
            (int(sizes[k]), self._listed(np.flatnonzero(step.components == roots[k])))
            for k in listed
        ]
        root = step.components[step.edge[0]] if step.edge else -1
        emphasis = [i for i, k in enumerate(listed) if roots[k] == root]
        title = "Components of two or more nodes"
        if len(order) > MAX_COMPONENTS:
            title += f" (the first {MAX_COMPONENTS} of {len(order)})"
        return short_table(("nodes", "members"), rows, title, emphasis)

    def _selected_node(self, step: ThresholdGraphClusteringStep) -> Blocks:
        """Return the component and the strongest edge of the selected node."""
        if self.selected is None:
            return []
        pairs, weights = self.problem.edges, self.problem.weights
        is_own = (pairs == self.selected).any(axis=1)
        size = int((step.components == step.components[self.selected]).sum())
        text = f"{self._name(self.selected)}: in a component of {count(size, 'node', 'nodes')}"
        if is_own.any():
            best = weights[is_own].max() if self.is_similarity else weights[is_own].min()
            text += f"; strongest of its {count(int(is_own.sum()), 'edge', 'edges')}: {num(best)}"
        return [Formula(text)]

    def _name(self, node: int) -> str:
        name = " ".join(self.problem.names[node].split())
        return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"

    def _listed(self, nodes: Indices) -> str:
        return abridged(
            [self._name(node) for node in nodes[: MAX_NAMED + 1].tolist()], MAX_NAMED, ", "
        )
