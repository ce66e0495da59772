"""The rules as a table with all their measures."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd
import plotly.graph_objects as go

from dmlib.association.association_rules.algorithm import AssociationRules
from dmlib.association.association_rules.multiple_support import MultipleSupportApriori
from dmlib.pictures.figures.style import CLEAR, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import BasketsProblem

MAX_RULES = 200
NAMES = {
    "support": "support",
    "confidence": "confidence",
    "lift": "lift",
    "leverage": "leverage",
    "conviction": "conviction",
    "zhangs_metric": "Zhang",
    "kulczynski": "Kulczynski",
    "imbalance_ratio": "imbalance",
    "adjusted_p_value": "corrected p",
}


def side(items: Iterable[str]) -> str:
    """Return the items of one side of a rule as a label.

    Examples
    --------
    >>> side(("tea", "milk"))
    'tea, milk'
    """
    return ", ".join(map(plain, items))


def best_rules(
    run: Run[BasketsProblem, AssociationRules | MultipleSupportApriori], max_rules: int
) -> pd.DataFrame:
    """Return the rules of a run with the highest lift, at most so many.

    Raises
    ------
    ValueError
        If there is no rule.
    """
    rules = run.fitted.rules_
    if not len(rules):
        raise ValueError("There is no rule. Lower min_confidence or the minimum support.")
    return rules.sort_values(["lift", "confidence"], ascending=False, kind="stable").head(max_rules)


def rule_table(run: Run[BasketsProblem, AssociationRules | MultipleSupportApriori]) -> go.Figure:
    """Draw the table of the rules, those with the highest lift first."""
    rules = best_rules(run, MAX_RULES)
    sides = [
        f"{side(a)} → {side(b)}"
        for a, b in zip(rules["antecedents"], rules["consequents"], strict=True)
    ]
    columns = {"rule": sides}
    for name, label in NAMES.items():
        columns[label] = [f"{value:.4g}".replace("inf", "∞") for value in rules[name]]
    columns["redundant"] = ["yes" if r else "" for r in rules["redundant"]]
    look = {"align": "left", "fill_color": CLEAR, "line_color": MUTED}
    cells = go.Table(
        columnwidth=[3, *[1] * (len(columns) - 1)],
        header={"values": list(columns), **look},
        cells={"values": list(columns.values()), **look},
    )
    note = "Redundant: a more general rule has at least the confidence."
    if run.fitted.n_rules_ > MAX_RULES:
        note += f" The {MAX_RULES} with the highest lift."
    return finish(go.Figure(cells), f"{run.fitted.n_rules_} rules", note, 420)
