"""Bagging: classifiers that are trained on bootstrap samples of the rows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, ClassVar

from sklearn.ensemble._base import _set_random_states
from sklearn.utils.validation import has_fit_parameter

from dmlib.arrays import Ints, take
from dmlib.classification.base_learners import (
    ESTIMATOR,
    OF_TREES,
    SPOKEN,
    TREE,
    base_learner,
    noun_of,
)
from dmlib.classification.columns import Columns
from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.classification.decision_tree.settings import n_features
from dmlib.classification.ensembles.bags import n_drawn
from dmlib.classification.ensembles.ranges import ensembles_ranges
from dmlib.classification.ensembles.voting import (
    MAX_BATCH_ROWS,
    Member,
    Rows,
    VotingClassifier,
    given_columns,
    seeded,
)
from dmlib.params import Choice, Conditions, Flag, Integer, Number, Param, Ranges, Spoken
from dmlib.trees.frontier import Table


class BaggingClassifier(VotingClassifier):
    r"""Classify by the mean class probabilities of classifiers trained on bootstrap samples.

    A bag of n draws with replacement from N rows leaves a row out with the probability :math:`(1 -
    1/N)^n`, about 37% for n = N. These rows test the classifier: the out-of-bag error.

    Parameters
    ----------
    estimator : str, classifier or None, default="tree"
        The base learner. "tree", or None as in scikit-learn, is dmlib's decision tree by
        ``max_depth`` and ``criterion``; "naive_bayes", "knn" and "logistic_regression" are its
        classifiers with their defaults; or any classifier.
    n_estimators : int, default=10
        The number of classifiers.
    max_samples : float or int, default=1.0
        The rows that are drawn for each classifier: a fraction of them, or a number.
    max_features : int, float, "sqrt", "log2" or None, default=None
        The columns that are drawn without replacement for each classifier: a number, a fraction, or
        all.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement, so that a bag may hold a row several times.
    max_depth : int or None, default=None
        The largest depth of the trees.
    criterion : {"gini", "entropy", "error"}, default="gini"
        How splits of the trees are compared.
    oob_score : bool, default=False
        Whether ``fit`` computes the out-of-bag score.
    random_state : int, RandomState or None, default=None
        The seed of all draws.

    Attributes
    ----------
    estimators_ : list of classifiers
        Those that vote.
    estimators_samples_ : list of ndarray of shape (n_drawn,)
        The rows that were drawn for each.
    estimators_features_ : list of ndarray of shape (n_columns,)
        The columns that each was given, in ascending order.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_classes_ : int
        How many there are.
    feature_importances_ : ndarray of shape (n_features,)
        The mean of the importances of the trees that have a split; 0 for a column that a tree was
        not given.
    oob_score_ : float
        With ``oob_score``, the accuracy of ``oob_decision_function_``.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        With ``oob_score``, the mean shares of the classes over the classifiers that were trained
        without the row; NaN where there is none.
    n_features_in_ : int
        The number of columns seen by ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if they were columns of a data frame.

    Raises
    ------
    ValueError
        If more rows are to be drawn without replacement than there are.

    Warns
    -----
    UserWarning
        If, with ``oob_score``, some rows are in every bag.

    Notes
    -----
    The cost is that of ``n_estimators`` classifiers. Trees of few rows are grown together.

    Bags are those of scikit-learn with the same seed. Shares are averaged, as there; a classifier
    without ``predict_proba`` gives its class the share 1, as all do in the paper. The out-of-bag
    score is over the rows that any classifier was trained without, where scikit-learn counts the
    others as the first class.

    Nominal columns and missing values are those of the trees:
    :class:`dmlib.classification.DecisionTreeClassifier`.

    References
    ----------
    L. Breiman (1996), Bagging predictors. Machine Learning 24, 123-140.
    L. Breiman (1999), Pasting small votes for classification in large databases and on-line
    (without replacement). T. K. Ho (1998), The random subspace method for constructing decision
    forests (some columns for each tree).

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "a", "b", "b", "b"]
    >>> model = BaggingClassifier(n_estimators=5, random_state=0).fit(X, y)
    >>> model.estimators_samples_[0].tolist(), model.predict_proba([[2.0]]).tolist()
    ([4, 3, 2, 0, 0, 2], [[0.6, 0.4]])
    """

    RANGES: ClassVar[Ranges] = staticmethod(ensembles_ranges)
    APPLIES: ClassVar[Conditions] = OF_TREES
    SPOKEN: ClassVar[Spoken] = SPOKEN
    PARAMS: ClassVar[dict[str, Param]] = {
        "estimator": ESTIMATOR,
        "n_estimators": Integer(1, 1000, shown=(1, 100)),
        "max_samples": Number(1e-9, 1.0, shown=(0.02, 1.0), step=0.02),
        "bootstrap": Flag(),
        "max_features": Integer(1, 2**31 - 1, shown=(1, 20), none="all"),
        "max_depth": Integer(1, 2**31 - 1, shown=(1, 12), none="no limit"),
        "criterion": Choice(("gini", "entropy", "error")),
    }

    def __init__(
        self,
        estimator: Any = TREE,
        n_estimators: int = 10,
        *,
        max_samples: Any = 1.0,
        max_features: Any = None,
        bootstrap: bool = True,
        max_depth: int | None = None,
        criterion: str = "gini",
        oob_score: bool = False,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.max_depth = max_depth
        self.criterion = criterion
        self.oob_score = oob_score
        self.random_state = random_state

    def _members(self, rows: Rows, rng: Any) -> Iterator[Member]:
        n_all = len(rows.table.n_values)
        n_columns = n_features(self.max_features, n_all)
        draws = self._draws(rows, rng, n_columns)
        is_tree = noun_of(self) == "tree"
        if is_tree and n_columns == n_all:
            return self._grown(rows, ((self._tree(seed), bag) for seed, bag, _ in draws))
        if is_tree:
            return self._on_columns(rows, draws)
        return (self._trained(rows, *draw) for draw in draws)

    def _on_columns(self, rows: Rows, draws: Iterator[tuple[int, Any, Any]]) -> Iterator[Member]:
        """Yield trees of drawn columns; those of the same columns are grown together."""
        size = n_drawn(self.max_samples, len(rows.table.y), rows.weights, self.bootstrap)
        while batch := list(islice(draws, max(1, MAX_BATCH_ROWS // size))):
            groups: dict[bytes, list[int]] = {}
            for i, (_, _, columns) in enumerate(batch):
                groups.setdefault(columns.tobytes(), []).append(i)
            members: dict[int, Member] = {}
            for places in groups.values():
                _, _, columns = batch[places[0]]
                pairs = ((self._tree(batch[i][0]), batch[i][1]) for i in places)
                trees = self._grown(part_of(rows, columns), pairs)
                for i, tree in zip(places, trees, strict=True):
                    members[i] = tree._replace(columns=columns)
            yield from (members[i] for i in range(len(batch)))

    def _tree(self, seed: int) -> DecisionTreeClassifier:
        tree = DecisionTreeClassifier(max_depth=self.max_depth, criterion=self.criterion)
        return seeded(tree, seed)

    def _trained(self, rows: Rows, seed: int, bag: Ints, columns: Ints) -> Member:
        """Train a classifier on a bag: a foreign one on weights where it takes them."""
        weights = self._weights(rows, bag)
        estimator = base_learner(self.estimator, rows.y[bag])
        _set_random_states(estimator, seed)
        X = given_columns(rows.X, columns)
        if not isinstance(self.estimator, str) and has_fit_parameter(estimator, "sample_weight"):
            return Member(estimator.fit(X, rows.y, sample_weight=weights), bag, columns, own=False)
        return Member(estimator.fit(take(X, bag), rows.y[bag]), bag, columns, own=False)


def part_of(rows: Rows, columns: Any) -> Rows:
    """Return the rows with some of their columns."""
    names = [rows.columns.names[j] for j in columns]
    categories = [rows.columns.categories[j] for j in columns]
    n_values = tuple(rows.table.n_values[j] for j in columns)
    table = Table(rows.table.X[:, columns], rows.table.y, rows.table.n_classes, n_values)
    return rows._replace(columns=Columns(tuple(names), tuple(categories)), table=table)
