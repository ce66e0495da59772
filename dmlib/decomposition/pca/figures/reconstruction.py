"""Reconstruction from k components: the error for every k, and some rows as pictures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from sklearn.base import clone

from dmlib.decomposition.pca.algorithm import PCA
from dmlib.decomposition.pca.scene import OPTIONS
from dmlib.decomposition.pixels import pixel_grid
from dmlib.evenly import evenly
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.options import chosen
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import Problem

MAX_PICTURES, MAX_STRIPS = 10, 15  # rows that are pictures, or strips of their columns
MAX_COLUMNS = 40  # of a strip


@dataclass(frozen=True)
class ReconstructionData:
    """Rows, the same with noise, and the reconstruction of the noisy ones."""

    n_components: int
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
    components: NDArray[np.float64]  # (n_components, n_features)
    grid: tuple[int, int] | None  # height and width of the pictures that the rows are
    numbers: NDArray[np.intp]  # (n_samples,): numbers of the rows in the table, from 1

    @property
    def ratio(self) -> float:
        """The compression: numbers in the rows by those in scores, components and mean."""
        n_samples, n_features = self.rows.shape
        n_numbers = self.n_components * (n_samples + n_features) + n_features
        return float(n_samples * n_features / n_numbers)


def reconstruction_data(
    model: PCA, problem: Problem, noise: float, seed: int = 0
) -> ReconstructionData:
    """Add noise to the rows, find their components, and rebuild them from the first k.

    The model has the number of components. ``noise`` is the standard deviation, in root mean
    variances of the columns, and ``seed`` that of the noise.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [4.0, -4.0, -1.5, 1.5], "b": [3.0, -3.0, 2.0, -2.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> data = reconstruction_data(PCA(1), problem, 0.0)
    >>> data.own.round(3).tolist()
    [15.625, 3.125, 0.0]
    """
    X = problem.X
    size = noise * float(np.sqrt(X.var(axis=0).mean()))
    noisy = X + size * np.random.default_rng(seed).standard_normal(X.shape)
    fitted = clone(model).set_params(whiten=False).fit(noisy)
    full = PCA().fit(noisy)
    centred = X - full.mean_
    scores, truth = full.transform(noisy), centred @ full.components_.T
    lost = (centred**2).sum(axis=1).mean()
    own = np.concatenate([[0.0], (scores**2).mean(axis=0).cumsum()])
    clean = np.concatenate([[0.0], (scores * (2 * truth - scores)).mean(axis=0).cumsum()])
    return ReconstructionData(
        n_components=fitted.n_components_,
        noise=noise,
        own=np.maximum(own[-1] - own, 0.0),
        clean=np.maximum(lost - clean, 0.0),
        best=int((lost - clean).argmin()),
        rows=problem.unscaled(X),
        noisy=problem.unscaled(noisy),
        rebuilt=problem.unscaled(fitted.inverse_transform(fitted.transform(noisy))),
        components=fitted.components_,
        grid=pixel_grid(problem.features),
        numbers=problem.rows + 1,
    )


def rebuilt(run: Run[Problem, PCA]) -> ReconstructionData:
    """Return the reconstruction of the rows of a run, with the noise of its options."""
    return reconstruction_data(run.model, run.problem, chosen(run, OPTIONS)["noise"], run.seed)


def reconstruction(run: Run[Problem, PCA]) -> go.Figure:
    """Draw the reconstruction error for each number of components."""
    return plot_reconstruction(rebuilt(run))


def rows_rebuilt(run: Run[Problem, PCA]) -> go.Figure:
    """Draw some rows and their reconstructions."""
    return plot_pictures(rebuilt(run))


def plot_reconstruction(data: ReconstructionData) -> go.Figure:
    """Draw the error against the number of components."""
    figure = go.Figure()
    k = np.arange(len(data.own))
    name = "to the noisy rows" if data.noise else "to the rows"
    lines = [(name, data.own, {"color": MUTED, "dash": "dash"})]
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
    figure.add_vline(x=data.n_components, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(title_text="components, k", dtick=max(1, len(k) // 10), showgrid=False)
    figure.update_yaxes(title_text="mean squared distance", rangemode="tozero")
    share = data.own[data.n_components] / data.own[0]
    compression = "and save no numbers"
    if data.ratio > 1:
        compression = f"with {data.ratio:.2g} times fewer numbers"
    components = f"{data.n_components} of {len(k) - 1} components"
    title = f"{components} lose {percent(share)} of the squares, {compression}."
    note = (
        "Dotted: the components kept. More of them always lower the error of the rows that they"
        " were fitted to."
    )
    if data.noise:
        advice = "There is little to leave out."
        if data.best < len(k) - 1:
            advice = "More components bring the noise back."
        note = f"Nearest to the rows without noise: k = {data.best}. {advice} Dotted: now."
    return finish(figure, title, note, 320, legend=bool(data.noise))


def plot_pictures(data: ReconstructionData) -> go.Figure:
    """Draw some rows as pictures: as they are, with noise, and rebuilt; and the components.

    Rows that are no pictures are strips, one cell for each column, from its smallest value to its
    largest.
    """
    n_columns = data.rows.shape[1] if data.grid else min(data.rows.shape[1], MAX_COLUMNS)
    height, width = data.grid or (n_columns, 1)
    sample = evenly(len(data.rows), MAX_PICTURES if data.grid else MAX_STRIPS)
    lines = _lines(data, sample)
    mosaic = np.full((len(lines) * (height + 1) - 1, len(sample) * (width + 1) - 1), np.nan)
    for i, (_, pictures) in enumerate(lines):
        for j, pixels in enumerate(pictures):
            y, x = i * (height + 1), j * (width + 1)
            mosaic[y : y + height, x : x + width] = pixels[:n_columns].reshape(height, width)
    shades = {"zmin": 0, "zmax": 1, "colorscale": "Greys", "showscale": False}
    figure = go.Figure(go.Heatmap(z=mosaic, **shades, hoverinfo="skip", connectgaps=False))
    middles = [i * (height + 1) + (height - 1) / 2 for i in range(len(lines))]
    figure.update_yaxes(
        autorange="reversed",
        tickvals=middles,
        ticktext=[name for name, _ in lines],
        showgrid=False,
        zeroline=False,
    )
    if data.grid:
        figure.update_yaxes(scaleanchor="x", constrain="domain")
    numbers = [str(number) for number in data.numbers[sample]]
    places = [j * (width + 1) + (width - 1) / 2 for j in range(len(sample))]
    figure.update_xaxes(
        tickvals=places,
        ticktext=numbers,
        title_text="row",
        showgrid=False,
        zeroline=False,
        constrain="domain",
    )
    share = 1 - data.own[data.n_components] / data.own[0]
    title = f"{data.n_components} components hold {percent(share)} of the squares of these rows."
    note = (
        "Below: the first components; mid grey is 0, what they add is dark and what they take away"
        " is light."
    )
    if not data.grid:
        note = "Each row is a strip of its columns, from light to dark as the values rise. " + note
    finish(figure, title, note, 95 * len(lines) + 40)
    return figure.update_layout(margin_l=90)


def _lines(
    data: ReconstructionData, sample: NDArray[np.intp]
) -> list[tuple[str, NDArray[np.float64]]]:
    """Return the lines of pictures with their names, in values from 0 to 1."""
    low = 0.0 if data.grid else data.rows.min(axis=0)
    spread = np.asarray(data.rows.max() if data.grid else np.ptp(data.rows, axis=0))
    spread = np.where(spread > 0, spread, 1.0)
    kinds = {"original": data.rows}
    if data.noise:
        kinds["with noise"] = data.noisy
    kinds[f"k = {data.n_components}"] = data.rebuilt
    axes = data.components[: len(sample)]
    signed = 0.5 + axes / (2 * np.abs(axes).max(axis=1, keepdims=True))
    return [
        *((name, (rows[sample] - low) / spread) for name, rows in kinds.items()),
        (f"w1 to w{len(axes)}" if len(axes) > 1 else "w1", signed),
    ]
