"""The columns that scikit-learn, scipy and networkx select in the same way."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Incomparable
from dmlib.feature_selection.coverage import CoverageSelector
from dmlib.feature_selection.filter_selector import FilterSelector
from dmlib.feature_selection.l0_svm import L0SVM, MIN_SCALE
from dmlib.feature_selection.probe import ProbeSelector
from dmlib.feature_selection.regressor_search import RegressorSearch
from dmlib.feature_selection.selector import standardised
from dmlib.feature_selection.sensor_placement import SensorPlacement
from dmlib.feature_selection.subset_search import SubsetSearch
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem

DIRECTIONS = ("forward", "backward")


def best_columns(scores: Any, k: int) -> Any:
    """Return the mask of the best columns; of equal scores the first is better."""
    best = np.argsort(-np.round(scores, 12), kind="stable")[:k]
    return np.isin(np.arange(len(scores)), best)


def score_by_pearsonr(X: Any, y: Any, k: int) -> Any:
    """Select the columns with the largest correlation of scipy."""
    from scipy.stats import pearsonr

    from dmlib.comparison import Answers

    columns = np.asarray(X, float).T
    scores = [abs(pearsonr(x, y)[0]) if np.ptp(x) > 0 else 0.0 for x in columns]
    return Answers("scipy.stats.pearsonr", {"support_": best_columns(scores, k)})


def score_by_f_classif(X: Any, y: Any, k: int) -> Any:
    """Select the columns with the largest F of scikit-learn, which grows with the correlation."""
    from sklearn.feature_selection import f_classif

    from dmlib.comparison import Answers

    scores = np.nan_to_num(f_classif(X, y)[0])
    return Answers("sklearn.feature_selection.f_classif", {"support_": best_columns(scores, k)})


def score_by_mutual_info(X: Any, y: Any, k: int, n_bins: int) -> Any:
    """Select the columns whose bins have the largest mutual information of scikit-learn."""
    from sklearn.metrics import mutual_info_score

    from dmlib.comparison import Answers
    from dmlib.feature_selection.filters import quantile_bins, target_of

    target = target_of(y).bins(n_bins)
    scores = [mutual_info_score(target, quantile_bins(x, n_bins)) for x in np.asarray(X, float).T]
    return Answers("sklearn.metrics.mutual_info_score", {"support_": best_columns(scores, k)})


def score_by_chi2(X: Any, y: Any, k: int, n_bins: int) -> Any:
    """Select the columns whose bins have the largest χ² of scipy."""
    from scipy.stats import chi2_contingency

    from dmlib.comparison import Answers
    from dmlib.feature_selection.filters import joint_counts, quantile_bins, target_of

    target = target_of(y).bins(n_bins)
    tables = [joint_counts(quantile_bins(x, n_bins), target) for x in np.asarray(X, float).T]
    scores = [chi2_contingency(table, correction=False)[0] for table in tables]
    return Answers("scipy.stats.chi2_contingency", {"support_": best_columns(scores, k)})


def score_by_variance(X: Any, k: int) -> Any:
    """Select the columns with the largest variance of numpy."""
    from dmlib.comparison import Answers

    return Answers("numpy.var", {"support_": best_columns(np.var(np.asarray(X), axis=0), k)})


def score_by_entropy(X: Any, k: int, n_bins: int) -> Any:
    """Select the columns whose bins have the largest entropy of scipy."""
    from scipy.stats import entropy

    from dmlib.comparison import Answers
    from dmlib.feature_selection.filters import width_bins

    scores = [entropy(np.bincount(width_bins(x, n_bins))) for x in np.asarray(X, float).T]
    return Answers("scipy.stats.entropy", {"support_": best_columns(scores, k)})


def score_by_corrcoef(X: Any, k: int) -> Any:
    """Select the columns with the largest sum of correlations of numpy."""
    from dmlib.comparison import Answers
    from dmlib.feature_selection.selector import standardised

    Z = standardised(np.asarray(X, float))
    correlations = np.corrcoef(Z, rowvar=False).reshape(Z.shape[1], -1)
    scores = np.nan_to_num(np.abs(correlations)).sum(axis=0)
    return Answers("numpy.corrcoef", {"support_": best_columns(scores, k)})


def select_for_least_squares(
    X: Any, y: Any, random_state: Any, direction: str, size: int, n_folds: int | None
) -> Any:
    """Search with scikit-learn; of sets of one size every criterion prefers the smallest error."""
    from sklearn.feature_selection import SequentialFeatureSelector
    from sklearn.linear_model import LinearRegression
    from sklearn.model_selection import KFold

    folds: Any = [(np.arange(len(X)), np.arange(len(X)))]
    if n_folds is not None:
        folds = KFold(n_folds, shuffle=True, random_state=random_state)
    return SequentialFeatureSelector(
        LinearRegression(),
        n_features_to_select=size,
        direction=direction,
        scoring="neg_mean_squared_error",
        cv=folds,
    ).fit(X, y)


def select_for_naive_bayes(
    X: Any, y: Any, random_state: Any, direction: str, size: int, n_folds: int
) -> Any:
    """Search for naive Bayes with scikit-learn."""
    from sklearn.feature_selection import SequentialFeatureSelector
    from sklearn.model_selection import KFold, StratifiedKFold
    from sklearn.naive_bayes import GaussianNB

    is_stratified = n_folds <= np.unique(y, return_counts=True)[1].max()
    splitter = StratifiedKFold if is_stratified else KFold
    return SequentialFeatureSelector(
        GaussianNB(),
        n_features_to_select=size,
        direction=direction,
        scoring="accuracy",
        cv=splitter(n_folds, shuffle=True, random_state=random_state),
    ).fit(X, y)


def select_for_model(X: Any, y: Any, model: Any) -> Any:
    """Search with scikit-learn, for the same model and by the same folds."""
    from sklearn.feature_selection import SequentialFeatureSelector

    from dmlib.evaluation.models import fresh_model

    score = model.scorer(X, y)
    return SequentialFeatureSelector(
        fresh_model(score.model, score.seed),
        n_features_to_select=model.n_selected_,
        direction=model.search,
        scoring=score.by_rows,
        cv=score.folds,
    ).fit(np.asarray(X), y)


def select_beside_probes(X: Any, y: Any, model: Any) -> Any:
    """Select as many columns and probes with scikit-learn."""
    from sklearn.feature_selection import SequentialFeatureSelector
    from sklearn.linear_model import LinearRegression

    from dmlib.comparison import Answers

    table = np.asarray(X, float)
    folds = [(np.arange(len(table)), np.arange(len(table)))]
    theirs = SequentialFeatureSelector(
        LinearRegression(), n_features_to_select=len(model.taken_), scoring="r2", cv=folds
    ).fit(np.column_stack([table, model.probe_columns(table)]), y)
    note = "It adds as many columns and probes as here; its stopping rule is not used."
    support = theirs.support_[: table.shape[1]]
    return Answers("SequentialFeatureSelector", {"support_": support}, note)


def scale_by_machines(X: Any, y: Any, n_machines: int, C: float, min_scale: float) -> Any:
    """Scale the columns by the weights of scikit-learn's machines in a loop."""
    from sklearn.svm import LinearSVC

    from dmlib.comparison import Answers
    from dmlib.feature_selection.selector import standardised

    Z = standardised(np.asarray(X, float))
    scale = Z.any(axis=0).astype(float)
    for _ in range(n_machines):
        machine = LinearSVC(C=C, dual=False, tol=1e-10, max_iter=100_000).fit(Z * scale, y)
        scale = scale * np.sqrt((machine.coef_**2).mean(axis=0))
        scale = np.where(scale > min_scale * scale.max(), scale, 0.0)
    note = "Its machines are scaled in a loop."
    return Answers("sklearn.svm.LinearSVC", {"support_": scale > 0}, note)


def cover_with_networkx(X: Any, model: Any, k: int | None) -> Any:
    """Choose nodes of a graph of networkx that cover most of the others."""
    import networkx as nx

    from dmlib.comparison import Answers

    G = nx.from_numpy_array(model.neighbourhoods(X))
    uncovered, chosen = set(G), list[int]()
    while uncovered and len(chosen) < (k or len(G)):
        chosen.append(max(G, key=lambda i: (len(uncovered & {i, *G[i]}), -i)))
        uncovered -= {chosen[-1], *G[chosen[-1]]}
    note = "The choice is made with its neighbours."
    return Answers("networkx.Graph", {"support_": np.isin(list(G), chosen)}, note)


def feature_selection_reference(run: Run[Problem, Any]) -> Reference:
    """Return the columns that libraries select in the same way.

    Raises
    ------
    Incomparable
        If no library has this selection, or ties are broken otherwise.
    """
    model = run.model
    if isinstance(model, FilterSelector):
        return _filter_reference(run)
    if isinstance(model, ProbeSelector):
        if not run.fitted.taken_:
            raise Incomparable("scikit-learn selects at least one column.")
        return Reference(select_beside_probes, "X", "y", "model")
    if isinstance(model, L0SVM):
        names = ("X", "y", "model.n_iter_")
        return Reference(scale_by_machines, *names, C=model.C, min_scale=MIN_SCALE)
    if isinstance(model, CoverageSelector):
        return Reference(cover_with_networkx, "X", "model", k=model.n_features_to_select)
    if isinstance(model, SensorPlacement):
        return Reference(cover_with_networkx, "X", "model", k=model.n_sensors)
    return _search_reference(run)


def _filter_reference(run: Run[Problem, Any]) -> Reference:
    """Return the library's function for a filter."""
    method, k, n_bins = run.model.score_func, run.model.k, run.model.n_bins
    helpers = (best_columns,)
    if method == "correlation":
        function = score_by_pearsonr if run.problem.numeric_target else score_by_f_classif
        return Reference(function, "X", "y", helpers=helpers, k=k)
    if method == "mutual_information":
        return Reference(score_by_mutual_info, "X", "y", helpers=helpers, k=k, n_bins=n_bins)
    if method == "chi2":
        return Reference(score_by_chi2, "X", "y", helpers=helpers, k=k, n_bins=n_bins)
    if method == "variance":
        return Reference(score_by_variance, "X", helpers=helpers, k=k)
    if method == "entropy":
        return Reference(score_by_entropy, "X", helpers=helpers, k=k, n_bins=n_bins)
    if method == "density":
        return Reference(score_by_corrcoef, "X", helpers=helpers, k=k)
    raise Incomparable("no library of this app has this filter.")


def _search_reference(run: Run[Problem, Any]) -> Reference:
    """Return the search of scikit-learn for as many columns."""
    model, size = run.model, run.fitted.n_selected_
    n, p = np.shape(run.problem.training.X)
    classifier = getattr(model, "classifier", "")
    _check_search(run, classifier, p)
    if isinstance(model, RegressorSearch) or classifier not in ("", "naive_bayes"):
        return Reference(select_for_model, "X", "y", "model")
    n_folds = min(model.cv, n) if model.scoring in ("cv", "accuracy") else None
    if n_folds is not None and n % n_folds:
        raise Incomparable("scikit-learn weighs folds, not rows; these folds have different sizes.")
    function = select_for_naive_bayes if classifier else select_for_least_squares
    literals = {"direction": model.search, "size": size, "n_folds": n_folds}
    return Reference(function, "X", "y", "model.random_state", **literals)


def _check_search(run: Run[Problem, Any], classifier: str, p: int) -> None:
    """Refuse a search that scikit-learn does not have, or in which it breaks ties otherwise."""
    search = run.model.search
    if classifier == "knn":
        raise Incomparable("scikit-learn breaks ties of equal distances otherwise.")
    if search not in DIRECTIONS:
        names = {"best": "best-subset", "annealing": "simulated-annealing"}
        name = names.get(search, search)
        raise Incomparable(f"scikit-learn has no {name} search.")
    if not 0 < run.fitted.n_selected_ < p:
        raise Incomparable("scikit-learn selects at least one column, and not all.")
    if isinstance(run.model, SubsetSearch) and _has_equal_columns(run.problem.training.X):
        raise Incomparable(
            "two columns are equal, and scikit-learn chooses among them by rounding."
        )


def _has_equal_columns(X: Any) -> bool:
    n_unique = np.unique(standardised(X).round(12), axis=1).shape[1]
    return bool(n_unique < np.shape(X)[1])
