"""The same question put to SciPy, and the code that does so."""

from __future__ import annotations

from inspect import getsource
from typing import Any

import networkx as nx
import numpy as np
from scipy.sparse import csr_array, diags_array, eye_array, tril
from scipy.sparse.linalg import spsolve_triangular

from dmlib.comparison import Answers
from dmlib.pictures.run import Run


def matrix_sweeps(
    G: nx.Graph,
    y: list[int],
    n_iter: int,
    *,
    start: str,
    in_order: bool,
    decay: float,
    weighted: bool,
) -> Answers:
    """Sweep with SciPy's sparse matrices: a product, or the solution of a triangular system (Gauss-Seidel)."""
    simple = nx.Graph()
    simple.add_nodes_from(G)
    for u, v, weight in G.edges(data="weight", default=1.0):
        if u != v and (weight or not weighted):
            more = simple.edges[u, v]["weight"] if simple.has_edge(u, v) else 0.0
            simple.add_edge(u, v, weight=more + (weight if weighted else 1.0))
    W, codes = nx.to_scipy_sparse_array(simple, dtype=float), np.array(y)
    degree = np.asarray(W.sum(axis=1)).ravel()
    free = (codes < 0) & (degree > 0)
    P = diags_array(np.where(free, 1 / np.where(degree > 0, degree, 1.0), 0.0)) @ W
    labels = np.eye(codes.max() + 1)[codes] * (codes >= 0)[:, None]
    prior = labels.sum(axis=0) / labels.sum()
    F = np.where((codes < 0)[:, None], prior if start == "prior" else 1 / len(prior), labels)
    for t in range(1, n_iter + 1):
        beta = decay**t
        rest = diags_array(np.where(free, 1 - beta, 1.0)) @ F
        if in_order:
            lower = csr_array(tril(P, -1))
            F = spsolve_triangular(
                csr_array(eye_array(len(F)) - beta * lower), beta * ((P - lower) @ F) + rest
            )
        else:
            F = beta * (P @ F) + rest
    return Answers(
        "scipy.sparse", {"label_distributions_": F, "class_prior_": prior, "n_iter_": n_iter}
    )


def relational_neighbour_reference(run: Run) -> Answers:
    """Return SciPy's probabilities after as many sweeps."""
    G, y = run.problem.training.arguments
    return matrix_sweeps(G, y.tolist(), run.fitted.n_iter_, **_how(run.model))


def relational_neighbour_code(run: Run) -> str:
    """Return code that makes the same sweeps over ``X`` as ``reference``, after ``model``."""
    how = ", ".join(f"{name}={value!r}" for name, value in _how(run.model).items())
    return f"""
# The same with SciPy's sparse matrices
import networkx as nx
import numpy as np
from dmlib.comparison import Answers
from scipy.sparse import csr_array, diags_array, eye_array, tril
from scipy.sparse.linalg import spsolve_triangular

{getsource(matrix_sweeps)}
reference = matrix_sweeps(X, y.tolist(), model.n_iter_, {how})
"""


def _how(model: Any) -> dict[str, Any]:
    same = {name: getattr(model, name) for name in ("start", "decay", "weighted")}
    return {"in_order": model.update == "in order"} | same
