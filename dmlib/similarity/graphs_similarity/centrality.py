"""How central nodes are: PageRank and HITS round by round; degree, closeness and betweenness by networkx."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

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


@dataclass(frozen=True)
class CentralityStep:
    """One step on the way to the centralities of the nodes.

    Attributes
    ----------
    phase : {"start", "pass", "done"}
        All nodes are equal, they have passed their scores on once more, or all is done.
    scores : ndarray of shape (n_nodes,)
        The scores so far.
    change : float
        The sum of the changes of this round.
    n_iter : int
        How many rounds there were.
    """

    phase: str
    scores: Floats
    change: float
    n_iter: int


class NodeCentrality(BaseEstimator):
    r"""Score the nodes of a graph by how central they are.

    Parameters
    ----------
    measure : str, default="pagerank"
        "pagerank": where a random surfer is, who follows an edge or, now and then, jumps anywhere.
        "authority", "hub": HITS, good hubs point to good authorities. "degree": the share of the
        other nodes that are neighbours. "closeness": the inverse of the mean distance.
        "betweenness": the share of shortest paths through a node.
    damping : float, default=0.85
        pagerank: the probability of following an edge.
    max_iter : int, default=200
        pagerank, authority, hub: how many rounds at most.

    Attributes
    ----------
    scores_ : ndarray of shape (n_nodes,)
        The scores, in the order of the graph. Those of pagerank, authority and hub add up to 1.
    value_ : float
        The largest one.
    n_iter_ : int
        How many rounds were needed.

    Raises
    ------
    ValueError
        If G is no graph, or too large.

    Notes
    -----
    A round takes O(m); rounds end when the scores change by less than :math:`10^{-10}` in all.
    Weights and loops do not count. A node without an outgoing edge passes its PageRank on to all.
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
        """Score the nodes of ``G``; ``y`` is ignored."""
        *_, last = self.steps(G)
        self.scores_, self.n_iter_, self.value_ = last.scores, last.n_iter, float(last.scores.max())
        return self

    def steps(self, G: nx.Graph, y: Any = None) -> Iterator[CentralityStep]:
        """Yield the scores after each round, and what ``fit`` returns."""
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
            after = self._passed(A, scores)
            change = float(np.abs(after - scores).sum())
            scores = after
            yield CentralityStep("pass", scores, change, k)
            if change < TOLERANCE:
                break
        yield CentralityStep("done", scores, change, k)

    def _passed(self, A: Floats, scores: Floats) -> Floats:
        """Return the scores after one round."""
        n = len(A)
        if self.measure == "pagerank":
            out = A.sum(axis=1)
            share = np.divide(scores, out, out=np.zeros(n), where=out > 0)
            lost = scores[out == 0].sum()
            passed: Floats = (1 - self.damping) / n + self.damping * (share @ A + lost / n)
            return passed
        through: Floats = A.T @ (A @ scores) if self.measure == "authority" else A @ (A.T @ scores)
        return through / through.sum() if through.sum() > 0 else np.full(n, 1 / n)

    def _by_networkx(self, G: nx.Graph) -> Floats:
        found = {
            "degree": nx.degree_centrality,
            "closeness": nx.closeness_centrality,
            "betweenness": nx.betweenness_centrality,
        }[self.measure](without_loops(G))
        return np.array([found[node] for node in G], float)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # it takes a graph
        return tags
