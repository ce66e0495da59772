"""A decision tree that is fully grown and then pruned by one of nine methods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple, Self, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats, Ints, take
from dmlib.classification.columns import Columns, check_columns, new_rows, read_classes
from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier
from dmlib.classification.tree_pruning.pruning import (
    ENCODING_NAMES,
    PARAMS,
    PruningStep,
    pruning_data,
    pruning_steps,
)
from dmlib.classification.tree_pruning.ranges import pruning_ranges
from dmlib.estimator import Staged
from dmlib.params import (
    Choice,
    Conditions,
    Decided,
    Integer,
    Number,
    Param,
    Ranges,
    Spoken,
    check_params,
)
from dmlib.trees.cost_complexity import PruningPath
from dmlib.trees.tree import Tree


class Halves(NamedTuple):
    """The growing set and the pruning set."""

    growing: Ints
    validation: Ints


class PrunedTreeClassifier(ClassifierMixin, Staged, BaseEstimator):
    r"""Classify by a large decision tree that is pruned, by one of nine methods.

    Each compares at a node t its cost as a leaf with the cost of its subtree :math:`T_t`, and
    prunes where the leaf costs no more. For cost-complexity the weakest link is pruned first, the
    node with the smallest

    .. math:: g(t) = \frac{R(t) - R(T_t)}{|T_t| - 1},

    as long as :math:`g(t) \le \alpha`.

    Parameters
    ----------
    method : str, default="cost_complexity"
        The comparison: "cost_complexity" by cost and number of leaves; "reduced_error" by errors on
        a pruning set; "minimum_error" by m-estimates; "pessimistic" by errors with half an error
        for each leaf; "error_based" by upper confidence limits of the errors (C4.5, which also
        raises branches); "mdl" by the description length of tree and classes; "optimal" by the
        fewest errors with each number of leaves; "chi2" by Pearson's statistic of a split;
        "critical_value" by the value that the split criterion had while the tree grew.
    criterion : {"gini", "entropy", "gain_ratio", "error", "g2", "chi2"}, default="gini"
        How splits are compared while the tree grows.
    splitter : {"binary", "multiway"}, default="binary"
        Whether a nominal column has two branches or one for each value.
    max_depth : int or None, default=None
        The largest depth of the grown tree.
    min_samples_leaf : int, default=1
        At least two branches of a split must have so many rows.
    validation_fraction : float, default=0.3
        The fraction of the rows in the pruning set, from which the tree does not grow. Reduced
        error pruning needs it, and so does the choice of a critical value; the other methods do not
        use it, so that all prune the same tree. 0 for none.
    ccp_alpha : float or None, default=None
        For "cost_complexity", what a leaf costs; None to choose it by cross-validation.
    cost : {"impurity", "error"}, default="impurity"
        For "cost_complexity", what a node costs: its impurity, as in scikit-learn, or its errors,
        as in rpart; times its share of the rows.
    cv : int, default=10
        The folds of the cross-validation; at most as many as there are rows.
    standard_errors : float, default=1.0
        For "cost_complexity", how many standard errors the cross-validated error may be above the
        least; for "pessimistic", how many the errors of the leaf may be above those of the subtree.
    leaf_penalty : float, default=0.5
        For "pessimistic", the errors that are added for each leaf, Omega.
    encoding : {"mehta", "names", "mml"}, default="mehta"
        For "mdl", the code of tree and classes: that of Mehta, Rissanen and Agrawal; whole bits for
        the name of the column of each inner node, of the class of each leaf, and of the row of each
        error; or the minimum message length of Wallace and Patrick.
    m : float, default=2.0
        For "minimum_error", how many rows the shares of the classes count for.
    confidence : float, default=0.25
        For "error_based", the probability that a leaf has yet more errors: the smaller, the more is
        cut.
    accuracy : float, default=0.9
        For "optimal", the share of the growing rows that must be classified right.
    significance : float, default=0.05
        For "chi2", the largest p-value of a split that stays.
    critical_value : float or None, default=None
        For "critical_value", the value of the split criterion that a split, or one below it, has to
        reach; None to choose the tree of fewest errors on the pruning set.
    random_state : int, RandomState or None, default=None
        The seed of the pruning set and of the folds.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    grown_ : DecisionTreeClassifier
        The grown tree.
    tree_ : Tree
        The pruned tree, with scikit-learn's names.
    n_leaves_ : int
        Its leaves.
    alpha_ : float
        Of "cost_complexity" the alpha that was used; else 0.
    path_ : PruningPath or None
        Where alpha was cross-validated, the trees that it was chosen from.
    critical_value_ : float
        Of "critical_value" the one that was used; else 0.
    series_ : CriticalSeries or None
        Of "critical_value" the trees of increasing critical values, with their errors where one was
        chosen.
    growing_rows_, validation_rows_ : ndarray
        The growing set and the pruning set.
    n_features_in_ : int
        The number of columns seen by ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if they were columns of a data frame.

    Raises
    ------
    ValueError
        If there is no pruning set and the method needs one, or a parameter is out of range.

    Notes
    -----
    Of n rows and L leaves growing costs O(d n log n) a level; a comparison costs O(L), those of
    "optimal" O(L^2) in all, the series of critical values O(L^2) at most, and cross-validation as
    much as growing ``cv`` trees. Where both sides are equal the subtree is pruned; a value that
    equals the critical value reaches it. Leaves predict the majority class of the growing rows, by
    all methods. Nominal columns and missing values are those of
    :class:`dmlib.classification.DecisionTreeClassifier`; a row whose value is missing goes down in
    parts.

    "minimum_error" takes the class frequencies of the grown tree's root as priors; for k equally
    frequent classes and m = k it is that of Niblett and Bratko (1986). "mdl" counts one bit for
    leaf or split, the column, and the threshold among the gaps between the rows. "chi2" looks at a
    split only where no split is left below it. "critical_value" takes of Mingers' two measures of a
    tree of the series its errors, not its significance; of equally good trees the smallest.

    References
    ----------
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone (1984), Classification and regression
    trees, chapter 3. J. R. Quinlan (1987), Simplifying decision trees (reduced error and
    pessimistic pruning). T. Niblett and I. Bratko (1986), Learning decision rules in noisy domains.
    B. Cestnik and I. Bratko (1991), On estimating probabilities in tree pruning. J. R. Quinlan
    (1993), C4.5: programs for machine learning, chapter 4. M. Mehta, J. Rissanen and R. Agrawal
    (1995), MDL-based decision tree pruning. C. S. Wallace and J. D. Patrick (1993), Coding decision
    trees. M. Bohanec and I. Bratko (1994), Trading accuracy for
    simplicity in decision trees. J. R. Quinlan (1986), Induction of decision trees (the chi-squared
    test). J. Mingers (1987), Expert systems: rule induction with statistical data (critical
    values).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = PrunedTreeClassifier(method="pessimistic", random_state=0).fit(X, y)
    >>> model.grown_.get_n_leaves(), model.n_leaves_
    (9, 3)
    """

    APPLIES: ClassVar[Conditions] = {
        "ccp_alpha": ("method", ("cost_complexity",)),
        "cost": ("method", ("cost_complexity",)),
        "cv": ("method", ("cost_complexity",)),
        "standard_errors": ("method", ("cost_complexity", "pessimistic")),
        "leaf_penalty": ("method", ("pessimistic",)),
        "encoding": ("method", ("mdl",)),
        "m": ("method", ("minimum_error",)),
        "confidence": ("method", ("error_based",)),
        "accuracy": ("method", ("optimal",)),
        "significance": ("method", ("chi2",)),
        "critical_value": ("method", ("critical_value",)),
    }
    DECIDED: ClassVar[Decided] = dict.fromkeys(
        ("cv", "standard_errors"), ("ccp_alpha", "α is chosen by hand, not by cross-validation.")
    )
    SPOKEN: ClassVar[Spoken] = {"encoding": ENCODING_NAMES}
    RANGES: ClassVar[Ranges] = staticmethod(pruning_ranges)
    LENGTH: ClassVar[str] = "ccp_alpha"
    PARAMS: ClassVar[dict[str, Param]] = PARAMS | {
        "criterion": Choice(("gini", "entropy", "gain_ratio", "error", "g2", "chi2")),
        "splitter": Choice(("binary", "multiway")),
        "max_depth": Integer(1, 2**31 - 1, shown=(1, 12), none="no limit"),
        "min_samples_leaf": Integer(1, 2**31 - 1, shown=(1, 30)),
        "validation_fraction": Number(0.0, 0.9, shown=(0.0, 0.6), step=0.05),
    }

    def __init__(
        self,
        method: str = "cost_complexity",
        *,
        criterion: str = "gini",
        splitter: str = "binary",
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        validation_fraction: float = 0.3,
        ccp_alpha: float | None = None,
        cost: str = "impurity",
        cv: int = 10,
        standard_errors: float = 1.0,
        leaf_penalty: float = 0.5,
        encoding: str = "mehta",
        m: float = 2.0,
        confidence: float = 0.25,
        accuracy: float = 0.9,
        significance: float = 0.05,
        critical_value: float | None = None,
        random_state: Any = None,
    ) -> None:
        self.method = method
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.validation_fraction = validation_fraction
        self.ccp_alpha = ccp_alpha
        self.cost = cost
        self.cv = cv
        self.standard_errors = standard_errors
        self.leaf_penalty = leaf_penalty
        self.encoding = encoding
        self.m = m
        self.confidence = confidence
        self.accuracy = accuracy
        self.significance = significance
        self.critical_value = critical_value
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Grow a tree from rows of ``X`` and their classes ``y``, and prune it."""
        grown, halves, steps = self._started(X, y)
        *_, last = steps
        return self._adopt(last, grown, halves, X, y)

    def fit_from(self, steps: Sequence[PruningStep], X: Any, y: ArrayLike) -> Self:
        """Fit from the steps on the same rows, without pruning a second time."""
        grown, halves, _ = self.grow(X, y, steps[:1])
        return self._adopt(steps[-1], grown, halves, X, y)

    def _adopt(
        self, last: PruningStep, grown: DecisionTreeClassifier, halves: Halves, X: Any, y: Any
    ) -> Self:
        """Keep the tree of the last step."""
        check_columns(self, X, y)
        self.grown_ = grown
        self.classes_, self.n_features_in_ = grown.classes_, grown.n_features_in_
        self.growing_rows_, self.validation_rows_ = halves
        self.tree_: Tree = last.tree
        self.n_leaves_, self.alpha_ = last.n_leaves, last.alpha
        self.path_: PruningPath | None = last.path
        self.critical_value_, self.series_ = last.critical_value, last.series
        return self

    def _learned(self, step: PruningStep) -> dict[str, Tree]:
        return {"tree_": step.tree}

    def steps(self, X: Any, y: Any = None) -> Iterator[PruningStep]:
        """Yield the grown tree, the comparison at each node, and the pruned tree."""
        return self._started(X, y)[2]

    def shortened(
        self, steps: Sequence[PruningStep], X: Any, y: Any = None
    ) -> tuple[PruningStep, ...] | None:
        """Return the steps from a tree that was grown for another alpha; None without steps."""
        return tuple(self._started(X, y, steps[:1])[2]) if steps else None

    def _started(
        self, X: Any, y: Any, first: Sequence[PruningStep] = ()
    ) -> tuple[DecisionTreeClassifier, Halves, Iterator[PruningStep]]:
        """Return the grown tree, both sets of rows, and the steps of pruning."""
        check_params(self.PARAMS, self.get_params())
        grown, halves, labels = self.grow(X, y, first)
        is_chosen = self.method == "critical_value" and self.critical_value is None
        by_pruning_set = is_chosen or self.method == "reduced_error"
        used = halves.validation if by_pruning_set else halves.growing
        if not len(used):
            raise ValueError(
                "The pruning set is empty; raise validation_fraction, or choose another method."
            )
        return grown, halves, self.pruning(grown, take(X, used), labels[used])

    def grow(
        self, X: Any, y: Any, first: Sequence[PruningStep] = ()
    ) -> tuple[DecisionTreeClassifier, Halves, NDArray[Any]]:
        """Return the grown tree, both sets of rows, and the classes of all rows.

        The ``first`` step, if there is one, has the tree.
        """
        columns, matrix = Columns.read(X)
        classes, codes = read_classes(y, matrix)
        labels = classes[codes]
        halves = divided_rows(
            codes, self.validation_fraction, check_random_state(self.random_state)
        )
        model = DecisionTreeClassifier(
            criterion=self.criterion,
            splitter=self.splitter,
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
        )
        rows = take(as_declared(X, columns), halves.growing), labels[halves.growing]
        grown = model.fit_from(cast(Any, first), *rows) if first else model.fit(*rows)
        return grown, halves, labels

    def pruning(self, grown: DecisionTreeClassifier, X: Any, y: Any) -> Iterator[PruningStep]:
        """Yield the steps of pruning a fitted tree by rows."""
        path = None
        is_alpha_open = self.method == "cost_complexity" and self.ccp_alpha is None
        if is_alpha_open and X is not None and len(np.asarray(y)) > 1:
            path = self.pruning_path(grown, X, y)
        values = self.get_params() | {"n_features": grown.n_features_in_}
        return pruning_steps(pruning_data(grown, X, y, path), values)

    def pruning_path(self, grown: DecisionTreeClassifier, X: Any, y: Any) -> PruningPath:
        """Return the cost-complexity path of a grown tree, with cross-validated errors.

        ``X`` and ``y`` are the growing set. The folds are drawn with ``random_state``.
        """
        unpruned = DecisionTreeClassifier(**grown.get_params())
        unpruned.set_params(
            pruning="error_complexity" if self.cost == "error" else "cost_complexity"
        )
        seed = check_random_state(self.random_state)
        return unpruned.pruning_path(X, y, cv=min(self.cv, len(np.asarray(y))), random_state=seed)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the majority class in the leaf of each row."""
        tree = self._tree()
        labels: NDArray[Any] = self.classes_[tree.decide(tree.predict(self._matrix(X)))]
        return labels

    def predict_proba(self, X: Any) -> Floats:
        """Return the class frequencies in the leaf of each row, shape (n_samples, n_classes)."""
        return self._tree().predict(self._matrix(X))

    def _tree(self) -> Tree:
        check_is_fitted(self)
        return self.tree_

    def _matrix(self, X: Any) -> Floats:
        return new_rows(self, self.grown_._columns, X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags


def as_declared(X: Any, columns: Any) -> Any:
    """Return a table whose nominal columns declare all values, also those of the pruning set."""
    if not columns.nominal.any():
        return X
    frame = X
    if not isinstance(X, pd.DataFrame):
        frame = pd.DataFrame(np.asarray(X, dtype=object), columns=columns.names)
    declared = {
        name: pd.Categorical(frame.iloc[:, j], categories=values)
        for j, (name, values) in enumerate(zip(frame.columns, columns.categories, strict=True))
        if values is not None
    }
    return frame.assign(**declared)


def divided_rows(codes: Ints, fraction: float, rng: Any) -> Halves:
    """Divide rows into a growing and a pruning set, stratified by class.

    Of each class at least one row is in the growing set.

    Examples
    --------
    >>> divided_rows(np.array([0, 0, 0, 1]), 0.34, np.random.RandomState(0))
    Halves(growing=array([0, 1, 3]), validation=array([2]))
    """
    order, validation = rng.permutation(len(codes)), []
    for code in np.unique(codes):
        members = order[codes[order] == code]
        validation += members[: min(round(fraction * len(members)), len(members) - 1)].tolist()
    chosen = np.zeros(len(codes), bool)
    chosen[validation] = True
    return Halves(np.flatnonzero(~chosen), np.flatnonzero(chosen))
