"""The perceptron and Adaline: one neuron that learns a linear boundary, row by row."""

from __future__ import annotations

from typing import Any, ClassVar

from dmlib.arrays import Floats
from dmlib.neural.perceptron.neuron import LinearUnit, Memory
from dmlib.neural.perceptron.ranges import adaline_ranges
from dmlib.params import Choice, Flag, Integer, Number, Param, Ranges

COMMON: dict[str, Param] = {
    "max_iter": Integer(1, 10_000, shown=(1, 50)),
    "shuffle": Flag(),
    "init": Choice(("zero", "random"), arrays=True),
    "fit_intercept": Flag(),
}


class Pocket(Memory):
    """The weights with the fewest errors on all rows so far; of equal ones the first."""

    def __init__(self, Z: Floats, signs: Floats, weights: Floats) -> None:
        super().__init__(Z, signs, weights)
        self.n_errors = self._count_errors(weights)

    def update(self, weights: Floats, is_update: bool) -> None:
        """Put new weights into the pocket if they have fewer errors."""
        if is_update and (n_errors := self._count_errors(weights)) < self.n_errors:
            self.weights, self.n_errors = weights, n_errors

    def _count_errors(self, weights: Floats) -> int:
        return int((((self.Z @ weights) > 0) != (self.signs > 0)).sum())


class Average(Memory):
    """The mean of the weights after each row so far: each counts as long as it survived."""

    n_rows = 0

    def update(self, weights: Floats, is_update: bool) -> None:
        """Update the mean."""
        self.n_rows += 1
        self.weights = self.weights + (weights - self.weights) / self.n_rows


MEMORIES = {"last": Memory, "best": Pocket, "average": Average}


class Perceptron(LinearUnit):
    r"""The perceptron: every misclassified row is added to the weights, or subtracted from them.

    With classes :math:`y = \pm 1`, a row is misclassified where :math:`y (b + w^T x) \le 0`; then
    :math:`w \leftarrow w + \eta y x` and :math:`b \leftarrow b + \eta y`.

    Parameters
    ----------
    keep : {"last", "best", "average"}, default="last"
        Which weights are used: the last (Rosenblatt); those with the fewest errors on the training
        rows, in a pocket (Gallant); or the mean of the weights after each row (averaged
        perceptron, Freund and Schapire).
    learning_rate : float, default=1.0
        The factor of each correction. From initial weights of zero it scales all weights, and
        changes no decision.
    max_iter : int, default=50
        The maximum number of epochs: passes through all rows. It ends earlier after one without a
        mistake.
    shuffle : bool, default=False
        Whether the rows come in a new random order in each epoch, and not as they are.
    init : {"zero", "random"} or array of shape (n_terms,), default="zero"
        The initial weights: zeros, drawn by the seed, or given, the intercept (if there is one)
        first; also as a mapping with the names ``intercept`` and ``coef``, like the fitted
        attributes.
    fit_intercept : bool, default=True
        Whether there is a constant term, so that the boundary need not pass through the origin.
    random_state : int, RandomState or None, default=None
        The seed of random initial weights and of the order of the rows.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; the second is y = 1.
    coef_ : ndarray of shape (1, n_features)
        The weights.
    intercept_ : ndarray of shape (1,)
        The constant term.
    n_iter_ : int
        The number of epochs.
    n_mistakes_ : int
        The number of rows that were misclassified when it was their turn, in all epochs.
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
    An epoch costs O(n d); with "best" O(n d) for each mistake. A row on the boundary is a mistake
    while the unit learns, and is predicted as the first class. If some boundary through the origin
    of the terms (1, x) leaves a margin g to all rows, none of which is longer than R, there are at
    most (R / g)^2 mistakes from initial weights of zero, in whatever order (Novikoff). If there is
    none, mistakes never end.

    References
    ----------
    F. Rosenblatt (1958), The perceptron: a probabilistic model for information storage and
    organization in the brain. A. B. J. Novikoff (1962), On convergence proofs on perceptrons. S. I.
    Gallant (1990), Perceptron-based learning algorithms. Y. Freund and R. E. Schapire (1999), Large
    margin classification using the perceptron algorithm.

    Examples
    --------
    >>> model = Perceptron().fit([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 0, 0, 1])
    >>> model.coef_.tolist(), model.intercept_.tolist(), model.n_mistakes_
    ([[2.0, 3.0]], [-4.0], 18)
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "keep": Choice(tuple(MEMORIES)),
        "learning_rate": Number(1e-6, 1e6, shown=(0.01, 10.0), log=True),
        **COMMON,
    }

    def __init__(
        self,
        keep: str = "last",
        *,
        learning_rate: float = 1.0,
        max_iter: int = 50,
        shuffle: bool = False,
        init: Any = "zero",
        fit_intercept: bool = True,
        random_state: Any = None,
    ) -> None:
        self.keep = keep
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.init = init
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def _gain(self, score: float, sign: float) -> float:
        return self.learning_rate * sign if sign * score <= 0 else 0.0

    def _cost(self, score: float, sign: float) -> float:
        return float(sign * score <= 0)

    def _memory(self, Z: Floats, signs: Floats, weights: Floats) -> Memory:
        return MEMORIES[self.keep](Z, signs, weights)


class Adaline(LinearUnit):
    r"""Adaline: every row moves its weighted sum towards 1 or -1, by the least mean squares rule.

    With classes :math:`y = \pm 1` and the error :math:`e = y - (b + w^T x)`,
    :math:`w \leftarrow w + \eta e x` and :math:`b \leftarrow b + \eta e`: a step down the gradient
    of half the squared error of one row.

    Parameters
    ----------
    learning_rate : float, default=0.01
        The factor of each correction. Too large, the weights grow without bound; below 2 / (length
        of a row)^2, no correction overshoots its row.
    max_iter : int, default=50
        The number of epochs: passes through all rows.
    shuffle : bool, default=False
        Whether the rows come in a new random order in each epoch, and not as they are.
    init : {"zero", "random"} or array of shape (n_terms,), default="zero"
        The initial weights: zeros, drawn by the seed, or given, the intercept (if there is one)
        first; also as a mapping with the names ``intercept`` and ``coef``, like the fitted
        attributes.
    fit_intercept : bool, default=True
        Whether there is a constant term, so that the boundary need not pass through the origin.
    random_state : int, RandomState or None, default=None
        The seed of random initial weights and of the order of the rows.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; the second is y = 1.
    coef_ : ndarray of shape (1, n_features)
        The weights.
    intercept_ : ndarray of shape (1,)
        The constant term.
    n_iter_ : int
        The number of epochs.
    n_mistakes_ : int
        The number of rows that were misclassified when it was their turn, in all epochs.
    converged_ : bool
        Whether all epochs were made; False where the weights diverged, which ``fit`` warns of.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there are not two classes, or numbers beyond 1e100.

    Notes
    -----
    An epoch costs O(n d). With a constant learning rate the weights end near those of least
    squares, not at them. The run ends where a sum is beyond 1e6, with the weights before.

    References
    ----------
    B. Widrow and M. E. Hoff (1960), Adaptive switching circuits.

    Examples
    --------
    >>> model = Adaline(learning_rate=0.5, max_iter=1).fit([[-1.0], [1.0]], [0, 1])
    >>> model.coef_.tolist(), model.intercept_.tolist()
    ([[1.0]], [0.0])
    """

    RANGES: ClassVar[Ranges] = staticmethod(adaline_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "learning_rate": Number(1e-12, 1e6, shown=(0.0001, 1.0), log=True),
        **COMMON,
    }
    limit = 1e6
    settles = False

    def __init__(
        self,
        *,
        learning_rate: float = 0.01,
        max_iter: int = 50,
        shuffle: bool = False,
        init: Any = "zero",
        fit_intercept: bool = True,
        random_state: Any = None,
    ) -> None:
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.init = init
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def _gain(self, score: float, sign: float) -> float:
        return self.learning_rate * (sign - score)

    def _cost(self, score: float, sign: float) -> float:
        return (sign - score) ** 2

    def _epoch_cost(self, cost: float, n_rows: int) -> float:
        return cost / n_rows
