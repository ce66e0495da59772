"""Samples of a machine: chains that start at noise, after more and more steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from scipy.special import expit

from dmlib.neural.boltzmann.deep_belief import DeepBeliefNetwork
from dmlib.neural.boltzmann.figures.free_energies import AnyMachine
from dmlib.neural.boltzmann.figures.grids import plot_grids
from dmlib.neural.boltzmann.machine import BoltzmannMachine
from dmlib.neural.boltzmann.restricted import RestrictedBoltzmannMachine
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.problem import PatternsProblem
from dmlib.trace import look

CHAINS = 8
N_STEPS = (0, 1, 10, 100, 1000)
HEIGHT = 560  # pixels


@dataclass(frozen=True)
class Dreams:
    """Samples after some numbers of steps.

    Attributes
    ----------
    n_steps : tuple of int
        The numbers of steps or sweeps.
    samples : ndarray of shape (n_moments, n_chains, height, width)
        For each cell the probability that it is on.
    """

    n_steps: tuple[int, ...]
    samples: NDArray[np.float64]


def dreams_data(run: Run[PatternsProblem, AnyMachine]) -> Dreams:
    """Sample from noise, at the temperature of the run.

    Of a stack the second machine samples, and the first one makes patterns of its samples.
    """
    model, problem = run.fitted, run.problem
    rng = np.random.RandomState(run.seed)
    n_states = problem.data.shape[1]
    if isinstance(model, DeepBeliefNetwork):
        n_states = model.n_components
    elif isinstance(model, BoltzmannMachine):
        n_states = len(model.intercept_)
    states = (rng.uniform(size=(CHAINS, n_states)) < 0.5).astype(float)
    samples = []
    n_before = 0
    for n in N_STEPS:
        if isinstance(model, DeepBeliefNetwork):
            first, second = model.machines_
            states = second.dream(states, n - n_before, rng)
            means = first.means_visible(states)
        elif isinstance(model, RestrictedBoltzmannMachine):
            states = model.parameters_.dream(states, n - n_before, rng)
            means = model.reconstruct(states) if n else states
        else:
            states = _sample(model, states, n - n_before, rng)
            means = states[:, : problem.data.shape[1]]
        samples.append(means.reshape(CHAINS, problem.height, problem.width))
        n_before = n
    return Dreams(N_STEPS, np.array(samples))


def _sample(
    model: BoltzmannMachine, start: NDArray[np.float64], n_sweeps: int, rng: np.random.RandomState
) -> NDArray[np.float64]:
    """Return states, 0 and 1, after sweeps through all units."""
    states = 2 * start - 1
    W, b = model.weights_, model.intercept_
    for _ in range(n_sweeps):
        look()
        for unit in range(len(b)):
            p = expit(2 * (states @ W[unit] + b[unit]) / model.temperature)
            states[:, unit] = np.where(rng.uniform(size=len(states)) < p, 1.0, -1.0)
    return (states > 0).astype(float)


def plot_dreams(data: Dreams) -> go.Figure:
    """Draw the chains side by side, their samples below each other."""
    n_chains = data.samples.shape[1]
    figure = plot_grids(data.samples, [f"{n}" for n in data.n_steps])
    title = f"{n_chains} chains that start at noise"
    numbers = ", ".join(map(str, data.n_steps))
    return finish(figure, title, f"Rows: after {numbers} steps of sampling.", HEIGHT)


def dreams(run: Run[PatternsProblem, AnyMachine]) -> go.Figure:
    """Draw samples of the machine of a run."""
    return plot_dreams(run.once("dreams", lambda: dreams_data(run)))
