"""Data that the tests of logistic regression share."""

import json
from pathlib import Path

import numpy as np

from dmlib.classification import LogisticRegression
from dmlib.classification.logistic_regression.likelihood import Likelihood

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "logistic_regression.json").read_text())
PIMA, BANKS, TELEPHONE = GOLDEN["pima"], GOLDEN["banks"], GOLDEN["telephone"]
FREE = LogisticRegression(C=np.inf)


def pima():
    rows = np.array(PIMA["rows"], float)
    return rows[:, :-1], rows[:, -1].astype(int)


def all_coef(model):
    return np.append(model.intercept_, model.coef_[0])


def noisy(n=200, n_features=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_features))
    return X, (X @ np.arange(1, n_features + 1) + rng.logistic(size=n) > 0.5).astype(int)


def likelihood(n_classes, seed=0):
    rng = np.random.default_rng(seed)
    Z = np.column_stack([np.ones(40), rng.normal(size=(40, 2))])
    return Likelihood(
        Z,
        rng.integers(n_classes, size=40),
        n_classes,
        rng.uniform(0.5, 2, 40),
        np.array([0.0, 2, 2]),
    )
