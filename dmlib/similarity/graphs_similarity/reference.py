"""The same by networkx: distances of all pairs, and the histograms of Weisfeiler-Lehman hashes."""

from __future__ import annotations

from collections import Counter
from inspect import getsource
from typing import Any

import networkx as nx
import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run
from dmlib.similarity.graphs_similarity.graph_kernel import GraphKernel
from dmlib.similarity.graphs_similarity.graphs import two_graphs


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


def hashed_labels(graphs: Any, n_iter: int, *, by_class: bool, normalize: bool) -> Answers:
    """Ask networkx for the hashes of the nodes after each round, and multiply their histograms."""
    counts = []
    for G in graphs:
        plain = nx.Graph(G.edges)
        plain.add_nodes_from(G)
        for node, own in G.nodes(data=True):
            plain.nodes[node]["first"] = str(own.get("label", own.get("class", ""))) if by_class else ""
        found = nx.weisfeiler_lehman_subgraph_hashes(
            plain, node_attr="first", iterations=max(n_iter, 1), digest_size=32
        )
        rounds = [Counter(plain.nodes[node]["first"] for node in plain)]
        rounds += [Counter(own[k] for own in found.values()) for k in range(n_iter)]
        counts.append(rounds)
    terms = np.array([[[sum(n * b[f] for f, n in a.items()) for a, b in zip(one, other, strict=True)]
                       for other in counts] for one in counts], float)  # fmt: skip
    K = terms.sum(axis=2)
    lengths = np.sqrt(np.diag(K)) if normalize else np.ones(2)
    K = K / np.outer(lengths, lengths)
    values = {"matrix_": K, "value_": K[0, 1], "terms_": terms[0, 1]}
    return Answers("networkx.weisfeiler_lehman_subgraph_hashes", values)


def graphs_similarity_reference(run: Run) -> Answers:
    """Return networkx's distances, or the products of the histograms of its hashes."""
    model, G = run.model, run.problem.graph
    if not isinstance(model, GraphKernel):
        return all_distances(G, model.origin, model.target, weighted=model.weighted)
    _comparable(model, G)
    by_class = model.labels == "class"
    return hashed_labels(two_graphs(G), model.n_iter, by_class=by_class, normalize=model.normalize)


def _comparable(model: GraphKernel, G: Any) -> None:
    if model.kernel != "weisfeiler-lehman":
        raise Incomparable("networkx has no such kernel; the tests compare it with brute force.")
    if G.is_directed() or any(u == v for u, v in G.edges):
        raise Incomparable("networkx hashes directed edges and loops in another way.")


def graphs_similarity_code(run: Run) -> str:
    """Return code that asks networkx as ``reference`` about the graph ``X``."""
    model, G = run.model, run.problem.graph
    begin = "\n# The same with networkx\nimport networkx as nx\nimport numpy as np\nfrom dmlib.comparison import Answers\n"
    if not isinstance(model, GraphKernel):
        call = f"all_distances(X, {model.origin}, {model.target}, weighted={model.weighted})"
        return f"{begin}\n{_plain(all_distances)}\nreference = {call}\n"
    try:
        _comparable(model, G)
    except Incomparable:
        return "# networkx has no such kernel.\nreference = model"
    more = f"by_class={model.labels == 'class'}, normalize={model.normalize}"
    return f"""{begin}from collections import Counter
from dmlib.similarity.graphs_similarity.graphs import two_graphs

{_plain(hashed_labels)}
reference = hashed_labels(two_graphs(X), {model.n_iter}, {more})
"""


def _plain(function: Any) -> str:
    return getsource(function).replace(": Any", "").replace("  # fmt: skip", "")
