"""The same by networkx: distances, histograms of Weisfeiler-Lehman hashes, edit distances, centralities."""

from __future__ import annotations

from inspect import getsource
from typing import Any

import networkx as nx
import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run
from dmlib.similarity.graphs_similarity.centrality import ROUNDS, TOLERANCE, NodeCentrality
from dmlib.similarity.graphs_similarity.edit_distance import GraphEditDistance
from dmlib.similarity.graphs_similarity.graph_kernel import GraphKernel
from dmlib.similarity.graphs_similarity.graphs import two_graphs
from dmlib.similarity.graphs_similarity.shortest_paths import ShortestPaths
from dmlib.similarity.graphs_similarity.single_source import SingleSourcePaths

MOST_NODES = 7  # networkx needs seconds for larger ones


def all_distances(G: Any, source: int, target: int, *, weighted: bool) -> Answers:
    """Ask networkx for the distances of all pairs and their sum."""
    weight = "weight" if weighted else None
    found = np.asarray(nx.floyd_warshall_numpy(G, weight="weight" if weighted else "none"))
    values = {
        "distances_": found,
        "value_": found[source - 1, target - 1],
        "wiener_index_": nx.wiener_index(G, weight=weight),
    }
    return Answers("networkx.floyd_warshall_numpy", values)


def distances_from(G: Any, source: int, target: int, *, weighted: bool) -> Answers:
    """Ask networkx for the distances from one node."""
    nodes = list(G)
    if weighted:
        found, name = nx.single_source_dijkstra_path_length(G, nodes[source - 1]), "single_source_dijkstra_path_length"
    else:
        found, name = nx.single_source_shortest_path_length(G, nodes[source - 1]), "single_source_shortest_path_length"
    distances = np.array([found.get(node, np.inf) for node in nodes], float)
    return Answers(f"networkx.{name}", {"distances_": distances, "value_": distances[target - 1]})


def hashed_labels(graphs: Any, n_iter: int, *, by_class: bool, normalize: bool) -> Answers:
    """Ask networkx for the hashes of the nodes after each round, and multiply their histograms."""
    counts = []
    for G in graphs:
        plain = nx.Graph(G.edges)
        plain.add_nodes_from(G)
        for node, own in G.nodes(data=True):
            plain.nodes[node]["first"] = f".{own.get('label', own.get('class', ''))}" if by_class else "."
        found = nx.weisfeiler_lehman_subgraph_hashes(
            plain, node_attr="first", iterations=max(n_iter, 1), digest_size=32
        )
        rounds = [[plain.nodes[node]["first"] for node in plain]]
        counts.append(rounds + [[own[k] for own in found.values()] for k in range(n_iter)])
    terms = np.array(
        [
            [
                [sum(map(b.count, a)) for a, b in zip(one, other, strict=True)] for other in counts
            ]  # pairs that are equal
            for one in counts
        ],
        float,
    )
    K = terms.sum(axis=2)
    lengths = np.sqrt(np.diag(K)) if normalize else np.ones(2)
    K = K / np.outer(lengths, lengths)
    values = {"matrix_": K, "value_": K[0, 1], "terms_": terms[0, 1]}
    return Answers("networkx.weisfeiler_lehman_subgraph_hashes", values)


def edit_cost(one: Any, other: Any, node_cost: float, edge_cost: float, *, by_class: bool) -> Answers:
    """Ask networkx for the edit distance of two graphs."""

    def same(a: Any, b: Any) -> float:
        names = [str(own.get("label", own.get("class", ""))) for own in (a, b)]
        return node_cost * (by_class and names[0] != names[1])

    plain = [nx.create_empty_copy(G) for G in (one, other)]
    for G, copy in zip((one, other), plain, strict=True):
        copy.add_edges_from((u, v) for u, v in G.edges if u != v)
    found = nx.graph_edit_distance(
        *plain,
        node_subst_cost=same,
        node_del_cost=lambda own: node_cost,
        node_ins_cost=lambda own: node_cost,
        edge_del_cost=lambda own: edge_cost,
        edge_ins_cost=lambda own: edge_cost,
    )
    return Answers("networkx.graph_edit_distance", {"value_": found})


def centralities(G: Any, measure: str, damping: float) -> Answers:
    """Ask networkx for a centrality of all nodes."""
    plain = nx.create_empty_copy(G)
    plain.add_edges_from((u, v) for u, v in G.edges if u != v)
    if measure == "pagerank":
        found = nx.pagerank(plain, alpha=damping, max_iter=1000, tol=1e-12)
    elif measure in ("authority", "hub"):
        found = nx.hits(plain)[measure == "authority"]
    else:
        found = getattr(nx, f"{measure}_centrality")(plain)
    scores = np.array([found[node] for node in G])
    name = {"pagerank": "pagerank", "authority": "hits", "hub": "hits"}.get(measure, f"{measure}_centrality")
    return Answers(f"networkx.{name}", {"scores_": scores, "value_": scores.max()})


def graphs_similarity_reference(run: Run) -> Answers:
    """Return networkx's distances, or the products of the histograms of its hashes."""
    model, G = run.model, run.problem.graph
    if isinstance(model, ShortestPaths):
        return all_distances(G, model.origin, model.target, weighted=model.weighted)
    if isinstance(model, SingleSourcePaths):
        return distances_from(G, model.origin, model.target, weighted=_by_weight(model))
    if isinstance(model, GraphEditDistance):
        _small(G)
        return edit_cost(*two_graphs(G), model.node_cost, model.edge_cost, by_class=model.labels == "class")
    if isinstance(model, NodeCentrality):
        _settled(run)
        return centralities(G, model.measure, model.damping)
    _comparable(model, G)
    by_class = model.labels == "class"
    return hashed_labels(two_graphs(G), model.n_iter, by_class=by_class, normalize=model.normalize)


def _by_weight(model: SingleSourcePaths) -> bool:
    return model.weighted and model.search == "dijkstra"


def _small(G: Any) -> None:
    if max(map(len, two_graphs(G))) > MOST_NODES:
        raise Incomparable(f"networkx takes too long for graphs of more than {MOST_NODES} nodes.")


def _settled(run: Run) -> None:
    """Refuse a comparison with networkx, which goes on until the scores are settled."""
    model, G = run.model, run.problem.graph
    if model.measure in ROUNDS and run.trace.steps[-1].change >= TOLERANCE:
        raise Incomparable(f"the scores are not settled after {model.max_iter} rounds. Raise max_iter.")
    if model.measure in ROUNDS[1:] and not nx.is_connected(G.to_undirected()):
        raise Incomparable("with several components, where HITS ends depends on its first scores.")


def _comparable(model: GraphKernel, G: Any) -> None:
    if model.kernel != "weisfeiler-lehman":
        raise Incomparable("networkx has no such kernel; the tests compare it with brute force.")
    if G.is_directed() or any(u == v for u, v in G.edges):
        raise Incomparable("networkx hashes directed edges and loops in another way.")


def graphs_similarity_code(run: Run) -> str:
    """Return code that asks networkx as ``reference`` about the graph ``X``."""
    model, G = run.model, run.problem.graph
    begin = (
        "\n# The same with networkx\nimport networkx as nx\nimport numpy as np\nfrom dmlib.comparison import Answers\n"
    )
    if isinstance(model, ShortestPaths):
        call = f"all_distances(X, {model.origin}, {model.target}, weighted={model.weighted})"
        return f"{begin}\n{_plain(all_distances)}\nreference = {call}\n"
    if isinstance(model, SingleSourcePaths):
        call = f"distances_from(X, {model.origin}, {model.target}, weighted={_by_weight(model)})"
        return f"{begin}\n{_plain(distances_from)}\nreference = {call}\n"
    if isinstance(model, NodeCentrality):
        call = f"centralities(X, {model.measure!r}, {model.damping})"
        return f"{begin}\n{_plain(centralities)}\nreference = {call}\n"
    if isinstance(model, GraphEditDistance):
        costs = f"{model.node_cost}, {model.edge_cost}, by_class={model.labels == 'class'}"
        where = "from dmlib.similarity.graphs_similarity.graphs import two_graphs\n"
        return f"{begin}{where}\n{_plain(edit_cost)}\nreference = edit_cost(*two_graphs(X), {costs})\n"
    try:
        _comparable(model, G)
    except Incomparable:
        return "# networkx has no such kernel.\nreference = model"
    more = f"by_class={model.labels == 'class'}, normalize={model.normalize}"
    return f"""{begin}from dmlib.similarity.graphs_similarity.graphs import two_graphs

{_plain(hashed_labels)}
reference = hashed_labels(two_graphs(X), {model.n_iter}, {more})
"""


def _plain(function: Any) -> str:
    return getsource(function).replace(": Any", "").replace("  # fmt: skip", "")
