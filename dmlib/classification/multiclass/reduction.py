"""The base of reductions to binary problems: a classifier for each column of a code matrix."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple, Self
from warnings import catch_warnings, simplefilter

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.multiclass import _ConstantPredictor
from sklearn.utils import _safe_indexing, column_or_1d, get_tags
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats, Ints
from dmlib.classification.multiclass.binary import BINARY, ESTIMATOR, binary_classifier, binary_name
from dmlib.classification.multiclass.binary_step import BinaryStep, Mask
from dmlib.evaluation.scores import check_table, skips_missing
from dmlib.params import Param, check_params
from dmlib.squares import finite_values
from dmlib.trace import look


class Rows(NamedTuple):
    """Training rows, the classes, and the class code of each row."""

    X: Any
    classes: NDArray[Any]
    codes: Ints


class BinaryReduction(ClassifierMixin, BaseEstimator):
    """Train a binary classifier for each column of a code matrix, and decode their predictions.

    A subclass has :meth:`_code` and :meth:`_scores`.
    """

    estimator: Any
    classes_: NDArray[Any]
    estimators_: list[Any]
    _members: list[Ints] | None
    PARAMS: ClassVar[dict[str, Param]]

    def _code(self, n_classes: int) -> Ints:
        """Return the code matrix, shape (n_classes, n_problems): 1, -1, or 0 for absent classes."""
        raise NotImplementedError

    def _scores(self, values: Floats, positive: Mask) -> Floats:
        """Return the support of each class, (n_samples, n_classes), by all problems."""
        raise NotImplementedError

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Train all binary classifiers on the rows of ``X`` and their classes ``y``."""
        rows = self._read(X, y, remember=True)
        signs = self._code(len(rows.classes))
        return self._adopt(rows, signs, [self._trained(rows, column) for column in signs.T])

    def fit_from(self, steps: Sequence[BinaryStep], X: Any, y: ArrayLike) -> Self:
        """Adopt the classifiers of the steps on the same rows, without training them again."""
        trained = [(step.estimator, step.rows) for step in steps if step.phase == "train"]
        return self._adopt(self._read(X, y, remember=True), steps[-1].signs, trained)

    def _adopt(self, rows: Rows, signs: Ints, trained: list[tuple[Any, Ints]]) -> Self:
        """Set the binary classifiers, each with its training rows."""
        self.estimators_ = [estimator for estimator, _ in trained]
        self._members = [members for _, members in trained] if self._pairwise else None
        self.classes_ = rows.classes
        self._signs = signs
        self.n_classes_ = len(rows.classes)
        return self

    def steps(self, X: Any, y: Any = None) -> Iterator[BinaryStep]:
        """Yield the binary problems, one after the other, then the decoding."""
        rows = self._read(X, y, remember=False)
        signs = self._code(len(rows.classes))
        for number, column in enumerate(signs.T, start=1):
            with catch_warnings(record=True) as warnings:
                simplefilter("always", UserWarning)
                estimator, members = self._trained(rows, column)
            _, predicted = self._predictions(estimator, self._part(rows.X, members))
            positive = column[rows.codes[members]] > 0
            reason = " ".join(str(warning.message) for warning in warnings)
            yield BinaryStep(
                "train", number, signs, estimator, members, positive, predicted, reason
            )
        no_rows = np.empty(0, bool)
        yield BinaryStep(
            "decode", signs.shape[1], signs, None, np.empty(0, np.intp), no_rows, no_rows
        )

    def answers(self, X: Any) -> tuple[Floats, Mask]:
        """Return the values and predictions of all problems, each (n_samples, n_problems).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        values : ndarray
            Decision values or, of classifiers without them, probabilities of the positive side.
        positive : ndarray of bool
            Whether the value is above :attr:`even`; where it is equal, what the classifier
            predicts.
        """
        check_is_fitted(self)
        X = self._table(X)
        tables = [X] * len(self.estimators_)
        if self._members is not None:
            tables = [X[:, members] for members in self._members]
        predictions: list[Mask] = []

        def values() -> Floats:
            columns = []
            for estimator, table in zip(self.estimators_, tables, strict=True):
                value, is_positive = self._predictions(estimator, table)
                columns.append(value)
                predictions.append(is_positive)
            return np.column_stack(columns)

        return finite_values(values), np.column_stack(predictions)

    @property
    def even(self) -> float:
        """The threshold of a binary classifier: 0 for decision values, 1/2 for probabilities."""
        return 0.0 if hasattr(self._model, "decision_function") else 0.5

    @property
    def signs(self) -> Ints:
        """The fitted code matrix, (n_classes, n_problems): 1, -1, or 0 for absent classes."""
        check_is_fitted(self)
        return self._signs

    @property
    def n_samples_fit_(self) -> int:
        """The rows that all estimators store to compare queries with, which decide the cost."""
        return sum(
            getattr(estimator, "n_samples_fit_", 0) or len(getattr(estimator, "support_", ()))
            for estimator in self.estimators_
        )

    def decision_function(self, X: Any) -> Floats:
        """Return the support of each class, (n_samples, n_classes); of two classes (n_samples,)."""
        scores = self._supports(X)
        return self._of_two(scores) if len(self.classes_) == 2 else scores

    def _supports(self, X: Any) -> Floats:
        answers = self.answers(X)
        return finite_values(lambda: self._scores(*answers))

    def _of_two(self, scores: Floats) -> Floats:
        return np.asarray(scores[:, 1] - scores[:, 0])

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row; of equal ones the first."""
        return self.certainty(X)[0]

    def certainty(self, X: Any) -> tuple[NDArray[Any], Floats]:
        """Return the class of each row, and its lead over the second, from 0 to 1."""
        scores = self._supports(X)
        second, first = np.sort(scores, axis=1)[:, -2:].T
        return self.classes_[scores.argmax(axis=1)], np.clip(first - second, 0.0, 1.0)

    # --- one problem ------------------------------------------------------------------------------

    @property
    def _model(self) -> Any:
        """An untrained binary classifier, for its interface and tags."""
        if isinstance(self.estimator, str):
            return binary_classifier(self.estimator)
        return self.estimator

    @property
    def _pairwise(self) -> bool:
        """Whether the rows are a matrix of kernel values or distances between them."""
        return bool(get_tags(self._model).input_tags.pairwise)

    def _part(self, X: Any, rows: Ints) -> Any:
        """Return a subset of the training rows; of a matrix between rows, also of its columns."""
        return _safe_split(self._model, X, None, rows, rows)[0]

    def _trained(self, rows: Rows, column: Ints) -> tuple[Any, Ints]:
        """Return the classifier of a problem, and the rows that it was trained on."""
        look()
        sides = column[rows.codes]
        members = np.flatnonzero(sides)
        if len(np.unique(sides[members])) == 1:
            value = float(sides[members[0]]) if self.even == 0 else float(sides[members[0]] > 0)
            return _ConstantPredictor().fit(rows.X, np.array([value])), members
        part = self._part(rows.X, members)
        positive = (sides[members] > 0).astype(np.intp)
        try:
            return binary_classifier(self.estimator).fit(part, positive), members
        except ValueError as error:
            raise ValueError(_of_sides(str(error), rows.classes, column)) from error

    def _predictions(self, estimator: Any, X: Any) -> tuple[Floats, Mask]:
        """Return the value of each row, and whether it is predicted positive."""
        look()
        if hasattr(estimator, "decision_function"):
            values = np.asarray(estimator.decision_function(X), float)
        else:
            values = np.asarray(estimator.predict_proba(X)[:, 1], float)
        even = self.even
        positive = values > even
        if (tied := np.flatnonzero(values == even)).size:
            positive[tied] = estimator.predict(_safe_indexing(X, tied)) > 0
        return values, positive

    # --- tables -----------------------------------------------------------------------------------

    def _read(self, X: Any, y: Any, remember: bool) -> Rows:
        """Check parameters and data; ``fit`` remembers the columns."""
        params = self.get_params(False)
        specs = {name: spec for name, spec in self.PARAMS.items() if name != "estimator"}
        check_params(specs, params)
        self._check_estimator()
        model = self if remember else type(self)(**params)
        if _nominal(X):
            validate_data(model, X, y, skip_check_array=True)
            y = column_or_1d(y, warn=True)
        else:
            X, y = validate_data(model, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
        check_classification_targets(y)
        self._check_table(X)
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(
                f"There is only one class, {classes[0]}. Give rows of at least two classes."
            )
        return Rows(X, classes, codes.astype(np.intp))

    def _check_estimator(self) -> None:
        model = self.estimator
        if not (hasattr(model, "fit") and hasattr(model, "get_params")):
            check_params(ESTIMATOR, {"estimator": model})
            return
        if not (hasattr(model, "decision_function") or hasattr(model, "predict_proba")):
            raise ValueError(
                f"{type(model).__name__} gives neither decision values nor probabilities. "
                "Choose a classifier with decision_function or predict_proba."
            )

    def _table(self, X: Any) -> Any:
        if _nominal(X):
            validate_data(self, X, reset=False, skip_check_array=True)
        else:
            X = validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite="allow-nan")
        self._check_table(X)
        return X

    def _check_table(self, X: Any) -> None:
        if binary_name(self.estimator) in BINARY:  # others say themselves what they do not take
            check_table(self._model, X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True  # names are columns too
        is_valid = not isinstance(self.estimator, str) or self.estimator in BINARY
        tags.input_tags.allow_nan = is_valid and skips_missing(self._model)
        tags.input_tags.pairwise = (
            hasattr(self.estimator, "fit") and get_tags(self.estimator).input_tags.pairwise
        )
        return tags


def _nominal(X: Any) -> bool:
    return isinstance(X, pd.DataFrame) and not all(map(pd.api.types.is_numeric_dtype, X.dtypes))


def _of_sides(message: str, classes: NDArray[Any], column: Ints) -> str:
    """Return a binary classifier's message with class names in place of its classes 0 and 1."""

    def side(match: re.Match[str]) -> str:
        names = classes[column > 0] if match[1] == "1" else classes[column < 0]
        return f"class {names[0]}" if len(names) == 1 else f"the {'−+'[int(match[1])]} side"

    return re.sub(r"\bclass ([01])\b", side, message)
