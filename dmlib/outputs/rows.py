"""Columns that a fitted estimator gives to rows: classes, clusters, scores, components."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import TransformerMixin, is_classifier, is_clusterer, is_regressor
from sklearn.feature_selection import SelectorMixin

from dmlib.estimator import (
    HasHeldOutPredictions,
    HasLabels,
    HasScores,
    SupportsAnomalyScores,
    SupportsCertainty,
    SupportsDecisions,
    SupportsDensity,
    SupportsPrediction,
    SupportsProbabilities,
)

Columns = dict[str, NDArray[Any]]

CLASS, NUMBER, RESIDUAL = "predicted class", "predicted", "residual"
CLUSTER, MEMBERSHIP, DISTANCE = "cluster", "membership of cluster", "distance to cluster"
ANOMALY, ANOMALY_SCORE = "anomaly", "anomaly score"
CERTAINTY, DECISION, DENSITY, SCORE = "certainty", "decision value", "log-likelihood", "score"
HELD_OUT = "out-of-fold prediction"


EVALUATIONS = (SupportsAnomalyScores, SupportsDensity, HasHeldOutPredictions, HasScores, HasLabels)


def has_outputs(model: Any) -> bool:
    """Return whether a fitted estimator gives something to rows.

    Examples
    --------
    >>> from dmlib.association import Apriori
    >>> from dmlib.clustering import DBSCAN
    >>> has_outputs(DBSCAN().fit([[0.0], [1.0]])), has_outputs(Apriori())
    (True, False)
    """
    if isinstance(model, SelectorMixin):
        return is_classifier(model)  # else its scores are those of columns
    predicts = is_classifier(model) or is_regressor(model) or _has_components(model)
    return predicts or isinstance(model, EVALUATIONS)


def predicted_columns(
    model: Any, data: Any, classes: Sequence[str] = (), *, components: bool = True
) -> Columns:
    """Return the columns that a fitted estimator gives to any rows.

    Parameters
    ----------
    model : estimator
        Fitted.
    data : array-like or DataFrame of shape (n, n_features)
        The rows as the estimator takes them.
    classes : sequence of str
        Names of the codes that a classifier predicts.
    components : bool
        Whether the columns of a transformer are among them.

    Returns
    -------
    dict of str to ndarray
        For each name a value or NaN per row; none where the estimator takes no new rows. Clusters
        are numbered from 1, noise is 0.

    Examples
    --------
    >>> from dmlib.clustering import KMeans
    >>> X = [[0.0], [1.0], [9.0], [10.0]]
    >>> columns = predicted_columns(KMeans(2, random_state=0).fit(X), X)
    >>> sorted(columns)
    ['cluster', 'distance to cluster 1', 'distance to cluster 2']
    """
    if isinstance(model, SupportsAnomalyScores):
        is_anomaly = np.asarray(model.predict(data)) < 0
        return {ANOMALY_SCORE: model.anomaly_score(data), ANOMALY: is_anomaly}
    columns: Columns = {}
    if is_classifier(model):
        columns |= _class_columns(model, data, classes)
    elif is_regressor(model):
        columns[NUMBER] = np.asarray(model.predict(data), float)
    elif _assigns_clusters(model):
        columns |= _cluster_columns(model, data)
    if isinstance(model, SupportsDensity):
        columns[DENSITY] = np.asarray(model.score_samples(data), float)
    if components and _has_components(model) and not _assigns_clusters(model):
        columns |= _component_columns(model, data)
    return columns


def fitted_columns(model: Any, answer: Any, classes: Sequence[str] = ()) -> Columns:
    """Return the columns that an estimator has given to the rows that it was fitted to.

    Parameters
    ----------
    model : estimator
        Fitted.
    answer : object
        What has the clusters of these rows: the estimator, or what was made of it.
    classes : sequence of str
        Names of the codes that a classifier predicts.

    Examples
    --------
    >>> from dmlib.clustering import DBSCAN
    >>> model = DBSCAN(eps=2.0, min_samples=2).fit([[0.0], [1.0], [9.0]])
    >>> fitted_columns(model, model)["cluster"].tolist()
    [1, 1, 0]
    """
    if isinstance(model, SupportsAnomalyScores):
        return {ANOMALY_SCORE: model.scores_, ANOMALY: model.anomalies_}
    columns: Columns = {}
    if isinstance(model, HasHeldOutPredictions):
        columns[HELD_OUT] = _held_out(model, classes)
    if isinstance(model, HasScores) and not isinstance(model, SelectorMixin):
        columns[SCORE] = np.asarray(model.scores_, float)
    if isinstance(answer, HasLabels) and not is_classifier(model):
        columns[CLUSTER] = np.asarray(answer.labels_, np.int64) + 1
    return columns


def _held_out(model: Any, classes: Sequence[str]) -> NDArray[Any]:
    """Return predictions with the names of classes; None for rows without one."""
    predictions = np.asarray(model.predictions_)
    if predictions.dtype.kind == "f":
        return predictions
    names = _names(model.classes_[predictions], classes).astype(object)
    names[predictions < 0] = None
    return names


def _assigns_clusters(model: Any) -> bool:
    """Return whether an estimator has clusters, and assigns new rows to them."""
    has_clusters = is_clusterer(model) or (
        isinstance(model, SupportsDensity) and isinstance(model, SupportsProbabilities)
    )
    return has_clusters and isinstance(model, SupportsPrediction)


def _has_components(model: Any) -> bool:
    """Return whether an estimator gives rows other columns, not some of their own."""
    return _is_transformer(model) and not isinstance(model, SelectorMixin)


def _is_transformer(model: Any) -> bool:
    return isinstance(model, TransformerMixin)


def _class_columns(model: Any, data: Any, classes: Sequence[str]) -> Columns:
    columns = {CLASS: _names(model.predict(data), classes)}
    codes = model.classes_
    if isinstance(model, SupportsProbabilities):
        names = _names(codes, classes)
        values = np.asarray(model.predict_proba(data), float)
        return columns | {f"P({name})": x for name, x in zip(names, values.T, strict=True)}
    if isinstance(model, SupportsDecisions):
        values = np.asarray(model.decision_function(data), float)
        if values.ndim == 1:
            return columns | {DECISION: values}
        return columns | {f"{DECISION} {i}": x for i, x in enumerate(values.T, 1)}
    if isinstance(model, SupportsCertainty):
        return columns | {CERTAINTY: np.asarray(model.certainty(data)[1], float)}
    return columns


def _cluster_columns(model: Any, data: Any) -> Columns:
    columns: Columns = {CLUSTER: np.asarray(model.predict(data), np.int64) + 1}
    parts = {}
    if isinstance(model, SupportsProbabilities):
        parts[MEMBERSHIP] = model.predict_proba(data)
    if _is_transformer(model):
        parts[DISTANCE] = model.transform(data)
    for name, values in parts.items():
        columns |= {f"{name} {j}": x for j, x in enumerate(np.asarray(values, float).T, 1)}
    return columns


def _component_columns(model: Any, data: Any) -> Columns:
    """Return the columns of a transformer, but for those that it only chooses or changes."""
    result: Any = model.transform(data)
    if isinstance(result, pd.DataFrame):
        names, values = list(map(str, result.columns)), result.to_numpy()
    else:
        values = result.toarray() if issparse(result) else np.asarray(result)
        names = [str(name) for name in model.get_feature_names_out()]
    unchanged = set(data.columns) if isinstance(data, pd.DataFrame) else set()
    inputs = unchanged | {f"x{j}" for j in range(np.shape(data)[1])}
    return {
        name: column for name, column in zip(names, values.T, strict=True) if name not in inputs
    }


def _names(codes: Any, classes: Sequence[str]) -> NDArray[Any]:
    """Return predictions with the names of classes, where these have names."""
    values = np.asarray(codes)
    return np.array([classes[int(code)] for code in values], object) if classes else values
