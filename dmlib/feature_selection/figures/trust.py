"""Whether a selection would come again, and what it costs to select before the folds."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dmlib.feature_selection.figures.of_columns import of_columns
from dmlib.feature_selection.resampling import (
    N_NOISE_COLUMNS,
    N_NOISE_SELECTED,
    Circularity,
    Progress,
    SelectionStability,
    circularity,
    selection_stability,
)
from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem

RESAMPLES, REPETITIONS = 50, 20
MAX_COLUMNS = 40
Stability = tuple[SelectionStability, tuple[str, ...], tuple[bool, ...]]


@of_columns
def stability_data(run: Run[Problem, Any], progress: Progress) -> Stability:
    """Select in resamples of a run's training rows."""
    training = run.problem.training
    stability = selection_stability(
        run.model,
        training.X,
        np.asarray(training.y),
        n_resamples=RESAMPLES,
        random_state=run.seed,
        progress=progress,
    )
    return stability, run.problem.features, tuple(run.fitted.support_.tolist())


def plot_stability(data: Stability) -> go.Figure:
    """Draw the share of the resamples that select each column; those of the run in blue."""
    resamples, names, chosen = data
    order = np.argsort(-resamples.shares, kind="stable")[:MAX_COLUMNS]
    places = np.arange(len(order))
    figure = go.Figure(
        go.Bar(
            x=resamples.shares[order],
            y=places,
            orientation="h",
            marker={"color": [ACCENT if chosen[j] else MUTED for j in order]},
            hovertemplate="%{x:.0%}<extra></extra>",
        )
    )
    ticks = [plain(names[j]) for j in order]
    figure.update_yaxes(tickvals=places, ticktext=ticks, autorange="reversed", automargin=True)
    figure.update_xaxes(title_text="share of the resamples", range=[0, 1.02], tickformat=".0%")
    same = float((resamples.chosen == np.array(chosen)).all(axis=1).mean())
    title = f"{percent(same)} of the resamples select the same set."
    note = f"Blue: selected here. {len(resamples.chosen)} bootstrap resamples."
    if not np.isnan(resamples.stability):
        note += f" Stability {resamples.stability:.2f}: 1 if all agree, 0 by chance."
    return finish(figure, title.replace("-", "−"), note.replace("-", "−"), 90 + 26 * len(order))


@of_columns
def circularity_data(run: Run[Problem, Any], progress: Progress) -> Circularity:
    """Cross-validate with a run's selection outside and inside the folds, and on noise."""
    training = run.problem.training
    return circularity(
        run.model,
        training.X,
        np.asarray(training.y),
        classes=not run.problem.numeric_target,
        n_repetitions=REPETITIONS,
        random_state=run.seed,
        progress=progress,
    )


def plot_circularity(data: Circularity) -> go.Figure:
    """Draw the scores of all repetitions, outside and inside the folds, and those of noise."""
    figure = go.Figure()
    name = "accuracy" if data.classes else "R²"
    rows = {
        "these data, before the folds": (data.outside, MUTED),
        "these data, inside the folds": (data.inside, ACCENT),
        "noise, before the folds": (data.noise_outside, MUTED),
        "noise, inside the folds": (data.noise_inside, ACCENT),
    }
    shift = np.random.default_rng(0).uniform(-0.16, 0.16, len(data.outside))
    for i, (label, (values, color)) in enumerate(rows.items()):
        figure.add_scatter(
            x=values,
            y=i + shift,
            mode="markers",
            marker={"color": color, "size": 7, "opacity": 0.6},
            hovertemplate=f"{label}: %{{x:.3f}}<extra></extra>",
        )
        mean = float(values.mean())
        figure.add_scatter(
            x=[mean, mean],
            y=[i - 0.3, i + 0.3],
            mode="lines",
            line={"color": color, "width": 4},
            hovertemplate=f"mean {mean:.3f}<extra></extra>",
        )
    figure.add_vline(x=data.chance, line={"dash": "dot", "width": 1.5, "color": MUTED})
    figure.update_yaxes(
        tickvals=list(range(4)), ticktext=[*rows], autorange="reversed", automargin=True
    )
    figure.update_xaxes(title_text=f"cross-validated {name}")
    outside = f"{data.noise_outside.mean():.2f}".replace("-", "−")
    inside = f"{data.noise_inside.mean():.2f}".replace("-", "−")
    title = (
        f"Of pure noise, {name} {outside} if columns are selected before the folds, {inside}"
        " inside them."
    )
    note = (
        f"Noise: the target is shuffled, and the {N_NOISE_SELECTED} of {N_NOISE_COLUMNS} columns"
        " of random numbers that correlate most with it are kept. Dotted: the error without any"
        " column. Lines: means."
    )
    return finish(figure, title, note, 340)
