"""Least mean squares: a linear neuron that learns from one row after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from dmlib.classification.columns import check_columns
from dmlib.draft import epochs_of_draft
from dmlib.estimator import Staged
from dmlib.params import Choice, Flag, Integer, Number, Param
from dmlib.regression.design import LeastSquares
from dmlib.regression.linear_model import LinearModel
from dmlib.regression.linear_regression.solvers import LinearRegressionStep, Phase
from dmlib.trace import look

ROW_STEPS = 250, 1000  # rows that are a step each, more for the first pass; later each pass is one
RECENT = 25  # rows whose squared errors are averaged
RUNAWAY = 1e9  # times the largest target, from where the weights are given up
ROWS_A_LAYER = 5  # rows that take as long as a layer of a network


@dataclass(frozen=True)
class LeastMeanSquaresStep(LinearRegressionStep):
    """One step of least mean squares; ``iteration`` is the pass, from 1, and 0 at the start.

    Attributes
    ----------
    n_seen : int
        How many rows have been learned from.
    row : int or None
        On "correct": the training row, by its place.
    predicted, error : float
        On "correct": its prediction by the weights before, and target minus prediction.
    gain : float
        On "correct": η e, times the weight of the row: the factor by which it is added to w.
    recent : float
        The mean of the last (at most 25) squared errors, each from before its correction.
    safe_step : float
        2 / max(w ‖x‖²): up to it no correction makes its own row's error larger.
    """

    n_seen: int = 0
    row: int | None = None
    predicted: float = np.nan
    error: float = np.nan
    gain: float = 0.0
    recent: float = np.nan
    safe_step: float = np.inf


class LeastMeanSquares(Staged, LinearModel):
    r"""Predict a number by a linear neuron whose weights each row corrects.

    The neuron predicts :math:`\hat y = w^T x`, where x begins with a 1 for the intercept. Each row
    in turn has an error :math:`e = y - \hat y`, and :math:`w \leftarrow w + \eta e x`: a step
    against the gradient of :math:`e^2 / 2`. It needs no other row, so it can learn while rows come
    in, and it follows a target that drifts.

    Parameters
    ----------
    learning_rate : float, default=0.01
        η. Above 2 / λmax of X'X / n (X with a column of ones) the weights diverge on average; below
        2 / max ‖x‖² they never do.
    max_iter : int, default=10
        The number of passes through the rows.
    order : {"index", "random"}, default="index"
        The rows as they come, or shuffled for each pass.
    weight_column : int, default=0
        The number of the column, from 1, that holds the weights of the rows, above 0; it is no
        term. 0 for none. They multiply η.
    fit_intercept : bool, default=True
        Whether there is a constant term.
    random_state : int, RandomState or None, default=None
        The seed of the shuffled order.

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
    sse_, r2_, rmse_ : float
        The (weighted) sum of squared residuals of all rows, with the last weights;
        1 - SSE / SST, NaN if all targets are equal, and √(SSE / n).
    n_iter_, n_seen_ : int
        How many passes were made, and how many rows were learned from.
    converged_ : bool
        Whether the weights stayed bounded.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing, a weight is not above 0, or numbers are too large or too small.

    Notes
    -----
    A row takes O(p) for p terms, in time and in memory. With a constant η the weights do not settle
    on least squares: they go on moving around them, the further the larger η is. A small η forgets
    slowly, and lags behind a drift. Later rows share the step of their pass: those after the 250th,
    but of the first pass those after the 1000th.

    References
    ----------
    B. Widrow and M. E. Hoff (1960), Adaptive switching circuits, IRE WESCON Convention Record 4,
    96-104. B. Widrow and S. D. Stearns (1985), Adaptive Signal Processing, chapter 6. S. Haykin
    (2002), Adaptive Filter Theory, chapter 5.

    Examples
    --------
    >>> X, y = [[1.0], [2.0]], [3.0, 1.0]
    >>> model = LeastMeanSquares(learning_rate=0.1, max_iter=1).fit(X, y)
    >>> round(model.intercept_, 6), model.coef_.round(6).tolist()
    (0.31, [0.32])
    """

    LARGEST = 1e50
    PARAMS: ClassVar[dict[str, Param]] = {
        "learning_rate": Number(1e-12, 1e12, shown=(1e-4, 1.0), log=True),
        "max_iter": Integer(1, 10_000, shown=(1, 100)),
        "order": Choice(("index", "random")),
        "weight_column": Integer(0, 10_000, shown=(0, 10)),
        "fit_intercept": Flag(),
    }

    def __init__(
        self,
        *,
        learning_rate: float = 0.01,
        max_iter: int = 10,
        order: str = "index",
        weight_column: int = 0,
        fit_intercept: bool = True,
        random_state: Any = None,
    ) -> None:
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.order = order
        self.weight_column = weight_column
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Learn from the rows of ``X`` and their numbers ``y``, one after the other."""
        check_columns(self, X, y)
        self._design, data = self._prepare(X, y)
        (last,) = deque(self._steps(data), maxlen=1)
        self.terms_ = self._design.terms
        self.bases_ = self._design.bases
        self.__dict__.update(self._learned(last))
        self.sse_ = last.sse
        self.r2_ = last.r2
        self.rmse_ = last.rmse
        self.n_iter_ = last.iteration
        self.n_seen_ = last.n_seen
        self.converged_ = last.converged
        if not last.converged:
            warn(f"Not converged. {last.reason}", ConvergenceWarning, stacklevel=2)
        return self

    def _learned(self, step: LeastMeanSquaresStep) -> dict[str, Any]:
        return {"coef_": step.coef.copy(), "intercept_": step.intercept}

    def steps(self, X: Any, y: ArrayLike | None = None) -> Iterator[LeastMeanSquaresStep]:
        """Yield every step; the last is the answer of ``fit``."""
        yield from self._steps(self._prepare(X, y)[1])

    def draft(self, X: Any, y: Any = None) -> dict[str, Any]:
        """Return fewer passes, for a picture while a control moves."""
        return {"max_iter": epochs_of_draft(self.max_iter, len(X) / ROWS_A_LAYER, 0)}

    def _steps(self, data: LeastSquares) -> Iterator[LeastMeanSquaresStep]:
        neuron = _LinearNeuron(data, self.learning_rate)
        n = len(data.y)
        rng = check_random_state(self.random_state)
        yield neuron.step("start", 0)
        for number in range(1, self.max_iter + 1):
            order = rng.permutation(n) if self.order == "random" else np.arange(n)
            for row in order.tolist():
                look()
                step = neuron.correct(row, number)
                if neuron.has_diverged:
                    yield neuron.end(number)
                    return
                if step is not None:
                    yield step
            if neuron.n_seen > neuron.n_row_steps:
                yield neuron.step("pass", number)
        yield neuron.end(number)


def n_row_steps(n_samples: int) -> int:
    """Return how many rows are a step each; later each pass is one.

    Examples
    --------
    >>> n_row_steps(32), n_row_steps(600), n_row_steps(5000)
    (250, 600, 1000)
    """
    usual, of_first_pass = ROW_STEPS
    return max(usual, min(n_samples, of_first_pass))


class _LinearNeuron:
    """The weights, and how a row corrects them."""

    def __init__(self, data: LeastSquares, rate: float) -> None:
        n = len(data.y)
        self.data, self.rate = data, rate
        self.constant = int(data.fit_intercept)
        self.A = np.hstack([np.ones((n, self.constant)), data.Z])
        self.weights = np.zeros(self.A.shape[1])
        self.row_weights = data.roots**2
        self.n_seen = 0
        self.n_row_steps = n_row_steps(n)
        self.has_diverged = False
        self.limit = RUNAWAY * (float(np.abs(data.y).max()) or 1.0)
        self.squares: deque[float] = deque(maxlen=RECENT)
        rows = self.A * data.roots[:, None]
        lengths = np.linalg.norm(rows, axis=1).max()
        spectral = np.linalg.norm(rows, 2) / n**0.5
        self.safe, self.largest = (
            2 / float(size) ** 2 if size else np.inf for size in (lengths, spectral)
        )

    def correct(self, row: int, number: int) -> LeastMeanSquaresStep | None:
        """Learn from a row; return the step, of later rows None."""
        x = self.A[row]
        with np.errstate(over="ignore", invalid="ignore"):
            predicted = float(x @ self.weights)
        error = float(self.data.y[row]) - predicted
        if not abs(error) <= self.limit:
            self.has_diverged = True
            return None
        gain = self.rate * float(self.row_weights[row]) * error
        with np.errstate(
            over="ignore", invalid="ignore"
        ):  # the next error will be beyond the limit
            self.weights = self.weights + gain * x
        self.n_seen += 1
        self.squares.append(error * error)
        if self.n_seen > self.n_row_steps:
            return None
        return self.step("correct", number, row=row, predicted=predicted, error=error, gain=gain)

    def step(self, phase: Phase, number: int, **fields: Any) -> LeastMeanSquaresStep:
        """Return a record of the weights."""
        intercept = float(self.weights[0]) if self.constant else 0.0
        coef = self.weights[self.constant :]
        with np.errstate(over="ignore", invalid="ignore"):
            residuals = self.data.residuals(coef, intercept)
            sse = float(residuals @ residuals)
        return LeastMeanSquaresStep(
            phase,
            number,
            intercept,
            coef,
            sse,
            largest_step=self.largest,
            safe_step=self.safe,
            n_seen=self.n_seen,
            recent=float(np.mean(self.squares)) if self.squares else np.nan,
            **fields,
        )

    def end(self, number: int) -> LeastMeanSquaresStep:
        """Return the last step."""
        step = self.step("done", number)
        total, n = self.data.total, len(self.data.y)
        reason = ""
        if self.has_diverged:
            reason = (
                f"The weights grow without bound after {self.n_seen} rows: η = {self.rate:.4g}"
                f" is too large. Choose one below 2/max‖x‖² = {self.safe:.4g}, or standardise the"
                " columns."
            )
        return replace(
            step,
            converged=not self.has_diverged,
            reason=reason,
            r2=1 - step.sse / total if total > 0 else np.nan,
            rmse=(step.sse / n) ** 0.5,
        )
