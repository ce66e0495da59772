"""All eight methods over the same grown tree: leaves, errors, and the first node at which each differs."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import Any

import plotly.graph_objects as go
from sklearn.base import clone

from dmlib.classification.tree_drawing_scene import node_name
from dmlib.classification.tree_pruning.ledger import NAMES
from dmlib.classification.tree_pruning.pruning import METHODS
from dmlib.pictures.figures.style import CLEAR, MUTED, finish
from dmlib.pictures.regions import errors
from dmlib.pictures.run import Run
from dmlib.pictures.words import count
from dmlib.trace import look
from dmlib.trees.tree import Tree


@dataclass(frozen=True)
class MethodsData:
    """What each method makes of the same grown tree."""

    names: tuple[str, ...]
    leaves: tuple[int | None, ...]  # None where a method has no rows to prune by
    training: tuple[float, ...]
    test: tuple[float, ...]  # none without test rows
    differs: tuple[
        str, ...
    ]  # the first node, level by level, that is not as in the tree of the picture
    grown: int  # leaves of the grown tree
    here: int  # the method of the picture


def methods_data(run: Run) -> MethodsData:
    """Prune the grown tree of a run by each method, with the settings of the run.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import PrunedTreeClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "c": list("xxyxxx")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> data = methods_data(Run.of(problem, PrunedTreeClassifier("pessimistic", validation_fraction=0.2)))
    >>> data.leaves, data.differs[2]
    ((1, 1, 3, 1, 1, 1, 3, 1), 'the root: split, not leaf')
    """
    here: Tree = run.fitted.tree_
    rows: list[tuple[int | None, float, float | None, str]] = []
    for method in METHODS:
        look()
        try:
            model = clone(run.model).set_params(method=method).fit(*run.problem.training.arguments)
        except ValueError:
            rows.append((None, float("nan"), None, "no pruning set"))
            continue
        wrong = {part: missed / size for part, size, missed in errors(run.problem, model)}
        rows.append(
            (
                model.n_leaves_,
                wrong["training"],
                wrong.get("test"),
                first_difference(here, model.tree_),
            )
        )
    return MethodsData(
        tuple(NAMES[method] for method in METHODS),
        tuple(row[0] for row in rows),
        tuple(row[1] for row in rows),
        (
            tuple(float("nan") if row[2] is None else row[2] for row in rows)
            if run.problem.testing is not None
            else ()
        ),
        tuple(row[3] for row in rows),
        run.fitted.grown_.get_n_leaves(),
        METHODS.index(run.model.method),
    )


def first_difference(one: Tree, other: Tree) -> str:
    """Return the first node, level by level, at which a tree differs from another of the same grown tree.

    Examples
    --------
    >>> from dmlib.classification import DecisionTreeClassifier, prune
    >>> grown = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 0])
    >>> first_difference(grown.tree_, prune(grown, method="pessimistic").tree.tree_)
    'the root: leaf, not split'
    """
    mine, its = (
        {int(number): tree.splits.split(node) for node, number in enumerate(tree.numbers)}
        for tree in (one, other)
    )
    for number in sorted(mine.keys() & its.keys()):
        if mine[number] != its[number]:
            if mine[number] is None or its[number] is None:
                words = "split, not leaf" if mine[number] is None else "leaf, not split"
            else:
                words = "another split"
            return f"{node_name(number)}: {words}"
    return ""


def methods(run: Run) -> go.Figure:
    """Tell what each method makes of the grown tree of a run."""
    return plot_methods(methods_data(run))


def plot_methods(data: MethodsData) -> go.Figure:
    """Draw a table of the methods."""
    rows = range(len(data.names))
    names = [f"<b>{name}</b>" if i == data.here else name for i, name in enumerate(data.names)]
    cells: list[list[Any]] = [
        names,
        ["–" if n is None else n for n in data.leaves],
        [_share(value) for value in data.training],
        *([[_share(value) for value in data.test]] if data.test else []),
        [data.differs[i] or ("in the picture" if i == data.here else "nowhere") for i in rows],
    ]
    head = [
        "method",
        "leaves",
        "training error",
        *(["test error"] if data.test else []),
        "first difference",
    ]
    look_ = {"fill": {"color": CLEAR}, "line": {"color": MUTED, "width": 0.5}}
    aligned = ["left", *["right"] * (len(head) - 2), "left"]
    figure = go.Figure(
        go.Table(
            columnwidth=[3, 1, 2, *([2] if data.test else []), 4],
            header={"values": head, "font": {"color": MUTED}, "align": aligned, **look_},
            cells={"values": cells, "height": 26, "align": aligned, **look_},
        )
    )
    judged, part = (data.test, "test") if data.test else (data.training, "training")
    known = [
        (value, n, name)
        for value, n, name in zip(judged, data.leaves, data.names, strict=True)
        if n is not None
    ]
    least = min(known)[0]
    best = ", ".join(
        f"{name} ({count(n, 'leaf', 'leaves')})" for value, n, name in known if value == least
    )
    title = (
        f"One grown tree of {data.grown} leaves; the smallest {part} error, {least:.1%}: {best}."
    )
    note = (
        "Bold: the method of the picture. First difference: the first node, level by level, that"
        " differs from it."
    )
    return finish(figure, title, note, 330)


def _share(value: float) -> str:
    return "–" if isnan(value) else f"{value:.1%}"
