"""What an evaluation is made of: classifiers with the settings of their own pages, a column of scores, a class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dmlib.evaluation.scores import classifiers
from dmlib.params import Choice, defaults
from dmlib.problem import Problem
from ui.controls import control, control_group, section
from ui.technique import ColumnChoice, Technique, new

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


def evaluated(technique: Technique, params: Mapping[str, Any], problem: Problem | None, seed: int) -> dict[str, Any]:
    """Show what an evaluation asks for besides numbers: a column of scores, the positive class, the model's settings.

    Returns the parameters that this decides; none on pages that are no evaluations.
    """
    slug, column, found = technique.slug, technique.column, {}
    if column and problem is not None and (not column.model or params[column.model] == column.option):
        found[column.parameter] = _column(f"{slug}.{column.parameter}", column, problem)
    if technique.positive and problem is not None:
        found[technique.positive] = _positive(f"{slug}.{technique.positive}", problem.classes)
    if technique.model:
        found[technique.model] = _with_settings(slug, params[technique.model], seed)
    return found


def _column(key: str, choice: ColumnChoice, problem: Problem) -> int:
    """Let the reader choose a column, at first the first numeric one, and return its number."""
    numeric = tuple(name for j, name in enumerate(problem.features) if j not in problem.categories)
    names = problem.features if choice.nominal else numeric
    if len(names) < 2:
        return problem.features.index(names[0]) + 1 if names else 1
    first, shown = (*numeric, *names)[0], {name: name for name in names}
    return problem.features.index(control(key, Choice(names), first, label=choice.label, names=shown, parts=MORE)) + 1


def _positive(key: str, classes: tuple[str, ...]) -> int:
    """Let the reader choose the positive class, and return its number; 0 for the last."""
    name = control(key, Choice(classes), classes[-1], label="Positive class", parts=MORE)
    return 0 if name == classes[-1] else classes.index(name) + 1


def _with_settings(slug: str, name: str, seed: int) -> Any:
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
