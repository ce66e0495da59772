"""Gap statistic, stability of clusters, and measures of random rows: sweeps of clusterings."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dmlib.arrays import Floats
from dmlib.clustering.cluster_validity.algorithm import (
    INTERNAL,
    LARGE_IS_GOOD,
    MEASURE_NAMES,
    ClusterValidity,
)
from dmlib.clustering.cluster_validity.clusterings import counts_clusters, name_of
from dmlib.clustering.cluster_validity.resampling import (
    GapStatistic,
    Progress,
    Stability,
    gap_statistic,
    random_values,
    stability,
)
from dmlib.pictures.figures.style import MUTED, class_color, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_CLUSTERS = 8
REFERENCES, RESAMPLES, SETS = 10, 20, 30  # sets of random rows, or of drawn ones
STABLE, DOUBTFUL = 0.85, 0.6  # Hennig's limits


def gap_data(run: Run[Problem, ClusterValidity], progress: Progress) -> GapStatistic:
    """Compute the gap statistic of a run's clustering."""
    model = run.model
    if not counts_clusters(model.clustering):
        raise ValueError(
            f"{name_of(model.clustering)} finds the number of clusters itself, "
            "so there is no k to choose. Choose a clustering with a given k."
        )
    ks = range(1, min(MAX_CLUSTERS, len(run.problem.X)) + 1)
    return gap_statistic(
        run.problem.X,
        ks,
        model.clustering,
        n_references=REFERENCES,
        random_state=run.seed,
        progress=progress,
    )


def plot_gap(data: GapStatistic) -> go.Figure:
    """Draw the logarithm of the SSE beside that of random rows, and the gap with its errors."""
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.08)
    for name, values, dash in (
        ("log SSE", data.log_within, "solid"),
        ("of random rows", data.expected, "dot"),
    ):
        hover = f"k = %{{x}}<br>{name} %{{y:.4g}}<extra></extra>"
        figure.add_scatter(
            x=data.k, y=values, name=name, line={"dash": dash}, hovertemplate=hover, row=1, col=1
        )
    star = data.k == data.chosen
    figure.add_scatter(
        x=data.k,
        y=data.gap,
        error_y={"array": data.error},
        mode="lines+markers",
        marker={"size": np.where(star, 15, 7), "symbol": np.where(star, "star", "circle")},
        hovertemplate="k = %{x}<br>gap %{y:.4g}<extra></extra>",
        row=2,
        col=1,
    )
    figure.update_yaxes(title_text="log SSE", row=1, col=1)
    figure.update_yaxes(title_text="gap", row=2, col=1)
    figure.update_xaxes(dtick=1, showgrid=False)
    figure.update_xaxes(title_text="clusters, k", row=2, col=1)
    title = f"The gap statistic chooses {data.chosen} cluster{'s' * (data.chosen > 1)}."
    note = (
        "The smallest k whose gap is at least the next one less its error. "
        "Dotted: mean of 10 sets of random rows."
    )
    return finish(figure, title, note, 400)


def stability_data(run: Run[Problem, ClusterValidity], progress: Progress) -> Stability:
    """Compute the stability of a run's clusters."""
    model = run.model
    return stability(
        run.problem.X,
        model.clustering,
        model.n_clusters,
        n_resamples=RESAMPLES,
        random_state=run.seed,
        progress=progress,
    )


def plot_stability(data: Stability) -> go.Figure:
    """Draw the similarity of each cluster with the nearest one of each resample."""
    figure, shift = go.Figure(), np.random.default_rng(0).uniform(-0.15, 0.15, len(data.jaccard))
    for i, name in enumerate(data.names):
        color = class_color(figure, name)
        figure.add_scatter(
            x=i + shift,
            y=data.jaccard[:, i],
            mode="markers",
            marker={"color": color, "size": 6, "opacity": 0.6},
            hovertemplate=f"cluster {name + 1}: %{{y:.3f}}<extra></extra>",
        )
        figure.add_scatter(
            x=[i - 0.3, i + 0.3],
            y=[data.mean[i]] * 2,
            mode="lines",
            line={"color": color, "width": 4},
            hovertemplate=f"cluster {name + 1}, mean {data.mean[i]:.3f}<extra></extra>",
        )
    for level in (STABLE, DOUBTFUL):
        figure.add_hline(y=level, line={"dash": "dot", "width": 1.5, "color": MUTED})
    names = [f"cluster {name + 1}" for name in data.names]
    figure.update_xaxes(tickvals=list(range(len(names))), ticktext=names, showgrid=False)
    figure.update_yaxes(title_text="Jaccard similarity", range=[0, 1.05])
    stable = int((data.mean >= STABLE).sum())
    title = f"{stable} of {len(names)} clusters are stable."
    note = (
        f"Each cluster in {len(data.jaccard)} bootstrap resamples. "
        "Dotted: 0.85, stable; 0.6, below it doubtful."
    )
    return finish(figure, title, note, 340)


def random_data(
    run: Run[Problem, ClusterValidity], progress: Progress
) -> tuple[str, float, Floats]:
    """Measure the run's clustering on random rows, by the silhouette for external measures."""
    model = run.model
    measure = model.measure if model.measure in INTERNAL else "silhouette"
    value = run.fitted.measures_[measure]
    values = random_values(
        run.problem.X,
        model.clustering,
        model.n_clusters,
        measure,
        n_neighbors=model.n_neighbors,
        n_sets=SETS,
        random_state=run.seed,
        progress=progress,
    )
    return measure, float(value), values[np.isfinite(values)]


def plot_random(data: tuple[str, float, Floats]) -> go.Figure:
    """Draw the values of random rows as a histogram, that of the rows as a line."""
    measure, value, values = data
    if not values.size or not np.isfinite(value):
        raise ValueError(
            f"The {MEASURE_NAMES[measure]} is not defined here. "
            "Choose another measure or clustering."
        )
    figure = go.Figure(
        go.Histogram(x=values, nbinsx=15, hovertemplate="%{x}: %{y} sets<extra></extra>")
    )
    figure.add_vline(x=value, line={"width": 4, "color": "#d55e00"})
    figure.update_xaxes(title_text=MEASURE_NAMES[measure])
    figure.update_yaxes(title_text="sets of random rows", showgrid=False)
    better = values >= value if measure in LARGE_IS_GOOD else values <= value
    title = (
        f"{int(better.sum())} of {len(values)} sets of "
        f"random rows are as good as these rows, {value:.4g}."
    )
    note = (
        "The same clustering of as many rows, "
        "drawn uniformly from the box of the data. Line: these rows."
    )
    return finish(figure, title, note, 320)
