"""Number of clusters and fraction of noise against eps, or against the height of a cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from dmlib.arrays import Floats
from dmlib.clustering.reachability import cluster_counts, typical, widest_range
from dmlib.pictures.figures.style import MUTED, finish


@dataclass(frozen=True)
class EpsSweepData:
    """Clusterings at all radii."""

    eps: NDArray[np.float64]  # (n_radii,): the radii at which something can change, ascending
    n_clusters: NDArray[np.intp]  # (n_radii,): the number of clusters from each on
    noise: NDArray[np.float64]  # (n_radii,): the share of rows that are noise from each on
    current: float  # the radius on the screen
    # The number of clusters, two or more, that the widest range of radii gives, and the range;
    # zeros if none does
    widest: tuple[int, float, float]
    name: str = "eps"  # what the radius is called
    share: str = "noise"  # what rows in no cluster are called


def sweep(
    reach: Floats, core: Floats, joins: Floats, current: float, name: str, max_eps: float = np.inf
) -> EpsSweepData:
    """Count clusters and noise for all radii, of rows with these reachabilities and core distances.

    ``joins`` says from which radius on a row is no noise.
    """
    reach, core, joins = _mended(reach, core, joins)
    edges, counts = cluster_counts(reach, core, max_eps)
    if not edges.size:
        raise ValueError(
            "No two rows are within the radius, "
            "so there is nothing to compare. Choose a larger radius."
        )
    eps = np.unique(np.concatenate([edges, joins[np.isfinite(joins)]]))
    n_clusters = np.append(0, counts)[np.searchsorted(edges, eps, side="right")]
    noise = 1 - np.searchsorted(np.sort(joins), eps, side="right") / len(joins)
    return EpsSweepData(
        eps, n_clusters, noise, current, widest_range(eps, n_clusters, typical(core)), name
    )


def _mended(*distances: Floats) -> list[Floats]:
    """Round distances to ten digits of the largest, so that ties are ties again."""
    finite = np.concatenate(distances)
    largest = finite.max(where=np.isfinite(finite), initial=0.0)
    digits = 10 - int(np.ceil(np.log10(largest))) if largest else 0
    return [np.around(each, digits) for each in distances]


def plot_eps_sweep(data: EpsSweepData) -> go.Figure:
    """Draw the number of clusters above the share of noise, with the current radius marked."""
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.08)
    for row, (name, values) in enumerate(
        [("clusters", data.n_clusters), (f"{data.share}, %", 100 * data.noise)], start=1
    ):
        figure.add_scatter(
            x=data.eps,
            y=values,
            mode="lines",
            line={"shape": "hv"},
            hovertemplate=f"{data.name} = %{{x:.4g}}<br>{name} %{{y:.4g}}<extra></extra>",
            row=row,
            col=1,
        )
        figure.update_yaxes(title_text=name, rangemode="tozero", row=row, col=1)
    number, low, high = data.widest
    # An outlier is reached from so far away that the rest of the curves would be a line.
    right_end = 1.2 * max(high, float(np.quantile(data.eps, 0.98)))
    figure.update_xaxes(range=[0, min(right_end, 1.05 * data.eps[-1]) or 1.0])
    if 0 < data.current <= right_end:
        figure.add_vline(x=data.current, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(title_text=data.name, row=2, col=1)
    title = f"{data.name} from {low:.3g} to {high:.3g} gives {number} clusters."
    note = (
        "The widest range with the same number of two clusters or more. "
        f"Dotted: {data.name} = {data.current:.4g}."
    )
    if not number:
        title = f"No {data.name} gives two clusters."
        note = f"Dotted: current {data.name} = {data.current:.4g}."
    return finish(figure, title, note, 360)
