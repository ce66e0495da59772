"""What k components give back: the error for every k, with and without noise, and rows that are pictures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from sklearn.base import clone

from dmlib.decomposition.pca.algorithm import PCA
from dmlib.decomposition.pca.scene import OPTIONS
from dmlib.decomposition.pixels import pixel_grid
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.options import chosen
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MOST_PICTURES, MOST_STRIPS = (
    10,
    15,
)  # rows that are shown as pictures, or as strips of their columns
MOST_COLUMNS = 40  # of a strip


@dataclass(frozen=True)
class ReconstructionData:
    """Rows, the same with noise, and what components trained on the noisy ones give back."""

    kept: int  # how many components
    # Standard deviation of the noise that was added to every value, in standard deviations of the
    # columns
    noise: float
    # (n_features + 1,): for k = 0, 1, ... components: mean squared distance of what they give back
    # to the noisy rows, and to the rows without noise
    own: NDArray[np.float64]
    clean: NDArray[np.float64]
    best: int  # the k that comes nearest to the rows without noise
    # (n_samples, n_features): in the units of the table
    rows: NDArray[np.float64]
    noisy: NDArray[np.float64]
    rebuilt: NDArray[np.float64]
    components: NDArray[np.float64]  # (n_components, n_features): the components that are kept
    grid: tuple[int, int] | None  # height and width of the pictures that the rows are
    numbers: NDArray[np.intp]  # (n_samples,): numbers of the rows in the table, from 1

    @property
    def ratio(self) -> float:
        """How many times fewer numbers the scores, the components and the mean are than the rows."""
        n_samples, n_features = self.rows.shape
        return float(n_samples * n_features / (self.kept * (n_samples + n_features) + n_features))


def reconstruction_data(
    model: PCA, problem: Problem, noise: float, seed: int = 0
) -> ReconstructionData:
    """Add noise, find the components of the noisy rows, and rebuild these from the first k of them.

    The model says how many are kept. ``noise`` is the standard deviation, in root mean variances of
    the columns, and ``seed`` that of the noise.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [4.0, -4.0, -1.5, 1.5], "b": [3.0, -3.0, 2.0, -2.0]}), ["a", "b"])
    >>> data = reconstruction_data(PCA(1), problem, 0.0)
    >>> data.own.round(3).tolist()
    [15.625, 3.125, 0.0]
    """
    X = problem.X
    size = noise * float(np.sqrt(X.var(axis=0).mean()))
    noisy = X + size * np.random.default_rng(seed).standard_normal(X.shape)
    kept = clone(model).set_params(whiten=False).fit(noisy)
    every = PCA().fit(noisy)
    scores, truth = every.transform(noisy), (X - every.mean_) @ every.components_.T
    lost = ((X - every.mean_) ** 2).sum(axis=1).mean()
    own = np.concatenate([[0.0], (scores**2).mean(axis=0).cumsum()])
    clean = np.concatenate([[0.0], (scores * (2 * truth - scores)).mean(axis=0).cumsum()])
    return ReconstructionData(
        kept=kept.n_components_,
        noise=noise,
        own=np.maximum(own[-1] - own, 0.0),
        clean=np.maximum(lost - clean, 0.0),
        best=int((lost - clean).argmin()),
        rows=problem.unscaled(X),
        noisy=problem.unscaled(noisy),
        rebuilt=problem.unscaled(kept.inverse_transform(kept.transform(noisy))),
        components=kept.components_,
        grid=pixel_grid(problem.features),
        numbers=problem.rows + 1,
    )


def rebuilt(run: Run) -> ReconstructionData:
    """Return what the components of a run give back of the rows with noise."""
    return reconstruction_data(run.model, run.problem, chosen(run, OPTIONS)["noise"], run.seed)


def reconstruction(run: Run) -> go.Figure:
    """Draw what is lost when only k components are kept."""
    return plot_reconstruction(rebuilt(run))


def rows_rebuilt(run: Run) -> go.Figure:
    """Draw some rows, and what k components give back of them."""
    return plot_pictures(rebuilt(run))


def plot_reconstruction(data: ReconstructionData) -> go.Figure:
    """Draw the error against the number of components."""
    figure = go.Figure()
    k = np.arange(len(data.own))
    lines = [
        (
            "to the noisy rows" if data.noise else "to the rows",
            data.own,
            {"color": MUTED, "dash": "dash"},
        )
    ]
    if data.noise:
        lines.append(("to the rows without noise", data.clean, {"color": ACCENT}))
    for name, errors, line in lines:
        figure.add_scatter(
            x=k,
            y=errors,
            mode="lines+markers" if len(k) <= 40 else "lines",
            name=name,
            line=line,
            hovertemplate=f"k = %{{x}}: %{{y:.5g}} {name}<extra></extra>",
        )
    figure.add_vline(x=data.kept, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(title_text="components, k", dtick=max(1, len(k) // 10), showgrid=False)
    figure.update_yaxes(title_text="mean squared distance", rangemode="tozero")
    share = data.own[data.kept] / data.own[0]
    saved = (
        f"with {data.ratio:.2g} times fewer numbers" if data.ratio > 1 else "and save no numbers"
    )
    title = f"{data.kept} of {len(k) - 1} components lose {share:.1%} of the squares, {saved}."
    note = (
        "Dotted: the components kept. More of them always lower the error of the rows that they"
        " were fitted to."
    )
    if data.noise:
        more = (
            "More components bring the noise back."
            if data.best < len(k) - 1
            else "There is little to leave out."
        )
        note = f"Nearest to the rows without noise: k = {data.best}. {more} Dotted: now."
    return finish(figure, title, note, 320, legend=bool(data.noise))


def plot_pictures(data: ReconstructionData) -> go.Figure:
    """Draw some rows as pictures: as they are, with noise, and rebuilt; and below them the components.

    Rows that are no pictures are strips, one cell for each column, from its smallest value to its
    largest.
    """
    n_columns = data.rows.shape[1] if data.grid else min(data.rows.shape[1], MOST_COLUMNS)
    height, width = data.grid or (n_columns, 1)
    some = np.unique(
        np.linspace(0, len(data.rows) - 1, MOST_PICTURES if data.grid else MOST_STRIPS).astype(int)
    )
    lines = _lines(data, some)
    mosaic = np.full((len(lines) * (height + 1) - 1, len(some) * (width + 1) - 1), np.nan)
    for i, (_, pictures) in enumerate(lines):
        for j, pixels in enumerate(pictures):
            y, x = i * (height + 1), j * (width + 1)
            mosaic[y : y + height, x : x + width] = pixels[:n_columns].reshape(height, width)
    figure = go.Figure(
        go.Heatmap(
            z=mosaic,
            zmin=0,
            zmax=1,
            colorscale="Greys",
            showscale=False,
            hoverinfo="skip",
            connectgaps=False,
        )
    )
    middles = [i * (height + 1) + (height - 1) / 2 for i in range(len(lines))]
    figure.update_yaxes(
        autorange="reversed",
        tickvals=middles,
        ticktext=[name for name, _ in lines],
        showgrid=False,
        zeroline=False,
        **({"scaleanchor": "x", "constrain": "domain"} if data.grid else {}),
    )
    numbers = [str(number) for number in data.numbers[some]]
    places = [j * (width + 1) + (width - 1) / 2 for j in range(len(some))]
    figure.update_xaxes(
        tickvals=places,
        ticktext=numbers,
        title_text="row",
        showgrid=False,
        zeroline=False,
        constrain="domain",
    )
    title = (
        f"{data.kept} components hold {1 - data.own[data.kept] / data.own[0]:.1%} of the squares of"
        " these rows."
    )
    note = (
        "Below: the first components; mid grey is 0, what they add is dark and what they take away"
        " is light."
    )
    if not data.grid:
        note = "Each row is a strip of its columns, from light to dark as the values rise. " + note
    finish(figure, title, note, 95 * len(lines) + 40)
    return figure.update_layout(margin_l=90)


def _lines(
    data: ReconstructionData, some: NDArray[np.intp]
) -> list[tuple[str, NDArray[np.float64]]]:
    """Return the lines of pictures with their names, in values from 0 to 1."""
    low = 0.0 if data.grid else data.rows.min(axis=0)
    spread = np.asarray(data.rows.max() if data.grid else np.ptp(data.rows, axis=0))
    spread = np.where(spread > 0, spread, 1.0)
    kinds = [
        ("original", data.rows),
        ("with noise", data.noisy),
        (f"k = {data.kept}", data.rebuilt),
    ]
    shown = [kind for kind in kinds if data.noise or kind[0] != "with noise"]
    axes = data.components[: len(some)]
    signed = 0.5 + axes / (2 * np.abs(axes).max(axis=1, keepdims=True))
    return [
        *((name, (rows[some] - low) / spread) for name, rows in shown),
        (f"w1 to w{len(axes)}" if len(axes) > 1 else "w1", signed),
    ]
