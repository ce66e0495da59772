"""Scales by scikit-learn; formulas, rows and groups by pandas; and the whole table prepared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.preprocessing.transformation.aggregation import Aggregator
from dmlib.preprocessing.transformation.algorithm import RANKED, Rescaler
from dmlib.preprocessing.transformation.formula_transformer import FormulaTransformer
from dmlib.preprocessing.transformation.powers import FAMILIES, ORIGINS
from dmlib.preprocessing.transformation.prepared import new_name, prepared_rows
from dmlib.preprocessing.transformation.sampling import Sampler
from dmlib.problem import Problem
from dmlib.problem.formula import CONSTANTS

NUMBERS = {name: repr(float(value)) for name, value in CONSTANTS.items()}
"""Constants of formulas, as pandas takes them."""


def scale_columns(X: Any, methods: Any, new_min: float, new_max: float, exponent: float) -> Any:
    """Scale the columns with scikit-learn; rank them with pandas."""
    import pandas as pd
    from scipy.stats import norm
    from sklearn import preprocessing

    from dmlib.comparison import Answers

    scalers = {
        "min_max": preprocessing.MinMaxScaler(),
        "range": preprocessing.MinMaxScaler((new_min, new_max)),
        "z_score": preprocessing.StandardScaler(),
        "robust": preprocessing.RobustScaler(),
        "max_abs": preprocessing.MaxAbsScaler(),
        "log": preprocessing.FunctionTransformer(np.log),
        "box_cox": preprocessing.PowerTransformer("box-cox"),
        "yeo_johnson": preprocessing.PowerTransformer("yeo-johnson"),
        "exponent": preprocessing.FunctionTransformer(np.power, kw_args={"x2": exponent}),
        "sqrt": preprocessing.FunctionTransformer(np.sqrt),
        "exp": preprocessing.FunctionTransformer(np.exp),
        "reciprocal": preprocessing.FunctionTransformer(np.reciprocal),
        "sin": preprocessing.FunctionTransformer(np.sin),
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


def append_column(X: Any, columns: Any, formula: str) -> Any:
    """Compute the new column with pandas."""
    import pandas as pd

    from dmlib.comparison import Answers

    frame = pd.DataFrame(X, columns=columns)
    frame["new"] = frame.eval(formula, engine="python")
    return Answers("pandas.DataFrame.eval", {"prepared_": frame.to_numpy()})


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
    """Return scikit-learn's scaled rows, or pandas' new column or groups.

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
    if isinstance(model, FormulaTransformer):
        return _formula_reference(run)
    methods, X = run.fitted.methods_, run.problem.X
    shaped = np.flatnonzero([method in (*RANKED, *FAMILIES) for method in methods])
    if len(shaped) and np.ptp(X[:, shaped], axis=0).min() == 0:
        raise Incomparable("a column is constant, for which there are no ranks or powers.")
    if _has_other_origin(run.fitted):
        raise Incomparable(
            "a column is far from 0 for its spread, where the powers of scikit-learn keep no"
            " digits."
        )
    if "range" in methods and (model.lower, model.upper) != (None, None):
        raise Incomparable("scikit-learn takes the limits from the column.")
    return Reference(
        scale_columns,
        "X",
        "model.methods_",
        new_min=model.new_min,
        new_max=model.new_max,
        exponent=model.exponent,
    )


def _has_other_origin(model: Rescaler) -> bool:
    """Return whether powers of a column are around another number than usual."""
    origins = zip(model.methods_, model.origins_, strict=True)
    return any(origin != ORIGINS[method] for method, origin in origins if method in ORIGINS)


def _formula_reference(run: Run[Problem, FormulaTransformer]) -> Reference:
    """Return pandas' column, computed from columns x0, x1, ..., since it takes plain names only."""
    places = {name: f"x{j}" for j, name in enumerate(run.fitted.columns_)}
    formula = run.fitted.expression(places.__getitem__, lambda name: NUMBERS.get(name, name))
    return Reference(append_column, "X", columns=list(places.values()), formula=formula)


def prepared_table(run: Run[Problem, Any], table: Any) -> pd.DataFrame:
    """Return the whole table of a run, scaled, with a new column, sampled or aggregated."""
    return prepared_rows(run.problem, table.frame, run.model)


def prepared_code(run: Run[Problem, Any]) -> str:
    """Return code that makes this table as ``frame``, after ``table`` and ``model``."""
    if isinstance(run.model, FormulaTransformer):
        return _formula_code(run)
    return (
        "from dmlib.preprocessing.transformation.prepared import prepared_rows\n\n"
        "frame = prepared_rows(problem, table.frame, model)\n"
    )


def _formula_code(run: Run[Problem, FormulaTransformer]) -> str:
    """Return the line of pandas that makes the new column."""
    problem, model = run.problem, run.fitted
    features = list(problem.features)
    lines = [f"frame = table.frame.dropna(subset={features!r}).copy()"]
    source = "frame"
    if problem.shift is not None:
        source = "scaled"
        lines.append(f"scaled = (frame[{features!r}] - problem.shift) / problem.unit")
    formula = model.expression((source + "[{!r}]").format, "np.{}".format)
    name = model.name_ if run.table is None else new_name(model, run.table.frame)
    imports = "import numpy as np\n\n" if "np." in formula else ""
    return imports + "\n".join([*lines, f"frame[{name!r}] = {formula}", ""])
