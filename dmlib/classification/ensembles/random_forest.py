"""Random forests: bagged trees, each node of which may choose among some columns only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.classification.ensembles.ranges import ensembles_ranges
from dmlib.classification.ensembles.voting import Member, Rows, VotingClassifier, seeded
from dmlib.params import Choice, Flag, Integer, Number, Param, Ranges


class RandomForestClassifier(VotingClassifier):
    r"""Classify by the mean of many trees, each of a bag of rows, its nodes of drawn columns.

    The mean of T trees with variance :math:`\sigma^2` and correlation :math:`\rho` has the variance
    :math:`\rho \sigma^2 + (1 - \rho) \sigma^2 / T`: more trees reduce the second
    part, and the drawn columns, which make the trees less correlated, the first.

    Parameters
    ----------
    n_estimators : int, default=100
        The number of trees.
    max_features : int, float, "sqrt", "log2" or None, default="sqrt"
        The columns that are drawn for each node: a number, a fraction, or all. Where none of them
        can be split, more are drawn.
    max_samples : float or int, default=1.0
        The rows that are drawn for each tree: a fraction of them, or a number.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement, so that a bag may hold a row several times.
    max_depth : int or None, default=None
        The largest depth of the trees.
    min_samples_split : int or float, default=2
        A node with fewer rows is not split. A float up to 1.0 is a fraction of all rows.
    min_samples_leaf : int or float, default=1
        At least two branches of a split must have so many different rows. A float up to 1.0 is a
        fraction of all rows.
    max_leaf_nodes : int or None, default=None
        The largest number of leaves of a tree.
    criterion : {"gini", "entropy", "error"}, default="gini"
        How splits are compared.
    oob_score : bool, default=False
        Whether ``fit`` computes the out-of-bag score.
    random_state : int, RandomState or None, default=None
        The seed of all draws.

    Attributes
    ----------
    estimators_ : list of DecisionTreeClassifier
        The trees.
    estimators_samples_ : list of ndarray of shape (n_drawn,)
        The rows that were drawn for each tree.
    estimators_features_ : list of ndarray of shape (n_features,)
        The columns of each tree: all.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_classes_ : int
        Their number.
    feature_importances_ : ndarray of shape (n_features,)
        The mean importance by impurity over the trees that have a split.
    oob_score_ : float
        With ``oob_score``, the accuracy of ``oob_decision_function_``.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        With ``oob_score``, the mean shares of the classes over the trees that were grown without
        the row; NaN where there is none.
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
    A tree costs O(m n log n) a level, for n rows in a bag and m drawn columns, after one sort of
    the columns that all trees share. Trees of few rows are grown together, all nodes of a level at
    once.

    This is bagging of trees with ``max_features``, and bags are those of scikit-learn's bagging
    with the same seed. The out-of-bag score is over the rows that any tree was grown without, where
    scikit-learn counts the others as the first class. Without replacement a part of the rows may be
    drawn, which scikit-learn's forests refuse.

    Nominal columns and missing values are those of the trees:
    :class:`dmlib.classification.DecisionTreeClassifier`.

    References
    ----------
    L. Breiman (2001), Random forests. Machine Learning 45, 5-32.
    L. Breiman (1996), Out-of-bag estimation.
    T. Hastie, R. Tibshirani and J. Friedman (2009), The elements of statistical learning, chapter
    15.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = RandomForestClassifier(50, oob_score=True, random_state=0).fit(X, y)
    >>> round(model.oob_score_, 2), model.feature_importances_.argmax() >= 2
    (0.95, np.True_)
    """

    RANGES: ClassVar[Ranges] = staticmethod(ensembles_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_estimators": Integer(1, 1000, shown=(1, 100)),
        "max_features": Integer(1, 2**31 - 1, shown=(1, 20), none="all", names=("sqrt",)),
        "max_samples": Number(1e-9, 1.0, shown=(0.02, 1.0), step=0.02),
        "bootstrap": Flag(),
        "max_depth": Integer(1, 2**31 - 1, shown=(1, 12), none="no limit"),
        "min_samples_leaf": Integer(1, 2**31 - 1, shown=(1, 30)),
        "criterion": Choice(("gini", "entropy", "error")),
    }

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        max_features: Any = "sqrt",
        max_samples: Any = 1.0,
        bootstrap: bool = True,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        max_leaf_nodes: int | None = None,
        criterion: str = "gini",
        oob_score: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.criterion = criterion
        self.oob_score = oob_score
        self.random_state = random_state

    def _members(self, rows: Rows, rng: Any) -> Iterator[Member]:
        draws = self._draws(rows, rng, len(rows.table.n_values))
        return self._grown(rows, ((self._tree(seed), bag) for seed, bag, _ in draws))

    def _tree(self, seed: int) -> DecisionTreeClassifier:
        tree = DecisionTreeClassifier(
            criterion=self.criterion,
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            max_leaf_nodes=self.max_leaf_nodes,
            max_features=self.max_features,
        )
        return seeded(tree, seed)
