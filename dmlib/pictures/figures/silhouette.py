"""Silhouettes: how much nearer each row is to its own cluster than to the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import silhouette_samples
from sklearn.utils import check_array, check_random_state

from dmlib.pictures.figures.style import MUTED, finish

SAMPLE = 2000
GAP = 0.012  # between two clusters, as a share of all rows
MAX_TICKS = 30


@dataclass(frozen=True)
class SilhouetteData:
    """The silhouette of each row, cluster by cluster, the largest first.

    Attributes
    ----------
    values : tuple of ndarray
        For each cluster its silhouettes, descending.
    samples : tuple of ndarray
        For each cluster the index of the row of each silhouette.
    clusters : tuple of int
        The label of each cluster.
    mean : float
        The mean of all.
    n_samples : int
        The number of rows before sampling.
    n_noise : int
        How many of them are noise, in no cluster, and left out.
    """

    values: tuple[NDArray[np.float64], ...]
    samples: tuple[NDArray[np.intp], ...]
    clusters: tuple[int, ...]
    mean: float
    n_samples: int
    n_noise: int = 0


def silhouette_data(
    X: ArrayLike, labels: ArrayLike, *, max_rows: int = SAMPLE, metric: str = "euclidean"
) -> SilhouetteData:
    """Compute the silhouettes of a clustering.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The rows.
    labels : array-like of shape (n_samples,)
        The cluster of each row; rows with -1 are noise and left out.
    max_rows : int, default=2000
        More rows than this are sampled, because the cost is O(n^2 d).
    metric : {"euclidean", "precomputed"}
        The distance; "precomputed" where ``X`` is the matrix of all distances.

    Returns
    -------
    SilhouetteData
        The silhouettes, sorted.

    Raises
    ------
    ValueError
        If there is only one cluster, or every row is one.

    References
    ----------
    P. J. Rousseeuw (1987), Silhouettes: a graphical aid to the interpretation and validation of
    cluster analysis.

    Examples
    --------
    >>> data = silhouette_data([[0.0], [1.0], [10.0], [11.0]], [0, 0, 1, 1])
    >>> data.values[0].round(3).tolist(), round(data.mean, 3)
    ([0.905, 0.895], 0.9)
    """
    rows, codes = check_array(X, dtype=np.float64), np.asarray(labels)
    sample = np.flatnonzero(codes >= 0)
    n_noise = len(rows) - len(sample)
    if len(sample) > max_rows:
        sample = np.sort(check_random_state(0).choice(sample, max_rows, replace=False))
    n_clusters = len(np.unique(codes[sample]))
    if n_clusters < 2:
        raise ValueError(
            "A silhouette compares two clusters, and there is only one. Choose more clusters."
        )
    if n_clusters == len(sample):
        raise ValueError(
            "Every row is a cluster of its own, so no silhouette is defined. Choose fewer clusters."
        )
    sampled = rows[np.ix_(sample, sample)] if metric == "precomputed" else rows[sample]
    silhouettes = silhouette_samples(sampled, codes[sample], metric=metric)
    clusters = np.unique(codes[sample])
    orders = [np.flatnonzero(codes[sample] == cluster) for cluster in clusters]
    orders = [order[np.argsort(-silhouettes[order], kind="stable")] for order in orders]
    return SilhouetteData(
        tuple(silhouettes[order] for order in orders),
        tuple(sample[order] for order in orders),
        tuple(map(int, clusters)),
        float(silhouettes.mean()),
        len(rows),
        n_noise,
    )


def plot_silhouette(data: SilhouetteData, rows: ArrayLike | None = None) -> go.Figure:
    """Draw one bar per row, the clusters one below the other.

    Parameters
    ----------
    data : SilhouetteData
        The silhouettes.
    rows : array-like of shape (n_samples,), optional
        The row number in the table, from 0, of each sample; by default its index.
    """
    numbers = np.arange(data.n_samples) if rows is None else np.asarray(rows)
    total = sum(map(len, data.values))
    figure, start, middles = go.Figure(), 0.0, []
    for cluster, values, samples in zip(data.clusters, data.values, data.samples, strict=True):
        figure.add_bar(
            x=values.astype(np.float32),
            y0=start,
            dy=1,
            orientation="h",
            width=1.0,
            marker_line_width=0,
            customdata=(numbers[samples] + 1).astype(np.int32),
            hovertemplate=(
                f"row %{{customdata}}, cluster {cluster + 1}<br>silhouette"
                " %{x:.3f}<extra></extra>"
            ),
        )
        middles.append(start + (len(values) - 1) / 2)
        start += len(values) + max(1.0, GAP * total)
    names = [
        f"{cluster + 1}: {values.mean():.2f}"
        for cluster, values in zip(data.clusters, data.values, strict=True)
    ]
    stride = -(-len(names) // MAX_TICKS)
    figure.add_vline(x=data.mean, line={"dash": "dash", "width": 2, "color": MUTED})
    figure.update_xaxes(
        title_text="silhouette", range=[min(-0.1, *(v[-1] for v in data.values)) - 0.02, 1.0]
    )
    figure.update_yaxes(
        title_text="cluster: its mean",
        tickvals=middles[::stride],
        ticktext=names[::stride],
        range=[start, -2],
        showgrid=False,
    )
    title = f"The mean silhouette is {data.mean:.3f} (dashed)."
    return finish(figure, title, _note(data, total), 400, bargap=0, barmode="overlay")


def _note(data: SilhouetteData, total: int) -> str:
    negative = sum(int((values < 0).sum()) for values in data.values)
    text = (
        f"{negative} {'row is' if negative == 1 else 'rows are'} nearer to another cluster (below"
        " zero)."
    )
    n_clustered = data.n_samples - data.n_noise
    if data.n_noise:
        text += f" {data.n_noise} {'row' if data.n_noise == 1 else 'rows'} of noise left out."
    return text + (
        f" A random sample of {total} of the {n_clustered} rows." if total < n_clustered else ""
    )
