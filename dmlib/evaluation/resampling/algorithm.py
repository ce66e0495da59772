"""Estimates of the error of a model by resampling."""

from __future__ import annotations

from typing import Any, ClassVar

import pandas as pd

from dmlib.evaluation import models
from dmlib.evaluation.resampling.base import SETTINGS, Resampling, ResamplingStep
from dmlib.evaluation.resampling.splitting import K_FOLD, METHODS, STRATIFIED
from dmlib.params import Choice, Param

__all__ = ["ClassifierResampling", "RegressorResampling", "ResamplingStep"]


class ClassifierResampling(Resampling):
    r"""Estimate the error rate of a classifier by rows that it was not trained on.

    Parameters
    ----------
    model : str or classifier, default="decision_tree"
        The classifier whose error is estimated: a name, or an object.
    scheme : str, default="stratified"
        How rows are split into training and test rows. Holdout: one part tests; k-fold: each fold
        tests once, with equal fractions of the classes if stratified, with whole groups if grouped;
        leave-one-out: each row tests once; bootstrap: rows drawn with replacement train, all
        remaining rows test; nested: inner folds choose the settings of the model.
    folds : int, default=5
        The number of folds.
    n_repeats : int, default=20
        The number of repeated holdouts, or of bootstrap samples.
    test_size : float, default=0.3
        The fraction of the rows that a holdout tests.
    group_size : int, default=4
        With grouped folds, the number of successive rows that form a group, where no groups are
        passed.
    group_column : int, default=0
        With grouped folds, the number of the column, from 1, whose equal values form a group; it is
        not used for training. 0: groups have ``group_size`` rows.
    inner_folds : int, default=3
        With nested folds, the number of folds by which the settings are chosen.
    random_state : int, RandomState or None, default=None
        The seed of the splits and of the model.

    Attributes
    ----------
    estimate_ : float
        The estimated error rate.
    errors_ : ndarray of shape (n_splits,)
        The error rate of the test rows of each split.
    spread_ : float
        Their standard deviation.
    training_error_ : float
        The error rate of all rows by a model trained on them: optimistic.
    splits_ : tuple of Split
        The training and test rows.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    predictions_ : ndarray of shape (n_samples,)
        The predicted code of each row, an index into ``classes_``, by models that were not trained
        on it: the most frequent of several, -1 for a row that was in no test set.
    settings_ : list of dict
        With nested folds, the chosen settings of each.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there are fewer rows or groups than folds, if a split would train on a single class, or
        if the model refuses the data.

    Notes
    -----
    As many models are trained as there are splits, and one on all rows; nested, one for each
    candidate and inner fold besides. The estimate is the mean over the splits, as in scikit-learn;
    by the bootstrap, the mean of the out-of-bag errors, weighted with the training error.

    References
    ----------
    R. Kohavi (1995), A study of cross-validation and bootstrap for accuracy estimation and model
    selection. B. Efron and R. Tibshirani (1997), Improvements on cross-validation: the .632+
    bootstrap method. S. Varma and R. Simon (2006), Bias in error estimation when using
    cross-validation for model selection.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], [0, 0, 0, 1, 1, 1]
    >>> ClassifierResampling("knn", scheme="leave_one_out").fit(X, y).errors_.tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """

    NUMBERS = False
    PARAMS: ClassVar[dict[str, Param]] = {"model": Choice(tuple(models.CLASSIFIERS)), **SETTINGS}


class RegressorResampling(Resampling):
    r"""Estimate the mean squared error of a regression by rows that it was not trained on.

    Parameters
    ----------
    model : str or regressor, default="regression_tree"
        The regression whose error is estimated: a name, or an object.
    scheme : str, default="k_fold"
        How rows are split, as for classifiers; without stratified folds.
    folds : int, default=5
        The number of folds.
    n_repeats : int, default=20
        The number of repeated holdouts, or of bootstrap samples.
    test_size : float, default=0.3
        The fraction of the rows that a holdout tests.
    group_size : int, default=4
        With grouped folds, the number of successive rows that form a group, where no groups are
        passed.
    group_column : int, default=0
        With grouped folds, the number of the column, from 1, whose equal values form a group; it is
        not used for training. 0: groups have ``group_size`` rows.
    inner_folds : int, default=3
        With nested folds, the number of folds by which the settings are chosen.
    random_state : int, RandomState or None, default=None
        The seed of the splits and of the model.

    Attributes
    ----------
    estimate_ : float
        The estimated mean squared error.
    errors_ : ndarray of shape (n_splits,)
        The mean squared error of the test rows of each split.
    spread_ : float
        Their standard deviation.
    training_error_ : float
        The mean squared error of all rows by a model trained on them: optimistic.
    splits_ : tuple of Split
        The training and test rows.
    predictions_ : ndarray of shape (n_samples,)
        The prediction of each row by models that were not trained on it: the mean of several, NaN
        for a row that was in no test set.
    settings_ : list of dict
        With nested folds, the chosen settings of each.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there are fewer rows or groups than folds, or if the model refuses the data.

    Notes
    -----
    As many models are trained as there are splits, and one on all rows; nested, one for each
    candidate and inner fold besides.

    References
    ----------
    T. Hastie, R. Tibshirani and J. Friedman (2009), The elements of statistical learning, chapter
    7.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0]], [0.0, 0.0, 3.0]
    >>> resampling = RegressorResampling("mean", scheme="leave_one_out").fit(X, y)
    >>> resampling.errors_.tolist(), resampling.estimate_
    ([2.25, 2.25, 9.0], 4.5)
    """

    NUMBERS = True
    PARAMS: ClassVar[dict[str, Param]] = {
        "model": Choice(tuple(models.REGRESSORS)),
        **SETTINGS,
        "scheme": Choice(tuple(method for method in METHODS if method != STRATIFIED)),
    }

    def __init__(
        self,
        model: Any = "regression_tree",
        *,
        scheme: str = K_FOLD,
        folds: int = 5,
        n_repeats: int = 20,
        test_size: float = 0.3,
        group_size: int = 4,
        group_column: int = 0,
        inner_folds: int = 3,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            model,
            scheme=scheme,
            folds=folds,
            n_repeats=n_repeats,
            test_size=test_size,
            group_size=group_size,
            group_column=group_column,
            inner_folds=inner_folds,
            random_state=random_state,
        )

    def _check_table(self, X: Any) -> None:
        frame = pd.DataFrame(X)
        if not isinstance(X, pd.DataFrame):
            frame.columns = range(1, X.shape[1] + 1)
        nominal = [name for name in frame if not pd.api.types.is_numeric_dtype(frame[name])]
        if nominal:
            raise ValueError(
                f"This model needs numbers, but the column {nominal[0]!r} is nominal. Leave it out."
            )
        if (missing := frame.columns[frame.isna().any()]).size:
            raise ValueError(
                f"Input X contains NaN: the column {missing[0]!r} has missing values, and this"
                " model cannot skip them. Leave the column out, or fill it."
            )
