"""How probable a machine finds its patterns, noisy ones, and noise: histograms of the (free) energy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.neural.boltzmann.restricted import RestrictedBoltzmannMachine
from dmlib.neural.boltzmann.states import energies
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run

NOISE = 0.1  # share of the cells of a noisy pattern that are switched
MOST = 300  # of each kind
HEIGHT = 380  # pixels
KINDS = ("patterns", "patterns with 10 % noise", "random cells")


@dataclass(frozen=True)
class FreeEnergies:
    """Energies by what they are of.

    Attributes
    ----------
    values : tuple of ndarray
        Those of the patterns, of noisy ones, and of random cells that are as often on.
    free : bool
        Whether hidden units are summed over.
    """

    values: tuple[NDArray[np.float64], ...]
    free: bool


def free_energies_data(run: Run) -> FreeEnergies:
    """Compute the energies of patterns and of what they are compared with."""
    rng, X = np.random.RandomState(run.seed), run.problem.data[:MOST]
    noisy = np.where(rng.uniform(size=X.shape) < NOISE, 1 - X, X)
    noise = (rng.uniform(size=(MOST, X.shape[1])) < X.mean()).astype(float)
    model = run.fitted
    if isinstance(model, RestrictedBoltzmannMachine):
        return FreeEnergies(tuple(model.free_energy(some) for some in (X, noisy, noise)), free=True)
    found = (energies(2 * some - 1, model.weights_, model.intercept_) for some in (X, noisy, noise))
    return FreeEnergies(tuple(found), free=False)


def plot_free_energies(data: FreeEnergies) -> go.Figure:
    """Draw the three histograms over each other."""
    figure = go.Figure()
    every = np.concatenate(data.values)
    size = max(float(np.ptp(every)) / 40, 1e-9)
    for name, values, shape in zip(KINDS, data.values, ("", "/", "x"), strict=True):
        bins = {"start": float(every.min()), "end": float(every.max()) + size, "size": size}
        figure.add_histogram(
            x=values,
            name=name,
            xbins=bins,
            opacity=0.65,
            histnorm="percent",
            marker={"pattern": {"shape": shape}},
        )
    what = "free energy" if data.free else "energy"
    below = float((data.values[0] < np.median(data.values[2])).mean())
    figure.update_xaxes(title_text=f"{what}: the lower, the more probable")
    figure.update_yaxes(title_text="percent of each kind")
    title = f"{below:.0%} of the patterns have a lower {what} than half of the random cells"
    note = (
        "A trained machine gives its patterns a higher probability than noise, with noisy patterns"
        " in between."
    )
    figure = finish(figure, title, note, HEIGHT, barmode="overlay")
    return figure.update_layout(showlegend=True, legend={"x": 0.01, "y": 0.99})


def free_energies(run: Run) -> go.Figure:
    """Return the histograms of a run."""
    return plot_free_energies(run.once("free energies", lambda: free_energies_data(run)))
