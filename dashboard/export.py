"""The Python code of what is on the screen: a complete script, and the same as a notebook."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from dashboard.estimators import draws
from dashboard.technique import Technique
from dmlib.neural.weights import weights_code
from dmlib.params import defaults
from dmlib.pictures.run import AnyRun


def script(technique: Technique, run: AnyRun, data_code: str) -> str:
    """Return a script that fits dmlib's algorithm and the library's equivalent, and prints both.

    Parameters
    ----------
    technique : Technique
        The page.
    run : Run
        What is on the screen.
    data_code : str
        Code that makes ``X``.
    """
    lines = [
        own_part(f'"""{technique.entry.title}, as it was on the screen."""', run, data_code),
        *(
            f'print("{label}:", model.{result.attribute})'
            for label, result in technique.headline_numbers.items()
        ),
        "",
        *([weights_code(run.fitted, technique.weights), ""] if technique.weights else []),
        technique.check.code(run).strip(),
        *(
            f'print("{label}, by the library:", getattr(reference, "{result.attribute}", "none"))'
            for label, result in technique.headline_numbers.items()
        ),
        "",
    ]
    return "\n".join(lines)


def own_part(title: str, run: AnyRun, data_code: str) -> str:
    """Return the beginning of a script: the data, and dmlib's algorithm fitted to them."""
    params = {
        name: value
        for name, value in run.model.get_params(deep=False).items()
        if name != "random_state"
    }
    arrays = any(isinstance(value, np.ndarray) for value in params.values())
    models = [value for value in params.values() if isinstance(value, BaseEstimator)]
    algorithm = type(run.model)
    name, seed = algorithm.__name__, getattr(run.model, "random_state", 0)
    lines = [
        title,
        "",
        *(["import numpy as np", ""] if arrays else []),
        "# The data",
        data_code,
        "# The algorithm, step by step",
        f"from {_package(algorithm)} import {name}",
        *(f"from {_package(type(model))} import {type(model).__name__}" for model in models),
        "",
        f"model = {name}({_arguments(algorithm, params, seed)})",
        "model.fit(X, y)" if run.problem.labelled else "model.fit(X)",
    ]
    return "\n".join(lines)


def _package(algorithm: Any) -> str:
    return ".".join(algorithm.__module__.split(".")[:2])  # the family exports it


def _arguments(algorithm: Any, params: Mapping[str, Any], seed: int) -> str:
    """Return the arguments that differ from the defaults of the constructor, and the seed."""
    seeds = [f"random_state={seed}"] if draws(algorithm) else []
    return ", ".join(filter(None, [_keywords(algorithm, params), *seeds]))


def _keywords(algorithm: Any, params: Mapping[str, Any]) -> str:
    default = defaults(algorithm)
    return ", ".join(
        f"{name}={_literal(value)}"
        for name, value in params.items()
        if repr(value) != repr(default[name])
    )


def _literal(value: Any) -> str:
    if isinstance(value, BaseEstimator):
        return f"{type(value).__name__}({_keywords(type(value), value.get_params(deep=False))})"
    if isinstance(value, float) and math.isinf(value):
        return f'float("{value}")'
    return f"np.array({value.tolist()!r})" if isinstance(value, np.ndarray) else repr(value)


def notebook(source: str) -> str:
    """Return a script as a Jupyter notebook (nbformat 4.5): a cell for each comment."""
    title, *parts = source.split("\n# ")
    cells = [_cell("markdown", f"# {title.splitlines()[0].strip(chr(34))}")]
    remainder = "\n".join(title.splitlines()[1:]).strip()
    cells += [
        _cell("code", text.strip())
        for text in ([remainder] if remainder else []) + [f"# {part}" for part in parts]
    ]
    for i, cell in enumerate(cells):
        cell["id"] = f"cell-{i}"
    return json.dumps(
        {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1
    )


def _cell(kind: str, text: str) -> dict[str, Any]:
    cell: dict[str, Any] = {
        "cell_type": kind,
        "metadata": {},
        "source": text.splitlines(keepends=True),
    }
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})
