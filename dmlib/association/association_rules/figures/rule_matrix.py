"""The rules as a matrix: antecedents against consequents, coloured by lift."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.association.association_rules.figures.rule_table import best_rules, side
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run

MOST_RULES = 80


def rule_matrix(run: Run) -> go.Figure:
    """Draw a cell for each rule: its antecedent is the row, its consequent the column, its lift the colour."""
    rules = best_rules(run, MOST_RULES)
    rows, columns = (
        list(dict.fromkeys(map(side, rules[name]))) for name in ("antecedents", "consequents")
    )
    lift = np.full((len(rows), len(columns)), np.nan)
    told = np.full(lift.shape, "", object)
    for a, b, value, support, confidence in zip(
        *(rules[name] for name in ("antecedents", "consequents", "lift", "support", "confidence")),
        strict=True,
    ):
        cell = rows.index(side(a)), columns.index(side(b))
        lift[cell], told[cell] = value, f"support {support:.4g}, confidence {confidence:.4g}"
    figure = go.Figure(
        go.Heatmap(
            z=lift,
            x=columns,
            y=rows,
            text=told,
            xgap=2,
            ygap=2,
            colorbar={"title": "lift"},
            hovertemplate="%{y} → %{x}<br>lift %{z:.4g}, %{text}<extra></extra>",
        )
    )
    figure.update_xaxes(title="consequent", type="category", showgrid=False)
    figure.update_yaxes(
        title="antecedent", type="category", autorange="reversed", showgrid=False, automargin=True
    )
    note = "Each cell is a rule, from the antecedent of its row to the consequent of its column."
    return finish(
        figure, f"The {len(rules)} rules with the highest lift", note, max(300, 22 * len(rows) + 90)
    )
