"""Spectral clustering: k-means on the eigenvectors of a similarity graph's Laplacian."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import validate_data

from dmlib.arrays import Floats
from dmlib.clustering.kmeans.algorithm import KMeans, KMeansStep
from dmlib.clustering.kmeans.algorithm import Phase as KMeansPhase
from dmlib.clustering.spectral.laplacian import DENSE, Spectrum, smallest_eigenpairs
from dmlib.clustering.spectral.ranges import spectral_ranges
from dmlib.clustering.spectral.similarity_graph import (
    GraphCuts,
    checked_graph,
    graph_cuts,
    similarity_graph,
)
from dmlib.params import Choice, Conditions, Integer, Number, Param, Ranges, Spoken, check_params

SYNONYMS = {"nearest_neighbors": "knn"}
NO_SSE = 1e-24  # of places within 1 from the origin: a smaller one is rounding error
MIN_EIGENPAIRS = (
    10  # eigenvalues that are computed at least where they cost little, so that a gap can be seen
)

Phase = Literal["graph", "laplacian", "eigenvector", "embedding", "cut"] | KMeansPhase


@dataclass(frozen=True)
class SpectralClusteringStep:
    """One step of spectral clustering.

    Attributes
    ----------
    phase : {"graph", "laplacian", "eigenvector", "embedding", "seed", "assign", "update", "cut"}
        What was done: the similarity graph built; its degrees and Laplacian; one more eigenvector
        taken; the rows of the eigenvectors made into points; a step of k-means on these points; the
        parts of the graph measured.
    affinity : ndarray or sparse array of shape (n_samples, n_samples)
        The weights of the edges.
    degrees : ndarray of shape (n_samples,) or None
        The sum of the weights of each row's edges; None on "graph".
    components : ndarray of shape (n_samples,) or None
        The connected component of each row; None on "graph".
    eigenvalues : ndarray of shape (n_pairs,) or None
        The smallest eigenvalues, ascending, from "eigenvector" on.
    index : int
        On "eigenvector" which one is taken, from 0.
    vectors : ndarray of shape (n_samples, n_taken) or None
        The eigenvectors taken so far.
    embedding : ndarray of shape (n_samples, n_components) or None
        The points that k-means gets, from "embedding" on.
    kmeans : KMeansStep or None
        On "seed", "assign" and "update" the step of k-means; of the best restart alone.
    labels : ndarray of shape (n_samples,) or None
        On "assign", "update" and "cut" the cluster of each row.
    cuts : GraphCuts or None
        On "cut" what the partition cuts.
    reason : str
        On "cut" a sentence if the graph is not connected.
    """

    phase: Phase
    affinity: Any
    degrees: Floats | None = None
    components: NDArray[np.int32] | None = None
    eigenvalues: Floats | None = None
    index: int = -1
    vectors: Floats | None = None
    embedding: Floats | None = None
    kmeans: KMeansStep | None = None
    labels: NDArray[np.integer[Any]] | None = None
    cuts: GraphCuts | None = None
    reason: str = ""

    @property
    def ratio_cut(self) -> float | None:
        """On "cut": the mean over the clusters of cut / size."""
        return None if self.cuts is None else self.cuts.ratio_cut

    @property
    def normalized_cut(self) -> float | None:
        """On "cut": the mean over the clusters of cut / volume."""
        return None if self.cuts is None else self.cuts.normalized_cut


class SpectralClustering(ClusterMixin, BaseEstimator):
    r"""Cut a similarity graph into parts, so that little weight is cut and no part is small.

    Finding the best cut is NP-hard. Its relaxation asks for the eigenvectors of the graph's
    Laplacian with the smallest eigenvalues; each row becomes the point of its entries in them, and
    k-means clusters these points.

    Parameters
    ----------
    n_clusters : int, default=2
        The number of clusters, k.
    affinity : {"rbf", "knn", "epsilon", "precomputed"}, default="rbf"
        The similarity graph: all pairs with Gaussian weights ("rbf"), nearest neighbours ("knn",
        also "nearest_neighbors"), all pairs up to a distance ("epsilon"), or X is the matrix of
        similarities ("precomputed"; it may be sparse).
    gamma : float, default=1.0
        For "rbf": the similarity is exp(-gamma d²), so gamma is one over twice the squared width of
        the kernel.
    n_neighbors : int, default=10
        For "knn": how many nearest neighbours are joined; a row is the first of its own.
    eps : float, default=0.5
        For "epsilon": the largest distance of joined rows.
    laplacian : {"random_walk", "symmetric", "unnormalised"}, default="random_walk"
        "unnormalised": L = D - W, which relaxes the ratio cut. "random_walk": I - D⁻¹W, which
        relaxes the normalised cut. "symmetric": I - D^(-1/2) W D^(-1/2).
    n_components : int or None, default=None
        The number of eigenvectors; None for ``n_clusters``.
    row_normalisation : {"auto", "yes", "no"}, default="auto"
        Whether the rows of the eigenvectors are scaled to length 1. "auto": those of the symmetric
        Laplacian are.
    n_init : int, default=10
        How many restarts k-means has.
    random_state : int, RandomState or None, default=None
        The seed of k-means.

    Attributes
    ----------
    affinity_matrix_ : ndarray or sparse array of shape (n_samples, n_samples)
        The weights of the edges, as in scikit-learn; its diagonal is no edge.
    eigenvalues_ : ndarray of shape (n_pairs,)
        The smallest eigenvalues of the Laplacian, ascending: one for each eigenvector, and for up
        to 500 rows at least 10 (with fewer rows, all).
    embedding_ : ndarray of shape (n_samples, n_components)
        The points that k-means gets: the columns are eigenvectors of length 1, unless rows are
        scaled.
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row.
    n_connected_components_ : int
        The number of connected components of the graph, which is how often the eigenvalue 0 occurs.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there are fewer rows than clusters, no edge in the graph, or too many rows for a dense
        matrix.

    Notes
    -----
    O(n^2 d + n^3) with "rbf", where n^3 / 3 is one Cholesky factorisation; sparse graphs cost less.
    scikit-learn takes the eigenvectors that are here "random_walk", scaled otherwise.

    If the graph is not connected, the eigenvalue 0 has one eigenvector per component, constant on
    it: with as many components as clusters, they are the clusters. The signs of eigenvectors are
    free (the entry farthest from 0 is positive here); for equal eigenvalues, so is the choice of
    eigenvectors.

    References
    ----------
    J. Shi and J. Malik (2000), Normalized cuts and image segmentation.
    A. Y. Ng, M. I. Jordan and Y. Weiss (2002), On spectral clustering: analysis and an algorithm.
    U. von Luxburg (2007), A tutorial on spectral clustering.

    Examples
    --------
    >>> W = [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0.1], [0, 0, 0.1, 0]]
    >>> model = SpectralClustering(2, affinity="precomputed", random_state=0).fit(W)
    >>> sorted(np.bincount(model.labels_).tolist()), model.eigenvalues_.round(3).tolist()
    ([1, 3], [0.0, 0.956, 1.5, 1.544])
    """

    TITLE: ClassVar[str] = "spectral clustering"
    KEY_PARAMS: ClassVar[Mapping[str, str]] = {
        "affinity": "Similarity graph",
        "gamma": "γ (rbf)",
        "n_neighbors": "Neighbours k (knn)",
    }
    APPLIES: ClassVar[Conditions] = {
        "gamma": ("affinity", ("rbf",)),
        "n_neighbors": ("affinity", ("knn",)),
        "eps": ("affinity", ("epsilon",)),
    }
    RANGES: ClassVar[Ranges] = staticmethod(spectral_ranges)
    SPOKEN: ClassVar[Spoken] = {
        "affinity": {"knn": "k-NN graph", "epsilon": "ε-graph"},
        "row_normalisation": {"auto": "auto (symmetric only)"},
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_clusters": Integer(1, 256, shown=(1, 10)),
        "affinity": Choice(("rbf", "knn", "epsilon")),
        "gamma": Number(0.0, 1e12, shown=(0.01, 1000.0), log=True),
        "n_neighbors": Integer(1, 10_000, shown=(2, 50)),
        "eps": Number(0.0, 1e12, shown=(0.01, 10.0), log=True),
        "laplacian": Choice(("random_walk", "symmetric", "unnormalised")),
        "n_components": Integer(1, 10**9, shown=(1, 10), none="as clusters"),
        "row_normalisation": Choice(("auto", "yes", "no")),
        "n_init": Integer(1, 100, shown=(1, 20)),
    }

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        affinity: str = "rbf",
        gamma: float = 1.0,
        n_neighbors: int = 10,
        eps: float = 0.5,
        laplacian: str = "random_walk",
        n_components: int | None = None,
        row_normalisation: str = "auto",
        n_init: int = 10,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.affinity = affinity
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.eps = eps
        self.laplacian = laplacian
        self.n_components = n_components
        self.row_normalisation = row_normalisation
        self.n_init = n_init
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Cluster the rows of ``X``; ``y`` is ignored."""
        rows = validate_data(self, X, **self._accepted())
        self.affinity_matrix_ = self._graph(rows)
        spectrum = self._spectrum(self.affinity_matrix_)
        self.eigenvalues_ = spectrum.eigenvalues
        self.embedding_ = self._embedding(spectrum)
        self.labels_ = self._kmeans().fit(self.embedding_).labels_
        self.n_connected_components_ = int(spectrum.components.max()) + 1
        return self

    def fit_from(self, steps: Sequence[SpectralClusteringStep], X: Any, y: Any = None) -> Self:
        """Learn what ``fit`` would from the steps on the same rows, without clustering again."""
        validate_data(self, X, **self._accepted())
        last = steps[-1]
        self.affinity_matrix_, self.eigenvalues_ = last.affinity, cast(Floats, last.eigenvalues)
        self.embedding_ = cast(Floats, last.embedding)
        self.labels_ = cast(NDArray[Any], last.labels)
        self.n_connected_components_ = int(cast(NDArray[Any], last.components).max()) + 1
        return self

    def steps(self, X: Any, y: Any = None) -> Iterator[SpectralClusteringStep]:
        """Yield graph, Laplacian, each eigenvector, embedding, k-means in it, and the cuts."""
        step = SpectralClusteringStep("graph", self._graph(check_array(X, **self._accepted())))
        yield step
        spectrum = self._spectrum(step.affinity)
        step = replace(
            step, phase="laplacian", degrees=spectrum.degrees, components=spectrum.components
        )
        yield step
        embedding = self._embedding(spectrum)
        for index in range(embedding.shape[1]):
            vectors = spectrum.vectors[:, : index + 1].copy()
            step = replace(
                step,
                phase="eigenvector",
                eigenvalues=spectrum.eigenvalues,
                index=index,
                vectors=vectors,
            )
            yield step
        step = replace(step, phase="embedding", index=-1, embedding=embedding)
        yield step
        for end in self._kept_restart(embedding):
            if end.phase != "done":
                yield replace(step, phase=end.phase, kmeans=end, labels=end.labels)
        cuts = graph_cuts(step.affinity, cast(NDArray[Any], end.labels))
        yield replace(
            step, phase="cut", labels=end.labels, cuts=cuts, reason=self._reason(spectrum)
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = tags.input_tags.sparse = self.affinity == "precomputed"
        return tags

    @property
    def scales_rows(self) -> bool:
        """Whether the rows of the eigenvectors are scaled to length 1."""
        if self.row_normalisation == "auto":
            return self.laplacian == "symmetric"
        return self.row_normalisation == "yes"

    def _accepted(self) -> dict[str, Any]:
        """Return how to read X: only a matrix of similarities may be sparse."""
        sparse = ["csr", "csc", "coo"] if self.affinity == "precomputed" else False
        return {"dtype": np.float64, "ensure_min_samples": 2, "accept_sparse": sparse}

    def _affinity(self) -> Any:
        if isinstance(self.affinity, str):
            return SYNONYMS.get(self.affinity, self.affinity)
        return self.affinity

    def edges(self) -> NDArray[np.intp]:
        """Return the edges of the graph as pairs of rows, the smaller number first.

        Every two rows are joined by "rbf": then there are none to show.
        """
        if self._affinity() == "rbf":
            return np.empty((0, 2), np.intp)
        return np.argwhere(sparse.triu(self.affinity_matrix_, 1).toarray() > 0)

    def _graph(self, X: Any) -> Any:
        """Check the parameters, and return the weights of the edges."""
        affinity = self._affinity()
        own = {"affinity": "rbf" if affinity == "precomputed" else affinity}
        check_params(self.PARAMS, self.get_params() | own)
        for name in ("n_clusters", "n_components"):
            if (getattr(self, name) or 0) > X.shape[0]:
                raise ValueError(
                    f"{name}={getattr(self, name)} needs at least as many rows, "
                    f"but n_samples={X.shape[0]}. Choose a smaller number."
                )
        if affinity == "precomputed":
            return checked_graph(X)
        return similarity_graph(
            X, affinity, gamma=self.gamma, n_neighbors=self.n_neighbors, eps=self.eps
        )

    def _spectrum(self, W: Any) -> Spectrum:
        n_pairs, n_samples = max(self.n_clusters, self.n_components or 0), W.shape[0]
        if n_samples <= DENSE:
            n_pairs = min(max(MIN_EIGENPAIRS, n_pairs + 1), n_samples)
        return smallest_eigenpairs(W, self.laplacian, n_pairs)

    def _embedding(self, spectrum: Spectrum) -> Floats:
        vectors = spectrum.vectors[:, : self.n_components or self.n_clusters].copy()
        if self.scales_rows:
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
            vectors /= np.where(lengths > 0, lengths, 1)
        return vectors

    def _kmeans(self) -> KMeans:
        return KMeans(self.n_clusters, n_init=self.n_init, random_state=self.random_state)

    def _kept_restart(self, embedding: Floats) -> Iterator[KMeansStep]:
        """Yield the steps of k-means in its best restart.

        Of the others nothing is kept: their steps could fill all memory. The best is made once
        more.
        """
        rng = check_random_state(self.random_state)
        best, best_restart = np.inf, 0
        state: Any = rng.get_state()
        for restart in range(self.n_init):
            before = rng.get_state()
            inertia = KMeans(self.n_clusters, random_state=rng).fit(embedding).inertia_
            inertia = inertia if inertia > NO_SSE else 0.0
            if inertia < best:
                best, best_restart, state = inertia, restart, before
        same_rng = np.random.RandomState()
        same_rng.set_state(state)
        for step in KMeans(self.n_clusters, random_state=same_rng).steps(embedding):
            yield replace(_without_rounding(step), restart=best_restart)

    def _reason(self, spectrum: Spectrum) -> str:
        n_parts = int(spectrum.components.max()) + 1
        if n_parts == 1:
            return ""
        parts = (
            f"The graph is not connected: it falls into {n_parts} parts, "
            f"and 0 is an eigenvalue {n_parts} times."
        )
        if n_parts <= self.n_clusters:
            return parts
        return (
            f"{parts} That is more than {self.n_clusters} clusters; "
            "more neighbours or a larger eps may join them."
        )


def _without_rounding(step: KMeansStep) -> KMeansStep:
    """Return a step whose SSE and shifts are 0 where rows of one place differ by rounding."""
    inertia = step.inertia if step.inertia > NO_SSE else 0.0
    if step.shift is None:
        return replace(step, inertia=inertia)
    shift = np.where(step.shift**2 > NO_SSE, step.shift, 0.0)
    return replace(step, inertia=inertia, shift=shift)
