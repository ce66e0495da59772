"""The base class of evaluations of a classifier: a model, and how rows are scored."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils import check_X_y
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from dmlib.arrays import Floats
from dmlib.evaluation.scores import (
    APPLIES,
    Rows,
    ScoreStep,
    check_model,
    check_table,
    out_of_sample,
    skips_missing,
)
from dmlib.params import Conditions, Param, check_params


class Scorer(BaseEstimator):
    """Base class of evaluations that need scores for rows that a model was not trained on."""

    model: Any
    scoring: str
    folds: int
    test_size: float
    column: int
    random_state: Any
    _model: Any
    APPLIES: ClassVar[Conditions] = APPLIES
    PARAMS: ClassVar[dict[str, Param]]

    def _check(self, X: Any, y: Any, remember: bool) -> tuple[Any, Any, Rows]:
        """Check parameters and data; return the rows, the classes and their codes.

        ``fit`` remembers the columns.
        """
        check_model(self.model)
        specs = {name: spec for name, spec in self.PARAMS.items() if name != "model"}
        check_params(specs, self.get_params(deep=False))
        if remember or _nominal(X):
            X, y = self._rows(X, y)
        else:
            X, y = check_X_y(X, y, dtype=np.float64, ensure_all_finite="allow-nan")
            check_table(self.model, X, self.column)
        check_classification_targets(y)
        classes, codes = np.unique(np.asarray(y), return_inverse=True)
        return X, classes, codes.astype(np.intp)

    def _rows(self, X: Any, *y: Any) -> Any:
        """Return the rows as numbers, or as a data frame with nominal columns; and the classes."""
        rows = (X, *y) if y else X
        if not _nominal(X):
            rows = validate_data(
                self, X, *y, dtype=np.float64, ensure_all_finite="allow-nan", reset=bool(y)
            )
        check_table(self.model, rows[0] if y else rows, self.column)
        return rows

    @property
    def model_(self) -> Any:
        """The model, fitted to all rows; None for a column."""
        return self._model

    def _scored(
        self, X: Any, codes: Rows, n_classes: int
    ) -> Generator[ScoreStep, None, tuple[Floats, str]]:
        """Yield the steps of all folds; return the scores of all rows and their kind."""
        names = ("scoring", "folds", "test_size", "column", "random_state")
        settings = {name: getattr(self, name) for name in names}
        steps = []
        for step in out_of_sample(self.model, X, codes, n_classes=n_classes, **settings):
            steps.append(step)
            yield step
        return collected_scores(steps, len(codes), n_classes)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.string = True  # names are columns too
        tags.input_tags.allow_nan = skips_missing(self.model)
        return tags


def collected_scores(steps: Sequence[Any], n_samples: int, n_classes: int) -> tuple[Floats, str]:
    """Return the scores of all folds among steps, NaN for rows without a score, and their kind."""
    scores = np.full((n_samples, n_classes), np.nan)
    kind = ""
    for step in steps:
        if isinstance(step, ScoreStep):
            scores[step.rows] = step.scores
            kind = step.kind
    return scores, kind


def _nominal(X: Any) -> bool:
    """Return whether a column holds no numbers."""
    return isinstance(X, pd.DataFrame) and not all(map(pd.api.types.is_numeric_dtype, X.dtypes))
