"""Naive Bayes: the prior of each class, times one factor for each attribute."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns, check_columns, new_rows, read_classes
from dmlib.classification.conditionals import (
    ClassSums,
    NominalTable,
    NormalTable,
    Table,
    count_values,
    log_densities,
    normal_tables,
)
from dmlib.classification.naive_bayes.ranges import naive_bayes_ranges
from dmlib.params import Choice, Conditions, Integer, Number, Param, Ranges, check_params
from dmlib.trees.threshold_text import threshold_texts

BLOCK = 4096  # rows whose factors are in memory at once


@dataclass(frozen=True)
class NaiveBayesStep:
    """One step of learning.

    Attributes
    ----------
    phase : {"prior", "count", "estimate"}
        What was learned: how frequent the classes are; how often each value of a nominal (or cut)
        attribute occurs in each class; mean and variance of a numeric attribute in each class.
    attribute : int or None
        The column; None for the prior.
    class_count : ndarray of shape (n_classes,)
        The number of rows of each class.
    class_prior : ndarray of shape (n_classes,)
        The prior probability of each class.
    tables : tuple of NominalTable or NormalTable
        The tables of the attributes so far; the last one is new.
    """

    phase: str
    attribute: int | None
    class_count: Floats
    class_prior: Floats
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True)
class ProductStep:
    """One step of classifying one row.

    Attributes
    ----------
    phase : {"prior", "multiply", "skip", "normalise"}
        The product starts with the prior; one attribute's factors multiply in; an attribute is
        skipped, because its value is missing or was never seen; the products are divided by their
        sum.
    attribute : int or None
        The column; None at the start and at the end.
    value : str, float or None
        The row's value there, for a cut attribute its interval; None where it is missing.
    factor : ndarray of shape (n_classes,)
        What each class was multiplied by; ones in the phases that multiply nothing.
    log_joint : ndarray of shape (n_classes,)
        The logarithms of the products so far.
    posterior : ndarray of shape (n_classes,)
        The products so far, divided by their sum.
    """

    phase: str
    attribute: int | None
    value: str | float | None
    factor: Floats
    log_joint: Floats
    posterior: Floats


class NaiveBayes(ClassifierMixin, BaseEstimator):
    r"""Classify by Bayes' rule, as if the attributes were independent within each class.

    A row x gets the class c with the largest :math:`P(c) \prod_j P(x_j \mid c)`. Nominal columns
    (text, categories, true and false in a data frame) are counted; numeric columns are taken as
    normal within each class, or are cut. A missing value is skipped, both in learning and in
    classifying.

    Parameters
    ----------
    laplace : float, default=0
        Added to the count of every value of a nominal attribute in every class. 1 is Laplace's
        rule.
    m_estimate : float, default=0
        The weight m of a uniform prior guess: m rows are added to each class, in equal shares of
        all values of the attribute. It adds to ``laplace``.
    numeric : {"gaussian", "interval", "discretised"}, default="gaussian"
        What a numeric column gives. "gaussian": the normal density at the value. "interval": the
        normal probability of the interval around the value in which all values round alike, as Weka
        does. "discretised": the share of the value's interval, where the intervals hold about
        equally many rows.
    n_bins : int, default=5
        How many intervals "discretised" makes, at most.
    ddof : int, default=1
        Variances divide by n - ddof: 1 as in textbooks and R's e1071, 0 as in scikit-learn and
        Weka.
    var_smoothing : float, default=0
        This share of the largest variance of all columns is added to every variance. scikit-learn
        adds 1e-9.
    priors : array-like of shape (n_classes,), default=None
        The prior probabilities; by default the classes' shares in the rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    class_count_, class_prior_ : ndarray of shape (n_classes,)
        The number of rows and the prior probability of each class.
    tables_ : tuple of NominalTable or NormalTable
        What was learned about each column.
    theta_, var_ : ndarray of shape (n_classes, n_features)
        Means and variances of the numeric columns; NaN for nominal (or cut) ones.
    category_count_, feature_log_prob_ : list of (ndarray of shape (n_classes, n_values) or None)
        Counts and log probabilities of the nominal (or cut) columns; None for numeric ones.
    n_features_in_ : int
        The number of columns.

    Raises
    ------
    ValueError
        If the priors do not fit the classes, or values are infinite or too large to square.

    Notes
    -----
    Learning costs O(n d), classifying a row O(d n_classes); products are sums of logarithms, so
    they cannot underflow. With ``ddof=0, var_smoothing=1e-9`` numeric columns give scikit-learn's
    GaussianNB.

    The prior is never smoothed. The values of a nominal column are those in the rows, or the
    declared categories. A value that was never seen is skipped. A class in which a column has no
    known value takes the column's distribution over all rows. A variance within a class is at least
    a billionth of the column's variance. Where every class has the product zero, the posterior is
    the prior. Ties go to the class that sorts first.

    References
    ----------
    P. Domingos and M. Pazzani (1997), On the optimality of the simple Bayesian classifier under
    zero-one loss. B. Cestnik (1990), Estimating probabilities: a crucial task in machine learning
    (the m-estimate). G. H. John and P. Langley (1995), Estimating continuous distributions in
    Bayesian classifiers, section 2.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain"], "wind": [2.0, 4.0, 5.0, 9.0]})
    >>> model = NaiveBayes(laplace=1).fit(table, ["yes", "yes", "no", "yes"])
    >>> model.predict_proba(pd.DataFrame({"sky": ["sun"], "wind": [None]})).round(4).tolist()
    [[0.1563, 0.8438]]
    >>> [step.phase for step in model.explain_steps(["sun", None])]
    ['prior', 'multiply', 'skip', 'normalise']
    """

    APPLIES: ClassVar[Conditions] = {"n_bins": ("numeric", ("discretised",))}
    RANGES: ClassVar[Ranges] = staticmethod(naive_bayes_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "laplace": Number(0.0, 1e6, shown=(0.0, 5.0), step=0.25),
        "m_estimate": Number(0.0, 1e6, shown=(0.0, 20.0), step=0.5),
        "numeric": Choice(("gaussian", "interval", "discretised")),
        "n_bins": Integer(2, 100, shown=(2, 10)),
        "ddof": Integer(0, 1),
        "var_smoothing": Number(0.0, 1e3, shown=(0.0, 1.0)),
    }

    def __init__(
        self,
        laplace: float = 0.0,
        *,
        m_estimate: float = 0.0,
        numeric: str = "gaussian",
        n_bins: int = 5,
        ddof: int = 1,
        var_smoothing: float = 0.0,
        priors: ArrayLike | None = None,
    ) -> None:
        self.laplace = laplace
        self.m_estimate = m_estimate
        self.numeric = numeric
        self.n_bins = n_bins
        self.ddof = ddof
        self.var_smoothing = var_smoothing
        self.priors = priors

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from the rows of ``X`` and their classes ``y``; weights count a row several times."""
        check_columns(self, X, y)
        self._columns, matrix = Columns.read(X)
        self.classes_, codes = read_classes(y, matrix)
        weights = (
            None
            if sample_weight is None
            else _check_sample_weight(sample_weight, matrix, dtype=np.float64)
        )
        for step in self._steps(
            self._columns, matrix, ClassSums(codes, len(self.classes_), weights)
        ):
            last = step
        self.class_count_, self.class_prior_, self.tables_ = (
            last.class_count,
            last.class_prior,
            last.tables,
        )
        nothing = np.full(len(self.classes_), np.nan)
        numeric = [table if isinstance(table, NormalTable) else None for table in self.tables_]
        self.theta_ = np.array([nothing if table is None else table.mean for table in numeric]).T
        self.var_ = np.array([nothing if table is None else table.variance for table in numeric]).T
        nominal = [table if isinstance(table, NominalTable) else None for table in self.tables_]
        self.category_count_ = [None if table is None else table.counts for table in nominal]
        with np.errstate(divide="ignore"):
            self.feature_log_prob_ = [
                None if table is None else np.log(table.probabilities) for table in nominal
            ]
        return self

    def steps(self, X: Any, y: Any = None) -> Iterator[NaiveBayesStep]:
        """Yield the prior, then one attribute's table at a time; the last step is what ``fit`` learns."""
        columns, matrix = Columns.read(X)
        classes, codes = read_classes(y, matrix)
        yield from self._steps(columns, matrix, ClassSums(codes, len(classes)))

    def _steps(self, columns: Columns, matrix: Floats, sums: ClassSums) -> Iterator[NaiveBayesStep]:
        check_params(self.PARAMS, self.get_params())
        counts = sums.counts()
        prior = (
            _given_priors(self.priors, len(counts))
            if self.priors is not None
            else counts / counts.sum()
        )
        yield NaiveBayesStep("prior", None, counts, prior)
        tables: tuple[Table, ...] = ()
        for j, table in enumerate(self._tables(columns, matrix, sums)):
            tables = (*tables, table)
            phase = "count" if isinstance(table, NominalTable) else "estimate"
            yield NaiveBayesStep(phase, j, counts, prior, tables)

    def _tables(self, columns: Columns, matrix: Floats, sums: ClassSums) -> Iterator[Table]:
        """Yield the table of each column, in order; all normal distributions are computed at once."""
        normal = self._normal_tables(columns, matrix, sums) if self.numeric != "discretised" else {}
        for j, (name, column, values) in enumerate(
            zip(columns.names, matrix.T, columns.categories, strict=True)
        ):
            if j in normal:
                yield normal[j]
                continue
            cuts = _cuts(column, self.n_bins) if values is None else None
            labels = tuple(map(str, values)) if cuts is None else _intervals(cuts, column)
            yield count_values(name, labels, column, sums, self.laplace, self.m_estimate, cuts)

    def _normal_tables(
        self, columns: Columns, matrix: Floats, sums: ClassSums
    ) -> dict[int, NormalTable]:
        numbers = np.flatnonzero(~columns.nominal)
        some = matrix if len(numbers) == matrix.shape[1] else matrix[:, numbers]
        tables = normal_tables(
            [columns.names[j] for j in numbers],
            some,
            sums,
            ddof=self.ddof,
            var_smoothing=self.var_smoothing,
            precisions=np.array([_precision(column) for column in some.T])
            if self.numeric == "interval"
            else None,
        )
        return dict(zip(numbers.tolist(), tables, strict=True))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        best = _or_prior(*self._scores(X)).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[best]
        return labels

    def predict_proba(self, X: Any) -> Floats:
        """Return the posterior probability of each class (columns, as in ``classes_``) for each row."""
        posterior: Floats = np.exp(self.predict_log_proba(X))
        return posterior

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the posterior probabilities, shape (n_samples, n_classes)."""
        return _normalised(_or_prior(*self._scores(X)))

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the products, log P(x, class), shape (n_samples, n_classes)."""
        return self._scores(X)[0]

    def explain_steps(self, x: Any) -> Iterator[ProductStep]:
        """Yield how one row is classified: the prior, then one attribute's factors at a time, then the posterior.

        The row is a sequence of values, an array of shape (1, n_features) or a data frame of one
        row; None or NaN where a value is missing.
        """
        check_is_fitted(self)
        frame = self._columns.frame(x)
        row = self._columns.encode(frame)[0]
        prior = _log(self.class_prior_)
        ones, joint = np.ones(len(prior)), prior

        def step(
            phase: str, j: int | None, value: str | float | None, factor: Floats
        ) -> ProductStep:
            posterior = np.exp(_normalised(_or_prior(joint[None], prior)))[0]
            return ProductStep(phase, j, value, factor, joint, posterior)

        yield step("prior", None, None, ones)
        for j, table in enumerate(self.tables_):
            value = _shown(table, row[j], frame.iloc[0, j])
            if np.isnan(row[j]) or (
                isinstance(table, NominalTable) and table.codes(row[[j]])[0] < 0
            ):
                yield step("skip", j, value, ones)
                continue
            logs = table.log_factors(row[[j]])[0]
            joint = joint + logs
            yield step("multiply", j, value, np.exp(logs))
        yield step("normalise", None, None, ones)

    def _scores(self, X: Any) -> tuple[Floats, Floats]:
        """Return the log products of the rows, and the log prior."""
        check_is_fitted(self)
        matrix = new_rows(self, self._columns, X)
        prior = _log(self.class_prior_)
        joint = np.empty((len(matrix), len(prior)))
        dense = [
            j for j, t in enumerate(self.tables_) if isinstance(t, NormalTable) and not t.precision
        ]
        mean, variance = self.theta_[:, dense], self.var_[:, dense]
        with np.errstate(over="ignore"):
            for start in range(0, len(matrix), BLOCK):
                rows = matrix[start : start + BLOCK]
                block = log_densities(
                    rows if len(dense) == rows.shape[1] else rows[:, dense], mean, variance
                )
                for j in set(range(rows.shape[1])).difference(dense):
                    block += self.tables_[j].log_factors(rows[:, j])
                joint[start : start + BLOCK] = block + prior
        return joint, prior

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags


def _given_priors(priors: ArrayLike, n_classes: int) -> Floats:
    given = np.asarray(priors, float)
    if given.shape != (n_classes,):
        raise ValueError(
            f"Number of priors must match number of classes: give {n_classes}, not {given.size}."
        )
    if not (given >= 0).all():
        raise ValueError("Priors must be non-negative.")
    if not np.isclose(given.sum(), 1.0):
        raise ValueError(f"The sum of the priors should be 1; it is {given.sum():g}.")
    return given


def _precision(column: Floats) -> float:
    """Return the mean gap between neighbouring values of a column, as Weka does; 0.01 if there is none."""
    gaps = np.diff(np.unique(column[~np.isnan(column)]))
    return float(gaps.mean()) if gaps.size else 0.01


def _cuts(column: Floats, n_bins: int) -> Floats:
    """Return where a column is cut so that the intervals hold about equally many rows."""
    known = column[~np.isnan(column)]
    if not known.size:
        return np.empty(0)
    cuts: Floats = np.unique(np.quantile(known, np.arange(1, n_bins) / n_bins))
    inner: Floats = cuts[cuts > known.min()]
    return inner


def _intervals(cuts: Floats, column: Floats) -> tuple[str, ...]:
    texts = threshold_texts(cuts, column, inclusive=False)
    if not texts:
        return ("any",)
    inner = [f"{low} to {high}" for low, high in pairwise(texts)]
    return (f"below {texts[0]}", *inner, f"{texts[-1]} or more")


def _shown(table: Table, code: float, cell: Any) -> str | float | None:
    """Return a value for people."""
    if np.isnan(code):
        return None
    if isinstance(table, NormalTable):
        return float(code)
    return str(cell) if table.cuts is None else table.values[int(table.codes(np.array([code]))[0])]


def _log(probabilities: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        logs: Floats = np.log(probabilities)
    return logs


def _or_prior(joint: Floats, prior: Floats) -> Floats:
    """Return the log products; where all are of zero, the log prior."""
    return np.where(np.isneginf(joint).all(axis=1, keepdims=True), prior, joint)


def _normalised(joint: Floats) -> Floats:
    """Return log products minus the logarithm of their sum."""
    shifted: Floats = joint - joint.max(axis=1, keepdims=True)
    normalised: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return normalised
