"""CHAID and QUEST: trees whose columns are compared by tests of significance."""

from __future__ import annotations

from typing import ClassVar

from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier, tree_params
from dmlib.params import Conditions, Param


class CHAID(DecisionTreeClassifier):
    """Classify by the tree of CHAID: merged categories, split while chi-squared is significant.

    Parameters
    ----------
    statistic : {"pearson", "likelihood_ratio"}, default="pearson"
        How groups are compared: by Pearson's chi-squared for a nominal target, by G² of the
        likelihood ratio for an ordinal one.
    alpha_merge : float, default=0.05
        Groups of values are merged if the p-value of their difference is larger.
    alpha_split : float, default=0.05
        A node is split if the smallest adjusted p-value of a column is no larger.
    max_depth : int or None, default=None
        The largest depth of a leaf.
    min_samples_split : int or float, default=2
        A node with fewer rows is not split. A float up to 1.0 is a fraction of all rows.
    min_samples_leaf : int or float, default=1
        Groups with fewer rows are merged. A float up to 1.0 is a fraction of all rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    tree_ : Tree
        The tree as arrays, with the names of scikit-learn.

    Notes
    -----
    O(d n (log n + k)) a level for n rows, d columns and k classes, and O(c^2 k) a node for the c
    values of a column. Numeric columns are first divided at their deciles, where only neighbours
    merge; a missing value is a category that may be in any group. P-values are Bonferroni-adjusted
    by the number of ways to merge. Merged groups are not divided again, and nothing is pruned.

    G² tests the same table of classes without their order; SPSS fits Goodman's row effects to an
    ordinal target instead. :class:`dmlib.regression.CHAIDRegressor` is for numbers.

    References
    ----------
    G. V. Kass (1980), An exploratory technique for investigating large quantities of categorical
    data. Applied Statistics 29, 119-127.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> heart = load("heart_disease").frame.dropna()
    >>> model = CHAID(max_depth=1).fit(heart[["thal", "rest_ecg"]], heart["narrowing"])
    >>> for rule in model.export_rules():
    ...     print(rule)
    if thal = normal then no (164/37)
    if thal in {fixed defect, reversible defect} then yes (133/33)
    """

    APPLIES: ClassVar[Conditions] = {}
    PARAMS: ClassVar[dict[str, Param]] = tree_params(
        "statistic",
        "alpha_merge",
        "alpha_split",
        "max_depth",
        "min_samples_split",
        "min_samples_leaf",
    )

    def __init__(
        self,
        *,
        statistic: str = "pearson",
        alpha_merge: float = 0.05,
        alpha_split: float = 0.05,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
    ) -> None:
        super().__init__(
            criterion="chaid",
            missing="category",
            statistic=statistic,
            alpha_merge=alpha_merge,
            alpha_split=alpha_split,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
        )


class QUEST(DecisionTreeClassifier):
    """Classify by the tree of QUEST: columns by tests, thresholds by discriminant analysis.

    Parameters
    ----------
    alpha_split : float, default=0.05
        A node is split if the smallest adjusted p-value of a column is no larger.
    ccp_alpha : float, default=0.0
        The cost of a leaf, in misclassified rows as a fraction of all; choose it with
        :meth:`pruning_path`.
    max_depth : int or None, default=None
        The largest depth of a leaf.
    min_samples_split : int or float, default=2
        A node with fewer rows is not split. A float up to 1.0 is a fraction of all rows.
    min_samples_leaf : int or float, default=1
        Both branches of a split must have so many rows. A float up to 1.0 is a fraction of all
        rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    tree_ : Tree
        The tree as arrays, with the names of scikit-learn.

    Notes
    -----
    O(d n k) a level for n rows, d columns and k classes. Columns compete by the p-value of an
    analysis of variance, or of chi-squared for nominal ones, so that columns with many values have
    no advantage. Several classes make two groups; missing values follow surrogates.

    References
    ----------
    W.-Y. Loh and Y.-S. Shih (1997), Split selection methods for classification trees. Statistica
    Sinica 7, 815-840.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> iris = load("iris").frame
    >>> model = QUEST(ccp_alpha=0.02).fit(iris[["petal_length", "petal_width"]], iris["species"])
    >>> print(model.export_text())
    |--- petal_length <= 2.10
    |   |--- class: setosa
    |--- petal_length >  2.10
    |   |--- petal_width <= 1.64
    |   |   |--- class: versicolor
    |   |--- petal_width >  1.64
    |   |   |--- class: virginica
    <BLANKLINE>
    """

    APPLIES: ClassVar[Conditions] = {}
    PARAMS: ClassVar[dict[str, Param]] = tree_params(
        "alpha_split", "ccp_alpha", "max_depth", "min_samples_split", "min_samples_leaf"
    )

    def __init__(
        self,
        *,
        alpha_split: float = 0.05,
        ccp_alpha: float = 0.0,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
    ) -> None:
        super().__init__(
            criterion="quest",
            missing="surrogate",
            pruning="error_complexity",
            alpha_split=alpha_split,
            ccp_alpha=ccp_alpha,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
        )
