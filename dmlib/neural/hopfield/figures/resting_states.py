"""Attractors reached from random starts: patterns, their inverses, mixtures, and others."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.neural.hopfield.algorithm import Hopfield
from dmlib.neural.hopfield.recall import energy, fixed_points
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import PatternsProblem

STARTS, SWEEPS = 300, 50
HEIGHT = 420  # pixels
MAX_MIXED = 12  # patterns of which all mixtures of three are tried
KINDS = ("stored pattern", "inverse of a pattern", "mixture of three", "other spurious state")
SYMBOLS = ("circle", "circle-open", "triangle-up", "x")


@dataclass(frozen=True)
class RestingStates:
    """The different states in which random starts end.

    Attributes
    ----------
    states : ndarray of shape (n_states, n_units)
        The states.
    counts : ndarray of int of shape (n_states,)
        The number of starts that end in each.
    energies : ndarray of shape (n_states,)
        Their energies.
    kinds : ndarray of int of shape (n_states,)
        The kind of each: an index of ``KINDS``.
    """

    states: NDArray[np.float64]
    counts: NDArray[np.intp]
    energies: NDArray[np.float64]
    kinds: NDArray[np.intp]


def resting_states_data(
    X: NDArray[np.float64],
    W: NDArray[np.float64],
    seed: int = 0,
    threshold: float | NDArray[np.float64] = 0.0,
) -> RestingStates:
    """Count the fixed points of recalls from random states.

    Examples
    --------
    >>> from dmlib.neural.hopfield.storage import store
    >>> X = np.array([[1.0, 1.0, -1.0, -1.0]])
    >>> attractors = resting_states_data(X, store(X, "hebb"))
    >>> attractors.kinds.tolist(), int(attractors.counts.sum())
    ([1, 0], 300)
    """
    rng = np.random.RandomState(seed)
    starts = rng.choice([-1.0, 1.0], size=(STARTS, X.shape[1]))
    ends = fixed_points(W, starts, SWEEPS, rng, threshold)
    states, counts = np.unique(ends, axis=0, return_counts=True)
    mixtures = _mixtures(X)
    kinds = np.array([_kind(state, X, mixtures) for state in states])
    energies = np.array([energy(W, state, threshold) for state in states])
    return RestingStates(states, counts, energies, kinds)


def _mixtures(X: NDArray[np.float64]) -> NDArray[np.float64]:
    mixtures = [
        np.sign(a * X[i] + b * X[j] + X[k])
        for i, j, k in combinations(range(min(len(X), MAX_MIXED)), 3)
        for a in (-1, 1)
        for b in (-1, 1)
    ]
    return np.array(mixtures).reshape(-1, X.shape[1])


def _kind(state: NDArray[np.float64], X: NDArray[np.float64], mixtures: NDArray[np.float64]) -> int:
    groups = (X, -X, np.vstack([mixtures, -mixtures]))
    for kind, group in enumerate(groups):
        if (group == state).all(axis=1).any():
            return kind
    return len(groups)


def plot_resting_states(data: RestingStates) -> go.Figure:
    """Draw each state by its energy and by the number of starts that end in it."""
    figure = go.Figure()
    for kind, (name, symbol) in enumerate(zip(KINDS, SYMBOLS, strict=True)):
        of_kind = data.kinds == kind
        share = data.counts[of_kind].sum() / data.counts.sum()
        figure.add_scatter(
            x=data.energies[of_kind],
            y=data.counts[of_kind],
            name=f"{name}: {of_kind.sum()} ({percent(share)} of the starts)",
            mode="markers",
            marker={"symbol": symbol, "size": 11},
        )
    spurious = data.counts[data.kinds > 1].sum() / data.counts.sum()
    figure.update_xaxes(title_text="energy of the state")
    figure.update_yaxes(title_text="starts that end in it", rangemode="tozero")
    title = f"{len(data.states)} attractors reached from {data.counts.sum()} random starts"
    spurious_states = "spurious states: none of the patterns, nor the inverse of one"
    figure = finish(
        figure, title, f"{percent(spurious)} of the starts end in {spurious_states}.", HEIGHT
    )
    return figure.update_layout(showlegend=True, legend={"x": 0.01, "y": 0.99})


def resting_states(run: Run[PatternsProblem, Hopfield]) -> go.Figure:
    """Draw the attractors that random starts of a run's network reach."""
    model = run.fitted
    data = run.once(
        "resting states",
        lambda: resting_states_data(model.patterns_, model.weights_, run.seed, model.thresholds_),
    )
    return plot_resting_states(data)
