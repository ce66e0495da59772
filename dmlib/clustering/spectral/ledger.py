"""The words and the arithmetic of spectral clustering: edges, Laplacians, eigenvectors, embedding, cuts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.lloyd_ledger import lloyd_frames
from dmlib.clustering.spectral.algorithm import SpectralClusteringStep as Step
from dmlib.clustering.spectral.edges_scene import SimilarityGraph
from dmlib.clustering.spectral.similarity_graph import GraphCuts
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, class_table, few
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import count, num, num4, short, signed
from dmlib.problem import Problem, plane

HEAVIEST = 4  # edges of a row that are listed
MOST_VECTORS = 3  # eigenvectors whose entries are listed
MOST_TERMS = 4  # of a sum
MOST_VALUES = 20  # eigenvalues that are listed
NAMES = {"unnormalised": "D − W", "symmetric": "I − D⁻½WD⁻½", "random_walk": "I − D⁻¹W"}
"""The formula of each Laplacian."""
PRODUCTS = {"unnormalised": "d v − Σ w v", "symmetric": "v − Σ w v / √(d d)", "random_walk": "v − Σ w v / d"}
"""What each Laplacian makes of a row's entry in a vector."""


@dataclass(frozen=True)
class Teller:
    """Tells the frames of one run."""

    graph: SimilarityGraph  # the graph
    params: Mapping[str, Any]  # ``affinity``, ``gamma``, ``n_neighbors``, ``eps`` and ``laplacian`` of the algorithm
    selected: int | None = None  # the sample that the reader clicked

    @property
    def focus(self) -> int:
        """The row whose arithmetic is written out: the selected one, or that of the largest degree."""
        return int(self.graph.degrees.argmax()) if self.selected is None else self.selected

    def frames(self, steps: Sequence[Step]) -> list[Frame]:
        """Return one frame per step."""
        tell = {"graph": self._graph, "laplacian": self._laplacian, "eigenvector": self._eigenvector}
        tell |= {"embedding": self._embedding, "cut": self._cut}
        moves = iter(self._kmeans([step for step in steps if step.kmeans is not None and step.phase != "cut"]))
        return [Frame(*tell[s.phase](s), s.phase) if s.phase in tell else next(moves) for s in steps]

    # --- the graph ----------------------------------------------------------------------------------------------------

    def _graph(self, step: Step) -> tuple[str, Blocks]:
        n, n_edges = len(self.graph.degrees), len(self.graph.edges[0])
        edges, pairs = f"{n_edges:,}", n * (n - 1) // 2
        joined = f"all {edges}" if n_edges == pairs else f"{edges} of {pairs:,}"
        caption = {
            "rbf": f"The weight of an edge falls with the distance of its rows: {joined} pairs are joined.",
            "knn": f"Each row is joined to its {self.params['n_neighbors'] - 1} nearest: {edges} edges, "
            "heavier where both are among each other's nearest.",
            "epsilon": f"Rows that are at most {num(self.params['eps'])} apart are joined: {edges} edges of weight 1.",
        }[self.params["affinity"]]
        return caption, [self._edges_of_focus(), *self._weight()]

    def _heaviest(self) -> tuple[Any, Floats, Floats]:
        """Return the rows to which the row that is told has its heaviest edges, with distances and weights."""
        weights = self.graph.weights_of(self.focus)
        with np.errstate(over="ignore", under="ignore"):
            distances = np.linalg.norm(self.graph.problem.X - self.graph.problem.X[self.focus], axis=1)
        joined = np.flatnonzero(weights > 0)
        order = joined[np.lexsort((distances[joined], -weights[joined]))][:HEAVIEST]
        return order, distances[order], weights[order]

    def _edges_of_focus(self) -> LedgerTable:
        name, n = self.graph.name(self.focus), int((self.graph.weights_of(self.focus) > 0).sum())
        rows = [(self.graph.name(int(i)), float(d), float(w)) for i, d, w in zip(*self._heaviest(), strict=True)]
        title = f"{name.capitalize()} has {count(n, 'edge', 'edges')}" + (", the heaviest:" if n > len(rows) else "")
        return LedgerTable(("to", "distance", "weight"), rows, title)

    def _weight(self) -> Blocks:
        """Write out the weight of the heaviest edge of the row that is told."""
        rows, distances, weights = self._heaviest()
        if not len(rows):
            return [Formula("no edge: its weight to every other row is 0")]
        start, d, w = f"w = {num(weights[0])}: ", num(distances[0]), num(weights[0])
        if self.params["affinity"] == "rbf":
            return [Formula(f"w = exp(−γ d²) = exp(−{num(self.params['gamma'])} · {d}²) = {w}")]
        if self.params["affinity"] == "epsilon":
            return [Formula(f"{start}the distance {d} is at most eps = {num(self.params['eps'])}")]
        both = "each is" if weights[0] == 1 else "only one is"
        return [Formula(f"{start}{both} among the {self.params['n_neighbors'] - 1} nearest of the other")]

    # --- the Laplacians -----------------------------------------------------------------------------------------------

    def _laplacian(self, step: Step) -> tuple[str, Blocks]:
        graph, d = self.graph, self.graph.degrees
        least, most = int(d.argmin()), int(d.argmax())
        caption = (
            f"The degree d of a row is the sum of its weights, from {num4(d[least])} for {graph.name(least)} to "
            f"{num4(d[most])} for {graph.name(most)}; the Laplacian is {NAMES[self.params['laplacian']]}."
        )
        if graph.n_parts > 1:
            caption += f" The graph falls into {graph.n_parts} parts."
        i = self.focus
        weights = graph.weights_of(i)
        terms = [num4(w) for w in self._heaviest()[2]]
        more = " + …" if (weights > 0).sum() > len(terms) else ""
        total = [" + ".join(terms) + more] * bool(terms) + [num(d[i])]
        return caption, [Formula(f"d({graph.name(i)}) = {' = '.join(total)}"), *self._entries()]

    def _entries(self) -> Blocks:
        """Return the entries of the three Laplacians for the row that is told and its heaviest edge."""
        rows, _, weights = self._heaviest()
        if not len(rows):
            return []
        i, j, w = self.focus, int(rows[0]), float(weights[0])
        d_i, d_j = float(self.graph.degrees[i]), float(self.graph.degrees[j])
        a, b = (self.graph.name(row).removeprefix("row ") for row in (i, j))
        table = [
            (f"L({a}, {a})", d_i, 1, 1),
            (f"L({a}, {b})", -w, -w / np.sqrt(d_i * d_j), -w / d_i),
            (f"L({b}, {a})", -w, -w / np.sqrt(d_i * d_j), -w / d_j),
            (f"L({b}, {b})", d_j, 1, 1),
        ]
        w_, i_, j_ = num(w), num4(d_i), num4(d_j)
        formula = {
            "unnormalised": f"L({a}, {b}) = −w = −{w_}",
            "symmetric": f"L({a}, {b}) = −w / √(d d) = −{w_} / √({i_} · {j_}) = {num(table[1][2])}",
            "random_walk": f"L({a}, {b}) = −w / d = −{w_} / {i_} = {num(table[1][3])}",
        }[self.params["laplacian"]]
        return [LedgerTable(("", *NAMES.values()), table, "The three Laplacians"), Formula(formula)]

    # --- eigenvectors -------------------------------------------------------------------------------------------------

    def _eigenvector(self, step: Step) -> tuple[str, Blocks]:
        values, v = _of(step.eigenvalues), _of(step.vectors)[:, step.index]
        low, high = num4(v.min()), num4(v.max())
        caption = f"Eigenvector {step.index + 1} has the eigenvalue {num4(values[step.index])}"
        if step.index < self.graph.n_parts:
            where = "on one part of the graph" if self.graph.n_parts > 1 else "on the whole graph, which is connected"
            root = "the root of the degree" if self.params["laplacian"] == "symmetric" else "constant"
            caption += f": it is {root} {where}" + (", and 0 elsewhere." if self.graph.n_parts > 1 else ".")
        else:
            caption += f": its entries go from {low} to {high}, and differ little where the graph is dense."
        gaps = [*(values[1:] - values[:-1]).tolist(), None]
        rows = [(i + 1, float(value), gap) for i, (value, gap) in enumerate(zip(values, gaps, strict=True))]
        title = "The smallest eigenvalues"
        if len(values) > 1:
            title += f"; the widest gap is after number {int(np.argmax(values[1:] - values[:-1])) + 1}"
        first = max(0, min(step.index - MOST_VALUES // 2, len(rows) - MOST_VALUES))
        if len(rows) > MOST_VALUES:
            title += f" (numbers {first + 1} to {first + MOST_VALUES} of {len(rows)})"
        listed = rows[first : first + MOST_VALUES]
        table = LedgerTable(("", "eigenvalue", "gap to the next"), listed, title, [step.index - first])
        value = float(values[step.index])
        return caption, [*self._product(v, value), self._quotient(v, value), table]

    def _product(self, v: Floats, value: float) -> Blocks:
        """Write out L v = λ v for the row that is told."""
        i, d = self.focus, self.graph.degrees
        if not d[i]:
            return []
        safe = np.where(d > 0, d, 1)
        scales: dict[str, Any] = {"unnormalised": 1.0, "symmetric": np.sqrt(d[i] * safe), "random_walk": d[i]}
        pull = float((self.graph.weights_of(i) / scales[self.params["laplacian"]] * v).sum())
        own, mine = float(v[i]), num(v[i])
        if self.params["laplacian"] == "unnormalised":
            own, mine = float(d[i] * v[i]), f"{num(d[i])} · {signed(v[i])}"
        left = f"{PRODUCTS[self.params['laplacian']]} = {mine} − {signed(pull)}"
        return [
            Formula(f"{self.graph.name(i)}: (L v) = {left} = {num(_less(own, pull))}"),
            Formula(f"λ v = {num(value)} · {signed(v[i])} = {num(value * v[i])}"),
        ]

    def _quotient(self, v: Floats, value: float) -> Formula:
        """Write the eigenvalue as what the edges are stretched, in proportion to the length."""
        d = np.where(self.graph.degrees > 0, self.graph.degrees, 1)
        u = v / np.sqrt(d) if self.params["laplacian"] == "symmetric" else v
        one, other, weights = self.graph.edges
        stretch = float((weights * (u[one] - u[other]) ** 2).sum()) if value else 0.0  # of 0 only rounding is left
        mass = float((d * v * v).sum()) if self.params["laplacian"] == "random_walk" else float((v * v).sum())
        below = "Σ d v²" if self.params["laplacian"] == "random_walk" else "Σ v²"
        above = "Σ w (vᵢ/√dᵢ − vⱼ/√dⱼ)²" if self.params["laplacian"] == "symmetric" else "Σ w (vᵢ − vⱼ)²"
        return Formula(f"λ = {above} / {below} = {num(stretch)} / {num(mass)} = {num(stretch / mass)}, over all edges")

    def _embedding(self, step: Step) -> tuple[str, Blocks]:
        E, V = _of(step.embedding), _of(step.vectors)
        k = E.shape[1]
        scaled = ", scaled to length 1" if self.params["laplacian"] == "symmetric" else ""
        caption = f"Each row becomes a point, its entries in {_first(k)}{scaled}; k-means clusters these points."
        rows = [self.focus, *map(int, self._heaviest()[0])]
        table: list[list[Cell]] = [[self.graph.name(i), *map(float, E[i, :MOST_VECTORS])] for i in rows]
        head = ("", *(f"v{j + 1}" for j in range(min(k, MOST_VECTORS))))
        title = "Embedding of a row and its neighbours"
        ledger: Blocks = [LedgerTable(head, table, title, [0])]
        length = float(np.linalg.norm(V[self.focus, :k]))
        if scaled and length > 0:
            parts = " + ".join(f"{signed(x)}²" for x in V[self.focus, : min(k, MOST_TERMS)])
            more = " + …" if k > MOST_TERMS else ""
            first = f"{num(V[self.focus, 0])} / {num(length)} = {num(E[self.focus, 0])}"
            ledger.append(
                Formula(f"{self.graph.name(self.focus)}: length √({parts}{more}) = {num(length)}; v1: {first}")
            )
        return caption, ledger

    def _kmeans(self, steps: Sequence[Step]) -> Sequence[Frame]:
        """Tell k-means among the points of the embedding as its own page does."""
        if not steps:
            return []
        X = _of(steps[-1].embedding)
        names = tuple(f"v{j + 1}" for j in range(X.shape[1]))
        problem = Problem(X, names, plane(X, names), self.graph.problem.rows)
        return lloyd_frames(problem, [step.kmeans for step in steps if step.kmeans is not None], self.selected)

    # --- the cut ------------------------------------------------------------------------------------------------------

    def _cut(self, step: Step) -> tuple[str, Blocks]:
        cuts, labels = step.cuts, step.labels
        if cuts is None or labels is None:
            raise ValueError("A cut has clusters and their measures.")
        weight = float(cuts.volumes.sum()) / 2
        caption = (
            f"Done: the {count(len(cuts.sizes), 'cluster cuts', 'clusters cut')} edges of the weight "
            f"{num4(cuts.cut)} of {num4(weight)} in all, {100 * cuts.cut / weight:.3g}%."
        )
        return caption, [*self._weights_to(labels), *cut_blocks(cuts)]

    def _weights_to(self, labels: Any) -> Blocks:
        """Tell how much weight joins the selected row to each cluster."""
        if self.selected is None:
            return []
        to = np.bincount(labels, self.graph.weights_of(self.selected), minlength=int(labels.max()) + 1)
        title = f"{self.graph.name(self.selected).capitalize()}: the weight of its edges to each cluster"
        return [class_table(("weight",), [(float(w),) for w in to], title, [int(labels[self.selected])])]


def cut_blocks(cuts: GraphCuts) -> Blocks:
    """Write out the cut, the ratio cut and the normalised cut of a partition."""
    volumes = np.where(cuts.volumes > 0, cuts.volumes, 1)
    rows = [
        (int(n), short(vol), *(float(f"{value:.3g}") for value in (c, c / n, c / safe)))
        for n, vol, c, safe in zip(cuts.sizes, cuts.volumes, cuts.cuts, volumes, strict=True)
    ]
    k = len(rows)
    parts = [num4(c) for c in cuts.cuts]
    by_size = few([f"{part}/{n}" for part, n in zip(parts, cuts.sizes, strict=True)], MOST_TERMS)
    by_volume = few([f"{part}/{num4(vol)}" for part, vol in zip(parts, volumes, strict=True)], MOST_TERMS)
    return [
        class_table(("rows", "vol", "cut", "cut/rows", "cut/vol"), rows, "Edges that leave each cluster"),
        Formula(f"cut = ½ ({few(parts, MOST_TERMS)}) = {num(cuts.cut)}"),
        Formula(f"ratio cut = ({by_size}) / {k} = {num(cuts.ratio_cut)}"),
        Formula(f"normalised cut = ({by_volume}) / {k} = {num(cuts.normalized_cut)}"),
    ]


def _first(k: int) -> str:
    return "the first eigenvector" if k == 1 else f"the first {k} eigenvectors"


def _of(array: Floats | None) -> Floats:
    """Return an array that the steps of this phase have."""
    return np.empty((0, 0)) if array is None else array


def _less(a: float, b: float) -> float:
    """Return a - b, and 0 where only rounding is left of it."""
    return 0.0 if abs(a - b) <= 1e-12 * max(abs(a), abs(b)) else a - b
