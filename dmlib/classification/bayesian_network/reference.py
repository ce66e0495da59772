"""Bayesian networks by scikit-learn, networkx and numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dmlib.arrays import Floats
from dmlib.classification.bayesian_network.exact_inference import ExactInference
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run


def tree_and_tables(X: Any, y: Any, model: Any, alpha: Any) -> Any:
    """Find the tree by networkx, and fit a CategoricalNB to each column and its parent.

    The intervals of numeric columns, and which of equally good trees it is, are taken over.
    """
    from types import SimpleNamespace

    import networkx as nx
    import pandas as pd
    from scipy.special import softmax
    from sklearn.metrics import mutual_info_score
    from sklearn.naive_bayes import CategoricalNB

    def coded(rows: Any) -> Any:
        frame, codes = pd.DataFrame(rows), []
        for name, table in zip(frame, model.tables_, strict=True):
            cuts, values = table.coding.cuts, table.coding.values
            nominal = pd.Categorical(frame[name].astype(str), values).codes if cuts is None else ()
            codes.append(nominal if cuts is None else np.searchsorted(cuts, frame[name], "right"))
        return np.column_stack(codes).astype(int)

    codes, labels = coded(X), np.asarray(y)
    classes, counts = np.unique(labels, return_counts=True)
    graph = nx.Graph()
    for i, j in np.transpose(np.triu_indices(codes.shape[1], 1)).tolist():
        nats = [mutual_info_score(*codes[labels == c][:, [i, j]].T) for c in classes]
        graph.add_edge(i, j, weight=np.dot(counts / counts.sum(), nats) / np.log(2))
    tree = nx.maximum_spanning_tree(graph) if model.edges_ else nx.Graph()

    logs = []
    for j, parent in enumerate(model.parents_):
        n_states = len(model.tables_[parent].coding.values) if parent >= 0 else 1
        states = np.searchsorted(classes, labels) * n_states
        states += codes[:, parent] if parent >= 0 else 0
        n_values = len(model.tables_[j].coding.values)
        nb = CategoricalNB(alpha=alpha[j], force_alpha=True, min_categories=n_values)
        nb.fit(codes[:, [j]], states)
        table = np.full((len(classes) * n_states, n_values), -np.log(n_values))
        table[nb.classes_] = nb.feature_log_prob_[0]
        logs.append(table.reshape(len(classes), n_states, n_values))

    def predict_proba(rows: Any) -> Floats:
        new = coded(rows)
        joint = np.tile(np.log(counts / counts.sum()), (len(new), 1))
        for j, parent in enumerate(model.parents_):
            states = new[:, parent] if parent >= 0 else 0
            joint += logs[j][:, states, new[:, j]].T
        posterior: Floats = softmax(joint, axis=1)
        return posterior

    return SimpleNamespace(
        predict_proba=predict_proba, total_information_=tree.size(weight="weight")
    )


def joint_distribution(X: Any) -> Answers:
    """Return the probabilities from the joint distribution of all nodes, by numpy's einsum."""
    from dmlib.comparison import Answers

    letters = {node.name: chr(97 + i) for i, node in enumerate(X.nodes)}
    parts = ["".join(letters[name] for name in (*node.parents, node.name)) for node in X.nodes]
    joint = np.einsum(
        f"{','.join(parts)}->{''.join(letters.values())}", *[n.table for n in X.nodes]
    )
    for axis, node in enumerate(X.nodes):
        if node.name in X.evidence:
            joint = joint.take([node.values.index(X.evidence[node.name])], axis=axis)
    target = [node.name for node in X.nodes].index(X.target)
    weights = joint.sum(axis=tuple(axis for axis in range(joint.ndim) if axis != target))
    values = {"probabilities_": weights / weights.sum(), "evidence_probability_": weights.sum()}
    return Answers("numpy.einsum", values)


def bayesian_network_reference(run: Run[Any, Any]) -> Reference:
    """Return the same probabilities by other libraries.

    Raises
    ------
    dmlib.comparison.Incomparable
        If they have no equivalent of a rule that applies to the data.
    """
    model = run.fitted
    if isinstance(model, ExactInference):
        return Reference(joint_distribution, "X")
    if pd.DataFrame(run.problem.training.data).isna().to_numpy().any():
        raise Incomparable("scikit-learn's CategoricalNB takes no missing values.")
    if model.m_estimate and model.m_prior == "shares":
        raise Incomparable("scikit-learn adds the same to the count of every value.")
    alpha = [model.laplace + model.m_estimate / table.counts.shape[2] for table in model.tables_]
    if not all(alpha):
        raise Incomparable("Without smoothing, CategoricalNB knows nothing of states without rows.")
    return Reference(tree_and_tables, "X", "y", "model", alpha=alpha)
