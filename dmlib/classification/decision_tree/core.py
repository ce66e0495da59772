"""Growing, pruning and applying a decision tree, whatever its settings."""

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
from dmlib.classification.decision_tree.settings import growth_rules, n_features
from dmlib.params import Flag, Param, check_params
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
from dmlib.trees.rules import Rules
from dmlib.trees.steps import DecisionTreeStep, growing, pruning
from dmlib.trees.text import leaf_rules, listing, neighbouring_values
from dmlib.trees.tree import Tree, best_first, build, build_all

MAX_BATCH_CELLS = 2**16
"""Cells, rows times columns, of the trees that are grown together: with more, growing them one by
one is as fast."""


class TreeClassifier(ClassifierMixin, BaseEstimator):
    """A decision tree that grows level by level and is then pruned.

    A subclass has a constructor, and names in ``PARAMS`` what its parameters take. The textbook's
    algorithms set the other parameters of :class:`DecisionTreeClassifier` to what defines them.
    """

    PARAMS: ClassVar[dict[str, Param]]

    max_leaf_nodes: int | None
    max_features: int | float | str | None
    costs: Any
    class_weight: Any
    ordinal: Any
    grouped: bool
    pruning: str
    ccp_alpha: float
    confidence: float
    choices: str | None
    random_state: Any

    @property
    def all_params(self) -> dict[str, Any]:
        """All parameters by name, including those that a subclass sets for itself.

        Examples
        --------
        >>> from dmlib.classification import ID3
        >>> ID3().get_params()
        {'max_depth': None, 'min_samples_split': 2}
        >>> ID3().all_params["criterion"]
        'entropy'
        """
        attributes = vars(self).items()
        return {name: value for name, value in attributes if name.strip("_") == name}

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow a tree from the rows of ``X`` and their classes ``y``, and prune it."""
        check_columns(self, X, y)
        columns, classes, table, weights = self.read(X, y, sample_weight)
        return self.fit_table(columns, classes, table, weights)._remember(table)

    def fit_from(self, steps: Sequence[DecisionTreeStep], X: Any, y: ArrayLike) -> Self:
        """Fit from the steps on the same rows, without growing the tree a second time."""
        check_columns(self, X, y)
        columns, classes, table, _ = self.read(X, y)
        return self._adopt(columns, classes, table, cast(Tree, steps[-1].tree))._remember(table)

    def fit_table(
        self,
        columns: Columns,
        classes: NDArray[Any],
        table: Table,
        weights: Floats,
        tree: Tree | None = None,
    ) -> Self:
        """Grow a tree, or take over one, and prune it.

        The rows are as :func:`dmlib.trees.rows.read_rows` returns them.
        """
        grown = self._grown(table, weights, tree)
        return self._adopt(columns, classes, table, result_of(self._pruning(grown, table, weights)))

    def _adopt(self, columns: Columns, classes: NDArray[Any], table: Table, tree: Tree) -> Self:
        self._columns, self.classes_, self.n_features_in_ = columns, classes, len(columns.names)
        self.n_classes_, self.n_outputs_ = len(classes), 1
        self.max_features_, self.tree_ = n_features(self.max_features, len(table.n_values)), tree
        return self

    def _remember(self, table: Table) -> Self:
        """Remember the values next to the thresholds, from which rules have their decimals."""
        self._neighbouring = neighbouring_values(self.tree_, table.X)
        return self

    def steps(self, X: Any, y: Any = None) -> Iterator[DecisionTreeStep]:
        """Yield a step for each node, level by level, then one for each comparison of pruning.

        Splits are ``choices`` where there are any; each step also has the split that the criterion
        prefers. The last step has the tree.
        """
        _, _, table, weights = self.read(X, y)
        levels = list(self._levels(table, weights, all_candidates=True))
        tree = self._grown(table, weights, build(levels, table.costs))
        remaining = None if self.max_leaf_nodes is None else set(tree.numbers.tolist())
        nodes = {}
        for step in growing(levels, remaining):
            nodes[step.node] = step
            yield step
        yield from pruning(nodes, tree, self._pruning(tree, table, weights))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the majority class in the leaf of each row; with ``costs`` the cheapest class."""
        matrix = self._matrix(X)
        return self.classes_[self.tree_.decide(self.tree_.predict(matrix))]

    def predict_at(
        self, steps: Sequence[DecisionTreeStep], X: Any
    ) -> Iterator[NDArray[Any] | None]:
        """Yield the predictions of the tree as it has grown; None where it is pruned later."""
        tree, matrix = self.tree_, self._matrix(X)
        is_pruned = self.pruning == "error_based" or self.ccp_alpha > 0
        for step in steps:
            is_growing = step.phase in ("split", "leaf", "open")
            grown = tree.pruned(tree.numbers > step.node) if is_growing else tree
            yield None if is_pruned else self.classes_[grown.decide(grown.predict(matrix))]

    def predict_proba(self, X: Any) -> Floats:
        """Return the class frequencies in the leaf of each row, shape (n_samples, n_classes)."""
        matrix = self._matrix(X)
        return self.tree_.plain(self.tree_.predict(matrix))

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the class frequencies, shape (n_samples, n_classes)."""
        with np.errstate(divide="ignore"):
            return cast(Floats, np.log(self.predict_proba(X)))

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the leaf of each row; where it is in several, the one with its largest part."""
        matrix = self._matrix(X)
        return self.tree_.apply(matrix)

    def decision_path(self, X: Any) -> csr_matrix:
        """Return the nodes that each row passes, as a sparse indicator matrix.

        Its shape is (n_samples, node_count).
        """
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
        """The impurity decrease by the splits of each column, normalised to sum to 1."""
        check_is_fitted(self)
        return self.tree_.compute_feature_importances(self.n_features_in_)

    def cost_complexity_pruning_path(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Bunch:
        """Return the effective alphas of the subtrees, and the total impurity of their leaves.

        With ``pruning="error_complexity"`` the training error takes the place of the impurity.
        """
        _, _, table, weights = self.read(X, y, sample_weight)
        alphas, costs = alphas_and_costs(self._grown(table, weights), self._cost)
        return Bunch(ccp_alphas=alphas, impurities=costs)

    def pruning_path(
        self, X: Any, y: ArrayLike, *, cv: int = 10, random_state: Any = None
    ) -> PruningPath:
        """Return the nested subtrees of growing ``ccp_alpha``, with their cross-validated error.

        There are ``cv`` stratified folds, drawn with the seed ``random_state``; more folds than
        rows are refused.
        """
        _, _, table, weights = self.read(X, y)
        folds = stratified_folds(table.y, cv, check_random_state(random_state))
        return pruning_path(
            lambda masks: self.grow_each(table, masks * weights),
            table.X,
            table.y,
            folds,
            self._cost,
            table.cases,
        )

    def grow_each(self, table: Table, weights: Floats) -> Iterator[Tree]:
        """Yield the unpruned tree of each row of weights, shape (n_trees, n_samples).

        Small trees are grown together, which is several times faster than one after the other.
        """
        rules = self.growth_rules(table, weights[0])
        batch_size = max(1, MAX_BATCH_CELLS // table.X.size)
        prescribed = self.choices is not None or table.costs is not None
        if batch_size == 1 or prescribed or not rules.alike:
            yield from (self._grown(table, row) for row in weights)
            return
        for start in range(0, len(weights), batch_size):
            batch = weights[start : start + batch_size]
            rngs = [check_random_state(self.random_state) for _ in batch]
            trees = build_all(list(grow(table, batch, rules, rngs)))
            for row, tree in zip(batch, trees, strict=True):
                yield self._grown(table, row, tree)

    def export_text(
        self,
        feature_names: Sequence[str] | None = None,
        *,
        decimals: int = 2,
        show_weights: bool = False,
    ) -> str:
        """Return the tree as indented text, in the format of scikit-learn's ``export_text``."""
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
        """Return one rule for each leaf, with its number of rows and of misclassified ones."""
        check_is_fitted(self)
        neighbouring = getattr(self, "_neighbouring", None)  # a tree of an ensemble has none
        categories, classes = self._columns.categories, self.classes_.tolist()
        return [
            str(rule)
            for rule in leaf_rules(
                self.tree_, column_names(self), categories, classes, neighbouring
            )
        ]

    def growth_rules(self, table: Table, weights: Floats) -> Rules:
        """Return the parameters as rules of growth, checked against the data."""
        return growth_rules(self.PARAMS, self.all_params, table, weights)

    @property
    def _cost(self) -> str:
        return "error" if self.pruning == "error_complexity" else "impurity"

    def _matrix(self, X: Any) -> Floats:
        check_is_fitted(self)
        return new_rows(self, self._columns, X)

    def read(
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> tuple[Columns, NDArray[Any], Table, Floats]:
        """Return the columns, the classes, the rows and their weights."""
        check_params({"grouped": Flag()}, {"grouped": self.grouped})
        weighing = sample_weight, self.class_weight, self.costs
        return read_rows(X, y, *weighing, self.ordinal, grouped=self.grouped)

    def _levels(
        self, table: Table, weights: Floats, all_candidates: bool = False
    ) -> Iterator[tuple[Level, Branching]]:
        choices = None if self.choices is None else parse_choices(self.choices)
        rng = check_random_state(self.random_state)
        return grow(table, weights, self.growth_rules(table, weights), rng, choices, all_candidates)

    def _grown(self, table: Table, weights: Floats, tree: Tree | None = None) -> Tree:
        tree = tree or build(list(self._levels(table, weights)), table.costs)
        if self.max_leaf_nodes is None:
            return tree
        return tree.pruned(best_first(tree, self.max_leaf_nodes))

    def _pruning(
        self, tree: Tree, table: Table, weights: Floats
    ) -> Generator[Link | Comparison, None, Tree]:
        """Yield the comparisons of pruning and return the pruned tree."""
        if self.pruning == "error_based":
            measure = CRITERIA[self.growth_rules(table, weights).criterion].measure
            rows = table.X, table.y, weights
            pruner = ErrorBasedPruning(tree, *rows, self.confidence, measure, table.cases)
            yield from pruner.run()
            return pruner.result()
        links = weakest_links(tree, self._cost) if self.ccp_alpha > 0 else iter(())
        yield from takewhile(lambda link: link.alpha <= self.ccp_alpha, links)
        return prune(tree, self.ccp_alpha, self._cost)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags
