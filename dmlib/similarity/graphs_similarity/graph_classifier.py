"""Many graphs at once: the matrix of a kernel, cell by cell, and nearest neighbours by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import networkx as nx
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator

from dmlib.arrays import Floats
from dmlib.params import Conditions, Integer, Param, check_params
from dmlib.similarity.graphs_similarity.features import product
from dmlib.similarity.graphs_similarity.graph_kernel import GraphKernel, kernel_rounds
from dmlib.similarity.graphs_similarity.graphs import graph_list
from dmlib.similarity.graphs_similarity.kernels import normalized
from dmlib.similarity.graphs_similarity.walks import WALKS, walks_of
from dmlib.trace import look

Codes = NDArray[np.intp]
Phase = Literal["kernel", "predict", "done"]

MAX_GRAPHS = 60
TIE = 1e-9  # of the largest kernel value: a difference of distances that is only rounding
KIND = "kind"
"""The attribute of nodes that is the class of their graph."""


@dataclass(frozen=True)
class GraphClassifierStep:
    """One step of classifying many graphs.

    Attributes
    ----------
    phase : {"kernel", "predict", "done"}
        What was done: a cell of the kernel matrix computed; a graph classified by the others; the
        end.
    matrix : ndarray of shape (n_graphs, n_graphs)
        The whole kernel matrix, also its cells to come.
    predicted : ndarray of shape (n_graphs,)
        The predicted class of each graph; -1 for those to come.
    n_cells : int
        How many cells of the lower triangle are computed, row by row.
    pair : tuple of (int, int) or None
        On "kernel" the two graphs.
    terms : tuple of float
        On "kernel" what each round adds to the cell, not normalised.
    graph : int or None
        On "predict" the graph that is classified.
    neighbors : tuple of int
        On "predict" its nearest neighbours, the nearest first.
    squares : ndarray of shape (n_graphs,) or None
        On "predict" the squared distances in feature space.
    """

    phase: Phase
    matrix: Floats
    predicted: Codes
    n_cells: int
    pair: tuple[int, int] | None = None
    terms: tuple[float, ...] = ()
    graph: int | None = None
    neighbors: tuple[int, ...] = ()
    squares: Floats | None = None


class GraphKernelClassifier(BaseEstimator):
    r"""Classify each of many graphs by its nearest neighbours among the others.

    The kernel matrix is all that is needed: in feature space two graphs are
    :math:`d(G, G')^2 = k(G, G) + k(G', G') - 2 k(G, G')` apart.

    Parameters
    ----------
    kernel : str, default="weisfeiler-lehman"
        The features, as in :class:`GraphKernel`.
    n_iter : int, default=3
        weisfeiler-lehman: the number of relabellings; random-walk: the edges of the longest walk.
    decay : float, default=0.1
        random-walk: the weight of each further edge of a walk.
    decay_share : float, default=0.5
        geometric: that weight as a share of its bound, which is the smallest of all pairs of
        graphs.
    size : int, default=3
        graphlet: the number of nodes of a graphlet, 3 or 4.
    labels : {"equal", "class"}, default="equal"
        The first labels of the nodes: all equal, or their attribute ``label``.
    edge_labels : bool, default=False
        Whether labels of edges count too, as in :class:`GraphKernel`.
    normalize : bool, default=True
        Whether the kernel is divided by the root of that of each graph with itself.
    n_neighbors : int, default=3
        The number of neighbours that vote.

    Attributes
    ----------
    matrix_ : ndarray of shape (n_graphs, n_graphs)
        The kernel of each graph with each.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    predicted_ : ndarray of shape (n_graphs,)
        The number of the class that each graph is given by the others.
    n_errors_ : int
        How many graphs are misclassified, each left out once.

    Raises
    ------
    ValueError
        If there are fewer than three graphs, more than 60, or no two classes.

    Notes
    -----
    ``fit`` takes graphs with their classes, or one graph that holds all: of each node the attribute
    ``graph`` says to which it belongs, ``kind`` the class of that. N graphs need N (N + 1) / 2
    cells. Ties among distances go to the earlier graph, those among votes to the nearest neighbour.

    References
    ----------
    N. Shervashidze et al. (2011), Weisfeiler-Lehman graph kernels, Journal of Machine Learning
    Research 12.

    Examples
    --------
    >>> graphs = [nx.cycle_graph(4), nx.path_graph(4), nx.cycle_graph(5), nx.path_graph(5)]
    >>> model = GraphKernelClassifier(n_neighbors=1).fit(graphs, ["ring", "tree"] * 2)
    >>> model.classes_[model.predicted_].tolist(), model.n_errors_
    (['ring', 'tree', 'ring', 'tree'], 0)
    """

    APPLIES: ClassVar[Conditions] = GraphKernel.APPLIES
    PARAMS: ClassVar[dict[str, Param]] = {
        **GraphKernel.PARAMS,
        "n_neighbors": Integer(1, MAX_GRAPHS, shown=(1, 9)),
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
        normalize: bool = True,
        n_neighbors: int = 3,
    ) -> None:
        self.kernel = kernel
        self.n_iter = n_iter
        self.decay = decay
        self.decay_share = decay_share
        self.size = size
        self.labels = labels
        self.edge_labels = edge_labels
        self.normalize = normalize
        self.n_neighbors = n_neighbors

    def fit(self, X: nx.Graph | Sequence[nx.Graph], y: ArrayLike | None = None) -> Self:
        """Compute the kernel matrix, and classify each graph by the others."""
        *_, last = self.steps(X, y)
        self.classes_, codes = graph_classes(X, y)
        self.matrix_, self.predicted_ = last.matrix, last.predicted
        self.n_errors_ = int((last.predicted != codes).sum())
        return self

    def steps(
        self, X: nx.Graph | Sequence[nx.Graph], y: ArrayLike | None = None
    ) -> Iterator[GraphClassifierStep]:
        """Yield the cells of the kernel matrix, and the class of each graph by the others."""
        check_params(self.PARAMS, self.get_params())
        graphs = _checked(graph_list(X)[0])
        codes = graph_classes(X, y)[1]
        terms = self._terms(graphs)
        matrix = normalized(terms.sum(axis=0)) if self.normalize else terms.sum(axis=0)
        n = len(graphs)
        step = GraphClassifierStep("kernel", matrix, np.full(n, -1), 0)
        for n_cells, (i, j) in enumerate(_cells(n), start=1):
            cell = tuple(map(float, terms[:, i, j]))
            step = replace(step, n_cells=n_cells, pair=(i, j), terms=cell)
            yield step
        for i in range(n):
            look()
            squares, neighbors = self._neighbors(matrix, i)
            predicted = step.predicted.copy()
            predicted[i] = vote(codes[list(neighbors)])
            step = GraphClassifierStep("predict", matrix, predicted, step.n_cells)
            yield replace(step, graph=i, neighbors=neighbors, squares=squares)
        yield replace(step, phase="done")

    def _neighbors(self, matrix: Floats, i: int) -> tuple[Floats, tuple[int, ...]]:
        """Return the squared distances of a graph, and its nearest neighbours."""
        own = matrix.diagonal()
        squares = np.maximum(own[i] + own - 2 * matrix[i], 0.0)
        unit = TIE * max(float(own.max()), 1.0)
        order = np.argsort(np.round(squares / unit), kind="stable")
        return squares, tuple(order[order != i][: self.n_neighbors].tolist())

    def _terms(self, graphs: Sequence[nx.Graph]) -> Floats:
        """Return what each round adds to each cell, shape (n_rounds, n_graphs, n_graphs)."""
        if self.kernel in WALKS:
            return walks_of(self, graphs).terms
        n, rounds = len(graphs), kernel_rounds(self, graphs)
        products = [[[product(r, i, j) for j in range(n)] for i in range(n)] for r in rounds]
        return np.array(products, float)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # it takes graphs
        return tags


def graph_classes(
    X: nx.Graph | Sequence[nx.Graph], y: ArrayLike | None = None
) -> tuple[NDArray[Any], Codes]:
    """Return the classes, and the number of that of each graph.

    Raises
    ------
    ValueError
        If the graphs have no classes, or not one each, or all the same.

    Examples
    --------
    >>> classes, codes = graph_classes([nx.path_graph(2), nx.cycle_graph(3)], ["tree", "ring"])
    >>> classes.tolist(), codes.tolist()
    (['ring', 'tree'], [1, 0])
    """
    graphs = graph_list(X)[0]
    own = [next(iter(G.nodes(data=KIND)))[1] for G in graphs] if y is None else list(np.asarray(y))
    if len(own) != len(graphs) or None in own or len(set(own)) < 2:
        raise ValueError(
            "The graphs need a class each, and two classes in all."
            " Choose the small molecules, or give each node its class as “kind”."
        )
    classes, codes = np.unique(own, return_inverse=True)
    return classes, codes.astype(np.intp)


def vote(codes: Codes) -> int:
    """Return the most frequent class; of several, that of the first one.

    Examples
    --------
    >>> vote(np.array([2, 1, 1])), vote(np.array([2, 1]))
    (1, 2)
    """
    counts = np.bincount(codes)
    return int(next(code for code in codes if counts[code] == counts.max()))


def _cells(n: int) -> list[tuple[int, int]]:
    """Return the cells of the lower triangle, row by row."""
    return [(i, j) for i in range(n) for j in range(i + 1)]


def _checked(graphs: list[nx.Graph]) -> list[nx.Graph]:
    if not 2 < len(graphs) <= MAX_GRAPHS:
        raise ValueError(
            f"There are {len(graphs)} graphs; 3 to {MAX_GRAPHS} can be classified."
            " Choose the small molecules, the generator “Rings and trees”, or other data."
        )
    return graphs
