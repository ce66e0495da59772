"""Treatments of missing values, compared on a table with artificial holes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.trace import look

TREATMENTS = ("fractional", "surrogate", "category", "impute", "drop")
"""Fractional rows, surrogate splits, a category of its own, imputation, complete rows only."""

MECHANISMS = ("MCAR", "MAR")
"""Missing completely at random; missing at random, more often where the last column is large."""

SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
REPEATS = 3


def holes(X: Any, share: float, mechanism: str = "MCAR", random_state: Any = None) -> pd.DataFrame:
    """Return a table with artificial missing values.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n_samples, n_features)
        The complete table.
    share : float
        The fraction of missing values of each column that may have some.
    mechanism : {"MCAR", "MAR"}, default="MCAR"
        "MCAR": each value of each column with the same probability. "MAR": the last column stays;
        the probability of the others grows with its rank, from 0 to twice the share.
    random_state : int, RandomState or None, default=None
        The seed.

    Returns
    -------
    DataFrame
        The table with holes.

    Raises
    ------
    ValueError
        If the share is not from 0 to 1, or there is only one column for "MAR".

    References
    ----------
    D. B. Rubin (1976), Inference and missing data.

    Examples
    --------
    >>> table = holes(np.arange(40.0).reshape(20, 2), 0.5, "MAR", 0)
    >>> missing = table.isna()
    >>> int(missing[1].sum()), int(missing[0].iloc[:10].sum()), int(missing[0].iloc[10:].sum())
    (0, 2, 9)
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share must be a number from 0 to 1; it was {share!r}.")
    frame, rng = pd.DataFrame(X).copy(), check_random_state(random_state)
    n, d = frame.shape
    chance = np.full((n, d), share)
    if mechanism == "MAR":
        if d < 2:
            raise ValueError(
                "MAR needs two columns: one that stays, and one whose values go. Choose MCAR."
            )
        driver = frame.iloc[:, -1]
        if not pd.api.types.is_numeric_dtype(driver):
            driver = pd.Series(pd.factorize(driver, sort=True)[0])
        ranks = driver.rank()
        chance = np.clip(2 * share * (ranks.to_numpy(float) - 0.5) / n, 0, 1)[:, None] * np.ones(d)
        chance[:, -1] = 0.0
    is_missing = rng.random_sample((n, d)) < chance
    for j in range(d):
        column = frame.iloc[:, j]
        numeric = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
        column = column.astype(float if numeric else object)
        frame[frame.columns[j]] = column.mask(is_missing[:, j])
    return frame


@dataclass(frozen=True)
class MissingWays:
    """The test error of each treatment of missing values.

    Attributes
    ----------
    shares : tuple of float
        The shares of holes.
    errors : dict of (str, str) to ndarray of shape (n_shares,)
        For each mechanism and treatment, the test error; NaN where no row was complete.
    """

    shares: tuple[float, ...]
    errors: dict[tuple[str, str], NDArray[np.float64]]


def missing_ways(
    X: Any,
    y: Any,
    X_test: Any,
    y_test: Any,
    *,
    shares: Sequence[float] = SHARES,
    repeats: int = REPEATS,
    random_state: int = 0,
    progress: Callable[[float], None] = lambda _: None,
) -> MissingWays:
    """Compare treatments of missing values by decision trees, with the same holes for all.

    Parameters
    ----------
    X, y : table and array-like of shape (n_samples,)
        The complete training rows and their classes.
    X_test, y_test : table and array-like
        The complete test rows, which get holes of the same kind.
    shares : sequence of float
        The fractions of holes.
    repeats : int
        The number of draws of holes; errors are means.
    random_state : int
        The seed.
    progress : callable
        Called with the fraction of holes after each draw of them.

    Returns
    -------
    MissingWays
        The test errors.

    Examples
    --------
    >>> X = np.column_stack([np.arange(40.0), np.arange(40.0)])
    >>> y = (np.arange(40) > 19).astype(int)
    >>> result = missing_ways(X, y, X, y, shares=(0.0,), repeats=1)
    >>> result.errors["MCAR", "surrogate"].tolist()
    [0.0]
    """
    y, y_test = np.asarray(y), np.asarray(y_test)
    mechanisms = MECHANISMS if pd.DataFrame(X).shape[1] > 1 else MECHANISMS[:1]
    errors = {pair: np.zeros(len(shares)) for pair in product(mechanisms, TREATMENTS)}
    for mechanism in mechanisms:
        for i, share in enumerate(shares):
            for repeat in range(repeats):
                seed = random_state + 1000 * repeat + i
                train = holes(X, share, mechanism, seed)
                test = holes(X_test, share, mechanism, seed + 500)
                for treatment in TREATMENTS:
                    look()
                    errors[mechanism, treatment][i] += (
                        _error(treatment, train, y, test, y_test) / repeats
                    )
                progress(share)
    return MissingWays(tuple(shares), errors)


def _error(treatment: str, X: pd.DataFrame, y: Any, X_test: pd.DataFrame, y_test: Any) -> float:
    """Return the test error of a tree by a treatment of missing values."""
    model, X_test, _ = tree_by(treatment, X, y, X_test)
    return float("nan") if model is None else float((model.predict(X_test) != y_test).mean())


def tree_by(
    treatment: str, X: pd.DataFrame, y: Any, X_test: pd.DataFrame
) -> tuple[Any, pd.DataFrame, int]:
    """Grow a tree by a treatment of missing values.

    Parameters
    ----------
    treatment : str
        One of ``TREATMENTS``.
    X, y : DataFrame and ndarray of shape (n_samples,)
        The rows with holes, and their classes.
    X_test : DataFrame
        Test rows with holes.

    Returns
    -------
    model : DecisionTreeClassifier or None
        The tree; None where no training row remains.
    X_test : DataFrame
        The test rows as the tree gets them.
    n_rows : int
        The number of training rows that remain.
    """
    if treatment == "drop":
        is_complete = X.notna().all(axis=1).to_numpy()
        if not is_complete.any():
            return None, X_test, 0
        X, y = X[is_complete], y[is_complete]
    fills = X.apply(
        lambda column: (
            column.mean() if column.dtype.kind == "f" else next(iter(column.mode()), None)
        )
    )
    if treatment in ("impute", "drop"):  # with "drop", test rows are still imputed
        X, X_test = X.fillna(fills), X_test.fillna(fills)
    missing = treatment if treatment in ("fractional", "surrogate", "category") else "fractional"
    return DecisionTreeClassifier(missing=missing, min_samples_leaf=3).fit(X, y), X_test, len(X)
