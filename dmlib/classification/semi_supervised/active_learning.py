"""Active learning: the classifier asks for the label that it is least certain of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from scipy.stats import entropy
from sklearn.utils import check_random_state

from dmlib.arrays import Floats, Ints
from dmlib.classification.semi_supervised.base_classifier import APPLIES, BASE
from dmlib.classification.semi_supervised.partly_labeled import (
    PartlyLabeled,
    check_queries,
    partly_labeled,
)
from dmlib.classification.semi_supervised.ranges import round_ranges
from dmlib.classification.semi_supervised.round_step import RoundClassifier, RoundStep
from dmlib.params import Choice, Conditions, Integer, Param, Ranges

STRATEGIES = ("least_confident", "margin", "entropy", "random")


class ActiveLearner(RoundClassifier):
    """Train a classifier on few labels, and ask for the label of one more row, again and again.

    Uncertainty sampling asks for the row that the classifier is least certain of: its label should
    teach most. The label that is asked for is the true one, of ``y``.

    Parameters
    ----------
    estimator : {"knn", "naive_bayes", "logistic_regression"}, default="knn"
        The classifier. "knn": k nearest neighbours, whose votes weigh 1 / distance.
        "naive_bayes": normal densities, to whose variances a tenth of the largest one is added.
    n_neighbors : int, default=3
        The number of neighbours, k, of "knn"; at most as many as there are labelled rows.
    strategy : {"least_confident", "margin", "entropy", "random"}, default="least_confident"
        The uncertainty of a row: 1 - P of its most probable class, the lead of this over the second
        class (the smaller, the less certain), or the entropy of all classes; "random" asks in a
        random order.
    n_queries : int, default=20
        How many labels are asked for.
    n_labeled : int or None, default=1
        The labels of all other rows are hidden: of each class so many rows, chosen at random, keep
        theirs. None: all labels of ``y`` are used.
    queries : sequence of int, default=()
        Rows that are asked for first, before the strategy chooses any.
    random_state : int, RandomState or None, default=None
        The seed of the choice of the labelled rows, and of the random order.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    X_ : ndarray of shape (n_samples, n_features)
        The training rows.
    estimator_ : classifier
        The classifier after the last query.
    label_distributions_ : ndarray of shape (n_samples, n_classes)
        The probabilities of the training rows by this classifier.
    transduction_ : ndarray of shape (n_samples,)
        The label of each row that has one; of the others the predicted class.
    labeled_iter_ : ndarray of shape (n_samples,)
        The number of the query of each row: 0 for labels of the start, -1 for none.
    hidden_ : ndarray of bool, shape (n_samples,)
        The rows whose label is hidden at the start.
    error_ : ndarray of shape (2,)
        How many of them are misclassified, and how many there are; empty if there are none. A row
        that was asked for is right.
    n_labels_ : int
        How many rows have a label in the end.
    n_iter_ : int
        The number of queries.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If no row has a label at the start or among the queries, or a parameter is out of bounds.

    Notes
    -----
    One fit of the classifier for each query and one more. Of equally uncertain rows the first is
    asked for. For two classes the three uncertainties choose the same row. Where no row has a label
    at the start, the first of the queries is known from the start.

    References
    ----------
    D. D. Lewis and W. A. Gale (1994), A sequential algorithm for training text classifiers.
    B. Settles (2009), Active learning literature survey, section 3.1.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [4.0], [6.0], [9.0], [10.0]], [0, 0, 0, 1, 1, 1]
    >>> model = ActiveLearner(n_labeled=None, n_queries=1)
    >>> [step.rows.tolist() for step in model.set_params(n_labeled=1, random_state=0).steps(X, y)]
    [[], [3], []]
    """

    RANGES: ClassVar[Ranges] = staticmethod(round_ranges)
    APPLIES: ClassVar[Conditions] = APPLIES
    PARAMS: ClassVar[dict[str, Param]] = {
        **BASE,
        "strategy": Choice(STRATEGIES),
        "n_queries": Integer(0, 10_000, shown=(0, 50)),
        "n_labeled": Integer(0, 1_000_000, shown=(0, 10), none="all labels"),
    }

    def __init__(
        self,
        estimator: str = "knn",
        *,
        n_neighbors: int = 3,
        strategy: str = "least_confident",
        n_queries: int = 20,
        n_labeled: int | None = 1,
        queries: Sequence[int] = (),
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_neighbors = n_neighbors
        self.strategy = strategy
        self.n_queries = n_queries
        self.n_labeled = n_labeled
        self.queries = queries
        self.random_state = random_state

    def start(self, y: Any) -> PartlyLabeled:
        """Return which rows have a label at the start: those that are asked for do not."""
        check_queries(self.queries, len(y))
        first = self.queries[:1] if self.n_labeled == 0 else ()
        return partly_labeled(y, self.n_labeled, first, self.random_state)

    def _rounds(self, X: Floats, start: PartlyLabeled, step: RoundStep) -> Iterator[RoundStep]:
        order = check_random_state(self.random_state).permutation(len(X))
        own = [row for row in self.queries if step.labels[row] < 0 <= start.codes[row]]
        while step.iteration < self.n_queries + len(own):
            candidates = np.flatnonzero((step.labels < 0) & (start.codes >= 0))
            if not len(candidates):
                break
            if step.iteration < len(own):
                row = own[step.iteration]
            elif self.strategy == "random":
                row = next(each for each in order if each in candidates)
            else:
                scores = uncertainty(step.proba[candidates], self.strategy)
                row = candidates[most_uncertain(scores)[0]]
            rows = np.array([row], np.intp)
            step = self._retrained(X, start, self._labeled(step, "query", rows, start.codes[rows]))
            yield step
        n = step.iteration
        reason = f"{n} {'label was' if n == 1 else 'labels were'} asked for."
        if not ((step.labels < 0) & (start.codes >= 0)).any():
            reason = "Every row has a label."
        yield replace(step, phase="done", rows=np.empty(0, np.intp), reason=reason)


def uncertainty(proba: Floats, strategy: str) -> Floats:
    """Return how uncertain the class of each row is: the larger, the less certain.

    Examples
    --------
    >>> proba = np.array([[0.5, 0.3, 0.2], [0.45, 0.44, 0.11]])
    >>> [uncertainty(proba, each).round(3).tolist() for each in STRATEGIES[:3]]
    [[0.5, 0.55], [0.8, 0.99], [1.03, 0.963]]
    """
    ordered = np.sort(proba, axis=1)
    if strategy == "entropy":
        return np.asarray(entropy(proba, axis=1))
    if strategy == "margin" and proba.shape[1] > 1:
        return np.asarray(1 - (ordered[:, -1] - ordered[:, -2]))
    return np.asarray(1 - ordered[:, -1])


def most_uncertain(scores: Floats) -> Ints:
    """Return the places of the largest scores, equal ones up to rounding.

    Examples
    --------
    >>> most_uncertain(np.array([0.2, 0.5, 0.5 - 1e-15])).tolist()
    [1, 2]
    """
    return np.flatnonzero(scores >= scores.max() - 1e-12)
