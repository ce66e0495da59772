"""Where a network comes to rest from random starts: stored patterns, their inverses, mixtures, and others."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.neural.hopfield.recall import energy, settled
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run

STARTS, SWEEPS = 300, 50
HEIGHT = 420  # pixels
MOST_MIXED = 12  # patterns of which all mixtures of three are looked at
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
        How many starts end in each.
    energies : ndarray of shape (n_states,)
        Their energies.
    kinds : ndarray of int of shape (n_states,)
        What each is: an index of ``KINDS``.
    """

    states: NDArray[np.float64]
    counts: NDArray[np.intp]
    energies: NDArray[np.float64]
    kinds: NDArray[np.intp]


def resting_states_data(
    X: NDArray[np.float64], W: NDArray[np.float64], seed: int = 0
) -> RestingStates:
    """Let random states come to rest, one unit at a time, and count where.

    Examples
    --------
    >>> from dmlib.neural.hopfield.storage import store
    >>> X = np.array([[1.0, 1.0, -1.0, -1.0]])
    >>> found = resting_states_data(X, store(X, "hebb"))
    >>> found.kinds.tolist(), int(found.counts.sum())
    ([1, 0], 300)
    """
    rng = np.random.RandomState(seed)
    starts = rng.choice([-1.0, 1.0], size=(STARTS, X.shape[1]))
    states, counts = np.unique(settled(W, starts, SWEEPS, rng), axis=0, return_counts=True)
    mixed = _mixtures(X)
    kinds = [_kind(state, X, mixed) for state in states]
    return RestingStates(
        states, counts, np.array([energy(W, state) for state in states]), np.array(kinds)
    )


def _mixtures(X: NDArray[np.float64]) -> NDArray[np.float64]:
    some = [
        np.sign(a * X[i] + b * X[j] + X[k])
        for i, j, k in combinations(range(min(len(X), MOST_MIXED)), 3)
        for a in (-1, 1)
        for b in (-1, 1)
    ]
    return np.array(some).reshape(-1, X.shape[1])


def _kind(state: NDArray[np.float64], X: NDArray[np.float64], mixed: NDArray[np.float64]) -> int:
    groups = (X, -X, np.vstack([mixed, -mixed]))
    return next(
        (kind for kind, group in enumerate(groups) if (group == state).all(axis=1).any()),
        len(groups),
    )


def plot_resting_states(data: RestingStates) -> go.Figure:
    """Draw each state by its energy and by how many starts end in it."""
    figure = go.Figure()
    for kind, (name, symbol) in enumerate(zip(KINDS, SYMBOLS, strict=True)):
        mine = data.kinds == kind
        share = data.counts[mine].sum() / data.counts.sum()
        figure.add_scatter(
            x=data.energies[mine],
            y=data.counts[mine],
            name=f"{name}: {mine.sum()} ({share:.0%} of the starts)",
            mode="markers",
            marker={"symbol": symbol, "size": 11},
        )
    spurious = data.counts[data.kinds > 1].sum() / data.counts.sum()
    figure.update_xaxes(title_text="energy of the state")
    figure.update_yaxes(title_text="starts that end in it", rangemode="tozero")
    title = f"{len(data.states)} attractors reached from {data.counts.sum()} random starts"
    note = (
        f"{spurious:.0%} of the starts end in spurious states: none of the patterns, nor the"
        " inverse of one."
    )
    return finish(figure, title, note, HEIGHT).update_layout(
        showlegend=True, legend={"x": 0.01, "y": 0.99}
    )


def resting_states(run: Run) -> go.Figure:
    """Return where random starts of a run's network come to rest."""
    model = run.fitted
    data = run.once(
        "resting states", lambda: resting_states_data(model.patterns_, model.weights_, run.seed)
    )
    return plot_resting_states(data)
