"""Histograms of the (free) energies of patterns, of noisy patterns, and of noise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.neural.boltzmann.deep_belief import DeepBeliefNetwork
from dmlib.neural.boltzmann.likelihood import free_energies as summed_energies
from dmlib.neural.boltzmann.machine import BoltzmannMachine
from dmlib.neural.boltzmann.restricted import RestrictedBoltzmannMachine
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import PatternsProblem

AnyMachine = RestrictedBoltzmannMachine | BoltzmannMachine | DeepBeliefNetwork

NOISE = 0.1  # fraction of the cells of a noisy pattern that are switched
MAX_ROWS = 300  # of each kind
HEIGHT = 380  # pixels
KINDS = ("patterns", "patterns with 10 % noise", "random cells")


@dataclass(frozen=True)
class FreeEnergies:
    """Energies of three kinds of rows.

    Attributes
    ----------
    values : tuple of ndarray
        Those of the patterns, of noisy ones, and of random cells that are as often on.
    free : bool
        Whether hidden units are summed over.
    """

    values: tuple[NDArray[np.float64], ...]
    free: bool


def free_energies_data(run: Run[PatternsProblem, AnyMachine]) -> FreeEnergies:
    """Compute the energies of patterns, of noisy patterns, and of noise; the first machine's."""
    rng, X = np.random.RandomState(run.seed), run.problem.data[:MAX_ROWS]
    noisy = np.where(rng.uniform(size=X.shape) < NOISE, 1 - X, X)
    noise = (rng.uniform(size=(MAX_ROWS, X.shape[1])) < X.mean()).astype(float)
    model, kinds = run.fitted, (X, noisy, noise)
    energy = energy_of(model)
    has_hidden = not isinstance(model, BoltzmannMachine) or len(model.intercept_) > X.shape[1]
    return FreeEnergies(tuple(map(energy, kinds)), free=has_hidden)


def energy_of(model: AnyMachine) -> Callable[[Floats], Floats]:
    """Return the free energy of rows of cells: of a stack that of the first machine."""
    if isinstance(model, DeepBeliefNetwork):
        return model.machines_[0].free_energy
    if isinstance(model, RestrictedBoltzmannMachine):
        return model.free_energy
    W, b, T = model.weights_, model.intercept_, model.temperature
    return lambda rows: summed_energies(2 * rows - 1, W, b, T)


def plot_free_energies(data: FreeEnergies) -> go.Figure:
    """Draw the three histograms over each other."""
    figure = go.Figure()
    all_values = np.concatenate(data.values)
    size = max(float(np.ptp(all_values)) / 40, 1e-9)
    bins = {"start": float(all_values.min()), "end": float(all_values.max()) + size, "size": size}
    for name, values, shape in zip(KINDS, data.values, ("", "/", "x"), strict=True):
        figure.add_histogram(
            x=values,
            name=name,
            xbins=bins,
            opacity=0.65,
            histnorm="percent",
            marker={"pattern": {"shape": shape}},
        )
    energy = "free energy" if data.free else "energy"
    share = float((data.values[0] < np.median(data.values[2])).mean())
    figure.update_xaxes(title_text=f"{energy}: the lower, the more probable")
    figure.update_yaxes(title_text="percent of each kind")
    title = f"{percent(share)} of the patterns have a lower {energy} than half of the random cells"
    order = "a higher probability than noise, with noisy patterns in between"
    note = f"A trained machine gives its patterns {order}."
    figure = finish(figure, title, note, HEIGHT, barmode="overlay")
    return figure.update_layout(showlegend=True, legend={"x": 0.01, "y": 0.99})


def free_energies(run: Run[PatternsProblem, AnyMachine]) -> go.Figure:
    """Draw the histograms of a run."""
    return plot_free_energies(run.once("free energies", lambda: free_energies_data(run)))
