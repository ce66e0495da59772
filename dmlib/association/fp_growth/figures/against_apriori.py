"""The candidates of Apriori beside the nodes of FP-growth."""

from __future__ import annotations

import plotly.graph_objects as go

from dmlib.association.apriori.algorithm import Apriori
from dmlib.association.fp_growth.algorithm import FPGrowth
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.problem import BasketsProblem


def against_apriori(run: Run[BasketsProblem, FPGrowth]) -> go.Figure:
    """Draw Apriori's candidates beside the nodes of FP-growth's trees."""
    model = run.fitted
    by_apriori = Apriori(model.min_support, max_length=model.max_length).fit(run.problem.data)
    n_items = int(run.problem.matrix[:, model.membership_.any(axis=0)].sum())
    bars = {
        "frequent item sets": model.n_itemsets_,
        "Apriori: candidates counted": by_apriori.n_candidates_,
        "FP-growth: nodes of the FP-tree": model.n_nodes_,
        "FP-growth: nodes of conditional trees": model.n_conditional_nodes_,
        "FP-growth: conditional trees": model.n_trees_,
        "frequent items in all baskets": n_items,
    }
    names, heights = list(bars), list(bars.values())
    figure = go.Figure(
        go.Bar(y=names, x=heights, orientation="h", text=[f"{n:,}" for n in heights])
    )
    figure.update_xaxes(title="number", rangemode="tozero")
    figure.update_yaxes(autorange="reversed")
    n_candidates = by_apriori.n_candidates_
    n_infrequent = n_candidates - by_apriori.n_itemsets_
    title = f"Apriori counts {n_candidates:,} candidates, {n_infrequent:,} of them infrequent"
    passes = f"Apriori reads the baskets {by_apriori.n_passes_} times, FP-growth twice"
    note = f"{passes}; it has no candidates."
    return finish(figure, title, note, 340)
