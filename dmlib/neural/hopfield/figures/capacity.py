"""The capacity of a network: cells that recall changes, by the number of random patterns a unit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.neural.hopfield.algorithm import Hopfield
from dmlib.neural.hopfield.recall import fixed_points
from dmlib.neural.hopfield.storage import RULES, store
from dmlib.pictures.figures.style import MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import PatternsProblem

UNITS = 100
HEIGHT = 420  # pixels
LOADS = (0.03, 0.06, 0.09, 0.12, 0.15, 0.18, 0.22, 0.3, 0.4, 0.6, 0.8, 0.95)
TRIALS = 3
SWEEPS = 20
CAPACITY = 0.138  # Amit, Gutfreund and Sompolinsky (1985), of Hebb's rule for n -> infinity
NAMES = {"hebb": "Hebb", "pseudo_inverse": "Pseudo-inverse", "storkey": "Storkey"}


@dataclass(frozen=True)
class Capacity:
    """The error of each rule by load.

    Attributes
    ----------
    units : int
        The size of the networks.
    loads : tuple of float
        Patterns for each unit.
    errors : dict of str to ndarray of shape (n_loads,)
        By rule, the mean fraction of a pattern's cells that recall from it changes.
    rule, load : str and float or None
        Those of a run.
    """

    units: int
    loads: tuple[float, ...]
    errors: dict[str, NDArray[np.float64]]
    rule: str = "hebb"
    load: float | None = None


def capacity_data(
    seed: int = 0,
    units: int = UNITS,
    loads: tuple[float, ...] = LOADS,
    progress: Callable[[float], None] = lambda _: None,
) -> Capacity:
    """Measure the fraction of wrong cells after recalls from stored random patterns.

    ``progress`` is called with each load.

    Examples
    --------
    >>> capacity = capacity_data(units=60, loads=(0.05, 0.5))
    >>> low, high = capacity.errors["hebb"]
    >>> bool(low < 0.01 < 0.1 < high)
    True
    """
    errors = {rule: np.zeros(len(loads)) for rule in RULES}
    for k, load in enumerate(loads):
        for trial in range(TRIALS):
            rng = np.random.RandomState(seed + 1000 * trial + k)
            X = rng.choice([-1.0, 1.0], size=(max(1, round(load * units)), units))
            for rule, rule_errors in errors.items():
                ends = fixed_points(store(X, rule), X, SWEEPS, rng)
                rule_errors[k] += float((ends != X).mean()) / TRIALS
        progress(load)
    return Capacity(units, loads, errors)


def capacity_beside(
    run: Run[PatternsProblem, Hopfield], progress: Callable[[float], None]
) -> Capacity:
    """Measure the capacity of the three rules, with the rule and the load of a run."""
    n_patterns, n_units = run.problem.data.shape
    capacity = capacity_data(run.seed, progress=progress)
    return replace(capacity, rule=run.model.rule, load=n_patterns / n_units)


def plot_capacity(data: Capacity) -> go.Figure:
    """Draw the curves; that of the run's rule is thick, and a line is at the run's load."""
    figure = go.Figure()
    for dash, (name, values) in zip(("solid", "dash", "dot"), data.errors.items(), strict=True):
        figure.add_scatter(
            x=data.loads,
            y=values,
            name=NAMES[name],
            mode="lines+markers",
            line={"dash": dash, "width": 4 if name == data.rule else 2},
        )
    figure.add_vline(
        CAPACITY, line={"dash": "dot", "color": MUTED}, annotation_text="0.138, theory"
    )
    if data.load is not None and data.load <= 1:
        figure.add_vline(
            data.load, line={"width": 1, "color": MUTED}, annotation={"text": "this run", "y": 0.9}
        )
    figure.update_xaxes(title_text="patterns for each unit, p / n")
    figure.update_yaxes(title_text="fraction of wrong cells", rangemode="tozero")
    title = (
        f"Random patterns in {data.units} units: the fraction of their cells that recall changes"
    )
    source = f"Recall starts at the pattern itself. Mean of {TRIALS} draws"
    figure = finish(figure, title, f"{source}; Hebb's rule breaks down near 0.138 n.", HEIGHT)
    return figure.update_layout(showlegend=True, legend={"orientation": "h", "y": -0.25})
