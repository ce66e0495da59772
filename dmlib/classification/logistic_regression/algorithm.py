"""Logistic regression: class probabilities from a linear score, fitted by maximum likelihood."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse
from scipy.special import expit, log_expit, log_softmax, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state, check_X_y
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.classification.logistic_regression.ascent import (
    LARGEST,
    LogisticRegressionStep,
    ascend,
    batches,
    record,
)
from dmlib.classification.logistic_regression.centring import Centring
from dmlib.classification.logistic_regression.likelihood import Likelihood
from dmlib.classification.logistic_regression.separation import (
    aliased_warning,
    separation_at,
    separation_warning,
)
from dmlib.estimator import Staged
from dmlib.params import Choice, Conditions, Flag, Integer, Number, Param, check_params

ULPS = 64  # units in the last place by which two columns may differ and count as dependent


class LogisticRegression(ClassifierMixin, Staged, BaseEstimator):
    r"""Fit the linear score whose logistic function maximises the likelihood of the classes.

    With two classes, :math:`P(1 | x) = 1 / (1 + e^{-(b + w^T x)})`; with more, one score per class
    and :math:`P(k | x) \propto e^{b_k + w_k^T x}`. The objective is scikit-learn's: minimise
    :math:`\frac{1}{2} \lVert w \rVert^2 - C \sum_i s_i \log P(y_i | x_i)`, with sample weights
    :math:`s_i`.

    Parameters
    ----------
    C : float, default=1.0
        The weight of the loss against the penalty on the coefficients: the smaller, the more they
        shrink. The intercept is not penalised. Infinity: no penalty, maximum likelihood.
    solver : {"newton", "gd", "sgd"}, default="newton"
        "newton": Newton-Raphson (here the same as Fisher scoring and iteratively reweighted least
        squares); "gd": gradient ascent over all rows; "sgd": over a batch of rows at a time.
    max_iter : int, default=100
        The largest number of iterations; for "sgd", of passes through the rows (epochs).
    tol : float, default=1e-4
        "newton" stops after a step of at most so many standard errors. "gd" and "sgd" stop when no
        component of the gradient of the mean log-likelihood is larger.
    learning_rate : float, default=0.5
        The step length on the gradient of the mean log-likelihood. "gd" halves it while the
        objective would fall; "sgd" divides it by the root of the number of the epoch. "newton"
        starts from length 1.
    batch_size : int, default=32
        The number of rows in a step of "sgd".
    fit_intercept : bool, default=True
        Whether the scores have a constant term.
    grouped : bool, default=False
        Whether the last column of ``X`` is no feature, but the weight of the row: grouped data.
    class_weight : dict or "balanced" or None, default=None
        The weight of each class; "balanced": in inverse proportion to its share.
    warm_start : bool, default=False
        Whether ``fit`` starts from the coefficients of the last ``fit``.
    random_state : int, RandomState or None, default=None
        The seed of the order of the rows for "sgd".

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The coefficients; with two classes, those of the score of ``classes_[1]``.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The constant terms.
    n_iter_ : ndarray of shape (1,)
        The number of iterations.
    converged_ : bool
        Whether the tolerance was reached, and there is a maximum to converge to.
    log_likelihood_ : float
        The log-likelihood.
    deviance_, null_deviance_ : float
        -2 log-likelihood of the model, and of the model without columns.
    separation_ : {"none", "quasi-complete", "complete"}
        Only with ``C=inf``: unless it is "none", the likelihood has no maximum, and the tolerance
        decides how large the coefficients are.
    aliased_ : tuple of int
        Only with ``C=inf``: the columns whose coefficients are held at 0, because they depend
        linearly on others.
    covariance_ : ndarray of shape (n_terms, n_terms)
        This and what follows only with ``C=inf`` and two classes, the intercept (if there is one)
        always first.
    standard_errors_, z_values_, p_values_, odds_ratios_ : ndarray of shape (n_terms,)
        See :class:`Inference`; z is coefficient / standard error and p its two-sided p-value.
    confidence_intervals_, odds_ratio_intervals_ : ndarray of shape (n_terms, 2)
        95 % limits of the coefficients and of the odds ratios.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If there are fewer than two classes, or numbers too large or too small to be squared.

    Notes
    -----
    Grouped data, s successes in m trials with the same x, are two rows: x with class 1 and sample
    weight s, and x with class 0 and sample weight m - s. :func:`binomial_rows` makes them from a
    table of counts. With ``grouped=True`` the weights are the last column of ``X`` instead, so that
    they stay with their rows in a split; ``coef_`` then has one column less.

    A Newton step costs O(n d^2), times the square of the number of classes if there are more than
    two; a gradient step costs O(n d). The objective is concave; with halving, it never falls on
    "newton" and "gd", up to rounding. The scores of several classes sum to zero, as in
    scikit-learn. A tie is predicted as the class that comes first.

    :func:`separation` decides whether the unpenalised maximum exists.

    References
    ----------
    D. R. Cox (1958), The regression analysis of binary sequences.
    P. McCullagh and J. A. Nelder (1989), Generalized Linear Models, sections 2.5 and 4.4.
    L. Armijo (1966), Minimization of functions having Lipschitz continuous first partial
    derivatives. H. Robbins and S. Monro (1951), A stochastic approximation method.

    Examples
    --------
    >>> model = LogisticRegression(C=np.inf).fit([[0], [0], [0], [1], [1], [1]], [0, 0, 1, 0, 1, 1])
    >>> model.odds_ratios_.round(6).tolist()
    [0.5, 4.0]
    """

    coef_: Floats
    intercept_: Floats
    APPLIES: ClassVar[Conditions] = {
        "learning_rate": ("solver", ("gd", "sgd")),
        "batch_size": ("solver", ("sgd",)),
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        "C": Number(1e-12, np.inf, shown=(0.001, 1000.0), log=True),
        "solver": Choice(("newton", "gd", "sgd")),
        "max_iter": Integer(0, 1_000_000, shown=(0, 20)),
        "tol": Number(0.0, 1.0, shown=(0.0, 1.0), log=True),
        "learning_rate": Number(1e-6, 1e6, shown=(0.01, 10.0), log=True),
        "batch_size": Integer(1, 1_000_000, shown=(1, 100)),
        "fit_intercept": Flag(),
        "grouped": Flag(),
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        solver: str = "newton",
        max_iter: int = 100,
        tol: float = 1e-4,
        learning_rate: float = 0.5,
        batch_size: int = 32,
        fit_intercept: bool = True,
        grouped: bool = False,
        class_weight: Any = None,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None:
        self.C = C
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.fit_intercept = fit_intercept
        self.grouped = grouped
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Maximise the likelihood of the classes ``y`` of the weighted rows of ``X``."""
        rows, labels = validate_data(self, X, y, dtype=np.float64, accept_sparse="csr")
        classes, likelihood, aliased = self._prepare(rows, labels, sample_weight)
        start = self._start(likelihood, classes)
        for step in self._climb(likelihood, start, aliased, with_details=False):
            last = step
        self.classes_ = classes
        self.n_iter_ = np.array([last.iteration], np.int32)
        self.__dict__.update(self._learned(last))
        self.converged_ = last.converged
        self.log_likelihood_ = last.log_likelihood
        self.deviance_ = -2 * last.log_likelihood
        self.null_deviance_ = self._null_deviance(likelihood)
        if last.separation is not None:
            self.separation_ = last.separation.kind
            self.aliased_ = aliased
        if last.inference is not None:
            self.covariance_ = last.inference.covariance
            self.standard_errors_ = last.inference.standard_errors
            self.z_values_ = last.inference.z
            self.p_values_ = last.inference.p
            self.confidence_intervals_ = last.inference.limits
            self.odds_ratios_ = last.inference.odds
            self.odds_ratio_intervals_ = last.inference.odds_limits
        if not last.converged and self.max_iter > 0:
            reasons = [f"Not converged. {last.reason}"]
            if last.separation is not None:
                reasons = separation_warning(last.separation, unpenalised=True) or reasons
            warn(" ".join(reasons), ConvergenceWarning, stacklevel=2)
        return self

    def _learned(self, step: LogisticRegressionStep) -> dict[str, Floats]:
        intercept = step.coef[:, 0].copy() if self.fit_intercept else np.zeros(len(step.coef))
        return {"coef_": step.coef[:, int(self.fit_intercept) :].copy(), "intercept_": intercept}

    def steps(
        self, X: ArrayLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Iterator[LogisticRegressionStep]:
        """Yield every step; the last is the answer of ``fit``."""
        rows, labels = check_X_y(X, y, dtype=np.float64, accept_sparse="csr")
        classes, likelihood, aliased = self._prepare(rows, labels, sample_weight)
        start = self._start(likelihood, classes)
        yield from self._climb(likelihood, start, aliased, with_details=True)

    def likelihood(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Likelihood:
        """Return the objective of ``fit`` on these rows; aliased columns are zero in it."""
        rows, labels = check_X_y(X, y, dtype=np.float64, accept_sparse="csr")
        return self._prepare(rows, labels, sample_weight)[1]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the scores, shape (n_samples, n_classes).

        Of two classes that of ``classes_[1]``, shape (n_samples,).
        """
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, accept_sparse="csr", reset=False)
        scores: Floats = rows[:, : self.coef_.shape[1]] @ self.coef_.T + self.intercept_
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the most probable class of each row."""
        scores = self.decision_function(X)
        codes = scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0).astype(int)
        labels: NDArray[Any] = self.classes_[codes]
        return labels

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the probabilities of the classes, shape (n_samples, n_classes)."""
        scores = self.decision_function(X)
        if scores.ndim == 2:
            return np.asarray(softmax(scores, axis=1))
        return np.asarray(expit(np.column_stack([-scores, scores])))

    def predict_log_proba(self, X: ArrayLike) -> Floats:
        """Return the logarithms of the probabilities, accurate also where these underflow."""
        scores = self.decision_function(X)
        if scores.ndim == 2:
            return np.asarray(log_softmax(scores, axis=1))
        return np.asarray(log_expit(np.column_stack([-scores, scores])))

    def _prepare(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[NDArray[Any], Likelihood, tuple[int, ...]]:
        """Check the data; return the classes, the objective, and the aliased columns."""
        check_params(self.PARAMS, self.get_params())
        check_classification_targets(y)
        X, counts = self._split(X.toarray() if issparse(X) else X)
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(
                f"y has only one class, {classes[0]!s}; logistic regression needs at least two."
            )
        if np.abs(X).max() > LARGEST:
            raise ValueError(
                f"X has numbers beyond {LARGEST:g}, which are "
                "too large to be squared; rescale its columns."
            )
        sizes = np.ptp(X, axis=0) if self.fit_intercept else np.abs(X).max(axis=0)
        if ((sizes > 0) & (sizes < 1 / LARGEST)).any():
            raise ValueError(
                f"X has a column whose numbers differ by less than {1 / LARGEST:g}, "
                "which is too little to be squared; rescale its columns."
            )
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        weights = weights * compute_sample_weight(self.class_weight, y) * counts
        if not weights.any():
            raise ValueError("All weights are zero; at least one row must count.")
        aliased: tuple[int, ...] = ()
        if np.isinf(self.C):
            aliased = _aliased(X[weights > 0], self.fit_intercept)
        if aliased:
            X = X.copy()
            X[:, aliased] = 0
        Z = np.hstack([np.ones((len(X), 1)), X]) if self.fit_intercept else X
        penalty = np.full(Z.shape[1], 1 / self.C)
        penalty[: int(self.fit_intercept)] = 0
        return classes, Likelihood(Z, codes, len(classes), weights, penalty), aliased

    def _split(self, X: Floats) -> tuple[Floats, Floats]:
        """Return the features, and the weight of each row."""
        if not self.grouped:
            return X, np.ones(len(X))
        if X.shape[1] < 2 or (X[:, -1] < 0).any():
            raise ValueError(
                "For grouped data, the last of at least two columns says how "
                "often each row counts: a number from 0, as it is, not scaled."
            )
        return X[:, :-1], X[:, -1]

    def _start(self, likelihood: Likelihood, classes: NDArray[Any]) -> Floats:
        """Return zeros or, on a warm start, the coefficients of the last fit."""
        start = np.zeros((likelihood.n_logits, likelihood.Z.shape[1]))
        if self.warm_start and hasattr(self, "coef_") and np.array_equal(self.classes_, classes):
            constant = [self.intercept_[:, None]] if self.fit_intercept else []
            last = np.hstack([*constant, self.coef_])
            return last if last.shape == start.shape else start
        return start

    def _null_deviance(self, likelihood: Likelihood) -> float:
        totals = np.bincount(likelihood.codes, likelihood.weights, minlength=likelihood.n_classes)
        shares = np.full(len(totals), 1 / len(totals))
        if self.fit_intercept:
            shares = totals / totals.sum()
        return float(-2 * totals[totals > 0] @ np.log(shares[totals > 0]))

    def _climb(
        self, likelihood: Likelihood, start: Floats, aliased: tuple[int, ...], *, with_details: bool
    ) -> Iterator[LogisticRegressionStep]:
        """Climb from ``start``; only ``with_details`` are all fields of the steps computed."""
        yield replace(record(likelihood, "start", 0, start), aliased=aliased)
        centred, centring = Centring.of(likelihood, fit_intercept=self.fit_intercept)
        coef = centring.centred(start)
        rate, limits = self.learning_rate, (self.max_iter, self.tol)
        if self.solver == "newton":
            climb = centring.climb(ascend(centred, coef, True, rate, *limits))
        elif self.solver == "gd":  # its path depends on where the columns are
            climb = ascend(likelihood, start, False, rate, *limits)
        else:
            rng = check_random_state(self.random_state)
            size = self.batch_size
            climb = batches(likelihood, start, rng, rate, size, *limits, with_heights=with_details)
        last, converged, reason = yield from climb
        if last is not None:
            coef = last.coef if self.solver == "newton" else centring.centred(last.coef)
        done = record(centred, "done", 0 if last is None else last.iteration, coef)
        done = replace(done, aliased=aliased, converged=converged, reason=reason)
        unpenalised = bool(np.isinf(self.C))
        if unpenalised or with_details:
            information = centred.information(centred.probabilities(centred.scores(coef)))
            separation = separation_at(centred, coef, done.gradient, information)
            inference = None
            if unpenalised and centred.n_logits == 1:
                inference = centring.infer(coef[0], information)
            has_maximum = not unpenalised or separation.kind == "none"
            done = replace(
                done,
                hessian=-information,
                separation=separation,
                inference=inference,
                converged=converged and has_maximum,
                warnings=(
                    *aliased_warning([f"column {j + 1}" for j in aliased]),
                    *separation_warning(separation, unpenalised),
                ),
            )
        yield centring.step(done)


def _aliased(X: Floats, fit_intercept: bool) -> tuple[int, ...]:
    """Return the columns that depend linearly on the columns before them (and the intercept)."""
    size = np.linalg.norm(X, axis=0)
    centred = X
    if fit_intercept:
        centred = X - X[0]
        centred = centred - centred.mean(axis=0)
    spread = np.linalg.norm(centred, axis=0)
    pivots = np.abs(np.diag(np.linalg.qr(centred / np.where(spread > 0, spread, 1), mode="r")))
    pivots = np.append(pivots, np.zeros(X.shape[1] - len(pivots)))
    # Columns far from 0 have fewer digits than their spread suggests.
    rounding = ULPS * np.finfo(float).eps * size
    return tuple(np.flatnonzero(pivots * spread <= np.maximum(1e-11 * spread, rounding)).tolist())
