"""Comparisons with scikit-learn and SciPy: data, two calls, sizes, and when answers agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist
from sklearn import (
    cluster,
    decomposition,
    discriminant_analysis,
    ensemble,
    linear_model,
    metrics,
    mixture,
    multiclass,
    naive_bayes,
    neighbors,
    svm,
    tree,
)
from sklearn.metrics import pairwise

from benchmarks.samples import Data, blobs, classes, numbers, wide
from dmlib import classification as ours_c
from dmlib import clustering as ours_k
from dmlib import decomposition as ours_d
from dmlib import evaluation as ours_e
from dmlib import regression as ours_r

SMALL = (250, 500, 1000, 2000)
MEDIUM = (1000, 2000, 4000, 8000)
LARGE = (8_000, 16_000, 32_000, 64_000)
FORESTS = (2000, 20_000)


@dataclass(frozen=True)
class Contest:
    """Two ways to the same answer.

    Attributes
    ----------
    name : str
        Estimator and settings.
    ours, theirs : callable
        Takes X and y and returns the answer.
    sizes : tuple of int
        Numbers of rows.
    same : callable
        Whether two answers are the same.
    """

    name: str
    ours: Callable[[Any, Any], Any]
    theirs: Callable[[Any, Any], Any]
    sizes: tuple[int, ...]
    same: Callable[[Any, Any], bool]


def close(ours: Any, theirs: Any) -> bool:
    """Return whether two arrays hold the same numbers."""
    return bool(np.allclose(ours, theirs, rtol=1e-5, atol=1e-7))


def mostly(ours: Any, theirs: Any) -> bool:
    """Return whether 98 % of two predictions are equal: scikit-learn breaks ties at random."""
    return bool(np.mean(np.asarray(ours) == np.asarray(theirs)) >= 0.98)


def alike(ours: Any, theirs: Any) -> bool:
    """Return whether 95 % of two predictions are equal: forests draw columns at random."""
    return bool(np.mean(np.asarray(ours) == np.asarray(theirs)) >= 0.95)


def same_groups(ours: Any, theirs: Any) -> bool:
    """Return whether two clusterings are the same but for the names of the clusters."""
    return bool(metrics.adjusted_rand_score(ours, theirs) > 1 - 1e-12)


def fitted(estimator: Any, answer: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a call that fits an estimator and asks for its answer."""
    return lambda X, y: answer(estimator.fit(X, y), X)


def predictions(model: Any, X: Any) -> Any:
    """Ask an estimator for its classes or numbers."""
    return model.predict(X)


START = np.array([[-2.0, 8.0, 2.0, 8.0], [-9.0, -4.0, -6.0, -7.0], [4.0, 2.0, -6.0, -3.0]])
CONTESTS: dict[str, tuple[Callable[[int], Data], Contest]] = {
    "knn": (
        classes,
        Contest(
            "k nearest neighbours, k = 5",
            fitted(ours_c.KNeighborsClassifier(), predictions),
            fitted(neighbors.KNeighborsClassifier(), predictions),
            MEDIUM,
            mostly,
        ),
    ),
    "naive_bayes": (
        classes,
        Contest(
            "naive Bayes, Gaussian",
            fitted(ours_c.NaiveBayes(), predictions),
            fitted(naive_bayes.GaussianNB(), predictions),
            LARGE,
            mostly,
        ),
    ),
    "decision_tree": (
        classes,
        Contest(
            "decision tree, Gini, depth 8",
            fitted(ours_c.DecisionTreeClassifier(max_depth=8), predictions),
            fitted(tree.DecisionTreeClassifier(max_depth=8, random_state=0), predictions),
            MEDIUM,
            mostly,
        ),
    ),
    "regression_tree": (
        numbers,
        Contest(
            "regression tree, squared error, depth 8",
            fitted(ours_r.DecisionTreeRegressor(max_depth=8), predictions),
            fitted(tree.DecisionTreeRegressor(max_depth=8, random_state=0), predictions),
            MEDIUM,
            close,
        ),
    ),
    "whole_regression_tree": (
        numbers,
        Contest(
            "regression tree, squared error, grown to the last row",
            fitted(ours_r.DecisionTreeRegressor(), lambda model, X: model.get_n_leaves()),
            fitted(
                tree.DecisionTreeRegressor(random_state=0), lambda model, X: model.get_n_leaves()
            ),
            MEDIUM,
            close,
        ),
    ),
    "knn_regression": (
        numbers,
        Contest(
            "k nearest neighbours, regression, k = 5",
            fitted(ours_r.KNeighborsRegressor(), predictions),
            fitted(neighbors.KNeighborsRegressor(), predictions),
            MEDIUM,
            close,
        ),
    ),
    "lda_classifier": (
        blobs,
        Contest(
            "linear discriminants",
            fitted(ours_c.LinearDiscriminantAnalysis(), lambda model, X: model.predict_proba(X)),
            fitted(
                discriminant_analysis.LinearDiscriminantAnalysis(),
                lambda model, X: model.predict_proba(X),
            ),
            LARGE,
            close,
        ),
    ),
    "qda": (
        blobs,
        Contest(
            "quadratic discriminants",
            fitted(ours_c.QuadraticDiscriminantAnalysis(), lambda model, X: model.predict_proba(X)),
            fitted(
                discriminant_analysis.QuadraticDiscriminantAnalysis(),
                lambda model, X: model.predict_proba(X),
            ),
            LARGE,
            close,
        ),
    ),
    "lda_projection": (
        blobs,
        Contest(
            "discriminant axes, by generalised eigenvectors",
            fitted(
                ours_c.LinearDiscriminantAnalysis("eigen"),
                lambda model, X: np.abs(np.diff(model.transform(X), axis=0)),
            ),
            fitted(
                discriminant_analysis.LinearDiscriminantAnalysis("eigen"),
                lambda model, X: np.abs(np.diff(model.transform(X), axis=0)),
            ),
            LARGE,
            close,
        ),
    ),
    "adaboost": (
        classes,
        Contest(
            "AdaBoost, 20 stumps",
            fitted(ours_c.AdaBoostClassifier(n_estimators=20), predictions),
            fitted(ensemble.AdaBoostClassifier(n_estimators=20, random_state=0), predictions),
            MEDIUM,
            mostly,
        ),
    ),
    "gradient_boosting": (
        classes,
        Contest(
            "gradient boosting, 20 stumps",
            fitted(ours_c.GradientBoostingClassifier(n_estimators=20), predictions),
            fitted(
                ensemble.GradientBoostingClassifier(n_estimators=20, max_depth=1, random_state=0),
                predictions,
            ),
            MEDIUM,
            mostly,
        ),
    ),
    "bagging": (
        wide,
        Contest(
            "bagging, 100 trees of 20 columns",
            fitted(ours_c.BaggingClassifier(n_estimators=100, random_state=0), predictions),
            fitted(
                ensemble.BaggingClassifier(n_estimators=100, random_state=0, n_jobs=1), predictions
            ),
            FORESTS,
            alike,
        ),
    ),
    "random_forest": (
        wide,
        Contest(
            "random forest, 100 trees of 20 columns",
            fitted(ours_c.RandomForestClassifier(random_state=0), predictions),
            fitted(ensemble.RandomForestClassifier(random_state=0, n_jobs=1), predictions),
            FORESTS,
            alike,
        ),
    ),
    "multiclass": (
        blobs,
        Contest(
            "one-versus-one by naive Bayes, 3 classes",
            fitted(ours_c.OneVsOneClassifier("naive_bayes"), predictions),
            fitted(multiclass.OneVsOneClassifier(ours_c.NaiveBayes()), predictions),
            LARGE,
            mostly,
        ),
    ),
    "kernels": (
        blobs,
        Contest(
            "kernel matrix, RBF, gamma = 1/4",
            lambda X, _: ours_c.kernel_matrix("rbf", X, gamma=0.25),
            lambda X, _: pairwise.rbf_kernel(X, gamma=0.25),
            SMALL,
            close,
        ),
    ),
    "kernel_eigenvalues": (
        blobs,
        Contest(
            "kernel matrix with its eigenvalues, RBF",
            lambda X, _: ours_c.KernelMatrix("rbf", gamma=0.25).fit(X).eigenvalues_,
            lambda X, _: np.linalg.eigvalsh(pairwise.rbf_kernel(X, gamma=0.25)),
            SMALL,
            lambda ours, theirs: close(np.sort(ours), np.sort(theirs)),
        ),
    ),
    "logistic_regression": (
        classes,
        Contest(
            "logistic regression, Newton, C = 1",
            fitted(ours_c.LogisticRegression(), lambda model, _: model.coef_),
            fitted(
                linear_model.LogisticRegression(solver="newton-cholesky", tol=1e-10),
                lambda model, _: model.coef_,
            ),
            LARGE,
            lambda ours, theirs: bool(np.allclose(ours, theirs, rtol=1e-3, atol=1e-4)),
        ),
    ),
    "svm": (
        classes,
        Contest(
            "support vector machine, RBF, C = 1",
            fitted(ours_c.SVC(), predictions),
            fitted(svm.SVC(), predictions),
            SMALL,
            mostly,
        ),
    ),
    "gaussian_mixture": (
        blobs,
        Contest(
            "Gaussian mixture, 3 full covariances",
            fitted(ours_k.GaussianMixture(3, means_init=START), predictions),
            fitted(mixture.GaussianMixture(3, means_init=START), predictions),
            MEDIUM,
            lambda ours, theirs: metrics.adjusted_rand_score(ours, theirs) > 0.98,
        ),
    ),
    "hierarchical": (
        blobs,
        Contest(
            "linkage, average",
            fitted(
                ours_k.AgglomerativeClustering(3, linkage="average"),
                lambda model, _: model.linkage_[:, 2],
            ),
            lambda X, _: linkage(pdist(X), "average")[:, 2],
            SMALL,
            close,
        ),
    ),
    "dbscan": (
        blobs,
        Contest(
            "DBSCAN, eps = 1",
            fitted(ours_k.DBSCAN(eps=1.0), lambda model, _: model.labels_),
            fitted(cluster.DBSCAN(eps=1.0), lambda model, _: model.labels_),
            MEDIUM,
            same_groups,
        ),
    ),
    "optics": (
        blobs,
        Contest(
            "OPTICS",
            fitted(ours_k.OPTICS(), lambda model, _: model.ordering_),
            fitted(cluster.OPTICS(), lambda model, _: model.ordering_),
            SMALL,
            close,
        ),
    ),
    "spectral": (
        blobs,
        Contest(
            "spectral clustering, 10 neighbours",
            fitted(
                ours_k.SpectralClustering(3, affinity="nearest_neighbors", random_state=0),
                lambda model, _: model.labels_,
            ),
            fitted(
                cluster.SpectralClustering(3, affinity="nearest_neighbors", random_state=0),
                lambda model, _: model.labels_,
            ),
            SMALL,
            lambda ours, theirs: metrics.adjusted_rand_score(ours, theirs) > 0.95,
        ),
    ),
    "roc": (
        classes,
        Contest(
            "ROC curve and its area",
            lambda X, y: ours_e.roc_curve(y, X[:, 0]).auc,
            lambda X, y: metrics.auc(*metrics.roc_curve(y, X[:, 0])[:2]),
            LARGE,
            close,
        ),
    ),
    "pca": (
        blobs,
        Contest(
            "principal components",
            fitted(ours_d.PCA(), lambda model, _: model.explained_variance_),
            fitted(
                decomposition.PCA(svd_solver="covariance_eigh"),
                lambda model, _: model.explained_variance_,
            ),
            LARGE,
            close,
        ),
    ),
}
