"""Linear discriminant analysis: a common covariance matrix gives straight boundaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.classification.covariances import Classes, rank
from dmlib.classification.discriminant import (
    Discriminant,
    DiscriminantStep,
    Steps,
    UnsupportedError,
)
from dmlib.classification.lda_classifier.ranges import lda_ranges
from dmlib.params import Choice, Flag, Integer, Number, Param, Ranges


class LinearDiscriminantAnalysis(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Discriminant):
    r"""Classify by normal densities with a common covariance matrix; project onto Fisher's axes.

    With means :math:`\mu_k`, priors :math:`\pi_k` and the covariance matrix :math:`\Sigma` within
    the classes, the predicted class has the largest :math:`w_k'x + b_k`, where
    :math:`w_k = \Sigma^{-1} \mu_k` and
    :math:`b_k = \log \pi_k - \frac{1}{2} \mu_k' \Sigma^{-1} \mu_k`. The axes maximise Fisher's
    ratio :math:`w' S_B w / w' S_W w` of the variance between the classes to that within them.

    Parameters
    ----------
    solver : {"svd", "lsqr", "eigen"}, default="svd"
        "svd": singular values of the rows without their means, which need no inverse; "lsqr": least
        squares, without axes; "eigen": generalised eigenvectors. The last two can shrink the
        covariance matrix.
    shrinkage : float, "auto" or None, default=None
        The shrinkage of each class's covariance matrix towards a multiple of the identity, from 0
        to 1; "auto": by Ledoit and Wolf. Only with "lsqr" and "eigen".
    priors : array-like of shape (n_classes,), default=None
        The prior probabilities; by default the classes' shares in the rows.
    n_components : int, default=None
        The number of axes of ``transform``; by default all, min(n_classes - 1, n_features).
    store_covariance : bool, default=False
        Whether "svd" computes ``covariance_`` too.
    tol : float, default=1e-4
        "svd" ignores directions in which the standardised rows vary by less.
    covariance_estimator : estimator, default=None
        One of scikit-learn's, in place of the shrinkage.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    priors_ : ndarray of shape (n_classes,)
        The prior probabilities.
    means_ : ndarray of shape (n_classes, n_features)
        The means.
    covariance_ : ndarray of shape (n_features, n_features)
        The covariance matrix within the classes, weighted by the priors; with "svd" only if it is
        stored.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        The weights; with two classes, those of the second minus those of the first.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The constants. Weights and constants may differ from w and b by what is common to all
        classes.
    scalings_ : ndarray of shape (n_features, n_axes)
        The axes, along which the variance within the classes is 1; not with "lsqr".
    eigenvalues_ : ndarray of shape (n_axes,)
        The variance between the classes along each axis.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        Its share of the variance between the classes along all axes.
    xbar_ : ndarray of shape (n_features,)
        The mean of the class means, weighted by the priors; only with "svd".
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If there is one class, if nothing varies within the classes, or if ``n_components`` is too
        large.

    Notes
    -----
    Conventions are scikit-learn's: covariances divide by n, not by n - n_classes as R's MASS does,
    so that its axes are longer by the root of that ratio. O(n d^2 + d^3). With nearly as many
    columns as rows the training set is separated whatever the classes are; with more, "svd" leaves
    out the directions in which rows differ between the classes only: use "eigen" with shrinkage. A
    tie goes to the class that sorts first.

    References
    ----------
    R. A. Fisher (1936), The use of multiple measurements in taxonomic problems.
    C. R. Rao (1948), The utilization of multiple measurements in problems of biological
    classification. O. Ledoit and M. Wolf (2004), A well-conditioned estimator for large-dimensional
    covariance matrices. T. Hastie, R. Tibshirani and J. Friedman (2009), The elements of
    statistical learning, section 4.3.

    Examples
    --------
    >>> A = np.array([[1, 1], [3, 3], [2, 1], [2, 3]])
    >>> model = LinearDiscriminantAnalysis().fit(np.vstack([A, A + [4, 1]]), list("aaaabbbb"))
    >>> model.coef_.round(6).tolist(), model.intercept_.round(6).tolist()
    ([[14.0, -6.0]], [-41.0])
    >>> model.eigenvalues_.round(6).tolist()
    [12.5]
    """

    RANGES: ClassVar[Ranges] = staticmethod(lda_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "solver": Choice(("svd", "lsqr", "eigen")),
        "shrinkage": Number(0.0, 1.0, step=0.01, names=("auto",), none="none"),
        "n_components": Integer(1, 100_000, shown=(1, 20), none="all"),
        "store_covariance": Flag(),
        "tol": Number(0.0, 1e6, shown=(1e-8, 0.1), log=True),
    }

    coef_: Floats
    covariance_: Floats
    eigenvalues_: Floats
    explained_variance_ratio_: Floats
    intercept_: Floats
    scalings_: Floats
    xbar_: Floats
    _n_features_out: int

    def __init__(
        self,
        solver: str = "svd",
        shrinkage: float | str | None = None,
        priors: ArrayLike | None = None,
        n_components: int | None = None,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    def transform(self, X: ArrayLike) -> Floats:
        """Return the rows projected onto the axes, shape (n_samples, n_components)."""
        if self.solver == "lsqr":
            raise UnsupportedError(
                "transform not implemented for 'lsqr': it finds no axes. Use 'svd' or 'eigen'."
            )
        check_is_fitted(self)
        rows = self._rows(X)
        if self.solver == "svd":
            rows = rows - self.xbar_
        projected: Floats = rows @ self.scalings_
        return projected[:, : self._n_features_out]

    def _scores(self, X: ArrayLike) -> Floats:
        scores: Floats = self._rows(X) @ self.coef_.T + self.intercept_
        if len(self.classes_) == 2:
            return np.column_stack([np.zeros(len(scores), scores.dtype), scores])
        return scores

    def _answer(self, part: Classes) -> dict[str, Any]:
        self._check()
        max_axes = min(len(part.classes) - 1, part.X.shape[1])
        n_axes = max_axes if self.n_components is None else self.n_components
        if n_axes > max_axes:
            raise ValueError(
                "n_components cannot be larger than min(n_features, "
                f"n_classes - 1) = {max_axes}; there are no more axes."
            )
        solve = {"svd": self._by_svd, "lsqr": self._by_lsqr, "eigen": self._by_eigen}[self.solver]
        with np.errstate(divide="ignore"):  # the logarithm of a prior of 0
            answer = solve(part) | {"_n_features_out": n_axes}
        if "eigenvalues_" in answer:
            ratios = answer.pop("_ratios")
            answer["explained_variance_ratio_"] = ratios[:n_axes]
        if len(part.classes) == 2:
            answer["coef_"] = np.diff(answer["coef_"], axis=0)
            answer["intercept_"] = np.diff(answer["intercept_"])
        return answer

    def _check(self) -> None:
        if self.solver == "svd":
            if self.shrinkage is not None:
                raise UnsupportedError(
                    "shrinkage not supported with 'svd' solver; choose 'lsqr' or 'eigen'."
                )
            if self.covariance_estimator is not None:
                raise ValueError(
                    "covariance estimator is not supported "
                    "with svd solver; choose 'lsqr' or 'eigen'."
                )
        elif self.covariance_estimator is not None and self.shrinkage:
            raise ValueError(
                "covariance_estimator and shrinkage parameters "
                "are not None. Only one of the two can be set."
            )

    def _by_svd(self, part: Classes) -> dict[str, Any]:
        """Return the axes by two singular value decompositions: of centred rows, and of means."""
        n_samples = len(part.X)
        rows = part.centred
        deviations = np.sqrt(np.einsum("ij,ij->j", rows, rows) / n_samples)
        unit = np.where(deviations > 0, deviations, 1)
        _, sizes, directions = linalg.svd(rows / unit / n_samples**0.5, full_matrices=False)
        n_directions = int((sizes > self.tol).sum())
        if not n_directions:
            raise ValueError(
                "The variance within the classes is 0, so there is no discriminant; add rows."
            )
        # Along these directions, the variance within the classes is 1.
        white = (directions[:n_directions] / unit).T / sizes[:n_directions]
        xbar = part.priors @ part.means
        between = np.sqrt(part.priors)[:, None] * ((part.means - xbar) @ white)
        _, sizes, directions = linalg.svd(between, full_matrices=False)
        scalings = white @ directions[sizes > self.tol * sizes[0]].T
        places = (part.means - xbar) @ scalings
        coef = places @ scalings.T
        answer = {
            "coef_": coef,
            "intercept_": np.log(part.priors) - (places**2).sum(axis=1) / 2 - coef @ xbar,
            "scalings_": scalings,
            "eigenvalues_": sizes[: scalings.shape[1]] ** 2,
            "_ratios": _shares(sizes**2),
            "xbar_": xbar,
            "_white": white,
        }
        if self.store_covariance:
            answer["covariance_"] = _pooled(part.covariances(), part.priors)
        return answer

    def _by_lsqr(self, part: Classes) -> dict[str, Any]:
        within = self._within(part)
        return {"covariance_": within} | _linear(part, linalg.lstsq(within, part.means.T)[0].T)

    def _by_eigen(self, part: Classes) -> dict[str, Any]:
        """Return the axes as generalised eigenvectors of the scatter between and within classes."""
        within = self._within(part)
        n_varying = rank(within, self.tol)
        n_features = len(within)
        if n_varying < n_features:
            raise np.linalg.LinAlgError(
                "The covariance matrix within the classes is singular (rank "
                f"{n_varying} of {n_features}). Set shrinkage, or choose the solver svd."
            )
        union = Classes(part.X, part.classes[:1], np.zeros(len(part.X), np.intp), part.priors[:1])
        total = union.covariance(0, self.shrinkage, self.covariance_estimator)
        values, axes = linalg.eigh(total - within, within)
        values = values[::-1]
        axes = axes[:, ::-1]
        return {
            "covariance_": within,
            "scalings_": axes,
            "eigenvalues_": values,
            "_ratios": _shares(values),
        } | _linear(part, part.means @ axes @ axes.T)

    def _within(self, part: Classes) -> Floats:
        return _pooled(part.covariances(self.shrinkage, self.covariance_estimator), part.priors)

    def _shapes(self, part: Classes, step: DiscriminantStep, answer: dict[str, Any]) -> Steps:
        n_classes = len(part.classes)
        shares = part.counts / len(part.X) if self.solver == "svd" else part.priors
        pooled = _pooled(step.singles, shares)
        step = replace(
            step, phase="pool", index=None, pooled=pooled, matrices=(pooled,) * n_classes
        )
        yield step
        if self.shrinkage is not None or self.covariance_estimator is not None:
            step = replace(step, phase="regularise", matrices=(answer["covariance_"],) * n_classes)
            yield step
        return step

    def _inverses(self, step: DiscriminantStep, answer: dict[str, Any]) -> Iterator[Floats]:
        if "_white" in answer:
            inverse = answer["_white"] @ answer["_white"].T
        elif "scalings_" in answer:
            inverse = answer["scalings_"] @ answer["scalings_"].T
        else:
            inverse = np.linalg.pinv(step.matrices[0], hermitian=True)
        return iter([inverse] * len(step.counts))

    def _ended(self, step: DiscriminantStep, answer: dict[str, Any]) -> Iterator[DiscriminantStep]:
        axes = answer.get("scalings_")
        values = answer.get("eigenvalues_")
        if axes is not None and values is not None:
            for j in range(min(answer["_n_features_out"], axes.shape[1])):
                first = {"scalings": axes[:, : j + 1], "eigenvalues": values[: j + 1]}
                yield replace(step, phase="axis", index=j, **first)
        n_varying = rank(step.matrices[0], self.tol)
        n_features = len(step.matrices[0])
        reason = ""
        if n_varying < n_features:
            reason = (
                f"The rows vary within the classes in {n_varying} of "
                f"{n_features} directions only: shrinkage would use all."
            )
        yield replace(
            step,
            phase="done",
            index=None,
            scalings=axes,
            eigenvalues=values,
            coef=answer["coef_"],
            intercept=answer["intercept_"],
            reason=reason,
        )


def _pooled(matrices: Sequence[Floats], shares: Floats) -> Floats:
    pooled: Floats = np.tensordot(shares, np.array(matrices), axes=1)
    return pooled


def _shares(values: Floats) -> Floats:
    total = values.sum()
    return values / total if total > 0 else np.zeros_like(values)


def _linear(part: Classes, coef: Floats) -> dict[str, Any]:
    """Return weights and their constants."""
    return {
        "coef_": coef.astype(part.X.dtype),
        "intercept_": np.log(part.priors) - np.einsum("ij,ij->i", part.means, coef) / 2,
    }
