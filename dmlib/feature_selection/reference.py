"""The same columns by scikit-learn and networkx, and the code that finds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.evaluation import models
from dmlib.feature_selection.coverage import CoverageSelector
from dmlib.feature_selection.filter_selector import FilterSelector
from dmlib.feature_selection.filters import quantile_bins, width_bins
from dmlib.feature_selection.l0_svm import GONE, L0SVM
from dmlib.feature_selection.probe import ProbeSelector
from dmlib.feature_selection.regressor_search import RegressorSearch
from dmlib.feature_selection.selector import mask_of, standardised
from dmlib.feature_selection.subset_search import SubsetSearch, WrapperSearch
from dmlib.pictures.run import Run

DIRECTIONS = ("forward", "backward")


def feature_selection_reference(run: Run) -> Any:
    """Return the columns that libraries select in the same way.

    Raises
    ------
    Incomparable
        If no library has this selection, or ties are broken otherwise.
    """
    training = run.problem.training
    X, y = np.asarray(training.X), training.y
    by_class: dict[type, Any] = {
        FilterSelector: _filter,
        ProbeSelector: _probe,
        L0SVM: _machine,
        CoverageSelector: _coverage,
    }
    return by_class.get(type(run.model), _search)(run.fitted, X, y)


def _search(model: Any, X: Any, y: Any) -> Any:
    from sklearn.feature_selection import SequentialFeatureSelector
    from sklearn.linear_model import LinearRegression
    from sklearn.model_selection import KFold, StratifiedKFold
    from sklearn.naive_bayes import GaussianNB

    wrapper = isinstance(model, WrapperSearch)
    judged = isinstance(model, RegressorSearch) or (
        wrapper and model.classifier not in ("naive_bayes", "knn")
    )
    if wrapper and model.classifier == "knn":
        raise Incomparable("scikit-learn breaks ties of equal distances otherwise.")
    if model.search not in DIRECTIONS:
        raise Incomparable(
            f"scikit-learn has no {'best-subset' if model.search == 'best' else model.search}"
            " search."
        )
    k = model.n_selected_
    if not 0 < k < X.shape[1]:
        raise Incomparable("scikit-learn selects at least one column, and not all.")
    if (
        isinstance(model, SubsetSearch)
        and len(np.unique(standardised(X).round(12), axis=1).T) < X.shape[1]
    ):
        raise Incomparable(
            "two columns are equal, and scikit-learn chooses among them by rounding."
        )
    folds: Any = [(np.arange(len(X)),) * 2]
    if judged:
        score = model.scorer(X, y)
        return SequentialFeatureSelector(
            models.fresh_model(score.model, score.seed),
            n_features_to_select=k,
            direction=model.search,
            scoring=score.by_rows,
            cv=score.folds,
        ).fit(X, y)
    if wrapper or model.scoring == "cv":
        cut = StratifiedKFold if wrapper and model.cv <= np.bincount(y).max() else KFold
        folds = cut(min(model.cv, len(X)), shuffle=True, random_state=model.random_state)
        if len(X) % folds.n_splits:
            raise Incomparable(
                "scikit-learn weighs folds, not rows; these folds have different sizes."
            )
    # With the size given, every criterion of least squares orders sets as the squared error does.
    estimator = GaussianNB() if wrapper else LinearRegression()
    scoring = "accuracy" if wrapper else "neg_mean_squared_error"
    return SequentialFeatureSelector(
        estimator, n_features_to_select=k, direction=model.search, scoring=scoring, cv=folds
    ).fit(X, y)


def _filter(model: Any, X: Any, y: Any) -> Answers:
    from scipy.stats import chi2_contingency, entropy, pearsonr
    from sklearn.metrics import mutual_info_score

    if model.score_func not in (
        "correlation",
        "mutual_information",
        "chi2",
        "variance",
        "entropy",
        "density",
    ):
        raise Incomparable("no library of this app has this filter.")
    flat = [np.ptp(x) == 0 for x in X.T]
    bins = [quantile_bins(x, model.n_bins) for x in (*X.T, y)]
    if model.score_func == "correlation":
        values = [
            0.0 if constant else abs(pearsonr(x, y)[0])
            for x, constant in zip(X.T, flat, strict=True)
        ]
        name = "scipy.stats.pearsonr"
    elif model.score_func == "mutual_information":
        values, name = (
            [mutual_info_score(bins[-1], b) for b in bins[:-1]],
            "sklearn.metrics.mutual_info_score",
        )
    elif model.score_func == "chi2":
        counts = [
            np.histogram2d(b, bins[-1], (b.max() + 1, bins[-1].max() + 1))[0] for b in bins[:-1]
        ]
        values, name = (
            [chi2_contingency(c, correction=False)[0] for c in counts],
            "scipy.stats.chi2_contingency",
        )
    elif model.score_func == "variance":
        values, name = list(X.var(axis=0)), "numpy.var"
    elif model.score_func == "entropy":
        values = [entropy(np.bincount(width_bins(x, model.n_bins))) for x in X.T]
        name = "scipy.stats.entropy"
    else:
        r = (
            np.nan_to_num(np.abs(np.corrcoef(standardised(X).T + 0.0)))
            if X.shape[1] > 1
            else np.zeros((1, 1))
        )
        values, name = list(r.sum(axis=0)), "numpy.corrcoef"
    best = np.argsort(-np.round(values, 12), kind="stable")[: model.k]
    return Answers(name, {"support_": mask_of(best, X.shape[1])})


def _probe(model: Any, X: Any, y: Any) -> Answers:
    from sklearn.feature_selection import SequentialFeatureSelector
    from sklearn.linear_model import LinearRegression

    both = np.column_stack([X, model.made(X)])
    k = len(model.taken_)
    if not k:
        raise Incomparable("scikit-learn selects at least one column.")
    folds = [(np.arange(len(X)),) * 2]
    theirs = SequentialFeatureSelector(
        LinearRegression(), n_features_to_select=k, scoring="r2", cv=folds
    ).fit(both, y)
    note = "It adds as many columns and probes as here; its stopping rule is not used."
    return Answers("SequentialFeatureSelector", {"support_": theirs.support_[: X.shape[1]]}, note)


def _machine(model: Any, X: Any, y: Any) -> Answers:
    from sklearn.svm import LinearSVC

    Z = standardised(X)
    scale = Z.any(axis=0).astype(float)
    for _ in range(model.n_iter_):
        machine = LinearSVC(C=model.C, dual=False, tol=1e-10, max_iter=100_000).fit(Z * scale, y)
        scale = scale * np.sqrt((machine.coef_**2).mean(axis=0))
        scale = np.where(scale > GONE * scale.max(), scale, 0.0)
    return Answers(
        "sklearn.svm.LinearSVC", {"support_": scale > 0}, "Its machines are scaled in a loop."
    )


def _coverage(model: Any, X: Any, y: Any) -> Answers:
    import networkx as nx

    G = nx.from_numpy_array(model.neighbourhoods(X))
    left, chosen = set(G), list[int]()
    while left and len(chosen) < (model.n_features_to_select or len(G)):
        chosen.append(max(G, key=lambda i: (len(({i} | set(G[i])) & left), -i)))
        left -= {chosen[-1], *G[chosen[-1]]}
    return Answers(
        "networkx.Graph",
        {"support_": mask_of(chosen, len(G))},
        "The choice is made with its neighbours.",
    )


def feature_selection_code(run: Run) -> str:
    """Return code that finds the same columns, as ``reference``, after ``model``."""
    kind, model = type(run.model), run.model
    if kind in LOOPS:
        return LOOPS[kind]
    if not 0 < run.fitted.n_selected_ < len(run.problem.features):
        return (
            "\n# scikit-learn's SequentialFeatureSelector selects neither no column nor"
            " all\nreference = model\n"
        )
    if kind is RegressorSearch or (
        kind is WrapperSearch and model.classifier not in ("naive_bayes", "knn")
    ):
        return OTHERS.format(direction if (direction := model.search) in DIRECTIONS else "forward")
    wrapper, probes = kind is WrapperSearch, kind is ProbeSelector
    table = "np.column_stack([X, model.made(np.asarray(X))])" if probes else "X"
    k = "len(model.taken_)" if probes else "model.n_selected_"
    estimator, package = (
        ("GaussianNB", "naive_bayes") if wrapper else ("LinearRegression", "linear_model")
    )
    direction = getattr(model, "search", "forward")
    cut = "StratifiedKFold" if wrapper else "KFold"
    folded = wrapper or getattr(model, "scoring", "") == "cv"
    folds = (
        f"{cut}(model.cv, shuffle=True, random_state=model.random_state)"
        if folded
        else "[(range(len(y)),) * 2]"
    )
    return f"""
# The same number of columns with scikit-learn
import numpy as np
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.{package} import {estimator}
from sklearn.model_selection import {cut}

reference = SequentialFeatureSelector(
    {estimator}(), n_features_to_select={k}, direction={direction if direction in DIRECTIONS else "forward"!r},
    scoring={"accuracy" if wrapper else "neg_mean_squared_error"!r}, cv={folds},
).fit({table}, y)
reference.support_ = reference.support_[: np.shape(X)[1]]
"""


OTHERS = """
# The same number of columns with scikit-learn
import numpy as np
from dmlib.evaluation.models import fresh_model
from sklearn.feature_selection import SequentialFeatureSelector

score = model.scorer(X, y)
reference = SequentialFeatureSelector(
    fresh_model(score.model, score.seed), n_features_to_select=model.n_selected_, direction={!r},
    scoring=score.by_rows, cv=score.folds,
).fit(np.asarray(X), y)
"""

LOOPS = {
    CoverageSelector: (
        """
# The same with networkx
from types import SimpleNamespace

import networkx as nx

G = nx.from_numpy_array(model.neighbourhoods(X))
left, chosen = set(G), []
while left and len(chosen) < (model.n_features_to_select or len(G)):
    chosen.append(max(G, key=lambda i: (len(({i} | set(G[i])) & left), -i)))
    left -= {chosen[-1], *G[chosen[-1]]}
reference = SimpleNamespace(support_=[i in chosen for i in G])
"""
    ),
    L0SVM: (
        f"""
# The same loop with scikit-learn's machines
from types import SimpleNamespace

import numpy as np
from sklearn.svm import LinearSVC

spread = np.std(X, axis=0)
Z, scale = (X - np.mean(X, axis=0)) / np.where(spread > 0, spread, 1), 1.0 * (spread > 0)
for _ in range(model.n_iter_):
    machine = LinearSVC(C=model.C, dual=False, tol=1e-10, max_iter=100_000).fit(Z * scale, y)
    scale = scale * np.sqrt((machine.coef_**2).mean(axis=0))
    scale[scale <= {GONE:g} * scale.max()] = 0
reference = SimpleNamespace(support_=scale > 0)
"""
    ),
    FilterSelector: (
        """
# The scores alone; scipy.stats.pearsonr, chi2_contingency and entropy have some of them too
from types import SimpleNamespace

import numpy as np
from dmlib.feature_selection import filter_scores

scores = filter_scores(X, y, model.score_func, n_bins=model.n_bins, n_neighbors=model.n_neighbors)
best = np.argsort(-scores, kind="stable")[: model.k]
reference = SimpleNamespace(support_=[j in best for j in range(len(scores))])
"""
    ),
}
"""What has no counterpart in scikit-learn, as code."""
