"""How large the tree is, by the order in which it takes the items."""

from __future__ import annotations

import plotly.graph_objects as go
from sklearn.base import clone

from dmlib.association.fp_growth.algorithm import FPGrowth
from dmlib.association.fp_growth.growth import ORDERS
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.problem import BasketsProblem


def nodes_by_order(run: Run[BasketsProblem, FPGrowth]) -> go.Figure:
    """Draw the nodes of the FP-tree and of all conditional trees for each order of the items."""
    models = {
        order: clone(run.model).set_params(order=order).fit(run.problem.data) for order in ORDERS
    }
    bars = {
        "FP-tree": [model.n_nodes_ for model in models.values()],
        "conditional trees": [model.n_conditional_nodes_ for model in models.values()],
    }
    figure = go.Figure([go.Bar(x=list(models), y=n, name=name, text=n) for name, n in bars.items()])
    figure.update_xaxes(title="order of the items from the root down")
    figure.update_yaxes(title="nodes", rangemode="tozero")
    n = {order: model.n_nodes_ for order, model in models.items()}
    title = (
        f"The FP-tree has {n['descending']:,} nodes with the most frequent item first,"
        f" {n['ascending']:,} with the last"
    )
    note = (
        "The frequent item sets are the same. Frequent items near the root are shared by more"
        " baskets."
    )
    return finish(figure, title, note, 340, barmode="group", legend=True)
