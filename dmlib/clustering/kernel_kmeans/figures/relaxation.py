"""The link to spectral clustering: eigenvalues of the kernel matrix bound the objective."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.clustering.kernel_kmeans.algorithm import KernelKMeans
from dmlib.clustering.kernel_kmeans.fuzzy_cmeans import FuzzyCMeans
from dmlib.pictures.figures.style import MUTED, class_color, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_EIGENVALUES = 12  # eigenvalues
OF_FUZZY = "Fuzzy c-means has no kernel matrix. Choose the method kernel k-means."


@dataclass(frozen=True)
class RelaxationData:
    """The largest eigenvalues of the weighted kernel matrix, and what they say of the objective."""

    eigenvalues: NDArray[np.float64]  # (n_shown,): in descending order
    k: int  # the number of clusters
    total: float  # the sum of all eigenvalues, which is the weighted sum of k(x, x)
    bound: float  # the total less the k largest: no partition has a smaller SSE
    reached: float  # the SSE of the answer


def relaxation_data(run: Run[Problem, KernelKMeans]) -> RelaxationData:
    """Return the eigenvalues of the run's kernel matrix.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import KernelKMeans
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 0.0, 9.0, 9.0]}), ["a"])
    >>> data = relaxation_data(Run.of(problem, KernelKMeans(2, gamma=1.0, random_state=0)))
    >>> data.eigenvalues.round(6).tolist(), round(data.bound, 6), round(data.reached, 6)
    ([2.0, 2.0, 0.0, 0.0], 0.0, 0.0)
    """
    space = run.once("feature space", lambda: run.model.feature_space(run.problem.X))
    k = run.model.n_clusters
    values, _ = space.relaxation(max(MAX_EIGENVALUES, k))
    values = values + 0.0  # no -0
    bound = max(0.0, space.total - float(values[:k].sum()))
    return RelaxationData(
        values[:MAX_EIGENVALUES], k, space.total, bound, float(run.fitted.inertia_)
    )


def relaxation(run: Run[Problem, Any]) -> go.Figure:
    """Draw the eigenvalues of a run."""
    if isinstance(run.model, FuzzyCMeans):
        raise ValueError(OF_FUZZY)
    return plot_relaxation(relaxation_data(run))


def plot_relaxation(data: RelaxationData) -> go.Figure:
    """Draw the eigenvalues as bars, those of the relaxed solution apart."""
    number = np.arange(1, len(data.eigenvalues) + 1)
    figure = go.Figure()
    for name, part, opacity in (
        ("in the relaxed solution", number <= data.k, 1.0),
        ("left out", number > data.k, 0.35),
    ):
        figure.add_bar(
            x=number[part],
            y=data.eigenvalues[part],
            name=name,
            marker={"color": class_color(figure, 0), "opacity": opacity},
            hovertemplate="λ%{x} = %{y:.5g}<extra></extra>",
        )
    figure.add_vline(x=data.k + 0.5, line={"dash": "dot", "width": 2, "color": MUTED})
    figure.update_xaxes(title_text="number of the eigenvalue", dtick=1, showgrid=False)
    figure.update_yaxes(title_text="eigenvalue λ")
    title = f"No partition has an SSE below {data.bound:.4g}; this one has {data.reached:.4g}."
    note = (
        f"Relaxed: the SSE is the sum of all eigenvalues, {data.total:.4g}, "
        f"less what k directions hold; the {data.k} largest hold most. "
        "With degree weights these are the eigenvectors of spectral clustering."
    )
    return finish(figure, title, note, 380)
