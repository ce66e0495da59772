"""Multilayer perceptrons by scikit-learn, for every page with such a network."""

from __future__ import annotations

from typing import Any

from dmlib.arrays import Floats


def fit_mlp_classifier(X: Floats, y: Any, **params: Any) -> Any:
    """Fit scikit-learn's MLPClassifier with the same seed, for as many epochs."""
    import warnings

    from sklearn.neural_network import MLPClassifier

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Stochastic Optimizer")  # that all epochs were needed
        return MLPClassifier(**params).fit(X, y)
