"""Relational neighbour classification by SciPy's sparse matrices."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from dmlib.classification.relational_neighbour.algorithm import WeightedVoteRelationalNeighbor
from dmlib.comparison import Answers
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import GraphProblem


def simple_graph(G: nx.Graph, weighted: bool) -> nx.Graph:
    """Return an undirected graph without loops; the weights of two directions are added."""
    import networkx as nx

    simple = nx.Graph()
    simple.add_nodes_from(G)
    for u, v, weight in G.edges(data="weight", default=1.0):
        if u != v and (weight or not weighted):
            previous = simple.edges[u, v]["weight"] if simple.has_edge(u, v) else 0.0
            simple.add_edge(u, v, weight=previous + (weight if weighted else 1.0))
    return simple


def matrix_sweeps(
    G: nx.Graph, y: Any, n_iter: int, *, start: str, update: str, decay: float, weighted: bool
) -> Answers:
    """Sweep by products of sparse matrices, or in order by triangular systems (Gauss-Seidel)."""
    import networkx as nx
    from scipy.sparse import csr_array, diags_array, eye_array, tril
    from scipy.sparse.linalg import spsolve_triangular

    from dmlib.comparison import Answers

    W = nx.to_scipy_sparse_array(simple_graph(G, weighted), dtype=float)
    codes = np.array(y)
    degree = np.asarray(W.sum(axis=1)).ravel()
    free = (codes < 0) & (degree > 0)
    P = diags_array(np.where(free, 1 / np.where(degree > 0, degree, 1.0), 0.0)) @ W
    lower = csr_array(tril(P, -1))
    labels = np.eye(codes.max() + 1)[codes] * (codes >= 0)[:, None]
    prior = labels.sum(axis=0) / labels.sum()
    first = prior if start == "prior" else np.full(len(prior), 1 / len(prior))
    F = np.where((codes < 0)[:, None], first, labels)
    for t in range(1, n_iter + 1):
        beta = decay**t
        former = diags_array(np.where(free, 1 - beta, 1.0)) @ F
        if update == "in order":
            system = csr_array(eye_array(len(F)) - beta * lower)
            F = spsolve_triangular(system, beta * ((P - lower) @ F) + former)
        else:
            F = beta * (P @ F) + former
    values = {"label_distributions_": F, "class_prior_": prior, "n_iter_": n_iter}
    return Answers("scipy.sparse", values)


def relational_neighbour_reference(
    run: Run[GraphProblem, WeightedVoteRelationalNeighbor],
) -> Reference:
    """Return the probabilities after as many sweeps by SciPy."""
    model = run.model
    return Reference(
        matrix_sweeps,
        "X",
        "y",
        "model.n_iter_",
        helpers=(simple_graph,),
        start=model.start,
        update=model.update,
        decay=model.decay,
        weighted=model.weighted,
    )
