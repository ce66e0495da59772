"""The confusion matrix and its rates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array

from dmlib.evaluation.classes import Codes, class_codes, positive_code
from dmlib.evaluation.counts import FORMULAS, Counts, quotient


@dataclass(frozen=True, eq=False)
class Confusion(Counts):
    r"""A confusion matrix and all rates that follow from it.

    With two classes, or a chosen ``pos_label``, the counts and rates of :class:`Counts` are numbers
    of the positive class. With more classes they are arrays: each class against the rest.
    ``accuracy``, ``error``, ``balanced_accuracy``, ``mcc`` and ``kappa`` are
    always of the whole matrix.

    Parameters
    ----------
    matrix : ndarray of shape (n_classes, n_classes)
        Row: the true class; column: the predicted class; in the order of ``labels``.
    labels : ndarray of shape (n_classes,)
        The classes.

    Notes
    -----
    Rows are the truth, as in scikit-learn. Undefined rates are NaN, and means of rates leave them
    out, as scikit-learn with ``zero_division=nan``.

    References
    ----------
    J. Cohen (1960), A coefficient of agreement for nominal scales, equation 1.
    J. Gorodkin (2004), Comparing two K-category assignments by a K-category correlation
    coefficient, equation 8. P.-N. Tan, M. Steinbach and V. Kumar (2006), Introduction to data
    mining, section 5.7 (weighted accuracy).
    """

    matrix: NDArray[Any]
    labels: NDArray[Any]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the matrix."""
        return np.array(self.matrix, dtype=dtype)

    @property
    def n(self) -> Any:
        """The number of rows."""
        return self.matrix.sum()

    @property
    def accuracy(self) -> Any:
        """Fraction of correct predictions."""
        return quotient(np.trace(self.matrix), self.n)

    @property
    def error(self) -> Any:
        """Misclassification rate."""
        return quotient(self.n - np.trace(self.matrix), self.n)

    @property
    def balanced_accuracy(self) -> Any:
        """Mean recall of the classes; of more than two, those without rows are left out."""
        recalls = quotient(np.diag(self.matrix), self.matrix.sum(axis=1))
        return float(np.mean(recalls if len(recalls) < 3 else recalls[~np.isnan(recalls)]))

    @property
    def mcc(self) -> Any:
        """Correlation of the true and the predicted class (Matthews; for more classes Gorodkin)."""
        truth = self.matrix.sum(axis=1) / 1.0
        predicted = self.matrix.sum(axis=0) / 1.0
        n = truth.sum()
        covariance = float(np.trace(self.matrix)) * self.n - truth @ predicted
        variances = (n**2 - predicted @ predicted) * (n**2 - truth @ truth)
        return quotient(covariance, np.sqrt(variances))

    @property
    def chance(self) -> float:
        """Expected accuracy of random guessing with the same class frequencies."""
        hits = self.matrix.sum(axis=1) @ (self.matrix.sum(axis=0) / 1.0)
        return float(quotient(hits, float(self.n) ** 2))

    @property
    def kappa(self) -> float:
        """Cohen's kappa: (accuracy - chance) / (1 - chance)."""
        return self.weighted_kappa(1.0 - np.eye(len(self.labels)))

    def weighted_kappa(self, weights: str | ArrayLike) -> float:
        """Return Cohen's kappa with "linear", "quadratic" or given weights of the errors."""
        if isinstance(weights, str):
            power = {"linear": 1, "quadratic": 2}.get(weights)
            if power is None:
                raise ValueError(
                    f"weights must be linear, quadratic or a matrix; it was {weights!r}."
                )
            codes = np.arange(len(self.labels))
            weights = np.abs(np.subtract.outer(codes, codes)) ** power
        w = self._square(weights, "weights")
        by_chance = np.outer(self.matrix.sum(axis=1), self.matrix.sum(axis=0) / float(self.n))
        return float(1 - quotient((w * self.matrix).sum(), (w * by_chance).sum()))

    def expected_cost(self, costs: ArrayLike) -> float:
        """Return the mean cost of a row; ``costs[i, j]`` is that of predicting j for class i."""
        return float(quotient((self._square(costs, "costs") * self.matrix).sum(), self.n))

    def weighted_accuracy(self, weights: ArrayLike) -> float:
        """Return the accuracy where the cell (i, j) counts ``weights[i, j]`` times."""
        weighted = self._square(weights, "weights") * self.matrix
        return float(quotient(np.trace(weighted), weighted.sum()))

    @property
    def one_versus_rest(self) -> tuple[Counts, ...]:
        """The counts of each class against the rest."""
        columns = (counts.tolist() for counts in _versus_rest(self.matrix))
        return tuple(Counts(*row) for row in zip(*columns, strict=True))

    @property
    def macro(self) -> dict[str, float]:
        """The unweighted mean of each rate over the classes."""
        return self._mean(np.ones(len(self.labels)))

    @property
    def weighted(self) -> dict[str, float]:
        """The mean of each rate over the classes, weighted by their true rows."""
        return self._mean(self.matrix.sum(axis=1) / 1.0)

    @property
    def micro(self) -> dict[str, float]:
        """The rates of the counts summed over the classes."""
        total = Counts(*(counts.sum() for counts in _versus_rest(self.matrix)))
        return {name: getattr(total, name) for name in FORMULAS}

    @property
    def notes(self) -> tuple[str, ...]:
        """Why rates are undefined, one sentence each."""
        if not np.ndim(self.tp):
            return super().notes
        return tuple(
            f"{label}: {note}"
            for label, counts in zip(self.labels, self.one_versus_rest, strict=True)
            for note in counts.notes
        )

    def _mean(self, weights: NDArray[np.float64]) -> dict[str, float]:
        counts = Counts(*_versus_rest(self.matrix))
        means = dict.fromkeys(FORMULAS, np.nan)
        for name in FORMULAS:
            rates = np.atleast_1d(getattr(counts, name))
            is_defined = ~np.isnan(rates) & (weights > 0)
            if is_defined.any():
                means[name] = float(np.average(rates[is_defined], weights=weights[is_defined]))
        return means

    def _square(self, values: ArrayLike, name: str) -> NDArray[np.float64]:
        matrix: NDArray[np.float64] = check_array(values, dtype=np.float64, input_name=name)
        if matrix.shape != self.matrix.shape:
            raise ValueError(
                f"{name} must have one row and one column for each of the {len(self.labels)}"
                f" classes; its shape is {matrix.shape}."
            )
        return matrix


@dataclass(frozen=True, eq=False)
class ConfusionStep:
    """Rows that enter the confusion matrix.

    Attributes
    ----------
    phase : {"count"}
        Rows were counted.
    rows : ndarray of shape (n_rows,)
        The rows that were counted.
    truth, predicted : ndarray of shape (n_rows,)
        The codes of their true and predicted classes; -1 for a class that is left out.
    matrix : ndarray of shape (n_classes, n_classes)
        The matrix after the step; rows of the matrix are true classes.
    """

    phase: Literal["count"]
    rows: NDArray[np.intp]
    truth: Codes
    predicted: Codes
    matrix: NDArray[Any]


def confusion(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> Confusion:
    """Count how often each class is predicted for each true class.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The true classes.
    y_pred : array-like of shape (n_samples,)
        The predicted classes.
    labels : array-like of shape (n_classes,), optional
        The classes in the order of the matrix, by default all that occur, sorted. Rows of a
        different class, true or predicted, are left out.
    pos_label : optional
        The positive class; by default, of two classes the second. Of more classes, each against the
        rest.
    sample_weight : array-like of shape (n_samples,), optional
        The weights of the rows.

    Returns
    -------
    Confusion
        The matrix and all rates.

    Raises
    ------
    ValueError
        If the classes are not two lists of the same length, if they are measurements, or if
        ``pos_label`` or all ``labels`` do not occur.

    Examples
    --------
    >>> result = confusion(["no", "no", "yes", "yes", "yes"], ["no", "yes", "yes", "yes", "no"])
    >>> result.matrix.tolist(), result.tp, result.precision
    ([[1, 1], [1, 2]], 2, 0.6666666666666666)
    """
    truth, predicted, classes = class_codes(y_true, y_pred, labels)
    positive = positive_code(classes, pos_label)
    weight = None if sample_weight is None else np.asarray(sample_weight, float)
    if weight is not None and weight.shape != np.shape(y_true):
        raise ValueError(f"sample_weight must have one number for each of the {len(truth)} rows.")
    return tally(truth, predicted, classes, positive, weight)


def confusion_steps(
    y_true: ArrayLike, y_pred: ArrayLike, *, labels: ArrayLike | None = None, batch: int = 1
) -> Iterator[ConfusionStep]:
    """Yield the matrix as batches of rows are counted.

    Classes and labels are those of :func:`confusion`.

    Examples
    --------
    >>> [step.matrix.tolist() for step in confusion_steps([0, 1], [0, 0])]
    [[[1, 0], [0, 0]], [[1, 0], [1, 0]]]
    """
    truth, predicted, classes = class_codes(y_true, y_pred, labels)
    matrix = np.zeros((len(classes), len(classes)), np.intp)
    for start in range(0, len(truth), batch):
        rows = np.arange(start, min(start + batch, len(truth)))
        counted = rows[(truth[rows] >= 0) & (predicted[rows] >= 0)]
        matrix = matrix.copy()
        np.add.at(matrix, (truth[counted], predicted[counted]), 1)
        yield ConfusionStep("count", rows, truth[rows], predicted[rows], matrix)


def tally(
    truth: Codes, predicted: Codes, classes: NDArray[Any], positive: int | None, weight: Any = None
) -> Confusion:
    """Count coded classes; -1 is a class that is left out."""
    is_counted = (truth >= 0) & (predicted >= 0)
    if not is_counted.all():
        truth, predicted = truth[is_counted], predicted[is_counted]
        weight = None if weight is None else weight[is_counted]
    k = len(classes)
    matrix = np.bincount(truth * k + predicted, weight, minlength=k * k).reshape(k, k)
    return summary(matrix, classes, positive)


def summary(matrix: NDArray[Any], classes: NDArray[Any], positive: int | None) -> Confusion:
    """Return the rates of a matrix."""
    counts: Sequence[Any] = _versus_rest(matrix)
    if positive is not None:
        counts = [values[positive].item() for values in counts]
    tp, fp, tn, fn = counts
    return Confusion(tp, fp, tn, fn, matrix, classes)


def with_cells(
    matrix: NDArray[np.float64],
    values: Mapping[tuple[Any, Any], float] | None,
    classes: NDArray[Any],
    name: str,
    low: float = -np.inf,
) -> NDArray[np.float64]:
    """Return a matrix with the values of cells that have their own.

    Pairs with a class that has no row are ignored.

    Raises
    ------
    ValueError
        If a cell is no pair of classes, or its value no number from ``low``.

    Examples
    --------
    >>> with_cells(np.eye(2), {("b", "a"): 5}, np.array(["a", "b"]), "costs").tolist()
    [[1.0, 0.0], [5.0, 1.0]]
    """
    matrix = matrix.copy()
    codes = {label: code for code, label in enumerate(classes.tolist())}
    for pair, value in (values or {}).items():
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise ValueError(
                f"{name} must be named by pairs (true class, predicted class); one is {pair!r}."
            )
        if not (np.isreal(value) and np.isfinite(value) and value >= low):
            bound = f" from {low:g}" if np.isfinite(low) else ""
            raise ValueError(f"{name} of {pair!r} must be a number{bound}; it was {value!r}.")
        if set(pair) <= set(codes):
            matrix[codes[pair[0]], codes[pair[1]]] = value
    return matrix


def _versus_rest(matrix: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Return TP, FP, TN, FN of each class against the rest."""
    tp = np.diag(matrix)
    fp = matrix.sum(axis=0) - tp
    fn = matrix.sum(axis=1) - tp
    return tp, fp, matrix.sum() - tp - fp - fn, fn
