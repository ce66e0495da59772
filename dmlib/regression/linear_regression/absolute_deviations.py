"""Least absolute deviations: a line through rows is turned until the sum of residuals is lowest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.classification.columns import check_columns
from dmlib.estimator import Staged
from dmlib.params import Flag, Integer, Param
from dmlib.regression.design import LeastSquares
from dmlib.regression.linear_model import LinearModel
from dmlib.regression.linear_regression.solvers import LinearRegressionStep, Phase
from dmlib.trace import look

TIE = 1e-10  # fraction of the target's range by which the order of tied rows is decided
ROUNDING = 1e-9  # fraction of a sum up to which it is 0
GOLDEN = 0.61803398875  # rows are put in order by its multiples


@dataclass(frozen=True)
class Turn:
    """A move of the coefficients along which some rows keep the residual 0."""

    changes: Floats  # (n_samples,): by how much predictions change for each unit of the move
    steps: Floats  # (n_samples,): the units after which each residual is 0; NaN if it never is
    weights: Floats  # (n_samples,): |changes| times the weights of the rows
    length: float  # the units that are moved: the weighted median of the steps
    entering: int  # the row whose residual becomes 0
    leaving: int | None = None  # the row whose residual was 0; None while terms are added

    def sums(self, lengths: ArrayLike) -> Floats:
        r"""Return :math:`\sum w |e|` after moves of other lengths, but for a constant."""
        moving = self.weights > 0
        gaps = np.abs(self.steps[moving] - np.asarray(lengths)[..., None])
        return np.asarray(gaps @ self.weights[moving])


@dataclass(frozen=True)
class AbsoluteStep(LinearRegressionStep):
    """One step of least absolute deviations.

    Attributes
    ----------
    sae : float
        The (weighted) sum of absolute residuals.
    rows : tuple of int
        The training rows whose residual is 0 by the step, by their place.
    turn : Turn or None
        The move that led here; None at the end.
    is_unique : bool
        On "done": whether the sum rises along each edge that leads from here.
    """

    sae: float = np.nan
    rows: tuple[int, ...] = ()
    turn: Turn | None = None
    is_unique: bool = True


class LeastAbsoluteDeviations(Staged, LinearModel):
    r"""Predict a number by a weighted sum of the columns with the smallest absolute residuals.

    :math:`\hat y = b_0 + \sum_j b_j x_j` minimises :math:`SAE = \sum_i w_i |y_i - \hat y_i|`. With
    k coefficients, a best solution goes exactly through k rows. The first row is the median of the
    target; then each term is added by turning around the rows so far. At last, one of the k rows
    is released, and the solution turns around the others to the weighted median of the moves at
    which a residual becomes 0, as long as the sum falls: the simplex method without its table.

    Parameters
    ----------
    weight_column : int, default=0
        The number of the column, from 1, that holds the weights of the rows, above 0; it is no
        term. 0 for none.
    fit_intercept : bool, default=True
        Whether there is a constant term.

    Attributes
    ----------
    coef_ : ndarray of shape (n_terms,)
        The coefficients of the terms.
    intercept_ : float
        The constant term.
    terms_ : tuple of str
        The names of the terms.
    bases_ : dict of str to str
        The base level of each nominal column.
    sae_, sse_ : float
        The (weighted) sums of absolute and of squared residuals.
    r2_, rmse_ : float
        1 - SSE / SST, NaN if all targets are equal, and √(SSE / n).
    support_ : ndarray of shape (n_coefficients,)
        The rows with the residual 0 that decide the coefficients, by their place.
    is_unique_ : bool
        Whether the sum rises along each edge that leads from the solution. If not, others have the
        same sum.
    n_iter_ : int
        How many moves were made.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing, a weight is not above 0, or numbers are too large or too small to be
        squared.

    Notes
    -----
    A move takes O(n k² + k³ + n log n) for n rows and k coefficients; in practice there are a small
    multiple of k. The row that is released is the one for which the sum falls most in proportion to
    the change of all predictions (Bloomfield and Steiger). Rows that tie are ordered by a change of
    the target that is too small to matter (Charnes 1952), so that each move lowers the sum and the
    search ends. Terms that depend linearly on others are held at 0.

    References
    ----------
    R. J. Boscovich (1757), De litteraria expeditione per pontificiam ditionem. P.-S. Laplace
    (1793), Sur quelques points du système du monde (the weighted median). I. Barrodale and F. D. K.
    Roberts (1973), An improved algorithm for discrete l1 linear approximation, SIAM Journal on
    Numerical Analysis 10. P. Bloomfield and W. Steiger (1980), Least absolute deviations
    curve-fitting, SIAM Journal on Scientific and Statistical Computing 1.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [1.0, 2.0, 3.0, 4.0, 20.0]
    >>> model = LeastAbsoluteDeviations().fit(X, y)
    >>> model.coef_.round(6).tolist(), round(model.intercept_, 6), round(model.sae_, 6)
    ([1.0], 1.0, 15.0)
    """

    LARGEST = 1e150
    PARAMS: ClassVar[dict[str, Param]] = {
        "weight_column": Integer(0, 10_000, shown=(0, 10)),
        "fit_intercept": Flag(),
    }

    def __init__(self, *, weight_column: int = 0, fit_intercept: bool = True) -> None:
        self.weight_column = weight_column
        self.fit_intercept = fit_intercept

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Find the coefficients for the rows of ``X`` and their numbers ``y``."""
        check_columns(self, X, y)
        self._design, data = self._prepare(X, y)
        *_, last = self._steps(data)
        self.terms_ = self._design.terms
        self.bases_ = self._design.bases
        self.__dict__.update(self._learned(last))
        self.sae_ = last.sae
        self.sse_ = last.sse
        self.r2_ = last.r2
        self.rmse_ = last.rmse
        self.support_ = np.array(last.rows, int)
        self.is_unique_ = last.is_unique
        self.n_iter_ = last.iteration
        return self

    def _learned(self, step: AbsoluteStep) -> dict[str, Any]:
        return {"coef_": step.coef.copy(), "intercept_": step.intercept}

    def steps(self, X: Any, y: ArrayLike | None = None) -> Iterator[AbsoluteStep]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from self._steps(self._prepare(X, y)[1])

    def _steps(self, data: LeastSquares) -> Iterator[AbsoluteStep]:
        search = _Search(data)
        last: AbsoluteStep | None = None
        for turn in search.turns():
            step = search.step("turn" if last or not data.fit_intercept else "median", last, turn)
            if last and turn.leaving is not None and step.sae >= last.sae * (1 - ROUNDING):
                continue  # rows on one line change places
            last = step
            yield step
        yield search.step("done", last)


class _Search:
    """The rows whose residual is 0, and the coefficients that they decide.

    Terms are centred and scaled, so that their units do not matter.
    """

    def __init__(self, data: LeastSquares) -> None:
        self.data = data
        self.weights = np.ones(len(data.y)) if data.weights is None else data.weights
        self.free = np.flatnonzero(data.independent())
        terms = (data.Z - data.means)[:, self.free]
        self.scale = np.abs(terms).max(axis=0)
        constant = int(data.fit_intercept)
        self.A = np.hstack([np.ones((len(terms), constant)), terms / self.scale])
        self.units = np.append(np.ones(constant), self.scale)
        self.is_line = constant == 1 and len(self.free) == 1
        self.y = data.y - data.y_mean
        order = np.arange(1, len(terms) + 1) * GOLDEN % 1
        self.ordered = self.y + TIE * (float(np.ptp(self.y)) or 1.0) * order
        self.rows: list[int] = []

    def turns(self) -> Iterator[Turn]:
        """Make every move, and yield it."""
        for j, unit in enumerate(self.units):  # one term more, around the rows so far
            look()
            direction = np.ones(j + 1)
            direction[:j] = -np.linalg.solve(self.A[self.rows, :j], self.A[self.rows, j])
            turn = self._turn(self.A[:, : j + 1] @ direction * unit)
            self.rows.append(turn.entering)
            yield turn
        visited: set[frozenset[int]] = set()
        while self.rows and frozenset(self.rows) not in visited:
            look()
            visited.add(frozenset(self.rows))
            changes, pulls = self._edges(self.residuals(self.ordered))
            falls = (np.abs(pulls) - self.weights[self.rows]) / (self.weights @ np.abs(changes))
            place = int(falls.argmax())
            if falls[place] <= ROUNDING:
                return
            change = changes[:, place]
            if self.is_line:  # its slope is what changes by 1
                x = self.data.Z[:, self.free[0]]
                change = x - x[self.rows[1 - place]]
            turn = self._turn(change, self.rows[place])
            self.rows[place] = turn.entering
            yield turn

    def step(
        self, phase: Phase, before: AbsoluteStep | None, turn: Turn | None = None
    ) -> AbsoluteStep:
        """Return a record of the coefficients and their sums."""
        data, constant = self.data, int(self.data.fit_intercept)
        solution = self._solution(self.y) / self.units[: len(self.rows)]
        coef = np.zeros(data.Z.shape[1])
        coef[self.free[: len(self.rows) - constant]] = solution[constant:]
        intercept = data.intercept(coef) + float(solution[:constant].sum())
        residuals = self.residuals(self.y)
        sse = float(self.weights @ residuals**2)
        iteration = before.iteration if before else 0
        is_end = turn is None
        return AbsoluteStep(
            phase,
            iteration + (not is_end),
            intercept,
            coef,
            sse,
            converged=is_end,
            r2=1 - sse / data.total if data.total > 0 else np.nan,
            rmse=(sse / len(data.y)) ** 0.5,
            sae=float(self.weights @ np.abs(residuals)),
            rows=tuple(self.rows),
            turn=turn,
            is_unique=not is_end or self._is_unique(residuals),
        )

    def residuals(self, y: Floats) -> Floats:
        """Return the residuals of a target; those of the rows are 0."""
        residuals: Floats = y - self.A[:, : len(self.rows)] @ self._solution(y)
        residuals[self.rows] = 0.0
        return residuals

    def _solution(self, y: Floats) -> Floats:
        solution: Floats = np.linalg.solve(self.A[self.rows, : len(self.rows)], y[self.rows])
        return solution

    def _edges(self, residuals: Floats) -> tuple[Floats, Floats]:
        """Return how predictions change where each of the rows leaves, and how residuals pull.

        The prediction of the row that leaves changes by 1.
        """
        changes = self.A @ np.linalg.inv(self.A[self.rows])
        changes[self.rows] = np.eye(len(self.rows))
        return changes, (self.weights * np.sign(residuals)) @ changes

    def _turn(self, changes: Floats, leaving: int | None = None) -> Turn:
        """Return the move along changes to the weighted median of the steps."""
        sizes = np.abs(changes)
        moving = sizes > ROUNDING * sizes.max()
        weights = np.where(moving, self.weights * sizes, 0.0)
        steps, ordered = (
            np.divide(self.residuals(y), changes, out=np.full(len(y), np.nan), where=moving)
            for y in (self.y, self.ordered)
        )
        order = np.argsort(ordered, kind="stable")
        below = np.cumsum(weights[order])
        entering = int(order[np.searchsorted(below, below[-1] / 2)])
        return Turn(changes, steps, weights, float(steps[entering]), entering, leaving)

    def _is_unique(self, residuals: Floats) -> bool:
        """Return whether the sum rises along each edge, to both sides."""
        is_zero = np.abs(residuals) <= ROUNDING * np.ptp(self.y)
        changes, pulls = self._edges(np.where(is_zero, 0.0, residuals))
        sizes = self.weights[:, None] * np.abs(changes)
        rises = sizes[is_zero].sum(axis=0) - np.abs(pulls)
        return bool((rises > ROUNDING * sizes.sum(axis=0)).all())
