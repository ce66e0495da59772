"""The same scales by scikit-learn, the same groups by pandas, and the code for them; the prepared table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run
from dmlib.preprocessing.transformation.aggregation import Aggregator
from dmlib.preprocessing.transformation.algorithm import EDGE, RANKED, Rescaler
from dmlib.preprocessing.transformation.powers import FAMILIES, ORIGINS
from dmlib.preprocessing.transformation.sampling import Sampler
from dmlib.problem import Problem

THEIRS = {
    "min_max": "MinMaxScaler()",
    "z_score": "StandardScaler()",
    "robust": "RobustScaler()",
    "max_abs": "MaxAbsScaler()",
    "rank": "FunctionTransformer(lambda X: (stats.rankdata(X, axis=0) - 1) / (len(X) - 1))",
    "quantile": (
        "FunctionTransformer(\n    lambda X: stats.norm.ppf(((stats.rankdata(X, axis=0) - 1) /"
        " (len(X) - 1)).clip(1e-7, 1 - 1e-7))\n)"
    ),
    "log": "FunctionTransformer(np.log)",
    "box_cox": "PowerTransformer('box-cox')",
    "yeo_johnson": "PowerTransformer('yeo-johnson')",
    "none": "FunctionTransformer()",
}
DRAWN = (
    "No library draws the same rows from the same seed: pandas only takes the rows that were drawn"
    " here."
)


def _reason(run: Run) -> str:
    """Return why the run cannot be compared, or nothing."""
    model = run.model
    methods = model.methods(run.problem.X.shape[1]) if isinstance(model, Rescaler) else ()
    shaped = np.flatnonzero([method in (*RANKED, *FAMILIES) for method in methods])
    if len(shaped) and np.ptp(run.problem.X[:, shaped], axis=0).min() == 0:
        return "a column is constant, for which there are no ranks or powers."
    if isinstance(model, Rescaler) and _is_far(run.fitted):
        return (
            "a column is far from 0 for its spread, where the powers of scikit-learn keep no"
            " digits."
        )
    if isinstance(model, Aggregator) and model.by == "class" and run.problem.y is None:
        return "there are no classes."
    return ""


def _is_far(model: Rescaler) -> bool:
    """Return whether powers of a column are around another number than usual."""
    origins = zip(model.methods_, model.origins_, strict=True)
    return any(origin != ORIGINS[method] for method, origin in origins if method in ORIGINS)


def transformation_reference(run: Run) -> Any:
    """Return scikit-learn's scaled rows, or the rows of pandas' groups.

    Raises
    ------
    Incomparable
        Where a column is constant, or powers of it keep no digits in scikit-learn.
    """
    if reason := _reason(run):
        raise Incomparable(reason)
    X, model = run.problem.X, run.model
    if isinstance(model, Sampler):
        rows = pd.DataFrame(X).iloc[run.fitted.indices_].to_numpy()
        return Answers("pandas.DataFrame.iloc", {"prepared_": rows}, DRAWN)
    if isinstance(model, Aggregator):
        groups = pd.DataFrame(X).groupby(run.fitted.labels_)
        return Answers(
            "pandas.DataFrame.groupby", {"prepared_": getattr(groups, model.statistic)().to_numpy()}
        )
    methods = run.fitted.methods_
    scaled, names = np.empty(X.shape), []
    for method in dict.fromkeys(methods):
        columns = [j for j, each in enumerate(methods) if each == method]
        name, scaled[:, columns] = _scaled(X[:, columns], method)
        names.append(name)
    return Answers(", ".join(dict.fromkeys(names)), {"prepared_": scaled})


def _scaled(X: NDArray[np.float64], method: str) -> tuple[str, NDArray[np.float64]]:
    """Return what made it, and columns on a scale."""
    from scipy.stats import norm
    from sklearn import preprocessing

    if method in RANKED:
        found = (pd.DataFrame(X).rank().to_numpy() - 1) / (len(X) - 1)
        return "pandas.DataFrame.rank", (
            norm.ppf(np.clip(found, EDGE, 1 - EDGE)) if method == "quantile" else found
        )
    name = THEIRS[method].split("(")[0]
    theirs: Any = {
        "log": lambda: preprocessing.FunctionTransformer(np.log),
        "box_cox": lambda: preprocessing.PowerTransformer("box-cox"),
        "yeo_johnson": lambda: preprocessing.PowerTransformer("yeo-johnson"),
    }.get(method, getattr(preprocessing, name))()
    return f"sklearn.preprocessing.{name}", theirs.fit_transform(X)


def transformation_code(run: Run) -> str:
    """Return code that makes ``reference`` from ``X``, after ``model``."""
    model = run.model
    if reason := _reason(run):
        return f"\n# No library to compare with: {reason}\nreference = model\n"
    if not isinstance(model, Rescaler):
        made = (
            f"pd.DataFrame(X).groupby(model.labels_).{model.statistic}()"
            if isinstance(model, Aggregator)
            else ("pd.DataFrame(X).iloc[model.indices_]")
        )
        return (
            "\n# The same rows with pandas\nfrom types import SimpleNamespace\n\nimport pandas as"
            f" pd\n\nreference = SimpleNamespace(prepared_={made}.to_numpy(),"
            " n_rows_=model.n_rows_,\n    spread_ratio_=model.spread_ratio_,"
            " skewness_=model.skewness_)\n"
        )
    methods = model.methods(run.problem.X.shape[1])
    if len(set(methods)) == 1:
        made = (
            f"reference = preprocessing.{THEIRS[methods[0]]}\n"
            "reference.prepared_ = reference.fit_transform(np.asarray(X, float))\n"
        )
    else:
        of = {
            method: [j for j, each in enumerate(methods) if each == method]
            for method in dict.fromkeys(methods)
        }
        scalers = "".join(
            f"    ({columns}, preprocessing.{THEIRS[method]}),\n" for method, columns in of.items()
        )
        made = (
            "reference = SimpleNamespace(prepared_=np.array(X, float))\nfor columns, scaler in"
            f" (\n{scalers}):\n    reference.prepared_[:, columns] ="
            " scaler.fit_transform(np.asarray(X, float)[:, columns])\n"
        )
    return (
        "\n# The same with scikit-learn\nfrom types import SimpleNamespace\n\nimport numpy as np\n"
        f"from scipy import stats\nfrom sklearn import preprocessing\n\n{made}"
        "reference.n_rows_ = len(X)\n"
        "spread = reference.prepared_.std(axis=0)\n"
        "reference.spread_ratio_ = spread.max() / spread[spread > 0].min()\n"
        "reference.skewness_ = np.abs(stats.skew(reference.prepared_, axis=0)).max()\n"
    )


def prepared_rows(problem: Problem, frame: pd.DataFrame, model: Any) -> pd.DataFrame:
    """Scale, sample or aggregate a whole table.

    Parameters
    ----------
    problem : Problem
        Its features and scaling; it may have had a sample of the rows.
    frame : DataFrame
        The whole table. Rows with missing values in its chosen columns are left out.
    model : Rescaler, Sampler or Aggregator
        Fitted; it learns anew from all rows.

    Returns
    -------
    DataFrame
        The table. Of groups, other columns have their commonest value.

    Raises
    ------
    ValueError
        If no row is left.

    Examples
    --------
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [1.0, 3.0, 5.0, 9.0], "kind": ["x", "x", "y", "y"]})
    >>> prepared_rows(prepare(frame, ["a"]), frame, Aggregator(size=2))
         a kind
    0  2.0    x
    1  7.0    y
    """
    used = list(problem.features)
    rows = frame.dropna(subset=used)
    if rows.empty:
        raise ValueError(
            "Every row has a missing value in the chosen columns. Choose others, or fill them"
            " first."
        )
    X = rows[used].to_numpy(float)
    if problem.shift is not None and problem.unit is not None:
        X = (X - problem.shift) / problem.unit
    if isinstance(model, Rescaler):
        return rows.assign(**dict(zip(used, clone(model).fit(X).prepared_.T, strict=True)))
    y = rows.get(problem.target)
    if y is not None and y.isna().any():
        y = y.astype(str)
    model = clone(model)
    if (
        isinstance(model, Sampler) and model.costs and y is not None
    ):  # the run has codes of the classes, the table names
        y = y.astype(str)
        model.costs = {problem.classes[c]: cost for c, cost in model.costs.items()}
    fitted = model.fit(X, y)
    if isinstance(model, Sampler):
        return rows.iloc[fitted.indices_].reset_index(drop=True)
    shift = 0.0 if problem.shift is None else problem.shift
    unit = 1.0 if problem.unit is None else problem.unit
    made = pd.DataFrame(fitted.prepared_ * unit + shift, columns=used)
    rest = rows.drop(columns=used)
    others = {name: commonest(column, fitted.labels_, len(made)) for name, column in rest.items()}
    table = pd.concat([made, pd.DataFrame(others, index=made.index, columns=rest.columns)], axis=1)
    if others:
        table.attrs["note"] = "The other columns have the commonest value of each group."
    return table


def commonest(column: pd.Series[Any], groups: NDArray[np.intp], n_groups: int) -> Any:
    """Return the commonest value of each group, of equally frequent ones the least; None where all are missing.

    Examples
    --------
    >>> list(commonest(pd.Series(["b", "a", "b", "c", "a"]), np.array([0, 0, 0, 1, 1]), 2))
    ['b', 'a']
    """
    codes, values = pd.factorize(column, sort=True)
    known = codes >= 0
    pairs, counts = np.unique(
        np.column_stack([groups[known], codes[known]]), axis=0, return_counts=True
    )
    order = np.lexsort([pairs[:, 1], -counts, pairs[:, 0]])
    first = order[np.unique(pairs[order, 0], return_index=True)[1]]
    chosen = np.full(n_groups, -1)
    chosen[pairs[first, 0]] = pairs[first, 1]
    taken = pd.Series(values).reindex(chosen)
    return taken.astype(column.dtype).array if (chosen >= 0).all() else taken.array


def prepared_table(run: Run, table: Any) -> pd.DataFrame:
    """Return the whole table of a run, scaled, sampled or aggregated."""
    return prepared_rows(run.problem, table.frame, run.model)


def prepared_code(run: Run) -> str:
    """Return code that makes this table as ``frame``, after ``table``, ``problem`` and ``model``."""
    return (
        "from dmlib.preprocessing.transformation.reference import prepared_rows\n\n"
        "frame = prepared_rows(problem, table.frame, model)\n"
    )
