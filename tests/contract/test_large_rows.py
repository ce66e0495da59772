"""Every fitted model refuses rows too large to compute with in a sentence; none returns NaN."""

import inspect
import warnings

import numpy as np
import pytest
from sklearn.utils import get_tags

from dmlib import classification, clustering, decomposition, neural, regression

METHODS = (
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "certainty",
    "score_samples",
    "predict",
    "transform",
    "kneighbors",
)
LARGE = (
    np.full((2, 3), 1e200),
    np.array([[1e155, 1.0, -1e155]]),
    np.array([[-1.7e308, 1.7e308, 1.7e308]]),
)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
CLASSES = (X[:, 0] + 0.5 * RNG.normal(size=40) > 0).astype(int)
NUMBERS = 2 * X[:, 0] + RNG.normal(size=40)


def estimators():
    """Yield the classes that predict or transform rows of numbers."""
    for family in (classification, clustering, decomposition, neural, regression):
        for name in family.__all__:
            cls = getattr(family, name)
            if (
                inspect.isclass(cls)
                and hasattr(cls, "fit")
                and any(hasattr(cls, method) for method in METHODS)
            ):
                yield cls


def fitted(cls):
    """Return a model fitted to numbers, or None where it takes other data."""
    if not get_tags(cls()).input_tags.two_d_array:
        return None
    for target in (CLASSES, NUMBERS, None):
        try:
            return cls().fit(X, target)
        except (ValueError, TypeError, AttributeError):
            continue
    return None


@pytest.mark.parametrize("cls", list(estimators()), ids=lambda cls: cls.__name__)
def test_large_rows_are_refused_or_answered(cls):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = fitted(cls)
        if model is None:
            return
        for method in METHODS:
            for rows in LARGE if hasattr(model, method) else ():
                try:
                    answer = getattr(model, method)(rows)
                except ValueError:  # refused in a sentence
                    continue
                for values in answer if isinstance(answer, tuple) else (answer,):
                    assert np.asarray(values).dtype.kind != "f" or not np.isnan(values).any(), (
                        method
                    )
