"""The steps of the training of a support vector machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.kernels import Kernel
from dmlib.classification.svm.smo import SMO, FreeSolve, PairMove

Phase = Literal["start", "pair", "solve", "done"]


@dataclass(frozen=True)
class SVCStep:
    r"""One step of the training of a support vector machine.

    Attributes
    ----------
    phase : {"start", "pair", "solve", "done"}
        A machine for two classes was set up; two multipliers were moved; all free multipliers were
        moved at once; the machine is trained.
    positive, negative : int
        The two classes, as indices into ``classes_``; the first is y = +1.
    rows : ndarray of shape (m,)
        The row of each multiplier; first those of the positive class.
    X : ndarray of shape (m, n_features)
        These rows; empty for a kernel matrix.
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
        The dual objective, which never decreases.
    gap : float
        The largest violation of the optimality conditions by a pair.
    n_violating : int
        The number of rows that violate their condition by more than the tolerance.
    move : PairMove or None
        The move of a "pair"; i and j are places in ``rows``, and its multipliers are signed, y
        times alpha.
    box : tuple of (float, float)
        L and H of a "pair", the limits of the second alpha.
    solve : FreeSolve or None
        The move of a "solve".
    reason : str
        On "done": why training ended, as a sentence.
    """

    phase: Phase
    positive: int
    negative: int
    rows: NDArray[np.intp]
    X: Floats
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

    @property
    def n_support(self) -> NDArray[np.intp]:
        """The number of rows whose multiplier is not 0: of the negative, of the positive class."""
        return np.array([np.count_nonzero(self.alpha[self.sign == y]) for y in (-1, 1)])


def move_fields(smo: SMO, move: PairMove | FreeSolve, bound: Floats) -> dict[str, Any]:
    """Return the fields of a step that say how multipliers moved between these bounds."""
    if isinstance(move, FreeSolve):
        return {"phase": "solve", "solve": move}
    return {"phase": "pair", "move": move, "box": _box(smo, move, bound)}


def _box(smo: SMO, move: PairMove, bound: Floats) -> tuple[float, float]:
    """Return L and H: the smallest and the largest possible second alpha."""
    i, j = move.i, move.j
    first, second = move.before
    upper = np.where(smo.upper == 0, 0, np.copysign(bound, smo.upper))
    lower = np.where(smo.lower == 0, 0, np.copysign(bound, smo.lower))
    decrease = min(upper[i] - first, second - lower[j])
    increase = min(first - lower[i], upper[j] - second)
    low, high = sorted((abs(float(second - decrease)), abs(float(second + increase))))
    return low, high
