"""Samples of any size for the contests of estimators."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_blobs, make_classification, make_friedman1

Data = tuple[NDArray[np.float64], NDArray[Any]]


def classes(n_samples: int) -> Data:
    """Return ten columns, four of which tell two classes apart, with some noise in the classes."""
    X, y = make_classification(n_samples, 10, n_informative=4, flip_y=0.05, random_state=0)
    return X, y


def wide(n_samples: int) -> Data:
    """Return twenty columns, eight of which separate two classes, with noise in the classes."""
    X, y = make_classification(n_samples, 20, n_informative=8, flip_y=0.05, random_state=0)
    return X, y


def blobs(n_samples: int) -> Data:
    """Return three blobs in four columns."""
    X, y = make_blobs(n_samples, 4, centers=3, cluster_std=2.0, random_state=0)
    return X, y


def numbers(n_samples: int) -> Data:
    """Return ten columns, five of which tell a number, with some noise."""
    X, y = make_friedman1(n_samples, noise=1.0, random_state=0)
    return X, y
