"""What the resampling of classes and that of numbers share: the steps, from the splits to the estimate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state, check_X_y
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from dmlib import engine
from dmlib.estimator import Learner
from dmlib.evaluation import models, scores
from dmlib.evaluation.resampling.estimates import Weighed, no_information, weighed
from dmlib.evaluation.resampling.splitting import (
    BOOTSTRAPS,
    GROUPED,
    HOLDOUT,
    K_FOLD,
    METHODS,
    NESTED,
    REPEATED,
    SPOKEN,
    STRATIFIED,
    Split,
    splits,
)
from dmlib.params import Choice, Conditions, Integer, Number, Param, Spoken, check_params
from dmlib.regression.targets import numeric_target
from dmlib.squares import check_squares

FEW = 25  # splits that are not worth a journey: a slider that moves is answered here


@dataclass(frozen=True, eq=False)
class ResamplingStep:
    """One step of estimating an error.

    Attributes
    ----------
    phase : {"split", "inner", "fold", "training", "combine", "done"}
        What was done: the rows shared out; settings chosen by inner folds; a model trained and
        tested; all rows trained and tested on; errors weighed; the estimate complete.
    index : int
        The number of the split, from 0; -1 before and after.
    splits : tuple of Split
        All splits, told first and in the end.
    split : Split or None
        The split of this step.
    losses : ndarray of shape (n_test,)
        The loss of each row that was tested.
    predicted : ndarray of shape (n_test,)
        What was predicted: codes of classes, or numbers.
    error : float
        Their mean loss; of "training" that of all rows.
    mean : float
        The mean error of the splits so far.
    estimate : float
        The estimated error, in the end.
    settings : dict or None
        What the inner folds have chosen.
    inner : tuple of float
        The mean error of each candidate in the inner folds.
    no_information : float
        The error if predictions had nothing to do with the truth.
    weighed : Weighed or None
        How a bootstrap weighs training and out-of-bag error.
    errors : ndarray of shape (n_splits,)
        The errors of all splits, in the end.
    """

    phase: str
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
    weighed: Weighed | None = None
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
"""The parameters that both have."""


class Resampling(BaseEstimator):
    """What shares rows out, trains, tests, and tells of it."""

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
    SPOKEN: ClassVar[Spoken] = {"model": models.SPOKEN, "scheme": SPOKEN}

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
        """Share the rows out, train and test, and keep the errors; ``groups`` say which rows belong together."""
        X, y = self._checked(X, y, remember=True)
        return self._adopt(list(self._steps(X, y, groups)), X)

    def fit_from(self, steps: Sequence[ResamplingStep], X: Any, y: ArrayLike) -> Self:
        """Learn what ``fit`` would from the steps on the same rows, without training again."""
        X, _ = self._checked(X, y, remember=True)
        return self._adopt(steps, X)

    def _adopt(self, steps: Sequence[ResamplingStep], X: Any) -> Self:
        last = steps[-1]
        self.n_features_in_, self.splits_ = X.shape[1], last.splits
        self.errors_, self.estimate_ = np.asarray(last.errors), last.estimate
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
        shared = self._splits(y, groups, rng)
        yield ResamplingStep("split", splits=tuple(shared))
        self._check_splits(y, shared)
        errors: list[float] = []
        for i, (chosen, said) in enumerate(self._outcomes(X, y, shared, seed)):
            if chosen:
                yield ResamplingStep("inner", i, split=shared[i], **chosen)
            loss = models.losses(y[shared[i].test], said, self.NUMBERS)
            errors.append(float(loss.mean()))
            yield ResamplingStep(
                "fold",
                i,
                split=shared[i],
                losses=loss,
                predicted=said,
                error=errors[-1],
                mean=float(np.mean(errors)),
                settings=chosen.get("settings"),
            )
        everything = np.arange(len(y))
        said = models.predictions(self.model, seed, X, y, None, (everything, everything))
        loss = models.losses(y, said, self.NUMBERS)
        training, mean = float(loss.mean()), float(np.mean(errors))
        gamma = no_information(y, said, self.NUMBERS)
        now = ResamplingStep(
            "training", mean=mean, error=training, no_information=gamma, losses=loss, predicted=said
        )
        yield now
        found = None
        if self.scheme in BOOTSTRAPS:
            found = weighed(self.scheme, training, mean, gamma)
            yield replace(now, phase="combine", weighed=found, estimate=found.estimate)
        yield replace(
            now,
            phase="done",
            splits=tuple(shared),
            errors=np.array(errors),
            weighed=found,
            estimate=found.estimate if found else mean,
        )

    def learned_from(self, X: Any) -> Any:
        """Return the columns that are learned from: all but one that tells the groups."""
        return self._grouped(X, None)[0]

    def _grouped(self, X: Any, groups: Any) -> tuple[Any, Any]:
        """Return the table that is learned from, and which rows belong together.

        A column that tells the groups is not learned from: a model could know by it whom it has
        seen.
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
        rest = frame.drop(columns=frame.columns[self.group_column - 1])
        return rest if _nominal(X) else rest.to_numpy(), frame.iloc[
            :, self.group_column - 1
        ].factorize(sort=True)[0]

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
        """Return the number of folds: where they are stratified, at most as many as the smallest class has rows."""
        if self.NUMBERS or self.scheme not in (STRATIFIED, NESTED):
            return self.folds
        smallest = int(np.unique(y, return_counts=True)[1].min())
        return min(self.folds, smallest) if smallest > 1 else self.folds

    def _check_splits(self, y: Any, shared: Sequence[Split]) -> None:
        """Refuse what no classifier can learn from."""
        if self.NUMBERS or len(np.unique(y)) < 2:
            return
        for i, split in enumerate(shared):
            if (y[split.train] == y[split.train[0]]).all():
                raise ValueError(
                    f"Split {i + 1} would train on a single class. Choose stratified folds, or add"
                    " rows of the others."
                )

    def _outcomes(
        self, X: Any, y: Any, shared: Sequence[Split], seed: int
    ) -> Iterator[tuple[dict[str, Any], Any]]:
        """Yield for each split what the inner folds chose, and the predictions of its test rows."""
        if self.scheme != NESTED:
            parts = [(split.train, split.test) for split in shared]
            workers = 1 if len(parts) <= FEW else None
            yield from (
                ({}, said)
                for said in models.predictions_each(self.model, seed, X, y, parts, workers)
            )
            return
        for split in shared:
            chosen = self._choose(X, y, split, seed)
            yield (
                chosen,
                models.predictions(
                    self.model, seed, X, y, chosen["settings"], (split.train, split.test)
                ),
            )

    def _choose(self, X: Any, y: Any, split: Split, seed: int) -> dict[str, Any]:
        """Return the settings with the smallest mean error in the inner folds, and the errors of all."""
        inside = y[split.train]
        smallest = (
            len(inside) if self.NUMBERS else int(np.unique(inside, return_counts=True)[1].min())
        )
        if smallest < 2:
            raise ValueError(
                "The training rows of a fold have a single row of a class, so they cannot be shared"
                " out again. Choose more rows, or a method that is not nested."
            )
        inner = splits(STRATIFIED, inside, folds=min(self.inner_folds, smallest), random_state=seed)
        found = []
        for settings in models.candidates(self.model):
            task = partial(models.predictions, self.model, seed, X, y, settings)
            parts = [(split.train[each.train], split.train[each.test]) for each in inner]
            errors = [
                models.losses(y[test], said, self.NUMBERS).mean()
                for (_, test), said in zip(parts, engine.map(task, parts, workers=1), strict=True)
            ]
            found.append(float(np.mean(errors)))
        return {
            "inner": tuple(found),
            "settings": models.candidates(self.model)[int(np.argmin(found))],
        }

    def _checked(self, X: Any, y: Any, remember: bool = False) -> tuple[Any, Any]:
        """Check parameters and data; return the rows, and numbers or codes of classes."""
        known = self.PARAMS["model"]
        if not isinstance(self.model, Learner):
            check_params({"model": known}, {"model": self.model})
        check_params(
            {name: spec for name, spec in self.PARAMS.items() if name != "model"},
            self.get_params(deep=False),
        )
        nominal = _nominal(X)
        y = numeric_target(y) if self.NUMBERS else y
        how = {"dtype": np.float64, "ensure_all_finite": "allow-nan"}
        if remember:
            X, y = self._remembered(X, y, nominal)
        elif not nominal:
            X, y = check_X_y(X, y, y_numeric=self.NUMBERS, **how)
        if self.NUMBERS:
            numbers = np.asarray(y, float)
            check_squares(numbers[:, None])
            return X, numbers
        check_classification_targets(y)
        return X, np.unique(np.asarray(y), return_inverse=True)[1].astype(np.intp)

    def _remembered(self, X: Any, y: Any, nominal: bool) -> tuple[Any, Any]:
        if nominal:
            self.feature_names_in_ = np.asarray(X.columns, object)
            return X, y
        found: tuple[Any, Any] = validate_data(
            self, X, y, dtype=np.float64, ensure_all_finite="allow-nan", y_numeric=self.NUMBERS
        )
        return found

    def _check_table(self, X: Any) -> None:
        """Check that the model can use the columns."""
        numeric = models.name_of(self.model) in models.NUMERIC
        scores.check_table("lda_classifier" if numeric else self.model, X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.string = not self.NUMBERS
        tags.input_tags.allow_nan = not self.NUMBERS and scores.skips_missing(self.model)
        return tags


def _nominal(X: Any) -> bool:
    return isinstance(X, pd.DataFrame) and not all(map(pd.api.types.is_numeric_dtype, X.dtypes))
