"""Repeated estimates: their scatter, and their distance from the true error of generated data."""

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

N_TEST = 2000  # rows by which the true error is measured


@dataclass(frozen=True, eq=False)
class Repetitions:
    """Estimates of many repetitions.

    Attributes
    ----------
    estimates : ndarray of shape (n_repetitions,)
        The estimates of the method.
    training : ndarray of shape (n_repetitions,)
        The training errors.
    true : ndarray of shape (n_repetitions,)
        The errors of the same models on new rows; empty where no generator makes any.
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
        """Return new rows and targets, prepared as those of the problem."""
        settings = {**self.settings, "random_state": seed}
        if n is not None:
            settings["n_samples"] = n
        table = make(self.name, **settings)
        X = table.frame[list(problem.features)].to_numpy(float)
        if problem.shift is not None:
            X = (X - problem.shift) / problem.unit
        y = table.frame[problem.target or str(table.target)]
        if problem.numeric_target:
            return X, y.to_numpy(float)
        place = {name: code for code, name in enumerate(problem.classes)}
        return X, np.array([place.get(str(label), 0) for label in y])


def source_of(code: str) -> Source | None:
    """Return the generator that the code of a table calls; None for tables of other sources.

    Examples
    --------
    >>> source_of("table = make('moons', n_samples=50, noise=0.2, random_state=3)").settings
    {'n_samples': 50, 'noise': 0.2}
    """
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Call(func=ast.Name("make"), args=[name, *_], keywords=keywords):
                settings = {word.arg: ast.literal_eval(word.value) for word in keywords if word.arg}
                settings.pop("random_state", None)
                return Source(str(ast.literal_eval(name)), settings)
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
    """Repeat an estimate: on new rows of a generator, else by new splits of the same rows."""
    source = source_of(table_code) if table_code and not problem.categories else None
    if source is not None and "n_samples" not in source.settings:
        source = None
    data = None if source else problem.training.arguments
    task = partial(_errors, clone(model), source, problem if source else None, data, random_state)
    errors = np.array(list(engine.map(task, range(n), progress=progress)))
    return Repetitions(errors[:, 0], errors[:, 1], errors[:, 2] if source else np.empty(0))


def _errors(
    model: Any, source: Source | None, problem: Any, data: Any, seed: int, i: int
) -> tuple[float, float, float]:
    """Return estimate, training error and true error of one repetition: a task."""
    number = 1 + 1000 * seed + i
    X, y = data if source is None else source.rows(problem, number)
    resampling = model.set_params(random_state=number).fit(X, y)
    true_error = np.nan
    if source is not None:
        X_test, y_test = source.rows(problem, number + 500_000, N_TEST)
        predicted = models.fresh_model(model.model, number).fit(X, y).predict(X_test)
        true_error = float(models.losses(y_test, predicted, model.NUMBERS).mean())
    return resampling.estimate_, resampling.training_error_, true_error
