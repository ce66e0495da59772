"""How many components to keep: the variance of each, its share, and several rules of thumb."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from plotly.subplots import make_subplots

from dmlib.decomposition.pca.algorithm import PCA
from dmlib.pictures.figures.style import MUTED, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem

SHARES = (0.85, 0.9)
MAX_BARS = 30


@dataclass(frozen=True)
class ScreeData:
    """The components of some rows, by falling variance."""

    # (n_components,): the eigenvalues, their shares of the whole variance, and the sums of these
    variances: NDArray[np.float64]
    shares: NDArray[np.float64]
    cumulative: NDArray[np.float64]
    # (n_components,): the variances that a stick of the whole length would have if it broke at
    # random places
    broken_stick: NDArray[np.float64]
    reaching: tuple[int, ...]  # how many components explain 85%, and 90%
    # how many come before the bend of the curve: the value farthest below the chord from the first
    # to the last
    elbow: int
    # how many are larger than the mean variance (Kaiser), and how many first ones larger than the
    # broken stick's
    above_mean: int
    above_stick: int
    n_components: int  # of the model
    mean: float  # the mean variance of the columns


def scree_data(model: PCA, X: ArrayLike) -> ScreeData:
    """Return all components of ``X``, and how many each rule keeps, beside a fitted model.

    References
    ----------
    R. B. Cattell (1966), The scree test for the number of factors.
    H. F. Kaiser (1960), The application of electronic computers to factor analysis.
    S. Frontier (1976), Étude de la décroissance des valeurs propres (the broken stick).

    Examples
    --------
    >>> X = np.array([[3.0, 0, 0], [-3, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 0.5], [0, 0, -0.5]])
    >>> data = scree_data(PCA(1).fit(X), X)
    >>> data.shares.round(2).tolist(), data.reaching, data.elbow, data.above_mean, data.above_stick
    ([0.88, 0.1, 0.02], (1, 2), 1, 1, 1)
    """
    variances = PCA(scale=model.scale).fit(X).explained_variance_
    n_features = np.shape(X)[1]
    mean = float(variances.sum()) / n_features
    shares = variances / variances.sum()
    cumulative = shares.cumsum()
    stick = (1 / np.arange(1, n_features + 1))[::-1].cumsum()[::-1][: len(shares)] / n_features
    longer = shares > stick
    return ScreeData(
        variances=variances,
        shares=shares,
        cumulative=cumulative,
        broken_stick=stick * variances.sum(),
        reaching=tuple(int(np.argmax(cumulative >= share - 1e-12)) + 1 for share in SHARES),
        elbow=_elbow(variances),
        above_mean=int((variances > mean * (1 + 1e-12)).sum()),
        above_stick=int(longer.argmin()) if not longer.all() else len(longer),
        n_components=model.n_components_,
        mean=mean,
    )


def _elbow(variances: NDArray[np.float64]) -> int:
    """Return how many values come before the one farthest below the chord of the curve."""
    chord = np.linspace(variances[0], variances[-1], len(variances))
    return max(1, int((chord - variances).argmax()))


def scree(run: Run[Problem, PCA]) -> go.Figure:
    """Draw how much each component explains."""
    return plot_scree(scree_data(run.fitted, run.problem.X))


def plot_scree(data: ScreeData) -> go.Figure:
    """Draw the variances above their cumulative shares; those of the model are filled."""
    n = min(len(data.variances), MAX_BARS)
    numbers = np.arange(1, n + 1)
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.08)
    hover = "component %{x}<br>variance %{y:.5g}<br>share %{customdata:.2%}<extra></extra>"
    figure.add_bar(
        x=numbers,
        y=data.variances[:n],
        customdata=data.shares[:n],
        marker={"opacity": np.where(numbers <= data.n_components, 0.9, 0.35)},
        hovertemplate=hover,
        row=1,
        col=1,
    )
    figure.add_scatter(
        x=numbers,
        y=data.broken_stick[:n],
        mode="lines",
        line={"dash": "dot", "color": MUTED},
        hovertemplate="broken stick %{y:.5g}<extra></extra>",
        row=1,
        col=1,
    )
    figure.add_hline(y=data.mean, line={"dash": "dash", "color": MUTED}, row=1, col=1)
    figure.add_scatter(
        x=numbers,
        y=data.cumulative[:n],
        mode="lines+markers",
        hovertemplate="%{x} components explain %{y:.2%}<extra></extra>",
        row=2,
        col=1,
    )
    for share in SHARES:
        figure.add_hline(
            y=share,
            line={"dash": "dash", "color": MUTED, "width": 1},
            annotation_text=percent(share),
            annotation_position="top left" if share == SHARES[-1] else "bottom left",
            row=2,
            col=1,
        )
    figure.update_yaxes(title_text="variance, λ", rangemode="tozero", row=1, col=1)
    figure.update_yaxes(
        title_text="cumulative share", tickformat=".0%", range=[0, 1.06], row=2, col=1
    )
    figure.update_xaxes(dtick=max(1, n // 10), showgrid=False, range=[0.4, max(n, 2) + 0.6])
    figure.update_xaxes(title_text="component", row=2, col=1)
    title = (
        f"85 % takes {data.reaching[0]}, 90 % takes {data.reaching[1]} of {len(data.variances)};"
        f" the elbow says {data.elbow}, Kaiser {data.above_mean},"
        f" the broken stick {data.above_stick}."
    )
    note = (
        f"Full colour: the {data.n_components} kept. Dashed: the mean variance (Kaiser's rule)."
        " Dotted: what the broken-stick rule expects."
    )
    return finish(figure, title, note, 420)
