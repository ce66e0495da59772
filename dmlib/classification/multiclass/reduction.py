"""What all ways to predict many classes by binary classifiers share: they train one for each column of a code."""

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
    """What is trained on: the rows, the classes, and the code of the class of each row."""

    X: Any
    classes: NDArray[Any]
    codes: Ints


class BinaryReduction(ClassifierMixin, BaseEstimator):
    """Train a binary classifier for each column of a code matrix, and compare the answers with its rows.

    A subclass has :meth:`_code` and :meth:`_scores`.
    """

    estimator: Any
    classes_: NDArray[Any]
    estimators_: list[Any]
    _members: list[Ints] | None
    PARAMS: ClassVar[dict[str, Param]]

    def _code(self, n_classes: int) -> Ints:
        """Return the code matrix, shape (n_classes, n_problems): 1, -1, or 0 for a class that is left out."""
        raise NotImplementedError

    def _scores(self, values: Floats, positive: Mask) -> Floats:
        """Return the support of each class, shape (n_samples, n_classes), from the answers of all problems."""
        raise NotImplementedError

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Train all binary classifiers on the rows of ``X`` and their classes ``y``."""
        rows = self._read(X, y, remember=True)
        signs = self._code(len(rows.classes))
        return self._adopt(
            rows, signs, [self._trained(rows, signs[:, i]) for i in range(signs.shape[1])]
        )

    def fit_from(self, steps: Sequence[BinaryStep], X: Any, y: ArrayLike) -> Self:
        """Learn what ``fit`` would from the steps on the same rows, without training again."""
        trained = [(step.estimator, step.rows) for step in steps if step.phase == "train"]
        return self._adopt(self._read(X, y, remember=True), steps[-1].signs, trained)

    def _adopt(self, rows: Rows, signs: Ints, trained: list[tuple[Any, Ints]]) -> Self:
        """Keep the binary classifiers, each with the rows that it has seen."""
        self.estimators_ = [estimator for estimator, _ in trained]
        self._members = [members for _, members in trained] if self._pairwise else None
        self.classes_, self._signs = rows.classes, signs
        self.n_classes_ = len(rows.classes)
        return self

    def steps(self, X: Any, y: Any = None) -> Iterator[BinaryStep]:
        """Yield the binary problems, one after the other, then the decoding."""
        rows = self._read(X, y, remember=False)
        signs, n = self._code(len(rows.classes)), 0
        for n in range(1, signs.shape[1] + 1):
            with catch_warnings(record=True) as told:
                simplefilter("always", UserWarning)
                estimator, members = self._trained(rows, signs[:, n - 1])
            said = self._asked(estimator, self._part(rows.X, members))[1]
            positive, reason = (
                signs[rows.codes[members], n - 1] > 0,
                " ".join(str(each.message) for each in told),
            )
            yield BinaryStep("train", n, signs, estimator, members, positive, said, reason)
        nobody, nothing = np.empty(0, np.intp), np.empty(0, bool)
        yield BinaryStep("decode", n, signs, None, nobody, nothing, nothing)

    def answers(self, X: Any) -> tuple[Floats, Mask]:
        """Return the value of every problem, and whether it says positive, each of shape (n_samples, n_problems).

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
        tables = (
            [X] * len(self.estimators_)
            if self._members is None
            else [X[:, some] for some in self._members]
        )
        predicted: list[Mask] = []

        def values() -> Floats:
            pairs = [
                self._asked(estimator, table)
                for estimator, table in zip(self.estimators_, tables, strict=True)
            ]
            predicted.extend(positive for _, positive in pairs)
            return np.column_stack([value for value, _ in pairs])

        return finite_values(values), np.column_stack(predicted)

    @property
    def even(self) -> float:
        """The value at which a binary classifier is undecided: 0 of decision values, 1/2 of probabilities."""
        return 0.0 if hasattr(self._model, "decision_function") else 0.5

    @property
    def signs(self) -> Ints:
        """The code matrix of a fitted machine, shape (n_classes, n_problems): 1, -1, or 0 for a class left out."""
        check_is_fitted(self)
        return self._signs

    @property
    def n_samples_fit_(self) -> int:
        """How many rows all estimators keep together, to compare each place with: what an image of the plane costs."""
        kept = [
            getattr(each, "n_samples_fit_", 0) or len(getattr(each, "support_", ()))
            for each in self.estimators_
        ]
        return sum(kept)

    def decision_function(self, X: Any) -> Floats:
        """Return the support of each class, shape (n_samples, n_classes); of two, shape (n_samples,)."""
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
        """Return the class of each row, and how far it is ahead of the second, from 0 to 1."""
        scores = self._supports(X)
        second, first = np.sort(scores, axis=1)[:, -2:].T
        return self.classes_[scores.argmax(axis=1)], np.clip(first - second, 0.0, 1.0)

    # --- one problem ------------------------------------------------------------------------------

    @property
    def _model(self) -> Any:
        """A binary classifier that is not trained, to be asked what it can do."""
        return (
            binary_classifier(self.estimator) if isinstance(self.estimator, str) else self.estimator
        )

    @property
    def _pairwise(self) -> bool:
        """Whether the rows are a matrix of kernel values or distances between them."""
        return bool(get_tags(self._model).input_tags.pairwise)

    def _part(self, X: Any, rows: Ints) -> Any:
        """Return some training rows; of a matrix between rows, these columns too."""
        return _safe_split(self._model, X, None, rows, rows)[0]

    def _trained(self, rows: Rows, column: Ints) -> tuple[Any, Ints]:
        """Return the classifier of a problem, and the rows that it was trained on."""
        look()
        sides = column[rows.codes]
        members = np.flatnonzero(sides)
        if len(np.unique(sides[members])) == 1:
            value = float(sides[members[0]]) if self.even == 0 else float(sides[members[0]] > 0)
            return _ConstantPredictor().fit(rows.X, np.array([value])), members
        part, positive = self._part(rows.X, members), (sides[members] > 0).astype(np.intp)
        try:
            return binary_classifier(self.estimator).fit(part, positive), members
        except ValueError as error:
            raise ValueError(_of_sides(str(error), rows.classes, column)) from error

    def _asked(self, estimator: Any, X: Any) -> tuple[Floats, Mask]:
        """Return the value of each row, and whether it says positive."""
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
        check_params(
            {name: spec for name, spec in self.PARAMS.items() if name != "estimator"},
            self.get_params(False),
        )
        self._check_estimator()
        model = self if remember else type(self)(**self.get_params(False))
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
        known = not isinstance(self.estimator, str) or self.estimator in BINARY
        tags.input_tags.allow_nan = known and skips_missing(self._model)
        tags.input_tags.pairwise = (
            hasattr(self.estimator, "fit") and get_tags(self.estimator).input_tags.pairwise
        )
        return tags


def _nominal(X: Any) -> bool:
    return isinstance(X, pd.DataFrame) and not all(map(pd.api.types.is_numeric_dtype, X.dtypes))


def _of_sides(message: str, classes: NDArray[Any], column: Ints) -> str:
    """Return what a binary classifier says, with the visitor's classes in place of its own, which are 0 and 1."""

    def side(match: re.Match[str]) -> str:
        there = classes[column > 0] if match[1] == "1" else classes[column < 0]
        return f"class {there[0]}" if len(there) == 1 else f"the {'−+'[int(match[1])]} side"

    return re.sub(r"\bclass ([01])\b", side, message)
