"""Decision trees: ID3, C4.5, CART, CHAID, QUEST and 1R as settings of one algorithm, which grows level by level."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import takewhile
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Bunch, check_random_state
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns, check_columns, column_names, new_rows
from dmlib.classification.decision_tree.ranges import decision_tree_ranges
from dmlib.classification.decision_tree.settings import APPLIES, growth_rules, n_features
from dmlib.classification.decision_tree.several import grown_each
from dmlib.params import Choice, Conditions, Integer, Number, Param, Ranges
from dmlib.trace import result_of
from dmlib.trees.choices import parse_choices
from dmlib.trees.cost_complexity import (
    Link,
    PruningPath,
    alphas_and_costs,
    prune,
    pruning_path,
    stratified_folds,
    weakest_links,
)
from dmlib.trees.error_based import Comparison, ErrorBasedPruning
from dmlib.trees.frontier import Table
from dmlib.trees.growth import Branching, Level, grow
from dmlib.trees.impurity import CRITERIA
from dmlib.trees.rows import read_rows
from dmlib.trees.steps import DecisionTreeStep, growing, pruning
from dmlib.trees.text import listing, neighbouring_values, rules
from dmlib.trees.tree import Tree, best_first, build


class DecisionTreeClassifier(ClassifierMixin, BaseEstimator):
    r"""Divide the rows by tests of one column each, so that every part has one class as far as possible.

    A node is split by the test with the highest score. For a measure of impurity :math:`\phi` that
    is

    .. math:: \phi(t) - \sum_b \frac{n_b}{n} \phi(t_b),

    the impurity of the node less the mean impurity of its branches. ``ID3``, ``C45``, ``CART``,
    ``CHAID``, ``QUEST`` and ``ONE_R`` are settings that give the classical algorithms:
    ``DecisionTreeClassifier(**C45)``.

    Parameters
    ----------
    criterion : str, default="gini"
        How splits are compared. By the fall of an impurity: "gini", "entropy" (the information
        gain), "error", "dkm". By a gain that is normalised: "gain_ratio" (gain / entropy of the
        branch sizes, among the columns with at least average gain), "distance" (gain / joint
        entropy). By a test statistic: "g2", "chi2". By how the classes differ between two branches:
        "twoing", "ort"; between branches, for two classes: "ks", "auc". By -log10 of a p-value,
        with splits of their own: "chaid" (values that are alike share a branch, numeric columns are
        first divided at their deciles; chi-squared), "quest" (the column by F or chi-squared, then
        a cut in two by discriminants).
    splitter : {"binary", "multiway"}, default="binary"
        Whether a nominal column has two branches or one for every value; "chaid" and "quest" decide
        by themselves.
    numeric : {"midpoint", "c45", "buckets"}, default="midpoint"
        How a numeric column is cut: halfway between two values; as in C4.5, at a value of the
        training rows, with enough rows on either side, and the gain lowered by what the choice
        among many thresholds costs; or into several intervals, as in 1R.
    max_depth : int or None, default=None
        The largest depth of a leaf.
    min_samples_split : int or float, default=2
        A node with fewer rows is not split. A float up to 1.0 is a share of all rows.
    min_samples_leaf : int or float, default=1
        At least two branches of a split must have so many rows. A float up to 1.0 is a share of all
        rows.
    min_weight_fraction_leaf : float, default=0.0
        At least two branches of a split must have such a share of all weight.
    min_gain : float, default=0.0
        The score that a split must have.
    min_impurity_decrease : float, default=0.0
        By how much a split must reduce the impurity, times the node's share of all rows.
    max_leaf_nodes : int or None, default=None
        The largest number of leaves; the nodes whose impurity falls most are then split first.
    max_features : int, float, "sqrt", "log2" or None, default=None
        Among how many columns, drawn at random, each node may choose.
    min_bucket : int, default=6
        The rows of one class that fill an interval of 1R.
    alpha_merge : float, default=0.05
        With "chaid", groups of values are merged if the p-value of their difference is larger.
    alpha_split : float, default=0.05
        With "chaid" and "quest", nodes are split if the smallest adjusted p-value is no larger.
    missing : {"fractional", "surrogate", "category"}, default="fractional"
        What rows without a value do: go down all branches in parts, as in C4.5; follow the splits
        of other columns that agree best, as in CART; or have a value of their own: a branch, or a
        place among the values, of a nominal column, of a numeric one the better side of a cut or a
        side of their own, and with "chaid" company like them.
    costs : mapping of (class, answer) to float, array-like of shape (n_classes, n_classes), or None, default=None
        What it costs to answer (column) for a class (row); what a mapping does not name costs 1.
        Leaves give the answer that costs least, and splits are compared as if each class were as
        frequent as its errors cost.
    class_weight : dict, "balanced" or None, default=None
        What the rows of each class weigh.
    pruning : {"cost_complexity", "error_complexity", "error_based"}, default="cost_complexity"
        How the tree is cut back: where the impurity, or the number of errors, falls by less than
        ``ccp_alpha`` per leaf; or where a leaf or the largest branch has fewer errors by the
        estimate of C4.5.
    ccp_alpha : float, default=0.0
        What a leaf costs in cost-complexity and error-complexity pruning.
    confidence : float, default=0.25
        The confidence of error-based pruning: the smaller, the more is cut.
    choices : str or None, default=None
        Prescribed splits; see :func:`dmlib.trees.choices.parse_choices`. Other nodes stay leaves.
    random_state : int, RandomState or None, default=None
        The seed of the draws for ``max_features``.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_classes_, n_outputs_ : int
        How many there are, and that one class is predicted.
    tree_ : Tree
        The tree as arrays, with scikit-learn's names.
    feature_importances_ : ndarray of shape (n_features,)
        By how much the splits of each column reduce the impurity, scaled to sum to 1.
    max_features_ : int
        Among how many columns each node could choose.
    n_features_in_ : int
        The number of columns seen by ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if they were columns of a data frame.

    Raises
    ------
    ValueError
        If the criterion does not fit the classes or the splits.

    Notes
    -----
    A level of the tree costs O(d n (log n + k)) for n rows, d columns and k classes.

    Columns of a data frame that hold texts, categories or true and false are nominal. A binary
    split of a nominal column is the best of all divisions of up to 10 values. Of more values, only
    those divisions are tried that cut the values in the order of the share of a class; for two
    classes and an impurity the best is among them.

    Of equal scores the first column wins, and in it the lowest threshold. A split without gain is
    made unless ``min_gain`` forbids it, as in scikit-learn. Thresholds are found in double
    precision, where scikit-learn rounds the values to single precision, and C4.5 and Weka never cut
    between values less than 1e-5 apart. A leaf without rows has the class shares of its parent.
    Scores are multiplied by the share of the rows whose value is known.

    P-values are Bonferroni-adjusted. "quest" has many classes in two groups, compares spreads
    (Levene) where nothing else is significant, and stops where they do not differ either. "chaid"
    does not divide merged groups again. Values that a node has not seen, also missing ones, go down
    all its branches in parts, or by surrogates.

    References
    ----------
    J. R. Quinlan (1986), Induction of decision trees.
    J. R. Quinlan (1993), C4.5: programs for machine learning.
    J. R. Quinlan (1996), Improved use of continuous attributes in C4.5.
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone (1984), Classification and regression
    trees. G. V. Kass (1980), An exploratory technique for investigating large quantities of
    categorical data. W.-Y. Loh and Y.-S. Shih (1997), Split selection methods for classification
    trees. R. C. Holte (1993), Very simple classification rules perform well on most commonly used
    datasets. L. Rokach and O. Maimon (2005), Decision trees, sections 3 and 6 (the criteria).

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"sky": ["sun", "sun", "cloud", "rain", "rain"], "wind": [3.0, 8.0, 4.0, 2.0, 9.0]})
    >>> model = DecisionTreeClassifier(splitter="multiway").fit(table, ["yes", "yes", "yes", "yes", "no"])
    >>> print(model.export_text())
    |--- wind <= 8.50
    |   |--- class: yes
    |--- wind >  8.50
    |   |--- class: no
    <BLANKLINE>
    """

    APPLIES: ClassVar[Conditions] = APPLIES
    RANGES: ClassVar[Ranges] = staticmethod(decision_tree_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "criterion": Choice(tuple(name for name in CRITERIA if name != "agreement")),
        "splitter": Choice(("binary", "multiway")),
        "numeric": Choice(("midpoint", "c45", "buckets")),
        "max_depth": Integer(1, 2**31 - 1, shown=(1, 12), none="no limit"),
        "min_samples_split": Integer(2, 2**31 - 1, shown=(2, 50)),
        "min_samples_leaf": Integer(1, 2**31 - 1, shown=(1, 30)),
        "min_weight_fraction_leaf": Number(0.0, 0.5, shown=(0.0, 0.2), step=0.01),
        "min_gain": Number(0.0, 1e300, shown=(0.0, 0.5), step=0.01),
        "min_impurity_decrease": Number(0.0, 1e300, shown=(0.0, 0.2), step=0.005),
        "max_leaf_nodes": Integer(2, 2**31 - 1, shown=(2, 30), none="no limit"),
        "min_bucket": Integer(1, 2**31 - 1, shown=(1, 20)),
        "alpha_merge": Number(1e-12, 1.0, shown=(0.001, 0.5), step=0.001),
        "alpha_split": Number(1e-12, 1.0, shown=(0.001, 0.5), step=0.001),
        "missing": Choice(("fractional", "surrogate", "category")),
        "pruning": Choice(("cost_complexity", "error_complexity", "error_based")),
        "ccp_alpha": Number(0.0, 1e300, shown=(0.0, 0.1), step=0.001),
        "confidence": Number(1e-6, 0.5, shown=(0.01, 0.5), step=0.01),
    }

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "binary",
        numeric: str = "midpoint",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_gain: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        max_features: int | float | str | None = None,
        min_bucket: int = 6,
        alpha_merge: float = 0.05,
        alpha_split: float = 0.05,
        missing: str = "fractional",
        costs: Any = None,
        class_weight: Any = None,
        pruning: str = "cost_complexity",
        ccp_alpha: float = 0.0,
        confidence: float = 0.25,
        choices: str | None = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.numeric = numeric
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_gain = min_gain
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features = max_features
        self.min_bucket = min_bucket
        self.alpha_merge = alpha_merge
        self.alpha_split = alpha_split
        self.missing = missing
        self.costs = costs
        self.class_weight = class_weight
        self.pruning = pruning
        self.ccp_alpha = ccp_alpha
        self.confidence = confidence
        self.choices = choices
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow a tree from the rows of ``X`` and their classes ``y``, and prune it."""
        check_columns(self, X, y)
        columns, classes, table, weights = self._read(X, y, sample_weight)
        return self.fit_table(columns, classes, table, weights)._remember(table)

    def fit_from(self, steps: Sequence[DecisionTreeStep], X: Any, y: ArrayLike) -> Self:
        """Learn what ``fit`` would from the steps on the same rows, without growing again."""
        check_columns(self, X, y)
        columns, classes, table, _ = self._read(X, y, None)
        return self._adopt(columns, classes, table, cast(Tree, steps[-1].tree))._remember(table)

    def fit_table(
        self,
        columns: Columns,
        classes: NDArray[Any],
        table: Table,
        weights: Floats,
        tree: Tree | None = None,
    ) -> Self:
        """Grow a tree from rows that :func:`dmlib.trees.rows.read_rows` has read, or take over one, and prune it."""
        grown = self._grown(table, weights, tree)
        return self._adopt(columns, classes, table, result_of(self._pruning(grown, table, weights)))

    def _adopt(self, columns: Columns, classes: NDArray[Any], table: Table, tree: Tree) -> Self:
        self._columns, self.classes_, self.n_features_in_ = columns, classes, len(table.n_values)
        self.n_classes_, self.n_outputs_ = len(classes), 1
        self.max_features_, self.tree_ = n_features(self.max_features, self.n_features_in_), tree
        return self

    def _remember(self, table: Table) -> Self:
        """Remember the values beside the thresholds, which rules must tell apart; ensembles do without."""
        self._neighbouring = neighbouring_values(self.tree_, table.X)
        return self

    def steps(self, X: Any, y: Any = None) -> Iterator[DecisionTreeStep]:
        """Yield what becomes of each node, level by level, then what pruning compares; the last step has the tree.

        Splits are ``choices`` where there are any; each step also has what the criterion would have
        chosen.
        """
        _, _, table, weights = self._read(X, y, None)
        levels = list(self._levels(table, weights, every=True))
        tree = self._grown(table, weights, build(levels, table.costs))
        kept = None if self.max_leaf_nodes is None else set(tree.numbers.tolist())
        nodes = {}
        for step in growing(levels, kept):
            nodes[step.node] = step
            yield step
        yield from pruning(nodes, tree, self._pruning(tree, table, weights))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most frequent class in the leaf of each row; with ``costs`` the one that costs least."""
        rows = self._matrix(X)
        return self.classes_[self.tree_.decide(self.tree_.predict(rows))]

    def predict_proba(self, X: Any) -> Floats:
        """Return the share of each class (columns, as in ``classes_``) in the leaf of each row."""
        matrix = self._matrix(X)
        return self.tree_.plain(self.tree_.predict(matrix))

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the class shares, shape (n_samples, n_classes)."""
        with np.errstate(divide="ignore"):
            return cast(Floats, np.log(self.predict_proba(X)))

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the leaf of each row; of several, because of missing values, the one with the largest part."""
        matrix = self._matrix(X)
        return self.tree_.apply(matrix)

    def decision_path(self, X: Any) -> csr_matrix:
        """Return which nodes each row passes, as a sparse matrix of ones of shape (n_samples, node_count)."""
        matrix = self._matrix(X)
        return self.tree_.decision_path(matrix)

    def get_depth(self) -> int:
        """Return the depth of the deepest leaf."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> Floats:
        """By how much the splits of each column reduce the impurity, scaled to sum to 1."""
        check_is_fitted(self)
        return self.tree_.compute_feature_importances(self.n_features_in_)

    def cost_complexity_pruning_path(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Bunch:
        """Return the alphas at which pruning takes away something, and the impurity of the leaves that remain.

        With ``pruning="error_complexity"`` the share of training errors takes the place of the
        impurity.
        """
        _, _, table, weights = self._read(X, y, sample_weight)
        alphas, costs = alphas_and_costs(self._grown(table, weights), self._cost)
        return Bunch(ccp_alphas=alphas, impurities=costs)

    def pruning_path(
        self, X: Any, y: ArrayLike, *, cv: int = 10, random_state: Any = None
    ) -> PruningPath:
        """Return the trees that pruning with growing ``ccp_alpha`` leaves, judged by cross-validation.

        There are ``cv`` folds, each with about the same share of every class, drawn with the seed
        ``random_state``; more folds than rows are refused.
        """
        _, _, table, weights = self._read(X, y, None)
        folds = stratified_folds(table.y, cv, check_random_state(random_state))
        return pruning_path(
            lambda r: grown_each(self, table, r * weights), table.X, table.y, folds, self._cost
        )

    def export_text(
        self,
        feature_names: Sequence[str] | None = None,
        *,
        decimals: int = 2,
        show_weights: bool = False,
    ) -> str:
        """Return the tree as indented lines, in the form of scikit-learn's function of that name."""
        check_is_fitted(self)
        names = column_names(self) if feature_names is None else list(feature_names)
        if len(names) != self.n_features_in_:
            raise ValueError(
                f"feature_names must name {self.n_features_in_} columns; there are {len(names)}"
                " names."
            )
        return listing(
            self.tree_,
            names,
            self._columns.categories,
            self.classes_.tolist(),
            decimals,
            show_weights,
        )

    def export_rules(self) -> list[str]:
        """Return one rule for each leaf, with its rows and, after a stroke, those of another class."""
        check_is_fitted(self)
        names, classes, neighbouring = (
            column_names(self),
            self.classes_.tolist(),
            getattr(self, "_neighbouring", None),
        )
        return list(
            map(str, rules(self.tree_, names, self._columns.categories, classes, neighbouring))
        )

    @property
    def _cost(self) -> str:
        return "error" if self.pruning == "error_complexity" else "impurity"

    def _matrix(self, X: Any) -> Floats:
        check_is_fitted(self)
        return new_rows(self, self._columns, X)

    def _read(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Columns, NDArray[Any], Table, Floats]:
        return read_rows(X, y, sample_weight, self.class_weight, self.costs)

    def _levels(
        self, table: Table, weights: Floats, every: bool = False
    ) -> Iterator[tuple[Level, Branching]]:
        choices = None if self.choices is None else parse_choices(self.choices)
        rules = growth_rules(self.PARAMS, self.get_params(), table, weights)
        return grow(table, weights, rules, check_random_state(self.random_state), choices, every)

    def _grown(self, table: Table, weights: Floats, tree: Tree | None = None) -> Tree:
        tree = tree or build(list(self._levels(table, weights)), table.costs)
        return (
            tree
            if self.max_leaf_nodes is None
            else tree.pruned(best_first(tree, self.max_leaf_nodes))
        )

    def _pruning(
        self, tree: Tree, table: Table, weights: Floats
    ) -> Generator[Link | Comparison, None, Tree]:
        """Yield what pruning compares and return the pruned tree."""
        if self.pruning == "error_based":
            measure = CRITERIA[
                growth_rules(self.PARAMS, self.get_params(), table, weights).criterion
            ].measure
            pruner = ErrorBasedPruning(tree, table.X, table.y, weights, self.confidence, measure)
            yield from pruner.run()
            return pruner.result()
        links = weakest_links(tree, self._cost) if self.ccp_alpha > 0 else iter(())
        yield from takewhile(lambda link: link.alpha <= self.ccp_alpha, links)
        return prune(tree, self.ccp_alpha, self._cost)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags
