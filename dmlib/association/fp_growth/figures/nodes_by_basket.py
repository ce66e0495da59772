"""How large the tree is, basket by basket."""

from __future__ import annotations

import plotly.graph_objects as go

from dmlib.association.fp_growth.algorithm import FPGrowth
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.problem import BasketsProblem


def nodes_by_basket(run: Run[BasketsProblem, FPGrowth]) -> go.Figure:
    """Draw the items in the baskets so far and the nodes of the FP-tree that hold them."""
    inserted = [step for step in run.trace.steps if step.phase == "insert"]
    baskets = [0, *(step.basket + 1 for step in inserted)]
    heights = {
        "frequent items in the baskets": [0, *(step.n_items for step in inserted)],
        "nodes of the FP-tree": [0, *(step.n_nodes for step in inserted)],
    }
    figure = go.Figure([go.Scatter(x=baskets, y=y, name=name) for name, y in heights.items()])
    figure.update_xaxes(title="baskets inserted")
    figure.update_yaxes(title="number", rangemode="tozero")
    (n_items, n_nodes) = (y[-1] for y in heights.values())
    title = f"{n_items:,} items in {baskets[-1]:,} baskets need {n_nodes:,} nodes"
    note = "Baskets that begin alike share nodes: the further apart the lines, the more they share."
    return finish(figure, title, note, 340, legend=True)
