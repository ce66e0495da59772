"""How good a clustering is: a measure built up cluster by cluster, and all the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.validation import validate_data

from dmlib.arrays import Floats
from dmlib.clustering.cluster_validity import external, internal
from dmlib.clustering.cluster_validity.clusterings import TITLES, clustering_of, name_of
from dmlib.clustering.cluster_validity.links import (
    LINKS,
    N_NEIGHBORS,
    NORMALIZED_CUT,
    WEIGHTED,
    WITHIN,
    links,
    normalized_cut,
)
from dmlib.clustering.cluster_validity.ranges import validity_ranges
from dmlib.clustering.cluster_validity.tendency import hopkins_parts
from dmlib.clustering.cluster_validity.terms import NO_PARTS, Parts, Term, UndefinedMeasure
from dmlib.params import Choice, Conditions, Integer, Param, Ranges, Spoken, check_params
from dmlib.squares import check_squares

Codes = NDArray[np.intp]

Measure = Callable[[Floats, Codes, Floats], Parts]

INTERNAL: dict[str, Measure] = {
    "silhouette": internal.silhouette,
    "sse": internal.sse,
    "calinski_harabasz": internal.calinski_harabasz,
    "davies_bouldin": internal.davies_bouldin,
    "dunn": internal.dunn,
    "correlation": internal.correlation,
    **{name: partial(internal.separation, name) for name in internal.SEPARATIONS},
    **{name: partial(links, name) for name in LINKS},
    NORMALIZED_CUT: normalized_cut,
}
"""Measures of the rows and their clusters."""
EXTERNAL: Mapping[str, Callable[[Floats], Parts]] = {
    "purity": external.purity,
    "entropy": external.entropy,
    "gini": external.gini,
    "nmi": external.nmi,
    "v_measure": external.v_measure,
    **{name: partial(external.pair_measure, name) for name in external.PAIRS},
}
"""Measures of the clusters against known classes."""
HOPKINS = "hopkins"
MEASURES = (*INTERNAL, *EXTERNAL, HOPKINS)
SMALL_IS_GOOD = {"sse", "davies_bouldin", "entropy", "gini", WITHIN, WEIGHTED, NORMALIZED_CUT}
LARGE_IS_GOOD = {*MEASURES} - SMALL_IS_GOOD
MEASURE_NAMES = {
    "silhouette": "silhouette",
    "sse": "SSE",
    "calinski_harabasz": "Calinski-Harabasz index",
    "davies_bouldin": "Davies-Bouldin index",
    "dunn": "Dunn index",
    "correlation": "matrix correlation",
    "separation_max": "sum of D_max",
    "separation_min": "sum of D_min",
    "separation_mean": "sum of D_avg",
    "separation_centroid": "sum of D_centr",
    **LINKS,
    NORMALIZED_CUT: "normalised cut",
    "purity": "purity",
    "entropy": "entropy",
    "gini": "Gini impurity",
    "nmi": "NMI",
    "v_measure": "V-measure",
    "rand": "Rand index",
    "adjusted_rand": "adjusted Rand index",
    "jaccard": "Jaccard index",
    "fowlkes_mallows": "Fowlkes-Mallows index",
    HOPKINS: "Hopkins statistic",
}
"""The names of the measures as a reader sees them."""
MAX_ROWS = 3_000
"""All pairs of so many rows have distances in 72 MB."""

Phase = Literal["cluster", "part", "combine", "done"]


@dataclass(frozen=True)
class ValidityStep:
    """One step of measuring a clustering.

    Attributes
    ----------
    phase : {"cluster", "part", "combine", "done"}
        What was done: the rows clustered; the part of one cluster (or probe) computed; the parts
        put together; all other measures computed.
    measure : str
        Which measure.
    labels : ndarray of shape (n_samples,)
        The cluster of each row, as the clustering names them; -1 for noise.
    names : tuple of int
        The labels of the clusters that the parts are of, in order.
    term : Term or None
        The part of this step.
    n_terms : int
        How many parts are computed so far.
    parts : Parts
        All parts, also those to come.
    value : float
        The measure; NaN before the parts are put together.
    measures : dict or None
        On "done": every measure by name, NaN where it is not defined.
    places : ndarray of shape (n_probes, n_features) or None
        The random places of Hopkins' statistic.
    reason : str
        Why the chosen measure is not defined, as a sentence; it then has no parts, and its value is
        NaN.
    """

    phase: Phase
    measure: str
    labels: NDArray[np.integer]
    names: tuple[int, ...]
    parts: Parts
    term: Term | None = None
    n_terms: int = 0
    value: float = np.nan
    measures: dict[str, float] | None = None
    places: Floats | None = None
    reason: str = ""


class ClusterValidity(BaseEstimator):
    r"""Cluster the rows, and measure how good the clusters are.

    Internal measures ask the rows alone: are those of a cluster close together (cohesion), and
    clusters far apart (separation)? External measures compare with known classes. Hopkins'
    statistic asks whether there is anything to cluster.

    Parameters
    ----------
    clustering : str or estimator, default="kmeans"
        The clustering that is judged: a name, or an estimator with ``labels_``. "random" draws
        labels at random, the baseline of each measure.
    n_clusters : int, default=3
        The number of clusters, for clusterings that take one.
    measure : str, default="silhouette"
        The measure that is built up step by step.
    n_probes : int, default=30
        The number of probes of Hopkins' statistic.
    n_neighbors : int, default=10
        normalized_cut: the number of nearest other rows that each row is linked with.
    random_state : int, RandomState or None, default=None
        The seed of the clustering and of the probes.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row; -1 for noise.
    value_ : float
        The chosen measure; NaN where it is not defined, as the silhouette of one cluster, or what
        is 0 / 0 for equal rows.
    measures_ : dict of str to float
        Every measure by name; NaN where it is not defined. The external ones need known classes.
    n_clusters_, n_noise_ : int
        How many clusters and how many noise points there are.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there is only noise, if an external measure is chosen without known classes, or if there
        are too many rows for all distances.

    Notes
    -----
    O(n^2 d) for the distances of all pairs. Internal measures leave out noise; for external ones,
    noise is one more cluster. Entropies are in bits. Davies-Bouldin takes the mean distance to the
    centre, as scikit-learn does.

    References
    ----------
    P. J. Rousseeuw (1987), Silhouettes: a graphical aid to the interpretation and validation of
    cluster analysis. J. C. Dunn (1974), Well-separated clusters and optimal fuzzy partitions. T.
    Caliński and J. Harabasz (1974), A dendrite method for cluster analysis. D. L. Davies and D. W.
    Bouldin (1979), A cluster separation measure. L. Hubert and P. Arabie (1985), Comparing
    partitions. A. Rosenberg and J. Hirschberg (2007), V-measure: a conditional entropy-based
    external cluster evaluation measure. P.-N. Tan, M. Steinbach, A. Karpatne and V. Kumar (2018),
    Introduction to data mining, section 7.5.2 (sums of links). J. Shi and J. Malik (2000),
    Normalized cuts and image segmentation, IEEE Transactions on Pattern Analysis and Machine
    Intelligence 22.

    Examples
    --------
    >>> X = [[0.0], [1.0], [10.0], [11.0]]
    >>> model = ClusterValidity("kmeans", 2, random_state=0).fit(X, [0, 0, 1, 1])
    >>> round(model.value_, 4), model.measures_["sse"], model.measures_["adjusted_rand"]
    (0.8997, 1.0, 1.0)
    """

    APPLIES: ClassVar[Conditions] = {
        "n_probes": ("measure", (HOPKINS,)),
        "n_neighbors": ("measure", (NORMALIZED_CUT,)),
    }
    RANGES: ClassVar[Ranges] = staticmethod(validity_ranges)
    SPOKEN: ClassVar[Spoken] = {"clustering": TITLES, "measure": MEASURE_NAMES}
    PARAMS: ClassVar[dict[str, Param]] = {
        "clustering": Choice(tuple(TITLES)),
        "n_clusters": Integer(1, 256, shown=(1, 10)),
        "measure": Choice(MEASURES),
        "n_probes": Integer(1, 10_000, shown=(1, 100)),
        "n_neighbors": Integer(1, 10_000, shown=(1, 30)),
    }

    def __init__(
        self,
        clustering: Any = "kmeans",
        n_clusters: int = 3,
        *,
        measure: str = "silhouette",
        n_probes: int = 30,
        n_neighbors: int = N_NEIGHBORS,
        random_state: Any = None,
    ) -> None:
        self.clustering = clustering
        self.n_clusters = n_clusters
        self.measure = measure
        self.n_probes = n_probes
        self.n_neighbors = n_neighbors
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Cluster the rows of ``X`` and measure the clusters; ``y`` are optional known classes."""
        for step in self._steps(validate_data(self, X, dtype=np.float64, ensure_min_samples=2), y):
            last = step
        self.labels_, self.value_ = last.labels, last.value
        self.measures_ = dict(last.measures or {})
        self.n_clusters_, self.n_noise_ = len(_named(last.labels)), int((last.labels < 0).sum())
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[ValidityStep]:
        """Yield the clusters, each part of the measure, the measure, and all others."""
        yield from self._steps(check_array(X, dtype=np.float64, ensure_min_samples=2), y)

    def _steps(self, X: Floats, y: Any) -> Iterator[ValidityStep]:
        self._check(X)
        classes = None if y is None else _classes(X, y)
        model = clustering_of(self.clustering, self.n_clusters, self.random_state)
        labels = np.asarray(model.fit(X).labels_)
        rows, _ = measured(labels, name_of(self.clustering))
        D = cdist(X[rows], X[rows])
        distinct = np.unique(labels)
        step = ValidityStep(
            "cluster", self.measure, labels, tuple(distinct[distinct >= 0].tolist()), NO_PARTS
        )
        try:
            parts, names, places = self._parts(X, labels, classes, D)
            step = replace(step, parts=parts, names=names, places=places)
        except UndefinedMeasure as error:
            step = replace(step, reason=str(error))
        yield step
        for i, term in enumerate(step.parts.terms):
            yield replace(step, phase="part", term=term, n_terms=i + 1)
        if not step.reason:
            step = replace(
                step, phase="combine", n_terms=len(step.parts.terms), value=step.parts.value
            )
            yield step
        yield replace(
            step,
            phase="done",
            measures=self._all_measures(X, labels, classes, D) | self._hopkins(X),
        )

    def _parts(
        self, X: Floats, labels: NDArray[np.integer], classes: Codes | None, D: Floats
    ) -> tuple[Parts, tuple[int, ...], Floats | None]:
        """Return the parts of the chosen measure, the labels of their clusters, and the probes."""
        if self.measure == HOPKINS:
            parts, places = hopkins_parts(X, self.n_probes, self.random_state)
            return parts, (), places
        if self.measure in EXTERNAL:
            if classes is None:
                raise ValueError(
                    f"The {MEASURE_NAMES[self.measure]} compares "
                    "with known classes, and these data have none. "
                    "Choose data with classes, or an internal measure such as the silhouette."
                )
            distinct, codes = np.unique(labels, return_inverse=True)
            parts = EXTERNAL[self.measure](external.contingency(codes, classes))
            return parts, tuple(distinct.tolist()), None
        rows, codes = measured(labels, name_of(self.clustering))
        parts = internal_measure(self.measure, self.n_neighbors)(X[rows], codes, D)
        return _of_rows(parts, rows), tuple(_named(labels)), None

    def _all_measures(
        self, X: Floats, labels: NDArray[np.integer], classes: Codes | None, D: Floats
    ) -> dict[str, float]:
        """Return every measure of clusters by name, NaN where it is not defined."""
        rows, codes = measured(labels)
        measures = {
            name: _value(internal_measure(name, self.n_neighbors), X[rows], codes, D)
            for name in INTERNAL
        }
        if classes is None:
            return measures | dict.fromkeys(EXTERNAL, np.nan)
        counts = external.contingency(np.unique(labels, return_inverse=True)[1], classes)
        return measures | {name: _value(make, counts) for name, make in EXTERNAL.items()}

    def _hopkins(self, X: Floats) -> dict[str, float]:
        try:
            return {HOPKINS: hopkins_parts(X, self.n_probes, self.random_state)[0].value}
        except ValueError:
            return {HOPKINS: np.nan}

    def _check(self, X: Floats) -> None:
        if not (isinstance(self.clustering, str) and self.clustering in TITLES) and not hasattr(
            self.clustering, "fit"
        ):
            raise ValueError(
                f"clustering must be one of {', '.join(TITLES)}, "
                f"or a clustering; it was {self.clustering!r}."
            )
        check_params(
            {name: spec for name, spec in self.PARAMS.items() if name != "clustering"},
            self.get_params(False),
        )
        if len(X) > MAX_ROWS:
            raise ValueError(
                f"The measures compare all pairs of rows, and {len(X):,} rows have too many. "
                f"Take a sample of at most {MAX_ROWS:,} rows."
            )
        check_squares(X)


def measured(labels: NDArray[np.integer], name: str = "The clustering") -> tuple[Codes, Codes]:
    """Return the rows that are in a cluster, and the numbers of their clusters from 0.

    Raises
    ------
    ValueError
        If all rows are noise.
    """
    rows = np.flatnonzero(labels >= 0)
    if not rows.size:
        raise ValueError(
            f"{name} finds only noise, so there is no cluster to measure. "
            "Change its settings, or choose another clustering."
        )
    return rows, np.unique(labels[rows], return_inverse=True)[1]


def internal_measure(name: str, n_neighbors: int) -> Measure:
    """Return an internal measure, with the neighbours of the graph that it may be of."""
    if name == NORMALIZED_CUT:
        return partial(normalized_cut, n_neighbors=n_neighbors)
    return INTERNAL[name]


def _value(make: Callable[..., Parts], *data: Any) -> float:
    try:
        return float(make(*data).value)
    except ValueError:
        return np.nan


def _classes(X: Floats, y: Any) -> Codes:
    check_consistent_length(X, y)
    return np.unique(column_or_1d(y), return_inverse=True)[1].astype(np.intp)


def _named(labels: NDArray[np.integer]) -> list[int]:
    return [int(label) for label in np.unique(labels) if label >= 0]


def _of_rows(parts: Parts, rows: Codes) -> Parts:
    """Return the parts with the numbers of the rows among all rows, noise included."""
    terms = tuple(
        replace(term, rows=tuple(int(rows[i]) for i in term.rows)) for term in parts.terms
    )
    linked = None if parts.links is None else rows[parts.links]
    return replace(parts, terms=terms, links=linked)
