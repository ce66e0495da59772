"""The kernel of two graphs, round by round: counts of features, and their products."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import networkx as nx
import numpy as np
from sklearn.base import BaseEstimator

from dmlib.arrays import Floats
from dmlib.params import Choice, Conditions, Flag, Integer, Number, Param, check_params
from dmlib.similarity.graphs_similarity.features import (
    Round,
    edge_rounds,
    graphlet_rounds,
    path_rounds,
    product,
    topological_rounds,
    wl_rounds,
)
from dmlib.similarity.graphs_similarity.graphs import two_graphs
from dmlib.similarity.graphs_similarity.kernels import normalized
from dmlib.similarity.graphs_similarity.walks import WALKS, walks_of

KERNELS = (
    "weisfeiler-lehman",
    "shortest-path",
    *WALKS,
    "graphlet",
    "edge-histogram",
    "topological",
)
BY_EDGES = ("weisfeiler-lehman", *WALKS, "edge-histogram")
"""The kernels in which the labels of edges can count."""
WITHOUT_LABELS = ("graphlet", "topological")
"""The kernels that know no labels of nodes."""

Phase = Literal["count", "product", "done"]


@dataclass(frozen=True)
class GraphKernelStep:
    """One step on the way to the kernel of two graphs.

    Attributes
    ----------
    phase : Phase
        A round has counted in both graphs; the rounds are added up; the end.
    round : Round
        The counts of the last round.
    terms : tuple of float
        The contribution of each round so far.
    matrix : ndarray of shape (2, 2) or None
        From "product" on: the kernel of each graph with each.
    value : float or None
        From "product" on: the kernel of the two graphs; on "done" normalised, if it is asked for.
    """

    phase: Phase
    round: Round
    terms: tuple[float, ...]
    matrix: Floats | None = None
    value: float | None = None


def kernel_rounds(model: Any, graphs: Sequence[nx.Graph]) -> Iterator[Round]:
    """Return the rounds of a model whose kernel counts features of each graph by itself."""
    if model.kernel == "weisfeiler-lehman":
        return wl_rounds(graphs, model.labels, model.n_iter, edge_labels=model.edge_labels)
    if model.kernel == "shortest-path":
        return path_rounds(graphs, model.labels)
    if model.kernel == "edge-histogram":
        return edge_rounds(graphs, model.labels, edge_labels=model.edge_labels)
    if model.kernel == "topological":
        return topological_rounds(graphs)
    return graphlet_rounds(graphs, model.size)


class GraphKernel(BaseEstimator):
    r"""Compute a kernel of two graphs.

    Each kernel counts features of both graphs, round by round, and is the sum of the products of
    the counts, :math:`k(G, G') = \sum_r \sum_f \phi_{r,f}(G)\, \phi_{r,f}(G')`.

    Parameters
    ----------
    kernel : str, default="weisfeiler-lehman"
        The features. "weisfeiler-lehman": labels of nodes, which in each round become the own label
        with those of the neighbours. "shortest-path": pairs of nodes by their distance.
        "random-walk": common walks up to a length. "geometric": common walks of all lengths, by a
        linear system. "graphlet": induced subgraphs of 3 or 4 nodes. "edge-histogram": edges by the
        labels of their ends. "topological": nodes, edges, triangles, diameter and Wiener index,
        five numbers of each graph.
    n_iter : int, default=3
        weisfeiler-lehman: the number of relabellings; random-walk: the edges of the longest walk.
    decay : float, default=0.1
        random-walk: the weight of each further edge of a walk.
    decay_share : float, default=0.5
        geometric: that weight as a share of its bound, 1 over the largest eigenvalue of the product
        graphs, below which the sum over all lengths converges. Without cycles there is no bound,
        and the weight is the share itself.
    size : int, default=3
        graphlet: the number of nodes of a graphlet, 3 or 4.
    labels : {"equal", "class"}, default="equal"
        The first labels of the nodes: all equal, or their classes.
    edge_labels : bool, default=False
        weisfeiler-lehman, random-walk, geometric, edge-histogram: whether labels of edges count
        too, their attribute ``label`` or, of bonds, ``order``. Then a neighbour counts together
        with the edge to it, and a common walk takes edges of equal labels.
    normalize : bool, default=False
        Whether the kernel is divided by the root of that of each graph with itself, so that it is 1
        for equal graphs.

    Attributes
    ----------
    value_ : float
        The kernel of the two graphs.
    matrix_ : ndarray of shape (2, 2)
        The kernel of each graph with each.
    terms_ : ndarray of shape (n_rounds,)
        The contribution of each round, not normalised. The last round of a geometric kernel has
        all walks that are longer than those before.

    Raises
    ------
    ValueError
        If there are no two graphs, or they are too large for the kernel.

    Notes
    -----
    The two graphs are the two largest components of one graph, or its two halves by the Fiedler
    vector where it is connected; ``fit`` also takes a pair of graphs. Weights are ignored. A loop
    makes a node its own neighbour and can be walked; shortest paths and graphlets ignore it.
    Weisfeiler-Lehman takes O(h m) time, shortest-path :math:`O(n^3)`, random-walk
    :math:`O(h n^3)`, geometric :math:`O(n^6)`, graphlet :math:`O(n^k)`. Equal values do not prove
    that graphs are isomorphic: Weisfeiler-Lehman cannot distinguish two triangles from a cycle of
    six nodes.

    References
    ----------
    N. Shervashidze et al. (2011), Weisfeiler-Lehman graph kernels, Journal of Machine Learning
    Research 12. K. M. Borgwardt and H.-P. Kriegel (2005), Shortest-path kernels on graphs, ICDM. T.
    Gärtner, P. Flach and S. Wrobel (2003), On graph kernels: hardness results and efficient
    alternatives, COLT. N. Shervashidze et al. (2009), Efficient graphlet kernels for large graph
    comparison, AISTATS. S. V. N. Vishwanathan et al. (2010), Graph kernels, Journal of Machine
    Learning Research 11. M. Sugiyama and K. Borgwardt (2015), Halting in random walk kernels, NIPS.

    Examples
    --------
    >>> model = GraphKernel(n_iter=1).fit([nx.path_graph(3), nx.cycle_graph(3)])
    >>> model.value_, model.terms_.tolist()
    (12.0, [9.0, 3.0])
    """

    APPLIES: ClassVar[Conditions] = {
        "n_iter": ("kernel", ("weisfeiler-lehman", "random-walk")),
        "decay": ("kernel", ("random-walk",)),
        "decay_share": ("kernel", ("geometric",)),
        "size": ("kernel", ("graphlet",)),
        "labels": ("kernel", (*BY_EDGES, "shortest-path")),
        "edge_labels": ("kernel", BY_EDGES),
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        "kernel": Choice(KERNELS),
        "n_iter": Integer(0, 20, shown=(0, 6)),
        "decay": Number(0.0, 1.0, shown=(0.0, 0.5), step=0.01),
        "decay_share": Number(0.0, 0.99, step=0.01),
        "size": Integer(3, 4),
        "labels": Choice(("equal", "class")),
        "edge_labels": Flag(),
        "normalize": Flag(),
    }

    def __init__(
        self,
        kernel: str = "weisfeiler-lehman",
        *,
        n_iter: int = 3,
        decay: float = 0.1,
        decay_share: float = 0.5,
        size: int = 3,
        labels: str = "equal",
        edge_labels: bool = False,
        normalize: bool = False,
    ) -> None:
        self.kernel = kernel
        self.n_iter = n_iter
        self.decay = decay
        self.decay_share = decay_share
        self.size = size
        self.labels = labels
        self.edge_labels = edge_labels
        self.normalize = normalize

    def fit(self, G: nx.Graph | Sequence[nx.Graph], y: Any = None) -> Self:
        """Compute the kernel of two graphs, or of the two parts of one; ``y`` is ignored."""
        *_, last = self.steps(G)
        self.value_, self.matrix_, self.terms_ = last.value, last.matrix, np.array(last.terms)
        return self

    def steps(self, G: nx.Graph | Sequence[nx.Graph], y: Any = None) -> Iterator[GraphKernelStep]:
        """Yield the counts of each round, and the sum of their products."""
        check_params(self.PARAMS, self.get_params())
        matrix, terms = np.zeros((2, 2)), []
        for round_, values in self._rounds(*two_graphs(G)):
            matrix = matrix + values
            terms.append(float(values[0, 1]))
            yield GraphKernelStep("count", round_, tuple(terms))
        yield GraphKernelStep("product", round_, tuple(terms), matrix, float(matrix[0, 1]))
        matrix = normalized(matrix) if self.normalize else matrix
        yield GraphKernelStep("done", round_, tuple(terms), matrix, float(matrix[0, 1]))

    def _rounds(self, *graphs: nx.Graph) -> Iterator[tuple[Round, Floats]]:
        """Yield the rounds, and their contributions to the kernel of each graph with each."""
        if self.kernel in WALKS:
            yield from self._walks(*graphs)
            return
        for round_ in kernel_rounds(self, graphs):
            products = [[product(round_, i, j) for j in (0, 1)] for i in (0, 1)]
            yield round_, np.array(products, float)

    def _walks(self, *graphs: nx.Graph) -> Iterator[tuple[Round, Floats]]:
        labels = next(iter(wl_rounds(graphs, self.labels, 0))).labels
        walks = walks_of(self, graphs)
        for k, counts in enumerate(walks.counts):
            own = tuple(Counter({f"{k} edges": round(counts[i, i])}) for i in (0, 1))
            common = {0: str(round(counts[0, 1]))}
            yield Round(f"Walks of {k} edges", own, labels, common), walks.terms[k]
        for term in walks.terms[len(walks.counts) :]:
            yield Round("All longer walks", (Counter(), Counter()), labels, {}), term

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # it takes graphs
        return tags
