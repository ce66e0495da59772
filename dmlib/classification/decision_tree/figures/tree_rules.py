"""A decision tree as a table of rules, one for each leaf."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from dmlib.classification import DecisionTreeClassifier
from dmlib.pictures.figures.style import CLEAR, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.trees.text import Rule, leaf_rules

MAX_RULES = 60
ROW = 24  # height of a line in pixels
LETTERS = 60  # characters of a condition in a line


def tree_rules_data(problem: Problem, model: DecisionTreeClassifier) -> list[Rule]:
    """Return the rules of a fitted model, the largest leaf first.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> table = pd.DataFrame({"a": [0.0, 1.0, 9.0], "c": list("xyy")})
    >>> problem = prepare(table, ["a"], target="c", labelled=True)
    >>> model = DecisionTreeClassifier().fit(problem.X, problem.y)
    >>> [str(rule) for rule in tree_rules_data(problem, model)]
    ['if a > 0.5 then y (2)', 'if a <= 0.5 then x (1)']
    """
    values = [problem.categories.get(j) for j in range(len(problem.features))]
    names = [problem.classes[code] for code in model.classes_]
    rules = leaf_rules(model.tree_, list(problem.features), values, names, list(problem.X.T))
    return sorted(rules, key=lambda rule: -rule.weight)


def tree_rules(run: Run[Problem, DecisionTreeClassifier]) -> go.Figure:
    """List the rules of a tree."""
    return plot_tree_rules(tree_rules_data(run.problem, run.fitted))


def plot_tree_rules(rules: list[Rule]) -> go.Figure:
    """Draw the rules as a table."""
    listed = rules[:MAX_RULES]
    conditions = [
        " and ".join(map(_plain, rule.conditions)).replace("<=", "≤").replace("&lt;=", "≤")
        for rule in listed
    ]
    cells: list[list[Any]] = [
        [text or "anything" for text in conditions],
        [plain(rule.label) for rule in listed],
        [f"{rule.weight:.5g}" for rule in listed],
        [f"{rule.errors:.4g}" if rule.errors > 1e-9 else "0" for rule in listed],
    ]
    look = {
        "fill": {"color": CLEAR},
        "line": {"color": MUTED, "width": 0.5},
        "align": ["left", "left", "right", "right"],
    }
    figure = go.Figure(
        go.Table(
            columnwidth=[6, 2, 1, 1],
            header={"values": ["if", "then", "rows", "wrong"], "font": {"color": MUTED}, **look},
            cells={"values": cells, "height": ROW, **look},
        )
    )
    title = f"{len(rules)} rules" if len(rules) > 1 else "One rule"
    if len(listed) < len(rules):
        title += f", the {len(listed)} with the most rows"
    lines = sum(1 + len(text) // LETTERS for text in conditions)
    note = "A row without missing values follows exactly one rule; training rows are counted."
    return finish(figure, title + ".", note, min(900, 40 + ROW * lines))


def _plain(condition: str) -> str:
    """Return a condition as literal text; unlike a name it is not shortened."""
    return condition.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
