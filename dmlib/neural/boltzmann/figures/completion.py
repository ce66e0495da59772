"""Completion of patterns: each cell as an output, with all other cells as inputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from scipy.special import expit

from dmlib.arrays import Floats
from dmlib.neural.boltzmann.figures.free_energies import AnyMachine, energy_of
from dmlib.neural.boltzmann.figures.grids import plot_grids
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.pictures.words import percent
from dmlib.problem import PatternsProblem
from dmlib.trace import look

MAX_SHOWN = 8  # patterns
CLEAR = 1e-6  # by which a probability must differ from 1/2
HEIGHT = 340  # pixels


@dataclass(frozen=True)
class Completion:
    """The first patterns, and each of their cells given the other ones.

    Attributes
    ----------
    patterns : ndarray of shape (n_patterns, height, width)
        The cells, from 0 to 1.
    probabilities : ndarray of shape (n_patterns, height, width)
        The probability that a cell is on while all others are held at the pattern.
    """

    patterns: Floats
    probabilities: Floats

    @property
    def share_right(self) -> float:
        """The share of cells whose state in the pattern is the more probable one."""
        signs = np.where(self.patterns > 0.5, 1.0, -1.0)
        return float((signs * (self.probabilities - 0.5) > CLEAR).mean())


def completion_data(run: Run[PatternsProblem, AnyMachine]) -> Completion:
    """Compute the exact probability of each cell given the others, hidden units summed out."""
    problem, model = run.problem, run.fitted
    energy, temperature = energy_of(model), getattr(model, "temperature", 1.0)
    rows = problem.data[:MAX_SHOWN]
    probabilities = np.empty(rows.shape)
    for cell in range(rows.shape[1]):
        look()
        on, off = rows.copy(), rows.copy()
        on[:, cell], off[:, cell] = 1.0, 0.0
        probabilities[:, cell] = expit((energy(off) - energy(on)) / temperature)
    shape = (len(rows), problem.height, problem.width)
    return Completion(rows.reshape(shape), probabilities.reshape(shape))


def plot_completion(data: Completion) -> go.Figure:
    """Draw the patterns, and below each the probabilities of its cells."""
    figure = plot_grids(np.array([data.patterns, data.probabilities]), ("pattern", "p of on"))
    title = f"{percent(data.share_right)} of the cells follow from the other cells"
    note = "Below each pattern: the probability of each cell, all others held fixed as inputs."
    return finish(figure, title, note, HEIGHT)


def completion(run: Run[PatternsProblem, AnyMachine]) -> go.Figure:
    """Draw the completion of the patterns of a run."""
    return plot_completion(run.once("completion", lambda: completion_data(run)))
