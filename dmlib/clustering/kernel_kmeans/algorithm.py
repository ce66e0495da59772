"""Kernel k-means: Lloyd's algorithm in feature space, by the kernel matrix alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.clustering.kernel_kmeans.feature_space import (
    MAX_ROWS,
    Distances,
    FeatureSpace,
    Labels,
    kernel_of,
    to_centers,
)
from dmlib.clustering.kernel_kmeans.kernel_lloyd import (
    RANDOM_STARTS,
    KernelKMeansStep,
    Steps,
    best_restart,
    checked_clusters,
    drawn_rows,
    first_clusters,
    relaxed_clusters,
)
from dmlib.clustering.kernel_kmeans.ranges import kernel_kmeans_ranges
from dmlib.clustering.partition import too_few_rows
from dmlib.params import Choice, Conditions, Integer, Number, Param, Ranges, check_params

LARGEST = 1e150  # of a value whose square is a number


class KernelKMeans(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):
    r"""Find clusters that k-means would find after a kernel's map, without ever computing the map.

    The objective is :math:`\sum_i w_i \lVert \phi(x_i) - m_{c(i)} \rVert^2`, where :math:`m_c` is
    the weighted mean of the cluster's points in feature space. The squared distance to the mean of
    a cluster C with n points is
    :math:`k(x,x) - \frac{2}{n} \sum_{y \in C} k(x,y) + \frac{1}{n^2} \sum_{y,z \in C} k(y,z)`: the
    sums run over the points of the cluster, and all of it is in the kernel matrix.

    Parameters
    ----------
    n_clusters : int, default=2
        The number of clusters, k.
    kernel : {"rbf", "poly", "laplacian", "linear", "precomputed"}, default="rbf"
        The kernel. "linear" is plain k-means; "precomputed": X is the kernel matrix.
    gamma : {"scale", "auto"} or float, default="scale"
        The factor γ of all kernels but the linear one; "scale" is one over the sum of the columns'
        variances, "auto" one over the number of columns.
    degree : int, default=2
        The power of the polynomial kernel.
    coef0 : float, default=1.0
        The constant c of the polynomial kernel, not negative.
    weighting : {"none", "degree"}, default="none"
        "none": every row counts once. "degree": a row counts as often as the sum of its
        similarities, and the kernel is divided by the degrees of both rows; the objective is then
        the normalised cut of the similarity graph.
    init : {"k-means++", "random", "spectral"} or array of shape (n_samples,), default="k-means++"
        The start. "k-means++" draws rows in proportion to their squared distance in feature space
        to the nearest centre so far; "random" draws distinct rows; "spectral" clusters the largest
        eigenvectors of the kernel matrix, the solution of the relaxed problem; an array gives the
        first clusters.
    n_init : int, default=10
        How many restarts; the one with the smallest SSE is kept. Of "spectral" and of given
        clusters there is one.
    max_iter : int, default=300
        The largest number of iterations in one restart.
    random_state : int, RandomState or None, default=None
        The seed of the random draws.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row.
    inertia_ : float
        The SSE in feature space.
    n_iter_ : int
        The number of iterations of the best restart.
    dual_coef_ : ndarray of shape (n_samples, n_clusters)
        The coefficients of the centres: centre j is the sum of ``dual_coef_[i, j]`` times row i in
        feature space.
    gamma_ : float
        γ as a number.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there are fewer rows, or fewer rows that differ in feature space, than clusters; if there
        are too many rows for a kernel matrix, or numbers too large for the kernel.

    Notes
    -----
    O(n^2 d) for the matrix, then O(n^2 k) an iteration, and O(n^2) numbers in memory. New rows cost
    O(n) kernel values each.

    Neither half-step can raise the SSE where the kernel is positive semidefinite. Ties go to the
    cluster with the lower number. An empty cluster takes the row that is farthest from its centre.
    A restart ends when no label changes.

    References
    ----------
    B. Schölkopf, A. Smola and K.-R. Müller (1998), Nonlinear component analysis as a kernel
    eigenvalue problem. M. Girolami (2002), Mercer kernel-based clustering in feature space. I. S.
    Dhillon, Y. Guan and B. Kulis (2004), Kernel k-means, spectral clustering and normalized cuts.

    Examples
    --------
    >>> X = [[0.0], [1.0], [9.0], [10.0]]
    >>> model = KernelKMeans(2, kernel="linear", init=[0, 0, 1, 1]).fit(X)
    >>> model.inertia_, model.dual_coef_.T.tolist()
    (1.0, [[0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5]])
    >>> inner_and_outer = [[0.0], [1.0], [-1.0], [9.0], [-9.0], [8.0], [-8.0]]
    >>> model = KernelKMeans(2, kernel="poly", coef0=0.0, random_state=0)
    >>> model.fit_predict(inner_and_outer).tolist()
    [1, 1, 1, 0, 0, 0, 0]
    """

    TITLE: ClassVar[str] = "kernel k-means"
    KEY_PARAMS: ClassVar[Mapping[str, str]] = {
        "kernel": "Kernel",
        "gamma": "γ",
        "weighting": "Row weights",
        "init": "Initial centres",
    }
    APPLIES: ClassVar[Conditions] = {
        "gamma": ("kernel", ("rbf", "poly", "laplacian")),
        "degree": ("kernel", ("poly",)),
        "coef0": ("kernel", ("poly",)),
        "n_init": ("init", RANDOM_STARTS),
    }
    RANGES: ClassVar[Ranges] = staticmethod(kernel_kmeans_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_clusters": Integer(1, 256, shown=(1, 10)),
        "kernel": Choice(("rbf", "poly", "laplacian", "linear")),
        "gamma": Number(0.0, 1e12, shown=(0.01, 100.0), log=True, names=("scale", "auto")),
        "degree": Integer(1, 30, shown=(1, 5)),
        "coef0": Number(0.0, 1e6, shown=(0.0, 5.0), step=0.05),
        "weighting": Choice(("none", "degree")),
        "init": Choice((*RANDOM_STARTS, "spectral"), arrays=True),
        "n_init": Integer(1, 100, shown=(1, 20)),
        "max_iter": Integer(1, 10_000, shown=(1, 20)),
    }

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        kernel: str = "rbf",
        gamma: float | str = "scale",
        degree: int = 2,
        coef0: float = 1.0,
        weighting: str = "none",
        init: str | ArrayLike = "k-means++",
        n_init: int = 10,
        max_iter: int = 300,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.weighting = weighting
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Cluster the rows of ``X``; ``y`` is ignored."""
        rows: Floats = validate_data(self, X, dtype=np.float64)
        space = self.feature_space(rows)
        for step in self._steps(space):
            last = step
        self.labels_ = cast(Labels, last.labels)
        self.inertia_, self.n_iter_ = last.inertia, last.iteration
        self.dual_coef_, self._within = last.centers, last.distances.within
        self._rows, self._weights = rows, space.weights
        self.gamma_ = kernel_of(self.kernel, rows, self.gamma, self.degree, self.coef0).gamma
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[KernelKMeansStep]:
        """Yield every half-step of every restart; the last step is the answer of ``fit``."""
        yield from self._steps(self.feature_space(check_array(X, dtype=np.float64)))

    def transform(self, X: ArrayLike) -> Floats:
        """Return the distance in feature space of each row to each centre."""
        distances: Floats = np.sqrt(self.new_distances(X).squared)
        return distances

    def predict(self, X: ArrayLike) -> Labels:
        """Return the nearest centre of each row in feature space."""
        distances = self.new_distances(X)
        labels: Labels = (distances.within - 2 * distances.cross).argmin(axis=1).astype(np.int32)
        return labels

    def new_distances(self, X: ArrayLike) -> Distances:
        """Return the terms of the squared distances of new rows to the centres.

        With kernel="precomputed", X holds the kernel of new rows with those of ``fit``; their
        kernel with themselves, on which no row's nearest centre depends, is NaN.
        """
        check_is_fitted(self)
        rows: Floats = validate_data(self, X, dtype=np.float64, reset=False)
        if self.kernel == "precomputed":
            values, own = rows, np.full(len(rows), np.nan)
        else:
            kernel = kernel_of(self.kernel, self._rows, self.gamma_, self.degree, self.coef0)
            values, own = kernel(rows, self._rows), kernel.diagonal(rows)
        degrees = self._weights if self.weighting == "degree" else None
        return Distances(*to_centers(values, own, self.dual_coef_, degrees), self._within)

    def feature_space(self, X: Floats) -> FeatureSpace:
        """Check the parameters against the rows, and return them as points of the feature space."""
        specs = {
            name: spec
            for name, spec in self.PARAMS.items()
            if name != "kernel" or self.kernel != "precomputed"
        }
        check_params(specs, self.get_params())
        if len(X) < self.n_clusters:
            raise too_few_rows(len(X), self.n_clusters)
        if len(X) > MAX_ROWS:
            raise ValueError(
                f"The kernel of all pairs of {len(X):,} rows takes {len(X) ** 2 * 8 / 1e9:.1f} GB. "
                f"Take a sample of at most {MAX_ROWS:,} rows."
            )
        K = self._matrix(X)
        if not (np.abs(K) < LARGEST).all():
            raise ValueError(
                "Numbers in the columns are too large for this kernel. Scale the columns."
            )
        if self.weighting == "degree":
            return FeatureSpace.weighted_by_degree(K)
        return FeatureSpace(K, np.ones(len(K)))

    @property
    def _n_features_out(self) -> int:
        return int(self.dual_coef_.shape[1])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _matrix(self, X: Floats) -> Floats:
        if self.kernel != "precomputed":
            K = kernel_of(self.kernel, X, self.gamma, self.degree, self.coef0)(X, X)
            return np.asarray((K + K.T) / 2)
        if X.shape[0] != X.shape[1] or not np.allclose(
            X, X.T, rtol=1e-7, atol=1e-9 * np.abs(X).max(initial=0.0)
        ):
            raise ValueError(
                f"A kernel matrix is square and symmetric; the shape of this one is {X.shape}."
            )
        return X

    def _steps(self, space: FeatureSpace) -> Iterator[KernelKMeansStep]:
        is_random = isinstance(self.init, str) and self.init in RANDOM_STARTS
        n_restarts = self.n_init if is_random else 1
        rng = check_random_state(self.random_state)
        starts = (self._start(space, rng, restart) for restart in range(n_restarts))
        yield from best_restart(space, starts, n_restarts, self.max_iter)

    def _start(self, space: FeatureSpace, rng: Any, restart: int) -> Steps:
        k = self.n_clusters
        if not isinstance(self.init, str):
            return first_clusters(space, k, checked_clusters(self.init, len(space.K), k))
        if self.init == "spectral":
            return first_clusters(space, k, relaxed_clusters(space, k, rng))
        return drawn_rows(space, k, self.init, rng, restart)
