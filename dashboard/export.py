"""The Python code of what is on the screen: a complete script, and the same as a notebook."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from dashboard.estimators import draws
from dashboard.technique import Technique
from dashboard.view import View
from dmlib.neural.weights import weights_code
from dmlib.params import defaults
from dmlib.pictures.run import AnyRun
from dmlib.pictures.scene import Scene

PICTURE = "# The run as a picture that plays\nfrom dmlib import play\n"
SAVED = re.compile(r'^(play\(.*\))\.save\("\w+\.html"\)$', re.MULTILINE)


def source_of(view: View) -> str:
    """Return the script of what is on the screen; of two runs, where one is pinned."""
    scripts = [
        script(each.technique, each.run, each.data.code, f"{each.technique.slug}{suffix}.html")
        for each, suffix in ((view.pinned, "_pinned"), (view, ""))
        if each is not None and each.run is not None
    ]
    return pair_script(*scripts) if len(scripts) > 1 else scripts[0]


def pair_script(*scripts: str) -> str:
    """Return a script of two runs, the pinned one first.

    Parameters
    ----------
    *scripts : str
        Two scripts from :func:`script`.
    """
    parts = ['"""Two runs, as they were side by side on the screen."""']
    for heading, source in zip(("The pinned run", "The run beside it"), scripts, strict=True):
        title, _, code = source.partition("\n\n")
        parts += ["", f"# {heading}: {title.strip(chr(34))}", code.rstrip("\n")]
    return "\n".join(parts) + "\n"


def script(technique: Technique, run: AnyRun, data_code: str, file: str) -> str:
    """Return a script that fits dmlib's algorithm and the library's equivalent, and prints both.

    At its end it saves the run as a page that plays.

    Parameters
    ----------
    technique : Technique
        The page.
    run : Run
        What is on the screen.
    data_code : str
        Code that makes ``X``, and the ``problem`` that has it.
    file : str
        The name of the page that plays.
    """
    lines = [
        own_part(f'"""{technique.entry.title}, as it was on the screen."""', run, data_code),
        *(
            f'print("{label}:", model.{result.attribute})'
            for label, result in technique.headline_numbers(run).items()
        ),
        "",
        *([weights_code(run.fitted, technique.weights), ""] if technique.weights else []),
        technique.check.code(run).strip(),
        *(
            f'print("{label}, by the library:", getattr(reference, "{result.attribute}", "none"))'
            for label, result in technique.headline_numbers(run).items()
        ),
        "",
        *_picture(technique.scene, type(run.model), file),
    ]
    return "\n".join(lines)


def _picture(scene: Callable[[AnyRun], Scene], algorithm: type, file: str) -> list[str]:
    """Return code that saves the picture of a page, which may stand beside another estimator."""
    folders = {each.__module__.rpartition(".")[0] for each in (scene, algorithm)}
    if len(folders) == 1:
        return [PICTURE, f'play(model, problem).save("{file}")', ""]
    name = scene.__name__
    imported = f"{PICTURE}from {scene.__module__} import {name}\n"
    return [imported, f'play(model, problem, draw={name}).save("{file}")', ""]


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
    """Return a script as a Jupyter notebook (nbformat 4.5): a cell for each comment.

    Pages that the script saves are shown.
    """
    title, *parts = SAVED.sub(r"\1", source).split("\n# ")
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
