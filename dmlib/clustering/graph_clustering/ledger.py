"""What a step of threshold graph clustering says: its sentence and its arithmetic."""

from __future__ import annotations

import numpy as np

from dmlib.clustering.graph_clustering.algorithm import Indices, ThresholdGraphClusteringStep
from dmlib.pictures.ledger import Blocks, Formula, few, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, num

MOST_COMPONENTS = 12  # lines of a table
MOST_NAMED = 4  # nodes that are named in one line
LONGEST = 24  # characters of a name


class Teller:
    """Says what a step does, with the numbers of a run."""

    def __init__(self, run: Run) -> None:
        self.problem, self.selected = run.problem, run.selected
        self.threshold, self.similar = run.model.threshold, run.model.weights == "similarity"

    def frame(self, step: ThresholdGraphClusteringStep) -> Frame:
        """Return the frame of a step."""
        caption, ledger = self._done(step) if step.edge is None else self._edge(step, *step.edge)
        return Frame(caption, [*self._selected(step), *ledger], step.phase)

    def _edge(self, step: ThresholdGraphClusteringStep, u: int, v: int) -> tuple[str, Blocks]:
        one, other = self._name(u), self._name(v)
        sign = "≥" if self.similar else "≤"
        comparison = f"{num(step.weight)} {sign} {num(self.threshold)}"
        left = count(step.n_components, "component", "components")
        kept = Formula(f"w({one}, {other}) = {comparison}: kept edge {step.n_kept}")
        mine = np.flatnonzero(step.components == step.components[u])
        if step.phase == "inside":
            caption = f"Edge {one} – {other} (weight {comparison}) lies inside a component of {len(mine)} nodes."
            return caption, [kept, Formula(f"find({one}) = find({other}): still {left}"), *self._components(step)]
        first, second = step.sizes
        sizes = f"{first} and {second} nodes"
        caption = f"Edge {one} – {other} (weight {comparison}) merges components of {sizes}: {left} left."
        if first == second == 1:
            caption = f"Edge {one} – {other} (weight {comparison}) joins two single nodes: {left} left."
        arithmetic = f"{first} + {second} = {len(mine)} nodes; {step.n_components + 1} − 1 = {left}"
        parts = ((one, first), (other, second))
        before = short_table(("component of", "nodes"), parts, "Before")
        return caption, [kept, before, Formula(arithmetic), *self._components(step)]

    def _done(self, step: ThresholdGraphClusteringStep) -> tuple[str, Blocks]:
        labels = step.labels if step.labels is not None else step.components
        sizes = np.bincount(labels)
        several = int((sizes > 1).sum())
        pairs = self.problem.edges
        within = pairs[(labels[pairs[:, 0]] == labels[pairs[:, 1]]) & self._strong()]
        edges = np.bincount(labels[within[:, 0]], minlength=len(sizes))
        rows = [
            (int(n), f"{edges[k]} of {n * (n - 1) // 2}", self._listed(np.flatnonzero(labels == k)))
            for k, n in enumerate(sizes[:several].tolist())
        ]
        head = ("nodes", "pairs joined", "members")
        table = short_table(head, rows, "Clusters", most=MOST_COMPONENTS, of="clusters", classes=True)
        single = len(sizes) - several
        total = Formula(f"{several} + {single} single = {count(len(sizes), 'cluster', 'clusters')}")
        return f"Done. {step.reason}", [total, table] if rows else [total]

    def _strong(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        weights = self.problem.weights
        strong: np.ndarray[tuple[int], np.dtype[np.bool_]] = (
            weights >= self.threshold if self.similar else weights <= self.threshold
        )
        return strong

    def _components(self, step: ThresholdGraphClusteringStep) -> Blocks:
        """Return the table of the components of two or more nodes, the largest first."""
        roots, sizes = np.unique(step.components, return_counts=True)
        order = [k for k in np.argsort(-sizes, kind="stable") if sizes[k] > 1]
        rows = [
            (int(sizes[k]), self._listed(np.flatnonzero(step.components == roots[k]))) for k in order[:MOST_COMPONENTS]
        ]
        mine = step.components[step.edge[0]] if step.edge else -1
        emphasis = [i for i, k in enumerate(order[:MOST_COMPONENTS]) if roots[k] == mine]
        title = "Components of two or more nodes"
        if len(order) > MOST_COMPONENTS:
            title += f" (the first {MOST_COMPONENTS} of {len(order)})"
        return [short_table(("nodes", "members"), rows, title, emphasis)]

    def _selected(self, step: ThresholdGraphClusteringStep) -> Blocks:
        """Say what is known of the selected node."""
        if self.selected is None:
            return []
        pairs, weights = self.problem.edges, self.problem.weights
        touching = (pairs == self.selected).any(axis=1)
        size = int((step.components == step.components[self.selected]).sum())
        text = f"{self._name(self.selected)}: in a component of {count(size, 'node', 'nodes')}"
        if touching.any():
            best = weights[touching].max() if self.similar else weights[touching].min()
            text += f"; strongest of its {count(int(touching.sum()), 'edge', 'edges')}: {num(best)}"
        return [Formula(text)]

    def _name(self, node: int) -> str:
        name = " ".join(self.problem.names[node].split())
        return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"

    def _listed(self, nodes: Indices) -> str:
        return few([self._name(node) for node in nodes[: MOST_NAMED + 1].tolist()], MOST_NAMED, ", ")
