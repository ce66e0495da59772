"""The whole table after a transformer: what a page hands on to the others."""

from __future__ import annotations

from typing import Any

import pandas as pd
from scipy.sparse import issparse

from dmlib.problem.table import Problem


def transformed(problem: Problem, frame: pd.DataFrame, model: Any) -> pd.DataFrame:
    """Replace the columns of a problem by those of a fitted transformer, in the whole table.

    Parameters
    ----------
    problem : Problem
        What the transformer was fitted to; it may have had a sample of the rows.
    frame : DataFrame
        The whole table.
    model : transformer
        Fitted. Rows with missing values are left out, unless its tags say that it takes them.

    Returns
    -------
    DataFrame
        The new columns, then those that were not used, the target among them.

    Raises
    ------
    ValueError
        If no row is left.

    Examples
    --------
    >>> from sklearn.decomposition import PCA
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [0.0, 1.0, 2.0], "kind": ["x", "y", "x"]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> transformed(problem, frame, PCA(1).fit(problem.X)).round(3)
        pca0 kind
    0 -1.414    x
    1  0.000    y
    2  1.414    x
    """
    used = list(problem.features)
    rows = frame if model.__sklearn_tags__().input_tags.allow_nan else frame.dropna(subset=used)
    if rows.empty:
        raise ValueError(
            "Every row has a missing value in the chosen columns. Choose others, or fill them"
            " first."
        )
    X = rows[used]
    if problem.shift is not None and problem.unit is not None:
        numeric = [j for j in range(len(used)) if j not in problem.categories]
        scaled = {used[j]: (X[used[j]] - problem.shift[j]) / problem.unit[j] for j in numeric}
        X = X.assign(**scaled)
    result = model.transform(X if problem.categories else X.to_numpy(float))
    if issparse(result):
        result = result.toarray()
    if not isinstance(result, pd.DataFrame):
        result = pd.DataFrame(
            result, columns=[str(name) for name in model.get_feature_names_out(used)]
        )
    unused = rows.drop(columns=used)
    new_names = {name: f"{name}_" for name in result if name in unused}
    return pd.concat([result.set_axis(rows.index).rename(columns=new_names), unused], axis=1)
