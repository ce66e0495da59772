"""The training rows of a tree: their classes, weights, misclassification costs, ordinal columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import _check_sample_weight

from dmlib.arrays import Floats, Ints
from dmlib.classification.columns import Columns, read_classes
from dmlib.trees.frontier import Table, sums
from dmlib.trees.impurity import TINY


def read_rows(
    X: Any,
    y: Any,
    sample_weight: Any,
    class_weight: Any,
    costs: Any,
    ordinal: Any = "ignore",
    *,
    grouped: bool = False,
) -> tuple[Columns, NDArray[Any], Table, Floats]:
    """Return the columns, the classes, the rows and their weights.

    If ``grouped``, the last column is no feature: it says how many rows each row stands for.

    Raises
    ------
    ValueError
        If these are no rows, classes, weights, costs or orders.
    """
    columns, matrix = Columns.read(X)
    classes, codes = read_classes(y, matrix)
    n_values = tuple(0 if values is None else len(values) for values in columns.categories)
    cases = read_cases(columns, matrix) if grouped else None
    if cases is not None:
        matrix, n_values = matrix[:, :-1], n_values[:-1]
    weights = _check_sample_weight(
        sample_weight, matrix, dtype=np.float64, ensure_non_negative=True
    )
    weights = weights if cases is None else weights * cases
    if cases is not None and isinstance(class_weight, str) and class_weight == "balanced":
        totals = sums(codes, cases, len(classes))
        weights = weights * (cases.sum() / (len(classes) * np.maximum(totals, TINY)))[codes]
    elif class_weight is not None:
        weights = weights * compute_sample_weight(class_weight, classes[codes])
    if not weights.any():
        raise ValueError("All rows have the weight 0; give some of them a positive weight.")
    matrix_of_costs = read_costs(costs, classes)
    if matrix_of_costs is not None:
        totals = sums(codes, weights, len(classes))
        weights = weights * altered_priors(matrix_of_costs, totals)[codes]
    orders = read_orders(ordinal, X, columns)
    table = Table(
        matrix, codes, len(classes), n_values, matrix_of_costs, orders=orders, cases=cases
    )
    return columns, classes, table, weights


def read_cases(columns: Columns, matrix: Floats) -> Floats:
    """Return the last column of a table of counts, which says how many rows each row stands for.

    Raises
    ------
    ValueError
        If it holds no such numbers, or is the only column.

    Examples
    --------
    >>> read_cases(*Columns.read([[0.0, 3], [1.0, 12]])).tolist()
    [3.0, 12.0]
    """
    cases = matrix[:, -1]
    if len(columns.names) < 2 or columns.nominal[-1] or not (cases >= 0).all():
        raise ValueError(
            "For grouped data, the last of at least two columns says how often each row counts: a"
            " number from 0, as it is, not scaled."
        )
    return cases


def read_orders(ordinal: Any, X: Any, columns: Columns) -> dict[int, Ints]:
    """Return the codes of the values of each ordinal column, from the lowest to the highest.

    ``ordinal`` is "ignore", "from_dtype" (ordered categories of a data frame are ordinal), or a
    mapping of columns, by name or number, to their values in order.

    Raises
    ------
    ValueError
        If a column has no order, or a value of it has no place there.

    Examples
    --------
    >>> columns, _ = Columns.read([["large", 1.0], ["small", 2.0]])
    >>> read_orders({0: ["small", "medium", "large"]}, None, columns)
    {0: array([1, 0])}
    """
    if isinstance(ordinal, Mapping):
        return {
            column: _order(values, column, columns)
            for column, values in ((_number(name, columns), ordinal[name]) for name in ordinal)
        }
    if ordinal == "ignore" or not isinstance(X, pd.DataFrame):
        return {}
    return {
        j: np.arange(len(dtype.categories))
        for j, dtype in enumerate(X.dtypes)
        if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered
    }


def _number(name: Any, columns: Columns) -> int:
    """Return the number of a nominal column, from its name or number."""
    number = columns.names.index(name) if name in columns.names else name
    is_number = isinstance(number, int | np.integer) and 0 <= number < len(columns.names)
    if not is_number or columns.categories[number] is None:
        raise ValueError(
            f"ordinal must name nominal columns; {name!r} is none. Numbers have an order anyway."
        )
    return int(number)


def _order(values: Any, column: int, columns: Columns) -> Ints:
    """Return the codes of the values of a column in their order."""
    codes = columns.categories[column].get_indexer(pd.Index(list(values), dtype=object))
    known = codes[codes >= 0]
    missing = [v for code, v in enumerate(columns.categories[column]) if code not in known]
    if missing or len(set(known.tolist())) < len(known):
        raise ValueError(
            f"ordinal must have each value of column {columns.names[column]!r} once, in order"
            + (f"; it lacks {missing[0]!r}." if missing else ".")
        )
    return np.asarray(known, np.intp)


def read_costs(costs: Any, classes: NDArray[Any]) -> Floats | None:
    """Return the misclassification costs as a matrix of true classes (rows) and predictions.

    A mapping of pairs (class, prediction) names what does not cost 1.

    Raises
    ------
    ValueError
        If these are no costs.

    Examples
    --------
    >>> read_costs({("ill", "well"): 5}, np.array(["ill", "well"]))
    array([[0., 5.],
           [1., 0.]])
    """
    n = len(classes)
    if costs is None or n == 1:
        return None
    if isinstance(costs, Mapping):
        matrix = 1.0 - np.eye(n)
        codes = {label: code for code, label in enumerate(classes.tolist())}
        for pair, cost in costs.items():
            if not (isinstance(pair, tuple) and len(pair) == 2):
                raise ValueError(
                    "costs must be named by pairs (true class, predicted class); it names"
                    f" {pair!r}."
                )
            true, predicted = pair
            if true in codes and predicted in codes:  # a class may have no training row
                matrix[codes[true], codes[predicted]] = cost
    else:
        matrix = _numbers(costs)
    if matrix.shape != (n, n):
        raise ValueError(
            f"costs must have a row and a column for each of the {n} classes; it has"
            f" {matrix.shape}."
        )
    if not (np.isfinite(matrix).all() and (matrix >= 0).all() and (np.diag(matrix) == 0).all()):
        raise ValueError("costs must be numbers from 0, and 0 for correct predictions.")
    if (matrix.sum(axis=1) <= 0).any():
        raise ValueError("Each class needs a misclassification cost above 0; raise its costs.")
    return matrix


def _numbers(values: ArrayLike) -> Floats:
    try:
        return np.array(values, float)
    except (TypeError, ValueError):
        raise ValueError("costs must be a matrix of numbers, or name pairs of classes.") from None


def altered_priors(costs: Floats, totals: Floats) -> Floats:
    """Return factors of the class weights, so that errors count as they cost (altered priors).

    The sum of all weights stays the same.

    References
    ----------
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone (1984), Classification and regression
    trees, section 4.4.

    Examples
    --------
    >>> altered_priors(np.array([[0.0, 3.0], [1.0, 0.0]]), np.array([10.0, 10.0]))
    array([1.5, 0.5])
    """
    factors = costs.sum(axis=1)
    scaled: Floats = factors * totals.sum() / (factors * totals).sum()
    return scaled
