"""Linear models as a formula and as Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.problem import Problem
from dmlib.regression.linear_model import LinearModel


@dataclass(frozen=True)
class Score:
    """A weighted sum of terms, in the units of the table.

    Attributes
    ----------
    name : str
        The number, or the class, that it stands for.
    intercept : float
        The constant.
    terms : tuple of (float, str, str)
        The weight of each term, its name, and its Python expression of a row.
    """

    name: str
    intercept: float
    terms: tuple[tuple[float, str, str], ...]

    @property
    def formula(self) -> str:
        """The sum as a line of text."""
        signed = "".join(
            f" {'−' if weight < 0 else '+'} {abs(weight):.6g}·{name}"
            for weight, name, _ in self.terms
        )
        return f"{self.name} = {self.intercept:.6g}{signed}".replace("= -", "= −")

    @property
    def code(self) -> str:
        """The sum as a Python expression."""
        return " + ".join([repr(self.intercept), *(f"{w!r} * {code}" for w, _, code in self.terms)])


def scores_of(model: Any, problem: Problem) -> tuple[Score, ...]:
    """Return the weighted sums that a fitted model predicts by; none if it is not linear.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.regression import LinearRegression
    >>> table = pd.DataFrame({"x": [0.0, 1.0, 2.0], "y": [1.0, 3.0, 5.0]})
    >>> problem = prepare(table, ["x"], target="y", numeric_target=True)
    >>> model = LinearRegression().fit(problem.X, problem.y)
    >>> [score.formula for score in scores_of(model, problem)]
    ['y = 1 + 2·x']
    """
    coef, intercept = getattr(model, "coef_", None), getattr(model, "intercept_", None)
    if coef is None or intercept is None:
        return ()
    weights = np.atleast_2d(np.asarray(coef, float))
    constants = np.atleast_1d(np.asarray(intercept, float))
    data = problem.training.data
    matrix = model.design(data) if isinstance(model, LinearModel) else problem.training.X
    predicts = (
        model.predict if problem.numeric_target else getattr(model, "decision_function", None)
    )
    if predicts is None or weights.shape[1] != matrix.shape[1] or len(weights) != len(constants):
        return ()
    sums = matrix @ weights.T + constants
    if not np.allclose(np.reshape(predicts(data), (len(matrix), -1)), sums):
        return ()
    names = [problem.target] if problem.numeric_target else _class_names(model, problem, weights)
    return tuple(
        _score(name, row, float(constant), model, problem)
        for name, row, constant in zip(names, weights, constants, strict=True)
    )


def linear_code(model: Any, problem: Problem) -> str:
    """Return a fitted linear model as a Python function of a row; empty if it is not linear.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.regression import LinearRegression
    >>> table = pd.DataFrame({"x": [0.0, 1.0, 2.0], "y": [1.0, 3.0, 5.0]})
    >>> problem = prepare(table, ["x"], target="y", numeric_target=True)
    >>> code = linear_code(LinearRegression().fit(problem.X, problem.y), problem)
    >>> namespace = {}
    >>> exec(code, namespace)
    >>> round(namespace["predict"]({"x": 10.0}), 9)
    21.0
    """
    scores = scores_of(model, problem)
    if not scores:
        return ""
    header = ['"""A linear model."""', "", "", "def predict(row):"]
    if problem.numeric_target:
        text = '    """Return the number of a row, a mapping of column names to values."""'
        return "\n".join([*header, text, f"    return {_sum(scores[0])}", ""])
    text = '    """Return the class of a row, a mapping of column names to values."""'
    classes = [problem.classes[code] for code in model.classes_]
    if len(scores) == 1:
        body = [
            f"    score = {_sum(scores[0])}",
            f"    return {classes[1]!r} if score > 0 else {classes[0]!r}",
        ]
    else:
        sums = [f"        {score.name!r}: {_sum(score, 12)}," for score in scores]
        body = ["    scores = {", *sums, "    }", "    return max(scores, key=scores.get)"]
    return "\n".join([*header, text, *body, ""])


def _class_names(model: Any, problem: Problem, weights: Floats) -> list[str]:
    """Return the class that each score speaks for; of one score the second class."""
    names = [problem.classes[code] for code in model.classes_]
    return names[1:] if len(weights) == 1 and len(names) == 2 else names


def _score(name: str, weights: Floats, constant: float, model: Any, problem: Problem) -> Score:
    """Return a score with its weights in the units of the table."""
    shift = np.zeros(len(problem.features)) if problem.shift is None else problem.shift
    unit = np.ones(len(problem.features)) if problem.unit is None else problem.unit
    owners = model.owners_ if isinstance(model, LinearModel) else range(len(weights))
    terms = []
    levels: dict[int, int] = {}
    for weight, j in zip(weights.tolist(), owners, strict=True):
        feature = problem.features[j]
        if j in problem.categories:
            levels[j] = levels.get(j, 0) + 1  # the first level is the base
            level = list(problem.categories[j])[levels[j]]
            terms.append(
                (weight, f"[{feature} = {level}]", f"(str(row[{feature!r}]) == {level!r})")
            )
            continue
        constant -= weight * float(shift[j] / unit[j])
        terms.append((weight / float(unit[j]), feature, f"row[{feature!r}]"))
    return Score(name, constant, tuple(terms))


def _sum(score: Score, indent: int = 8) -> str:
    """Return the expression of a score, a line for each term."""
    lines = [repr(score.intercept), *(f"+ {weight!r} * {code}" for weight, _, code in score.terms)]
    space = "\n" + " " * indent
    return f"({space}{space.join(lines)}{space[:-4]})"
