"""The classifiers that other pages can use, with the settings that they have on their own page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dmlib.evaluation.scores import classifiers
from dmlib.params import defaults
from ui.controls import control_group, section
from ui.technique import new

MORE = ("more",)


@dataclass(frozen=True)
class Model:
    """A classifier as a value of a parameter: the page that it has, and its most important parameters with labels."""

    slug: str
    labels: Mapping[str, str]


MODELS = {
    "naive_bayes": Model(
        "naive_bayes",
        {"laplace": "Laplace: added to each count", "m_estimate": "m-estimate: rows added", "numeric": "Numbers"},
    ),
    "logistic_regression": Model("logistic_regression", {"C": "C (∞: no penalty)"}),
    "decision_tree": Model(
        "decision_tree",
        {
            "criterion": "Splits are compared by",
            "max_depth": "Largest depth",
            "min_samples_leaf": "Rows in a leaf",
            "ccp_alpha": "Cost of a leaf, α",
        },
    ),
    "knn": Model("knn", {"n_neighbors": "Neighbours, k", "weights": "Votes", "metric": "Distance"}),
    "svm": Model(
        "svm",
        {"C": "C (∞: hard margin)", "kernel": "Kernel", "gamma": "γ of rbf, poly, sigmoid", "degree": "Degree of poly"},
    ),
}
"""By the names that evaluations give them."""


def with_settings(slug: str, name: str, seed: int) -> Any:
    """Show the settings of a model; return its name or, if they are not the defaults, the model with these settings."""
    if name not in MODELS:
        return name
    model, algorithm = MODELS[name], classifiers()[name]
    specs = {parameter: algorithm.PARAMS[parameter] for parameter in model.labels}
    default = defaults(algorithm)
    box, parts = section("Settings of the model", f"{slug}.model.open", MORE)
    with box:
        values = control_group(model.slug, algorithm, specs, default, model.labels, parts=parts)
    changed = {parameter: value for parameter, value in values.items() if value != default[parameter]}
    return new(algorithm, changed, seed) if changed else name
