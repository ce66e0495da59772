"""The same by networkx: distances, histograms of Weisfeiler-Lehman hashes, edit distances, centralities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from inspect import getsource
from itertools import combinations
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
MOST_COUNTED = 14  # nodes of a graph whose parts are counted one by one


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
        found, name = (
            nx.single_source_dijkstra_path_length(G, nodes[source - 1]),
            "single_source_dijkstra_path_length",
        )
    else:
        found, name = (
            nx.single_source_shortest_path_length(G, nodes[source - 1]),
            "single_source_shortest_path_length",
        )
    distances = np.array([found.get(node, np.inf) for node in nodes], float)
    return Answers(f"networkx.{name}", {"distances_": distances, "value_": distances[target - 1]})


def hashed_labels(graphs: Any, n_iter: int, *, by_class: bool, normalize: bool) -> Answers:
    """Ask networkx for the hashes of the nodes after each round, and multiply their histograms."""
    counts = []
    for G in graphs:
        plain = nx.Graph(G.edges)
        plain.add_nodes_from(G)
        for node, own in G.nodes(data=True):
            plain.nodes[node]["first"] = (
                f".{own.get('label', own.get('class', ''))}" if by_class else "."
            )
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


def counted_parts(graphs: Any, model: Any) -> Answers:
    """Ask networkx for distances, common walks or induced subgraphs of two graphs, and count what is equal."""
    plain = []
    for G in graphs:
        copy = nx.create_empty_copy(G)
        copy.add_edges_from((u, v) for u, v in G.edges if u != v or model.kernel == "random-walk")
        names = {
            v: str(own.get("label", own.get("class", ""))) if model.labels == "class" else ""
            for v, own in G.nodes(data=True)
        }
        nx.set_node_attributes(copy, names, "name")
        plain.append(copy)

    def parts(G: Any) -> Any:
        if model.kernel == "graphlet":
            found = [G.to_undirected().subgraph(nodes) for nodes in combinations(G, model.size)]
            return Counter(
                tuple(sorted((part.degree(v), nx.triangles(part, v)) for v in part))
                for part in found
            )
        name, place = nx.get_node_attributes(G, "name"), {v: i for i, v in enumerate(G)}
        ends = [
            (u, v, d)
            for u, row in nx.all_pairs_shortest_path_length(G)
            for v, d in row.items()
            if u != v
        ]
        if G.is_directed():
            return Counter((d, name[u], name[v]) for u, v, d in ends)
        return Counter((d, *sorted((name[u], name[v]))) for u, v, d in ends if place[u] < place[v])

    def kernel(i: int, j: int) -> Any:
        if model.kernel != "random-walk":
            return sum(n * counts[j][part] for part, n in counts[i].items())
        joint = nx.tensor_product(plain[i], plain[j])
        A = nx.to_numpy_array(
            joint.subgraph([v for v, (a, b) in joint.nodes(data="name") if a == b]), weight=None
        )
        walks = [np.ones(len(A))]
        for _ in range(model.n_iter):
            walks.append(model.decay * A @ walks[-1])
        return np.sum(walks)

    counts = [parts(G) for G in plain] if model.kernel != "random-walk" else []
    K = np.array([[kernel(i, j) for j in (0, 1)] for i in (0, 1)], float)
    if model.normalize:
        lengths = np.sqrt(np.diag(K))
        K = K / np.where(np.outer(lengths, lengths) > 0, np.outer(lengths, lengths), 1.0)
    name = {"shortest-path": "all_pairs_shortest_path_length", "random-walk": "tensor_product"}
    return Answers(
        f"networkx.{name.get(model.kernel, 'subgraph')}", {"matrix_": K, "value_": K[0, 1]}
    )


def edit_cost(
    one: Any, other: Any, node_cost: float, edge_cost: float, *, by_class: bool
) -> Answers:
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
    name = {"pagerank": "pagerank", "authority": "hits", "hub": "hits"}.get(
        measure, f"{measure}_centrality"
    )
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
        return edit_cost(
            *two_graphs(G), model.node_cost, model.edge_cost, by_class=model.labels == "class"
        )
    if isinstance(model, NodeCentrality):
        _settled(run)
        return centralities(G, model.measure, model.damping)
    _comparable(model, G)
    if model.kernel != "weisfeiler-lehman":
        return counted_parts(two_graphs(G), model)
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
        raise Incomparable(
            f"the scores are not settled after {model.max_iter} rounds. Raise max_iter."
        )
    if model.measure in ROUNDS[1:] and not nx.is_connected(G.to_undirected()):
        raise Incomparable("with several components, where HITS ends depends on its first scores.")


def _comparable(model: GraphKernel, G: Any) -> None:
    if model.kernel != "weisfeiler-lehman":
        if max(map(len, two_graphs(G))) > MOST_COUNTED:
            raise Incomparable(
                f"networkx takes too long for the parts of graphs of more than {MOST_COUNTED}"
                " nodes."
            )
        return
    if G.is_directed():
        raise Incomparable("networkx hashes directed edges in another way.")


def graphs_similarity_code(run: Run) -> str:
    """Return code that asks networkx as ``reference`` about the graph ``X``."""
    model, G = run.model, run.problem.graph
    if isinstance(model, GraphKernel):
        try:
            _comparable(model, G)
        except Incomparable as reason:
            return f"# Not comparable: {reason}\nreference = model"
    own, arguments = _question(model)
    more = (
        "from collections import Counter\nfrom itertools import combinations\n"
        if own is counted_parts
        else ""
    )
    if "two_graphs" in arguments:
        more += "from dmlib.similarity.graphs_similarity.graphs import two_graphs\n"
    return f"""
# The same with networkx
import networkx as nx
import numpy as np
from dmlib.comparison import Answers
{more}
{_plain(own)}
reference = {own.__name__}({arguments})
"""


def _question(model: Any) -> tuple[Callable[..., Answers], str]:
    """Return the function that asks networkx, and its arguments as code."""
    by_class = f"by_class={getattr(model, 'labels', '') == 'class'}"
    if isinstance(model, ShortestPaths):
        return all_distances, f"X, {model.origin}, {model.target}, weighted={model.weighted}"
    if isinstance(model, SingleSourcePaths):
        return distances_from, f"X, {model.origin}, {model.target}, weighted={_by_weight(model)}"
    if isinstance(model, NodeCentrality):
        return centralities, f"X, {model.measure!r}, {model.damping}"
    if isinstance(model, GraphEditDistance):
        return edit_cost, f"*two_graphs(X), {model.node_cost}, {model.edge_cost}, {by_class}"
    if model.kernel == "weisfeiler-lehman":
        return (
            hashed_labels,
            f"two_graphs(X), {model.n_iter}, {by_class}, normalize={model.normalize}",
        )
    return counted_parts, "two_graphs(X), model"


def _plain(function: Any) -> str:
    return re.sub(r": Any| -> (Any|float|list\[Any\]|Answers)", "", getsource(function)).replace(
        "  # fmt: skip", ""
    )
