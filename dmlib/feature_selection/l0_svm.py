"""The zero-norm support vector machine.

Columns are scaled by their weights again and again, until most of them are 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils import check_X_y
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.feature_selection.selector import Codes, Selector, standardised
from dmlib.params import Integer, Number, Param, check_params
from dmlib.trace import look

MIN_SCALE = 1e-4  # times the largest scale: a column below is left out
MAX_NEWTON_STEPS = 60


@dataclass(frozen=True)
class L0SVMStep:
    """One step of the zero-norm machine.

    Attributes
    ----------
    phase : {"train", "rescale", "done"}
        A machine trained on the scaled columns; the scales multiplied by the weights; the end.
    iteration : int
        Machines trained so far.
    weights : ndarray of shape (n_machines, n_features)
        The weights of the scaled columns; of more than two classes a machine for each.
    bias : ndarray of shape (n_machines,)
        The constants.
    scale : ndarray of shape (n_features,)
        By what the standardised columns are multiplied; 0 for those that are left out.
    before : ndarray of shape (n_features,)
        The scale before.
    accuracy : float
        The share of the training rows that are classified correctly.
    support : ndarray of bool of shape (n_features,)
        The columns that are left.
    reason : str
        On "done": how it ended, as a sentence.
    """

    phase: Literal["train", "rescale", "done"]
    iteration: int
    weights: Floats
    bias: Floats
    scale: Floats
    before: Floats
    accuracy: float
    support: NDArray[np.bool_]
    reason: str = ""


class L0SVM(ClassifierMixin, Selector):
    """Train a linear support vector machine and multiply each column by its weight, repeatedly.

    Most scales tend to 0, so that few columns are left.

    Parameters
    ----------
    C : float, default=1.0
        The weight of the squared hinge losses; small values leave fewer columns.
    max_iter : int, default=30
        The largest number of machines.
    tol : float, default=0.001
        It ends when no scale changes by more than this share.

    Attributes
    ----------
    support_ : ndarray of bool of shape (n_features,)
        Which columns are left.
    scale_ : ndarray of shape (n_features,)
        Their scales; 0 for the others.
    coef_ : ndarray of shape (n_machines, n_features)
        The weights of the columns as they are.
    intercept_ : ndarray of shape (n_machines,)
        The constants.
    classes_ : ndarray
        The classes.
    n_iter_ : int
        The number of machines trained.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Notes
    -----
    Columns are standardised first. A machine minimises w·w / 2 + C Σ max(0, 1 - y f(x))², the
    constant among the weights as in LIBLINEAR, by Newton steps of O(n p² + p³). Of more than two
    classes there is one machine against all others for each, and columns are scaled by the root
    mean square of their weights. A scale below 1e-4 of the largest is 0. The limit depends on the
    start: the zero norm is not convex.

    References
    ----------
    J. Weston, A. Elisseeff, B. Schölkopf and M. Tipping (2003), Use of the zero-norm with linear
    models and kernel methods. JMLR 3.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(80, 6))
    >>> L0SVM().fit(X, X[:, 1] + X[:, 4] > 0).get_support(indices=True).tolist()
    [1, 4]
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "C": Number(1e-6, 1e6, shown=(0.001, 100.0), log=True),
        "max_iter": Integer(1, 1000, shown=(1, 40)),
        "tol": Number(0.0, 1.0, shown=(1e-6, 0.1), log=True),
    }

    def __init__(self, *, C: float = 1.0, max_iter: int = 30, tol: float = 1e-3) -> None:
        self.C = C
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: Any, y: ArrayLike | None = None) -> Self:
        """Train the machines for the rows of ``X`` and their classes ``y``."""
        self._remember_columns(X)
        X, codes, self.classes_ = self._check_data(X, y)
        for step in self._steps(standardised(X), codes):
            last = step
        Z = standardised(X)
        spread = np.where(Z.any(axis=0), X.std(axis=0), 1.0)
        spread = np.where(spread > 0, spread, 1.0)
        self.support_, self.scale_, self.n_iter_ = last.support, last.scale, last.iteration
        self.coef_ = last.weights * last.before / spread
        self.intercept_ = last.bias - self.coef_ @ X.mean(axis=0)
        return self

    def steps(self, X: Any, y: ArrayLike | None = None) -> Iterator[L0SVMStep]:
        """Yield every step; the last is the answer of ``fit``."""
        X, codes, _ = self._check_data(X, y)
        yield from self._steps(standardised(X), codes)

    def decision_function(self, X: Any) -> Floats:
        """Return the decision values, shape (n_samples,) or (n_samples, n_classes)."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        values: Floats = X @ self.coef_.T + self.intercept_
        return values[:, 0] if values.shape[1] == 1 else values

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predicted classes, shape (n_samples,)."""
        values = self.decision_function(X)
        codes = (values > 0).astype(int) if values.ndim == 1 else values.argmax(axis=1)
        predicted: NDArray[Any] = self.classes_[codes]
        return predicted

    def _check_data(self, X: Any, y: Any) -> tuple[Floats, Codes, NDArray[Any]]:
        check_params(self.PARAMS, self.get_params())
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        X, y = check_X_y(X, y, dtype=np.float64, estimator=self)
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(
                "All rows are of one class, so there is nothing to classify. Add rows of another"
                " class."
            )
        return X, codes, classes

    def _steps(self, Z: Floats, codes: Codes) -> Iterator[L0SVMStep]:
        n_classes = int(codes.max()) + 1
        positives = np.arange(n_classes) if n_classes > 2 else np.array([1])
        signs = np.where(codes[:, None] == positives, 1.0, -1.0)
        scale = Z.any(axis=0).astype(float)
        settled = False
        for i in range(1, self.max_iter + 1):
            machines = np.array([fit_machine(Z * scale, sign, self.C) for sign in signs.T])
            weights, bias = machines[:, :-1], machines[:, -1]
            values = (Z * scale) @ weights.T + bias
            predicted = (values[:, 0] > 0).astype(int) if n_classes == 2 else values.argmax(axis=1)
            accuracy, before = float((predicted == codes).mean()), scale
            yield L0SVMStep("train", i, weights, bias, scale, scale, accuracy, scale > 0)
            scale = scale * np.sqrt((weights**2).mean(axis=0))
            scale = np.where(scale > MIN_SCALE * scale.max(initial=0.0), scale, 0.0)
            yield L0SVMStep("rescale", i, weights, bias, scale, before, accuracy, scale > 0)
            settled = bool((np.abs(scale - before) <= self.tol * before).all())
            if settled or not scale.any():
                break
        if not scale.any():
            reason = "Every scale has become 0: raise C, so that the machine fits the rows."
        elif settled:
            reason = "The scales do not change any more."
        else:
            reason = f"The limit of {i} machines is reached."
        support = scale > 0
        yield L0SVMStep("done", i, weights, bias, scale, before, accuracy, support, reason)


def fit_machine(X: Floats, sign: Floats, C: float) -> Floats:
    """Return the weights of the machine of squared hinge losses, the constant last.

    The Newton steps are those of Keerthi and DeCoste (2005).

    Examples
    --------
    >>> fit_machine(np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0]), 1.0).round(3).tolist()
    [0.8, 0.0]
    """
    A = np.column_stack([X, np.ones(len(X))])
    w = np.zeros(A.shape[1])

    def loss(w: Floats) -> float:
        hinge = np.maximum(1 - sign * (A @ w), 0)
        return float(w @ w / 2 + C * hinge @ hinge)

    for _ in range(MAX_NEWTON_STEPS):
        look()
        inside = sign * (A @ w) < 1
        B = A[inside]
        best = np.linalg.solve(np.eye(len(w)) + 2 * C * B.T @ B, 2 * C * B.T @ sign[inside])
        direction, length, start = best - w, 1.0, loss(w)
        while loss(w + length * direction) > start and length > 1e-8:
            length /= 2
        w = w + length * direction
        if length == 1.0 and ((sign * (A @ w) < 1) == inside).all():
            break
    return w
