"""The rules as a matrix: antecedents against consequents, coloured by lift."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.association.association_rules.algorithm import AssociationRules
from dmlib.association.association_rules.figures.rule_table import best_rules, side
from dmlib.association.association_rules.multiple_support import MultipleSupportApriori
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.problem import BasketsProblem

MAX_RULES = 80


def rule_matrix(run: Run[BasketsProblem, AssociationRules | MultipleSupportApriori]) -> go.Figure:
    """Draw a cell for each rule, by antecedent and consequent, coloured by its lift."""
    rules = best_rules(run, MAX_RULES)
    rows = list(dict.fromkeys(map(side, rules["antecedents"])))
    columns = list(dict.fromkeys(map(side, rules["consequents"])))
    lift = np.full((len(rows), len(columns)), np.nan)
    tooltips = np.full(lift.shape, "", object)
    values = rules[["antecedents", "consequents", "lift", "support", "confidence"]]
    for a, b, value, support, confidence in values.to_numpy():
        cell = rows.index(side(a)), columns.index(side(b))
        lift[cell] = value
        tooltips[cell] = f"support {support:.4g}, confidence {confidence:.4g}"
    figure = go.Figure(
        go.Heatmap(
            z=lift,
            x=columns,
            y=rows,
            text=tooltips,
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
    title = f"The {len(rules)} rules with the highest lift"
    return finish(figure, title, note, max(300, 22 * len(rows) + 90))
