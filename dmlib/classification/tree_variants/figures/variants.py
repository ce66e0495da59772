"""The variants over the same rows: leaves, depth and errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.classification.tree_variants.fuzzy import FuzzyTree
from dmlib.classification.tree_variants.incremental import IncrementalTree
from dmlib.classification.tree_variants.info_fuzzy import InfoFuzzyNetwork
from dmlib.classification.tree_variants.oblique import ObliqueTree
from dmlib.classification.tree_variants.oblivious import ObliviousTree
from dmlib.classification.tree_variants.variant import VariantTree
from dmlib.pictures.figures.style import CLEAR, MUTED, finish
from dmlib.pictures.regions import errors
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, percent
from dmlib.problem import Problem
from dmlib.trace import look


@dataclass(frozen=True)
class VariantsData:
    """The trees of all variants from the same rows."""

    names: tuple[str, ...]
    leaves: tuple[int, ...]
    depths: tuple[int, ...]
    training: tuple[float, ...]  # errors
    test: tuple[float, ...]  # errors; none without test rows


def variants_data(run: Run[Problem, VariantTree]) -> VariantsData:
    """Fit each variant with its defaults, the current one as it is, and an ordinary tree.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": range(20), "b": range(20), "c": ["x"] * 10 + ["y"] * 10})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> variants_data(Run.of(problem, ObliviousTree())).leaves
    (2, 2, 4, 2, 2, 2, 2, 2, 2)
    """
    seed = run.seed
    models: dict[str, Any] = {
        "ordinary (gini, full)": DecisionTreeClassifier(),
        "oblivious": ObliviousTree(),
        "fuzzy": FuzzyTree(),
        "oblique, coordinate descent": ObliqueTree(random_state=seed),
        "oblique, discriminants": ObliqueTree("lda", random_state=seed),
        "oblique, linear programming": ObliqueTree("linear_programming"),
        "oblique, QUEST": ObliqueTree("quest"),
        "incremental": IncrementalTree(random_state=seed),
        "info-fuzzy network": InfoFuzzyNetwork(),
    }
    current = (type(run.model), getattr(run.model, "search", None))
    rows = []
    for name, model in models.items():
        look()
        is_current = current == (type(model), getattr(model, "search", None))
        fitted = run.fitted if is_current else model.fit(*run.problem.training.arguments)
        rates = {part: missed / size for part, size, missed in errors(run.problem, fitted)}
        tree = fitted.tree_
        rates_of_row = rates["training"], rates.get("test", 0.0)
        rows.append((name, tree.n_leaves, tree.max_depth, *rates_of_row))
    names, leaves, depths, training, test = zip(*rows, strict=True)
    has_test = run.problem.testing is not None
    return VariantsData(names, leaves, depths, training, test if has_test else ())


def variants(run: Run[Problem, VariantTree]) -> go.Figure:
    """Compare all variants on the rows of a run."""
    return plot_variants(variants_data(run))


def plot_variants(data: VariantsData) -> go.Figure:
    """Draw a table of the variants."""
    shares = [data.training, *([data.test] if data.test else [])]
    cells: list[list[Any]] = [list(data.names), list(data.leaves), list(data.depths)]
    cells += [[percent(value) for value in column] for column in shares]
    head = ["tree", "leaves", "depth", "training error", *(["test error"] if data.test else [])]
    aligned = ["left", *["right"] * (len(head) - 1)]
    looks = {"fill": {"color": CLEAR}, "line": {"color": MUTED, "width": 0.5}, "align": aligned}
    figure = go.Figure(
        go.Table(
            columnwidth=[3, *[1] * (len(head) - 1)],
            header={"values": head, "font": {"color": MUTED}, **looks},
            cells={"values": cells, "height": 26, **looks},
        )
    )
    rates, part = (data.test, "test") if data.test else (data.training, "training")
    smallest = min(rates)
    best = ", ".join(
        f"{name} ({count(n, 'leaf', 'leaves')})"
        for name, n, error in zip(data.names, data.leaves, rates, strict=True)
        if error == smallest
    )
    title = f"The smallest {part} error, {percent(smallest)}: {best}."
    return finish(
        figure, title, "Each with its defaults; that of the picture with its current settings.", 310
    )
