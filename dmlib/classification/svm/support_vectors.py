"""The base of ``SVC`` and ``NuSVC``: a machine for each pair of classes, and their votes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_consistent_length, check_X_y, column_or_1d, gen_batches
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.classification.kernels import NAMES, Kernel, Row, cached_rows, finite
from dmlib.classification.svm.ranges import svm_ranges
from dmlib.classification.svm.smo import SMO, FreeSolve, PairMove
from dmlib.classification.svm.stages import MAX_VALUES, MachineStages
from dmlib.classification.svm.svm_step import SVCStep, move_fields
from dmlib.params import Conditions, Param, Ranges, check_params
from dmlib.trace import look

MAX_MOVES = 200_000  # pairs, without another limit
MOVES_PER_ROW = 20  # of many rows
MAX_ROWS = 100_000  # to train on
MAX_ROWS_OF_MATRIX = 20_000  # of a kernel matrix, whose size squared has to fit into memory
SMALLEST = 1e-280  # variance whose inverse is a number


@dataclass(frozen=True)
class _Task:
    """Checked data; without a kernel, X is the kernel matrix itself."""

    X: Floats
    kernel: Kernel | None
    classes: NDArray[Any]
    codes: NDArray[np.intp]
    weight: Floats
    class_weight: Floats


class SupportVectorClassifier(ClassifierMixin, MachineStages):
    """Base of the classifiers that train one support vector machine for each pair of classes.

    A subclass has the parameters of ``SVC`` or ``NuSVC`` and says how a machine for two classes is
    set up and read.
    """

    RANGES: ClassVar[Ranges] = staticmethod(svm_ranges)
    PARAMS: ClassVar[dict[str, Param]]
    APPLIES: ClassVar[Conditions] = {
        "gamma": ("kernel", ("rbf", "poly", "sigmoid")),
        "degree": ("kernel", ("poly",)),
        "coef0": ("kernel", ("poly", "sigmoid")),
    }

    C: float = 0.0
    class_weight: Any = None
    kernel: str | Callable[..., Any]
    degree: int
    gamma: float | str
    coef0: float
    tol: float
    cache_size: float
    max_iter: int
    decision_function_shape: str
    break_ties: bool

    @abstractmethod
    def _check_classes(self, classes: NDArray[Any], totals: Floats) -> None:
        """Check whether the weights of the classes allow a solution."""

    @abstractmethod
    def _machine(
        self, row: Row, diagonal: Floats, sign: Floats, weight: Floats, capacity: int
    ) -> SMO:
        """Set up the problem of two classes."""

    @abstractmethod
    def _boundary(self, smo: SMO) -> tuple[float, float]:
        """Return the constant b, and the decision value on the edge of the margin."""

    @abstractmethod
    def _moves(self, smo: SMO, max_iter: int) -> Iterator[PairMove | FreeSolve]:
        """Return the moves to the solution."""

    def _positive(self, margin: float, smo: SMO) -> float:
        """Return the divisor of the decision values that makes the margin 1."""
        return margin

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the support vectors of the rows of ``X`` with classes ``y``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
            The rows; with ``kernel="precomputed"`` their kernel matrix.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), optional
            The factor of the bound of each multiplier; rows without a positive weight are left out.
        """
        task = self._task(*self._validated(X, y), sample_weight)
        n_classes = len(task.classes)
        dual = np.zeros((n_classes - 1, len(task.codes)))
        intercepts, n_iter, failed = [], [], []
        for positive, negative in _pairs(n_classes):
            rows, smo = self._set_up(task, positive, negative)
            for _ in self._moves(smo, self._limit(len(rows))):
                pass
            b, margin = self._boundary(smo)
            margin = self._positive(margin, smo)
            low, high = sorted((positive, negative))
            is_low = task.codes[rows] == low
            dual[high - 1, rows[is_low]] = smo.beta[is_low] / margin
            dual[low, rows[~is_low]] = smo.beta[~is_low] / margin
            intercepts.append(b / margin)
            n_iter.append(smo.n_iter)
            if not smo.converged:
                failed.append(
                    f"{task.classes[positive]} and {task.classes[negative]}: {smo.reason}"
                )
        self._set_support(task, finite(dual))
        self.intercept_: Floats = finite(np.array(intercepts))
        self.n_iter_ = np.array(n_iter)
        self.fit_status_ = int(bool(failed))
        if failed:
            message = f"The machine for the classes {failed[0]}"
            if len(failed) > 1:
                message += f" Nor did {len(failed) - 1} other machines converge."
            warn(message, ConvergenceWarning, stacklevel=2)
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[SVCStep]:
        """Yield every move of every machine; their last steps are the answer of ``fit``."""
        if not callable(self.kernel):
            X, y = check_X_y(X, y, dtype=np.float64)
        task = self._task(X, y, None)
        for positive, negative in _pairs(len(task.classes)):
            rows, smo = self._set_up(task, positive, negative)
            sign = np.where(smo.upper > 0, 1.0, -1.0)
            bound = smo.upper - smo.lower
            if np.isinf(self.C):
                bound = np.full(len(rows), np.inf)  # the machine itself has a finite one
            X_rows = np.empty((0, 0)) if task.kernel is None else task.X[rows]
            fixed = positive, negative, rows, X_rows, sign, bound, task.kernel
            start = SVCStep("start", *fixed, **self._state(smo))
            yield start
            for move in self._moves(smo, self._limit(len(rows))):
                yield replace(start, **self._state(smo), **move_fields(smo, move, bound))
            yield replace(start, phase="done", **self._state(smo), reason=smo.reason)

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the decision values of each row.

        Returns
        -------
        ndarray of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_pairs)
            Of two classes: positive for the second. Of more with "ovo": one column for each pair,
            positive for the first of the pair; with "ovr": one for each class, the votes and, for
            ties, the decision values.
        """
        pairwise = self._pairwise(X)
        if len(self.classes_) == 2:
            return pairwise[:, 0]
        if self.decision_function_shape == "ovo":
            return pairwise
        return self._votes(pairwise, graded=True)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class of each row that wins most pairs; of several the first."""
        check_is_fitted(self)
        if self.break_ties and self.decision_function_shape == "ovo":
            raise ValueError("break_ties must be False when decision_function_shape is 'ovo'.")
        pairwise = self._pairwise(X)
        if len(self.classes_) == 2:
            winner = (pairwise[:, 0] >= 0).astype(np.intp)
        else:
            winner = self._votes(pairwise, graded=self.break_ties).argmax(axis=1)
        classes: NDArray[Any] = self.classes_[winner]
        return classes

    @property
    def coef_(self) -> Floats:
        """The weights of the columns by the linear kernel, shape (n_pairs, n_features)."""
        if self.kernel != "linear":
            raise AttributeError("coef_ is only available when using a linear kernel")
        weights = np.array([coef @ self.support_vectors_[at] for at, coef in self._machines()])
        weights.flags.writeable = False
        return weights

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    # --- fitting ----------------------------------------------------------------------------------

    def _limit(self, n_rows: int) -> int:
        if self.max_iter == -1:
            return max(MAX_MOVES, MOVES_PER_ROW * n_rows)
        return self.max_iter

    def _validated(self, X: Any, y: Any) -> tuple[Any, Any]:
        if callable(self.kernel):
            check_consistent_length(X, y)
            self._X_fit = X
            return X, y
        checked: tuple[Any, Any] = validate_data(self, X, y, dtype=np.float64)
        return checked

    def _task(self, X: Any, y: Any, sample_weight: ArrayLike | None) -> _Task:
        """Check the parameters against the data."""
        params = self.get_params()
        if callable(self.kernel) or self.kernel == "precomputed":
            params["kernel"] = NAMES[0]
        check_params(self.PARAMS, params)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(
                f"The number of classes has to be greater than one; got {len(classes)} class. "
                "Choose rows of at least two classes."
            )
        weight = self._weights(sample_weight, len(codes))
        self._check_size(len(codes))
        kernel = None
        if isinstance(self.kernel, str) and self.kernel != "precomputed":
            kernel = Kernel(self.kernel, self._scaled_gamma(X, weight), self.degree, self.coef0)
        else:
            X = _square(self.kernel(X, X) if callable(self.kernel) else X, len(codes))
        class_weight = compute_class_weight(self.class_weight, classes=classes, y=y)
        weight = weight * class_weight[codes]
        totals: Floats = np.bincount(codes, np.maximum(weight, 0.0)).astype(np.float64)
        self._check_classes(classes, totals)
        return _Task(X, kernel, classes, codes, weight, class_weight)

    def _check_size(self, n_samples: int) -> None:
        max_rows = MAX_ROWS if self.kernel in NAMES else MAX_ROWS_OF_MATRIX
        if n_samples > max_rows:
            raise ValueError(
                f"{n_samples} rows have {n_samples**2:.2g} kernel values, too many to train on. "
                f"Take a sample of at most {max_rows} rows."
            )

    @staticmethod
    def _weights(sample_weight: ArrayLike | None, n_samples: int) -> Floats:
        if sample_weight is None:
            return np.ones(n_samples)
        weight = np.asarray(sample_weight, np.float64)
        if weight.shape != (n_samples,):
            raise ValueError(
                f"sample_weight has shape {weight.shape}; {n_samples} rows need ({n_samples},)."
            )
        if not (weight > 0).any():
            raise ValueError(
                "Invalid input - all samples have zero or "
                "negative weights. Give some of them weight."
            )
        return finite(weight)  # type: ignore[no-any-return]

    def _scaled_gamma(self, X: Floats, weight: Floats) -> float:
        """Return gamma as a number; rows of weight 2 count twice."""
        if self.gamma == "auto":
            return 1.0 / int(X.shape[1])
        if self.gamma != "scale":
            return float(self.gamma)
        share = np.maximum(weight, 0) / np.maximum(weight, 0).sum() / X.shape[1]
        with np.errstate(over="ignore", invalid="ignore"):
            variance = float(share @ ((X - (share @ X).sum()) ** 2).sum(axis=1))
        counted = X[weight > 0]
        if counted.min() == counted.max():
            return 1.0
        if variance < SMALLEST:
            raise ValueError(
                "The numbers in the columns differ too little to be squared. Scale the columns."
            )
        return float(1 / (X.shape[1] * variance))

    def _set_up(self, task: _Task, positive: int, negative: int) -> tuple[NDArray[np.intp], SMO]:
        used = task.weight > 0
        rows = np.concatenate(
            [np.flatnonzero(used & (task.codes == code)) for code in (positive, negative)]
        )
        sign = np.where(task.codes[rows] == positive, 1.0, -1.0)
        capacity = int(np.clip(self.cache_size * 2**20 / (16 * len(rows)), 2, max(len(rows), 2)))
        if task.kernel is None:
            gram = task.X[np.ix_(rows, rows)]
            row, diagonal = gram.__getitem__, gram.diagonal()
        else:
            row = cached_rows(task.kernel, task.X[rows], capacity)
            diagonal = task.kernel.diagonal(task.X[rows])
        return rows, self._machine(row, finite(diagonal), sign, task.weight[rows], capacity)

    def _set_support(self, task: _Task, dual: Floats) -> None:
        """Set the support vectors, class by class, and their coefficients."""
        used = np.flatnonzero(dual.any(axis=0))
        self.support_ = used[np.argsort(task.codes[used], kind="stable")]
        self.dual_coef_ = dual[:, self.support_]
        self.n_support_ = np.bincount(task.codes[self.support_], minlength=len(task.classes))
        self.support_vectors_ = np.empty((0, 0)) if task.kernel is None else task.X[self.support_]
        self.classes_ = task.classes
        self.class_weight_ = task.class_weight
        self.shape_fit_ = task.X.shape
        self.kernel_ = task.kernel
        self._gamma = 0.0 if task.kernel is None else task.kernel.gamma

    def _state(self, smo: SMO) -> dict[str, Any]:
        """Return the fields of a step that describe the machine."""
        b, margin = self._boundary(smo)
        return {
            "iteration": smo.n_iter,
            "alpha": np.abs(smo.beta),
            "b": b,
            "margin": margin,
            "objective": smo.objective,
            "gap": max(smo.pair()[2], 0.0),
            "n_violating": smo.n_violating(self.tol),
        }

    # --- prediction -------------------------------------------------------------------------------

    def _pairwise(self, X: Any) -> Floats:
        """Return the decision value of each machine, shape (n_samples, n_pairs)."""
        check_is_fitted(self)
        if callable(self.kernel):
            X = np.asarray(self.kernel(X, self._X_fit), np.float64)
            if X.ndim != 2 or X.shape[1] != self.shape_fit_[0]:
                raise ValueError(
                    f"The kernel gives a matrix of shape {X.shape}; its columns must "
                    f"be the {self.shape_fit_[0]} rows that the model was fitted on."
                )
        else:
            X = validate_data(self, X, reset=False, dtype=np.float64)
        size = max(MAX_VALUES // max(len(self.support_), 1), 1)
        return np.vstack([self._of_block(X[block]) for block in gen_batches(len(X), size)])

    def _of_block(self, X: Floats) -> Floats:
        look()
        if self.kernel_ is None:
            matrix = X[:, self.support_]
        else:
            matrix = self.kernel_(X, self.support_vectors_)
        sums = np.column_stack([matrix[:, at] @ coef for at, coef in self._machines()])
        return sums + self.intercept_

    def _machines(self) -> Iterator[tuple[NDArray[np.intp], Floats]]:
        """Yield, for each machine, its support vectors and their coefficients."""
        ends = np.cumsum(self.n_support_)
        places = np.split(np.arange(len(self.support_)), ends[:-1])
        for low, high in combinations(range(len(self.classes_)), 2):
            coef = np.concatenate(
                [self.dual_coef_[high - 1, places[low]], self.dual_coef_[low, places[high]]]
            )
            yield np.concatenate([places[low], places[high]]), coef

    def _votes(self, pairwise: Floats, graded: bool) -> Floats:
        """Return the votes for each class; graded, plus its decision values scaled to below 1/3."""
        votes = np.zeros((len(pairwise), len(self.classes_)))
        sums = np.zeros_like(votes)
        pairs = combinations(range(len(self.classes_)), 2)
        for (low, high), values in zip(pairs, pairwise.T, strict=True):
            wins = values >= 0 if graded else values > 0
            votes[:, low] += wins
            votes[:, high] += ~wins
            sums[:, low] += values
            sums[:, high] -= values
        return votes + sums / (3 * (np.abs(sums) + 1)) if graded else votes


def _pairs(n_classes: int) -> list[tuple[int, int]]:
    """Return the positive and the negative class of each machine; of two the second is positive."""
    return [(1, 0)] if n_classes == 2 else list(combinations(range(n_classes), 2))


def _square(matrix: Any, n_samples: int) -> Floats:
    matrix = np.asarray(matrix, np.float64)
    if matrix.shape != (n_samples, n_samples):
        shape = "x".join(map(str, matrix.shape))
        raise ValueError(
            "Precomputed matrix must be a square matrix, with a row and a column "
            f"for each of the {n_samples} rows. Input is a {shape} matrix."
        )
    return finite(matrix)  # type: ignore[no-any-return]
