"""ID3, C4.5, CART and 1R: trees whose splits are compared by impurity, gain or error."""

from __future__ import annotations

from typing import Any, ClassVar

from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier, tree_params
from dmlib.params import Choice, Conditions, Param


class ID3(DecisionTreeClassifier):
    """Classify by the tree of ID3: the largest information gain, a branch for each value.

    Parameters
    ----------
    max_depth : int or None, default=None
        The largest depth of a leaf.
    min_samples_split : int or float, default=2
        A node with fewer rows is not split. A float up to 1.0 is a fraction of all rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    tree_ : Tree
        The tree as arrays, with the names of scikit-learn.

    Notes
    -----
    O(d n (log n + k)) a level for n rows, d columns and k classes. A node is a leaf when it is pure
    or no column has a gain. Beyond the paper, numeric columns are cut in two halfway between two
    values, and rows with a missing value go down all branches in parts, as in C4.5.

    References
    ----------
    J. R. Quinlan (1986), Induction of decision trees. Machine Learning 1, 81-106.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> weather = load("weather_nominal").frame
    >>> X, y = weather[["outlook", "humidity", "windy"]], weather["play"]
    >>> print(ID3(max_depth=1).fit(X, y).export_text())
    |--- outlook = sunny
    |   |--- class: no
    |--- outlook = overcast
    |   |--- class: yes
    |--- outlook = rainy
    |   |--- class: yes
    <BLANKLINE>
    """

    APPLIES: ClassVar[Conditions] = {}
    PARAMS: ClassVar[dict[str, Param]] = tree_params("max_depth", "min_samples_split")

    def __init__(self, *, max_depth: int | None = None, min_samples_split: float = 2) -> None:
        super().__init__(
            criterion="entropy",
            splitter="multiway",
            min_gain=1e-6,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
        )


class C45(DecisionTreeClassifier):
    """Classify by the tree of C4.5, release 8: the largest gain ratio, and error-based pruning.

    Parameters
    ----------
    confidence : float, default=0.25
        The confidence level of error-based pruning: the smaller, the more is pruned.
    min_samples_leaf : int or float, default=2
        At least two branches of a split must have so many rows. A float up to 1.0 is a fraction of
        all rows.
    max_depth : int or None, default=None
        The largest depth of a leaf.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    tree_ : Tree
        The tree as arrays, with the names of scikit-learn.

    Notes
    -----
    O(d n (log n + k)) a level for n rows, d columns and k classes. A nominal column has a branch
    for each value; a numeric one is cut at a value of the training rows, and its gain is reduced by
    what the choice among many thresholds costs. Rows with a missing value go down all branches in
    parts. The defaults are those of J48 in Weka.

    References
    ----------
    J. R. Quinlan (1993), C4.5: programs for machine learning.
    J. R. Quinlan (1996), Improved use of continuous attributes in C4.5. Journal of Artificial
    Intelligence Research 4, 77-90.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> iris = load("iris").frame
    >>> X, y = iris[["petal_length", "petal_width"]], iris["species"]
    >>> print(C45(min_samples_leaf=5).fit(X, y).export_text(decimals=1))
    |--- petal_width <= 0.6
    |   |--- class: setosa
    |--- petal_width >  0.6
    |   |--- petal_width <= 1.7
    |   |   |--- petal_length <= 4.9
    |   |   |   |--- class: versicolor
    |   |   |--- petal_length >  4.9
    |   |   |   |--- class: virginica
    |   |--- petal_width >  1.7
    |   |   |--- class: virginica
    <BLANKLINE>
    """

    APPLIES: ClassVar[Conditions] = {}
    PARAMS: ClassVar[dict[str, Param]] = tree_params("confidence", "min_samples_leaf", "max_depth")

    def __init__(
        self, *, confidence: float = 0.25, min_samples_leaf: float = 2, max_depth: int | None = None
    ) -> None:
        super().__init__(
            criterion="gain_ratio",
            splitter="multiway",
            numeric="c45",
            min_gain=1e-6,
            pruning="error_based",
            confidence=confidence,
            min_samples_leaf=min_samples_leaf,
            max_depth=max_depth,
        )


class CART(DecisionTreeClassifier):
    """Classify by the tree of CART: binary splits, surrogates, minimal error-complexity pruning.

    Parameters
    ----------
    criterion : {"gini", "twoing"}, default="gini"
        How splits are compared.
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
    costs : mapping, array-like of shape (n_classes, n_classes) or None, default=None
        Misclassification costs: of a prediction (column) for a class (row), or by pairs (class,
        prediction); what a mapping does not name costs 1. They act as altered priors.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    tree_ : Tree
        The tree as arrays, with the names of scikit-learn.

    Notes
    -----
    O(d n (log n + k)) a level for n rows, d columns and k classes. A row with a missing value goes
    where the first surrogate sends it whose value it has, or with the larger branch. On complete
    numeric columns, unpruned, the tree is that of scikit-learn up to ties.

    References
    ----------
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone (1984), Classification and regression
    trees.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> iris = load("iris").frame
    >>> y = iris.pop("species")
    >>> CART().fit(iris, y).get_n_leaves(), CART(ccp_alpha=0.02).fit(iris, y).get_n_leaves()
    (9, 3)
    """

    APPLIES: ClassVar[Conditions] = {}
    PARAMS: ClassVar[dict[str, Param]] = {
        "criterion": Choice(("gini", "twoing")),
        **tree_params("ccp_alpha", "max_depth", "min_samples_split", "min_samples_leaf"),
    }

    def __init__(
        self,
        *,
        criterion: str = "gini",
        ccp_alpha: float = 0.0,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        costs: Any = None,
    ) -> None:
        super().__init__(
            missing="surrogate",
            pruning="error_complexity",
            criterion=criterion,
            ccp_alpha=ccp_alpha,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            costs=costs,
        )


class OneR(DecisionTreeClassifier):
    """Classify by the one column whose values misclassify least.

    Parameters
    ----------
    min_bucket : int, default=6
        The rows of one class that fill an interval of a numeric column.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    tree_ : Tree
        The tree as arrays, with the names of scikit-learn; it has one split.

    Notes
    -----
    O(d n (log n + k)) for n rows, d columns and k classes. Neighbouring intervals with the same
    majority are one. Rows with a missing value go down all branches in parts.

    References
    ----------
    R. C. Holte (1993), Very simple classification rules perform well on most commonly used
    datasets. Machine Learning 11, 63-91.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> weather = load("weather_nominal").frame
    >>> model = OneR().fit(weather[["outlook", "windy"]], weather["play"])
    >>> for rule in model.export_rules():
    ...     print(rule)
    if outlook = sunny then no (5/2)
    if outlook = overcast then yes (4)
    if outlook = rainy then yes (5/2)
    """

    APPLIES: ClassVar[Conditions] = {}
    PARAMS: ClassVar[dict[str, Param]] = tree_params("min_bucket")

    def __init__(self, *, min_bucket: int = 6) -> None:
        super().__init__(
            criterion="error",
            splitter="multiway",
            numeric="buckets",
            max_depth=1,
            min_bucket=min_bucket,
        )
