"""Naive Bayes: the prior of each class, times one factor for each attribute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns, check_columns, new_rows, read_classes
from dmlib.classification.conditionals import (
    ClassSums,
    NominalTable,
    NormalTable,
    Table,
    checked_priors,
    count_values,
    frequency_cuts,
    interval_names,
    log_densities,
    logarithms,
    normal_tables,
    or_prior,
    value_spacing,
)
from dmlib.classification.naive_bayes.ranges import naive_bayes_ranges
from dmlib.classification.word_tables import EVENT_MODELS, cell_value, word_tables
from dmlib.params import Choice, Conditions, Integer, Number, Param, Ranges, Spoken, check_params

BLOCK = 4096  # rows whose factors are in memory at once
Phase = Literal["prior", "count", "estimate"]
ProductPhase = Literal["prior", "multiply", "skip", "normalise"]


@dataclass(frozen=True)
class NaiveBayesStep:
    """One step of learning.

    Attributes
    ----------
    phase : {"prior", "count", "estimate"}
        What was estimated: the priors of the classes; the frequency of each value of a nominal (or
        cut) attribute in each class; mean and variance of a numeric attribute in each class.
    attribute : int or None
        The column; None for the prior.
    class_count : ndarray of shape (n_classes,)
        The number of rows of each class.
    class_prior : ndarray of shape (n_classes,)
        The prior probability of each class.
    tables : tuple of NominalTable or NormalTable
        The tables of the attributes so far; the last one is new.
    """

    phase: Phase
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
        skipped, because its value is missing or not among the training rows; the products are
        divided by their sum.
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

    phase: ProductPhase
    attribute: int | None
    value: str | float | None
    factor: Floats
    log_joint: Floats
    posterior: Floats


class NaiveBayes(ClassifierMixin, BaseEstimator):
    r"""Classify by Bayes' rule, as if the attributes were independent within each class.

    The predicted class of a row x has the largest :math:`P(c) \prod_j P(x_j \mid c)`. Nominal
    columns (text, categories, true and false in a data frame) are counted; numeric columns are
    modelled as normal within each class, or are cut. Missing values are skipped.

    Parameters
    ----------
    laplace : float, default=0
        Added to the count of every value of a nominal attribute in every class. 1 is Laplace's
        rule.
    m_estimate : float, default=0
        The weight m of the prior estimate: m rows are added to each class, divided among the values
        of the attribute. It adds to ``laplace``.
    m_prior : {"uniform", "shares"} or float, default="uniform"
        How these m rows are divided: in equal parts, p = 1 / V for V values, as the values are in
        the rows of all classes together, or by a prior estimate p of one's own for each value.
    numeric : {"gaussian", "interval", "discretised", ...}, default="gaussian"
        The factor of a numeric column. "gaussian": the normal density at the value. "interval": the
        normal probability of the interval around the value in which all values round alike, as in
        Weka. "discretised": the share of the value's interval, of equal-frequency intervals.
        "bernoulli": whether it is above 0. "multinomial": columns are counts, of words say; the
        share of the column in the counts of the class, to the power of the count.
    n_bins : int, default=5
        The number of intervals of "discretised", at most.
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
        The conditional distribution of each column.
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
    Fitting costs O(n d), classifying a row O(d n_classes); products are sums of logarithms, so they
    cannot underflow. With ``ddof=0, var_smoothing=1e-9`` numeric columns give scikit-learn's
    GaussianNB.

    The prior is never smoothed, and estimates by a p of one's own need not sum to 1. The values of
    a nominal column are those in the rows, or the declared categories; any other is skipped. A
    class in which all values of a column are missing takes the column's distribution over all rows.
    A variance within a class is at least a billionth of the column's variance. Where every class
    has the product zero, the posterior is the prior. Ties go to the class that sorts first.

    References
    ----------
    P. Domingos and M. Pazzani (1997), On the optimality of the simple Bayesian classifier under
    zero-one loss. B. Cestnik (1990), Estimating probabilities: a crucial task in machine learning
    (m-estimate). G. H. John and P. Langley (1995), Estimating continuous distributions, section 2.

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
    SPOKEN: ClassVar[Spoken] = {
        "m_prior": {"uniform": "uniform: 1 / V", "shares": "shares of all rows"},
        "numeric": {"bernoulli": "Bernoulli: above 0", "multinomial": "multinomial: counts"},
    }
    RANGES: ClassVar[Ranges] = staticmethod(naive_bayes_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "laplace": Number(0.0, 1e6, shown=(0.0, 5.0), step=0.25),
        "m_estimate": Number(0.0, 1e6, shown=(0.0, 20.0), step=0.5),
        "m_prior": Number(0.0, 1.0, names=("uniform", "shares"), step=0.01),
        "numeric": Choice(("gaussian", "interval", "discretised", *EVENT_MODELS)),
        "n_bins": Integer(2, 100, shown=(2, 10)),
        "ddof": Integer(0, 1),
        "var_smoothing": Number(0.0, 1e3, shown=(0.0, 1.0)),
    }

    def __init__(
        self,
        laplace: float = 0.0,
        *,
        m_estimate: float = 0.0,
        m_prior: str | float = "uniform",
        numeric: str = "gaussian",
        n_bins: int = 5,
        ddof: int = 1,
        var_smoothing: float = 0.0,
        priors: ArrayLike | None = None,
    ) -> None:
        self.laplace = laplace
        self.m_estimate = m_estimate
        self.m_prior = m_prior
        self.numeric = numeric
        self.n_bins = n_bins
        self.ddof = ddof
        self.var_smoothing = var_smoothing
        self.priors = priors

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate the distributions from rows and their classes; a row counts by its weight."""
        check_columns(self, X, y)
        self._columns, matrix = Columns.read(X)
        self.classes_, codes = read_classes(y, matrix)
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, matrix, dtype=np.float64)
        sums = ClassSums(codes, len(self.classes_), weights)
        *_, last = self._steps(self._columns, matrix, sums)
        self.class_count_ = last.class_count
        self.class_prior_ = last.class_prior
        self.tables_ = last.tables
        shape = len(self.classes_), len(self.tables_)
        self.theta_ = np.full(shape, np.nan)
        self.var_ = np.full(shape, np.nan)
        self.category_count_: list[Floats | None] = [None] * shape[1]
        self.feature_log_prob_: list[Floats | None] = [None] * shape[1]
        for j, table in enumerate(self.tables_):
            if isinstance(table, NormalTable):
                self.theta_[:, j] = table.mean
                self.var_[:, j] = table.variance
            else:
                self.category_count_[j] = table.counts
                self.feature_log_prob_[j] = logarithms(table.probabilities)
        return self

    def steps(self, X: Any, y: Any = None) -> Iterator[NaiveBayesStep | ProductStep]:
        """Yield the prior and one table at a time, then how the typical row is classified.

        Its numeric columns have the mean, its nominal ones the most frequent value. For any other
        row, fit and call :meth:`explain_steps`.
        """
        columns, matrix = Columns.read(X)
        classes, codes = read_classes(y, matrix)
        yield from self._steps(columns, matrix, ClassSums(codes, len(classes)))
        row = np.where(np.isnan(matrix).all(axis=0), np.nan, columns.typical(matrix))
        cells = [
            code if values is None or np.isnan(code) else values[int(code)]
            for code, values in zip(row, columns.categories, strict=True)
        ]
        yield from clone(self).fit(X, y)._product(row, cells)

    def _steps(self, columns: Columns, matrix: Floats, sums: ClassSums) -> Iterator[NaiveBayesStep]:
        check_params(self.PARAMS, self.get_params())
        counts = sums.counts()
        prior = counts / counts.sum()
        if self.priors is not None:
            prior = checked_priors(self.priors, len(counts))
        yield NaiveBayesStep("prior", None, counts, prior)
        tables: tuple[Table, ...] = ()
        for j, table in enumerate(self._tables(columns, matrix, sums)):
            tables = (*tables, table)
            phase: Phase = "count" if isinstance(table, NominalTable) else "estimate"
            yield NaiveBayesStep(phase, j, counts, prior, tables)

    def _tables(self, columns: Columns, matrix: Floats, sums: ClassSums) -> Iterator[Table]:
        """Yield the table of each column in order; normal distributions are computed at once."""
        numeric = (
            self._numeric_tables(columns, matrix, sums) if self.numeric != "discretised" else {}
        )
        for j, (name, column, values) in enumerate(
            zip(columns.names, matrix.T, columns.categories, strict=True)
        ):
            if j in numeric:
                yield numeric[j]
                continue
            cuts = frequency_cuts(column, self.n_bins) if values is None else None
            labels = tuple(map(str, values)) if cuts is None else interval_names(cuts, column)
            smoothing = self.laplace, self.m_estimate, self.m_prior
            yield count_values(name, labels, column, sums, *smoothing, cuts)

    def _numeric_tables(
        self, columns: Columns, matrix: Floats, sums: ClassSums
    ) -> dict[int, Table]:
        """Return the tables of all numeric columns, which are not cut, by their numbers."""
        numeric = np.flatnonzero(~columns.nominal)
        names = [columns.names[j] for j in numeric]
        X = matrix if len(numeric) == matrix.shape[1] else matrix[:, numeric]
        if self.numeric in EVENT_MODELS:
            smoothing = self.laplace, self.m_estimate, self.m_prior
            words = word_tables(self.numeric, names, X, sums, *smoothing)
            return dict(zip(numeric.tolist(), words, strict=True))
        spacings = [value_spacing(column) for column in X.T] if self.numeric == "interval" else None
        tables = normal_tables(
            names,
            X,
            sums,
            ddof=self.ddof,
            var_smoothing=self.var_smoothing,
            precisions=None if spacings is None else np.array(spacings),
        )
        return dict(zip(numeric.tolist(), tables, strict=True))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        best = or_prior(*self._scores(X)).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[best]
        return labels

    def predict_at(
        self, steps: Sequence[NaiveBayesStep | ProductStep], X: Any
    ) -> Iterator[NDArray[Any]]:
        """Yield the class of each row at each of these steps, by the columns that are known."""
        matrix, prior = new_rows(self, self._columns, X), logarithms(self.class_prior_)
        joint = np.tile(prior, (len(matrix), 1))
        labels = [self.classes_[joint.argmax(axis=1)]]
        for j, table in enumerate(self.tables_[:-1]):
            joint += table.log_factors(matrix[:, j])
            labels.append(self.classes_[or_prior(joint, prior).argmax(axis=1)])
        labels.append(self.predict(X))
        for step in steps:
            yield labels[len(step.tables) if isinstance(step, NaiveBayesStep) else -1]

    def predict_proba(self, X: Any) -> Floats:
        """Return the posterior probabilities of the classes, shape (n_samples, n_classes)."""
        posterior: Floats = np.exp(self.predict_log_proba(X))
        return posterior

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the posterior probabilities, shape (n_samples, n_classes)."""
        logs: Floats = log_softmax(or_prior(*self._scores(X)), axis=1)
        return logs

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the products, log P(x, class), shape (n_samples, n_classes)."""
        return self._scores(X)[0]

    def explain_steps(self, x: Any) -> Iterator[ProductStep]:
        """Yield how one row is classified: the prior, one attribute's factors at a time, the end.

        The row is a sequence of values, an array of shape (1, n_features) or a data frame of one
        row; None or NaN where a value is missing.
        """
        check_is_fitted(self)
        frame = self._columns.frame(x)
        row = self._columns.encode(frame)[0]
        yield from self._product(row, frame.iloc[0].tolist())

    def _product(self, row: Floats, cells: Sequence[Any]) -> Iterator[ProductStep]:
        prior = logarithms(self.class_prior_)
        ones = np.ones(len(prior))
        posterior = np.exp(log_softmax(prior))
        step = ProductStep("prior", None, None, ones, prior, posterior)
        yield step
        for j, table in enumerate(self.tables_):
            value = cell_value(table, row[j], cells[j])
            is_unseen = isinstance(table, NominalTable) and table.codes(row[[j]])[0] < 0
            if np.isnan(row[j]) or is_unseen:
                step = replace(step, phase="skip", attribute=j, value=value, factor=ones)
            else:
                logs = table.log_factors(row[[j]])[0]
                joint = step.log_joint + logs
                posterior = np.exp(log_softmax(or_prior(joint[None], prior), axis=1))[0]
                step = ProductStep("multiply", j, value, np.exp(logs), joint, posterior)
            yield step
        yield replace(step, phase="normalise", attribute=None, value=None, factor=ones)

    def _scores(self, X: Any) -> tuple[Floats, Floats]:
        """Return the log products of the rows, and the log prior."""
        check_is_fitted(self)
        matrix = new_rows(self, self._columns, X)
        prior = logarithms(self.class_prior_)
        joint = np.empty((len(matrix), len(prior)))
        dense = [
            j for j, t in enumerate(self.tables_) if isinstance(t, NormalTable) and not t.precision
        ]
        mean, variance = self.theta_[:, dense], self.var_[:, dense]
        with np.errstate(over="ignore"):
            for start in range(0, len(matrix), BLOCK):
                rows = matrix[start : start + BLOCK]
                numbers = rows if len(dense) == rows.shape[1] else rows[:, dense]
                block = log_densities(numbers, mean, variance)
                for j in set(range(rows.shape[1])).difference(dense):
                    block += self.tables_[j].log_factors(rows[:, j])
                joint[start : start + BLOCK] = block + prior
        return joint, prior

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags
