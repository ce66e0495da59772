"""The base of all discriminant analyses: their steps, and classes and posteriors from scores."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_softmax, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_X_y
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.classification.covariances import Classes
from dmlib.params import Param, check_params
from dmlib.squares import check_squares, finite_values
from dmlib.trace import look

PRECISIONS = [np.float64, np.float32]


Phase = Literal["mean", "covariance", "pool", "regularise", "discriminant", "axis", "done"]


class UnsupportedError(NotImplementedError, ValueError):
    """The chosen solver does not support the parameters; another does."""


@dataclass(frozen=True)
class DiscriminantStep:
    """One step of a discriminant analysis; what has not been computed yet is empty or None.

    Attributes
    ----------
    phase : {"mean", "covariance", "pool", "regularise", "discriminant", "axis", "done"}
        What was computed: the means and priors; the covariance matrix of a class; the common one;
        the matrices that the discriminants use, where they are shrunk, mixed or diagonal; the
        discriminant of a class; an axis of the projection (linear only); the answer.
    index : int or None
        The class, or the axis, that the step is about.
    counts : ndarray of shape (n_classes,)
        The number of rows of each class.
    priors : ndarray of shape (n_classes,)
        The prior probabilities.
    means : ndarray of shape (n_classes, n_features)
        The means.
    singles : tuple of ndarray of shape (n_features, n_features)
        The covariance matrices of the classes so far.
    pooled : ndarray of shape (n_features, n_features) or None
        The common covariance matrix.
    matrices : tuple of ndarray of shape (n_features, n_features)
        For each class the matrix that its discriminant uses.
    inverses : tuple of ndarray of shape (n_features, n_features)
        Their inverses, of the classes so far.
    weights : ndarray of shape (n, n_features)
        For each class so far, w = inverse times mean.
    constants : ndarray of shape (n,)
        For each class so far, b: the score is w'x + b and, where the matrices differ, - x' inverse
        x / 2.
    scalings : ndarray of shape (n_features, n_axes) or None
        The axes so far; in the last step of a linear one, all.
    eigenvalues : ndarray of shape (n_axes,) or None
        The variance between the classes along each axis, where that within them is 1.
    coef, intercept : ndarray or None
        The answer of a linear discriminant, as in its ``coef_`` and ``intercept_``.
    reason : str
        A sentence on what is special about the answer; empty for nothing.
    """

    phase: Phase
    index: int | None
    counts: NDArray[np.intp]
    priors: Floats
    means: Floats
    singles: tuple[Floats, ...] = ()
    pooled: Floats | None = None
    matrices: tuple[Floats, ...] = ()
    inverses: tuple[Floats, ...] = ()
    weights: Floats | None = None
    constants: Floats | None = None
    scalings: Floats | None = None
    eigenvalues: Floats | None = None
    coef: Floats | None = None
    intercept: Floats | None = None
    reason: str = ""


Steps = Generator[DiscriminantStep, None, DiscriminantStep]


class Discriminant(ClassifierMixin, BaseEstimator):
    """A classifier that scores a row for each class by a normal density, and its prior."""

    PARAMS: ClassVar[dict[str, Param]]
    classes_: NDArray[Any]
    priors: ArrayLike | None

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Estimate the discriminants from the rows of ``X`` and their classes ``y``."""
        rows, labels = validate_data(self, X, y, dtype=PRECISIONS, ensure_min_samples=2)
        part = self._read(rows, labels)
        answer = self._answer(part)
        self.classes_ = part.classes
        self.priors_ = part.priors
        self.means_ = part.means
        for name, value in answer.items():
            setattr(self, name, value)
        return self

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[DiscriminantStep]:
        """Yield what is estimated, class by class; the last step is the answer of ``fit``."""
        rows, labels = check_X_y(X, y, dtype=np.float64, ensure_min_samples=2)
        part = self._read(rows, labels)
        answer = self._answer(part)  # what cannot be done is refused before the first step
        step = DiscriminantStep("mean", None, part.counts, part.priors, part.means)
        yield step
        for k in range(len(part.classes)):
            step = replace(
                step, phase="covariance", index=k, singles=(*step.singles, part.covariance(k))
            )
            yield step
        step = yield from self._shapes(part, step, answer)
        step = yield from self._scored(step, self._inverses(step, answer))
        yield from self._ended(step, answer)

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the scores: the log joint densities, up to a constant.

        Their shape is (n_samples, n_classes); with two classes (n_samples,), the second minus the
        first.
        """
        scores = self._finite_scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the most probable class of each row."""
        best = self._finite_scores(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[best]
        return labels

    def predict_at(
        self, steps: Sequence[DiscriminantStep], X: ArrayLike
    ) -> Iterator[NDArray[Any] | None]:
        """Yield the class of each row at each of these steps; None before all discriminants."""
        labels = self.predict(X)
        for step in steps:
            yield labels if len(step.inverses) == len(step.counts) else None

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the posterior probabilities of the classes, shape (n_samples, n_classes)."""
        posterior: Floats = softmax(self._finite_scores(X), axis=1)
        return posterior

    def predict_log_proba(self, X: ArrayLike) -> Floats:
        """Return the log posterior probabilities, accurate also where these underflow."""
        logs: Floats = log_softmax(self._finite_scores(X), axis=1)
        return logs

    def _read(self, X: Floats, y: Any) -> Classes:
        check_params(self.PARAMS, self.get_params())
        check_squares(X, each=True)
        return Classes.read(X, y, self.priors)

    def _rows(self, X: ArrayLike) -> Floats:
        check_is_fitted(self)
        rows: Floats = validate_data(self, X, dtype=PRECISIONS, reset=False)
        return rows

    def _answer(self, part: Classes) -> dict[str, Any]:
        """Return the fitted attributes besides those that all have."""
        raise NotImplementedError

    def _shapes(self, part: Classes, step: DiscriminantStep, answer: dict[str, Any]) -> Steps:
        """Yield how the matrices of the discriminants come from those of the classes.

        The step that is returned has them.
        """
        raise NotImplementedError

    def _inverses(self, step: DiscriminantStep, answer: dict[str, Any]) -> Iterator[Floats]:
        """Yield the inverse of the matrix of each class."""
        return (np.asarray(np.linalg.inv(matrix)) for matrix in step.matrices)

    def _finite_scores(self, X: ArrayLike) -> Floats:
        return finite_values(lambda: self._scores(X))

    def _scores(self, X: ArrayLike) -> Floats:
        """Return the score of each row for each class, shape (n_samples, n_classes)."""
        raise NotImplementedError

    def _scored(self, step: DiscriminantStep, inverses: Iterator[Floats]) -> Steps:
        """Yield the discriminant of each class: its weights and its constant."""
        computed: list[Floats] = []
        weights: list[Floats] = []
        constants: list[float] = []
        quadratic = not alike(step.matrices)
        with np.errstate(divide="ignore"):
            logs = np.log(step.priors)
        for k, inverse in enumerate(inverses):
            look()
            computed.append(inverse)
            weights.append(inverse @ step.means[k])
            spread = float(np.linalg.slogdet(step.matrices[k])[1]) if quadratic else 0.0
            constants.append(float(-step.means[k] @ weights[-1] / 2 - spread / 2 + logs[k]))
            step = replace(
                step,
                phase="discriminant",
                index=k,
                inverses=tuple(computed),
                weights=np.array(weights),
                constants=np.array(constants),
            )
            yield step
        return step

    def _ended(self, step: DiscriminantStep, answer: dict[str, Any]) -> Iterator[DiscriminantStep]:
        yield replace(step, phase="done", index=None)


def alike(matrices: Sequence[Floats]) -> bool:
    """Return whether all classes have the same matrix, so that their boundaries are straight.

    Examples
    --------
    >>> alike([np.eye(2), np.eye(2)]), alike([np.eye(2), 2 * np.eye(2)])
    (True, False)
    """
    return all(matrix is matrices[0] or np.array_equal(matrix, matrices[0]) for matrix in matrices)
