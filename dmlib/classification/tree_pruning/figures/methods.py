"""All nine methods on the same grown tree: leaves, errors, and the first different node."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import Any

import plotly.graph_objects as go
from sklearn.base import clone

from dmlib.classification.tree_drawing_scene import node_name
from dmlib.classification.tree_pruning.algorithm import PrunedTreeClassifier
from dmlib.classification.tree_pruning.estimates import code_length
from dmlib.classification.tree_pruning.ledger import NAMES
from dmlib.classification.tree_pruning.pruning import METHODS
from dmlib.pictures.figures.style import CLEAR, MUTED, finish
from dmlib.pictures.regions import errors
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, percent
from dmlib.problem import Problem
from dmlib.trace import look
from dmlib.trees.tree import Tree


@dataclass(frozen=True)
class MethodsData:
    """The pruned trees of all methods from the same grown tree."""

    names: tuple[str, ...]
    leaves: tuple[int | None, ...]  # None where a method has no rows to prune by
    bits: tuple[float, ...]  # of the code of the tree by names, and of its errors
    training: tuple[float, ...]
    test: tuple[float, ...]  # none without test rows
    differs: tuple[str, ...]  # the first node, level by level, that differs from the current tree
    grown: int  # leaves of the grown tree
    grown_bits: float  # of its code
    current: int  # the method of the run


def methods_data(run: Run[Problem, PrunedTreeClassifier]) -> MethodsData:
    """Prune the grown tree of a run by each method, with the settings of the run.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import PrunedTreeClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "c": list("xxyxxx")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> model = PrunedTreeClassifier("pessimistic", validation_fraction=0.2)
    >>> data = methods_data(Run.of(problem, model))
    >>> data.leaves, data.differs[2]
    ((1, 1, 3, 1, 1, 1, 3, 1, 1), 'the root: split, not leaf')
    """
    tree: Tree = run.fitted.tree_
    rows: list[tuple[int | None, float, float, float, str]] = []
    n_features = run.fitted.n_features_in_
    for method in METHODS:
        look()
        try:
            model = clone(run.model).set_params(method=method).fit(*run.problem.training.arguments)
        except ValueError:
            rows.append((None, nan, nan, nan, "no pruning set"))
            continue
        rates = {part: missed / size for part, size, missed in errors(run.problem, model)}
        difference = first_difference(tree, model.tree_)
        bits = code_length(model.tree_, n_features)
        shares = rates["training"], rates.get("test", nan)
        rows.append((model.n_leaves_, bits, *shares, difference))
    leaves, bits_of_methods, training, test, differs = zip(*rows, strict=True)
    return MethodsData(
        tuple(NAMES[method] for method in METHODS),
        leaves,
        bits_of_methods,
        training,
        () if run.problem.testing is None else test,
        differs,
        run.fitted.grown_.get_n_leaves(),
        code_length(run.fitted.grown_.tree_, n_features),
        METHODS.index(run.model.method),
    )


def first_difference(first: Tree, second: Tree) -> str:
    """Return the first node, level by level, at which two prunings of a tree differ.

    Examples
    --------
    >>> from dmlib.classification import DecisionTreeClassifier, prune
    >>> grown = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 0])
    >>> first_difference(grown.tree_, prune(grown, method="pessimistic").tree.tree_)
    'the root: leaf, not split'
    """
    first_splits, second_splits = (
        {int(number): tree.splits.split(node) for node, number in enumerate(tree.numbers)}
        for tree in (first, second)
    )
    for number in sorted(first_splits.keys() & second_splits.keys()):
        before, after = first_splits[number], second_splits[number]
        if before is None and after is not None:
            return f"{node_name(number)}: split, not leaf"
        if after is None and before is not None:
            return f"{node_name(number)}: leaf, not split"
        if before != after:
            return f"{node_name(number)}: another split"
    return ""


def methods(run: Run[Problem, PrunedTreeClassifier]) -> go.Figure:
    """Compare all methods on the grown tree of a run."""
    return plot_methods(methods_data(run))


def plot_methods(data: MethodsData) -> go.Figure:
    """Draw a table of the methods."""
    names, differences = list(data.names), [text or "nowhere" for text in data.differs]
    names[data.current] = f"<b>{names[data.current]}</b>"
    differences[data.current] = data.differs[data.current] or "in the picture"
    columns: dict[str, list[Any]] = {
        "method": names,
        "leaves": ["–" if n is None else n for n in data.leaves],
        "bits": ["–" if isnan(bits) else f"{bits:.4g}" for bits in data.bits],
        "training error": [_share(value) for value in data.training],
        "test error": [_share(value) for value in data.test],
        "first difference": differences,
    }
    widths = {
        "method": 3,
        "leaves": 1,
        "bits": 1,
        "training error": 2,
        "test error": 2,
        "first difference": 4,
    }
    head = [name for name in columns if columns[name]]
    look_ = {"fill": {"color": CLEAR}, "line": {"color": MUTED, "width": 0.5}}
    aligned = ["left", *["right"] * (len(head) - 2), "left"]
    figure = go.Figure(
        go.Table(
            columnwidth=[widths[name] for name in head],
            header={"values": head, "font": {"color": MUTED}, "align": aligned, **look_},
            cells={
                "values": [columns[name] for name in head],
                "height": 26,
                "align": aligned,
                **look_,
            },
        )
    )
    note = (
        "Bold: the method of the picture. First difference: the first node, level by level, that"
        " differs from it. Bits: the columns of the inner nodes, the classes of the leaves and the"
        f" training errors by their names, of the grown tree {data.grown_bits:.4g}; of two trees"
        " the one with fewer bits is preferred."
    )
    return finish(figure, _title(data), note, 330)


def _title(data: MethodsData) -> str:
    """Return the methods with the smallest test error, or training error without a test set."""
    rates, part = (data.test, "test") if data.test else (data.training, "training")
    pruned = {i: n for i, n in enumerate(data.leaves) if n is not None}
    smallest = min(rates[i] for i in pruned)
    best = [i for i in pruned if rates[i] == smallest]
    names = ", ".join(f"{data.names[i]} ({count(pruned[i], 'leaf', 'leaves')})" for i in best)
    start = f"One grown tree of {data.grown} leaves"
    return f"{start}; the smallest {part} error, {percent(smallest)}: {names}."


def _share(value: float) -> str:
    return "–" if isnan(value) else percent(value)
