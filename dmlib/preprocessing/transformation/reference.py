"""Scales by scikit-learn, rows and groups by pandas, and the whole table prepared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.preprocessing.transformation.aggregation import Aggregator
from dmlib.preprocessing.transformation.algorithm import RANKED, Rescaler
from dmlib.preprocessing.transformation.powers import FAMILIES, ORIGINS
from dmlib.preprocessing.transformation.prepared import prepared_rows
from dmlib.preprocessing.transformation.sampling import Sampler
from dmlib.problem import Problem


def scale_columns(X: Any, methods: Any) -> Any:
    """Scale the columns with scikit-learn; rank them with pandas."""
    import pandas as pd
    from scipy.stats import norm
    from sklearn import preprocessing

    from dmlib.comparison import Answers

    scalers = {
        "min_max": preprocessing.MinMaxScaler(),
        "z_score": preprocessing.StandardScaler(),
        "robust": preprocessing.RobustScaler(),
        "max_abs": preprocessing.MaxAbsScaler(),
        "log": preprocessing.FunctionTransformer(np.log),
        "box_cox": preprocessing.PowerTransformer("box-cox"),
        "yeo_johnson": preprocessing.PowerTransformer("yeo-johnson"),
        "none": preprocessing.FunctionTransformer(),
    }
    scaled, names = np.array(X, float), []
    for j, method in enumerate(methods):
        column = scaled[:, [j]]
        if method in scalers:
            scaled[:, [j]] = scalers[method].fit_transform(column)
            names.append(f"sklearn.preprocessing.{type(scalers[method]).__name__}")
            continue
        ranks = (pd.DataFrame(column).rank().to_numpy() - 1) / (len(column) - 1)
        is_rank = method == "rank"
        scaled[:, [j]] = ranks if is_rank else norm.ppf(ranks.clip(1e-7, 1 - 1e-7))
        names.append("pandas.DataFrame.rank")
    return Answers(", ".join(dict.fromkeys(names)), {"prepared_": scaled})


def take_rows(X: Any, indices: Any) -> Any:
    """Take the sampled rows with pandas."""
    import pandas as pd

    from dmlib.comparison import Answers

    rows = pd.DataFrame(X).iloc[indices].to_numpy()
    note = (
        "No library draws the same rows from the same seed:"
        " pandas only takes the rows that were drawn here."
    )
    return Answers("pandas.DataFrame.iloc", {"prepared_": rows}, note)


def aggregate_groups(X: Any, labels: Any, statistic: str) -> Any:
    """Aggregate the groups with pandas."""
    import pandas as pd

    from dmlib.comparison import Answers

    rows = pd.DataFrame(X).groupby(labels).agg(statistic).to_numpy()
    return Answers("pandas.DataFrame.groupby", {"prepared_": rows})


def transformation_reference(run: Run[Problem, Any]) -> Reference:
    """Return scikit-learn's scaled rows, or the rows of pandas' groups.

    Raises
    ------
    Incomparable
        If a column is constant, or powers of it keep no digits in scikit-learn.
    """
    model = run.model
    if isinstance(model, Sampler):
        return Reference(take_rows, "X", "model.indices_")
    if isinstance(model, Aggregator):
        return Reference(aggregate_groups, "X", "model.labels_", statistic=model.statistic)
    methods, X = run.fitted.methods_, run.problem.X
    shaped = np.flatnonzero([method in (*RANKED, *FAMILIES) for method in methods])
    if len(shaped) and np.ptp(X[:, shaped], axis=0).min() == 0:
        raise Incomparable("a column is constant, for which there are no ranks or powers.")
    if _has_other_origin(run.fitted):
        raise Incomparable(
            "a column is far from 0 for its spread, where the powers of scikit-learn keep no"
            " digits."
        )
    return Reference(scale_columns, "X", "model.methods_")


def _has_other_origin(model: Rescaler) -> bool:
    """Return whether powers of a column are around another number than usual."""
    origins = zip(model.methods_, model.origins_, strict=True)
    return any(origin != ORIGINS[method] for method, origin in origins if method in ORIGINS)


def prepared_table(run: Run[Problem, Any], table: Any) -> pd.DataFrame:
    """Return the whole table of a run, scaled, sampled or aggregated."""
    return prepared_rows(run.problem, table.frame, run.model)


def prepared_code(run: Run[Problem, Any]) -> str:
    """Return code that makes this table as ``frame``, after ``table`` and ``model``."""
    return (
        "from dmlib.preprocessing.transformation.prepared import prepared_rows\n\n"
        "frame = prepared_rows(problem, table.frame, model)\n"
    )
