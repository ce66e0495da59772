"""What pruning saves: the candidates of each level, by method."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.association.apriori.algorithm import AIS, Apriori
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run


def of(run: Run, method: type[Apriori]) -> Apriori:
    """Return another method, fitted to the same baskets with the parameters that both have."""
    known = method().get_params()
    return method(
        **{name: value for name, value in run.model.get_params().items() if name in known}
    ).fit(run.problem.data)


def candidates_by_method(run: Run) -> go.Figure:
    """Draw the number of candidates of each level: all item sets, AIS, Apriori, and the frequent ones."""
    ours, ais = (of(run, method) for method in (Apriori, AIS))
    n_levels = max(len(ours.candidates_per_level_), len(ais.candidates_per_level_))
    sizes = np.arange(1, n_levels + 1)
    frequent = np.bincount(ours.membership_.sum(axis=1), minlength=n_levels + 1)[1 : n_levels + 1]
    bars: dict[str, Any] = {
        "all item sets": [comb(len(run.problem.items), int(size)) for size in sizes],
        "AIS, SETM": ais.candidates_per_level_,
        "Apriori, AprioriTid, AprioriHybrid": ours.candidates_per_level_,
        "frequent": frequent,
    }
    figure = go.Figure(
        [
            go.Bar(
                x=sizes[: len(n)], y=n, name=name, hovertemplate=f"{name}: %{{y}}<extra></extra>"
            )
            for name, n in bars.items()
        ]
    )
    figure.update_xaxes(title="items in the set", dtick=1)
    figure.update_yaxes(title="item sets (logarithmic)", type="log", dtick=1)
    title = f"AIS counts {ais.n_candidates_} candidates, Apriori {ours.n_candidates_}"
    note = "AIS does not prune by subsets, but counts only candidates that occur in a basket."
    return finish(figure, title, note, 340, barmode="group", legend=True)
