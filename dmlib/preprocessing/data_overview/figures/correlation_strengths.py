"""Clouds of points with given correlations, and a curve whose correlation is 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import AnyRun

STRENGTHS = (-0.9, -0.6, -0.3, 0.0, 0.3, 0.6, 0.9)
N_POINTS = 120
ACROSS = 4
SEED = 145  # round clouds without outliers, which alone would look like a trend


@dataclass(frozen=True)
class Cloud:
    """Points of two standardised columns with their correlation."""

    points: NDArray[np.float64]  # (n_points, 2)
    r: float
    is_curve: bool = False  # whether y depends on x, but not along a line


def correlated_columns(r: float, n: int, random_state: int = 0) -> NDArray[np.float64]:
    """Draw two standardised columns whose sample correlation is exactly ``r``, shape (n, 2).

    Parameters
    ----------
    r : float
        The correlation, from -1 to 1.
    n : int
        The number of points, three or more.
    random_state : int
        The seed.

    Notes
    -----
    Of a second normal column the part along the first is taken away, so that both are orthogonal;
    r of the first and sqrt(1 - r²) of the second then make the column that is wanted.

    Examples
    --------
    >>> x, y = correlated_columns(0.6, 50).T
    >>> round(float(x @ y / 49), 12), round(float(y.std(ddof=1)), 12)
    (0.6, 1.0)
    """
    rng = np.random.default_rng(random_state)
    x = _standardised(rng.normal(size=n))
    z = _standardised(_without(rng.normal(size=n), x))
    return np.column_stack([x, r * x + np.sqrt(1 - r**2) * z])


def clouds() -> tuple[Cloud, ...]:
    """Return a cloud for each of seven correlations, and a noisy parabola with r = 0.

    Examples
    --------
    >>> [cloud.r for cloud in clouds()]
    [-0.9, -0.6, -0.3, 0.0, 0.3, 0.6, 0.9, 0.0]
    """
    rng = np.random.default_rng(0)
    x = np.linspace(-1.7, 1.7, N_POINTS)  # symmetric: x and x² are not correlated
    noise = _without(rng.normal(scale=0.25, size=N_POINTS), x)
    parabola = np.column_stack([_standardised(x), _standardised(x**2 + noise)])
    lines = (Cloud(correlated_columns(r, N_POINTS, SEED), r) for r in STRENGTHS)
    return (*lines, Cloud(parabola, 0.0, is_curve=True))


def _standardised(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((x - x.mean()) / x.std(ddof=1))


def _without(z: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a column around its mean without its part along another one of mean 0."""
    away = z - z.mean()
    return np.asarray(away - (away @ x) / (x @ x) * x)


def correlation_strengths(_: AnyRun) -> go.Figure:
    """Draw the clouds beside each other, whatever the data of the page."""
    data = clouds()
    titles = [f"r = {cloud.r:g}".replace("-", "−") for cloud in data]
    figure = make_subplots(
        2, ACROSS, subplot_titles=titles, horizontal_spacing=0.03, vertical_spacing=0.12
    )
    for i, cloud in enumerate(data):
        x, y = cloud.points.T.astype(np.float32)
        figure.add_scatter(
            x=x,
            y=y,
            mode="markers",
            marker={"size": 4, "color": MUTED if cloud.is_curve else ACCENT},
            opacity=0.8,
            hovertemplate="%{x:.3g}, %{y:.3g}<extra></extra>",
            row=i // ACROSS + 1,
            col=i % ACROSS + 1,
        )
    figure.update_xaxes(range=[-3, 3], showticklabels=False)
    figure.update_yaxes(range=[-3, 3], showticklabels=False)
    title = "How strong is a correlation? Seven clouds, and a curve with r = 0."
    note = (
        f"Made-up points, {N_POINTS} in each panel; both columns are standardised, and r is exact."
        " Grey: y depends on x, but along no line, which r does not measure."
    )
    finish(figure, title, note, 400)
    return figure.update_layout(margin={"l": 16, "b": 24})
