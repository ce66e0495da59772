"""Centralities: PageRank and HITS by rounds; degree, closeness, betweenness by networkx."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import networkx as nx
import numpy as np
from sklearn.base import BaseEstimator

from dmlib.arrays import Floats
from dmlib.params import Choice, Conditions, Integer, Number, Param, check_params
from dmlib.similarity.graphs_similarity.graphs import adjacency, check_graph, without_loops
from dmlib.trace import look

MEASURES = ("pagerank", "authority", "hub", "degree", "closeness", "betweenness")
ROUNDS = MEASURES[:3]
TOLERANCE = 1e-10
Phase = Literal["start", "pass", "done"]


@dataclass(frozen=True)
class CentralityStep:
    """One step on the way to the centralities of the nodes.

    Attributes
    ----------
    phase : Phase
        All scores are equal; the nodes pass their scores on; the end.
    scores : ndarray of shape (n_nodes,)
        The scores so far.
    change : float
        The sum of the changes of this round.
    n_iter : int
        The number of rounds so far.
    """

    phase: Phase
    scores: Floats
    change: float
    n_iter: int


class NodeCentrality(BaseEstimator):
    r"""Compute the centrality of the nodes of a graph.

    Parameters
    ----------
    measure : str, default="pagerank"
        "pagerank": the probability of a random surfer, who follows an edge or jumps to any node.
        "authority", "hub": HITS, good hubs point to good authorities. "degree": the share of the
        other nodes that are neighbours. "closeness": the inverse of the mean distance.
        "betweenness": the share of shortest paths through a node.
    damping : float, default=0.85
        pagerank: the probability of following an edge.
    max_iter : int, default=200
        pagerank, authority, hub: maximum number of rounds.

    Attributes
    ----------
    scores_ : ndarray of shape (n_nodes,)
        The scores, in the order of the graph. Those of pagerank, authority and hub add up to 1.
    value_ : float
        The largest one.
    n_iter_ : int
        Number of rounds.

    Raises
    ------
    ValueError
        If G is no graph, or too large.

    Notes
    -----
    A round takes O(m); rounds end when the scores change by less than :math:`10^{-10}` in all.
    Weights and loops are ignored. A node without an outgoing edge passes its PageRank on to all.
    Betweenness takes O(n m).

    References
    ----------
    S. Brin and L. Page (1998), The anatomy of a large-scale hypertextual web search engine,
    Computer Networks 30. J. M. Kleinberg (1999), Authoritative sources in a hyperlinked
    environment, Journal of the ACM 46. L. C. Freeman (1978), Centrality in social networks:
    conceptual clarification, Social Networks 1.

    Examples
    --------
    >>> NodeCentrality("degree").fit(nx.star_graph(3)).scores_.round(3).tolist()
    [1.0, 0.333, 0.333, 0.333]
    """

    APPLIES: ClassVar[Conditions] = {
        "damping": ("measure", ("pagerank",)),
        "max_iter": ("measure", ROUNDS),
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        "measure": Choice(MEASURES),
        "damping": Number(0.0, 0.999, shown=(0.0, 0.99), step=0.01),
        "max_iter": Integer(1, 1000, shown=(1, 200)),
    }

    def __init__(
        self, measure: str = "pagerank", *, damping: float = 0.85, max_iter: int = 200
    ) -> None:
        self.measure = measure
        self.damping = damping
        self.max_iter = max_iter

    def fit(self, G: nx.Graph, y: Any = None) -> Self:
        """Compute the scores of the nodes of ``G``; ``y`` is ignored."""
        *_, last = self.steps(G)
        self.scores_, self.n_iter_, self.value_ = last.scores, last.n_iter, float(last.scores.max())
        return self

    def steps(self, G: nx.Graph, y: Any = None) -> Iterator[CentralityStep]:
        """Yield the scores after each round; the last ones are the answer of ``fit``."""
        check_params(self.PARAMS, self.get_params())
        n = len(check_graph(G))
        if self.measure not in ROUNDS:
            yield CentralityStep("done", self._by_networkx(G), 0.0, 0)
            return
        A = adjacency(without_loops(G)).astype(float)
        scores, change, k = np.full(n, 1 / n), 0.0, 0
        yield CentralityStep("start", scores, 0.0, 0)
        for k in range(1, self.max_iter + 1):
            look()
            after = self._next_scores(A, scores)
            change = float(np.abs(after - scores).sum())
            scores = after
            yield CentralityStep("pass", scores, change, k)
            if change < TOLERANCE:
                break
        yield CentralityStep("done", scores, change, k)

    def _next_scores(self, A: Floats, scores: Floats) -> Floats:
        """Return the scores after a further round."""
        n = len(A)
        if self.measure == "pagerank":
            n_out = A.sum(axis=1)
            shares = np.divide(scores, n_out, out=np.zeros(n), where=n_out > 0)
            dangling = scores[n_out == 0].sum() / n
            ranks: Floats = (1 - self.damping) / n + self.damping * (shares @ A + dangling)
            return ranks
        if self.measure == "authority":
            A = A.T
        sums: Floats = A @ (A.T @ scores)
        return sums / sums.sum() if sums.sum() > 0 else np.full(n, 1 / n)

    def _by_networkx(self, G: nx.Graph) -> Floats:
        centralities = {
            "degree": nx.degree_centrality,
            "closeness": nx.closeness_centrality,
            "betweenness": nx.betweenness_centrality,
        }
        scores = centralities[self.measure](without_loops(G))
        return np.array([scores[node] for node in G], float)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # it takes a graph
        return tags
