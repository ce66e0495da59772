"""The same cuts by scikit-learn where it makes them, and the code for them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import clone

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run
from dmlib.preprocessing.discretisation.binarizer import Binarizer
from dmlib.problem import Problem, codes_of, transformed
from dmlib.trees.threshold_text import threshold_texts

THEIRS = {"width": "uniform", "percentile": "quantile", "kmeans": "kmeans"}
SLOW = ("one_rule", "chi_merge")
"""What is not learned anew of a whole table: it goes from row to row."""
ROOT = "scikit-learn has no description length: the first cut is that of its tree of one level."


def _reason(run: Run) -> str:
    """Return why a run cannot be compared, or nothing."""
    model, x = run.model, run.problem.X[:, 0]
    if isinstance(model, Binarizer):
        return "" if len(run.fitted.cuts_[0]) else "the first column has one value."
    if model.strategy == "entropy":
        return (
            ""
            if run.fitted.first_cut_ == run.fitted.first_cut_
            else "no cut met the MDL criterion."
        )
    if model.strategy not in THEIRS:
        return "scikit-learn has no such cuts."
    if len(np.unique(x)) <= model.n_bins or len(run.fitted.cuts_[0]) != model.n_bins - 1:
        return "the first column has fewer intervals than were asked for."
    return ""


def discretisation_reference(run: Run) -> Any:
    """Return the first cut of the first column by scikit-learn.

    Raises
    ------
    Incomparable
        If it has no such cuts, or they are fewer than were asked for.
    """
    from sklearn.preprocessing import KBinsDiscretizer
    from sklearn.tree import DecisionTreeClassifier

    if reason := _reason(run):
        raise Incomparable(reason)
    X, model = run.problem.X[:, :1], run.model
    if isinstance(model, Binarizer):
        code = run.fitted.transform(run.problem.data)[:, : run.fitted.codes_[0].shape[1]]
        below = X[(code == run.fitted.codes_[0][0]).all(axis=1), 0].max()
        above = X[X[:, 0] > below, 0].min()
        return Answers(
            "numpy",
            {"first_cut_": float((below + above) / 2)},
            "The cut lies between rows of other bits.",
        )
    if model.strategy == "entropy":
        tree = DecisionTreeClassifier(criterion="entropy", max_depth=1, random_state=0).fit(
            X, run.problem.y
        )
        return Answers(
            "sklearn.tree.DecisionTreeClassifier",
            {"first_cut_": float(tree.tree_.threshold[0])},
            ROOT,
        )
    theirs = KBinsDiscretizer(
        model.n_bins,
        strategy=THEIRS[model.strategy],
        encode="ordinal",
        subsample=None,
        **_quantile(model.strategy),
    ).fit(X)
    return Answers(
        "sklearn.preprocessing.KBinsDiscretizer", {"first_cut_": float(theirs.bin_edges_[0][1])}
    )


def discretised(problem: Problem, frame: pd.DataFrame, model: Any) -> pd.DataFrame:
    """Put intervals, or bits, in the place of the columns of a whole table.

    Parameters
    ----------
    problem : Problem
        Its features and scaling.
    frame : DataFrame
        The whole table. Rows with missing values in its chosen columns are left out.
    model : Discretizer or Binarizer
        Fitted. Where it has seen a sample of the rows only, all are cut anew, as far as that is
        soon done.

    Returns
    -------
    DataFrame
        Intervals as ordered categories in the units of the table, or bits; then the columns that
        were not used.

    Examples
    --------
    >>> from dmlib.preprocessing import Discretizer
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 8.0, 9.0], "kind": ["x", "x", "y", "y"]})
    >>> problem = prepare(frame, ["a"])
    >>> discretised(problem, frame, Discretizer("width", n_bins=2).fit(problem.X))
           a kind
    0  ≤ 4.5    x
    1  ≤ 4.5    x
    2  > 4.5    y
    3  > 4.5    y
    """
    whole, note = _of_all_rows(problem, frame, model)
    made = transformed(problem, frame, whole)
    made.attrs |= {"note": note} if note else {}
    if isinstance(whole, Binarizer):
        return made
    for j, name in enumerate(problem.features):
        shift, unit = (
            (0.0, 1.0)
            if problem.shift is None or problem.unit is None
            else (problem.shift[j], problem.unit[j])
        )
        labels = interval_names(
            whole.cuts_[j] * unit + shift, None if j in problem.categories else frame[name]
        )
        made[name] = pd.Categorical.from_codes(made[name].astype(int), labels, ordered=True)
    return made


def _of_all_rows(problem: Problem, frame: pd.DataFrame, model: Any) -> tuple[Any, str]:
    """Return the model fitted to all rows of a table, and a sentence on it; one that takes long stays as it is."""
    used = list(problem.features)
    rows = frame.dropna(subset=[*used, *([problem.target] if problem.target else [])])
    if len(rows) <= len(problem.X):
        return model, ""
    if getattr(model, "strategy", "") in SLOW:
        return (
            model,
            (
                f"The cuts are those of the {len(problem.X):,} rows of the picture; all rows were"
                " put into them."
            ),
        )
    X = rows[used]
    if problem.shift is not None and problem.unit is not None:
        numeric = [j for j in range(len(used)) if j not in problem.categories]
        X = X.assign(
            **{used[j]: (X[used[j]] - problem.shift[j]) / problem.unit[j] for j in numeric}
        )
    y = codes_of(rows[problem.target])[0] if problem.target and problem.classes else None
    return (
        clone(model).fit(X if problem.categories else X.to_numpy(float), y),
        f"Cut anew by all {len(rows):,} rows.",
    )


def interval_names(cuts: Sequence[float], x: ArrayLike | None = None) -> list[str]:
    """Return what intervals of the numbers ``x`` are called; each holds its upper end.

    Examples
    --------
    >>> interval_names([0.5, 2.0]), interval_names([])
    (['≤ 0.5', '(0.5, 2]', '> 2'], ['all'])
    """
    if not len(cuts):
        return ["all"]
    ends = threshold_texts(cuts, x)
    inner = [f"({low}, {high}]" for low, high in pairwise(ends)]
    return [f"≤ {ends[0]}", *inner, f"> {ends[-1]}"]


def prepared_table(run: Run, table: Any) -> pd.DataFrame:
    """Return the whole table of a run with its intervals or bits."""
    return discretised(run.problem, table.frame, run.fitted)


def prepared_code(run: Run) -> str:
    """Return code that makes this table as ``frame``, after ``table``, ``problem`` and ``model``."""
    return (
        "from dmlib.preprocessing.discretisation.reference import discretised\n\n"
        "frame = discretised(problem, table.frame, model)\n"
    )


def _quantile(strategy: str) -> dict[str, str]:
    return {"quantile_method": "linear"} if strategy == "percentile" else {}


def discretisation_code(run: Run) -> str:
    """Return code that makes ``reference`` from ``X`` and, where it learns from classes, ``y``."""
    model = run.model
    reason = "it only cuts, and gives bits." if isinstance(model, Binarizer) else _reason(run)
    if reason:
        return f"\n# No library to compare with: {reason}\nreference = model\n"
    rest = (
        "reference.n_intervals_, reference.information_ = model.n_intervals_, model.information_\n"
    )
    if model.strategy == "entropy":
        return (
            "\n# The first cut with scikit-learn\nimport numpy as np\nfrom sklearn import"
            " tree\n\nreference = tree.DecisionTreeClassifier(criterion='entropy', max_depth=1,"
            " random_state=0)\nreference.fit(np.asarray(X)[:, :1], y)\nreference.first_cut_ ="
            " reference.tree_.threshold[0]\n" + rest
        )
    more = ", quantile_method='linear'" if model.strategy == "percentile" else ""
    return (
        "\n# The same cuts with scikit-learn\nimport numpy as np\nfrom sklearn import"
        f" preprocessing\n\nreference = preprocessing.KBinsDiscretizer({model.n_bins},"
        f" strategy={THEIRS[model.strategy]!r},\n    encode='ordinal',"
        f" subsample=None{more})\nreference.fit(np.asarray(X))\nreference.first_cut_ ="
        " reference.bin_edges_[0][1]\n" + rest
    )
