"""AdaBoost: each tree is trained on the rows that those before it misclassified."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import starmap
from typing import Any, ClassVar, NamedTuple, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.ensemble._base import _set_random_states
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from dmlib.arrays import Floats, Ints, take
from dmlib.classification.adaboost.adaboost_step import LARGEST, AdaBoostStep, Phase
from dmlib.classification.adaboost.ranges import adaboost_ranges
from dmlib.classification.adaboost.stages import StagedClassifier
from dmlib.classification.adaboost.weights import log_bound_factor, odds, reweighted
from dmlib.classification.base_learners import (
    ESTIMATOR,
    OF_TREES,
    SPOKEN,
    TREE,
    base_learner,
    check_base_learner,
    noun_of,
)
from dmlib.classification.columns import Columns, check_columns, new_rows
from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.params import (
    Choice,
    Conditions,
    Flag,
    Integer,
    Number,
    Param,
    Ranges,
    Spoken,
    check_params,
)
from dmlib.trace import look
from dmlib.trees.frontier import Table
from dmlib.trees.presorted import Presorted
from dmlib.trees.rows import read_rows
from dmlib.trees.several import classify_each

ROUNDING = 1e-10
"""An error must be smaller than that of guessing by more."""


class Rows(NamedTuple):
    """The training rows as an array or frame, and as they were read."""

    X: Any
    y: NDArray[Any]
    columns: Columns
    classes: NDArray[Any]
    table: Table
    presorted: Presorted | None  # for shallow trees of dmlib


class Round(NamedTuple):
    """The result of a round; see :class:`AdaBoostStep`."""

    phase: Phase
    estimator: Any
    predicted: Ints
    error: float
    vote: float
    before: Floats
    weights: Floats
    n_draws: Floats | None
    is_voting: bool


class AdaBoostClassifier(StagedClassifier):
    r"""Classify by the weighted vote of weak classifiers, each trained on the errors before it.

    With the weight :math:`\varepsilon` of the misclassified rows, their weights are multiplied by
    :math:`(1 - \varepsilon) / \varepsilon`, all are divided by their sum, and the classifier votes
    with the logarithm of that factor. The training error is at most
    :math:`\prod_t 2 \sqrt{\varepsilon_t (1 - \varepsilon_t)}`.

    Parameters
    ----------
    estimator : str, classifier or None, default="tree"
        The base learner. "tree", or None as in scikit-learn, is dmlib's decision tree by
        ``max_depth`` and ``criterion``; "naive_bayes", "knn" and "logistic_regression" are its
        classifiers with their defaults; or any classifier. One without
        ``sample_weight``, such as k-NN, needs ``resample``.
    n_estimators : int, default=50
        The largest number of rounds.
    learning_rate : float, default=1.0
        The factor of votes, and with them of the exponents of the factors.
    multiclass : {"samme", "m1"}, default="samme"
        For more than two classes: "m1" stops where a classifier errs on half of the weight; "samme"
        only where it is no better than guessing one of k classes, and adds ln(k - 1) to each vote.
    max_depth : int or None, default=1
        The depth of the trees; 1 is a stump, with a single test.
    criterion : {"gini", "entropy", "error"}, default="gini"
        How splits of the trees are compared.
    resample : bool, default=False
        Whether a tree is trained on rows drawn with replacement by their weights, instead of on
        weighted rows.
    random_state : int, RandomState or None, default=None
        The seed of these draws, and of an ``estimator`` that has one.

    Attributes
    ----------
    estimators_ : list of classifiers
        Those that vote.
    estimator_weights_ : ndarray of shape (n_kept,)
        Their votes: ln((1 - error) / error) times the learning rate, for "samme" and k classes with
        ln(k - 1) added.
    estimator_errors_ : ndarray of shape (n_kept,)
        The weight of the rows that each misclassifies.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_classes_ : int
        How many there are.
    feature_importances_ : ndarray of shape (n_features,)
        The mean of the trees' importances, by their votes.
    n_features_in_ : int
        The number of columns seen by ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if they were columns of a data frame.

    Raises
    ------
    ValueError
        If the estimator takes no weights, or has no importances when they are asked for.

    Notes
    -----
    A round of trees costs O(d n) times their depth, after one sort of the columns.

    A classifier without an error ends the run and votes with 1, as in scikit-learn, since the
    logarithm is infinite. One that is no better than guessing ends it and does not vote; if it is
    the first, it stays alone, as in Weka, where scikit-learn refuses. Votes are twice the alpha =
    ln((1 - error) / error) / 2 of the form with classes -1 and 1, which predicts the same. A tie
    goes to the class that sorts first. A weight does not fall below 2.2e-16, so that no row is lost
    at a large learning rate.

    Nominal columns and missing values are those of the trees:
    :class:`dmlib.classification.DecisionTreeClassifier`.

    References
    ----------
    Y. Freund and R. E. Schapire (1997), A decision-theoretic generalization of on-line learning and
    an application to boosting (AdaBoost.M1, and the bound in theorems 6 and 10). R. E. Schapire, Y.
    Freund, P. Bartlett and W. S. Lee (1998), Boosting the margin. J. Zhu, H. Zou, S. Rosset and T.
    Hastie (2009), Multi-class AdaBoost (SAMME).

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "b", "a", "a"]
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> model.estimator_errors_.round(3).tolist(), model.score(X, y)
    ([0.333, 0.25, 0.167], 1.0)
    """

    RANGES: ClassVar[Ranges] = staticmethod(adaboost_ranges)
    APPLIES: ClassVar[Conditions] = OF_TREES
    SPOKEN: ClassVar[Spoken] = SPOKEN
    PARAMS: ClassVar[dict[str, Param]] = {
        "estimator": ESTIMATOR,
        "n_estimators": Integer(1, 100_000, shown=(1, 100)),
        "max_depth": Integer(1, 2**31 - 1, shown=(1, 5), none="no limit"),
        "learning_rate": Number(1e-6, 100.0, shown=(0.05, 2.0), step=0.05),
        "multiclass": Choice(("samme", "m1")),
        "criterion": Choice(("gini", "entropy", "error")),
        "resample": Flag(),
    }

    def __init__(
        self,
        estimator: Any = TREE,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        multiclass: str = "samme",
        max_depth: int | None = 1,
        criterion: str = "gini",
        resample: bool = False,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.multiclass = multiclass
        self.max_depth = max_depth
        self.criterion = criterion
        self.resample = resample
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Boost on the rows of ``X`` and their classes ``y``; weights are those of the start."""
        check_columns(self, X, y)
        rows, weights = self._read(X, y, sample_weight)
        members = [
            (boosted.estimator, boosted.vote, boosted.error)
            for boosted in self._rounds(rows, weights)
            if boosted.is_voting
        ]
        return self._adopt(rows, members)

    def fit_from(self, steps: Sequence[AdaBoostStep], X: Any, y: ArrayLike) -> Self:
        """Fit from the steps on the same rows, without training a second time."""
        check_columns(self, X, y)
        members = [(step.estimator, 2 * step.alpha, step.error) for step in steps if step.is_voting]
        return self._adopt(self._read(X, y, None)[0], members)

    def _adopt(self, rows: Rows, members: list[tuple[Any, float, float]]) -> Self:
        """Set the fitted attributes by the voting classifiers, their votes and errors."""
        self._columns = rows.columns
        self.classes_, self.n_classes_ = rows.classes, len(rows.classes)
        self.estimators_ = [estimator for estimator, _, _ in members]
        if noun_of(self) == "tree" and hasattr(self, "feature_names_in_"):
            for tree in self.estimators_:
                tree.feature_names_in_ = self.feature_names_in_
        self.estimator_weights_ = np.array([vote for _, vote, _ in members])
        self.estimator_errors_ = np.array([error for _, _, error in members])
        return self

    def steps(self, X: Any, y: Any = None) -> Iterator[AdaBoostStep]:
        """Yield the equal weights of the start, then each round."""
        rows, weights = self._read(X, y, None)
        n, n_classes = len(weights), len(rows.classes)
        totals, log_bound = np.zeros((n, n_classes)), 0.0
        votes: list[float] = []
        errors: list[float] = []
        yield AdaBoostStep(
            "start",
            None,
            np.empty(0, np.intp),
            np.nan,
            np.nan,
            0.0,
            weights,
            weights,
            None,
            False,
            np.full((n, n_classes), 1 / n_classes),
            1.0,
            np.empty(0),
            np.empty(0),
        )
        for boosted in self._rounds(rows, weights):
            if boosted.is_voting:
                totals[np.arange(n), boosted.predicted] += boosted.vote
                votes.append(boosted.vote)
                errors.append(boosted.error)
                if boosted.phase != "stop":
                    log_bound += log_bound_factor(boosted.error, boosted.vote)
            yield AdaBoostStep(
                boosted.phase,
                boosted.estimator,
                boosted.predicted,
                boosted.error,
                odds(boosted.error),
                boosted.vote / 2,
                boosted.before,
                boosted.weights,
                boosted.n_draws,
                boosted.is_voting,
                totals / sum(votes),
                float(np.exp(min(log_bound, LARGEST))),
                np.array(votes),
                np.array(errors),
            )

    def _read(self, X: Any, y: Any, sample_weight: Any) -> tuple[Rows, Floats]:
        check_base_learner(self.estimator)
        check_params(self.PARAMS, self.get_params(deep=False) | {"estimator": TREE})
        is_tree = noun_of(self) == "tree"
        columns, classes, table, weights = read_rows(X, y, sample_weight, None, None)
        learner = None if is_tree or self.resample else base_learner(self.estimator, [0, 1])
        if learner is not None and not has_fit_parameter(learner, "sample_weight"):
            name = type(learner).__name__
            raise ValueError(
                f"{name} doesn't support sample_weight. Set resample=True, or take another"
                " estimator."
            )
        ours = Presorted.of(table, self.max_depth) if is_tree else None
        return Rows(X, np.asarray(y), columns, classes, table, ours), weights / weights.sum()

    def _rounds(self, rows: Rows, weights: Floats) -> Iterator[Round]:
        rng, n_classes = check_random_state(self.random_state), len(rows.classes)
        worst = 0.5 if self.multiclass == "m1" else 1 - 1 / n_classes
        for number in range(self.n_estimators):
            look()
            n_draws = (
                rng.multinomial(len(weights), weights).astype(float) if self.resample else None
            )
            estimator, predicted = self._trained(rows, weights if n_draws is None else n_draws, rng)
            is_wrong = predicted != rows.table.y
            error, trained = float(weights[is_wrong].sum()), (estimator, predicted)
            if error <= 0:
                yield Round("perfect", *trained, 0.0, 1.0, weights, weights, n_draws, True)
                return
            if error >= worst - ROUNDING:
                is_first = number == 0
                yield Round("stop", *trained, error, 1.0, weights, weights, n_draws, is_first)
                return
            class_term = np.log(n_classes - 1) if self.multiclass == "samme" else 0.0
            vote = self.learning_rate * float(np.log((1 - error) / error) + class_term)
            before, weights = weights, reweighted(weights, is_wrong, vote)
            yield Round("reweight", *trained, error, vote, before, weights, n_draws, True)

    def _trained(self, rows: Rows, weights: Floats, rng: Any) -> tuple[Any, Ints]:
        """Train a classifier on weighted or drawn rows; return it with its predictions."""
        if noun_of(self) == "tree":
            return self._tree(rows, weights)
        draws = np.arange(len(weights))
        if self.resample:
            draws = np.repeat(draws, weights.astype(int))
        estimator = base_learner(self.estimator, rows.y[draws])
        _set_random_states(estimator, rng)
        if self.resample:
            estimator.fit(take(rows.X, draws), rows.y[draws])
        else:
            estimator.fit(rows.X, rows.y, sample_weight=weights)
        return estimator, np.searchsorted(rows.classes, estimator.predict(rows.X))

    def _tree(self, rows: Rows, weights: Floats) -> tuple[DecisionTreeClassifier, Ints]:
        model = DecisionTreeClassifier(max_depth=self.max_depth, criterion=self.criterion)
        if rows.presorted is None:
            model.fit_table(rows.columns, rows.classes, rows.table, weights)
            return model, model.tree_.classify(rows.table.X)
        class_weights = np.where(
            rows.table.y == np.arange(len(rows.classes))[:, None], weights, 0.0
        )
        tree, leaves = rows.presorted.grow(class_weights, cast(int, self.max_depth), self.criterion)
        model.fit_table(rows.columns, rows.classes, rows.table, weights, tree)
        return model, tree.predictions[leaves]

    def decision_function(self, X: Any) -> Floats:
        """Return the decision values: one a row for two classes, else one for each class."""
        check_is_fitted(self)
        return self._decision(*deque(self._votes(X, new_rows(self, self._columns, X)), maxlen=1)[0])

    def _stages(self, X: Any, matrix: Floats) -> Iterator[Floats]:
        return starmap(self._decision, self._votes(X, matrix))

    def _votes(self, X: Any, matrix: Floats) -> Iterator[tuple[Floats, float]]:
        """Yield the votes for each class so far, in one array that changes, and their sum."""
        totals, rows = np.zeros((len(matrix), len(self.classes_))), np.arange(len(matrix))
        sums = self.estimator_weights_.cumsum().tolist()
        weights = self.estimator_weights_
        for predictions, vote, sum_ in zip(self._each(X, matrix), weights, sums, strict=True):
            totals[rows, predictions] += vote
            yield totals, sum_

    def _each(self, X: Any, matrix: Floats) -> Iterator[Ints]:
        """Yield the predicted class codes of each classifier."""
        if noun_of(self) == "tree":
            yield from classify_each([estimator.tree_ for estimator in self.estimators_], matrix)
            return
        for estimator in self.estimators_:
            look()
            yield np.searchsorted(self.classes_, estimator.predict(X))

    def cuts(self, column: int) -> Floats | None:
        """Return where predictions may change along a numeric column; None where anywhere."""
        check_is_fitted(self)
        if noun_of(self) != "tree":
            return None
        return np.concatenate([each.tree_.cuts(column) for each in self.estimators_])

    def _decision(self, totals: Floats, sum_: float) -> Floats:
        shares, n_classes = totals / sum_, len(self.classes_)
        if n_classes == 1:
            return np.zeros(len(totals))
        if n_classes == 2:
            return 2 * (shares[:, 1] - shares[:, 0])
        return (n_classes * shares - 1) / (n_classes - 1)

    @property
    def _steepness(self) -> float:  # type: ignore[override]
        return 1 / (len(self.classes_) - 1)

    @property
    def feature_importances_(self) -> Floats:
        """The mean of the importances of the trees, by their votes."""
        check_is_fitted(self)
        try:
            each = np.array([estimator.feature_importances_ for estimator in self.estimators_])
        except AttributeError:
            raise AttributeError(
                "The estimator has no feature_importances_, so that the ensemble has none; boost"
                " trees."
            ) from None
        means: Floats = self.estimator_weights_ @ each / self.estimator_weights_.sum()
        return means
