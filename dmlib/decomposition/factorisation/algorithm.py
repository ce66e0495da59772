"""The base class of factorisations, and the singular value decomposition."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.ranges import part_range
from dmlib.draft import epochs_of_draft
from dmlib.params import Flag, Integer, Param, Ranges, check_params
from dmlib.squares import check_largest
from dmlib.trace import look

PARTS = Integer(1, 200, shown=(1, 20))
NO_ENCODER = np.empty((0, 0))
Phase = Literal["start", "component", "update", "epoch", "code", "atoms", "done"]


@dataclass(frozen=True)
class FactorStep:
    """A component was added, or codes and parts were improved.

    Attributes
    ----------
    phase : Phase
        The textbook's verb.
    n : int
        The number of components, updates, epochs or rounds up to here.
    codes : ndarray of shape (n_samples, k)
        The weight of each part in each row.
    parts : ndarray of shape (k, n_features)
        The parts, in units of the columns.
    offset : ndarray of shape (n_features,)
        Added to codes times parts.
    objective : float
        The loss; by default the sum of squared residuals.
    energy : float
        1 minus the sum of squared residuals by that of the table.
    encoder : ndarray of shape (n_features + 1, k)
        Of an autoencoder, the weights of the encoder, and in the last row its biases; else empty.
    converged : bool
        False where the limit of updates ended the run.
    """

    phase: Phase
    n: int
    codes: Floats
    parts: Floats
    offset: Floats
    objective: float
    energy: float
    encoder: Floats = field(default_factory=lambda: NO_ENCODER)
    converged: bool = True

    @property
    def rebuilt(self) -> Floats:
        """The reconstruction of the table from codes and parts."""
        return np.asarray(self.codes @ self.parts + self.offset)

    @property
    def factors(self) -> FactorStep:
        """The step itself: the steps of pictures have their codes and parts under this name."""
        return self


class Factorisation(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A table of rows times columns as codes of the rows times parts."""

    PARAMS: ClassVar[dict[str, Param]]
    RANGES: ClassVar[Ranges] = staticmethod(part_range)
    n_components: int

    def draft(self, X: ArrayLike, y: Any = None) -> dict[str, int]:
        """Return the number of updates while a control moves; nothing where there are none."""
        max_iter = getattr(self, "max_iter", None)
        if max_iter is None:
            return {}
        return {"max_iter": epochs_of_draft(max_iter, *self._work(*np.shape(X)))}

    def _work(self, n: int, p: int) -> tuple[float, float]:
        """Return the layers and multiplications of an update, for :func:`epochs_of_draft`."""
        return 4, 6.0 * n * p * self.n_components

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find parts and codes of the rows of ``X``; ``y`` is ignored."""
        return self.fit_from(list(deque(self.steps(X), maxlen=1)), X)

    def fit_from(self, steps: Sequence[FactorStep], X: ArrayLike, y: Any = None) -> Self:
        """Set the fitted attributes from the last step."""
        rows = validate_data(self, X, dtype=np.float64)
        last = steps[-1]
        if not last.converged:
            warn(
                f"Not converged after {last.n} updates; raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.step_ = last
        self.components_ = last.parts.copy()
        self.offset_ = last.offset.copy()
        self.codes_ = last.codes.copy()
        self.energy_, self.objective_, self.n_iter_ = last.energy, last.objective, last.n
        self.rmse_ = self.rmse(rows, last.rebuilt)
        self.n_components_ = self._n_features_out = len(last.parts)
        return self

    def rmse(self, X: ArrayLike, rebuilt: Floats) -> float:
        """Return the root mean squared error of a reconstruction of the rows."""
        return float(np.sqrt(((np.asarray(X) - rebuilt) ** 2).mean()))

    def transform(self, X: ArrayLike) -> Floats:
        """Return the codes of rows, shape ``(n_samples, n_components_)``."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        self._refuse(rows)
        return self._encode(rows, self.step_)

    def inverse_transform(self, X: ArrayLike) -> Floats:
        """Return the rows with these codes, shape (n_samples, n_features)."""
        check_is_fitted(self)
        codes = check_array(X, dtype=np.float64, ensure_min_features=0)
        return np.asarray(codes @ self.components_ + self.offset_)

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[FactorStep]:
        """Yield codes and parts as they become better."""
        check_params(self.PARAMS, self.get_params(deep=False))
        rows = check_array(X, dtype=np.float64, estimator=self)
        self._refuse(rows)
        yield from self._steps(rows)

    def _steps(self, X: Floats) -> Iterator[FactorStep]:
        raise NotImplementedError

    def _encode(self, X: Floats, step: FactorStep) -> Floats:
        raise NotImplementedError

    def _refuse(self, X: Floats) -> None:
        """Raise a ValueError for tables that cannot be factorised."""
        check_largest(X)


def factor_step(
    phase: Phase,
    n: int,
    X: Floats,
    codes: Floats,
    parts: Floats,
    offset: Floats,
    objective: float | None = None,
    encoder: Floats = NO_ENCODER,
) -> FactorStep:
    """Return a step with the energy of its codes and parts."""
    residual = float(((X - codes @ parts - offset) ** 2).sum())
    total = float((X**2).sum())
    energy = 1 - residual / total if total > 0 else 1.0
    if objective is None:
        objective = residual
    return FactorStep(phase, n, codes, parts, offset, objective, energy, encoder)


class SVD(Factorisation):
    r"""Factorise a table into orthogonal parts, the largest first.

    :math:`X = \sum_j \sigma_j u_j v_j^T`. The sum of the first k terms is the best approximation of
    rank k.

    Parameters
    ----------
    n_components : int, default=4
        Number of terms.
    center : bool, default=False
        Whether the means of the columns are subtracted first: then it is a principal component
        analysis.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features)
        The parts :math:`v_j`; the largest weight of each is positive.
    codes_ : ndarray of shape (n_samples, n_components_)
        The codes :math:`\sigma_j u_j` of the rows.
    singular_values_ : ndarray of shape (n_components_,)
        The lengths :math:`\sigma_j` of the codes.
    offset_ : ndarray of shape (n_features,)
        The means that were subtracted; 0 without.
    energy_ : float
        The share of the sum of squares of the table that is kept.
    objective_, rmse_ : float
        The sum of squared residuals; the root of their mean.
    n_iter_ : int
        The number of components.
    n_components_ : int
        The number of components: not more than the rank.
    step_ : FactorStep
        The last step.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing or too large to be squared.

    Notes
    -----
    O(n p min(n, p)).

    References
    ----------
    C. Eckart and G. Young (1936), The approximation of one matrix by another of lower rank.
    Psychometrika 1, 211-218.

    Examples
    --------
    >>> model = SVD(1).fit([[2.0, 0.0], [4.0, 0.0], [0.0, 1.0]])
    >>> model.components_.round(6).tolist(), model.singular_values_.round(4).tolist()
    ([[1.0, 0.0]], [4.4721])
    >>> round(model.energy_, 4)
    0.9524
    """

    PARAMS: ClassVar[dict[str, Param]] = {"n_components": PARTS, "center": Flag()}

    def __init__(self, n_components: int = 4, *, center: bool = False) -> None:
        self.n_components = n_components
        self.center = center

    def fit_from(self, steps: Sequence[FactorStep], X: ArrayLike, y: Any = None) -> Self:
        """Set the fitted attributes from the last step."""
        super().fit_from(steps, X)
        self.singular_values_ = np.sqrt((self.codes_**2).sum(axis=0))
        return self

    def _steps(self, X: Floats) -> Iterator[FactorStep]:
        offset = X.mean(axis=0) if self.center else np.zeros(X.shape[1])
        U, sizes, V = np.linalg.svd(X - offset, full_matrices=False)
        rank = int((sizes > sizes[0] * max(X.shape) * np.finfo(float).eps).sum())
        sign = np.sign(V[np.arange(len(V)), np.abs(V).argmax(axis=1)])
        codes, parts = U * sizes * sign, V * sign[:, None]
        step = factor_step("start", 0, X, codes[:, :0], parts[:0], offset)
        yield step
        for k in range(1, min(self.n_components, rank) + 1):
            look()
            step = factor_step("component", k, X, codes[:, :k], parts[:k], offset)
            yield step
        yield replace(step, phase="done")

    def _encode(self, X: Floats, step: FactorStep) -> Floats:
        return np.asarray((X - step.offset) @ step.parts.T)
