"""A parameter that is a classifier of another page, with the settings that it has there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dashboard.estimators import new
from dashboard.ranges import OnData
from dashboard.tools.pick import PARTS
from dashboard.tools.tool import Page, Tool
from dmlib.evaluation.scores import classifiers
from dmlib.params import defaults

MODELS: Mapping[str, Mapping[str, str]] = {
    "naive_bayes": {
        "laplace": "Laplace smoothing",
        "m_estimate": "m-estimate: rows added",
        "numeric": "Numbers",
    },
    "logistic_regression": {"C": "C (∞: no penalty)"},
    "decision_tree": {
        "criterion": "Split criterion",
        "max_depth": "Maximum depth",
        "min_samples_leaf": "Min. samples per leaf",
        "ccp_alpha": "Complexity parameter α",
    },
    "knn": {"n_neighbors": "Neighbours k", "weights": "Votes", "metric": "Distance"},
    "svm": {
        "C": "C (∞: hard margin)",
        "kernel": "Kernel",
        "gamma": "γ (rbf, poly, sigmoid)",
        "degree": "Degree (poly)",
    },
}
"""Their most important parameters with labels, by the names of their pages."""


@dataclass(frozen=True)
class PickModel(Tool):
    """The settings of the classifier that a parameter names.

    Parameters
    ----------
    parameter : str
        The parameter.
    settings : mapping
        For each name, the most important parameters with their labels.
    algorithms : callable
        Returns the classes by name.
    """

    parameter: str = "model"
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MODELS)
    algorithms: Callable[[], Mapping[str, Any]] = classifiers

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Show its settings; return its name or, where they are no defaults, the model."""
        name = page.value(self.parameter)
        if name not in self.settings:
            return {self.parameter: name}
        algorithm, labels = self.algorithms()[name], self.settings[name]
        default = defaults(algorithm)
        section, parts = page.form.section("Settings of the model", page.key("model.open"), PARTS)
        on_data = OnData.chosen(algorithm, name, page.problem, page.form, page.memory)
        specs, idle = on_data.specs(
            {parameter: algorithm.PARAMS[parameter] for parameter in labels}
        )
        with section:
            values = page.form.group(
                name, algorithm, specs, default, labels, parts=parts, idle=idle
            )
        changed = {
            parameter: value for parameter, value in values.items() if value != default[parameter]
        }
        return {self.parameter: new(algorithm, changed, page.form.seed) if changed else name}
