"""The candidates, passes and memory of each method."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dmlib.association.apriori.algorithm import Apriori, AprioriHybrid, AprioriTid
from dmlib.association.apriori.extending import AIS, SETM
from dmlib.association.apriori.figures.candidates_by_method import fitted_with
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import count
from dmlib.problem import BasketsProblem

METHODS = (Apriori, AprioriTid, AprioriHybrid, AIS, SETM)


def memory_by_method(run: Run[BasketsProblem, Apriori]) -> go.Figure:
    """Draw the numbers in memory at each level, by method; the legend has candidates and passes."""
    models = [fitted_with(method, run) for method in METHODS]
    figure = go.Figure()
    for i, model in enumerate(models):
        candidates = f"{type(model).__name__}: {model.n_candidates_:,} candidates"
        passes = count(model.n_passes_, "pass", "passes")
        figure.add_scatter(
            x=np.arange(1, len(model.memory_per_level_) + 1),
            y=model.memory_per_level_,
            mode="lines+markers",
            marker={"symbol": i, "size": 9},
            name=f"{candidates}, {passes}, at most {model.peak_memory_:,} numbers",
        )
    figure.update_xaxes(title="items in the set", dtick=1)
    figure.update_yaxes(title="numbers in memory (logarithmic)", type="log", dtick=1)
    peaks = {type(model).__name__: model.peak_memory_ for model in models}
    title = (
        f"Apriori holds at most {peaks['Apriori']:,} numbers, AprioriTid {peaks['AprioriTid']:,}"
    )
    note = (
        "Counted are the items of the candidates, and the representation of the baskets:"
        " lists (Tid), tables (SETM)."
    )
    return finish(figure, title, note, 420, legend=True)
