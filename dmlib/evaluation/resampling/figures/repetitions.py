"""The same estimate many times: how far it scatters, and how far it is from the true error of generated data."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.datasets import make
from dmlib.evaluation import models
from dmlib.problem import Problem

FRESH = 2000  # rows on which the true error is measured


@dataclass(frozen=True, eq=False)
class Repetitions:
    """Estimates of many repetitions.

    Attributes
    ----------
    estimates : ndarray of shape (n_repetitions,)
        By the method.
    training : ndarray of shape (n_repetitions,)
        The errors of the rows that were learned.
    true : ndarray of shape (n_repetitions,)
        The errors of the same models on fresh rows; empty where rows cannot be made afresh.
    """

    estimates: Floats
    training: Floats
    true: Floats


@dataclass(frozen=True)
class Source:
    """A generator with its settings."""

    name: str  # of the generator
    settings: Mapping[str, Any]  # without the seed

    def rows(self, problem: Problem, seed: int, n: int | None = None) -> tuple[Floats, Any]:
        """Return rows and targets as the problem has them, of another seed and perhaps another number."""
        more = {} if n is None else {"n_samples": n}
        table = make(self.name, **{**self.settings, **more, "random_state": seed})
        X = table.frame[list(problem.features)].to_numpy(float)
        if problem.shift is not None:
            X = (X - problem.shift) / problem.unit
        y = table.frame[problem.target or str(table.target)]
        if problem.numeric_target:
            return X, y.to_numpy(float)
        place = {name: code for code, name in enumerate(problem.classes)}
        return X, np.array([place.get(str(each), 0) for each in y])


def source_of(code: str) -> Source | None:
    """Return the generator that the code of a table calls; None where the table comes from elsewhere.

    Examples
    --------
    >>> source_of("table = make('moons', n_samples=50, noise=0.2, random_state=3)").settings
    {'n_samples': 50, 'noise': 0.2}
    """
    for node in ast.walk(ast.parse(code)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "make"
            and node.args
        ):
            settings = {
                each.arg: ast.literal_eval(each.value) for each in node.keywords if each.arg
            }
            settings.pop("random_state", None)
            return Source(str(ast.literal_eval(node.args[0])), settings)
    return None


def repetitions(
    model: Any,
    problem: Problem,
    table_code: str = "",
    n: int = 200,
    *,
    random_state: int = 0,
    progress: Any = None,
) -> Repetitions:
    """Estimate the error again and again: on new rows where a generator makes them, else by other splits."""
    source = source_of(table_code) if table_code and not problem.categories else None
    if source is not None and "n_samples" not in source.settings:
        source = None
    given = None if source else problem.training.arguments
    task = partial(_one, clone(model), source, problem if source else None, given, random_state)
    found = np.array(list(engine.map(task, range(n), progress=progress)))
    return Repetitions(found[:, 0], found[:, 1], found[:, 2] if source else np.empty(0))


def _one(
    model: Any, source: Source | None, problem: Any, given: Any, seed: int, i: int
) -> tuple[float, float, float]:
    number = 1 + 1000 * seed + i
    X, y = given if source is None else source.rows(problem, number)
    fitted = model.set_params(random_state=number).fit(X, y)
    if source is None:
        return fitted.estimate_, fitted.training_error_, np.nan
    fresh, truth = source.rows(problem, number + 500_000, FRESH)
    said = models.made(model.model, number).fit(X, y).predict(fresh)
    return (
        fitted.estimate_,
        fitted.training_error_,
        float(models.losses(truth, said, model.NUMBERS).mean()),
    )
