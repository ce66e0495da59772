"""Spectral clustering in words and numbers: edges, Laplacians, eigenvectors, embedding, cuts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.clustering.kmeans.algorithm import KMeansStep
from dmlib.clustering.lloyd_ledger import lloyd_ledger
from dmlib.clustering.spectral.algorithm import SpectralClusteringStep as Step
from dmlib.clustering.spectral.edges_scene import SimilarityGraph
from dmlib.clustering.spectral.similarity_graph import GraphCuts
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged, class_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, percent, short, signed, upper_first
from dmlib.problem import GraphProblem, Problem, plane

MAX_LISTED = 4  # edges of a row that are listed
MAX_VECTORS = 3  # eigenvectors whose entries are listed
MAX_TERMS = 4  # of a sum
MAX_VALUES = 20  # eigenvalues that are listed
NAMES = {"unnormalised": "D − W", "symmetric": "I − D⁻½WD⁻½", "random_walk": "I − D⁻¹W"}
"""The formula of each Laplacian."""
PRODUCTS = {
    "unnormalised": "d v − Σ w v",
    "symmetric": "v − Σ w v / √(d d)",
    "random_walk": "v − Σ w v / d",
}
"""The entry of a row in the product of each Laplacian and a vector."""


@dataclass(frozen=True)
class Narrator:
    """Captions and ledgers of spectral clustering."""

    graph: SimilarityGraph
    params: Mapping[str, Any]  # of the algorithm, and whether it scales rows
    embedding: Floats  # (n_samples, n_components): the points that k-means gets
    selected: int | None = None  # the sample that the reader clicked

    @property
    def focus(self) -> int:
        """The row that is written out: the selected one, or that of the largest degree."""
        return int(self.graph.degrees.argmax()) if self.selected is None else self.selected

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: Step = moment.step
        build = {
            "graph": self._graph,
            "laplacian": self._laplacian,
            "eigenvector": self._eigenvector,
            "embedding": self._embedding,
            "cut": self._cut,
        }
        if step.phase in build:
            return build[step.phase](step)
        kmeans = cast(KMeansStep, step.kmeans)
        before = moment.before.kmeans or kmeans
        return lloyd_ledger(self._embedded, kmeans, before, self.selected, self.graph.name)

    @cached_property
    def _embedded(self) -> Problem:
        """The points of the embedding as data, since k-means speaks as on its own page."""
        names = tuple(f"v{j + 1}" for j in range(self.embedding.shape[1]))
        return Problem(self.embedding, names, plane(self.embedding, names), self.graph.problem.rows)

    # --- the graph --------------------------------------------------------------------------------

    def _graph(self, step: Step) -> tuple[str, Blocks]:
        n, edges = len(self.graph.degrees), f"{len(self.graph.edges[0]):,}"
        pairs = f"{n * (n - 1) // 2:,}"
        if isinstance(self.graph.problem, GraphProblem):
            weighed = "the weight of an edge" if self.params["weighted"] else "1 for each edge"
            caption = f"The similarity of two nodes is {weighed}: {n} nodes, {edges} edges."
            return caption, [self._edges_of_focus(), *self._weight()]
        joined = f"all {edges}" if edges == pairs else f"{edges} of {pairs}"
        if self.params["affinity"] == "rbf":
            rule = "The weight of an edge falls with the distance of its rows"
            caption = f"{rule}: {joined} pairs are joined."
        elif self.params["affinity"] == "knn":
            rule = (
                f"Each row is joined to its {self.params['n_neighbors']} nearest, itself included"
            )
            heavier = "heavier where both are among each other's nearest"
            caption = f"{rule}: {edges} edges, {heavier}."
        else:
            rule = f"Rows that are at most {num(self.params['eps'])} apart are joined"
            caption = f"{rule}: {edges} edges of weight 1."
        return caption, [self._edges_of_focus(), *self._weight()]

    @cached_property
    def _n_edges(self) -> int:
        """The number of edges of the row in focus."""
        return int((self.graph.weights_of(self.focus) > 0).sum())

    @cached_property
    def _heaviest(self) -> tuple[NDArray[np.intp], Floats, Floats]:
        """The heaviest edges of the row in focus, with distances and weights."""
        weights = self.graph.weights_of(self.focus)
        if isinstance(self.graph.problem, GraphProblem):
            ends = np.flatnonzero(weights)
            ends = ends[np.argsort(-weights[ends], kind="stable")][:MAX_LISTED]
            return ends, np.full(len(ends), np.nan), weights[ends]
        X = self.graph.problem.X
        with np.errstate(over="ignore", under="ignore"):
            distances = np.linalg.norm(X - X[self.focus], axis=1)
        joined = np.flatnonzero(weights > 0)
        order = joined[np.lexsort((distances[joined], -weights[joined]))][:MAX_LISTED]
        return order, distances[order], weights[order]

    def _edges_of_focus(self) -> LedgerTable:
        ends, distances, weights = self._heaviest
        names = map(self.graph.name, ends.tolist())
        rows: list[Sequence[Cell]] = list(
            zip(names, distances.tolist(), weights.tolist(), strict=True)
        )
        head: tuple[str, ...] = ("to", "distance", "weight")
        if isinstance(self.graph.problem, GraphProblem):
            head, rows = head[::2], [row[::2] for row in rows]
        title = f"{upper_first(self.graph.name(self.focus))} has "
        title += count(self._n_edges, "edge", "edges")
        if self._n_edges > len(rows):
            title += ", the heaviest:"
        return LedgerTable(head, rows, title)

    def _weight(self) -> Blocks:
        """Write out the weight of the heaviest edge of the row in focus."""
        rows, distances, weights = self._heaviest
        if not len(rows):
            return [Formula("no edge: its weight to every other row is 0")]
        d, w = num(distances[0]), num(weights[0])
        start = f"w = {w}: "
        if isinstance(self.graph.problem, GraphProblem):
            return [Formula(f"{start}the edge to {self.graph.name(int(rows[0]))}")]
        if self.params["affinity"] == "rbf":
            return [Formula(f"w = exp(−γ d²) = exp(−{num(self.params['gamma'])} · {d}²) = {w}")]
        if self.params["affinity"] == "epsilon":
            return [Formula(f"{start}the distance {d} is at most eps = {num(self.params['eps'])}")]
        neighborhood = "each is" if weights[0] == 1 else "only one is"
        n_nearest = self.params["n_neighbors"] - 1
        return [Formula(f"{start}{neighborhood} among the {n_nearest} nearest of the other")]

    # --- the Laplacians ---------------------------------------------------------------------------

    def _laplacian(self, step: Step) -> tuple[str, Blocks]:
        graph, d = self.graph, self.graph.degrees
        lowest, highest = int(d.argmin()), int(d.argmax())
        caption = (
            f"The degree d of a {graph.unit} is the sum of its weights, "
            f"from {num4(d[lowest])} for {graph.name(lowest)} "
            f"to {num4(d[highest])} for {graph.name(highest)}; "
            f"the Laplacian is {NAMES[self.params['laplacian']]}."
        )
        if graph.n_parts > 1:
            caption += f" The graph falls into {graph.n_parts} parts."
        return caption, [self._degree(), *self._entries()]

    def _degree(self) -> Formula:
        """Write out the degree of the row in focus."""
        terms = [num4(weight) for weight in self._heaviest[2]]
        name, degree = self.graph.name(self.focus), num(self.graph.degrees[self.focus])
        if not terms:
            return Formula(f"d({name}) = {degree}")
        total = " + ".join(terms) + (" + …" if self._n_edges > len(terms) else "")
        return Formula(f"d({name}) = {total} = {degree}")

    def _entries(self) -> Blocks:
        """Return the entries of the three Laplacians for the row in focus and its heaviest edge."""
        rows, _, weights = self._heaviest
        if not len(rows):
            return []
        i, j = self.focus, int(rows[0])
        w = float(weights[0])
        d_i, d_j = float(self.graph.degrees[i]), float(self.graph.degrees[j])
        a, b = (self.graph.number(row) for row in (i, j))
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

    # --- eigenvectors -----------------------------------------------------------------------------

    def _eigenvector(self, step: Step) -> tuple[str, Blocks]:
        values, v = _of(step.eigenvalues), _of(step.vectors)[:, step.index]
        value = float(values[step.index])
        name = f"Eigenvector {step.index + 1} has the eigenvalue {num4(value)}"
        caption = f"{name}: {self._entries_in_words(v, step.index)}."
        table = _eigenvalue_table(values, step.index)
        return caption, [*self._product(v, value), self._quotient(v, value), table]

    def _entries_in_words(self, v: Floats, index: int) -> str:
        if index >= self.graph.n_parts:
            low, high = num4(v.min()), num4(v.max())
            return (
                f"its entries go from {low} to {high}, and differ little where the graph is dense"
            )
        is_symmetric = self.params["laplacian"] == "symmetric"
        entries = "the root of the degree" if is_symmetric else "constant"
        if self.graph.n_parts > 1:
            return f"it is {entries} on one part of the graph, and 0 elsewhere"
        return f"it is {entries} on the whole graph, which is connected"

    def _product(self, v: Floats, value: float) -> Blocks:
        """Write out L v = λ v for the row in focus."""
        i, d = self.focus, self.graph.degrees
        laplacian = self.params["laplacian"]
        if not d[i]:
            return []
        safe = np.where(d > 0, d, 1)
        scales: dict[str, Any] = {
            "unnormalised": 1.0,
            "symmetric": np.sqrt(d[i] * safe),
            "random_walk": d[i],
        }
        pull = float((self.graph.weights_of(i) / scales[laplacian] * v).sum())
        own, own_text = float(v[i]), num(v[i])
        if laplacian == "unnormalised":
            own, own_text = float(d[i] * v[i]), f"{num(d[i])} · {signed(v[i])}"
        terms = f"{PRODUCTS[laplacian]} = {own_text} − {signed(pull)}"
        return [
            Formula(f"{self.graph.name(i)}: (L v) = {terms} = {num(_deficit(own, pull))}"),
            Formula(f"λ v = {num(value)} · {signed(v[i])} = {num(value * v[i])}"),
        ]

    def _quotient(self, v: Floats, value: float) -> Formula:
        """Write out the eigenvalue as the Rayleigh quotient of its vector."""
        laplacian, d = self.params["laplacian"], self.graph.degrees
        d = np.where(d > 0, d, 1)
        u = v / np.sqrt(d) if laplacian == "symmetric" else v
        i, j, weights = self.graph.edges
        # Of an eigenvalue 0 only rounding is left.
        stretch = float((weights * (u[i] - u[j]) ** 2).sum()) if value else 0.0
        mass, below = float((v * v).sum()), "Σ v²"
        if laplacian == "random_walk":
            mass, below = float((d * v * v).sum()), "Σ d v²"
        above = "Σ w (vᵢ/√dᵢ − vⱼ/√dⱼ)²" if laplacian == "symmetric" else "Σ w (vᵢ − vⱼ)²"
        quotient = f"{num(stretch)} / {num(mass)} = {num(stretch / mass)}"
        return Formula(f"λ = {above} / {below} = {quotient}, over all edges")

    # --- the embedding ----------------------------------------------------------------------------

    def _embedding(self, step: Step) -> tuple[str, Blocks]:
        E, V = _of(step.embedding), _of(step.vectors)
        k = E.shape[1]
        is_scaled = self.params["scales_rows"]
        scaled = ", scaled to length 1" if is_scaled else ""
        caption = (
            f"Each {self.graph.unit} becomes a point, its entries in {_first(k)}{scaled}; "
            "k-means clusters these points."
        )
        rows: list[list[Cell]] = [
            [self.graph.name(int(i)), *E[i, :MAX_VECTORS].tolist()]
            for i in (self.focus, *self._heaviest[0])
        ]
        head = ("", *(f"v{j + 1}" for j in range(min(k, MAX_VECTORS))))
        table = LedgerTable(head, rows, f"Embedding of a {self.graph.unit} and its neighbours", [0])
        return caption, [table, *(self._length(E, V[:, :k]) if is_scaled else [])]

    def _length(self, E: Floats, V: Floats) -> Blocks:
        """Write out how the row in focus is scaled to length 1."""
        v, name = V[self.focus], self.graph.name(self.focus)
        length = float(np.linalg.norm(v))
        if not length > 0:
            return []
        squares = abridged([f"{signed(x)}²" for x in v[: MAX_TERMS + 1]], MAX_TERMS)
        first = f"{num(v[0])} / {num(length)} = {num(E[self.focus, 0])}"
        return [Formula(f"{name}: length √({squares}) = {num(length)}; v1: {first}")]

    # --- the cut ----------------------------------------------------------------------------------

    def _cut(self, step: Step) -> tuple[str, Blocks]:
        cuts, labels = cast(GraphCuts, step.cuts), cast(NDArray[Any], step.labels)
        weight = float(cuts.volumes.sum()) / 2
        clusters = count(len(cuts.sizes), "cluster cuts", "clusters cut")
        share = f"{num4(cuts.cut)} of {num4(weight)} in all, {percent(cuts.cut / weight)}"
        caption = f"Done: the {clusters} edges of the weight {share}."
        if step.reason:
            caption += f" {step.reason}"
        return caption, [*self._weights_to(labels), *cut_blocks(cuts, f"{self.graph.unit}s")]

    def _weights_to(self, labels: NDArray[Any]) -> Blocks:
        """Return the weight that joins the selected row to each cluster."""
        if self.selected is None:
            return []
        weights = self.graph.weights_of(self.selected)
        totals = np.bincount(labels, weights, minlength=int(labels.max()) + 1)
        rows = [(total,) for total in totals.tolist()]
        name = upper_first(self.graph.name(self.selected))
        title = f"{name}: the weight of its edges to each cluster"
        return [class_table(("weight",), rows, title, [int(labels[self.selected])])]


def cut_blocks(cuts: GraphCuts, units: str = "rows") -> Blocks:
    """Write out the cut, the ratio cut and the normalised cut of a partition."""
    volumes = np.where(cuts.volumes > 0, cuts.volumes, 1)
    rows = [
        (int(n), short(vol), *(float(f"{value:.3g}") for value in (c, c / n, c / safe)))
        for n, vol, c, safe in zip(cuts.sizes, cuts.volumes, cuts.cuts, volumes, strict=True)
    ]
    k = len(rows)
    parts = [num4(c) for c in cuts.cuts]
    by_size = abridged(
        [f"{part}/{n}" for part, n in zip(parts, cuts.sizes, strict=True)], MAX_TERMS
    )
    by_volume = abridged(
        [f"{part}/{num4(vol)}" for part, vol in zip(parts, volumes, strict=True)], MAX_TERMS
    )
    return [
        class_table(
            (units, "vol", "cut", "cut/|A|", "cut/vol"), rows, "Edges that leave each cluster"
        ),
        Formula(f"cut = ½ ({abridged(parts, MAX_TERMS)}) = {num(cuts.cut)}"),
        Formula(f"ratio cut = ({by_size}) / {k} = {num(cuts.ratio_cut)}"),
        Formula(f"normalised cut = ({by_volume}) / {k} = {num(cuts.normalized_cut)}"),
    ]


def _eigenvalue_table(values: Floats, index: int) -> LedgerTable:
    """Return the smallest eigenvalues around one of them, with the gap after each."""
    gaps = np.diff(values)
    title = "The smallest eigenvalues"
    if len(gaps):
        title += f"; the widest gap is after number {int(gaps.argmax()) + 1}"
    first = max(0, min(index - MAX_VALUES // 2, len(values) - MAX_VALUES))
    if len(values) > MAX_VALUES:
        title += f" (numbers {first + 1} to {first + MAX_VALUES} of {len(values)})"
    numbers = range(1, len(values) + 1)
    rows = [
        (number, float(value), gap)
        for number, value, gap in zip(numbers, values, [*gaps.tolist(), None], strict=True)
    ]
    listed = rows[first : first + MAX_VALUES]
    return LedgerTable(("", "eigenvalue", "gap to the next"), listed, title, [index - first])


def _first(k: int) -> str:
    return "the first eigenvector" if k == 1 else f"the first {k} eigenvectors"


def _of(array: Floats | None) -> Floats:
    """Return an array that the steps of this phase have."""
    return np.empty((0, 0)) if array is None else array


def _deficit(a: float, b: float) -> float:
    """Return a - b, and 0 where only rounding is left of it."""
    return 0.0 if abs(a - b) <= 1e-12 * max(abs(a), abs(b)) else a - b
