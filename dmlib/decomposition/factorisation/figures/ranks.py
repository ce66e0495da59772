"""Energy, removed noise and errors of emptied cells by the number of parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.algorithm import SVD, FactorStep
from dmlib.decomposition.factorisation.nmf import NMF
from dmlib.evenly import evenly
from dmlib.pictures.figures.style import MUTED, class_color, finish
from dmlib.pictures.run import AnyRun
from dmlib.pictures.words import percent
from dmlib.trace import look

MAX_RANKS = 12
MAX_ROWS = 300
REPEATS = 5  # drawings of empty cells
EMPTY = 0.2  # share of the cells
PENALTY = 0.1  # of squares of codes and parts, where cells are empty
SWEEPS = 12
NOISE = 0.75  # standard deviations of all cells


def _rows(run: AnyRun) -> Floats:
    if not hasattr(run.problem, "X"):
        raise ValueError(
            "A picture has this curve beside it. Choose another method for that of a table."
        )
    X = run.problem.X
    return np.asarray(X[evenly(len(X), MAX_ROWS)])


def energy_by_rank(run: AnyRun) -> go.Figure:
    """Draw the energy that SVD, PCA and NMF keep by the number of parts, and the noise removed."""
    X = _rows(run)
    ranks = np.arange(1, min(MAX_RANKS, *X.shape) + 1)
    curves: dict[str, Any] = {}
    for name, center in (("SVD", False), ("PCA (columns centred)", True)):
        steps = _components(X, int(ranks[-1]), center=center)
        curves[name] = [step.energy for step in steps]
    if X.min() >= 0:
        models = [NMF(int(k), max_iter=60, random_state=run.seed) for k in ranks]
        curves["NMF, 60 updates"] = [model.fit(X).energy_ for model in models]
    noisy = X + NOISE * X.std() * np.random.default_rng(run.seed).standard_normal(X.shape)
    steps = _components(noisy, int(ranks[-1]), center=True)
    errors = [float(np.sqrt(((step.rebuilt - X) ** 2).mean())) for step in steps]
    figure = go.Figure()
    for code, (name, values) in enumerate(curves.items()):
        color = class_color(figure, code)
        figure.add_scatter(
            x=ranks,
            y=values,
            name=name,
            mode="lines+markers",
            line={"color": color},
            hovertemplate=f"{name}<br>%{{x}} parts<br>%{{y:.3f}}<extra></extra>",
        )
    noise = float(np.sqrt(((noisy - X) ** 2).mean()))
    share = [1 - error / noise for error in errors]
    figure.add_scatter(
        x=ranks[: len(share)],
        y=share,
        name="fraction of added noise that PCA removes",
        mode="lines",
        line={"dash": "dash", "color": MUTED},
    )
    figure.update_xaxes(title_text="parts", dtick=1)
    figure.update_yaxes(title_text="share")
    best = int(np.argmax(share)) + 1 if share else 1
    title = f"With {len(ranks)} parts SVD keeps {percent(curves['SVD'][-1])} of the energy."
    note = (
        f"Noise of {NOISE:g} standard deviations is removed best with {best} parts: more bring it"
        " back."
    )
    finish(figure, title, note, 380)
    return figure.update_layout(showlegend=True, legend={"orientation": "h", "y": -0.22})


def _components(X: Floats, n_components: int, *, center: bool) -> list[FactorStep]:
    """Return the step of each component of a singular value decomposition."""
    steps = SVD(n_components, center=center).steps(X)
    return [step for step in steps if step.phase == "component"]


@dataclass(frozen=True)
class EmptyCells:
    """Errors where cells were emptied, filled by codes times parts of the others.

    Attributes
    ----------
    ranks : ndarray of shape (n_ranks,)
        Numbers of parts; 0 is the mean of the column.
    observed, empty : ndarray of shape (n_repeats, n_ranks)
        Root mean squared errors of the cells that were learned and of those that were emptied, in
        standard deviations.
    missing : float
        The share of the cells that are missing in the table itself.
    """

    ranks: Floats
    observed: Floats
    empty: Floats
    missing: float = 0.0


def empty_data(run: AnyRun, progress: Callable[[Any], None]) -> EmptyCells:
    """Empty a fifth of the observed cells, several times, and fill them with every rank.

    Rows with missing values, such as ratings, are used, too: a missing cell is neither learned
    from nor evaluated.

    Raises
    ------
    ValueError
        If there are fewer than five rows or two columns.
    """
    X = _cells(run)
    varies = np.nanmax(X, axis=0, initial=-np.inf) > np.nanmin(X, axis=0, initial=np.inf)
    X = X[~np.isnan(X).all(axis=1)][:, varies]
    if len(X) < 5 or X.shape[1] < 2:
        raise ValueError(
            "Empty cells can be filled where there are at least 5 rows and 2 columns that vary."
        )
    Z = (X - np.nanmean(X, axis=0)) / np.nanstd(X, axis=0)
    ranks = np.arange(0, min(8, X.shape[1] - 1, len(X) - 1) + 1)
    seeds = range(run.seed, run.seed + REPEATS)
    errors = np.array(list(engine.map(_Task(Z, ranks), seeds, progress=progress)))
    observed, empty = errors[:, 0], errors[:, 1]
    return EmptyCells(ranks.astype(float), observed, empty, float(np.isnan(Z).mean()))


def _cells(run: AnyRun) -> Floats:
    """Return the rows, those with missing values included, which are NaN."""
    X = _rows(run)
    features = list(run.problem.features)
    frame = getattr(run.table, "frame", None)  # texts and baskets have none
    if frame is None or not set(features) <= set(frame):
        return X
    if not frame[features].isna().any(axis=None):
        return X
    cells = frame[features].iloc[evenly(len(frame), MAX_ROWS)].to_numpy(float, na_value=np.nan)
    return np.asarray(np.where(np.isfinite(cells), cells, np.nan))


@dataclass(frozen=True)
class _Task:
    Z: Floats
    ranks: NDArray[np.intp]

    def __call__(self, seed: int) -> tuple[list[float], list[float]]:
        """Return the errors of observed and of emptied cells for each rank."""
        rng = np.random.default_rng(seed)
        has_value = ~np.isnan(self.Z)
        observed = (rng.random(self.Z.shape) >= EMPTY) & has_value
        hidden = has_value & ~observed
        errors, hidden_errors = [], []
        for rank in self.ranks:
            filled = fill(np.nan_to_num(self.Z), observed, int(rank), rng)
            square = (filled - self.Z) ** 2
            errors.append(float(np.sqrt(square[observed].mean())))
            hidden_errors.append(float(np.sqrt(square[hidden].mean())) if hidden.any() else 0.0)
        return errors, hidden_errors


def fill(Z: Floats, observed: NDArray[np.bool_], rank: int, rng: Any) -> Floats:
    """Return codes times parts fitted to the observed cells, by alternating least squares.

    Examples
    --------
    >>> Z = np.outer([-3.0, -1.0, 1.0, 3.0], [1.0, -1.0, 2.0, 1.0])
    >>> filled = fill(Z, np.ones(Z.shape, bool), 1, np.random.default_rng(0))
    >>> float(np.abs(filled - Z).max()) < 0.2
    True
    """
    weights = observed.astype(float)
    means = (Z * weights).sum(axis=0) / np.maximum(weights.sum(axis=0), 1)
    if not rank:
        return np.broadcast_to(means, Z.shape)
    residuals = (Z - means) * weights
    parts = rng.standard_normal((rank, Z.shape[1])) / np.sqrt(rank)
    codes = np.zeros((len(Z), rank))
    penalty = PENALTY * np.eye(rank)
    for _ in range(SWEEPS):
        look()
        codes = _solve(residuals, weights, parts.T, penalty)
        parts = _solve(residuals.T, weights.T, codes, penalty).T
    return np.asarray(codes @ parts + means)


def _solve(residuals: Floats, weights: Floats, parts: Floats, penalty: Floats) -> Floats:
    """Return the codes of all rows, each by least squares over its observed cells."""
    gram = np.einsum("ij,jk,jl->ikl", weights, parts, parts, optimize=True) + penalty
    return np.asarray(np.linalg.solve(gram, (residuals @ parts)[..., None])[..., 0])


def plot_empty(data: EmptyCells) -> go.Figure:
    """Draw both errors by the number of parts."""
    figure = go.Figure()
    observed, empty = data.observed.mean(axis=0), data.empty.mean(axis=0)
    curves = {"known cells": observed, "emptied cells": empty}
    for code, (name, values) in enumerate(curves.items()):
        figure.add_scatter(
            x=data.ranks,
            y=values,
            name=name,
            mode="lines+markers",
            line={"color": class_color(figure, code), "dash": "dash" if not code else "solid"},
            hovertemplate=f"{name}<br>%{{x}} parts<br>%{{y:.3f}}<extra></extra>",
        )
    best = int(empty.argmin())
    figure.update_xaxes(title_text="parts; 0 is the mean of the column", dtick=1)
    figure.update_yaxes(title_text="RMSE in standard deviations", rangemode="tozero")
    title = f"Emptied cells are predicted best with {best} parts: {empty[best]:.3f}."
    note = (
        f"A fifth of the known cells is held out, {len(data.observed)} times,"
        " as ratings that nobody gave; codes and parts are fitted to the others."
    )
    if data.missing:
        note += f" {percent(data.missing)} are missing in the table itself and never looked at."
    return finish(figure, title, note, 360, legend=True)
