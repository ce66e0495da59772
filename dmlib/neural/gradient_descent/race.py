"""Walkers that go in lock-step: where each is, what its optimiser remembers, and why it stopped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.optimizers.newton import Newton
from dmlib.neural.gradient_descent.optimizers.optimizer import Memory, Move, Optimizer
from dmlib.trace import look

Rows = NDArray[np.intp]

FAR = 5.0  # widths of the domain: a walker that is farther away has left
STATUS = {
    "moving": "moves",
    "rest": "has converged: its gradient is below the tolerance",
    "diverged": "diverges: f increases with each step",
    "unbounded": "leaves the plane: f decreases without bound",
    "undefined": "stops: the function has no value where the step leads",
    "singular": "stops: the Hessian has no inverse there",
}
"""What became of a walker, as the end of a sentence."""


class Surface(Protocol):
    """A function of two variables with its derivatives, as a problem of :mod:`dmlib.problem.surface`."""

    @property
    def domain(self) -> tuple[float, float, float, float]:
        """The part of the plane that is shown: x0, x1, y0, y1."""

    @property
    def n_rows(self) -> int:
        """The number of rows over which it is a mean; 0 for none."""

    def value(self, points: ArrayLike) -> Any:
        """Return its heights; NaN where it has none."""

    def gradient(self, points: ArrayLike, rows: Rows | None = None) -> Floats:
        """Return its gradients, of some rows or of all."""

    def hessian(self, points: ArrayLike) -> Floats:
        """Return its second derivatives."""


@dataclass(frozen=True)
class DescentStep:
    """One step of all walkers.

    Walkers are numbered optimiser by optimiser, those of one optimiser by their starts.

    Attributes
    ----------
    phase : {"start", "step", "stop", "done"}
        What was done: nothing yet; every walker that moves made a step; at least one of them
        stopped by it; the end.
    iteration : int
        The number of the step, from 1; 0 at the start.
    places : ndarray of shape (n_walkers, 2)
        Where they are.
    values : ndarray of shape (n_walkers,)
        The heights there.
    norms : ndarray of shape (n_walkers,)
        The lengths of the gradients there, of all rows.
    moves : tuple of Move
        Of each optimiser, how its walkers moved; empty at the start and at the end.
    status : tuple of str
        Of each walker: "moving", "rest", "diverged", "unbounded", "undefined" or "singular".
    factor : float
        By which the rates were multiplied.
    batch : ndarray of int or None
        The rows that the gradients were taken of; None for all.
    curvature : ndarray of shape (2,) or None
        On "done": the eigenvalues of the Hessian at the lowest place, the larger first.
    """

    phase: str
    iteration: int
    places: Floats
    values: Floats
    norms: Floats
    moves: tuple[Move, ...]
    status: tuple[str, ...]
    factor: float
    batch: Rows | None
    curvature: Floats | None = None

    @property
    def lowest(self) -> int:
        """The walker that is lowest."""
        return int(self.values.argmin())

    @property
    def best_value(self) -> float:
        """The lowest height."""
        return float(self.values[self.lowest])

    @property
    def best_place(self) -> Floats:
        """Where the lowest walker is, shape (2,)."""
        best: Floats = self.places[self.lowest]
        return best

    @property
    def stable_rate(self) -> float | None:
        """On "done": the largest stable rate of gradient descent there, 2/λ; infinite where nothing curves upwards."""
        return None if self.curvature is None else stable_rate(self.curvature)


def curvatures(surface: Surface, place: Floats) -> Floats:
    """Return the eigenvalues of the Hessian at a place, the larger first; 0 where it is not known."""
    H = surface.hessian(place)
    return np.linalg.eigvalsh(H)[::-1].astype(float) if np.isfinite(H).all() else np.zeros(2)


def stable_rate(curvature: Floats) -> float:
    """Return the largest stable rate of gradient descent, 2/λ, for the curvatures at a minimum.

    Examples
    --------
    >>> stable_rate(np.array([20.0, 1.0])), stable_rate(np.array([-1.0, -2.0]))
    (0.1, inf)
    """
    return 2 / float(curvature[0]) if curvature[0] > 0 else np.inf


class Race:
    """Several optimisers, each with a walker at each start.

    Parameters
    ----------
    surface : Surface
        What they walk on.
    optimizers : sequence of Optimizer
        How they walk.
    starts : ndarray of shape (n_starts, 2)
        Where they begin.
    """

    def __init__(self, surface: Surface, optimizers: Sequence[Optimizer], starts: Floats) -> None:
        self.surface, self.optimizers, self.n_starts = surface, optimizers, len(starts)
        self.places = np.tile(starts, (len(optimizers), 1))
        self.first = self.values = surface.value(self.places)
        self.memories: list[Memory] = [optimizer.start(len(starts)) for optimizer in optimizers]
        self.status = ["moving"] * len(self.places)
        x0, x1, y0, y1 = surface.domain
        self.middle, self.width = np.array([x0 + x1, y0 + y1]) / 2, np.array([x1 - x0, y1 - y0])

    def steps(
        self, max_iter: int, tol: float, decay: float, batches: Iterator[Rows | None]
    ) -> Iterator[DescentStep]:
        """Yield the start, each step and the end."""
        self._rest(tol)
        yield self._step("start", 0)
        t = 0
        while t < max_iter and "moving" in self.status:
            look()
            t += 1
            factor, batch, before = 1 / (1 + decay * (t - 1)), next(batches), list(self.status)
            moves = self._move(t, factor, batch)
            self._rest(tol)
            phase = "step" if self.status == before else "stop"
            yield self._step(phase, t, moves, factor, batch)
        yield replace(self._step("done", t), curvature=curvatures(self.surface, self._best()))

    def _move(self, t: int, factor: float, batch: Rows | None) -> tuple[Move, ...]:
        moves = []
        with np.errstate(over="ignore", invalid="ignore"):
            for i, optimizer in enumerate(self.optimizers):
                own = slice(i * self.n_starts, (i + 1) * self.n_starts)
                rows = (
                    None if isinstance(optimizer, Newton) else batch
                )  # a curvature of few rows has no inverse
                slopes = partial(self.surface.gradient, rows=rows)
                move = optimizer.move(slopes, self.places[own], self.memories[i], t, factor)
                self.memories[i] = move.memory
                moves.append(move)
        self._take(np.vstack([move.step for move in moves]))
        return tuple(moves)

    def _take(self, steps: Floats) -> None:
        """Let those that move make their steps; one that has nowhere to go stays where it is."""
        moving = np.array([status == "moving" for status in self.status])
        with np.errstate(over="ignore", invalid="ignore"):
            there = self.places + steps
            values = self.surface.value(there)
            far = ~((np.abs(there - self.middle) / self.width).max(axis=1) <= FAR + 0.5)
        for i in np.flatnonzero(moving).tolist():
            if not np.isfinite(there[i]).all():
                nowhere = isinstance(self.optimizers[i // self.n_starts], Newton)
                self.status[i] = "singular" if nowhere else "undefined"
            elif far[i]:
                self.status[i] = "unbounded" if values[i] < self.first[i] else "diverged"
            elif np.isnan(values[i]):
                self.status[i] = "undefined"
        goes = moving & np.isfinite(there).all(axis=1) & np.isfinite(values)
        self.places = np.where(goes[:, None], there, self.places)
        self.values = np.where(goes, values, self.values)

    def _rest(self, tol: float) -> None:
        """Find the lengths of the gradients, and let those walkers rest whose gradient is small."""
        with np.errstate(over="ignore", invalid="ignore"):
            norms = np.linalg.norm(self.surface.gradient(self.places), axis=1)
        self.norms = np.where(np.isfinite(norms), norms, np.inf)
        self.status = [
            "rest" if status == "moving" and norm <= tol else status
            for status, norm in zip(self.status, self.norms, strict=True)
        ]

    def _step(
        self,
        phase: str,
        t: int,
        moves: tuple[Move, ...] = (),
        factor: float = 1.0,
        batch: Rows | None = None,
    ) -> DescentStep:
        return DescentStep(
            phase, t, self.places, self.values, self.norms, moves, tuple(self.status), factor, batch
        )

    def _best(self) -> Floats:
        best: Floats = self.places[int(self.values.argmin())]
        return best
