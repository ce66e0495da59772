"""The base class of resampling: the steps, from the splits to the estimate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import RegressorTags, check_random_state, check_X_y
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from dmlib import engine
from dmlib.estimator import Learner
from dmlib.evaluation import models, scores
from dmlib.evaluation.resampling.estimates import WeightedError, no_information, weighted_error
from dmlib.evaluation.resampling.splitting import (
    BOOTSTRAPS,
    GROUPED,
    HOLDOUT,
    K_FOLD,
    METHOD_LABELS,
    METHODS,
    NESTED,
    REPEATED,
    STRATIFIED,
    Split,
    splits,
)
from dmlib.params import Choice, Conditions, Integer, Number, Param, Spoken, check_params
from dmlib.regression.targets import numeric_target
from dmlib.squares import check_squares

MAX_LOCAL = 25  # splits up to which no worker is used, since a moving slider does not wait

Phase = Literal["split", "inner", "fold", "training", "combine", "done"]


@dataclass(frozen=True, eq=False)
class ResamplingStep:
    """One step of estimating an error.

    Attributes
    ----------
    phase : {"split", "inner", "fold", "training", "combine", "done"}
        The splits; settings chosen by inner folds; a model trained and tested; a model trained and
        tested on all rows; the weighted error of a bootstrap; the estimate.
    index : int
        The number of the split, from 0; -1 before and after.
    splits : tuple of Split
        All splits, on "split" and "done".
    split : Split or None
        The split of this step.
    losses : ndarray of shape (n_test,)
        The loss of each test row.
    predicted : ndarray of shape (n_test,)
        The predictions: codes of classes, or numbers.
    error : float
        The mean loss of the test rows; on "training", of all rows.
    mean : float
        The mean error of the splits so far.
    estimate : float
        The estimated error, on "combine" and "done".
    settings : dict or None
        The settings that the inner folds have chosen.
    inner : tuple of float
        The mean error of each candidate in the inner folds.
    no_information : float
        The no-information error.
    weighted : WeightedError or None
        The weighted mean of training and out-of-bag error of a bootstrap.
    errors : ndarray of shape (n_splits,)
        The errors of all splits, on "done".
    """

    phase: Phase
    index: int = -1
    splits: tuple[Split, ...] = ()
    split: Split | None = None
    losses: Any = ()
    predicted: Any = ()
    error: float = np.nan
    mean: float = np.nan
    estimate: float = np.nan
    settings: dict[str, Any] | None = None
    inner: tuple[float, ...] = ()
    no_information: float = np.nan
    weighted: WeightedError | None = None
    errors: Any = ()


SETTINGS: dict[str, Param] = {
    "scheme": Choice(METHODS),
    "folds": Integer(2, 100, shown=(2, 20)),
    "n_repeats": Integer(1, 1000, shown=(1, 60)),
    "test_size": Number(0.01, 0.99, shown=(0.1, 0.9), step=0.05),
    "group_size": Integer(1, 1000, shown=(1, 10)),
    "group_column": Integer(0, 100_000, shown=(0, 10)),
    "inner_folds": Integer(2, 20, shown=(2, 6)),
}
"""The parameters of classification and regression."""


class Resampling(BaseEstimator):
    """Base class of estimates of an error by resampling."""

    model: Any
    NUMBERS: ClassVar[bool]
    PARAMS: ClassVar[dict[str, Param]]
    PAUSES: ClassVar[bool] = False  # its steps hold a seat of the engine
    APPLIES: ClassVar[Conditions] = {
        "folds": ("scheme", (K_FOLD, STRATIFIED, GROUPED, NESTED)),
        "n_repeats": ("scheme", (REPEATED, *BOOTSTRAPS)),
        "test_size": ("scheme", (HOLDOUT, REPEATED)),
        "group_size": ("scheme", (GROUPED,)),
        "group_column": ("scheme", (GROUPED,)),
        "inner_folds": ("scheme", (NESTED,)),
    }
    SPOKEN: ClassVar[Spoken] = {"model": models.TITLES, "scheme": METHOD_LABELS}

    def __init__(
        self,
        model: Any = "decision_tree",
        *,
        scheme: str = STRATIFIED,
        folds: int = 5,
        n_repeats: int = 20,
        test_size: float = 0.3,
        group_size: int = 4,
        group_column: int = 0,
        inner_folds: int = 3,
        random_state: Any = None,
    ) -> None:
        self.model = model
        self.scheme = scheme
        self.folds = folds
        self.n_repeats = n_repeats
        self.test_size = test_size
        self.group_size = group_size
        self.group_column = group_column
        self.inner_folds = inner_folds
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike, groups: ArrayLike | None = None) -> Self:
        """Train and test on each split; ``groups`` are never split by grouped folds."""
        rows, target = self._checked(X, y, remember=True)
        return self._adopt(list(self._steps(rows, target, groups)), rows, y)

    def fit_from(self, steps: Sequence[ResamplingStep], X: Any, y: ArrayLike) -> Self:
        """Become what the steps on the same rows say."""
        rows, _ = self._checked(X, y, remember=True)
        return self._adopt(steps, rows, y)

    def _adopt(self, steps: Sequence[ResamplingStep], X: Any, y: ArrayLike) -> Self:
        last = steps[-1]
        if not self.NUMBERS:
            self.classes_ = np.unique(np.asarray(y))
        self.predictions_ = held_out_predictions(steps, len(X), self.NUMBERS)
        self.n_features_in_ = X.shape[1]
        self.splits_ = last.splits
        self.errors_ = np.asarray(last.errors)
        self.estimate_ = last.estimate
        self.training_error_ = next(step.error for step in steps if step.phase == "training")
        k = len(self.errors_)
        self.spread_ = float(self.errors_.std(ddof=1)) if k > 1 else np.nan
        self.settings_ = [step.settings for step in steps if step.phase == "inner"]
        return self

    def steps(self, X: Any, y: ArrayLike | None = None) -> Iterator[ResamplingStep]:
        """Yield the splits, each fold, the training error and the estimate."""
        yield from self._steps(*self._checked(X, y), None)

    def _steps(self, X: Any, y: Any, groups: Any) -> Iterator[ResamplingStep]:
        X, groups = self._grouped(X, groups)
        self._check_table(X)
        rng = check_random_state(self.random_state)
        seed = int(rng.randint(2**31 - 1))
        row_splits = self._splits(y, groups, rng)
        yield ResamplingStep("split", splits=tuple(row_splits))
        self._check_splits(y, row_splits)
        errors: list[float] = []
        for i, (choice, predicted) in enumerate(self._outcomes(X, y, row_splits, seed)):
            split = row_splits[i]
            if choice:
                yield ResamplingStep("inner", i, split=split, **choice)
            losses = models.losses(y[split.test], predicted, self.NUMBERS)
            errors.append(float(losses.mean()))
            yield ResamplingStep(
                "fold",
                i,
                split=split,
                losses=losses,
                predicted=predicted,
                error=errors[-1],
                mean=float(np.mean(errors)),
                settings=choice.get("settings"),
            )
        everything = np.arange(len(y))
        predicted = models.predictions(self.model, seed, X, y, None, (everything, everything))
        losses = models.losses(y, predicted, self.NUMBERS)
        step = ResamplingStep(
            "training",
            mean=float(np.mean(errors)),
            error=float(losses.mean()),
            no_information=no_information(y, predicted, self.NUMBERS),
            losses=losses,
            predicted=predicted,
        )
        yield step
        estimate = step.mean
        weighted = None
        if self.scheme in BOOTSTRAPS:
            weighted = weighted_error(self.scheme, step.error, step.mean, step.no_information)
            estimate = weighted.estimate
            yield replace(step, phase="combine", weighted=weighted, estimate=estimate)
        yield replace(
            step,
            phase="done",
            splits=tuple(row_splits),
            errors=np.array(errors),
            weighted=weighted,
            estimate=estimate,
        )

    def learned_from(self, X: Any) -> Any:
        """Return the columns that models are trained on: all but that of the groups."""
        return self._grouped(X, None)[0]

    def _grouped(self, X: Any, groups: Any) -> tuple[Any, Any]:
        """Return the columns that models are trained on, and the groups of the rows.

        A model would recognise groups that it was trained on by their column.
        """
        if groups is not None or self.scheme != GROUPED:
            return X, groups
        if not self.group_column:
            return X, np.arange(len(X)) // self.group_size
        if not 1 < X.shape[1] >= self.group_column:
            raise ValueError(
                f"group_column is {self.group_column}, but it must be one of several columns, and"
                f" there are {X.shape[1]}. Choose another column, or more columns."
            )
        frame = pd.DataFrame(X)
        column = frame.columns[self.group_column - 1]
        remaining = frame.drop(columns=column)
        codes, _ = frame[column].factorize(sort=True)
        return remaining if _nominal(X) else remaining.to_numpy(), codes

    def _splits(self, y: Any, groups: Any, rng: Any) -> list[Split]:
        return splits(
            self.scheme,
            y,
            folds=self.n_folds(y),
            n_repeats=self.n_repeats,
            test_size=self.test_size,
            groups=groups,
            random_state=rng,
        )

    def n_folds(self, y: Any) -> int:
        """Return the number of folds; stratified, at most the number of rows of a class."""
        if self.NUMBERS or self.scheme not in (STRATIFIED, NESTED):
            return self.folds
        smallest = int(np.unique(y, return_counts=True)[1].min())
        return min(self.folds, smallest) if smallest > 1 else self.folds

    def _check_splits(self, y: Any, row_splits: Sequence[Split]) -> None:
        """Check that each split trains on several classes."""
        if self.NUMBERS or len(np.unique(y)) < 2:
            return
        for i, split in enumerate(row_splits):
            if (y[split.train] == y[split.train[0]]).all():
                raise ValueError(
                    f"Split {i + 1} would train on a single class. Choose stratified folds, or add"
                    " rows of the others."
                )

    def _outcomes(
        self, X: Any, y: Any, row_splits: Sequence[Split], seed: int
    ) -> Iterator[tuple[dict[str, Any], Any]]:
        """Yield for each split the choice of the inner folds, and the predictions for test rows."""
        if self.scheme != NESTED:
            parts = [(split.train, split.test) for split in row_splits]
            workers = 1 if len(parts) <= MAX_LOCAL else None
            for predicted in models.predictions_each(self.model, seed, X, y, parts, workers):
                yield {}, predicted
            return
        for split in row_splits:
            choice = self._choose(X, y, split, seed)
            rows = split.train, split.test
            yield choice, models.predictions(self.model, seed, X, y, choice["settings"], rows)

    def _choose(self, X: Any, y: Any, split: Split, seed: int) -> dict[str, Any]:
        """Return the settings with the smallest mean error in the inner folds, and all errors."""
        target = y[split.train]
        smallest = len(target)
        if not self.NUMBERS:
            smallest = int(np.unique(target, return_counts=True)[1].min())
        if smallest < 2:
            raise ValueError(
                "The training rows of a fold have a single row of a class, so they cannot be shared"
                " out again. Choose more rows, or a method that is not nested."
            )
        inner = splits(STRATIFIED, target, folds=min(self.inner_folds, smallest), random_state=seed)
        parts = [(split.train[part.train], split.train[part.test]) for part in inner]
        candidates = models.candidates(self.model)
        mean_errors = []
        for settings in candidates:
            task = partial(models.predictions, self.model, seed, X, y, settings)
            errors = [
                models.losses(y[test], predicted, self.NUMBERS).mean()
                for (_, test), predicted in zip(
                    parts, engine.map(task, parts, workers=1), strict=True
                )
            ]
            mean_errors.append(float(np.mean(errors)))
        best = candidates[int(np.argmin(mean_errors))]
        return {"inner": tuple(mean_errors), "settings": best}

    def _checked(self, X: Any, y: Any, remember: bool = False) -> tuple[Any, Any]:
        """Check parameters and data; return the rows, and numbers or codes of classes."""
        specs = dict(self.PARAMS)
        if isinstance(self.model, Learner):
            del specs["model"]
        check_params(specs, self.get_params(deep=False))
        y = numeric_target(y) if self.NUMBERS else y
        if remember:
            X, y = self._remembered(X, y)
        elif not _nominal(X):
            X, y = check_X_y(
                X, y, dtype=np.float64, ensure_all_finite="allow-nan", y_numeric=self.NUMBERS
            )
        if self.NUMBERS:
            numbers = np.asarray(y, float)
            check_squares(numbers[:, None])
            return X, numbers
        check_classification_targets(y)
        return X, np.unique(np.asarray(y), return_inverse=True)[1].astype(np.intp)

    def _remembered(self, X: Any, y: Any) -> tuple[Any, Any]:
        if _nominal(X):
            self.feature_names_in_ = np.asarray(X.columns, object)
            return X, y
        data: tuple[Any, Any] = validate_data(
            self, X, y, dtype=np.float64, ensure_all_finite="allow-nan", y_numeric=self.NUMBERS
        )
        return data

    def _check_table(self, X: Any) -> None:
        """Check that the model can use the columns."""
        numeric = models.name_of(self.model) in models.NUMERIC
        scores.check_table("lda_classifier" if numeric else self.model, X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.regressor_tags = RegressorTags() if self.NUMBERS else None
        tags.input_tags.string = not self.NUMBERS
        tags.input_tags.allow_nan = not self.NUMBERS and scores.skips_missing(self.model)
        return tags


def held_out_predictions(
    steps: Sequence[ResamplingStep], n_rows: int, are_numbers: bool
) -> NDArray[Any]:
    """Return the prediction of each row by the models that were not trained on it.

    Of several, the mean of numbers, or the most frequent class; NaN, or -1, for a row that was in
    no test set.
    """
    folds = [step for step in steps if step.phase == "fold" and step.split is not None]
    rows = np.concatenate([step.split.test for step in folds if step.split is not None])
    predicted = np.concatenate([step.predicted for step in folds])
    if are_numbers:
        means = pd.Series(predicted).groupby(rows).mean()
        return np.asarray(means.reindex(range(n_rows)), float)
    votes = np.zeros((n_rows, int(predicted.max()) + 1), np.intp)
    np.add.at(votes, (rows, predicted), 1)
    return np.where(votes.any(axis=1), votes.argmax(axis=1), -1)


def _nominal(X: Any) -> bool:
    return isinstance(X, pd.DataFrame) and not all(map(pd.api.types.is_numeric_dtype, X.dtypes))
