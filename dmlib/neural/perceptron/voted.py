"""The voted perceptron: every weight vector votes, as often as rows that it survived."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats, Ints
from dmlib.neural.perceptron.algorithm import COMMON, Perceptron
from dmlib.neural.perceptron.neuron import Memory, NeuronStep
from dmlib.params import Integer, Param

BLOCK = 64  # weight vectors whose sums are computed at once


@dataclass(frozen=True, eq=False)
class Ballot:
    """The weight vectors up to some row."""

    history: tuple[Floats, ...]
    births: tuple[int, ...]  # the number of rows before each vector came
    n_rows: int  # so far, of all epochs

    @property
    def vectors(self) -> Floats:
        """The weight vectors, shape (n_vectors, n_terms)."""
        return np.array(self.history)

    @property
    def votes(self) -> Ints:
        """How many rows each vector has survived, shape (n_vectors,)."""
        return np.diff([*self.births, self.n_rows])


class Votes(Memory):
    """All weight vectors; the last is the current one."""

    def __init__(self, Z: Floats, signs: Floats, weights: Floats) -> None:
        super().__init__(Z, signs, weights)
        self.history, self.births, self.n_rows = [weights], [0], 0

    def update(self, weights: Floats, is_update: bool) -> None:
        """Count a row for the weights that it leaves."""
        super().update(weights, is_update)
        if is_update:
            self.history.append(weights)
            self.births.append(self.n_rows)
        self.n_rows += 1

    @property
    def ballot(self) -> Ballot:
        """The vectors so far."""
        return Ballot(tuple(self.history), tuple(self.births), self.n_rows)


class VotedPerceptron(Perceptron):
    r"""The voted perceptron: all weight vectors of a perceptron vote, by the rows they survived.

    A perceptron learns from weights of zero. Its k-th weight vector :math:`w_k` gets a vote for the
    row whose mistake made it, and for each row that it classifies correctly until the next mistake:
    :math:`c_k` votes. A row is predicted by the sign of
    :math:`\sum_k c_k \operatorname{sign}(b_k + w_k^T x)`.

    Parameters
    ----------
    max_iter : int, default=10
        The maximum number of epochs: passes through all rows. It ends earlier after one without a
        mistake.
    shuffle : bool, default=False
        Whether the rows come in a new random order in each epoch, and not as they are.
    fit_intercept : bool, default=True
        Whether there is a constant term, so that the boundaries need not pass through the origin.
    random_state : int, RandomState or None, default=None
        The seed of the order of the rows.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; the second is y = 1.
    coefs_ : ndarray of shape (n_vectors, n_features)
        The weight vectors, in the order in which they came; the first is zero.
    intercepts_ : ndarray of shape (n_vectors,)
        Their constant terms.
    votes_ : ndarray of shape (n_vectors,)
        How many rows each has survived; together the rows of all epochs.
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
    An epoch costs O(n d), a prediction O(M d) after M mistakes. A vector votes for the first class
    where its sum is 0. The mean of the vectors with these votes as weights is the averaged
    perceptron, ``Perceptron(keep="average")``. After one epoch of n rows in random order, the
    probability of an error on another row is at most 2 / (n + 1) times the expected smallest
    number of mistakes that the bound allows on n + 1 rows.

    References
    ----------
    Y. Freund and R. E. Schapire (1999), Large margin classification using the perceptron algorithm,
    figure 1.

    Examples
    --------
    >>> model = VotedPerceptron().fit([[2, 4], [2, 1], [1, 2]], [0, 1, 0])
    >>> model.votes_.tolist(), model.predict([[2, 1], [1, 2]]).tolist()
    ([0, 1, 3, 5], [1, 0])
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "max_iter": Integer(1, 100, shown=(1, 30)),  # each step has all vectors
        "shuffle": COMMON["shuffle"],
        "fit_intercept": COMMON["fit_intercept"],
    }
    keep = "vote"
    learning_rate = 1.0
    init = "zero"
    coefs_: Floats
    intercepts_: Floats
    votes_: Ints

    def __init__(
        self,
        *,
        max_iter: int = 10,
        shuffle: bool = False,
        fit_intercept: bool = True,
        random_state: Any = None,
    ) -> None:
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def decision_function(self, X: ArrayLike) -> Floats:
        """Return the majority of ``classes_[1]``, from -1 to 1, shape (n_samples,)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        vectors = np.column_stack([self.intercepts_, self.coefs_])
        return majority(np.column_stack([np.ones(len(rows)), rows]), vectors, self.votes_)

    def _learned(self, step: NeuronStep) -> dict[str, Floats]:
        vectors, n = step.ballot.vectors, int(self.fit_intercept)
        weights = {"coefs_": vectors[:, n:], "intercepts_": vectors[:, :n].sum(axis=1)}
        return {**weights, "votes_": step.ballot.votes}

    def _memory(self, Z: Floats, signs: Floats, weights: Floats) -> Memory:
        return Votes(Z, signs, weights)


def majority(Z: Floats, vectors: Floats, votes: Ints) -> Floats:
    """Return the votes for the second class minus those for the first, as a share of all.

    Examples
    --------
    >>> majority(np.ones((1, 1)), np.array([[2.0], [-1.0]]), np.array([3, 1])).tolist()
    [0.5]
    """
    total = np.zeros(len(Z))
    for first in range(0, len(vectors), BLOCK):
        block = slice(first, first + BLOCK)
        total += np.where(Z @ vectors[block].T > 0, 1.0, -1.0) @ votes[block]
    return total / max(int(votes.sum()), 1)
