"""The record of one step of the training of a support vector machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.kernels import Kernel
from dmlib.classification.svm.smo import SMO, FreeSolve, PairMove


@dataclass(frozen=True)
class SVCStep:
    r"""One step of the training of a support vector machine.

    Attributes
    ----------
    phase : {"start", "pair", "solve", "done"}
        What was done: a machine for two classes set up; two multipliers moved; all free multipliers
        moved at once; the machine finished.
    positive, negative : int
        The two classes, as indices into ``classes_``; the first is y = +1.
    rows : ndarray of shape (m,)
        The row of the data that each multiplier belongs to; first those of the positive class.
    sign : ndarray of shape (m,)
        y, +1 or -1.
    bound : ndarray of shape (m,)
        The upper bounds of the multipliers: C (also infinite), or for ``NuSVC`` 1 (times the weight
        of the row).
    kernel : Kernel or None
        The kernel, gamma as a number; None for a matrix or a function.
    iteration : int
        The number of pairs moved so far.
    alpha : ndarray of shape (m,)
        The multipliers after the step.
    b : float
        The constant of the decision value, :math:`f(x) = \sum_i y_i \alpha_i K(x_i, x) + b`.
    margin : float
        The decision value on the edge of the margin: 1, and for ``NuSVC`` :math:`\rho`.
    objective : float
        The dual objective, which never falls.
    gap : float
        The largest violation of the optimality conditions by a pair.
    n_violating : int
        How many rows violate their condition by more than the tolerance.
    move : PairMove or None
        The move of a "pair"; i and j are places in ``rows``, and its multipliers are signed, y
        times alpha.
    box : tuple of (float, float)
        L and H of a "pair", the limits of the second alpha.
    solve : FreeSolve or None
        The move of a "solve".
    reason : str
        On "done": why the machine is finished, as a sentence.
    """

    phase: str
    positive: int
    negative: int
    rows: NDArray[np.intp]
    sign: Floats
    bound: Floats
    kernel: Kernel | None
    iteration: int
    alpha: Floats
    b: float
    margin: float
    objective: float
    gap: float
    n_violating: int
    move: PairMove | None = None
    box: tuple[float, float] = (np.nan, np.nan)
    solve: FreeSolve | None = None
    reason: str = ""


def told(smo: SMO, move: PairMove | FreeSolve, bound: Floats) -> dict[str, Any]:
    """Return what a step holds of a move between these bounds."""
    if isinstance(move, FreeSolve):
        return {"phase": "solve", "solve": move}
    return {"phase": "pair", "move": move, "box": _box(smo, move, bound)}


def _box(smo: SMO, move: PairMove, bound: Floats) -> tuple[float, float]:
    """Return L and H: how small and how large the second alpha could become."""
    (i, j), (first, second) = move[:2], move.before
    upper, lower = (
        np.where(end == 0, 0, np.copysign(bound, end)) for end in (smo.upper, smo.lower)
    )
    forth = min(upper[i] - first, second - lower[j])
    back = min(first - lower[i], upper[j] - second)
    low, high = sorted((abs(float(second - forth)), abs(float(second + back))))
    return low, high
