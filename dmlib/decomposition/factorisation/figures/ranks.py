"""How much is kept by the number of parts, how well empty cells are filled, and noise taken out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.algorithm import SVD
from dmlib.decomposition.factorisation.nmf import NMF
from dmlib.evenly import evenly
from dmlib.pictures.figures.style import MUTED, class_color, finish
from dmlib.pictures.run import Run
from dmlib.trace import look

MOST_RANKS = 12
MOST_ROWS = 300
REPEATS = 5  # drawings of empty cells
EMPTY = 0.2  # share of the cells
PRICE = 0.1  # of squares of codes and parts, where cells are empty
SWEEPS = 12
NOISE = 0.75  # standard deviations of all cells


def _rows(run: Run) -> Floats:
    if not hasattr(run.problem, "X"):
        raise ValueError(
            "A picture has this curve beside it. Choose another method for that of a table."
        )
    X = run.problem.X
    return np.asarray(X[evenly(len(X), MOST_ROWS)])


def kept(run: Run) -> go.Figure:
    """Draw the energy that SVD, PCA and NMF keep with so many parts, and what noise they take out."""
    X = _rows(run)
    ranks = np.arange(1, min(MOST_RANKS, *X.shape) + 1)
    curves: dict[str, Any] = {}
    for name, center in (("SVD", False), ("PCA (columns centred)", True)):
        steps = [s for s in SVD(int(ranks[-1]), center=center).steps(X) if s.phase == "component"]
        curves[name] = [step.energy for step in steps]
    if X.min() >= 0:
        curves["NMF, 60 updates"] = [
            NMF(int(k), max_iter=60, random_state=run.seed).fit(X).energy_ for k in ranks
        ]
    noisy = X + NOISE * X.std() * np.random.default_rng(run.seed).standard_normal(X.shape)
    steps = [s for s in SVD(int(ranks[-1]), center=True).steps(noisy) if s.phase == "component"]
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
    whole = float(np.sqrt(((noisy - X) ** 2).mean()))
    share = [1 - error / whole for error in errors]
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
    title = f"With {len(ranks)} parts SVD keeps {100 * curves['SVD'][-1]:.0f} % of the energy."
    note = (
        f"Noise of {NOISE:g} standard deviations is removed best with {best} parts: more bring it"
        " back."
    )
    finish(figure, title, note, 380)
    return figure.update_layout(showlegend=True, legend={"orientation": "h", "y": -0.22})


@dataclass(frozen=True)
class EmptyCells:
    """Errors where cells were emptied, filled by codes times parts of the others.

    Attributes
    ----------
    ranks : ndarray of shape (n_ranks,)
        Numbers of parts; 0 is the mean of the column.
    known, empty : ndarray of shape (n_repeats, n_ranks)
        Root mean squared errors of the cells that were learned and of those that were emptied, in
        standard deviations.
    missing : float
        The share of the cells that the table itself does not tell.
    """

    ranks: Floats
    known: Floats
    empty: Floats
    missing: float = 0.0


def empty_data(run: Run, progress: Callable[[Any], None]) -> EmptyCells:
    """Empty a fifth of the known cells, several times, and fill them with every rank.

    Rows with missing values, as ratings have them, are used too: their cells are neither learned
    from nor judged by.

    Raises
    ------
    ValueError
        If there are fewer than five rows or two columns.
    """
    X = _cells(run)
    told = ~np.isnan(X)
    spread = np.nanmax(X, axis=0, initial=-np.inf) > np.nanmin(X, axis=0, initial=np.inf)
    X = X[told.any(axis=1)][:, spread]
    if len(X) < 5 or X.shape[1] < 2:
        raise ValueError(
            "Empty cells can be filled where there are at least 5 rows and 2 columns that vary."
        )
    Z = (X - np.nanmean(X, axis=0)) / np.nanstd(X, axis=0)
    ranks = np.arange(0, min(8, X.shape[1] - 1, len(X) - 1) + 1)
    found = list(
        engine.map(_Task(Z, ranks), range(run.seed, run.seed + REPEATS), progress=progress)
    )
    known, empty = (np.array([each[part] for each in found]) for part in (0, 1))
    return EmptyCells(ranks.astype(float), known, empty, float(np.isnan(Z).mean()))


def _cells(run: Run) -> Floats:
    """Return the rows, those with missing values too where there are any; NaN where a value is missing."""
    X = _rows(run)
    features = list(run.problem.features)
    frame = getattr(run.table, "frame", None)  # texts and baskets have none
    if (
        frame is None
        or not set(features) <= set(frame)
        or not frame[features].isna().any(axis=None)
    ):
        return X
    cells = frame[features].iloc[evenly(len(frame), MOST_ROWS)].to_numpy(float, na_value=np.nan)
    return np.asarray(np.where(np.isfinite(cells), cells, np.nan))


@dataclass(frozen=True)
class _Task:
    Z: Floats
    ranks: NDArray[np.intp]

    def __call__(self, seed: int) -> tuple[list[float], list[float]]:
        """Return the errors of known and of emptied cells for each rank."""
        rng = np.random.default_rng(seed)
        told = ~np.isnan(self.Z)
        there = (rng.random(self.Z.shape) >= EMPTY) & told
        hidden = told & ~there
        known, empty = [], []
        for rank in self.ranks:
            filled = fill(np.nan_to_num(self.Z), there, int(rank), rng)
            square = (filled - self.Z) ** 2
            known.append(float(np.sqrt(square[there].mean())))
            empty.append(float(np.sqrt(square[hidden].mean())) if hidden.any() else 0.0)
        return known, empty


def fill(Z: Floats, there: NDArray[np.bool_], rank: int, rng: Any) -> Floats:
    """Return a table from codes and parts that only know some cells, by alternating least squares.

    Examples
    --------
    >>> Z = np.outer([-3.0, -1.0, 1.0, 3.0], [1.0, -1.0, 2.0, 1.0])
    >>> filled = fill(Z, np.ones(Z.shape, bool), 1, np.random.default_rng(0))
    >>> float(np.abs(filled - Z).max()) < 0.2
    True
    """
    weights = there.astype(float)
    means = (Z * weights).sum(axis=0) / np.maximum(weights.sum(axis=0), 1)
    if not rank:
        return np.broadcast_to(means, Z.shape)
    rest = (Z - means) * weights
    parts = rng.standard_normal((rank, Z.shape[1])) / np.sqrt(rank)
    codes = np.zeros((len(Z), rank))
    price = PRICE * np.eye(rank)
    for _ in range(SWEEPS):
        look()
        codes = _solve(rest, weights, parts.T, price)
        parts = _solve(rest.T, weights.T, codes, price).T
    return np.asarray(codes @ parts + means)


def _solve(rest: Floats, weights: Floats, parts: Floats, price: Floats) -> Floats:
    """Return the codes of all rows, each by least squares over the cells that are known of it."""
    gram = np.einsum("ij,jk,jl->ikl", weights, parts, parts, optimize=True) + price
    return np.asarray(np.linalg.solve(gram, (rest @ parts)[..., None])[..., 0])


def plot_empty(data: EmptyCells) -> go.Figure:
    """Draw both errors by the number of parts."""
    figure = go.Figure()
    known, empty = data.known.mean(axis=0), data.empty.mean(axis=0)
    for code, (name, values) in enumerate((("known cells", known), ("emptied cells", empty))):
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
        f"A fifth of the known cells is held out, {len(data.known)} times, as ratings that nobody"
        " gave; codes and parts are fitted to the others."
    )
    if data.missing:
        note += f" {100 * data.missing:.0f} % are missing in the table itself and never looked at."
    return finish(figure, title, note, 360, legend=True)
