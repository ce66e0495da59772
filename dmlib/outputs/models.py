"""A fitted model to take along: as JSON, as Python, as rules in text."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping, Sequence
from functools import singledispatch
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from dmlib.classification import AdaBoostClassifier, GradientBoostingClassifier
from dmlib.classification.ensembles.voting import VotingClassifier
from dmlib.classification.rule_learning.learner import RuleLearner
from dmlib.classification.rule_learning.words import Words
from dmlib.classification.tree_variants.linear_tree import LinearTree
from dmlib.outputs.ensembles import ensemble_code
from dmlib.outputs.linear import linear_code, scores_of
from dmlib.outputs.linear_trees import linear_tree_code
from dmlib.outputs.rules import rules_code
from dmlib.outputs.trees import tree_code
from dmlib.problem import HasFeatures, Problem
from dmlib.regression.knn_tree_regression.algorithm import DecisionTreeRegressor
from dmlib.regression.knn_tree_regression.chaid_tree import CHAIDRegressor
from dmlib.regression.knn_tree_regression.tree import RegressionTree
from dmlib.trees.text import leaf_rules, number_rules
from dmlib.trees.tree import Tree

ENSEMBLES = (VotingClassifier, AdaBoostClassifier, GradientBoostingClassifier)


def model_json(model: Any, problem: Any) -> str:
    """Return the parameters and the fitted attributes of an estimator as JSON.

    Parameters
    ----------
    model : estimator
        Fitted.
    problem : Problem
        The data that it was fitted to.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import KMeans
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0]}), ["a"])
    >>> content = json.loads(model_json(KMeans(2, random_state=0).fit(problem.X), problem))
    >>> content["class"], sorted(content["fitted"]["cluster_centers_"])
    ('KMeans', [[0.5], [9.5]])
    """
    data: dict[str, Any] = {}
    if isinstance(problem, HasFeatures):
        data["columns"] = problem.features
    if isinstance(problem, Problem):
        data |= {
            "scaling": {"shift": problem.shift, "unit": problem.unit},
            "categories": {problem.features[j]: names for j, names in problem.categories.items()},
            "classes": problem.classes,
        }
    return json.dumps(_plain(data | _content(model)), ensure_ascii=False, allow_nan=False)


def _content(model: Any) -> dict[str, Any]:
    """Return class, parameters and fitted attributes of an estimator."""
    fitted = {
        name: value
        for name, value in vars(model).items()
        if name.endswith("_") and not name.startswith("_")
    }
    params = model.get_params(deep=False)
    return {"class": type(model).__name__, "parameters": params, "fitted": fitted}


def model_python(model: Any, problem: Any, *, has_holes: bool = False) -> str:
    """Return a tree, rules, a short ensemble or a linear model as a Python function of a row.

    It is empty for other models, and for ensembles and trees of linear tests that are long.

    Parameters
    ----------
    model : estimator
        Fitted.
    problem : Problem
        The data that it was fitted to.
    has_holes : bool
        Whether rows may have missing values.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import DecisionTreeClassifier
    >>> from dmlib.problem import prepare
    >>> table = pd.DataFrame({"a": [0.0, 1.0, 9.0], "c": list("xyy")})
    >>> problem = prepare(table, ["a"], target="c", labelled=True)
    >>> code = model_python(DecisionTreeClassifier().fit(problem.X, problem.y), problem)
    >>> namespace = {}
    >>> exec(code, namespace)
    >>> namespace["predict"]({"a": 0.2})
    'x'
    """
    if not isinstance(problem, Problem):
        return ""
    tree = getattr(model, "tree_", None)
    if isinstance(tree, Tree | RegressionTree):
        return tree_code(model, problem, has_holes=has_holes)
    if isinstance(tree, LinearTree):
        return linear_tree_code(model, problem)
    if isinstance(model, ENSEMBLES):
        return "" if has_holes else ensemble_code(model, problem)
    if isinstance(model, RuleLearner):
        return rules_code(model, problem, has_holes=has_holes)
    return linear_code(model, problem)


def model_rules(model: Any, problem: Any) -> str:
    r"""Return a model as lines of text: rules, or the formula of a linear model; else empty.

    Parameters
    ----------
    model : estimator
        Fitted.
    problem : Problem
        The data that it was fitted to.

    Examples
    --------
    >>> from dmlib.association import AssociationRules
    >>> from dmlib.problem import prepare_baskets
    >>> problem = prepare_baskets([["a", "b"], ["b"]])
    >>> model = AssociationRules(min_support=0.5, min_confidence=0.9).fit(*problem.arguments)
    >>> model_rules(model, problem)
    'if a then b (support 0.5, confidence 1, lift 1)\n'
    """
    lines = _rules(model, problem)
    return "\n".join([*lines, ""]) if lines else ""


def _rules(model: Any, problem: Any) -> Sequence[str]:
    rules = getattr(model, "rules_", None)
    if isinstance(rules, pd.DataFrame):
        return [_association(rule) for rule in rules.to_dict("records")]
    if not isinstance(problem, Problem):
        return []
    if isinstance(model, RuleLearner):
        words = Words(problem, model.classes_)
        default = f"else {words.classes[model.default_]}"
        return [*map(words.rule, model.rules_), default]
    tree = getattr(model, "tree_", None)
    features, columns = list(problem.features), list(problem.X.T)
    values = [problem.categories.get(j) for j in range(len(features))]
    if isinstance(tree, Tree):
        names = [problem.classes[code] for code in model.classes_]
        return [*map(str, leaf_rules(tree, features, values, names, columns))]
    if isinstance(model, DecisionTreeRegressor | CHAIDRegressor):
        return number_rules(model.tree_, features, values, columns)
    return [score.formula for score in scores_of(model, problem)]


def _association(rule: Mapping[Any, Any]) -> str:
    """Return an association rule as a sentence with its measures."""
    sides = (", ".join(map(str, rule[side])) for side in ("antecedents", "consequents"))
    measures = ", ".join(f"{name} {rule[name]:.4g}" for name in ("support", "confidence", "lift"))
    return f"if {' then '.join(sides)} ({measures})"


@singledispatch
def _plain(value: Any) -> Any:
    """Return a value as JSON has it: numbers that are none as texts, objects by their fields."""
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return {field.name: _plain(getattr(value, field.name)) for field in fields}
    return value if value is None or isinstance(value, str | int) else str(value)


@_plain.register
def _(value: float) -> Any:
    return value if math.isfinite(value) else str(value)


@_plain.register(np.generic)
@_plain.register(np.ndarray)
def _(value: Any) -> Any:
    return _plain(value.tolist())


@_plain.register
def _(value: pd.DataFrame) -> Any:
    return _plain(value.to_dict("records"))


@_plain.register
def _(value: Mapping) -> Any:  # type: ignore[type-arg]  # singledispatch reads the annotation
    return {str(name): _plain(part) for name, part in value.items()}


@_plain.register(list)
@_plain.register(tuple)
@_plain.register(frozenset)
def _(value: Any) -> Any:
    return [_plain(part) for part in value]


@_plain.register
def _(value: BaseEstimator) -> Any:
    return _plain(_content(value))
