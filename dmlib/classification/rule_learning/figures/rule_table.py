"""The rules as a table, with what each gets right on training and test rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.classification.rule_learning.learner import DEFAULT, RuleLearner
from dmlib.classification.rule_learning.words import Words
from dmlib.pictures.figures.style import CLEAR, MUTED, finish, plain
from dmlib.pictures.regions import evaluated
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_RULES = 100
ROW = 24  # height of a line in pixels
LETTERS = 60  # characters of a condition in a line


@dataclass(frozen=True)
class RuleRow:
    """A rule, with the rows that it decides: right ones and all, by the name of the set."""

    conditions: str
    target: str
    decided: dict[str, tuple[int, int]]


def rule_table_data(run: Run[Problem, RuleLearner]) -> list[RuleRow]:
    """Return the rules in the order in which they are asked, the default last.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import PRISM
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 9.0], "c": list("xyy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> rows = rule_table_data(Run.of(problem, PRISM()))
    >>> [(row.conditions, row.target, row.decided["training"]) for row in rows]
    [('a > 0.5', 'y', (2, 2)), ('a ≤ 0.5', 'x', (1, 1)), ('no rule fires', 'y', (0, 0))]
    """
    problem, model = run.problem, run.fitted
    words = Words(problem, model.classes_)
    parts = {
        name: (model.deciding(part.data), model.predict(part.data) == part.y)
        for name, part in evaluated(problem, model).items()
    }
    order = [*model.order_of(model.rules_), DEFAULT]
    rows = []
    for number in order:
        decided = {
            name: (int(right[fired == number].sum()), int((fired == number).sum()))
            for name, (fired, right) in parts.items()
        }
        is_default = number == DEFAULT
        target = model.default_ if is_default else model.rules_[number].target
        text = "no rule fires" if is_default else words.conditions(model.rules_[number])
        rows.append(RuleRow(text, words.classes[target], decided))
    return rows


def rule_table(run: Run[Problem, RuleLearner]) -> go.Figure:
    """List the rules."""
    return plot_rule_table(rule_table_data(run))


def plot_rule_table(rows: list[RuleRow]) -> go.Figure:
    """Draw the rules as a table."""
    *rules, default = rows
    listed = [*rules[:MAX_RULES], default]
    parts = [*default.decided]
    cells: list[list[Any]] = [
        [
            plain(row.conditions) if len(row.conditions) < LETTERS else _literal(row.conditions)
            for row in listed
        ],
        [plain(row.target) for row in listed],
        *(["{} of {}".format(*row.decided[part]) for row in listed] for part in parts),
    ]
    look = {
        "fill": {"color": CLEAR},
        "line": {"color": MUTED, "width": 0.5},
        "align": ["left", "left", *["right"] * len(parts)],
    }
    head = ["if", "then", *(f"{part}: right" for part in parts)]
    figure = go.Figure(
        go.Table(
            columnwidth=[6, 2, *[1.5] * len(parts)],
            header={"values": head, "font": {"color": MUTED}, **look},
            cells={"values": cells, "height": ROW, **look},
        )
    )
    title = "One rule" if len(rules) == 1 else f"{len(rules)} rules"
    if len(rules) > MAX_RULES:
        title += f", the first {MAX_RULES}"
    lines = sum(1 + len(row.conditions) // LETTERS for row in listed)
    note = "The first rule from the top that fires decides; the rows that it decides are counted."
    return finish(figure, f"{title}.", note, int(np.clip(60 + ROW * lines, 120, 900)))


def _literal(text: str) -> str:
    """Return a text as it is; unlike a name it is not shortened."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
