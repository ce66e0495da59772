"""The test error against the share of known labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from sklearn.base import clone

from dmlib.classification.relational_neighbour.algorithm import WeightedVoteRelationalNeighbor
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem.graph import GraphProblem, held_out_nodes

SHARES = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
N_CHOICES = 10  # random choices of the known nodes for each share


@dataclass(frozen=True)
class ErrorByKnownData:
    """Test errors for shares of known labels."""

    shares: NDArray[np.float64]
    errors: NDArray[np.float64]  # (n_shares, n_choices), NaN without test nodes
    majority: float  # the error of predicting the largest class everywhere


def error_by_known(run: Run[GraphProblem, WeightedVoteRelationalNeighbor]) -> go.Figure:
    """Draw the test errors of a run's graph."""
    return plot_error_by_known(error_by_known_data(run.model, run.problem))


def error_by_known_data(
    model: WeightedVoteRelationalNeighbor, problem: GraphProblem
) -> ErrorByKnownData:
    """Hold classes out at random, for each share several times, and measure the test error.

    Examples
    --------
    >>> from dmlib.datasets import make
    >>> from dmlib.problem import prepare_graph
    >>> graph = make("planted_partition", p_in=1.0, p_out=0.0).graph
    >>> data = error_by_known_data(
    ...     WeightedVoteRelationalNeighbor(), prepare_graph(graph, target="group", labelled=True)
    ... )
    >>> float(data.errors.max()), round(data.majority, 3)
    (0.0, 0.667)
    """
    y = problem.y if problem.y is not None else np.empty(0, np.intp)
    if held_out_nodes(y, 1 - SHARES[0], 0) is None:
        raise ValueError(
            "Every class has a single node, so no label can be held out. Choose another graph."
        )
    errors = np.array(
        [
            [_error(model, problem.graph, y, share, seed) for seed in range(N_CHOICES)]
            for share in SHARES
        ]
    )
    counts = np.bincount(y[y >= 0])
    return ErrorByKnownData(np.array(SHARES), errors, float(1 - counts.max() / counts.sum()))


def _error(
    model: WeightedVoteRelationalNeighbor, G: object, y: NDArray[np.intp], share: float, seed: int
) -> float:
    test = held_out_nodes(y, 1 - share, seed)
    if test is None:
        return float("nan")
    predicted = clone(model).fit(G, np.where(test, -1, y)).transduction_
    return float((predicted[test] != y[test]).mean())


def plot_error_by_known(data: ErrorByKnownData) -> go.Figure:
    """Draw each choice as a point, and the means as a line."""
    figure = go.Figure()
    shares = np.repeat(data.shares, data.errors.shape[1])
    figure.add_scatter(
        x=shares,
        y=data.errors.ravel(),
        mode="markers",
        marker={"color": MUTED, "size": 5, "opacity": 0.5},
        hovertemplate="%{x:.0%} known<br>test error %{y:.1%}<extra></extra>",
    )
    has_test = np.isfinite(data.errors).any(axis=1)
    means = np.nanmean(data.errors[has_test], axis=1)
    figure.add_scatter(
        x=data.shares[has_test],
        y=means,
        mode="lines+markers",
        line={"color": ACCENT},
        hovertemplate="%{x:.0%} known<br>mean test error %{y:.1%}<extra></extra>",
    )
    figure.add_hline(
        y=data.majority,
        line={"color": MUTED, "dash": "dot"},
        annotation_text="largest class everywhere",
    )
    figure.update_xaxes(title_text="known labels", tickformat=".0%", range=[0, 1])
    figure.update_yaxes(title_text="test error", tickformat=".0%", rangemode="tozero")
    low, high = data.shares[has_test][[0, -1]]
    title = (
        f"Mean test error {percent(means[0])} with {percent(low)} known,"
        f" {percent(means[-1])} with {percent(high)}."
    )
    note = (
        f"Each point is one of {data.errors.shape[1]} random "
        "choices of the known nodes; the line is their mean."
    )
    return finish(figure, title, note, 320)
