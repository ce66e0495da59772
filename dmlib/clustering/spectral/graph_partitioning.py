"""Spectral clustering of a graph: its own edges and weights are the similarities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Self

import networkx as nx
import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.spectral.algorithm import SpectralClustering, SpectralClusteringStep
from dmlib.clustering.spectral.similarity_graph import graph_cuts
from dmlib.params import Choice, Conditions, Flag, Integer, Param, Range, Ranges, check_params


def graph_ranges(model: Any, G: nx.Graph, y: Any = None) -> dict[str, Range]:
    """Return the ranges of the counts: a graph has an eigenvector for each node.

    Examples
    --------
    >>> graph_ranges(None, nx.path_graph(3))
    {'n_clusters': (1, 3), 'n_components': (1, 3)}
    """
    return {"n_clusters": (1, len(G)), "n_components": (1, len(G))}


class SpectralGraphClustering(SpectralClustering):
    r"""Cut a graph into parts, so that little weight is cut and no part is small.

    As :class:`SpectralClustering`, but the edges are those of the graph: its weighted adjacency
    matrix is the matrix of similarities W.

    Parameters
    ----------
    n_clusters : int, default=2
        The number of clusters, k.
    weighted : bool, default=True
        Whether the weights of the edges count; otherwise each edge weighs 1.
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
    affinity_matrix_ : ndarray of shape (n_nodes, n_nodes)
        The weights of the edges.
    eigenvalues_ : ndarray of shape (n_pairs,)
        The smallest eigenvalues of the Laplacian, ascending.
    embedding_ : ndarray of shape (n_nodes, n_components)
        The points that k-means gets.
    labels_ : ndarray of shape (n_nodes,)
        The cluster of each node, in the order of the graph.
    n_connected_components_ : int
        The number of connected components, which is how often the eigenvalue 0 occurs.
    ratio_cut_, normalized_cut_ : float
        The mean over the clusters of cut / size, and of cut / volume.

    Raises
    ------
    ValueError
        If there are fewer nodes than clusters, no edge, or an edge of negative weight.

    Notes
    -----
    O(n^2) memory and O(n^3) time. Directions do not count: the weights of two opposite edges are
    added. An edge from a node to itself does not count.

    References
    ----------
    L. Hagen and A. B. Kahng (1992), New spectral methods for ratio cut partitioning and clustering.
    J. Shi and J. Malik (2000), Normalized cuts and image segmentation, section 2.

    Examples
    --------
    >>> G = nx.Graph([(1, 2), (1, 3), (2, 3), (3, 4), (4, 5), (4, 6), (5, 6)])
    >>> model = SpectralGraphClustering(2, random_state=0).fit(G)
    >>> model.labels_.tolist(), round(model.ratio_cut_, 3), round(model.normalized_cut_, 3)
    ([1, 1, 1, 0, 0, 0], 0.333, 0.143)
    """

    affinity = "precomputed"
    APPLIES: ClassVar[Conditions] = {}
    RANGES: ClassVar[Ranges] = staticmethod(graph_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_clusters": Integer(1, 256, shown=(1, 10)),
        "weighted": Flag(),
        "laplacian": Choice(("random_walk", "symmetric", "unnormalised")),
        "n_components": Integer(1, 10**9, shown=(1, 10), none="as clusters"),
        "row_normalisation": Choice(("auto", "yes", "no")),
        "n_init": Integer(1, 100, shown=(1, 20)),
    }

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        weighted: bool = True,
        laplacian: str = "random_walk",
        n_components: int | None = None,
        row_normalisation: str = "auto",
        n_init: int = 10,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.weighted = weighted
        self.laplacian = laplacian
        self.n_components = n_components
        self.row_normalisation = row_normalisation
        self.n_init = n_init
        self.random_state = random_state

    def fit(self, G: nx.Graph, y: Any = None) -> Self:
        """Cluster the nodes of ``G``; ``y`` is ignored."""
        return super().fit(self._adjacency(G))._measure()

    def fit_from(self, steps: Sequence[SpectralClusteringStep], G: nx.Graph, y: Any = None) -> Self:
        """Learn what ``fit`` would from the steps on the same graph, without clustering again."""
        return super().fit_from(steps, self._adjacency(G))._measure()

    def steps(self, G: nx.Graph, y: Any = None) -> Iterator[SpectralClusteringStep]:
        """Yield graph, Laplacian, each eigenvector, embedding, k-means in it, and the cuts."""
        yield from super().steps(self._adjacency(G))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # it takes a graph
        return tags

    def _measure(self) -> Self:
        cuts = graph_cuts(self.affinity_matrix_, self.labels_)
        self.ratio_cut_, self.normalized_cut_ = cuts.ratio_cut, cuts.normalized_cut
        return self

    def _adjacency(self, G: nx.Graph) -> Floats:
        """Return the symmetric weights of the edges."""
        check_params(self.PARAMS, self.get_params())
        if not isinstance(G, nx.Graph):
            raise ValueError(
                f"G must be a networkx graph, not {type(G).__name__}. "
                "Make one with networkx.Graph(edges)."
            )
        if len(G) < max(2, self.n_clusters):
            raise ValueError(
                f"n_clusters={self.n_clusters} needs at least as many nodes, and two; the graph "
                f"has {len(G)}. Choose fewer clusters or a larger graph."
            )
        W: Floats = nx.to_numpy_array(G, weight="weight" if self.weighted else None)
        np.fill_diagonal(W, 0)
        if not W.any() or W.min() < 0:
            raise ValueError(
                "Similarities are the weights of the edges: there must be edges, and none of "
                "negative weight. Draw edges, or correct the weights."
            )
        return W + W.T if G.is_directed() else W
