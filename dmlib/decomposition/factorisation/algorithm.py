"""What factorisations have in common, and the singular value decomposition, one component a step."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self
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
NOTHING = np.empty((0, 0))


@dataclass(frozen=True)
class FactorStep:
    """A component came in, or codes and parts were improved.

    Attributes
    ----------
    phase : {"start", "component", "update", "epoch", "code", "atoms", "done"}
        What happened.
    n : int
        How many components, updates, epochs or rounds there are now.
    codes : ndarray of shape (n_samples, k)
        What each row has of each part.
    parts : ndarray of shape (k, n_features)
        The parts, in units of the columns.
    offset : ndarray of shape (n_features,)
        What is added to codes times parts.
    objective : float
        What is made small; by default the sum of squares that is left.
    energy : float
        1 less the sum of squares that is left, divided by that of the table.
    encoder : ndarray of shape (n_features + 1, k)
        Of an autoencoder, weights that make codes of rows, and in the last row what is added; else
        empty.
    converged : bool
        Whether it is not a limit of updates that ended the run.
    """

    phase: str
    n: int
    codes: Floats
    parts: Floats
    offset: Floats
    objective: float
    energy: float
    encoder: Floats = field(default_factory=lambda: NOTHING)
    converged: bool = True

    @property
    def rebuilt(self) -> Floats:
        """The table that codes and parts make."""
        return np.asarray(self.codes @ self.parts + self.offset)


class Factorisation(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A table of rows times columns as codes of the rows times parts."""

    PARAMS: ClassVar[dict[str, Param]]
    RANGES: ClassVar[Ranges] = staticmethod(part_range)
    n_components: int

    def draft(self, X: ArrayLike, y: Any = None) -> dict[str, int]:
        """Return how many updates are made while a control moves; nothing where all is found at once."""
        max_iter = getattr(self, "max_iter", None)
        return (
            {}
            if max_iter is None
            else {"max_iter": epochs_of_draft(max_iter, *self._work(*np.shape(X)))}
        )

    def _work(self, n: int, p: int) -> tuple[float, float]:
        """Return what an update takes, in layers and in multiplications, as :func:`epochs_of_draft` counts."""
        return 4, 6.0 * n * p * self.n_components

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find parts and codes of the rows of ``X``; ``y`` is not used."""
        return self.fit_from(list(deque(self.steps(X), maxlen=1)), X)

    def fit_from(self, steps: Sequence[FactorStep], X: ArrayLike, y: Any = None) -> Self:
        """Become what the last step says."""
        rows = validate_data(self, X, dtype=np.float64)
        last = steps[-1]
        if not last.converged:
            warn(
                f"Not converged after {last.n} updates; raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.step_ = last
        self.components_, self.offset_, self.codes_ = (
            last.parts.copy(),
            last.offset.copy(),
            last.codes.copy(),
        )
        self.energy_, self.objective_, self.n_iter_ = last.energy, last.objective, last.n
        self.rmse_ = float(np.sqrt(((rows - last.rebuilt) ** 2).mean()))
        self.n_components_ = self._n_features_out = len(last.parts)
        return self

    def transform(self, X: ArrayLike) -> Floats:
        """Return the codes of rows, shape (n_samples, n_components_)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        self._refuse(rows)
        return self._encode(rows, self.step_)

    def inverse_transform(self, X: ArrayLike) -> Floats:
        """Return the rows that codes stand for, shape (n_samples, n_features)."""
        check_is_fitted(self)
        return np.asarray(
            check_array(X, dtype=np.float64, ensure_min_features=0) @ self.components_
            + self.offset_
        )

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


def made(
    phase: str,
    n: int,
    X: Floats,
    codes: Floats,
    parts: Floats,
    offset: Floats,
    objective: float | None = None,
    encoder: Floats = NOTHING,
) -> FactorStep:
    """Return a step with the energy of its codes and parts."""
    left = float(((X - codes @ parts - offset) ** 2).sum())
    whole = float((X**2).sum())
    energy = 1 - left / whole if whole > 0 else 1.0
    return FactorStep(
        phase, n, codes, parts, offset, left if objective is None else objective, energy, encoder
    )


class SVD(Factorisation):
    r"""Take a table apart into orthogonal parts, the largest first.

    :math:`X = \sum_j \sigma_j u_j v_j^T`. The first k terms are the table of rank k that is nearest to X.

    Parameters
    ----------
    n_components : int, default=4
        How many terms are kept.
    center : bool, default=False
        Whether the means of the columns are taken away first: then it is a principal component
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
        The means that were taken away; 0 without.
    energy_ : float
        The share of the sum of squares of the table that is kept.
    objective_, rmse_ : float
        The sum of squares that is left; the root of its mean.
    n_iter_ : int
        As many as components.
    n_components_ : int
        How many there are: not more than the rank.
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
    >>> model.components_.round(6).tolist(), model.singular_values_.round(4).tolist(), round(model.energy_, 4)
    ([[1.0, 0.0]], [4.4721], 0.9524)
    """

    PARAMS: ClassVar[dict[str, Param]] = {"n_components": PARTS, "center": Flag()}

    def __init__(self, n_components: int = 4, *, center: bool = False) -> None:
        self.n_components = n_components
        self.center = center

    def fit_from(self, steps: Sequence[FactorStep], X: ArrayLike, y: Any = None) -> Self:
        """Become what the last step says."""
        super().fit_from(steps, X)
        self.singular_values_ = np.sqrt((self.codes_**2).sum(axis=0))
        return self

    def _steps(self, X: Floats) -> Iterator[FactorStep]:
        offset = X.mean(axis=0) if self.center else np.zeros(X.shape[1])
        left, sizes, right = np.linalg.svd(X - offset, full_matrices=False)
        rank = int((sizes > sizes[0] * max(X.shape) * np.finfo(float).eps).sum())
        sign = np.sign(right[np.arange(len(right)), np.abs(right).argmax(axis=1)])
        codes, parts = left * sizes * sign, right * sign[:, None]
        step = made("start", 0, X, codes[:, :0], parts[:0], offset)
        yield step
        for k in range(1, min(self.n_components, rank) + 1):
            look()
            step = made("component", k, X, codes[:, :k], parts[:k], offset)
            yield step
        yield replace(step, phase="done")

    def _encode(self, X: Floats, step: FactorStep) -> Floats:
        return np.asarray((X - step.offset) @ step.parts.T)
