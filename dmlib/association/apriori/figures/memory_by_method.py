"""What the methods count, how often they read the baskets, and what they hold in memory meanwhile."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.association.apriori.algorithm import AIS, SETM, Apriori, AprioriHybrid, AprioriTid
from dmlib.association.apriori.figures.candidates_by_method import of
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import count

METHODS = (Apriori, AprioriTid, AprioriHybrid, AIS, SETM)


def memory_by_method(run: Run) -> go.Figure:
    """Draw the numbers that each method holds at each level; the legend has its candidates and passes."""
    models = [of(run, method) for method in METHODS]
    figure = go.Figure(
        [
            go.Scatter(
                x=np.arange(1, len(model.memory_per_level_) + 1),
                y=model.memory_per_level_,
                mode="lines+markers",
                marker={"symbol": i, "size": 9},
                name=(
                    f"{type(model).__name__}: {model.n_candidates_:,} candidates,"
                    f" {count(model.n_passes_, 'pass', 'passes')}, at most {model.peak_memory_:,}"
                    " numbers"
                ),
            )
            for i, model in enumerate(models)
        ]
    )
    figure.update_xaxes(title="items in the set", dtick=1)
    figure.update_yaxes(title="numbers in memory (logarithmic)", type="log", dtick=1)
    peaks = {type(model).__name__: model.peak_memory_ for model in models}
    title = (
        f"Apriori holds at most {peaks['Apriori']:,} numbers, AprioriTid {peaks['AprioriTid']:,}"
    )
    note = (
        "Counted are the items of the candidates, and the representation of the baskets: lists"
        " (Tid), tables (SETM)."
    )
    return finish(figure, title, note, 420, legend=True)
