"""The first cut of a column by scikit-learn, and the whole table with intervals or bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.preprocessing.discretisation.algorithm import Discretizer
from dmlib.preprocessing.discretisation.binarizer import Binarizer
from dmlib.preprocessing.discretisation.prepared import discretised
from dmlib.problem import Problem

SKLEARN = {"width": "uniform", "percentile": "quantile", "kmeans": "kmeans"}
"""The strategies that scikit-learn has, by ours."""


def cut_by_bins(X: Any, n_bins: int, strategy: str) -> Any:
    """Cut the columns with scikit-learn's KBinsDiscretizer."""
    from sklearn.preprocessing import KBinsDiscretizer

    from dmlib.comparison import Answers

    options = {"quantile_method": "linear"} if strategy == "quantile" else {}
    model = KBinsDiscretizer(n_bins, strategy=strategy, subsample=None, **options)
    edges = model.fit(np.asarray(X)).bin_edges_[0]
    return Answers("sklearn.preprocessing.KBinsDiscretizer", {"first_cut_": float(edges[1])})


def cut_by_tree(X: Any, y: Any) -> Any:
    """Cut the first column with scikit-learn's tree of one level."""
    from sklearn.tree import DecisionTreeClassifier

    from dmlib.comparison import Answers

    tree = DecisionTreeClassifier(criterion="entropy", max_depth=1, random_state=0)
    cut = float(tree.fit(np.asarray(X)[:, :1], y).tree_.threshold[0])
    note = "scikit-learn has no description length: the first cut is that of its tree of one level."
    return Answers("sklearn.tree.DecisionTreeClassifier", {"first_cut_": cut}, note)


def cut_by_bits(X: Any, model: Any) -> Any:
    """Find the first cut of the first column where the bits of its rows change."""
    import pandas as pd

    from dmlib.comparison import Answers

    column = pd.DataFrame(X).iloc[:, 0]
    is_named = isinstance(column.dtype, pd.CategoricalDtype)
    x = column.cat.codes if is_named else column
    codes = model.codes_[0]
    is_first = (model.transform(X)[:, : codes.shape[1]] == codes[0]).all(axis=1)
    cut = (x[is_first].max() + x[~is_first].min()) / 2
    note = "The cut lies between rows of other bits."
    return Answers("numpy", {"first_cut_": float(cut)}, note)


def discretisation_reference(run: Run[Problem, Discretizer | Binarizer]) -> Reference:
    """Return the first cut of the first column by scikit-learn.

    Raises
    ------
    Incomparable
        If it has no such cuts, or they are fewer than were asked for.
    """
    model, cuts = run.model, run.fitted.cuts_[0]
    if isinstance(model, Binarizer):
        if not len(cuts):
            raise Incomparable("the first column has one value.")
        return Reference(cut_by_bits, "X", "model")
    if model.strategy == "entropy":
        if np.isnan(run.fitted.first_cut_):
            raise Incomparable("no cut met the MDL criterion.")
        return Reference(cut_by_tree, "X", "y")
    if model.strategy not in SKLEARN:
        raise Incomparable("scikit-learn has no such cuts.")
    n_values = len(np.unique(run.problem.X[:, 0]))
    if n_values <= model.n_bins or len(cuts) != model.n_bins - 1:
        raise Incomparable("the first column has fewer intervals than were asked for.")
    return Reference(cut_by_bins, "X", n_bins=model.n_bins, strategy=SKLEARN[model.strategy])


def prepared_table(run: Run[Problem, Discretizer | Binarizer], table: Any) -> pd.DataFrame:
    """Return the whole table of a run with its intervals or bits."""
    return discretised(run.problem, table.frame, run.fitted)


def prepared_code(run: Run[Problem, Discretizer | Binarizer]) -> str:
    """Return code that makes this table as ``frame``, after ``table`` and ``model``."""
    return (
        "from dmlib.preprocessing.discretisation.prepared import discretised\n\n"
        "frame = discretised(problem, table.frame, model)\n"
    )
