"""The isolation forest: rows that few random cuts set apart are anomalies."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state

from dmlib.anomaly_detection.detector import THRESHOLD, Detector, DetectorStep, no_scores
from dmlib.anomaly_detection.isolation_tree import (
    LEAF,
    IsolationTree,
    average_path_length,
    grow_trees,
)
from dmlib.arrays import Floats, Ints
from dmlib.params import Integer, Param
from dmlib.trace import look

LIMIT = 0.5  # of "auto", as in scikit-learn: the score of a row with an average path
ROOM = 1_000_000  # numbers of samples that are cut at once


@dataclass(frozen=True, kw_only=True)
class IsolationForestStep(DetectorStep):
    """One step of an isolation forest.

    Attributes
    ----------
    phase : {"sample", "cut", "score", "mark"}
        The rows of the first tree were drawn; a node of it was cut; the paths through one more tree
        changed all scores; rows were marked.
    trees : tuple of IsolationTree
        The trees so far; while the first one is cut, that tree.
    node : int or None
        On "cut": the node.
    sample : ndarray of shape (n_drawn,)
        The rows that the last tree was grown from.
    path_lengths : ndarray of shape (n_samples,)
        The mean path length of each row over the trees so far; NaN before the first.
    n_drawn : int
        The rows that each tree is grown from.
    """

    trees: tuple[IsolationTree, ...]
    node: int | None = None
    sample: Ints
    path_lengths: Floats
    n_drawn: int


class IsolationForest(Detector[IsolationForestStep]):
    r"""Mark rows that random cuts set apart early.

    Each tree cuts a sample of the rows, at random, until every row is alone. With the mean path
    length :math:`E(h)` of a row over all trees and :math:`c(\psi)`, that of a search in a random
    tree of :math:`\psi` rows, its score is :math:`2^{-E(h)/c(\psi)}`: near 1 for rows that are
    alone soon, about 0.5 or less for the others.

    Parameters
    ----------
    n_estimators : int, default=100
        The number of trees.
    max_samples : int, default=256
        How many rows each tree is grown from: ψ; all of them where there are fewer.
    contamination : float or "auto", default="auto"
        The share of the rows that are marked, those with the highest scores. "auto": those with a
        score above 0.5.
    threshold : float or None, default=None
        The score above which rows are marked; it overrides the share.
    anomaly_class : int, default=0
        The number of the class of known anomalies, from 1: the code plus 1. The scores do not
        depend on it; 0 for none.
    random_state : int, RandomState or None, default=None
        Draws the samples and the cuts.

    Attributes
    ----------
    scores_ : ndarray of shape (n_samples,)
        The score of each row, between 0 and 1.
    threshold_ : float
        The score above which rows are marked.
    anomalies_ : ndarray of bool, shape (n_samples,)
        Which rows are marked.
    n_anomalies_ : int
        How many these are.
    precision_, recall_, auc_ : float or None
        Of the marked rows, the share of known anomalies; of these, the share that is marked; and
        the area under the ROC curve of the scores. None where nothing is known.
    trees_ : tuple of IsolationTree
        The trees.
    path_lengths_ : ndarray of shape (n_samples,)
        The mean path length of each row.
    n_drawn_ : int
        The rows that each tree was grown from.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a parameter is out of bounds.

    Notes
    -----
    O(t ψ log ψ) for t trees, and O(n t log ψ) for the scores of n rows. A tree is at most
    log₂ ψ deep, rounded up; a leaf with several rows counts as c of their number. A column is drawn
    among those that are not constant in the node, as in scikit-learn, whose random numbers are
    others. More trees are added to the same first ones.

    References
    ----------
    F. T. Liu, K. M. Ting and Z.-H. Zhou (2008), Isolation forest, algorithms 1 to 3 and equations 1
    and 2.

    Examples
    --------
    >>> model = IsolationForest(random_state=0).fit([[0.0], [1.0], [2.0], [3.0], [30.0]])
    >>> model.scores_.round(2).tolist(), model.anomalies_.tolist()
    ([0.43, 0.36, 0.36, 0.44, 0.72], [False, False, False, False, True])
    """

    KEPT: ClassVar[tuple[str, ...]] = ("trees", "path_lengths", "n_drawn")
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_estimators": Integer(1, 1000, shown=(1, 200)),
        "max_samples": Integer(2, 4096, shown=(2, 256)),
    } | THRESHOLD

    trees_: tuple[IsolationTree, ...]
    path_lengths_: Floats
    n_drawn_: int

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        max_samples: int = 256,
        contamination: float | str = "auto",
        threshold: float | None = None,
        anomaly_class: int = 0,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.contamination = contamination
        self.threshold = threshold
        self.anomaly_class = anomaly_class
        self.random_state = random_state

    def _learn(self, X: Floats) -> Generator[IsolationForestStep, None, IsolationForestStep]:
        n_drawn = min(self.max_samples, len(X))
        depth = int(np.ceil(np.log2(max(n_drawn, 2))))
        nothing = no_scores(X)
        step = IsolationForestStep(
            phase="sample",
            trees=(),
            sample=nothing["rows"],
            path_lengths=nothing["scores"],
            n_drawn=n_drawn,
            **nothing,
        )
        total = np.zeros(len(X))
        for number, (sample, tree) in enumerate(self._grown(X, n_drawn, depth), start=1):
            look()
            step = replace(step, trees=(*step.trees, tree), sample=sample)
            if number == 1:
                yield step
                for node in np.flatnonzero(tree.features != LEAF).tolist():
                    yield replace(step, phase="cut", node=node)
            total = total + tree.path_lengths(X)
            lengths = total / number
            step = replace(
                step,
                phase="score",
                rows=np.arange(len(X)),
                path_lengths=lengths,
                scores=isolation_scores(lengths, n_drawn),
            )
            yield step
        return step

    def _grown(self, X: Floats, n_drawn: int, depth: int) -> Iterator[tuple[Ints, IsolationTree]]:
        """Yield the sample of each tree and the tree; many are grown at once."""
        random = check_random_state(self.random_state)
        seeds = random.randint(2**31 - 1, size=(self.n_estimators, 2))  # of a sample and its cuts
        n_at_once = max(1, ROOM // (n_drawn * max(X.shape[1], 2)))
        for part in np.array_split(seeds, -(-len(seeds) // n_at_once)):
            samples = np.array([drawn_rows(len(X), n_drawn, seed) for seed in part[:, 0].tolist()])
            yield from zip(samples, grow_trees(X[samples], depth, part[:, 1].tolist()), strict=True)

    def _scores(self, X: Floats) -> Floats:
        return forest_scores(self.trees_, X, self.n_drawn_)

    def _limit(self, step: IsolationForestStep) -> float:
        return LIMIT


def drawn_rows(n_samples: int, n_drawn: int, seed: int) -> Ints:
    """Return the rows that a tree is grown from, ascending."""
    return np.sort(np.random.default_rng(seed).permutation(n_samples)[:n_drawn])


def isolation_scores(path_lengths: Floats, n_drawn: int) -> Floats:
    """Return 2^(-E(h) / c(ψ)) of mean path lengths.

    Examples
    --------
    >>> isolation_scores(np.array([1.0, 10.2448]), 256).round(3).tolist()
    [0.935, 0.5]
    """
    average = float(average_path_length(n_drawn))
    return np.asarray(2.0 ** -(path_lengths / average if average else np.ones(len(path_lengths))))


def forest_scores(trees: Iterable[IsolationTree], X: Floats, n_drawn: int) -> Floats:
    """Return the scores of rows by trees, each grown from ``n_drawn`` rows."""
    return isolation_scores(np.mean([tree.path_lengths(X) for tree in trees], axis=0), n_drawn)
