"""The supports of the frequent item sets, size by size."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.association.figures.itemset_table import names_of
from dmlib.pictures.figures.style import ACCENT, finish
from dmlib.pictures.run import AnyRun

MAX_POINTS = 2000


def supports_by_size(run: AnyRun) -> go.Figure:
    """Draw each frequent item set at its size and its support."""
    model = run.fitted
    best = np.argsort(-model.support_, kind="stable")[:MAX_POINTS]
    membership, support = model.membership_[best], model.support_[best]
    size = membership.sum(axis=1)
    # Equal supports of one size lie side by side.
    order = np.lexsort((support, size))
    places = np.stack([size, support])[:, order]
    starts = np.flatnonzero(np.diff(places, axis=1, prepend=-1).any(axis=0))
    n_equal = np.diff([*starts, len(order)])
    shift = np.empty(len(order))
    shift[order] = [x for n in n_equal for x in np.linspace(-0.35, 0.35, n + 2)[1:-1]]
    names = names_of(run.problem.items, membership)
    figure = go.Figure(
        go.Scatter(
            x=size + shift,
            y=support,
            mode="markers",
            marker={"color": ACCENT, "size": 8},
            text=names,
            hovertemplate="%{text}<br>support %{y:.4g}<extra></extra>",
        )
    )
    figure.add_hline(y=run.model.min_support, line_dash="dash", line_width=1)
    note = (
        "Larger item sets have at most the support of their subsets."
        " The dashed line is min_support."
    )
    figure.update_xaxes(title="items in the set", dtick=1)
    figure.update_yaxes(title="support", rangemode="tozero")
    return finish(figure, f"Supports of {model.n_itemsets_} frequent item sets", note, 340)
