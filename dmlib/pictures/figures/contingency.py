"""Clusters against known classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

from dmlib.pictures.figures.style import finish, plain

MAX_CLASSES = 60
MAX_NUMBERS = 400  # cells with their count written in


@dataclass(frozen=True)
class ContingencyData:
    """How many rows each pair of a cluster and a known class shares.

    Attributes
    ----------
    counts : ndarray of shape (n_clusters, n_classes)
        The numbers of rows.
    clusters : tuple of int
        The label of each row of ``counts``; -1 for noise.
    classes : tuple of str
        The known class of each column.
    adjusted_rand : float
        The adjusted Rand index: 1 for equal partitions, about 0 for random ones.
    mutual_information : float
        The normalised mutual information (NMI), by the arithmetic mean of the two entropies.
    """

    counts: NDArray[np.intp]
    clusters: tuple[int, ...]
    classes: tuple[str, ...]
    adjusted_rand: float
    mutual_information: float


def contingency_data(
    labels: ArrayLike, y: ArrayLike | None, classes: Sequence[str]
) -> ContingencyData:
    """Count clusters against known classes, and measure how well the two partitions agree.

    Parameters
    ----------
    labels : array-like of shape (n_samples,)
        The cluster of each row.
    y : array-like of shape (n_samples,) or None
        The code of the known class of each row.
    classes : sequence of str
        The names of the codes.

    Returns
    -------
    ContingencyData
        The table and the two indices.

    Raises
    ------
    ValueError
        If there are no known classes, or too many to show.

    References
    ----------
    L. Hubert and P. Arabie (1985), Comparing partitions, equation 5.

    Examples
    --------
    >>> data = contingency_data([0, 0, 1, 1], [1, 1, 0, 0], ["a", "b"])
    >>> data.counts.tolist(), data.adjusted_rand
    ([[0, 2], [2, 0]], 1.0)
    """
    if y is None:
        raise ValueError(
            "These data have no known classes. Choose a data set with classes, or a label column."
        )
    labels_of_clusters, codes = np.unique(np.asarray(labels)), np.unique(np.asarray(y))
    if len(codes) > MAX_CLASSES:
        raise ValueError(
            f"The known classes are {len(codes)} different values. Choose a label column with at"
            f" most {MAX_CLASSES}."
        )
    return ContingencyData(
        contingency_matrix(labels, y),
        tuple(map(int, labels_of_clusters)),
        tuple(classes[code] for code in codes),
        float(adjusted_rand_score(y, labels)),
        float(normalized_mutual_info_score(y, labels)),
    )


def plot_contingency(data: ContingencyData) -> go.Figure:
    """Draw the counts as a heat map, one row per cluster."""
    counts = data.counts
    rows, columns = counts.shape
    names = [plain(name) for name in data.classes]
    figure = go.Figure(
        go.Heatmap(
            z=counts.astype(np.min_scalar_type(counts.max())),
            x=list(range(columns)),
            y=[cluster + 1 for cluster in data.clusters],
            texttemplate="%{z}" if counts.size <= MAX_NUMBERS else None,
            showscale=counts.size > MAX_NUMBERS,
            xgap=2,
            ygap=2,
            hovertemplate="cluster %{y}, %{x}<br>%{z} rows<extra></extra>",
        )
    )
    figure.update_xaxes(
        title_text="known class", tickvals=list(range(columns)), ticktext=names, showgrid=False
    )
    figure.update_yaxes(
        title_text="cluster",
        dtick=-(-rows // 30),
        tick0=1,
        autorange="reversed",
        showgrid=False,
        zeroline=False,
    )
    if data.clusters[0] < 0:
        numbers = [cluster + 1 for cluster in data.clusters]
        ticks = numbers[:: -(-rows // 30)]
        figure.update_yaxes(
            tickmode="array", tickvals=ticks, ticktext=[number or "noise" for number in ticks]
        )
    title = (
        f"Adjusted Rand index {data.adjusted_rand:.3f}, normalised mutual information"
        f" {data.mutual_information:.3f}."
    )
    note = (
        "Rows that each cluster and each known class share. The clustering did not use the classes."
    )
    return finish(figure, title, note, max(200, min(520, 120 + 42 * rows)))
