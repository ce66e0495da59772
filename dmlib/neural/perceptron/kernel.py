"""The kernel perceptron: it counts the mistakes of each row, and never writes out weights."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.classification.kernels import finite
from dmlib.classification.svm.ranges import svm_ranges
from dmlib.clustering.kernel_kmeans.feature_space import kernel_of
from dmlib.neural.perceptron.neuron import MAX_ROW_STEPS, LinearUnit, Phase
from dmlib.params import Choice, Conditions, Flag, Integer, Number, Param, Ranges
from dmlib.trace import look


@dataclass(frozen=True)
class KernelStep:
    """One step of a kernel perceptron.

    Attributes
    ----------
    phase : {"start", "right", "update", "epoch", "done"}
        No mistake yet; a row is classified correctly; a row is a mistake and is counted; an epoch
        ends; the end. The first 140 rows are a step each.
    epoch : int
        The pass through the rows, from 1; 0 at the start.
    counts : ndarray of shape (n_samples,)
        The number of mistakes of each row so far.
    alpha : ndarray of shape (n_samples,)
        The coefficients that would be used for predictions: the counts, or their average so far.
    n_mistakes : int
        The sum of the counts.
    row : int or None
        The row of "right" and "update".
    sign : float
        Its class, -1 or 1.
    score : float
        Its sum, before the update.
    cost : float
        On "epoch": the mistakes in it.
    converged : bool
        On "done": whether an epoch had no mistake.
    reason : str
        On "done": one sentence on why it ended.
    """

    phase: Phase
    epoch: int
    counts: Floats
    alpha: Floats
    n_mistakes: int
    row: int | None = None
    sign: float = 0.0
    score: float = 0.0
    cost: float = 0.0
    converged: bool = False
    reason: str = ""


class KernelPerceptron(LinearUnit):
    r"""The perceptron in the feature space of a kernel, by the number of mistakes of each row.

    The weights of a perceptron are a sum of rows, :math:`w = \sum_j \alpha_j y_j \phi(x_j)` with
    the number of mistakes :math:`\alpha_j` of each, so that a row needs inner products alone:
    :math:`s = \sum_j \alpha_j y_j (K(x_j, x) + 1)`, where the 1 is that of the intercept. A mistake
    is where :math:`y s \le 0`; then :math:`\alpha_i \leftarrow \alpha_i + 1`.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf"}, default="rbf"
        The inner product of the feature space: :math:`x \cdot z`,
        :math:`(\gamma\, x \cdot z + c)^p` or :math:`\exp(-\gamma \lVert x - z \rVert^2)`.
    keep : {"last", "average"}, default="last"
        Which counts are used: the last, or the mean of the counts after each row, which is the
        averaged perceptron of Freund and Schapire.
    gamma : {"scale", "auto"} or float, default="scale"
        The factor of "poly" and "rbf": "scale" is one over the sum of the columns' variances,
        "auto" one over their number.
    degree : int, default=3
        The power p of "poly".
    coef0 : float, default=0.0
        The constant c of "poly".
    max_iter : int, default=50
        The maximum number of epochs: passes through all rows. It ends earlier after one without a
        mistake.
    shuffle : bool, default=False
        Whether the rows come in a new random order in each epoch, and not as they are.
    fit_intercept : bool, default=True
        Whether there is a constant term: 1 is added to the kernel.
    random_state : int, RandomState or None, default=None
        The seed of the order of the rows.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; the second is y = 1.
    counts_ : ndarray of shape (n_samples,)
        The number of mistakes of each training row.
    alpha_ : ndarray of shape (n_samples,)
        The coefficients that are used: the counts, or their average.
    dual_coef_ : ndarray of shape (n_samples,)
        The coefficients times the classes, -1 and 1.
    support_ : ndarray of shape (n_support,)
        The rows with a coefficient above 0.
    n_iter_ : int
        The number of epochs.
    n_mistakes_ : int
        The number of mistakes in all epochs.
    converged_ : bool
        Whether the last epoch had no mistake.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there are not two classes, or numbers beyond 1e100.

    Notes
    -----
    O(n d) for each mistake, which adds a row of the kernel matrix to all sums, and for each
    prediction. With the linear kernel all sums are those of :class:`dmlib.neural.Perceptron` with
    the learning rate 1. The bound of Novikoff holds in the feature space: with the rbf kernel any
    two different rows can be separated, and mistakes end.

    References
    ----------
    M. A. Aizerman, E. M. Braverman and L. I. Rozonoer (1964), Theoretical foundations of the
    potential function method in pattern recognition learning. Y. Freund and R. E. Schapire (1999),
    Large margin classification using the perceptron algorithm.

    Examples
    --------
    >>> X, y = [[-1, -1], [1, 1], [-1, 1], [1, -1]], [0, 0, 1, 1]
    >>> model = KernelPerceptron("poly", degree=2, gamma=1.0).fit(X, y)
    >>> model.counts_.tolist(), model.score(X, y)
    ([1.0, 0.0, 1.0, 0.0], 1.0)
    """

    RANGES: ClassVar[Ranges] = staticmethod(svm_ranges)
    APPLIES: ClassVar[Conditions] = {
        "gamma": ("kernel", ("poly", "rbf")),
        "degree": ("kernel", ("poly",)),
        "coef0": ("kernel", ("poly",)),
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        "kernel": Choice(("linear", "poly", "rbf")),
        "keep": Choice(("last", "average")),
        "gamma": Number(0.0, np.inf, shown=(0.01, 100.0), log=True, names=("scale", "auto")),
        "degree": Integer(1, 30, shown=(1, 6)),
        "coef0": Number(-1e6, 1e6, shown=(-2.0, 2.0), step=0.1),
        "max_iter": Integer(1, 10_000, shown=(1, 50)),
        "shuffle": Flag(),
        "fit_intercept": Flag(),
    }
    alpha_: Floats
    counts_: Floats

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        keep: str = "last",
        gamma: float | str = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        max_iter: int = 50,
        shuffle: bool = False,
        fit_intercept: bool = True,
        random_state: Any = None,
    ) -> None:
        self.kernel = kernel
        self.keep = keep
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Count the mistakes of the rows of ``X`` and their two classes."""
        rows, labels = validate_data(self, X, y, dtype=np.float64)
        return self._become(deque(self._learn(rows, labels), maxlen=1)[0], rows, labels)

    def fit_from(self, steps: Sequence[Any], X: ArrayLike, y: ArrayLike) -> Self:
        """Become fitted as ``fit`` would, from all the steps on the same rows."""
        return self._become(steps[-1], *validate_data(self, X, y, dtype=np.float64))

    def _become(self, last: Any, X: Floats, labels: NDArray[Any]) -> Self:
        self._rows = X
        self._signs = np.where(labels == np.unique(labels)[-1], 1.0, -1.0)
        return self._set_fitted(last, labels)

    def _learned(self, step: Any) -> dict[str, Floats]:
        return {"counts_": step.counts, "alpha_": step.alpha}

    @property
    def dual_coef_(self) -> Floats:
        """The coefficients times the classes, -1 and 1."""
        check_is_fitted(self)
        coefficients: Floats = self.alpha_ * self._signs
        return coefficients

    @property
    def support_(self) -> NDArray[np.intp]:
        """The rows with a coefficient above 0."""
        check_is_fitted(self)
        return np.flatnonzero(self.alpha_)

    def inner_product(self, X: Floats) -> Callable[[Floats, Floats], Floats]:
        """Return the kernel on the training set ``X``, plus 1 with an intercept."""
        kernel = kernel_of(self.kernel, X, self.gamma, self.degree, self.coef0)
        return lambda A, B: kernel(A, B) + float(self.fit_intercept)

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the sums, positive for ``classes_[1]``, shape (n_samples,)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        support = self.support_
        products = self.inner_product(self._rows)(self._rows[support], rows)
        scores: Floats = self.dual_coef_[support] @ products
        return scores

    def terms(self, X: Floats) -> Floats:
        """Return the rows as they are: the kernel has the intercept."""
        return X

    def _learn(self, X: Floats, y: NDArray[Any]) -> Iterator[Any]:
        rows, signs = self._prepare(X, y)
        product = self.inner_product(rows)
        rng, n = check_random_state(self.random_state), len(rows)
        counts, scores, n_rows = np.zeros(n), np.zeros(n), 0
        average = counts
        reason, converged = "The limit of epochs is reached.", False
        yield KernelStep("start", 0, counts, counts, 0)
        for epoch in range(1, self.max_iter + 1):
            n_before = int(counts.sum())
            for i in rng.permutation(n) if self.shuffle else np.arange(n):
                look()
                score, sign = float(scores[i]), float(signs[i])
                phase: Phase = "right"
                if sign * score <= 0:
                    phase, counts = "update", counts.copy()
                    counts[i] += 1
                    with np.errstate(over="ignore", invalid="ignore"):
                        scores = finite(scores + sign * product(rows[i : i + 1], rows)[0])
                n_rows += 1
                if self.keep == "average":
                    average = average + (counts - average) / n_rows
                if n_rows <= MAX_ROW_STEPS:
                    state = self._state(phase, epoch, counts, average)
                    yield KernelStep(*state, row=int(i), sign=sign, score=score)
            n_mistakes = int(counts.sum()) - n_before
            yield KernelStep(*self._state("epoch", epoch, counts, average), cost=n_mistakes)
            if not n_mistakes:
                reason, converged = f"Epoch {epoch} had no mistake.", True
                break
        state = self._state("done", epoch, counts, average)
        yield KernelStep(*state, converged=converged, reason=reason)

    def _state(
        self, phase: Phase, epoch: int, counts: Floats, average: Floats
    ) -> tuple[Phase, int, Floats, Floats, int]:
        alpha = average if self.keep == "average" else counts
        return phase, epoch, counts, alpha, int(counts.sum())
