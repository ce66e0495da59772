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
    graphlet_rounds,
    path_rounds,
    product,
    walk_counts,
    wl_rounds,
)
from dmlib.similarity.graphs_similarity.graphs import node_labels, two_graphs
from dmlib.similarity.graphs_similarity.kernels import normalized

KERNELS = ("weisfeiler-lehman", "shortest-path", "random-walk", "graphlet")
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


class GraphKernel(BaseEstimator):
    r"""Compute a kernel of two graphs.

    Each kernel counts features of both graphs, round by round, and is the sum of the products of
    the counts, :math:`k(G, G') = \sum_r \sum_f \phi_{r,f}(G)\, \phi_{r,f}(G')`.

    Parameters
    ----------
    kernel : str, default="weisfeiler-lehman"
        The features. "weisfeiler-lehman": labels of nodes, which in each round become the own label
        with those of the neighbours. "shortest-path": pairs of nodes by their distance.
        "random-walk": common walks. "graphlet": induced subgraphs of 3 or 4 nodes.
    n_iter : int, default=3
        weisfeiler-lehman: the number of relabellings; random-walk: the edges of the longest walk.
    decay : float, default=0.1
        random-walk: the weight of each further edge of a walk.
    size : int, default=3
        graphlet: the number of nodes of a graphlet, 3 or 4.
    labels : {"equal", "class"}, default="equal"
        The first labels of the nodes: all equal, or their classes.
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
        The contribution of each round, not normalised.

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
    :math:`O(h n^3)`, graphlet :math:`O(n^k)`. Equal values do not prove that graphs are
    isomorphic: Weisfeiler-Lehman cannot distinguish two triangles from a cycle of six nodes.

    References
    ----------
    N. Shervashidze et al. (2011), Weisfeiler-Lehman graph kernels, Journal of Machine Learning
    Research 12. K. M. Borgwardt and H.-P. Kriegel (2005), Shortest-path kernels on graphs, ICDM. T.
    Gärtner, P. Flach and S. Wrobel (2003), On graph kernels: hardness results and efficient
    alternatives, COLT. N. Shervashidze et al. (2009), Efficient graphlet kernels for large graph
    comparison, AISTATS.

    Examples
    --------
    >>> model = GraphKernel(n_iter=1).fit([nx.path_graph(3), nx.cycle_graph(3)])
    >>> model.value_, model.terms_.tolist()
    (12.0, [9.0, 3.0])
    """

    APPLIES: ClassVar[Conditions] = {
        "n_iter": ("kernel", ("weisfeiler-lehman", "random-walk")),
        "decay": ("kernel", ("random-walk",)),
        "size": ("kernel", ("graphlet",)),
        "labels": ("kernel", KERNELS[:3]),
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        "kernel": Choice(KERNELS),
        "n_iter": Integer(0, 20, shown=(0, 6)),
        "decay": Number(0.0, 1.0, shown=(0.0, 0.5), step=0.01),
        "size": Integer(3, 4),
        "labels": Choice(("equal", "class")),
        "normalize": Flag(),
    }

    def __init__(
        self,
        kernel: str = "weisfeiler-lehman",
        *,
        n_iter: int = 3,
        decay: float = 0.1,
        size: int = 3,
        labels: str = "equal",
        normalize: bool = False,
    ) -> None:
        self.kernel = kernel
        self.n_iter = n_iter
        self.decay = decay
        self.size = size
        self.labels = labels
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
        if self.kernel == "random-walk":
            yield from self._walks(*graphs)
            return
        if self.kernel == "weisfeiler-lehman":
            rounds = wl_rounds(graphs, self.labels, self.n_iter)
        elif self.kernel == "shortest-path":
            rounds = path_rounds(graphs, self.labels)
        else:
            rounds = graphlet_rounds(graphs, self.size)
        for round_ in rounds:
            products = [[product(round_, i, j) for j in (0, 1)] for i in (0, 1)]
            yield round_, np.array(products, float)

    def _walks(self, *graphs: nx.Graph) -> Iterator[tuple[Round, Floats]]:
        labels = [node_labels(G, self.labels) for G in graphs]
        first = next(iter(wl_rounds(graphs, self.labels, 0))).labels
        counts = {
            (i, j): walk_counts(graphs[i], graphs[j], self.n_iter, [labels[i], labels[j]])
            for i, j in ((0, 0), (0, 1), (1, 1))
        }
        for k in range(self.n_iter + 1):
            common = counts[0, 1][k]
            walks = np.array([[counts[0, 0][k], common], [common, counts[1, 1][k]]], float)
            own = tuple(Counter({f"{k} edges": counts[i, i][k]}) for i in (0, 1))
            yield Round(f"Walks of {k} edges", own, first, {0: str(common)}), walks * self.decay**k

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # it takes graphs
        return tags
