"""How good and how large: PSNR and size against the number of codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots
from sklearn.base import clone

from dmlib.clustering.vector_quantisation.algorithm import VectorQuantizer
from dmlib.clustering.vector_quantisation.lvq import LVQ
from dmlib.clustering.vector_quantisation.som import SelfOrganizingMap
from dmlib.pictures.figures.style import MUTED, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent

COUNTS = (1, 2, 4, 8, 16, 32, 64, 128)


@dataclass(frozen=True)
class SizeSweep:
    """Code books of k = 1, 2, 4, ... codes."""

    k: NDArray[np.intp]  # (n_runs,): the numbers of codes
    psnr: NDArray[np.float64]  # (n_runs,): the peak signal-to-noise ratio in decibels
    # (n_runs,): the size, code book included, as a share of the original
    share: NDArray[np.float64]
    current: int  # the k on the screen; 0 where another method is shown


def size_sweep(
    model: VectorQuantizer | SelfOrganizingMap | LVQ, image: NDArray[np.float64]
) -> SizeSweep:
    """Learn a code book of each size that the image has distinct patches for.

    Examples
    --------
    >>> data = size_sweep(VectorQuantizer(random_state=0), np.linspace(0, 1, 16).reshape(4, 4, 1))
    >>> data.k.tolist(), bool((np.diff(data.psnr[:-1]) > 0).all())
    ([1, 2, 4, 8, 16], True)
    """
    if isinstance(model, VectorQuantizer):
        plain, current = clone(model), model.n_clusters
    else:
        plain, current = VectorQuantizer(random_state=model.random_state), 0
    if not isinstance(plain.init, str):
        plain.set_params(init="k-means++")
    results = []
    for k in COUNTS:
        try:
            fit = clone(plain).set_params(n_clusters=k).fit(image)
        except ValueError:  # fewer distinct patches
            break
        results.append((k, fit.psnr_, 1 / fit.ratio_))
    ks, psnrs, shares = (np.array(column) for column in zip(*results, strict=True))
    return SizeSweep(ks, psnrs, shares, current)


def size_against_k(run: Run[Any, VectorQuantizer | SelfOrganizingMap | LVQ]) -> go.Figure:
    """Draw quality and size for the image of the page."""
    return plot_size_sweep(size_sweep(run.model, run.problem.arguments[0]))


def plot_size_sweep(data: SizeSweep) -> go.Figure:
    """Draw the PSNR above the size, against the number of codes."""
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.08)
    finite = np.where(np.isfinite(data.psnr), data.psnr, np.nan)
    for row, (name, values) in enumerate(
        (("PSNR (dB)", finite), ("size / original", data.share)), 1
    ):
        figure.add_scatter(
            x=data.k,
            y=values,
            mode="lines+markers",
            marker={"size": 8},
            hovertemplate=f"k = %{{x}}<br>{name} %{{y:.4g}}<extra></extra>",
            row=row,
            col=1,
        )
        figure.update_yaxes(
            title_text=name, rangemode="normal" if row == 1 else "tozero", row=row, col=1
        )
    if data.current in data.k:
        figure.add_vline(x=data.current, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(
        type="log", tickvals=data.k.tolist(), ticktext=[str(k) for k in data.k], showgrid=False
    )
    figure.update_xaxes(title_text="codes, k", row=2, col=1)
    title = f"{data.k[-1]} codes: {data.psnr[-1]:.4g} dB at {percent(data.share[-1])} of the size."
    return finish(
        figure, title.replace("inf dB", "no error"), "Dotted line: the k on the stage.", 380
    )
