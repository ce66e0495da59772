"""The base of the variants: rows become terms, a generator grows a tree, the tree predicts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats, Ints
from dmlib.classification.columns import check_columns, new_rows, read_classes
from dmlib.classification.tree_variants.linear_tree import Terms
from dmlib.classification.tree_variants.planes import Plane
from dmlib.estimator import Staged
from dmlib.params import Param, check_params

Phase = Literal[
    "start",
    "level",
    "layer",
    "stop",
    "axis",
    "move",
    "solve",
    "project",
    "split",
    "leaf",
    "refit",
    "backfit",
    "same",
    "grow",
    "revise",
    "done",
]


@dataclass(frozen=True)
class VariantStep:
    """One step of growing a tree.

    Attributes
    ----------
    phase : str
        "start", "level", "stop" (oblivious); "start", "layer", "stop" (info-fuzzy network);
        "start", "split", "leaf", "refit", "backfit" (fuzzy); "start", "axis", "move", "solve",
        "project", "split", "leaf" (oblique); "start", "same", "grow", "revise" (incremental);
        "done".
    tree : LinearTree or Tree
        The tree after the step.
    node : int
        The current node; -1 for none, of an oblivious tree the level, of a network the layer.
    weights : ndarray of shape (n_terms,) or None
        The current test; None for none.
    threshold, width : float
        Its threshold and the width of its strip; on "solve" of that between the margins.
    gain : float
        Its impurity decrease.
    before : float
        The impurity decrease of the previous test; of an oblivious tree the p-value of the level;
        of an incremental one the rows that changed a test so far.
    counts : ndarray of shape (2, n_classes) or None
        The class weights in its branches.
    rows : ndarray
        The rows in the node; of an incremental tree those that have arrived.
    ranked : ndarray of shape (n_terms, 2) or None
        The best threshold of each term and its gain; NaN where it cannot be divided.
    plane : Programme, Discriminant or None
        On "solve" and "project": how the test was found.
    layers : tuple of Layer
        Of a network the best layer, then all columns that could be one.
    errors : tuple of float
        The mean squared error before and after a fuzzy tree was refitted or backfitted.
    """

    phase: Phase
    tree: Any
    node: int = -1
    weights: Floats | None = None
    threshold: float = 0.0
    width: float = 0.0
    gain: float = 0.0
    before: float = 0.0
    counts: Floats | None = None
    rows: Ints | None = None
    ranked: Floats | None = None
    plane: Plane | None = None
    layers: tuple[Any, ...] = ()
    errors: tuple[float, float] = (0.0, 0.0)


class Rows(NamedTuple):
    """The training rows of a tree."""

    terms: Terms
    X: Floats
    codes: Ints
    classes: NDArray[Any]

    @property
    def indicator(self) -> Floats:
        """1 in the column of the class of each row."""
        return np.eye(len(self.classes))[self.codes]


class VariantTree(ClassifierMixin, Staged, BaseEstimator):
    """Base of the variants: a subclass grows a tree in ``_grow``."""

    PARAMS: ClassVar[dict[str, Param]]
    tree_: Any

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Grow the tree from the rows of ``X`` and their classes ``y``."""
        check_columns(self, X, y)
        rows = self._read(X, y)
        self.tree_ = self._grown(rows)
        self._terms, self.classes_ = rows.terms, rows.classes
        self.n_features_in_ = len(rows.terms.columns.names)
        return self

    def _learned(self, step: VariantStep) -> dict[str, Any]:
        return {"tree_": step.tree}

    def steps(self, X: Any, y: Any = None) -> Iterator[VariantStep]:
        """Yield the steps of growing the tree."""
        return self._grow(self._read(X, y))

    def predict_proba(self, X: Any) -> Floats:
        """Return the class probabilities of each row, shape (n_samples, n_classes)."""
        check_is_fitted(self)
        shares: Floats = self.tree_.predict(self.terms_of(X))
        return shares

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        shares = self.predict_proba(X)
        labels: NDArray[Any] = self.classes_[shares.argmax(axis=1)]
        return labels

    def terms_of(self, X: Any) -> Floats:
        """Return the terms of new rows, shape (n_samples, n_terms)."""
        return self._terms.of(new_rows(self, self._terms.columns, X))

    def _read(self, X: Any, y: Any) -> Rows:
        check_params(self.PARAMS, self.get_params())
        terms, matrix = Terms.read(X)
        classes, codes = read_classes(y, matrix)
        return Rows(terms, matrix, codes, classes)

    def _grown(self, rows: Rows) -> Any:
        *_, last = self._grow(rows)
        return last.tree

    def _grow(self, rows: Rows) -> Iterator[VariantStep]:
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags
