"""The likelihood of patterns in a Boltzmann machine, and the means that are its gradient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import log_expit, logsumexp, softmax

from dmlib.arrays import Floats
from dmlib.neural.boltzmann.states import MAX_UNITS, all_states, energies

MAX_HIDDEN = 8  # whose 256 states are listed for each pattern


@dataclass(frozen=True)
class PairMeans:
    """The mean product of two units, in the data and in the machine."""

    units: tuple[int, int]
    data: float
    machine: float


def hidden_states(X: Floats, b: Floats) -> Floats:
    """Return all states of the units beyond the columns of X, -1 and 1; one, empty, of none.

    Examples
    --------
    >>> hidden_states(np.ones((1, 2)), np.zeros(3)).tolist()
    [[-1.0], [1.0]]
    """
    return 2 * all_states(len(b) - X.shape[1]) - 1


def clamped_energies(X: Floats, W: Floats, b: Floats) -> Floats:
    """Return the energy of each row of visible units with each state of the hidden ones.

    Examples
    --------
    >>> W = np.array([[0.0, 2.0], [2.0, 0.0]])
    >>> clamped_energies(np.array([[1.0], [-1.0]]), W, np.zeros(2)).tolist()
    [[2.0, -2.0], [-2.0, 2.0]]
    """
    n, H = X.shape[1], hidden_states(X, b)
    alone = energies(X, W[:n, :n], b[:n])[:, None] + energies(H, W[n:, n:], b[n:])
    values: Floats = alone - X @ W[:n, n:] @ H.T
    return values


def free_energies(X: Floats, W: Floats, b: Floats, temperature: float) -> Floats:
    """Return -T log of the sum of exp(-E / T) over all hidden states; the energy without any."""
    if X.shape[1] == len(b):
        return energies(X, W, b)
    terms = -clamped_energies(X, W, b) / temperature
    values: Floats = -temperature * logsumexp(terms, axis=1)
    return values


def clamped_means(X: Floats, W: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return the means of units and of products of two, at temperature 1.

    Visible units are as in the rows, hidden ones have their distribution given these.
    """
    n, H = X.shape[1], hidden_states(X, b)
    shares = softmax(-clamped_energies(X, W, b), axis=1)
    units = np.hstack([X, shares @ H])
    products = units.T @ units / len(X)
    products[n:, n:] = H.T @ (shares.mean(axis=0)[:, None] * H)
    return units.mean(axis=0), products


def log_partition(W: Floats, b: Floats, temperature: float) -> float:
    """Return the logarithm of the sum of exp(-E / T) over all states; NaN of too many."""
    n = len(b)
    if n > MAX_UNITS:
        return float("nan")
    return float(logsumexp(-energies(2 * all_states(n) - 1, W, b) / temperature))


def log_likelihood(X: Floats, W: Floats, b: Floats, temperature: float) -> float:
    """Return the mean log-likelihood of rows of visible units; NaN of too many units."""
    mean = free_energies(X, W, b, temperature).mean()
    return float(-mean / temperature - log_partition(W, b, temperature))


def pseudo_log_likelihoods(X: Floats, W: Floats, b: Floats, temperature: float) -> Floats:
    """Return for each row the sum of log p of each visible unit, given the other ones."""
    n = X.shape[1]
    if n == len(b):
        nets = X @ W + b
        scores: Floats = log_expit(2 * X * nets / temperature).sum(axis=1)
        return scores
    energy, signs = free_energies(X, W, b, temperature), 1 - 2 * np.eye(n)
    rises = [free_energies(X * sign, W, b, temperature) - energy for sign in signs]
    return np.asarray(log_expit(np.array(rises) / temperature).sum(axis=0))


def random_hidden_weights(
    W: Floats, b: Floats, n_hidden: int, rng: np.random.RandomState
) -> tuple[Floats, Floats]:
    """Return weights whose part of hidden units, the last ones, is random, with sums about 1."""
    n, scale = len(b) - n_hidden, 1 / np.sqrt(len(b))
    random = np.triu(rng.normal(scale=scale, size=W.shape), 1)
    random[:n, :n] = 0.0
    is_hidden = np.arange(len(b)) >= n
    return W + random + random.T, np.where(is_hidden, rng.normal(scale=scale, size=len(b)), b)


def widest_pair(data: Floats, machine: Floats) -> PairMeans | None:
    """Return the first pair of units whose mean products differ most."""
    if len(data) < 2:
        return None
    # Rounded, so that the last digits do not choose between equal ones.
    gaps = np.abs(data - machine).round(9)
    gaps[np.tril_indices(len(gaps))] = -1.0
    i, j = (int(unit) for unit in np.unravel_index(gaps.argmax(), gaps.shape))
    return PairMeans((i, j), float(data[i, j]), float(machine[i, j]))
