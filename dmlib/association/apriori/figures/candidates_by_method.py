"""The candidates of each level, by method: what pruning saves."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.association.apriori.algorithm import Apriori
from dmlib.association.apriori.extending import AIS
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.problem import BasketsProblem


def fitted_with(method: type[Apriori], run: Run[BasketsProblem, Apriori]) -> Apriori:
    """Return another method, fitted to the baskets of a run with the parameters that both have."""
    names = method().get_params()
    params = {name: value for name, value in run.model.get_params().items() if name in names}
    return method(**params).fit(run.problem.data)


def candidates_by_method(run: Run[BasketsProblem, Apriori]) -> go.Figure:
    """Draw the number of candidates of each level: all item sets, AIS, Apriori, frequent ones."""
    ours, ais = fitted_with(Apriori, run), fitted_with(AIS, run)
    n_levels = max(len(ours.candidates_per_level_), len(ais.candidates_per_level_))
    sizes = np.arange(1, n_levels + 1)
    frequent = np.bincount(ours.membership_.sum(axis=1), minlength=n_levels + 1)[1 : n_levels + 1]
    bars: dict[str, Any] = {
        "all item sets": [comb(len(run.problem.items), int(size)) for size in sizes],
        "AIS, SETM": ais.candidates_per_level_,
        "Apriori, AprioriTid, AprioriHybrid": ours.candidates_per_level_,
        "frequent": frequent,
    }
    figure = go.Figure()
    for name, heights in bars.items():
        tooltip = f"{name}: %{{y}}<extra></extra>"
        figure.add_bar(x=sizes[: len(heights)], y=heights, name=name, hovertemplate=tooltip)
    figure.update_xaxes(title="items in the set", dtick=1)
    figure.update_yaxes(title="item sets (logarithmic)", type="log", dtick=1)
    title = f"AIS counts {ais.n_candidates_} candidates, Apriori {ours.n_candidates_}"
    note = "AIS does not prune by subsets, but counts only candidates that occur in a basket."
    return finish(figure, title, note, 340, barmode="group", legend=True)
