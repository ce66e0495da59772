"""Bias and variance as hits on a target, one for each training set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.evaluation.bias_variance.algorithm import GRID, SQUARED, BiasVariance
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

AIMS = GRID // 4, GRID - 1 - GRID // 4  # the two places along x whose errors are aimed at
RINGS = (1, 2, 3)


@dataclass(frozen=True, eq=False)
class Target:
    """The hits of one complexity."""

    title: str
    hits: Floats  # (n_sets, 2): prediction less truth at two places

    @property
    def middle(self) -> Floats:
        """The mean hit, whose distance from the bull's eye is the bias."""
        return np.asarray(self.hits.mean(axis=0))


def targets_data(run: Run[Problem, BiasVariance]) -> tuple[Target, ...]:
    """Return the hits of the simplest, the chosen and the most complex model."""
    model = clone(run.model).set_params(loss=SQUARED, random_state=run.seed)
    family = model.family
    ends = family.levels[0], family.levels[-1]
    simple, complex_ = ends[::-1] if family.falling else ends
    chosen = getattr(model, family.parameter)
    targets = []
    for title, level in (("simplest", simple), ("chosen", chosen), ("most complex", complex_)):
        model.set_params(**{family.parameter: type(chosen)(level)})
        model.fit(*run.problem.training.arguments)
        hits = (model.curves_ - model.truth_)[:, AIMS]
        targets.append(Target(f"{title}: {family.label} {level:g}", hits))
    return tuple(targets)


def targets(run: Run[Problem, BiasVariance]) -> go.Figure:
    """Draw the targets of a run."""
    return plot_targets(targets_data(run))


def plot_targets(data: tuple[Target, ...]) -> go.Figure:
    """Draw the hits on rings of one size, with an arrow's way from the bull's eye to their mean."""
    farthest = np.quantile(np.abs(np.concatenate([each.hits for each in data])), 0.98)
    radius = float(farthest or 1.0)
    figure = make_subplots(rows=1, cols=len(data), subplot_titles=[each.title for each in data])
    turn = np.linspace(0, 2 * np.pi, 73)
    for col, target in enumerate(data, start=1):
        for ring in RINGS:
            size = radius * ring / RINGS[-1]
            figure.add_scatter(
                x=size * np.cos(turn),
                y=size * np.sin(turn),
                mode="lines",
                line={"color": MUTED, "width": 1},
                hoverinfo="skip",
                row=1,
                col=col,
            )
        figure.add_scatter(
            x=target.hits[:, 0],
            y=target.hits[:, 1],
            mode="markers",
            marker={"size": 5, "color": ACCENT, "opacity": 0.6},
            hovertemplate="off by %{x:.3g} and %{y:.3g}<extra></extra>",
            row=1,
            col=col,
        )
        figure.add_scatter(
            x=[0, target.middle[0]],
            y=[0, target.middle[1]],
            mode="lines+markers",
            line={"color": MUTED, "width": 3},
            marker={"size": [0, 12], "symbol": "x", "color": MUTED},
            hovertemplate="mean: off by %{x:.3g} and %{y:.3g}<extra></extra>",
            row=1,
            col=col,
        )
        figure.update_yaxes(scaleanchor=f"x{col}" if col > 1 else "x", row=1, col=col)
    limits = [-1.15 * radius, 1.15 * radius]
    figure.update_xaxes(range=limits, showgrid=False, zeroline=False, constrain="domain")
    figure.update_yaxes(range=limits, showgrid=False, zeroline=False, constrain="domain")
    figure.update_annotations(font_size=12)
    return finish(figure, _title(data), _note(), 300)


def _title(data: tuple[Target, ...]) -> str:
    biases = [float(np.hypot(*each.middle)) for each in data]
    spreads = [float(np.sqrt(each.hits.var(axis=0).sum())) for each in data]
    return (
        f"From simple to complex the mean hit is {_list(biases)} from the bull's eye, and the hits"
        f" scatter by {_list(spreads)}."
    )


def _list(values: list[float]) -> str:
    *first, last = (f"{value:.3g}" for value in values)
    return f"{', '.join(first)} and {last}"


def _note() -> str:
    return (
        "A hit is the model of one training set: how far it is off at a quarter of x (across) and"
        " at three quarters (up). From the centre to the cross: bias. Around the cross: variance."
    )
