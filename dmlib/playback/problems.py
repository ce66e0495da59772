"""Data as a problem of the kind that the picture of an estimator is of."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from inspect import getmembers, isfunction, signature
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import networkx as nx
import numpy as np
import pandas as pd
from sklearn.base import is_classifier, is_clusterer
from sklearn.utils import get_tags
from sklearn.utils.multiclass import type_of_target

from dmlib.datasets import Strings
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.problem import (
    AnyProblem,
    BagsProblem,
    BasketsProblem,
    DigitsProblem,
    GraphProblem,
    ImageProblem,
    LinesProblem,
    NetworkProblem,
    PatternsProblem,
    Problem,
    SeriesProblem,
    SurfaceProblem,
    TextsProblem,
    codes_of,
    prepare,
    prepare_bags,
    prepare_baskets,
    prepare_graph,
    prepare_image,
    prepare_lines,
    prepare_network,
    prepare_patterns,
    prepare_series,
    prepare_surface,
    prepare_texts,
    words_of,
)
from dmlib.problem.sequences import SequenceData, SequencesProblem
from dmlib.similarity.graphs_similarity.graph_classifier import KIND

TARGET = "target"
"""The name of a column without one: what is predicted."""
UNKNOWN = "-1"
"""The class of rows without a label, where some have none."""


def scene_function(model: type) -> Callable[[Any], Scene]:
    """Return what draws the runs of a class: the function of its folder whose name ends so."""
    package = model.__module__.rpartition(".")[0]
    try:
        module = import_module(f"{package}.scene")
    except ModuleNotFoundError as error:
        raise TypeError(f"{model.__name__} has no picture.") from error
    functions = [
        function
        for name, function in getmembers(module, isfunction)
        if name.endswith("_scene")
        and not name.startswith("_")
        and function.__module__ == module.__name__
    ]
    if not functions:
        raise TypeError(f"{model.__name__} has no picture.")
    return functions[0]


def problem_class(model: type, scene: Callable[[Any], Scene]) -> Any:
    """Return what the pictures of a class are of, as the functions of their module declare it.

    Of several functions, that counts whose model is nearest to the class.
    """
    declared: dict[Any, Any] = {}
    functions = getmembers(import_module(scene.__module__), isfunction)
    for function in (*(function for _, function in functions), scene):
        run = get_type_hints(function).get("run")
        if get_origin(run) is Run:
            problem, models = get_args(run)
            declared |= dict.fromkeys(get_args(models) or (models,), problem)
    return next((declared[each] for each in (*model.__mro__, Any) if each in declared), Any)


def problem_of(
    estimator: Any, scene: Callable[[Any], Scene], X: Any, y: Any, options: dict[str, Any]
) -> AnyProblem:
    """Return data as a problem of the kind that a picture is of; see :func:`dmlib.play`."""
    if hasattr(X, "training"):
        problem: AnyProblem = X
        return problem
    kind = problem_class(type(estimator), scene)
    if isinstance(kind, UnionType):
        kind = GraphProblem if isinstance(X, nx.Graph) else Problem
    if kind not in PREPARED:
        return _table(estimator, X, y, options)
    prepared = PREPARED[kind]
    if y is None:
        return prepared(X, **options)
    if "y" not in signature(prepared).parameters:
        raise ValueError(f"The picture of {type(estimator).__name__} has no target. Leave y out.")
    return prepared(X, y, **options)


def _table(estimator: Any, X: Any, y: Any, options: dict[str, Any]) -> Problem:
    """Return a table as a problem, with what is predicted as a column of its own."""
    frame = X.copy() if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X))
    frame.columns = [name if isinstance(name, str) else f"x{name + 1}" for name in frame.columns]
    for name in frame.select_dtypes(["object", "string", "bool"]):
        frame[name] = frame[name].astype("category")
    features, tags = list(frame.columns), get_tags(estimator)
    kinds: dict[str, Any] = {"holes": "keep" if tags.input_tags.allow_nan else "drop"}
    if y is not None:
        values = np.asarray(y)
        is_number = bool(tags.regressor_tags) or (
            not is_classifier(estimator) and type_of_target(values) == "continuous"
        )
        target = getattr(y, "name", None) or TARGET
        frame[target] = values if is_number else pd.Categorical(values)
        labelled = not is_clusterer(estimator)
        kinds |= {"target": target, "labelled": labelled, "numeric_target": is_number}
    problem = prepare(frame, features, **{**kinds, **options})
    return _partly_labeled(problem) if "n_labeled" in estimator.get_params() else problem


def _partly_labeled(problem: Problem) -> Problem:
    """Return a problem in which rows of the class -1 have none, as in scikit-learn."""
    if problem.y is None or UNKNOWN not in problem.classes:
        return problem
    code = problem.classes.index(UNKNOWN)
    y = np.where(problem.y == code, -1, problem.y - (problem.y > code))
    return replace(problem, y=y, classes=tuple(n for n in problem.classes if n != UNKNOWN))


def _items(X: Any, counts: frozenset[float] | None) -> list[list[str]]:
    """Return the items of each row: its texts, or those of a table of how often each is there.

    ``counts`` are the numbers of such a table, where others are items.
    """
    rows = X.to_numpy() if isinstance(X, pd.DataFrame) else list(X)
    if isinstance(X, pd.DataFrame | np.ndarray) or _is_table(rows, counts):
        names = X.columns if isinstance(X, pd.DataFrame) else range(1, len(rows[0]) + 1)
        width = len(str(len(names)))
        items = [name if isinstance(name, str) else f"item {name:0{width}}" for name in names]
        rows = [np.repeat(items, np.asarray(row, int)) for row in rows]
    return [words_of(row) if isinstance(row, str) else list(map(str, row)) for row in rows]


def _is_table(rows: Sequence[Any], counts: frozenset[float] | None) -> bool:
    values = [value for row in rows if not isinstance(row, str) for value in row]
    return len({len(row) for row in rows}) == 1 and all(
        isinstance(value, int | float | np.number) and (counts is None or value in counts)
        for value in values or [""]
    )


def _baskets(X: Any, **options: Any) -> BasketsProblem:
    return prepare_baskets(_items(X, frozenset((0, 1))), **options)


def _bags(X: Any, **options: Any) -> BagsProblem:
    called = "text" if isinstance(X[0], str) else "basket"
    return prepare_bags(_items(X, None), **{"called": called, **options})


def _lines(X: Sequence[str], y: Any = None, **options: Any) -> LinesProblem:
    classes = () if y is None else tuple(map(str, y))
    lines: Any = Strings(tuple(X), classes=classes, name="lines")
    return prepare_lines(lines, **options)


def _texts(X: Sequence[str], y: Any = None, **options: Any) -> TextsProblem:
    classes = () if y is None else list(map(str, y))
    return prepare_texts(X, **{"classes": classes, "labelled": y is not None, **options})


def _graph(X: Any, y: Any = None, **options: Any) -> GraphProblem:
    """Return a graph, or several as the parts of one; a class that is -1 or None is not known."""
    if not isinstance(X, nx.Graph):
        parts = [nx.Graph(graph) if not graph.is_directed() else graph.copy() for graph in X]
        for number, part in enumerate(parts):
            nx.set_node_attributes(part, number, "graph")
            if y is not None:
                nx.set_node_attributes(part, y[number], KIND)
        X = nx.disjoint_union_all(parts)
        if y is not None:
            return prepare_graph(X, **{"target": KIND, **options})
    if y is None:
        return prepare_graph(X, **options)
    X = X.copy()
    classes = {node: value for node, value in zip(X, y, strict=True) if value not in (-1, None)}
    nx.set_node_attributes(X, classes, TARGET)
    return prepare_graph(X, **{"target": TARGET, "labelled": True, **options})


def _series(X: Any, y: Any = None, **options: Any) -> SeriesProblem:
    series = [X] if y is None else [X, y]
    names = [getattr(each, "name", None) or name for each, name in zip(series, "xy", strict=False)]
    return prepare_series(series, names, **options)


def _sequences(X: Any, y: Any = None, **options: Any) -> AnyProblem:
    return SequencesProblem(X) if isinstance(X, SequenceData) else _series(X, y, **options)


def _image(X: Any, **options: Any) -> ImageProblem:
    pixels = np.asarray(X)
    is_grey = pixels.ndim == 3 and pixels.shape[2] == 1
    return prepare_image(pixels[:, :, 0] if is_grey else pixels, **options)


def _patterns(X: Any, y: Any = None, **options: Any) -> PatternsProblem:
    """Return patterns; rows of cells are squares where their number is one, else lines."""
    if y is not None:
        options = {"names": list(map(str, y)), "labelled": True, **options}
    cells = np.asarray(X)
    if cells.ndim == 2:
        side = math.isqrt(cells.shape[1])
        height = side if side**2 == cells.shape[1] else 1
        cells = cells.reshape(len(cells), height, -1)
    return prepare_patterns(cells, **options)


def _digits(X: Any, y: Any) -> DigitsProblem:
    """Return images with classes; the first of them is looked at."""
    images = np.asarray(X, float)
    if images.ndim != 3 or images.shape[1] != images.shape[2]:
        raise ValueError("Square images are needed, of shape (n_images, side, side).")
    images = images / (images.max() or 1.0)
    codes, classes = codes_of(pd.Series(list(y), dtype=object))
    return DigitsProblem(1.0 - images[0], images=images, y=codes, classes=classes)


PREPARED: dict[Any, Callable[..., AnyProblem]] = {
    BagsProblem: _bags,
    BasketsProblem: _baskets,
    DigitsProblem: _digits,
    GraphProblem: _graph,
    ImageProblem: _image,
    LinesProblem: _lines,
    NetworkProblem: prepare_network,
    PatternsProblem: _patterns,
    SequencesProblem: _sequences,
    SeriesProblem: _series,
    SurfaceProblem: prepare_surface,
    TextsProblem: _texts,
}
"""How data of each kind are prepared; whatever is not here is a table."""
