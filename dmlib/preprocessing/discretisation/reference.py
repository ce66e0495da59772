"""The same cuts by scikit-learn where it makes them, and the code for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run
from dmlib.preprocessing.discretisation.binarizer import Binarizer

THEIRS = {"width": "uniform", "percentile": "quantile", "kmeans": "kmeans"}
ROOT = "scikit-learn has no description length: the first cut is that of its tree of one level."


def _reason(run: Run) -> str:
    """Return why a run cannot be compared, or nothing."""
    model, x = run.model, run.problem.X[:, 0]
    if isinstance(model, Binarizer):
        return "" if len(run.fitted.cuts_[0]) else "the first column has one value."
    if model.strategy == "entropy":
        return "" if run.fitted.first_cut_ == run.fitted.first_cut_ else "no cut was worth its description."
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
        code = run.fitted.transform(run.problem.X)[:, : run.fitted.codes_[0].shape[1]]
        below = X[(code == run.fitted.codes_[0][0]).all(axis=1), 0].max()
        above = X[X[:, 0] > below, 0].min()
        return Answers("numpy", {"first_cut_": float((below + above) / 2)}, "The cut lies between rows of other bits.")
    if model.strategy == "entropy":
        tree = DecisionTreeClassifier(criterion="entropy", max_depth=1, random_state=0).fit(X, run.problem.y)
        return Answers("sklearn.tree.DecisionTreeClassifier", {"first_cut_": float(tree.tree_.threshold[0])}, ROOT)
    theirs = KBinsDiscretizer(model.n_bins, strategy=THEIRS[model.strategy], encode="ordinal", subsample=None,
                              **_quantile(model.strategy)).fit(X)  # fmt: skip
    return Answers("sklearn.preprocessing.KBinsDiscretizer", {"first_cut_": float(theirs.bin_edges_[0][1])})


def _quantile(strategy: str) -> dict[str, str]:
    return {"quantile_method": "linear"} if strategy == "percentile" else {}


def discretisation_code(run: Run) -> str:
    """Return code that makes ``reference`` from ``X`` and, where it learns from classes, ``y``."""
    model = run.model
    reason = "it only cuts, and gives bits." if isinstance(model, Binarizer) else _reason(run)
    if reason:
        return f"\n# No library to compare with: {reason}\nreference = model\n"
    rest = "reference.n_intervals_, reference.information_ = model.n_intervals_, model.information_\n"
    if model.strategy == "entropy":
        return (
            "\n# The first cut with scikit-learn\nimport numpy as np\nfrom sklearn import tree\n\n"
            "reference = tree.DecisionTreeClassifier(criterion='entropy', max_depth=1, random_state=0)\n"
            "reference.fit(np.asarray(X)[:, :1], y)\nreference.first_cut_ = reference.tree_.threshold[0]\n" + rest
        )
    more = ", quantile_method='linear'" if model.strategy == "percentile" else ""
    return (
        "\n# The same cuts with scikit-learn\nimport numpy as np\nfrom sklearn import preprocessing\n\n"
        f"reference = preprocessing.KBinsDiscretizer({model.n_bins}, strategy={THEIRS[model.strategy]!r},\n"
        f"    encode='ordinal', subsample=None{more})\n"
        "reference.fit(np.asarray(X))\nreference.first_cut_ = reference.bin_edges_[0][1]\n" + rest
    )
