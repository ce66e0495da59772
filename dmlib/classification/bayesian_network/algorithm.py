"""A Bayesian network that classifies: naive Bayes, or naive Bayes with a tree of edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.classification.bayesian_network.bayesian_network_step import (
    BayesianNetworkStep,
    InferenceStep,
    Phase,
)
from dmlib.classification.bayesian_network.conditional_table import Coding, ConditionalTable
from dmlib.classification.bayesian_network.inference import inference_steps, log_joint
from dmlib.classification.bayesian_network.ranges import network_ranges
from dmlib.classification.bayesian_network.tree import (
    Indices,
    Pair,
    conditional_mutual_information,
    directed,
    kruskal,
    ranked,
)
from dmlib.classification.columns import Columns, check_columns, new_rows, read_classes
from dmlib.classification.conditionals import logarithms, or_prior
from dmlib.params import Choice, Conditions, Integer, Number, Param, Ranges, Spoken, check_params
from dmlib.trace import look


class BayesianNetworkClassifier(ClassifierMixin, BaseEstimator):
    r"""Classify by a Bayesian network in which the class is a parent of every column.

    The predicted class of a row x has the largest
    :math:`P(c) \prod_j P(x_j \mid c, x_{\pi(j)})`, where :math:`\pi(j)` is the one column that
    column j may depend on besides the class. "tan" joins the columns by the maximum spanning tree
    of their conditional mutual information given the class.

    Parameters
    ----------
    structure : {"tan", "naive"}, default="tan"
        "tan": every column but the root has a column as its second parent (tree-augmented naive
        Bayes). "naive": the class is the only parent.
    root : int, default=1
        The number of the column, from 1, away from which the edges of the tree are directed.
    laplace : float, default=1
        Added to the count of every value of a column, for every state of its parents.
    m_estimate : float, default=0
        The weight m of the prior estimate: m rows are added for every state of the parents, divided
        among the values of the column. It adds to ``laplace``.
    m_prior : {"uniform", "shares"}, default="uniform"
        How these m rows are divided: in equal parts, or as the values are in all rows.
    n_bins : int, default=3
        The number of equal-frequency intervals into which a numeric column is cut, at most.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    class_count_, class_prior_ : ndarray of shape (n_classes,)
        The number of rows and the prior probability of each class.
    information_ : ndarray of shape (n_features, n_features)
        The conditional mutual information of each pair of columns, in bits; zeros for "naive".
    edges_ : tuple of tuple of (int, int)
        The edges of the tree, in the order in which they were taken.
    total_information_ : float
        The sum of the information of the edges, in bits.
    parents_ : tuple of int
        The parent of each column besides the class; -1 where there is none.
    tables_ : tuple of ConditionalTable
        The distribution of each column, for each class and each value of its parent.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If the root is no column, values are infinite, or a table would have more than 2,000,000
        cells.

    Notes
    -----
    The pairs cost O(n d²), sorting them O(d² log d), and a row is classified in O(d n_classes) if
    all of its values are known. An unknown value is summed out, which is exact since the columns
    form a tree. In training a pair, or a table, leaves out the rows in which one of its values is
    missing. A state of the parents without rows takes the distribution of the column in all rows.
    Without smoothing, the choice of the root changes no prediction where no table has a zero. Of
    pairs with equal information, and of equally probable classes, the first one is taken. The prior
    is not smoothed.

    References
    ----------
    N. Friedman, D. Geiger and M. Goldszmidt (1997), Bayesian network classifiers, Machine Learning
    29, section 4. C. K. Chow and C. N. Liu (1968), Approximating discrete probability distributions
    with dependence trees. J. Pearl (1988), Probabilistic Reasoning in Intelligent Systems, section
    4.2.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"a": list("0011") * 2, "b": list("0101") * 2})
    >>> model = BayesianNetworkClassifier().fit(table, list("0110") * 2)
    >>> model.predict(table).tolist(), model.parents_
    (['0', '1', '1', '0', '0', '1', '1', '0'], (-1, 0))
    >>> [step.phase for step in model.explain_steps(["0", None])]
    ['start', 'sum', 'multiply', 'normalise']
    """

    APPLIES: ClassVar[Conditions] = {"root": ("structure", ("tan",))}
    SPOKEN: ClassVar[Spoken] = {
        "structure": {"tan": "tree-augmented (TAN)", "naive": "naive Bayes"},
        "m_prior": {"uniform": "uniform: 1 / V", "shares": "shares of all rows"},
    }
    RANGES: ClassVar[Ranges] = staticmethod(network_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "structure": Choice(("tan", "naive")),
        "root": Integer(1, 100_000, shown=(1, 10)),
        "laplace": Number(0.0, 1e6, shown=(0.0, 5.0), step=0.25),
        "m_estimate": Number(0.0, 1e6, shown=(0.0, 20.0), step=0.5),
        "m_prior": Choice(("uniform", "shares")),
        "n_bins": Integer(2, 100, shown=(2, 10)),
    }

    def __init__(
        self,
        structure: str = "tan",
        *,
        root: int = 1,
        laplace: float = 1.0,
        m_estimate: float = 0.0,
        m_prior: str = "uniform",
        n_bins: int = 3,
    ) -> None:
        self.structure = structure
        self.root = root
        self.laplace = laplace
        self.m_estimate = m_estimate
        self.m_prior = m_prior
        self.n_bins = n_bins

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Learn the structure and the tables from rows and their classes."""
        check_columns(self, X, y)
        self._columns, matrix = Columns.read(X)
        self.classes_, classes = read_classes(y, matrix)
        self.information_ = np.zeros((matrix.shape[1], matrix.shape[1]))
        for step in self._steps(self._columns, matrix, classes):
            if step.phase == "measure" and step.pair is not None:
                first, second = step.pair
                self.information_[[first, second], [second, first]] = step.information
        self.class_count_, self.class_prior_ = step.class_count, step.class_prior
        self.edges_, self.parents_, self.tables_ = step.edges, step.parents, step.tables
        self.total_information_ = float(sum(self.information_[edge] for edge in self.edges_))
        return self

    def steps(self, X: Any, y: Any = None) -> Iterator[BayesianNetworkStep | InferenceStep]:
        """Yield how the structure and the tables are learned, then how a row is classified.

        It is the typical row, with the most frequent values. For any other row, fit and call
        :meth:`explain_steps`.
        """
        columns, matrix = Columns.read(X)
        classes = read_classes(y, matrix)[1]
        yield from self._steps(columns, matrix, classes)
        model = clone(self).fit(X, y)
        row = np.where(np.isnan(matrix).all(axis=0), np.nan, columns.typical(matrix))
        yield from model._inference(row)

    def _steps(
        self, columns: Columns, matrix: Floats, classes: Indices
    ) -> Iterator[BayesianNetworkStep]:
        check_params(self.PARAMS, self.get_params())
        n_features = matrix.shape[1]
        if self.structure == "tan" and self.root > n_features:
            raise ValueError(
                f"root must be the number of a column, from 1 to {n_features}; it is {self.root}."
            )
        counts = np.bincount(classes).astype(np.float64)
        step = BayesianNetworkStep("prior", counts, counts / counts.sum())
        yield step
        read = zip(columns.names, columns.categories, matrix.T, strict=True)
        codings = [Coding.of(*column, self.n_bins) for column in read]
        codes = [coding.codes(column) for coding, column in zip(codings, matrix.T, strict=True)]
        step = replace(step, parents=(-1,) * n_features)
        if self.structure == "tan" and n_features > 1:
            for tree_step in self._tree_steps(replace(step, parents=()), codes, classes):
                step = tree_step
                yield step
        smoothing: dict[str, Any] = {
            name: getattr(self, name) for name in ("laplace", "m_estimate", "m_prior")
        }
        for coding, column, parent in zip(codings, codes, step.parents, strict=True):
            look()
            above = None if parent < 0 else (codings[parent], codes[parent])
            table = ConditionalTable.count(coding, column, classes, len(counts), above, **smoothing)
            step = replace(step, phase="count", tables=(*step.tables, table))
            yield step

    def _tree_steps(
        self, step: BayesianNetworkStep, codes: Sequence[Indices], classes: Indices
    ) -> Iterator[BayesianNetworkStep]:
        """Yield the information of each pair, the verdict on each edge, and the directions."""
        pairs = list(combinations(range(len(codes)), 2))
        information: dict[Pair, float] = {}
        for first, second in pairs:
            look()
            bits = conditional_mutual_information(codes[first], codes[second], classes)
            information[first, second] = bits
            yield replace(step, phase="measure", pair=(first, second), information=bits)
        order = ranked(pairs, np.array(list(information.values())))
        edges: tuple[Pair, ...] = ()
        for pair, is_edge in kruskal(order, len(codes)):
            edges = (*edges, pair) if is_edge else edges
            phase: Phase = "connect" if is_edge else "reject"
            bits = information[pair]
            yield replace(step, phase=phase, pair=pair, information=bits, edges=edges)
        parents = directed(edges, len(codes), self.root - 1)
        yield replace(step, phase="direct", edges=edges, parents=parents)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        best = self._scores(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[best]
        return labels

    def predict_proba(self, X: Any) -> Floats:
        """Return the posterior probabilities of the classes, shape (n_samples, n_classes)."""
        posterior: Floats = np.exp(log_softmax(self._scores(X), axis=1))
        return posterior

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Return log P(class, known values of the row), shape (n_samples, n_classes)."""
        check_is_fitted(self)
        matrix = new_rows(self, self._columns, X)
        prior = logarithms(self.class_prior_)
        return log_joint(prior, self.tables_, self.parents_, self._codes(matrix))

    def explain_steps(self, x: Any) -> Iterator[InferenceStep]:
        """Yield how one row is classified: one column at a time, children before their parents.

        The row is a sequence of values, an array of shape (1, n_features) or a data frame of one
        row; None or NaN where a value is not known.
        """
        check_is_fitted(self)
        yield from self._inference(self._columns.encode(self._columns.frame(x))[0])

    def _inference(self, row: Floats) -> Iterator[InferenceStep]:
        prior = logarithms(self.class_prior_)
        yield from inference_steps(prior, self.tables_, self.parents_, self._codes(row[None])[0])

    def _scores(self, X: Any) -> Floats:
        """Return the log products; where all products of a row are zero, the log prior."""
        joint = self.predict_joint_log_proba(X)
        return or_prior(joint, logarithms(self.class_prior_))

    def _codes(self, matrix: Floats) -> Indices:
        pairs = zip(self.tables_, matrix.T, strict=True)
        codes: Indices = np.column_stack([t.coding.codes(column) for t, column in pairs])
        return codes

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags
