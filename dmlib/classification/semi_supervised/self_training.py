"""Self-training: a classifier labels the rows of which it is sure, and learns from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.semi_supervised.base_classifier import APPLIES, BASE
from dmlib.classification.semi_supervised.partly_labeled import PartlyLabeled
from dmlib.classification.semi_supervised.ranges import round_ranges
from dmlib.classification.semi_supervised.round_step import RoundClassifier, RoundStep
from dmlib.params import Choice, Conditions, Integer, Number, Param, Ranges


class SelfTrainingClassifier(RoundClassifier):
    """Label rows by a classifier's own confident predictions, and train it again on them.

    In each round the classifier is trained on all rows with a label. Of the other rows, those whose
    most probable class is more probable than the threshold get it as their label, for good.

    Parameters
    ----------
    estimator : {"knn", "naive_bayes", "logistic_regression"}, default="knn"
        The base classifier. "knn": k nearest neighbours, whose votes weigh 1 / distance.
        "naive_bayes": normal densities, to whose variances a tenth of the largest one is added.
    n_neighbors : int, default=3
        The number of neighbours, k, of "knn"; at most as many as there are labelled rows.
    criterion : {"threshold", "k_best"}, default="threshold"
        Which rows get a label in a round: those above the threshold, or the most probable ones.
    threshold : float, default=0.75
        The probability above which a prediction becomes a label.
    k_best : int, default=10
        The number of rows that get a label in a round, with "k_best".
    max_iter : int, default=10
        The largest number of rounds.
    n_labeled : int or None, default=1
        The labels of all other rows are hidden: of each class so many rows, chosen at random, keep
        theirs. None: all labels of ``y`` are used, and rows with -1 have none.
    queries : sequence of int, default=()
        Rows whose labels are known as well.
    random_state : int, RandomState or None, default=None
        The seed of the choice of the labelled rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    X_ : ndarray of shape (n_samples, n_features)
        The training rows.
    estimator_ : classifier
        The classifier after the last round.
    label_distributions_ : ndarray of shape (n_samples, n_classes)
        The probabilities of the training rows by this classifier.
    transduction_ : ndarray of shape (n_samples,)
        The label of each row, given or learned; where it has none, the predicted class.
    labeled_iter_ : ndarray of shape (n_samples,)
        The round in which each row got its label: 0 at the start, -1 never.
    hidden_ : ndarray of bool, shape (n_samples,)
        The rows whose label is hidden from the classifier.
    error_ : ndarray of shape (2,)
        How many of them are misclassified, and how many there are; empty if there are none.
    n_labels_ : int
        How many rows have a label in the end.
    n_iter_ : int
        The number of rounds.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If no row has a label, or a parameter is out of bounds.

    Notes
    -----
    One fit of the base classifier for each round and one more. A label that was given is never
    taken back. Of equally probable classes the first one counts, of equally probable rows the first
    ones. With ``n_labeled=None`` the rounds are those of scikit-learn with the same base
    classifier, but for the order of ties among "k_best".

    References
    ----------
    D. Yarowsky (1995), Unsupervised word sense disambiguation rivaling supervised methods.
    H. J. Scudder (1965), Probability of error of some adaptive pattern-recognition machines.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [9.0], [10.0]]
    >>> model = SelfTrainingClassifier(n_labeled=None).fit(X, [0, -1, -1, -1, 1])
    >>> model.transduction_.tolist(), model.labeled_iter_.tolist()
    ([0, 0, 0, 1, 1], [0, 1, 1, 1, 0])
    """

    RANGES: ClassVar[Ranges] = staticmethod(round_ranges)
    APPLIES: ClassVar[Conditions] = {
        **APPLIES,
        "threshold": ("criterion", ("threshold",)),
        "k_best": ("criterion", ("k_best",)),
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        **BASE,
        "criterion": Choice(("threshold", "k_best")),
        "threshold": Number(0.0, 1.0, shown=(0.5, 0.99), step=0.01),
        "k_best": Integer(1, 1_000_000, shown=(1, 20)),
        "max_iter": Integer(0, 10_000, shown=(0, 30)),
        "n_labeled": Integer(0, 1_000_000, shown=(0, 10), none="all labels"),
    }

    def __init__(
        self,
        estimator: str = "knn",
        *,
        n_neighbors: int = 3,
        criterion: str = "threshold",
        threshold: float = 0.75,
        k_best: int = 10,
        max_iter: int = 10,
        n_labeled: int | None = 1,
        queries: Sequence[int] = (),
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_neighbors = n_neighbors
        self.criterion = criterion
        self.threshold = threshold
        self.k_best = k_best
        self.max_iter = max_iter
        self.n_labeled = n_labeled
        self.queries = queries
        self.random_state = random_state

    def confident(self, proba: Floats, labels: Ints) -> Ints:
        """Return the rows without a label that get one, the most probable first."""
        unlabeled = np.flatnonzero(labels < 0)
        certainty = proba[unlabeled].max(axis=1)
        order = np.argsort(-certainty, kind="stable")
        chosen = order[certainty[order] > self.threshold]
        if self.criterion == "k_best":
            chosen = order[: self.k_best]
        rows: Ints = unlabeled[chosen]
        return rows

    def _rounds(self, X: Floats, start: PartlyLabeled, step: RoundStep) -> Iterator[RoundStep]:
        reason = f"The limit of {self.max_iter} rounds was reached."
        while (step.labels < 0).any() and step.iteration < self.max_iter:
            rows = self.confident(step.proba, step.labels)
            if not len(rows):
                reason = f"No prediction is more probable than {self.threshold:g}."
                break
            labeled = self._labeled(step, "label", rows, step.proba[rows].argmax(axis=1))
            step = self._retrained(X, start, labeled)
            yield step
        if (step.labels >= 0).all():
            reason = "Every row has a label."
        yield replace(step, phase="done", rows=np.empty(0, np.intp), reason=reason)
