"""k-medoids: clusters around rows of the data, by swaps (PAM) or by alternation."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.clustering.centroids import CentroidClustering
from dmlib.clustering.kmedoids.clara import CLARAStep, sampled_steps
from dmlib.clustering.kmedoids.medoids import (
    Division,
    Indices,
    built_rows,
    distances_between,
    divide,
    nearest_rows,
    spread_rows,
)
from dmlib.clustering.kmedoids.mixed import Categories, coded, measure_of
from dmlib.clustering.kmedoids.ranges import kmedoids_ranges
from dmlib.clustering.kmedoids.search import (
    MAX_CANDIDATES,
    Candidate,
    KMedoidsStep,
    alternate,
    fasterpam,
    pam,
    record,
)
from dmlib.clustering.partition import too_few_rows
from dmlib.params import Choice, Integer, Param, Ranges, Spoken, check_params

MAX_ROWS = 10_000


class KMedoids(CentroidClustering):
    r"""Find k rows, the medoids, that make the sum of distances to the nearest of them small.

    The objective is the total deviation :math:`TD = \sum_i \min_j d(x_i, m_j)`, with every
    :math:`m_j` one of the rows. Any distance serves, and no mean is needed.

    Parameters
    ----------
    n_clusters : int, default=3
        The number of clusters, k.
    method : {"pam", "fasterpam", "alternate", "clara"}, default="pam"
        "pam" makes the best of all swaps of a medoid with another row until none lowers TD;
        "fasterpam" goes through the rows and makes every swap that lowers TD at once; "alternate"
        assigns rows and moves each medoid to the best row of its cluster in turn, as k-means does;
        "clara" runs "pam" on samples and keeps the medoids that are best for all rows.
    metric : str or callable, default="euclidean"
        The distance: a name that scikit-learn knows; "sqeuclidean", by whose sums the medoid of a
        cluster is the row nearest to its mean; "gower", for which a data frame may have
        columns of names too; "precomputed", where ``X`` is the matrix of all distances; or a
        function of two rows.
    init : {"build", "k-medoids++", "random", "points"} or array (n_clusters, n_features)
        The starting medoids. "build", the default, adds the row that lowers TD most, one after
        the other; "k-medoids++" draws rows in proportion to their squared distance to the nearest
        medoid so far; "random" draws distinct rows; "points" takes the rows nearest to the places
        that you give as an array.
    max_iter : int, default=300
        The largest number of iterations: swaps of "pam", passes over all rows of "fasterpam",
        assignments of "alternate".
    n_sampling : int or None, default=None
        The rows of a sample of "clara"; None means 40 + 2k, the authors' rule.
    n_sampling_iter : int, default=5
        The number of samples of "clara".
    random_state : int, RandomState or None, default=None
        The seed of the random draws.

    Attributes
    ----------
    medoid_indices_ : ndarray of shape (n_clusters,)
        The rows that are medoids.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        These rows; of columns of names the codes in their sorted order.
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row.
    inertia_ : float
        The total deviation: distances, not their squares.
    n_iter_ : int
        The number of iterations; of "clara" the number of samples.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there are fewer rows than clusters, more than a matrix of all distances allows (not for
        "clara"), or columns of names with another metric than "gower".

    Notes
    -----
    The distances take O(n^2) memory. "build" costs O(n^2 k). The changes of all (n - k) k swaps are
    found together, in O(n^2) distances and one matrix product, instead of the O(n^2 k) comparisons
    of 1987; the swap made is the same.

    "clara" compares s^2 distances in each sample of s rows and assigns all rows in O(n k), so that
    n may be large. From the second sample on, the best medoids so far belong to the sample.

    Ties go to the lower row and the lower number of a medoid. A swap must gain more than rounding
    can.

    References
    ----------
    L. Kaufman and P. J. Rousseeuw (1987), Clustering by means of medoids.
    L. Kaufman and P. J. Rousseeuw (1990), Finding groups in data, chapters 2 and 3.
    H.-S. Park and C.-H. Jun (2009), A simple and fast algorithm for k-medoids clustering.
    E. Schubert and P. J. Rousseeuw (2019), Faster k-medoids clustering: improving the PAM, CLARA,
    and CLARANS algorithms, section 3. E. Schubert and P. J. Rousseeuw (2021), Fast and eager
    k-medoids clustering, algorithm 3.

    Examples
    --------
    >>> model = KMedoids(2).fit([[0.0], [1.0], [2.0], [9.0], [10.0], [14.0]])
    >>> model.medoid_indices_.tolist(), model.labels_.tolist(), model.inertia_
    ([1, 4], [0, 0, 0, 1, 1, 1], 7.0)
    """

    TITLE: ClassVar[str] = "k-medoids"
    KEY_PARAMS: ClassVar[Mapping[str, str]] = {"method": "Search", "metric": "Metric"}
    RANGES: ClassVar[Ranges] = staticmethod(kmedoids_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_clusters": Integer(1, 256, shown=(1, 10)),
        "method": Choice(("pam", "fasterpam", "alternate", "clara")),
        "metric": Choice(
            (
                *("euclidean", "sqeuclidean", "manhattan", "chebyshev", "cosine", "correlation"),
                "gower",
            )
        ),
        "init": Choice(("build", "k-medoids++", "random", "points"), arrays=True),
        "max_iter": Integer(1, 10_000, shown=(1, 20)),
        "n_sampling": Integer(1, 5_000, shown=(10, 200), none="40 + 2k"),
        "n_sampling_iter": Integer(1, 1_000, shown=(1, 20)),
    }
    SPOKEN: ClassVar[Spoken] = {"metric": {"sqeuclidean": "squared Euclidean"}}

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        method: str = "pam",
        metric: str | Callable[..., float] = "euclidean",
        init: str | ArrayLike = "build",
        max_iter: int = 300,
        n_sampling: int | None = None,
        n_sampling_iter: int = 5,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.method = method
        self.metric = metric
        self.init = init
        self.max_iter = max_iter
        self.n_sampling = n_sampling
        self.n_sampling_iter = n_sampling_iter
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find the medoids of the rows of ``X``; ``y`` is ignored."""
        rows = self._read(X)
        return self._adopt(deque(self._steps(rows, self._categories), maxlen=1)[0], rows)

    def fit_from(
        self, steps: Sequence[KMedoidsStep | CLARAStep], X: ArrayLike, y: Any = None
    ) -> Self:
        """Learn what ``fit`` would from the steps on the same rows, without searching again."""
        return self._adopt(steps[-1], self._read(X))

    def _read(self, X: ArrayLike) -> Floats:
        table, self._categories = coded(X)
        rows: Floats = validate_data(self, table, dtype=np.float64)
        return rows

    def _adopt(self, last: KMedoidsStep | CLARAStep, rows: Floats) -> Self:
        """Keep the medoids of the last step."""
        self._measure = measure_of(self.metric, rows, self._categories)
        self.medoid_indices_ = last.medoids
        self.cluster_centers_ = rows[last.medoids]
        self.labels_, self.inertia_ = last.labels, last.total
        self.n_iter_ = last.iteration
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[KMedoidsStep | CLARAStep]:
        """Yield each build, swap, assignment, update or sample; the last is ``fit``'s answer."""
        table, categories = coded(X)
        yield from self._steps(check_array(table, dtype=np.float64), categories)

    def transform(self, X: ArrayLike) -> Floats:
        """Return the distance of each row to each medoid, of shape (n_samples, n_clusters)."""
        check_is_fitted(self)
        rows = self._new_rows(coded(X, self._categories)[0])
        if self._precomputed:
            return rows[:, self.medoid_indices_]
        return distances_between(rows, self.cluster_centers_, self._measure)

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Return minus the sum of distances of the rows to their nearest medoids."""
        return -float(self.transform(X).min(axis=1).sum())

    def _steps(self, X: Floats, categories: Categories) -> Iterator[KMedoidsStep | CLARAStep]:
        self._check(X)
        measure = measure_of(self.metric, X, categories)
        yield from (
            self._sampled(X, measure) if self.method == "clara" else self._searched(X, measure)
        )

    def _searched(self, X: Floats, measure: Any) -> Iterator[KMedoidsStep]:
        if len(X) > MAX_ROWS:
            raise ValueError(
                f"k-medoids compares all pairs of rows, and {len(X):,} rows have too many. "
                f"Take a sample of at most {MAX_ROWS:,} rows, or choose clara."
            )
        D = distances_between(X, X, measure)
        start = yield from self._start(X, D, measure)
        search = {"pam": pam, "fasterpam": fasterpam, "alternate": alternate}[self.method]
        yield from search(D, start, self.max_iter)

    def _sampled(self, X: Floats, measure: Any) -> Iterator[CLARAStep]:
        size = 40 + 2 * self.n_clusters if self.n_sampling is None else self.n_sampling
        if size < self.n_clusters:
            raise ValueError(
                f"A sample of {size} rows has no {self.n_clusters} medoids. Draw larger samples."
            )
        if self._precomputed:
            raise ValueError(
                "clara spares the matrix of all distances, and it is given here. Choose pam."
            )
        rng = check_random_state(self.random_state)
        searcher = KMedoids(**(self.get_params() | {"method": "pam", "random_state": rng}))

        def medoids_of(rows: Floats) -> tuple[Indices, float]:
            for step in searcher._searched(rows, measure):
                last = step
            return last.medoids, last.total

        yield from sampled_steps(X, measure, size, self.n_sampling_iter, rng, medoids_of)

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.metric, str) and self.metric == "precomputed"

    def _check(self, X: Floats) -> None:
        check_params(
            {name: spec for name, spec in self.PARAMS.items() if name != "metric"},
            self.get_params(),
        )
        if len(X) < self.n_clusters:
            raise too_few_rows(len(X), self.n_clusters)

    def _start(self, X: Floats, D: Floats, measure: Any) -> Generator[KMedoidsStep, None, Division]:
        """Choose the starting medoids, one a step."""
        medoids = np.empty(0, np.intp)
        division = None
        for gain, row in self._choose(X, D, measure):
            medoids = np.append(medoids, row)
            division = divide(D, medoids)
            details: dict[str, Any] = {}
            if gain is not None:
                best = np.argsort(-gain, kind="stable")[:MAX_CANDIDATES]
                candidates = tuple(
                    Candidate(-1, int(c), -float(gain[c])) for c in best if np.isfinite(gain[c])
                )
                details = {
                    "candidates": candidates,
                    "n_candidates": len(X) - len(medoids) + 1,
                    "chosen": candidates[0],
                }
            yield record("build", 0, division, **details)
        assert division is not None  # n_clusters is at least 1
        return division

    def _choose(self, X: Floats, D: Floats, measure: Any) -> Iterator[tuple[Floats | None, int]]:
        """Yield the rows that become medoids; where gains decided, with them."""
        if isinstance(self.init, str) and self.init == "build":
            yield from built_rows(D, self.n_clusters)
            return
        rng = check_random_state(self.random_state)
        if not isinstance(self.init, str):
            rows = nearest_rows(X, self._places(X), measure)
        elif self.init == "points":
            raise ValueError(
                "init='points' needs the starting medoids: give their places as an array."
            )
        elif self.init == "k-medoids++":
            rows = spread_rows(D, self.n_clusters, rng)
        else:
            rows = rng.choice(len(X), self.n_clusters, replace=False).tolist()
        yield from ((None, int(row)) for row in rows)

    def _places(self, X: Floats) -> Floats:
        places: Floats = check_array(self.init, dtype=np.float64)
        if places.shape != (self.n_clusters, X.shape[1]):
            raise ValueError(
                f"The starting medoids have shape {places.shape}, but {self.n_clusters} clusters "
                f"of {X.shape[1]} columns need {(self.n_clusters, X.shape[1])}."
            )
        return places

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical, tags.input_tags.pairwise = True, self._precomputed
        return tags
