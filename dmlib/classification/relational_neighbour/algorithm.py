"""The weighted-vote relational neighbour classifier: nodes take the mean of their neighbours."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import networkx as nx
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.classification.relational_neighbour.ranges import relational_neighbour_ranges
from dmlib.params import Choice, Flag, Integer, Number, Param, Ranges, check_params
from dmlib.squares import LARGEST
from dmlib.trace import look

Indices = NDArray[np.intp]
Mask = NDArray[np.bool_]
Phase = Literal["start", "sweep", "done"]


@dataclass(frozen=True)
class RelationalNeighborStep:
    """One step of the relational neighbour classifier.

    Attributes
    ----------
    phase : {"start", "sweep", "done"}
        The probabilities before the first sweep, those after a sweep, or the answer.
    sweep : int
        The number of sweeps so far.
    proba : ndarray of shape (n_nodes, n_classes)
        The probabilities of the classes after the step, in the order of the graph.
    change : ndarray of shape (n_nodes,)
        The largest change of a probability of each node in this sweep; of the last sweep on "done".
    flipped : ndarray of shape (n_flipped,)
        The nodes whose most probable class this sweep changed.
    beta : float
        The share of the vote in the new probabilities; 1 - beta is that of the former ones.
    reason : str
        On "done": why it ended, as a sentence.
    """

    phase: Phase
    sweep: int
    proba: Floats
    change: Floats
    flipped: Indices
    beta: float = 1.0
    reason: str = ""


class WeightedVoteRelationalNeighbor(ClassifierMixin, BaseEstimator):
    """Classify the nodes of a network by the weighted vote of their neighbours (wvRN).

    P(c | i) is the sum of w(i, j) P(c | j) over the neighbours j, divided by the sum of the weights
    w(i, j). Known labels are fixed; all other nodes are swept over until their probabilities
    converge (relaxation labelling).

    Parameters
    ----------
    max_iter : int, default=100
        The largest number of sweeps.
    tol : float, default=0.001
        The sweeps end when none of the probabilities changes by more than this.
    start : {"prior", "uniform"}, default="prior"
        Probabilities of nodes without a label before the first sweep: class frequencies of the
        known labels, or equal.
    update : {"simultaneous", "in order"}, default="simultaneous"
        Whether a sweep computes all votes from the probabilities before it, or each vote from the
        newest ones, in the order of the graph.
    decay : float, default=1.0
        Simulated annealing: in sweep t the vote has the share decay**t, the former probabilities
        1 - decay**t. 1: none.
    weighted : bool, default=True
        Whether votes are weighted by the edge weights, or every neighbour counts once.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes of the known labels, sorted.
    label_distributions_ : ndarray of shape (n_nodes, n_classes)
        The probabilities of the classes of each node, in the order of the graph; 0 and 1 where the
        label is known.
    transduction_ : ndarray of shape (n_nodes,)
        The class of each node: the most probable one, of several the first.
    class_prior_ : ndarray of shape (n_classes,)
        The class frequencies of the known labels.
    reached_ : ndarray of shape (n_nodes,)
        Whether a path leads from the node to a known label; the others keep the probabilities of
        the start.
    n_iter_ : int
        The number of sweeps.

    Raises
    ------
    ValueError
        If G is no graph, has no nodes, several edges between two nodes or a weight that is negative
        or no number; if no labels, or those of a single class, are known.

    Notes
    -----
    A sweep takes O(m k) for m edges and k classes. Directions do not count, and a node does not
    vote for itself. Without annealing the probabilities converge to the harmonic solution of Zhu,
    Ghahramani and Lafferty, whatever the start, wherever a path leads to a known label. The
    article's relaxation labelling has decay = 0.99 and 99 sweeps. Labels are -1 (in an array of
    objects also None) where they are not known, as in scikit-learn.

    References
    ----------
    S. A. Macskassy and F. Provost (2003), A simple relational classifier, MRDM workshop at KDD.
    S. A. Macskassy and F. Provost (2007), Classification in networked data: a toolkit and a
    univariate case study, Journal of Machine Learning Research 8.

    Examples
    --------
    >>> G = nx.path_graph(4)
    >>> model = WeightedVoteRelationalNeighbor(tol=1e-9).fit(G, [0, -1, -1, 1])
    >>> model.transduction_.tolist(), model.label_distributions_[:, 1].round(3).tolist()
    ([0, 0, 1, 1], [0.0, 0.333, 0.667, 1.0])
    """

    RANGES: ClassVar[Ranges] = staticmethod(relational_neighbour_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "max_iter": Integer(1, 1000, shown=(1, 100)),
        "tol": Number(1e-9, 0.1, shown=(1e-6, 0.1), log=True),
        "start": Choice(("prior", "uniform")),
        "update": Choice(("simultaneous", "in order")),
        "decay": Number(0.0, 1.0, shown=(0.5, 1.0), step=0.01),
        "weighted": Flag(),
    }

    def __init__(
        self,
        max_iter: int = 100,
        *,
        tol: float = 1e-3,
        start: str = "prior",
        update: str = "simultaneous",
        decay: float = 1.0,
        weighted: bool = True,
    ) -> None:
        self.max_iter = max_iter
        self.tol = tol
        self.start = start
        self.update = update
        self.decay = decay
        self.weighted = weighted

    def fit(self, G: nx.Graph, y: Any = None) -> Self:
        """Spread the labels ``y`` of the nodes of ``G``, in its order; -1 where unknown."""
        return self.fit_from(deque(self.steps(G, y), maxlen=1), G, y)

    def fit_from(self, steps: Sequence[RelationalNeighborStep], G: nx.Graph, y: Any = None) -> Self:
        """Adopt the result of the steps on the same graph, without another sweep."""
        last = steps[-1]
        self.classes_, codes = known_labels(y, len(G))
        self.class_prior_ = class_prior(codes)
        self.label_distributions_ = last.proba
        self.n_iter_ = last.sweep
        self.transduction_ = self.classes_[winners(last.proba)]
        self.reached_ = is_reachable(neighbor_weights(G, weighted=self.weighted), codes)
        return self

    def predict(self, G: nx.Graph) -> NDArray[Any]:
        """Return the class of each node of the fitted graph, labelled ones included."""
        best = winners(self.predict_proba(G))
        return self.classes_[best]

    def predict_proba(self, G: nx.Graph) -> Floats:
        """Return the class probabilities of the nodes of the fitted graph, (n_nodes, n_classes)."""
        check_is_fitted(self)
        if len(G) != len(self.label_distributions_):
            raise ValueError(
                f"G has {len(G)} nodes, and the fitted graph "
                f"{len(self.label_distributions_)}. Fit G: every edge changes the votes."
            )
        return self.label_distributions_

    def steps(self, G: nx.Graph, y: Any = None) -> Iterator[RelationalNeighborStep]:
        """Yield the start, one step for each sweep, and the end with the result of ``fit``."""
        check_params(self.PARAMS, self.get_params())
        weights = neighbor_weights(G, weighted=self.weighted)
        codes = known_labels(y, len(G))[1]
        proba = self._first(codes)
        change = np.zeros(len(G))
        beta = 1.0
        sweep = 0
        yield RelationalNeighborStep("start", 0, proba, change, np.empty(0, np.intp))
        for sweep in range(1, self.max_iter + 1):
            beta = self.decay**sweep
            after = self._sweep(weights, proba, codes, beta)
            change = np.abs(after - proba).max(axis=1)
            flipped = np.flatnonzero(winners(after) != winners(proba))
            proba = after
            yield RelationalNeighborStep("sweep", sweep, proba, change, flipped, beta)
            if change.max() <= self.tol:
                break
        reason = self._reason(sweep, float(change.max()))
        reason += _isolated(int((~is_reachable(weights, codes)).sum()))
        no_nodes = np.empty(0, np.intp)
        yield RelationalNeighborStep("done", sweep, proba, change, no_nodes, beta, reason)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # it takes a graph
        return tags

    def _first(self, codes: Indices) -> Floats:
        """Return the probabilities before the first sweep."""
        prior = class_prior(codes)
        initial = prior if self.start == "prior" else np.full(len(prior), 1 / len(prior))
        return np.where((codes < 0)[:, None], initial, np.eye(len(prior))[codes])

    def _sweep(self, weights: csr_array, before: Floats, codes: Indices, beta: float) -> Floats:
        """Return the probabilities after the votes on all unlabelled nodes."""
        after = before.copy()
        source = after if self.update == "in order" else before
        for i in np.flatnonzero((codes < 0) & (np.diff(weights.indptr) > 0)):
            look()
            part = slice(weights.indptr[i], weights.indptr[i + 1])
            votes = weights.data[part]
            vote = votes @ source[weights.indices[part]] / votes.sum()
            after[i] = beta * vote + (1 - beta) * before[i]
        return after

    def _reason(self, sweep: int, change: float) -> str:
        """Return why the sweeps ended."""
        sweeps = "1 sweep" if sweep == 1 else f"{sweep} sweeps"
        if change <= self.tol:
            return f"After {sweeps} no probability changes by more than {self.tol:g}."
        return f"Stopped after {sweeps}, the maximum; the largest change is still {change:.2g}."


def neighbor_weights(G: nx.Graph, *, weighted: bool = True) -> csr_array:
    """Return the weights between nodes and their neighbours, symmetric, as a sparse matrix.

    Loops and weights of 0 are left out, and those of two directions added up; an edge without a
    weight has 1.

    Examples
    --------
    >>> neighbor_weights(nx.Graph([("a", "b", {"weight": 2}), ("b", "b")])).toarray().tolist()
    [[0.0, 2.0], [2.0, 0.0]]
    """
    if not isinstance(G, nx.Graph):
        raise ValueError(
            f"G must be a networkx graph, not {type(G).__name__}. "
            "Make one with networkx.Graph(edges)."
        )
    if G.is_multigraph() or not len(G):
        raise ValueError(
            "G must have nodes, and at most one edge "
            "between any two. Add up the weights of several."
        )
    try:
        W = nx.to_scipy_sparse_array(G, weight="weight" if weighted else None, dtype=float).tocoo()
    except (TypeError, ValueError):
        raise ValueError(
            "Some edge has a weight that is no number. Correct it, or remove the edge."
        ) from None
    if not np.isfinite(W.data).all() or (W.data < 0).any():
        raise ValueError(
            "Some edge has a weight that is negative or "
            "infinite, which a vote cannot use. Correct it."
        )
    if W.data.max(initial=0.0) > LARGEST:
        raise ValueError(
            f"Some edge has a weight beyond {LARGEST:g}, and a "
            "vote adds weights up. Divide all by the same number."
        )
    counted = (W.row != W.col) & (W.data > 0)
    W = csr_array((W.data[counted], (W.row[counted], W.col[counted])), shape=W.shape)
    return csr_array(W + W.T) if G.is_directed() else W


def known_labels(y: ArrayLike | None, n_nodes: int) -> tuple[NDArray[Any], Indices]:
    """Return the classes of the known labels, and the code of each node, -1 without a label.

    Examples
    --------
    >>> classes, codes = known_labels(["a", None, "b"], 3)
    >>> classes.tolist(), codes.tolist()
    (['a', 'b'], [0, -1, 1])
    """
    labels = np.asarray([] if y is None else y)
    if labels.shape != (n_nodes,):
        raise ValueError(
            f"y must have one label for each of {n_nodes} nodes, -1 where it is not known."
        )
    unknown = pd.isna(labels) | (labels == -1)
    classes, inverse = np.unique(labels[~unknown], return_inverse=True)
    if len(classes) < 2:
        fault = f"all known labels are {classes[0]}" if len(classes) else "no label is known"
        raise ValueError(
            f"A vote needs known labels of two or more classes, and {fault}. Choose another graph."
        )
    codes = np.full(n_nodes, -1)
    codes[~unknown] = inverse
    return classes, codes


def class_prior(codes: Indices) -> Floats:
    """Return the class frequencies of the known labels."""
    counts = np.bincount(codes[codes >= 0])
    shares: Floats = counts / counts.sum()
    return shares


def winners(proba: Floats) -> Indices:
    """Return the most probable class of each node, up to rounding; of several the first.

    Examples
    --------
    >>> winners(np.array([[0.2, 0.8], [0.5 - 1e-15, 0.5]])).tolist()
    [1, 0]
    """
    best: Indices = np.argmax(proba >= proba.max(axis=1, keepdims=True) - 1e-12, axis=1)
    return best


def is_reachable(weights: csr_array, codes: Indices) -> Mask:
    """Return whether a path leads from each node to a known label.

    Examples
    --------
    >>> weights = neighbor_weights(nx.Graph([(0, 1), (2, 3)]))
    >>> is_reachable(weights, np.array([0, -1, -1, -1])).tolist()
    [True, True, False, False]
    """
    _, component = connected_components(weights, directed=False)
    result: Mask = np.isin(component, component[codes >= 0])
    return result


def _isolated(n: int) -> str:
    """Return the sentence on nodes without a path to a known label, if there are any."""
    if not n:
        return ""
    if n == 1:
        return " 1 node has no path to a known label and keeps the start."
    return f" {n} nodes have no path to a known label and keep the start."
