"""The same by networkx: distances, counts of labels and subgraphs, edit distances, centralities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import networkx as nx
import numpy as np

from dmlib.arrays import Floats
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.centrality import ROUNDS, TOLERANCE, NodeCentrality
from dmlib.similarity.graphs_similarity.edit_distance import GraphEditDistance
from dmlib.similarity.graphs_similarity.graph_classifier import GraphKernelClassifier
from dmlib.similarity.graphs_similarity.graph_kernel import BY_EDGES, WITHOUT_LABELS, GraphKernel
from dmlib.similarity.graphs_similarity.graphs import graph_list, two_graphs
from dmlib.similarity.graphs_similarity.shortest_paths import ShortestPaths
from dmlib.similarity.graphs_similarity.single_source import SingleSourcePaths
from dmlib.similarity.graphs_similarity.walks import WALKS, decay_of

MAX_EDITED = 7  # nodes; networkx needs seconds for more
MAX_COMPARED = 24  # graphs at once
MAX_COUNTED = 14  # nodes of a graph whose subgraphs are counted one by one


def all_distances(X: nx.Graph, origin: int, target: int, weighted: bool) -> Answers:
    """Compute the distances of all pairs, and their sum, with networkx."""
    import networkx as nx

    from dmlib.comparison import Answers

    distances = np.asarray(nx.floyd_warshall_numpy(X, weight="weight" if weighted else "none"))
    values = {
        "distances_": distances,
        "value_": distances[origin - 1, target - 1],
        "wiener_index_": nx.wiener_index(X, weight="weight" if weighted else None),
    }
    return Answers("networkx.floyd_warshall_numpy", values)


def distances_from(X: nx.Graph, origin: int, target: int, weighted: bool) -> Answers:
    """Compute the distances from one node with networkx."""
    import networkx as nx

    from dmlib.comparison import Answers

    nodes = list(X)
    name = "dijkstra" if weighted else "shortest"
    name = f"single_source_{name}_path_length"
    lengths = getattr(nx, name)(X, nodes[origin - 1])
    distances = np.array([lengths.get(node, np.inf) for node in nodes], float)
    return Answers(f"networkx.{name}", {"distances_": distances, "value_": distances[target - 1]})


def named_graphs(X: Any, by_class: bool, loops: bool, edge_labels: bool = False) -> list[Any]:
    """Return both graphs without weights, with first labels and those of edges as "name"."""
    import networkx as nx

    from dmlib.similarity.graphs_similarity.graphs import edge_label, two_graphs

    graphs = []
    for G in two_graphs(X):
        plain = nx.create_empty_copy(G)
        for u, v, its in G.edges(data=True):
            if loops or u != v:
                plain.add_edge(u, v, name=ascii(edge_label(its)) if edge_labels else "")
        for _, own in plain.nodes(data=True):
            own["name"] = f".{own.get('label', own.get('class', '')) if by_class else ''}"
        graphs.append(plain)
    return graphs


def kernel_answers(name: str, K: Floats, normalize: bool) -> Answers:
    """Return the kernel of each of two graphs with each, normalised if it is asked for."""
    from dmlib.comparison import Answers

    if normalize:
        lengths = np.sqrt(np.outer(np.diag(K), np.diag(K)))
        K = K / np.where(lengths > 0, lengths, 1.0)
    return Answers(f"networkx.{name}", {"matrix_": K, "value_": K[0, 1]})


def equal_pairs(features: list[Any]) -> Floats:
    """Return the number of pairs of equal features, of each graph with each."""
    return np.array([[sum(map(b.count, a)) for b in features] for a in features], float)


def hashed_labels(
    X: Any, n_iter: int, by_class: bool, edge_labels: bool, normalize: bool
) -> Answers:
    """Count equal hashes of nodes after each round with networkx."""
    import networkx as nx

    name = "weisfeiler_lehman_subgraph_hashes"
    options: dict[str, Any] = {"node_attr": "name", "edge_attr": "name", "digest_size": 32}
    options["iterations"] = max(n_iter, 1)
    graphs = named_graphs(X, by_class, True, edge_labels)
    hashes = [getattr(nx, name)(G, **options).values() for G in graphs]
    K = equal_pairs([[label for _, label in G.nodes(data="name")] for G in graphs])
    for k in range(n_iter):
        K += equal_pairs([[by_round[k] for by_round in nodes] for nodes in hashes])
    return kernel_answers(name, K, normalize)


def distance_pairs(X: Any, by_class: bool, normalize: bool) -> Answers:
    """Count equal pairs of nodes, by their labels and their distance in networkx."""
    import networkx as nx

    name = "all_pairs_shortest_path_length"
    features = []
    for G in named_graphs(X, by_class, loops=False):
        number = {node: i for i, node in enumerate(G)}
        pairs = []
        for u, lengths in getattr(nx, name)(G):
            for v, length in lengths.items():
                names = G.nodes[u]["name"], G.nodes[v]["name"]
                if G.is_directed() and u != v:
                    pairs.append((length, *names))
                elif number[u] < number[v]:
                    pairs.append((length, *sorted(names)))
        features.append(pairs)
    return kernel_answers(name, equal_pairs(features), normalize)


def common_walks(
    X: Any, n_iter: int | None, decay: float, by_class: bool, edge_labels: bool, normalize: bool
) -> Answers:
    """Count common walks, up to a length or all, in networkx's tensor product of the graphs."""
    import networkx as nx

    def n_walks(G: Any, H: Any) -> float:
        joint = nx.tensor_product(G, H)
        edges = joint.edges(data="name")
        joint.remove_edges_from([(u, v) for u, v, (a, b) in edges if a != b])
        nodes = [node for node, (a, b) in joint.nodes(data="name") if a == b]
        A = nx.to_numpy_array(joint.subgraph(nodes), weight=None)
        if n_iter is None:
            return float(np.linalg.inv(np.eye(len(A)) - decay * A).sum())
        ends, total = np.ones(len(A)), float(len(A))
        for _ in range(n_iter):
            ends = decay * A @ ends
            total += ends.sum()
        return total

    graphs = named_graphs(X, by_class, True, edge_labels)
    K = np.array([[n_walks(G, H) for H in graphs] for G in graphs])
    return kernel_answers("tensor_product", K, normalize)


def counted_edges(X: Any, by_class: bool, edge_labels: bool, normalize: bool) -> Answers:
    """Count equal edges of networkx's graphs, by their labels and those of their ends."""
    features = []
    for G in named_graphs(X, by_class, True, edge_labels):
        ends = [
            ([G.nodes[u]["name"], G.nodes[v]["name"]], own) for u, v, own in G.edges(data="name")
        ]
        features.append([(a if G.is_directed() else sorted(a), own) for a, own in ends])
    return kernel_answers("Graph.edges", equal_pairs(features), normalize)


def counted_subgraphs(X: Any, size: int, normalize: bool) -> Answers:
    """Count equal induced subgraphs in networkx, by degrees and triangles of their nodes."""
    from itertools import combinations

    import networkx as nx

    features = []
    for G in named_graphs(X, by_class=False, loops=False):
        undirected = G.to_undirected()
        parts = [undirected.subgraph(nodes) for nodes in combinations(undirected, size)]
        features.append(
            [sorted((part.degree(v), nx.triangles(part, v)) for v in part) for part in parts]
        )
    return kernel_answers("subgraph", equal_pairs(features), normalize)


def described(X: Any, normalize: bool) -> Answers:
    """Describe both graphs by five numbers of networkx."""
    import networkx as nx

    vectors = []
    for G in named_graphs(X, by_class=False, loops=False):
        plain = G.to_undirected()
        parts = [plain.subgraph(nodes) for nodes in nx.connected_components(plain)]
        triangles = sum(nx.triangles(plain).values()) / 3
        diameter = max(map(nx.diameter, parts))
        wiener = sum(map(nx.wiener_index, parts))
        vectors.append([len(plain), plain.size(), triangles, diameter, wiener])
    V = np.array(vectors, float)
    return kernel_answers("wiener_index", V @ V.T, normalize)


def edit_cost(X: Any, node_cost: float, edge_cost: float, by_class: bool) -> Answers:
    """Compute the edit distance of both graphs with networkx."""
    import networkx as nx

    from dmlib.comparison import Answers

    distance = nx.graph_edit_distance(
        *named_graphs(X, by_class, loops=False),
        node_subst_cost=lambda a, b: node_cost * (a["name"] != b["name"]),
        node_del_cost=lambda node: node_cost,
        node_ins_cost=lambda node: node_cost,
        edge_del_cost=lambda edge: edge_cost,
        edge_ins_cost=lambda edge: edge_cost,
    )
    return Answers("networkx.graph_edit_distance", {"value_": distance})


def centralities(X: nx.Graph, measure: str, damping: float) -> Answers:
    """Compute a centrality of all nodes with networkx."""
    import networkx as nx

    from dmlib.comparison import Answers

    plain = nx.create_empty_copy(X)
    plain.add_edges_from((u, v) for u, v in X.edges if u != v)
    name = f"{measure}_centrality"
    if measure == "pagerank":
        name = "pagerank"
        by_node = nx.pagerank(plain, alpha=damping, max_iter=1000, tol=1e-12)
    elif measure in ("authority", "hub"):
        name = "hits"
        by_node = nx.hits(plain)[measure == "authority"]  # of a pair: hubs, authorities
    else:
        by_node = getattr(nx, name)(plain)
    scores = np.array([by_node[node] for node in X])
    return Answers(f"networkx.{name}", {"scores_": scores, "value_": scores.max()})


def all_pairs(X: Any, kernel: str, normalize: bool, **options: Any) -> Answers:
    """Compute the kernel of every two of many graphs with networkx."""
    from itertools import combinations

    from dmlib.comparison import Answers
    from dmlib.similarity.graphs_similarity.graphs import graph_list

    answers: Any = {
        "weisfeiler-lehman": hashed_labels,
        "shortest-path": distance_pairs,
        "random-walk": common_walks,
        "geometric": common_walks,
        "edge-histogram": counted_edges,
        "graphlet": counted_subgraphs,
        "topological": described,
    }[kernel]
    graphs, _ = graph_list(X)
    K = np.zeros((len(graphs), len(graphs)))
    for i, j in combinations(range(len(graphs)), 2):
        pair = answers([graphs[i], graphs[j]], normalize=normalize, **options)
        K[np.ix_([i, j], [i, j])] = pair.values["matrix_"]
    return Answers(pair.functions, {"matrix_": K})


def graphs_similarity_reference(run: Run[GraphProblem, Any]) -> Reference:
    """Return networkx's distances, kernel, edit distance or centralities."""
    model, G = run.model, run.problem.graph
    if isinstance(model, ShortestPaths | SingleSourcePaths):
        weighted, function = model.weighted, all_distances
        if isinstance(model, SingleSourcePaths):
            weighted, function = weighted and model.search == "dijkstra", distances_from
        ends: dict[str, Any] = {"origin": model.origin, "target": model.target}
        return Reference(function, "X", **ends, weighted=weighted)
    if isinstance(model, GraphEditDistance):
        _check_size(G, MAX_EDITED, "graphs")
        costs: dict[str, Any] = {"node_cost": model.node_cost, "edge_cost": model.edge_cost}
        by_class = model.labels == "class"
        return Reference(edit_cost, "X", helpers=(named_graphs,), **costs, by_class=by_class)
    if isinstance(model, NodeCentrality):
        _check_convergence(run)
        return Reference(centralities, "X", measure=model.measure, damping=model.damping)
    if isinstance(model, GraphKernelClassifier):
        return all_pairs_reference(model, G)
    if model.kernel != "weisfeiler-lehman":
        _check_size(G, MAX_COUNTED, "the features of graphs")
    elif G.is_directed():
        raise Incomparable("networkx hashes directed edges in another way.")
    return kernel_reference(model, two_graphs(G))


def kernel_reference(model: GraphKernel, graphs: Sequence[nx.Graph]) -> Reference:
    """Return the kernel of two graphs by networkx's counts."""
    helpers = (named_graphs, kernel_answers)
    options: dict[str, Any] = {"normalize": model.normalize}
    if model.kernel == "graphlet":
        options |= {"size": model.size}
        return Reference(counted_subgraphs, "X", helpers=(*helpers, equal_pairs), **options)
    if model.kernel == "topological":
        return Reference(described, "X", helpers=helpers, **options)
    options |= {"by_class": model.labels == "class"}
    if model.kernel == "shortest-path":
        return Reference(distance_pairs, "X", helpers=(*helpers, equal_pairs), **options)
    options |= {"edge_labels": model.edge_labels}
    if model.kernel == "edge-histogram":
        return Reference(counted_edges, "X", helpers=(*helpers, equal_pairs), **options)
    options |= {"n_iter": None if model.kernel == "geometric" else model.n_iter}
    if model.kernel in WALKS:
        decay = decay_of(model, graphs)
        return Reference(common_walks, "X", helpers=helpers, decay=decay, **options)
    return Reference(hashed_labels, "X", helpers=(*helpers, equal_pairs), **options)


def all_pairs_reference(model: GraphKernelClassifier, G: nx.Graph) -> Reference:
    """Return the kernel matrix of many graphs by networkx's counts.

    Raises
    ------
    Incomparable
        If that takes too long.
    """
    graphs, _ = graph_list(G)
    if max(map(len, graphs)) > MAX_COUNTED or len(graphs) > MAX_COMPARED:
        raise Incomparable(
            f"networkx takes too long for more than {MAX_COMPARED} graphs, or {MAX_COUNTED} nodes."
        )
    counts = (
        hashed_labels,
        distance_pairs,
        common_walks,
        counted_edges,
        counted_subgraphs,
        described,
    )
    options: dict[str, Any] = {"normalize": model.normalize}
    if model.kernel == "graphlet":
        options["size"] = model.size
    if model.kernel not in WITHOUT_LABELS:
        options["by_class"] = model.labels == "class"
    if model.kernel in BY_EDGES:
        options["edge_labels"] = model.edge_labels
    if model.kernel in ("weisfeiler-lehman", *WALKS):
        options["n_iter"] = None if model.kernel == "geometric" else model.n_iter
    if model.kernel in WALKS:
        options["decay"] = decay_of(model, graphs)
    helpers = (named_graphs, kernel_answers, equal_pairs, *counts)
    return Reference(all_pairs, "X", helpers=helpers, kernel=model.kernel, **options)


def _check_size(G: nx.Graph, limit: int, subject: str) -> None:
    if max(map(len, two_graphs(G))) > limit:
        raise Incomparable(f"networkx takes too long for {subject} of more than {limit} nodes.")


def _check_convergence(run: Run[GraphProblem, Any]) -> None:
    """Refuse a comparison with networkx, which iterates until the scores converge."""
    model, G = run.model, run.problem.graph
    if model.measure in ROUNDS and run.trace.steps[-1].change >= TOLERANCE:
        raise Incomparable(
            f"the scores have not converged after {model.max_iter} rounds. Raise max_iter."
        )
    if model.measure in ROUNDS[1:] and not nx.is_connected(G.to_undirected()):
        raise Incomparable("with several components, the limit of HITS depends on its start.")
