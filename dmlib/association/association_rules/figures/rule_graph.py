"""The rules as a graph: from antecedents through a rule to its consequents."""

from __future__ import annotations

import networkx as nx
import numpy as np
import plotly.graph_objects as go

from dmlib.association.association_rules.algorithm import AssociationRules
from dmlib.association.association_rules.figures.rule_table import best_rules, side
from dmlib.association.association_rules.multiple_support import MultipleSupportApriori
from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.problem import BasketsProblem

MAX_RULES = 20


def rule_graph(run: Run[BasketsProblem, AssociationRules | MultipleSupportApriori]) -> go.Figure:
    """Draw the rules with the highest lift as discs, sized by support, between their items."""
    rules = best_rules(run, MAX_RULES)
    graph = nx.DiGraph()
    for r, (a, b) in enumerate(zip(rules["antecedents"], rules["consequents"], strict=True)):
        graph.add_edges_from([(("item", item), r) for item in a])
        graph.add_edges_from([(r, ("item", item)) for item in b])
    places = nx.spring_layout(graph.to_undirected(), seed=0, k=1.6 / np.sqrt(len(graph)))
    items = [node for node in graph if isinstance(node, tuple)]
    discs = np.array([places[r] for r in range(len(rules))])
    names = np.array([places[node] for node in items])
    columns = ["antecedents", "consequents", "support", "confidence", "lift"]
    tooltips = [
        f"{side(a)} → {side(b)}<br>support {s:.4g}, confidence {c:.4g}, lift {v:.4g}"
        for a, b, s, c, v in rules[columns].to_numpy()
    ]
    size = 10 + 18 * rules["support"] / rules["support"].max()
    figure = go.Figure(
        [
            go.Scatter(
                x=discs[:, 0],
                y=discs[:, 1],
                mode="markers",
                text=tooltips,
                hovertemplate="%{text}<extra></extra>",
                marker={
                    "size": size,
                    "color": rules["lift"],
                    "showscale": True,
                    "colorbar": {"title": "lift"},
                },
            ),
            go.Scatter(
                x=names[:, 0],
                y=names[:, 1],
                mode="markers+text",
                text=[plain(item) for _, item in items],
                textposition="top center",
                hoverinfo="skip",
                marker={"size": 7, "color": ACCENT, "symbol": "square"},
            ),
        ]
    )
    for start, end in graph.edges:
        (x0, y0), (x1, y1) = places[start], places[end]
        figure.add_annotation(
            x=x1,
            y=y1,
            ax=x0,
            ay=y0,
            xref="x",
            yref="y",
            axref="x",
            ayref="y",
            text="",
            arrowhead=2,
            arrowsize=1,
            arrowwidth=1,
            arrowcolor=MUTED,
            standoff=6,
            startstandoff=6,
        )
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    note = (
        "Arrows lead from the antecedent into a rule, and out of it to the consequent."
        " Larger discs: more support."
    )
    return finish(figure, f"The {len(rules)} rules with the highest lift", note, 460)
