"""Ways with missing values, compared on one table in which holes were made on purpose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.trace import look

WAYS = ("fractional", "surrogate", "category", "impute", "drop")
"""Parts of a row down all branches; splits of other columns; a value of its own; mean or mode; rows
left out."""

MECHANISMS = ("MCAR", "MAR")
"""Missing completely at random; missing at random, more often where the last column is large."""

SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
REPEATS = 3


def holes(X: Any, share: float, mechanism: str = "MCAR", random_state: Any = None) -> pd.DataFrame:
    """Return a table in which values are missing on purpose.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n_samples, n_features)
        The complete table.
    share : float
        The share of values that go, of each column that may lose some.
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
    >>> bool(table[1].notna().all()), int(table[0].iloc[:10].isna().sum()), int(table[0].iloc[10:].isna().sum())
    (True, 2, 9)
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
        ranks = (
            pd.Series(driver).rank()
            if pd.api.types.is_numeric_dtype(driver)
            else pd.Series(pd.factorize(driver, sort=True)[0]).rank()
        )
        chance = np.clip(2 * share * (ranks.to_numpy(float) - 0.5) / n, 0, 1)[:, None] * np.ones(d)
        chance[:, -1] = 0.0
    gone = rng.random_sample((n, d)) < chance
    for j in range(d):
        column = frame.iloc[:, j]
        numeric = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
        frame[frame.columns[j]] = (column.astype(float) if numeric else column.astype(object)).mask(
            gone[:, j]
        )
    return frame


@dataclass(frozen=True)
class MissingWays:
    """How each way with missing values does.

    Attributes
    ----------
    shares : tuple of float
        The shares of holes.
    errors : dict of (str, str) to ndarray of shape (n_shares,)
        For each mechanism and way, the share of test rows that are misclassified; NaN where no row
        was left.
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
    """Compare the ways with missing values of a decision tree, on the same holes in training and test rows.

    Parameters
    ----------
    X, y : table and array-like of shape (n_samples,)
        The complete training rows and their classes.
    X_test, y_test : table and array-like
        The complete test rows, which get holes of the same kind.
    shares : sequence of float
        The shares of holes.
    repeats : int
        How often holes are drawn; errors are means.
    random_state : int
        The seed.
    progress : callable
        Told the share of holes after each draw of them.

    Returns
    -------
    MissingWays
        The test errors.

    Examples
    --------
    >>> X = np.column_stack([np.arange(40.0), np.arange(40.0)])
    >>> y = (np.arange(40) > 19).astype(int)
    >>> found = missing_ways(X, y, X, y, shares=(0.0,), repeats=1)
    >>> found.errors["MCAR", "surrogate"].tolist()
    [0.0]
    """
    y, y_test = np.asarray(y), np.asarray(y_test)
    mechanisms = MECHANISMS if pd.DataFrame(X).shape[1] > 1 else MECHANISMS[:1]
    found = {(mechanism, way): np.zeros(len(shares)) for mechanism in mechanisms for way in WAYS}
    for mechanism in mechanisms:
        for i, share in enumerate(shares):
            for repeat in range(repeats):
                seed = random_state + 1000 * repeat + i
                train, test = (
                    holes(each, share, mechanism, seed + k) for k, each in ((0, X), (500, X_test))
                )
                for way in WAYS:
                    look()
                    found[mechanism, way][i] += _error(way, train, y, test, y_test) / repeats
                progress(share)
    return MissingWays(tuple(shares), found)


def _error(way: str, X: pd.DataFrame, y: Any, X_test: pd.DataFrame, y_test: Any) -> float:
    """Return the test error of a tree that goes one way with missing values."""
    model, X_test, _ = tree_by(way, X, y, X_test)
    return float("nan") if model is None else float((model.predict(X_test) != y_test).mean())


def tree_by(
    way: str, X: pd.DataFrame, y: Any, X_test: pd.DataFrame
) -> tuple[Any, pd.DataFrame, int]:
    """Grow a tree that goes one way with missing values.

    Parameters
    ----------
    way : str
        One of ``WAYS``.
    X, y : DataFrame and ndarray of shape (n_samples,)
        The rows with holes, and their classes.
    X_test : DataFrame
        Other rows with holes.

    Returns
    -------
    model : DecisionTreeClassifier or None
        The tree; None where no row is left to grow it from.
    X_test : DataFrame
        The other rows as the tree gets them.
    n_rows : int
        How many rows the tree was grown from.
    """
    if way == "drop":
        kept = X.notna().all(axis=1).to_numpy()
        if not kept.any():
            return None, X_test, 0
        X, y = X[kept], y[kept]
    fills = X.apply(
        lambda column: (
            column.mean() if column.dtype.kind == "f" else next(iter(column.mode()), None)
        )
    )
    if way in (
        "impute",
        "drop",
    ):  # rows to predict must be filled even where training rows were left out
        X, X_test = X.fillna(fills), X_test.fillna(fills)
    missing = way if way in ("fractional", "surrogate", "category") else "fractional"
    return DecisionTreeClassifier(missing=missing, min_samples_leaf=3).fit(X, y), X_test, len(X)
