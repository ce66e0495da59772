"""Quadratic and regularised discriminant analysis: a covariance matrix for each class."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.classification.covariances import Classes, rank
from dmlib.classification.discriminant import (
    Discriminant,
    DiscriminantStep,
    Steps,
    UnsupportedError,
)
from dmlib.params import Choice, Conditions, Flag, Number, Param


class _Quadratic(Discriminant):
    """A discriminant analysis with a matrix for each class, by its eigenvectors."""

    scalings_: list[Floats]
    rotations_: list[Floats]
    store_covariance: bool
    tol: float

    def _matrices(self, part: Classes) -> list[Floats]:
        raise NotImplementedError

    def _remedy(self, n_rows: int, n_features: int) -> str:
        """Return the advice for a singular matrix."""
        raise NotImplementedError

    def _answer(self, part: Classes) -> dict[str, Any]:
        matrices = self._matrices(part)
        for k, matrix in enumerate(matrices):
            if rank(matrix, self.tol) < len(matrix):
                raise np.linalg.LinAlgError(
                    f"The covariance matrix of class {part.classes[k]} is not full rank. "
                    + self._remedy(int(part.counts[k]), len(matrix))
                )
        parts = [np.linalg.eigh(matrix) for matrix in matrices]
        answer: dict[str, Any] = {
            "scalings_": [values[::-1] for values, _ in parts],
            "rotations_": [axes[:, ::-1] for _, axes in parts],
            "_matrices_": matrices,
        }
        if self.store_covariance:
            answer["covariance_"] = matrices
        return answer

    def _scores(self, X: ArrayLike) -> Floats:
        rows = self._rows(X)
        scores = np.empty((len(rows), len(self.classes_)), rows.dtype)
        with np.errstate(divide="ignore"):
            logs = np.log(self.priors_)
        for k, (values, axes) in enumerate(zip(self.scalings_, self.rotations_, strict=True)):
            squares = (((rows - self.means_[k]) @ (axes / np.sqrt(values))) ** 2).sum(axis=1)
            scores[:, k] = logs[k] - (squares + np.log(values).sum()) / 2
        return scores


class QuadraticDiscriminantAnalysis(_Quadratic):
    r"""Classify by normal densities, each class with its own covariance matrix.

    The predicted class has the largest score
    :math:`\log \pi_k - \frac{1}{2} \log |\Sigma_k| - \frac{1}{2} (x - \mu_k)' \Sigma_k^{-1} (x -
    \mu_k)`: the boundaries are conics.

    Parameters
    ----------
    solver : {"svd", "eigen"}, default="svd"
        "svd" takes ``reg_param``, "eigen" the shrinkage; the answer is otherwise the same.
    shrinkage : float, "auto" or None, default=None
        The shrinkage of each covariance matrix towards a multiple of the identity, from 0 to 1;
        "auto": by Ledoit and Wolf. Only with "eigen".
    priors : array-like of shape (n_classes,), default=None
        The prior probabilities; by default the classes' shares in the rows.
    reg_param : float, default=0.0
        The shrinkage of each covariance matrix towards the identity, from 0 to 1. Only with "svd".
    store_covariance : bool, default=False
        Whether ``covariance_`` is stored.
    tol : float, default=1e-4
        A class varies in a direction if its rows, divided by the standard deviations of the
        columns, vary by more.
    covariance_estimator : estimator, default=None
        One of scikit-learn's, in place of the shrinkage; only with "eigen".

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    priors_ : ndarray of shape (n_classes,)
        The prior probabilities.
    means_ : ndarray of shape (n_classes, n_features)
        The means.
    covariance_ : list of ndarray of shape (n_features, n_features)
        The covariance matrices, divided by n; only if they are stored.
    rotations_ : list of ndarray of shape (n_features, n_features)
        Their eigenvectors.
    scalings_ : list of ndarray of shape (n_features,)
        Their eigenvalues: the variances along the eigenvectors.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If there is one class, if a class has one row, or if a covariance matrix is singular.

    Notes
    -----
    Conventions are scikit-learn's, but that ``tol`` does not depend on the units of the columns.
    O(n d^2 + k d^3). A tie goes to the class that sorts first.

    References
    ----------
    C. A. B. Smith (1947), Some examples of discrimination.
    T. Hastie, R. Tibshirani and J. Friedman (2009), The elements of statistical learning, equation
    4.12.

    Examples
    --------
    >>> X, y = [[-1.0], [1.0], [-9.0], [-7.0], [7.0], [9.0]], ["in"] * 2 + ["out"] * 4
    >>> QuadraticDiscriminantAnalysis().fit(X, y).predict([[0.0], [20.0], [-20.0]]).tolist()
    ['in', 'out', 'out']
    """

    APPLIES: ClassVar[Conditions] = {"reg_param": ("solver", ("svd",))}
    PARAMS: ClassVar[dict[str, Param]] = {
        "solver": Choice(("svd", "eigen")),
        "shrinkage": Number(0.0, 1.0, step=0.01, names=("auto",), none="none"),
        "reg_param": Number(0.0, 1.0, shown=(0.0, 1.0), step=0.01),
        "store_covariance": Flag(),
        "tol": Number(0.0, 1e6, shown=(1e-8, 0.1), log=True),
    }

    def __init__(
        self,
        *,
        solver: str = "svd",
        shrinkage: float | str | None = None,
        priors: ArrayLike | None = None,
        reg_param: float = 0.0,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.reg_param = reg_param
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    def _matrices(self, part: Classes) -> list[Floats]:
        self._check(part)
        if self.solver == "eigen":
            return part.covariances(self.shrinkage, self.covariance_estimator)
        return [
            (1 - self.reg_param) * each + self.reg_param * np.eye(len(each))
            for each in part.covariances()
        ]

    def _check(self, part: Classes) -> None:
        if self.solver == "svd" and self.shrinkage is not None:
            raise UnsupportedError("shrinkage not supported with 'svd' solver; choose 'eigen'.")
        if self.solver == "svd" and self.covariance_estimator is not None:
            raise ValueError(
                "covariance_estimator is not supported with "
                "solver='svd'. Try solver='eigen' instead."
            )
        if self.covariance_estimator is not None and self.shrinkage:
            raise ValueError(
                "covariance_estimator and shrinkage parameters "
                "are not None. Only one of the two can be set."
            )
        if part.counts.min() < 2:
            raise ValueError(
                f"y has only 1 sample in class {part.classes[part.counts.argmin()]}, whose "
                "covariance matrix is then unknown; give it more rows, or pool the matrices."
            )
        if self.solver == "svd" and part.counts.min() <= part.X.shape[1]:
            k = part.counts.argmin()
            raise np.linalg.LinAlgError(
                f"The covariance matrix of class {part.classes[k]} is not full rank. "
                "When using `solver='svd'` a class needs more rows "
                f"({part.counts[k]}) than columns ({part.X.shape[1]}): choose 'eigen' "
                "with shrinkage or the regularised discriminant, or leave columns out."
            )

    def _remedy(self, n_rows: int, n_features: int) -> str:
        parameter = "shrinkage" if self.solver == "eigen" else "reg_param"
        return (
            f"Increase {parameter}, or leave out columns that "
            "are constant or depend on others in this class."
        )

    def _shapes(self, part: Classes, step: DiscriminantStep, answer: dict[str, Any]) -> Steps:
        step = replace(step, index=None, matrices=tuple(answer["_matrices_"]))
        is_shrunk = self.reg_param if self.solver == "svd" else self.shrinkage
        if is_shrunk or self.covariance_estimator is not None:
            step = replace(step, phase="regularise")
            yield step
        return step


class RegularizedDiscriminantAnalysis(_Quadratic):
    r"""Classify by normal densities with matrices between those of the classes and the pooled one.

    With the scatter :math:`S_k` of the :math:`n_k` rows of a class and their sum :math:`S`, the
    matrix of a class is
    :math:`\Sigma_k(\lambda) = ((1 - \lambda) S_k + \lambda S) / ((1 - \lambda) n_k + \lambda n)`,
    and then
    :math:`(1 - \gamma) \Sigma_k(\lambda) + \gamma \, \mathrm{tr}(\Sigma_k(\lambda)) / d \cdot I`.

    Parameters
    ----------
    pooling : float, default=0.5
        Pooling λ, from 0 (quadratic discriminants) to 1 (linear ones).
    gamma : float or "auto", default=0.1
        Shrinkage γ, from 0 to 1, where all columns have one variance and no correlation; "auto":
        each class's matrix is first shrunk by Ledoit and Wolf, and then pooled.
    priors : array-like of shape (n_classes,), default=None
        The prior probabilities; by default the classes' shares in the rows.
    store_covariance : bool, default=False
        Whether ``covariance_`` is stored.
    tol : float, default=1e-4
        A class varies in a direction if its rows, divided by the standard deviations of the
        columns, vary by more.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    priors_ : ndarray of shape (n_classes,)
        The prior probabilities.
    means_ : ndarray of shape (n_classes, n_features)
        The means.
    covariance_ : list of ndarray of shape (n_features, n_features)
        The matrices of the classes; only if they are stored.
    rotations_ : list of ndarray of shape (n_features, n_features)
        Their eigenvectors.
    scalings_ : list of ndarray of shape (n_features,)
        Their eigenvalues.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If there is one class, or if a matrix is singular, which it may be with γ = 0.

    Notes
    -----
    With γ = 0 it is quadratic discriminant analysis at λ = 0 and linear at λ = 1; with γ in
    between, those of scikit-learn with that shrinkage. O(n d^2 + k d^3).

    References
    ----------
    J. H. Friedman (1989), Regularized discriminant analysis, equations 16 to 18.

    Examples
    --------
    >>> X, y = [[0.0, 0.0], [2.0, 0.0], [9.0, 3.0]], ["a", "a", "b"]
    >>> model = RegularizedDiscriminantAnalysis(pooling=1).fit(X, y)
    >>> model.predict([[1.0, 0.0], [8.0, 4.0]]).tolist()
    ['a', 'b']
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "pooling": Number(0.0, 1.0, step=0.01),
        "gamma": Number(0.0, 1.0, step=0.01, names=("auto",)),
        "store_covariance": Flag(),
        "tol": Number(0.0, 1e6, shown=(1e-8, 0.1), log=True),
    }

    def __init__(
        self,
        pooling: float = 0.5,
        gamma: float | str = 0.1,
        *,
        priors: ArrayLike | None = None,
        store_covariance: bool = False,
        tol: float = 1e-4,
    ) -> None:
        self.pooling = pooling
        self.gamma = gamma
        self.priors = priors
        self.store_covariance = store_covariance
        self.tol = tol

    def _matrices(self, part: Classes) -> list[Floats]:
        pooling = self.pooling
        own = part.covariances("auto" if self.gamma == "auto" else None)
        scatter = np.tensordot(part.counts, np.array(own), axes=1)
        matrices = []
        for n, matrix in zip(part.counts, own, strict=True):
            total = (1 - pooling) * n + pooling * part.counts.sum()
            mixed = ((1 - pooling) * n * matrix + pooling * scatter) / total
            if not isinstance(self.gamma, str):
                variance = np.trace(mixed) / len(mixed)
                identity = np.eye(len(mixed))
                mixed = (1 - self.gamma) * mixed + self.gamma * variance * identity
            matrices.append(mixed)
        return matrices

    def _remedy(self, n_rows: int, n_features: int) -> str:
        return (
            "Increase pooling or gamma, or leave out columns that are constant or depend on others."
        )

    def _shapes(self, part: Classes, step: DiscriminantStep, answer: dict[str, Any]) -> Steps:
        pooled = np.tensordot(part.counts / len(part.X), np.array(step.singles), axes=1)
        step = replace(
            step, phase="pool", index=None, pooled=pooled, matrices=(pooled,) * len(part.classes)
        )
        yield step
        step = replace(step, phase="regularise", matrices=tuple(answer["_matrices_"]))
        yield step
        return step
