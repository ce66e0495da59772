"""How many Gaussian components of which shape: BIC and AIC against k."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike
from plotly.subplots import make_subplots

from dmlib.arrays import Floats
from dmlib.clustering import GaussianMixture, MixtureSweep, mixture_sweep
from dmlib.pictures.figures.style import MUTED, SYMBOLS, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_COMPONENTS = 9
MAX_RESTARTS = 3
MAX_ITERATIONS = 200
STOPPED = 1000  # rows and columns together above which fewer k are tried
FEW_COMPONENTS = 6
HEIGHT = 490  # pixels
FAR_WORSE = (
    1.5  # ranges of the best type above the smallest: what is worse would make all else flat
)


@dataclass(frozen=True)
class MixtureSweepData:
    """Mixtures for k = 1, 2, ... and four covariance types."""

    sweep: MixtureSweep  # their BIC and AIC
    current: tuple[str, int]  # the covariance type and the k on the screen


def mixture_sweep_data(model: GaussianMixture, X: ArrayLike) -> MixtureSweepData:
    """Fit mixtures of 1 to 9 components (6 for large tables) of all four types as ``model`` would.

    Its start, stopping rule, regularisation and seed are used; at most 3 restarts and 200
    iterations are made, to bound the time.

    Examples
    --------
    >>> X = np.r_[np.arange(10.0), np.arange(100.0, 110.0)][:, None]
    >>> mixture_sweep_data(GaussianMixture(1, random_state=0), X).sweep.best[1]
    2
    """
    rows = np.asarray(X, float)
    k_max = min(MAX_COMPONENTS if rows.size <= STOPPED else FEW_COMPONENTS, len(rows) - 1)
    sweep = mixture_sweep(
        rows,
        range(1, max(k_max, 1) + 1),
        init=model.init if isinstance(model.init, str) else "kmeans",
        n_init=min(model.n_init, MAX_RESTARTS),
        max_iter=min(model.max_iter, MAX_ITERATIONS),
        tol=model.tol,
        reg_covar=model.reg_covar,
        random_state=model.random_state,
    )
    return MixtureSweepData(sweep, (model.covariance_type, model.n_components))


def mixtures(run: Run[Problem, GaussianMixture]) -> go.Figure:
    """Draw the mixtures to choose from."""
    return plot_mixture_sweep(mixture_sweep_data(run.model, run.problem.X))


def plot_mixture_sweep(data: MixtureSweepData) -> go.Figure:
    """Draw BIC above AIC, one line for each covariance type, with the smallest marked."""
    sweep = data.sweep
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.08)
    for row, (name, values) in enumerate([("BIC", sweep.bic), ("AIC", sweep.aic)], start=1):
        smallest = divmod(int(np.nanargmin(values)), len(sweep.k))
        for i, kind in enumerate(sweep.covariance_types):
            best = [(i, j) == smallest for j in range(len(sweep.k))]
            symbols, sizes = np.where(best, "star", SYMBOLS[i]), np.where(best, 15, 7)
            figure.add_scatter(
                x=sweep.k,
                y=values[i],
                name=kind,
                legendgroup=kind,
                showlegend=row == 1,
                mode="lines+markers",
                line={"width": 3 if kind == data.current[0] else 1.5},
                marker={"size": sizes, "symbol": symbols},
                customdata=sweep.n_parameters[i],
                hovertemplate=(
                    f"{kind}, k = %{{x}}<br>{name} "
                    f"%{{y:.6g}}<br>%{{customdata}} parameters<extra></extra>"
                ),
                row=row,
                col=1,
            )
        figure.update_yaxes(title_text=name, range=_window(values, smallest[0]), row=row, col=1)
    if data.current[1] in sweep.k:
        figure.add_vline(x=data.current[1], line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(dtick=1, showgrid=False, range=[0.6, max(int(sweep.k.max()), 2) + 0.4])
    figure.update_xaxes(title_text="components, k", row=2, col=1)
    kind, k = sweep.best
    title = f"The BIC is smallest for {k} component{'s' if k > 1 else ''}, {kind}."
    figure = finish(figure, title, _note(data), HEIGHT)
    colors = figure.layout.colorway
    return figure.update_layout(
        showlegend=True,
        colorway=colors and colors[: len(sweep.covariance_types)],  # the same again for AIC
        margin_b=100,
        legend={"orientation": "h", "x": 0, "y": -60 / HEIGHT, "yanchor": "top"},
    )


def _window(values: Floats, best: int) -> list[float]:
    """Return the range of the axis: that of the best type, and of others that are comparable."""
    low, high = float(np.nanmin(values)), float(np.nanmax(values[best]))
    rise = max(high - low, 0.01 * abs(low), 1e-9)
    comparable = values[values <= low + FAR_WORSE * rise]
    return [low - 0.1 * rise, float(comparable.max(initial=high)) + 0.1 * rise]


def _note(data: MixtureSweepData) -> str:
    kind, k = data.current
    current = f"Star: the smallest. Thick and dotted: {kind}, current k = {k}."
    if kind not in data.sweep.covariance_types:
        current = f"Star: the smallest. Dotted: current k = {k}."
    return " ".join([current, "Much worse values lie above the picture.", *data.sweep.notes[:2]])
