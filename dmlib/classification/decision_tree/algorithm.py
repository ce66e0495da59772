"""Decision trees: all splits, stopping rules and ways of pruning as parameters of one class."""

from __future__ import annotations

from typing import Any, ClassVar

from dmlib.classification.decision_tree.core import TreeClassifier
from dmlib.classification.decision_tree.ranges import decision_tree_ranges
from dmlib.classification.decision_tree.settings import APPLIES
from dmlib.params import Choice, Conditions, Flag, Integer, Number, Param, Ranges, Spoken
from dmlib.trees.impurity import CRITERIA


class DecisionTreeClassifier(TreeClassifier):
    r"""Classify by a decision tree whose nodes test one column each.

    A node is split by the test with the highest score. For a measure of impurity :math:`\phi` that
    is

    .. math:: \phi(t) - \sum_b \frac{n_b}{n} \phi(t_b),

    the impurity of the node less the mean impurity of its branches. The classical algorithms are
    classes of their own that fix most of the parameters: :class:`ID3`, :class:`C45`,
    :class:`CART`, :class:`CHAID`, :class:`QUEST` and :class:`OneR`.

    Parameters
    ----------
    criterion : str, default="gini"
        How splits are compared. By the impurity decrease: "gini", "entropy" (the information
        gain), "error", "dkm". By a normalised gain: "gain_ratio" (gain / entropy of the branch
        sizes, among the columns with at least average gain), "distance" (gain / joint entropy).
        By a test statistic: "g2", "chi2". By how the classes differ between two branches: "twoing",
        "ort"; between branches, for two classes: "ks", "auc". By -log10 of the probability of the
        table of branches and classes: "hypergeometric"; of its p-value by 499 permutations:
        "permutation". By -log10 of a p-value, with splits of their own: "chaid" (values with
        similar classes share a branch, numeric columns are first divided at their deciles; chi-
        squared), "quest" (the column by F or chi-squared, then a cut in two by discriminants).
    splitter : {"binary", "multiway"}, default="binary"
        Whether a nominal column has two branches or one for each value; "chaid" and "quest" decide
        by themselves.
    numeric : {"midpoint", "c45", "buckets"}, default="midpoint"
        How a numeric column is cut: halfway between two values; as in C4.5, at a value of the
        training rows, with enough rows on either side, and the gain reduced by what the choice
        among many thresholds costs; or into several intervals, as in 1R.
    ordinal : {"ignore", "from_dtype"} or mapping, default="ignore"
        Which nominal columns are ordinal, so that only neighbours in the order of their values
        share a branch: none; those with ordered categories in a data frame; or those that a mapping
        names, by name or number, each with its values from the lowest to the highest. "quest" ranks
        them, and "chaid" merges neighbours only.
    max_depth : int or None, default=None
        The largest depth of a leaf.
    min_samples_split : int or float, default=2
        A node with fewer rows is not split. A float up to 1.0 is a fraction of all rows.
    min_samples_leaf : int or float, default=1
        At least two branches of a split must have so many rows. A float up to 1.0 is a fraction of
        all rows.
    min_weight_fraction_leaf : float, default=0.0
        At least two branches of a split must have such a fraction of the total weight.
    min_gain : float, default=0.0
        The minimum score of a split.
    min_impurity_decrease : float, default=0.0
        The minimum impurity decrease of a split, times the node's fraction of all rows.
    leaf_penalty : float or None, default=None
        The errors that each leaf adds to the training errors in the estimated error. With a number
        a node is split only where that lowers the estimate; 0.5 is usual, and 0 the optimistic
        estimate.
    max_leaf_nodes : int or None, default=None
        The largest number of leaves; the nodes with the largest impurity decrease are then split
        first.
    max_features : int, float, "sqrt", "log2" or None, default=None
        The number of columns, drawn at random, that each node chooses among.
    min_bucket : int, default=6
        The rows of one class that fill an interval of 1R.
    statistic : {"pearson", "likelihood_ratio"}, default="pearson"
        With "chaid", how groups of values are compared: by Pearson's chi-squared, or by G² of the
        likelihood ratio, which is for an ordinal target.
    alpha_merge : float, default=0.05
        With "chaid", groups of values are merged if the p-value of their difference is larger.
    alpha_split : float, default=0.05
        With "chaid" and "quest", nodes are split if the smallest adjusted p-value is no larger.
    missing : {"fractional", "surrogate", "category"}, default="fractional"
        Where rows with a missing value go: down all branches in parts, as in C4.5; by the splits of
        other columns that agree best, as in CART; or missing is a category of its own: a branch, or
        a place among the values, of a nominal column, of a numeric one the better side of a cut or
        a side of its own, and with "chaid" in the group that is most similar.
    costs : mapping, array-like of shape (n_classes, n_classes) or None, default=None
        Misclassification costs: of a prediction (column) for a class (row), or by pairs (class,
        prediction); what a mapping does not name costs 1. Leaves predict the class of least cost,
        and splits are compared as if each class were as frequent as its errors cost.
    class_weight : dict, "balanced" or None, default=None
        The weight of the rows of each class.
    grouped : bool, default=False
        Whether the last column of ``X`` is no feature, but the number of rows that each row stands
        for: grouped data, a table of counts.
    pruning : {"cost_complexity", "error_complexity", "error_based"}, default="cost_complexity"
        How the tree is pruned: where the impurity, or the number of errors, decreases by less than
        ``ccp_alpha`` per leaf; or where a leaf or the largest branch has fewer errors by the
        estimate of C4.5.
    ccp_alpha : float, default=0.0
        The cost of a leaf in cost-complexity and error-complexity pruning.
    confidence : float, default=0.25
        The confidence level of error-based pruning: the smaller, the more is pruned.
    choices : str or None, default=None
        Prescribed splits; see :func:`dmlib.trees.choices.parse_choices`. Other nodes stay leaves.
    random_state : int, RandomState or None, default=None
        The seed of the draws for ``max_features``.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_classes_, n_outputs_ : int
        The number of classes, and of predictions for a row: 1.
    tree_ : Tree
        The tree as arrays, with the names of scikit-learn.
    feature_importances_ : ndarray of shape (n_features,)
        The impurity decrease by the splits of each column, normalised to sum to 1.
    max_features_ : int
        The number of columns that each node could choose among.
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

    Columns of a data frame with texts, categories or Booleans are nominal. A binary split of a
    nominal column is the best of all divisions of up to 10 values. Of more values, only those
    divisions are tried that cut the values in the order of the frequency of a class; for two
    classes and an impurity the best is among them. An ordinal column of V values has V - 1
    divisions.

    Of equal scores the first column wins, and in it the lowest threshold. A split without gain is
    made unless ``min_gain`` forbids it, as in scikit-learn. Thresholds are computed in
    double precision, where scikit-learn rounds the values to single precision, and C4.5 and Weka
    never cut between values less than 1e-5 apart. A leaf without rows has the class frequencies of
    its parent. Scores are multiplied by the fraction of the rows whose value is not missing.

    P-values are Bonferroni-adjusted, but for those by permutations, of which the smallest is 1/500;
    of equal ones the least probable table wins, and weights are rounded to whole rows. "quest" puts
    several classes into two groups, compares variances (Levene) where no mean differs
    significantly, and stops where they do not differ either. "chaid" does not divide merged groups
    again. Values that do not occur in a node, also missing ones, go down all its branches in parts,
    or by surrogates.

    References
    ----------
    J. R. Quinlan (1986), Induction of decision trees.
    J. R. Quinlan (1993), C4.5: programs for machine learning.
    J. R. Quinlan (1996), Improved use of continuous attributes in C4.5.
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone (1984), Classification and regression
    trees. G. V. Kass (1980), An exploratory technique for investigating large quantities of
    categorical data. W.-Y. Loh and Y.-S. Shih (1997), Split selection methods for classification
    trees. R. C. Holte (1993), Very simple classification rules perform well on most commonly used
    datasets. J. K. Martin (1997), An exact probability metric for decision tree splitting and
    stopping. E. Frank and I. H. Witten (1998), Using a permutation test for attribute selection in
    decision trees. L. Rokach and O. Maimon (2005), Decision trees, sections 3 and 6 (the criteria).

    Examples
    --------
    >>> import pandas as pd
    >>> sky, wind = ["sun", "sun", "cloud", "rain", "rain"], [3.0, 8.0, 4.0, 2.0, 9.0]
    >>> table, y = pd.DataFrame({"sky": sky, "wind": wind}), ["yes", "yes", "yes", "yes", "no"]
    >>> model = DecisionTreeClassifier(splitter="multiway").fit(table, y)
    >>> print(model.export_text())
    |--- wind <= 8.50
    |   |--- class: yes
    |--- wind >  8.50
    |   |--- class: no
    <BLANKLINE>
    """

    APPLIES: ClassVar[Conditions] = APPLIES
    SPOKEN: ClassVar[Spoken] = {
        "ordinal": {"ignore": "as nominal", "from_dtype": "keep their order"}
    }
    RANGES: ClassVar[Ranges] = staticmethod(decision_tree_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "criterion": Choice(tuple(name for name in CRITERIA if name != "agreement")),
        "splitter": Choice(("binary", "multiway")),
        "numeric": Choice(("midpoint", "c45", "buckets")),
        "ordinal": Choice(("ignore", "from_dtype"), arrays=True),
        "max_depth": Integer(1, 2**31 - 1, shown=(1, 12), none="no limit"),
        "min_samples_split": Integer(2, 2**31 - 1, shown=(2, 50)),
        "min_samples_leaf": Integer(1, 2**31 - 1, shown=(1, 30)),
        "min_weight_fraction_leaf": Number(0.0, 0.5, shown=(0.0, 0.2), step=0.01),
        "min_gain": Number(0.0, 1e300, shown=(0.0, 0.5), step=0.01),
        "min_impurity_decrease": Number(0.0, 1e300, shown=(0.0, 0.2), step=0.005),
        "leaf_penalty": Number(0.0, 1e300, shown=(0.0, 5.0), step=0.1, none="off"),
        "max_leaf_nodes": Integer(2, 2**31 - 1, shown=(2, 30), none="no limit"),
        "grouped": Flag(),
        "min_bucket": Integer(1, 2**31 - 1, shown=(1, 20)),
        "statistic": Choice(("pearson", "likelihood_ratio")),
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
        ordinal: Any = "ignore",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_gain: float = 0.0,
        min_impurity_decrease: float = 0.0,
        leaf_penalty: float | None = None,
        max_leaf_nodes: int | None = None,
        max_features: int | float | str | None = None,
        min_bucket: int = 6,
        statistic: str = "pearson",
        alpha_merge: float = 0.05,
        alpha_split: float = 0.05,
        missing: str = "fractional",
        costs: Any = None,
        class_weight: Any = None,
        grouped: bool = False,
        pruning: str = "cost_complexity",
        ccp_alpha: float = 0.0,
        confidence: float = 0.25,
        choices: str | None = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.numeric = numeric
        self.ordinal = ordinal
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_gain = min_gain
        self.min_impurity_decrease = min_impurity_decrease
        self.leaf_penalty = leaf_penalty
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features = max_features
        self.min_bucket = min_bucket
        self.statistic = statistic
        self.alpha_merge = alpha_merge
        self.alpha_split = alpha_split
        self.missing = missing
        self.costs = costs
        self.class_weight = class_weight
        self.grouped = grouped
        self.pruning = pruning
        self.ccp_alpha = ccp_alpha
        self.confidence = confidence
        self.choices = choices
        self.random_state = random_state


def tree_params(*names: str) -> dict[str, Param]:
    """Return the specifications of some parameters of :class:`DecisionTreeClassifier`.

    Examples
    --------
    >>> tree_params("confidence")["confidence"].extremes()
    (1e-06, 0.5, 0.01)
    """
    return {name: DecisionTreeClassifier.PARAMS[name] for name in names}
