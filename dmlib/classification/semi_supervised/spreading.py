"""Label propagation and label spreading: labels run along the edges of a graph of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from dmlib.arrays import Floats
from dmlib.classification.semi_supervised.graph import propagation_matrix, spreading_matrix
from dmlib.classification.semi_supervised.graph_classifier import GraphClassifier
from dmlib.classification.semi_supervised.partly_labeled import Mask
from dmlib.classification.semi_supervised.ranges import graph_ranges
from dmlib.params import Choice, Conditions, Integer, Number, Param, Ranges

GRAPH: dict[str, Param] = {
    "kernel": Choice(("knn", "rbf")),
    "n_neighbors": Integer(1, 1_000_000, shown=(1, 15)),
    "gamma": Number(1e-100, 1e100, shown=(0.01, 100.0), log=True),
}
REST: dict[str, Param] = {
    "max_iter": Integer(1, 100_000, shown=(1, 100)),
    "tol": Number(0.0, 10.0, shown=(1e-6, 1.0), log=True),
    "n_labeled": Integer(0, 1_000_000, shown=(0, 10), none="all labels"),
}


class LabelPropagation(GraphClassifier):
    """Let every row take the weighted mean of its neighbours, and fix the known labels.

    The weights of a row are divided by their sum, so that F = T F; after each iteration the
    labelled rows have their labels again.

    Parameters
    ----------
    kernel : {"knn", "rbf"}, default="knn"
        Which rows are joined: those of which one is among the nearest neighbours of the other,
        with weight 1; or all, with exp(-gamma d²) at the distance d.
    n_neighbors : int, default=5
        The number of neighbours of "knn".
    gamma : float, default=1.0
        How steeply the weights of "rbf" fall.
    max_iter : int, default=1000
        The largest number of iterations.
    tol : float, default=0.001
        The iterations end when all changes together are less than this.
    n_labeled : int or None, default=1
        The labels of all other rows are hidden: of each class so many rows, chosen at random, keep
        theirs. None: all labels of ``y`` are used, and rows with -1 have none.
    queries : sequence of int, default=()
        Rows whose labels are known as well.
    random_state : int, RandomState or None, default=None
        The seed of the choice of the labelled rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    X_ : ndarray of shape (n_samples, n_features)
        The training rows.
    label_distributions_ : ndarray of shape (n_samples, n_classes)
        The share of each class; 0 for rows that no label reaches.
    transduction_ : ndarray of shape (n_samples,)
        The class with the largest share, of equal ones the first.
    hidden_ : ndarray of bool, shape (n_samples,)
        The rows whose label is hidden from the algorithm.
    error_ : ndarray of shape (2,)
        How many of them are misclassified, and how many there are; empty if there are none.
    n_labels_ : int
        How many rows have a label at the start.
    n_iter_ : int
        The number of iterations.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If no row has a label, or a parameter is out of bounds.

    Notes
    -----
    An iteration takes O(m k) for m edges and k classes. Where a path leads to a label, the limit is
    the harmonic solution, whatever the start. scikit-learn's graph of nearest neighbours is not
    symmetric, and its rows are neighbours of themselves; with our weights its results are ours.

    References
    ----------
    X. Zhu and Z. Ghahramani (2002), Learning from labeled and unlabeled data with label
    propagation.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> model = LabelPropagation(n_neighbors=1, n_labeled=None, tol=1e-9)
    >>> model.fit(X, [0, -1, -1, 1]).label_distributions_[:, 1].round(3).tolist()
    [0.0, 0.333, 0.667, 1.0]
    """

    RANGES: ClassVar[Ranges] = staticmethod(graph_ranges)
    APPLIES: ClassVar[Conditions] = {
        "n_neighbors": ("kernel", ("knn",)),
        "gamma": ("kernel", ("rbf",)),
    }
    PARAMS: ClassVar[dict[str, Param]] = {**GRAPH, **REST}

    def __init__(
        self,
        kernel: str = "knn",
        *,
        n_neighbors: int = 5,
        gamma: float = 1.0,
        max_iter: int = 1000,
        tol: float = 1e-3,
        n_labeled: int | None = 1,
        queries: Sequence[int] = (),
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.n_neighbors = n_neighbors
        self.gamma = gamma
        self.max_iter = max_iter
        self.tol = tol
        self.n_labeled = n_labeled
        self.queries = queries
        self.random_state = random_state

    def transitions(self, weights: csr_array) -> csr_array:
        """Return the weights divided by the sums of their rows."""
        return propagation_matrix(weights)

    def _next(self, votes: Floats, start: Floats, is_labeled: Mask) -> Floats:
        totals = votes.sum(axis=1, keepdims=True)
        shares = votes / np.where(totals > 0, totals, 1)
        return np.where(is_labeled[:, None], start, shares)


class LabelSpreading(GraphClassifier):
    """Let every row take from its neighbours, and keep a part of its label of the start.

    F = alpha S F + (1 - alpha) Y, where S has the weights divided by the roots of the sums at both
    ends. A label of the start may be outvoted.

    Parameters
    ----------
    kernel : {"knn", "rbf"}, default="knn"
        Which rows are joined: those of which one is among the nearest neighbours of the other,
        with weight 1; or all, with exp(-gamma d²) at the distance d.
    n_neighbors : int, default=5
        The number of neighbours of "knn".
    gamma : float, default=1.0
        How steeply the weights of "rbf" fall.
    alpha : float, default=0.8
        The part that a row takes from its neighbours; 1 - alpha is that of its label of the start.
    max_iter : int, default=1000
        The largest number of iterations.
    tol : float, default=0.001
        The iterations end when all changes together are less than this.
    n_labeled : int or None, default=1
        The labels of all other rows are hidden: of each class so many rows, chosen at random, keep
        theirs. None: all labels of ``y`` are used, and rows with -1 have none.
    queries : sequence of int, default=()
        Rows whose labels are known as well.
    random_state : int, RandomState or None, default=None
        The seed of the choice of the labelled rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    X_ : ndarray of shape (n_samples, n_features)
        The training rows.
    label_distributions_ : ndarray of shape (n_samples, n_classes)
        The share of each class; 0 for rows that no label reaches.
    transduction_ : ndarray of shape (n_samples,)
        The class with the largest share, of equal ones the first.
    hidden_ : ndarray of bool, shape (n_samples,)
        The rows whose label is hidden from the algorithm.
    error_ : ndarray of shape (2,)
        How many of them are misclassified, and how many there are; empty if there are none.
    n_labels_ : int
        How many rows have a label at the start.
    n_iter_ : int
        The number of iterations.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If no row has a label, or a parameter is out of bounds.

    Notes
    -----
    An iteration takes O(m k) for m edges and k classes. The limit is (1 - alpha) (I - alpha S)⁻¹ Y.
    scikit-learn's graph of nearest neighbours is not symmetric; with our weights its results are
    ours.

    References
    ----------
    D. Zhou, O. Bousquet, T. N. Lal, J. Weston and B. Schölkopf (2004), Learning with local and
    global consistency.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> model = LabelSpreading(n_neighbors=1, n_labeled=None).fit(X, [0, -1, -1, 1])
    >>> model.transduction_.tolist()
    [0, 0, 1, 1]
    """

    RANGES: ClassVar[Ranges] = staticmethod(graph_ranges)
    APPLIES: ClassVar[Conditions] = {
        "n_neighbors": ("kernel", ("knn",)),
        "gamma": ("kernel", ("rbf",)),
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        **GRAPH,
        "alpha": Number(0.0, 1.0, shown=(0.05, 0.99), step=0.01),
        **REST,
    }

    def __init__(
        self,
        kernel: str = "knn",
        *,
        n_neighbors: int = 5,
        gamma: float = 1.0,
        alpha: float = 0.8,
        max_iter: int = 1000,
        tol: float = 1e-3,
        n_labeled: int | None = 1,
        queries: Sequence[int] = (),
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.n_neighbors = n_neighbors
        self.gamma = gamma
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.n_labeled = n_labeled
        self.queries = queries
        self.random_state = random_state

    def transitions(self, weights: csr_array) -> csr_array:
        """Return the weights divided by the roots of the sums at both ends."""
        return spreading_matrix(weights)

    def _next(self, votes: Floats, start: Floats, is_labeled: Mask) -> Floats:
        mass: Floats = self.alpha * votes + (1 - self.alpha) * start
        return mass
