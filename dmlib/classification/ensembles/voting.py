"""The base of bagging and random forests: classifiers trained on bags, and their mean."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from dmlib.arrays import Floats, Ints, take
from dmlib.classification.base_learners import TREE, base_learner, check_base_learner, noun_of
from dmlib.classification.columns import Columns, check_columns, new_rows
from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.classification.decision_tree.settings import n_features
from dmlib.classification.ensembles.bags import LARGEST_SEED, draws, n_drawn
from dmlib.classification.ensembles.ensemble_step import EnsembleStep
from dmlib.params import Param, check_params
from dmlib.trace import look
from dmlib.trees.frontier import Table
from dmlib.trees.growth import grow
from dmlib.trees.rows import read_rows
from dmlib.trees.several import predict_each
from dmlib.trees.tree import Tree, build_all

MAX_BATCH_ROWS = 2**15
"""Drawn rows of the trees that are grown together: more would not fit into the cache."""

MAX_DRAFT_ROWS = 3_000
"""Rows that are drawn for all classifiers of a draft."""

MIN_ESTIMATORS = 5
"""Classifiers of a draft at least."""


class Rows(NamedTuple):
    """The training rows as an array or frame, and as they were read."""

    X: Any
    y: NDArray[Any]
    columns: Columns
    classes: NDArray[Any]
    table: Table
    weights: Floats | None


class Member(NamedTuple):
    """A classifier of the ensemble with its bag and its columns."""

    estimator: Any
    bag: Ints
    columns: Ints
    own: bool  # whether it is a tree of dmlib, which need not read the rows a second time


class VotingClassifier(ClassifierMixin, BaseEstimator):
    """Train classifiers on bags, and predict by their mean class probabilities.

    A subclass has :meth:`_members`.
    """

    PARAMS: ClassVar[dict[str, Param]]
    LENGTH: ClassVar[str] = "n_estimators"
    estimator: Any = TREE  # of each bag; by default an own tree
    n_estimators: int
    max_samples: Any
    max_features: Any
    bootstrap: bool
    oob_score: bool
    random_state: Any
    _columns: Columns

    def _members(self, rows: Rows, rng: Any) -> Iterator[Member]:
        """Yield the classifiers, one after the other."""
        raise NotImplementedError

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train the classifiers on bags of the rows of ``X`` and their classes ``y``.

        Rows are drawn by their weights.
        """
        check_columns(self, X, y)
        rows = self._read(X, y, sample_weight)
        return self._adopt(list(self._members(rows, check_random_state(self.random_state))), rows)

    def fit_from(self, steps: Sequence[EnsembleStep], X: Any, y: ArrayLike) -> Self:
        """Fit from the steps on the same rows, without training a second time."""
        check_columns(self, X, y)
        own = noun_of(self) == "tree"
        joined = [step for step in steps if step.phase == "join"]
        members = [Member(step.estimator, step.bag, step.columns, own) for step in joined]
        return self._adopt(members, self._read(X, y, None))

    def _adopt(self, members: list[Member], rows: Rows) -> Self:
        """Set the fitted attributes."""
        self._columns = rows.columns
        self.classes_, self.n_classes_ = rows.classes, len(rows.classes)
        self.estimators_ = [member.estimator for member in members]
        for member in members:  # as if it had been fitted to the table
            if member.own and hasattr(self, "feature_names_in_"):
                member.estimator.feature_names_in_ = self.feature_names_in_[member.columns]
        self.estimators_samples_ = [member.bag for member in members]
        self.estimators_features_ = [member.columns for member in members]
        if self.oob_score:
            self._score_out_of_bag(rows, members)
        return self

    def steps(self, X: Any, y: Any = None) -> Iterator[EnsembleStep]:
        """Yield the empty ensemble, then one step for each classifier that joins."""
        rows = self._read(X, y, None)
        shape, n_columns = (len(rows.y), len(rows.classes)), len(rows.table.n_values)
        votes, oob = np.zeros((2, *shape))
        left_out, importance = np.zeros(shape[0], int), np.zeros(n_columns)
        yield EnsembleStep(
            "start",
            None,
            np.empty(0, np.intp),
            np.arange(n_columns),
            np.full(shape, 1 / shape[1]),
            np.full(shape, np.nan),
            left_out.copy(),
            importance.copy(),
        )
        members = self._members(rows, check_random_state(self.random_state))
        for number, member in enumerate(members, start=1):
            shares = shares_of(member, rows.X, rows.table.X, rows.classes)
            outside = np.bincount(member.bag, minlength=shape[0]) == 0
            votes += shares
            oob[outside] += shares[outside]
            left_out[outside] += 1
            importance[member.columns] += getattr(member.estimator, "feature_importances_", 0.0)
            yield EnsembleStep(
                "join",
                member.estimator,
                member.bag,
                member.columns,
                votes / number,
                _means(oob, left_out),
                left_out.copy(),
                as_shares(importance),
            )

    def draft(self, X: Any, y: Any = None) -> dict[str, int]:
        """Return the number of classifiers while a control moves."""
        size = n_drawn(self.max_samples, len(X), None, self.bootstrap)
        return {"n_estimators": min(self.n_estimators, max(MIN_ESTIMATORS, MAX_DRAFT_ROWS // size))}

    def shortened(
        self, steps: Sequence[EnsembleStep], X: Any, y: Any = None
    ) -> tuple[EnsembleStep, ...] | None:
        """Return the first steps of a larger ensemble; None if it has too few."""
        n_steps = self.n_estimators + 1
        return tuple(steps[:n_steps]) if len(steps) >= n_steps else None

    def predict_proba(self, X: Any) -> Floats:
        """Return the mean class probabilities, shape (n_samples, n_classes)."""
        *_, last = self.staged_predict_proba(X)
        return last

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield the mean class probabilities after each classifier."""
        total: Any = 0.0
        for number, shares in enumerate(self.each_predict_proba(X), start=1):
            total = total + shares
            yield total / number

    def each_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield the class probabilities by each classifier, shape (n_samples, n_classes)."""
        check_is_fitted(self)
        matrix = new_rows(self, self._columns, X)
        if noun_of(self) == "tree":
            trees = [tree.tree_ for tree in self.estimators_]
            yield from predict_each(trees, self.estimators_features_, matrix)
            return
        for member in self._fitted:
            look()
            yield shares_of(member, X, matrix, self.classes_)

    def cuts(self, column: int) -> Floats | None:
        """Return where predictions may change along a numeric column; None where anywhere."""
        check_is_fitted(self)
        if noun_of(self) != "tree":
            return None
        trees = zip(self.estimators_, self.estimators_features_, strict=True)
        cuts = (
            tree.tree_.cuts(place)
            for tree, columns in trees
            for place in np.flatnonzero(columns == column)
        )
        return np.concatenate([np.empty(0), *cuts])

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the leaf of each row in each tree, shape (n_samples, n_estimators).

        Raises
        ------
        AttributeError
            If the classifiers are no trees.
        """
        check_is_fitted(self)
        matrix = new_rows(self, self._columns, X)
        if not all(member.own for member in self._fitted):
            raise AttributeError("The estimator has no leaves; trees of the project have.")
        return np.column_stack(
            [member.estimator.tree_.apply(matrix[:, member.columns]) for member in self._fitted]
        )

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of the largest mean probability for each row."""
        winners = self.predict_proba(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[winners]
        return labels

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Yield the class of each row after each classifier."""
        for shares in self.staged_predict_proba(X):
            yield self.classes_[shares.argmax(axis=1)]

    def predict_at(self, steps: Sequence[EnsembleStep], X: Any) -> Iterator[NDArray[Any] | None]:
        """Yield the class of each row by the classifiers that had joined at each of these steps."""
        members = {id(estimator): i for i, estimator in enumerate(self.estimators_, start=1)}
        stages = [None, *self.staged_predict(X)]
        for step in steps:
            yield stages[members.get(id(step.estimator), 0)]

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the mean probabilities, shape (n_samples, n_classes)."""
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(self.predict_proba(X))
        return logs

    @property
    def feature_importances_(self) -> Floats:
        """The mean importance over the trees with a split; 0 for columns that a tree lacks."""
        check_is_fitted(self)
        each = np.zeros((len(self.estimators_), self.n_features_in_))
        try:
            for row, member in zip(each, self._fitted, strict=True):
                row[member.columns] = member.estimator.feature_importances_
        except AttributeError:
            raise AttributeError("The estimator has no feature_importances_; trees have.") from None
        return as_shares(each.sum(axis=0))

    @property
    def _fitted(self) -> list[Member]:
        own = noun_of(self) == "tree"
        members = zip(
            self.estimators_, self.estimators_samples_, self.estimators_features_, strict=True
        )
        return [Member(*member, own) for member in members]

    def _read(self, X: Any, y: Any, sample_weight: Any) -> Rows:
        columns, classes, table, _ = read_rows(X, y, None, None, None)
        n_drawn(self.max_samples, len(table.y), None, self.bootstrap)
        check_base_learner(self.estimator)
        values = self.get_params(deep=False) | {"max_samples": 1.0, "estimator": TREE}
        if self.max_features is not None:  # names and shares mean a number
            values["max_features"] = n_features(self.max_features, len(table.n_values))
        check_params(self.PARAMS, values)
        if sample_weight is None:
            return Rows(X, np.asarray(y), columns, classes, table, None)
        weights = _check_sample_weight(
            sample_weight, table.X, dtype=np.float64, ensure_non_negative=True
        )
        return Rows(X, np.asarray(y), columns, classes, table, weights)

    def _draws(self, rows: Rows, rng: Any, n_columns: int) -> Iterator[tuple[int, Ints, Ints]]:
        """Yield a seed, a bag and ``n_columns`` columns for each classifier."""
        n = n_drawn(self.max_samples, len(rows.table.y), rows.weights, self.bootstrap)
        shape = rows.table.X.shape
        yield from draws(rng, self.n_estimators, shape, n, n_columns, rows.weights, self.bootstrap)

    def _weights(self, rows: Rows, bag: Ints) -> Floats:
        """Return how often each row is in a bag; of a bag of all rows, their weights."""
        n_samples = len(rows.table.y)
        if rows.weights is not None and not self.bootstrap and len(bag) == n_samples:
            return rows.weights
        return np.bincount(bag, minlength=n_samples).astype(float)

    def _grown(
        self, rows: Rows, pairs: Iterator[tuple[DecisionTreeClassifier, Ints]]
    ) -> Iterator[Member]:
        """Yield trees of all columns, each from its bag, grown in batches."""
        size = n_drawn(self.max_samples, len(rows.table.y), rows.weights, self.bootstrap)
        all_columns = np.arange(len(rows.table.n_values))
        while batch := list(islice(pairs, max(1, MAX_BATCH_ROWS // size))):
            weights = np.array([self._weights(rows, bag) for _, bag in batch])
            rngs = [check_random_state(model.random_state) for model, _ in batch]
            rules = batch[0][0].growth_rules(rows.table, weights[0])
            trees = build_all(list(grow(rows.table, weights, rules, rngs)))
            for (model, bag), tree, weight in zip(batch, trees, weights, strict=True):
                yield Member(model.fit_table(*rows[2:5], weight, tree), bag, all_columns, own=True)

    def _score_out_of_bag(self, rows: Rows, members: Sequence[Member]) -> None:
        shape = len(rows.y), len(rows.classes)
        total, left_out = np.zeros(shape), np.zeros(shape[0], int)
        for member in members:
            outside = np.flatnonzero(np.bincount(member.bag, minlength=shape[0]) == 0)
            part = take(rows.X, outside)
            if len(outside):
                total[outside] += shares_of(member, part, rows.table.X[outside], rows.classes)
                left_out[outside] += 1
        has_prediction = left_out > 0
        if not has_prediction.all():
            warnings.warn(
                "Some rows are in the bag of every estimator, so that they have no out-of-bag"
                " prediction; more estimators, or a smaller max_samples, leave out all of them.",
                UserWarning,
                stacklevel=3,
            )
        self.oob_decision_function_ = _means(total, left_out)
        is_correct = (
            self.oob_decision_function_[has_prediction].argmax(axis=1)
            == rows.table.y[has_prediction]
        )
        self.oob_score_ = float(is_correct.mean()) if has_prediction.any() else float("nan")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        own = noun_of(self) == "tree"
        base = base_learner(self.estimator, [0, 1]) if not own else None
        tags.input_tags.allow_nan = own or get_tags(base).input_tags.allow_nan
        tags.input_tags.string = True
        return tags


def shares_of(member: Member, X: Any, matrix: Floats, classes: NDArray[Any]) -> Floats:
    """Return the class probabilities by one classifier, shape (n_samples, n_classes).

    ``X`` are the rows as given, ``matrix`` as read. Without ``predict_proba`` the predicted class
    has the probability 1.
    """
    estimator, has_all_columns = member.estimator, len(member.columns) == matrix.shape[1]
    if member.own:
        tree: Tree = estimator.tree_
        return tree.predict(matrix if has_all_columns else matrix[:, member.columns])
    part = X if has_all_columns else given_columns(X, member.columns)
    codes = np.searchsorted(classes, estimator.classes_)
    out = np.zeros((len(matrix), len(classes)))
    if hasattr(estimator, "predict_proba"):
        out[:, codes] = estimator.predict_proba(part)
    else:
        out[np.arange(len(matrix)), np.searchsorted(classes, estimator.predict(part))] = 1.0
    return out


def as_shares(sums: Floats) -> Floats:
    """Return numbers divided by their sum, unless they are all 0.

    Examples
    --------
    >>> as_shares(np.array([1.0, 3.0])).tolist(), as_shares(np.zeros(2)).tolist()
    ([0.25, 0.75], [0.0, 0.0])
    """
    total = sums.sum()
    return sums / total if total > 0 else sums.copy()


def seeded(tree: DecisionTreeClassifier, seed: int) -> DecisionTreeClassifier:
    """Give a tree the seed that scikit-learn derives from that of its bag."""
    tree.random_state = check_random_state(seed).randint(LARGEST_SEED)
    return tree


def given_columns(X: Any, columns: Ints) -> Any:
    """Return some columns of a table."""
    return X.iloc[:, columns] if hasattr(X, "iloc") else np.asarray(X)[:, columns]


def _means(total: Floats, counts: Ints) -> Floats:
    with np.errstate(invalid="ignore"):
        means: Floats = np.where(counts[:, None] > 0, total / counts[:, None], np.nan)
    return means
