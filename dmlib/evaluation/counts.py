"""The four counts of a binary decision, and the rates that are computed from them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

FORMULAS: dict[str, tuple[str, str]] = {
    "accuracy": ("Accuracy", "(TP + TN) / (TP + FP + TN + FN)"),
    "error": ("Error rate", "(FP + FN) / (TP + FP + TN + FN)"),
    "precision": ("Precision", "TP / (TP + FP)"),
    "recall": ("Recall", "TP / (TP + FN)"),
    "specificity": ("Specificity", "TN / (TN + FP)"),
    "fpr": ("False positive rate", "FP / (FP + TN)"),
    "fnr": ("False negative rate", "FN / (FN + TP)"),
    "fdr": ("False discovery rate", "FP / (FP + TP)"),
    "npv": ("Negative predictive value", "TN / (TN + FN)"),
    "f1": ("F1", "2 · TP / (2 · TP + FP + FN)"),
    "balanced_accuracy": ("Balanced accuracy", "(TP / (TP + FN) + TN / (TN + FP)) / 2"),
    "youden": ("Youden's J", "TP / (TP + FN) + TN / (TN + FP) − 1"),
    "mcc": (
        "Matthews correlation",
        "(TP · TN − FP · FN) / √((TP + FP) · (TP + FN) · (TN + FP) · (TN + FN))",
    ),
    "lr_positive": ("Likelihood ratio +", "(TP / (TP + FN)) / (FP / (FP + TN))"),
    "lr_negative": ("Likelihood ratio −", "(FN / (FN + TP)) / (TN / (TN + FP))"),
}
"""The title of each rate, and its formula."""

EMPTY = {
    "TP + FP": "no row was predicted positive",
    "TN + FN": "no row was predicted negative",
    "TP + FN": "no row is positive",
    "TN + FP": "no row is negative",
}
"""The sums that rates divide by, and why they may be zero."""

NEEDS = {
    "precision": ("TP + FP",),
    "fdr": ("TP + FP",),
    "npv": ("TN + FN",),
    "recall": ("TP + FN",),
    "fnr": ("TP + FN",),
    "specificity": ("TN + FP",),
    "fpr": ("TN + FP",),
    "f1": ("TP + FN", "TP + FP"),
    "balanced_accuracy": ("TP + FN", "TN + FP"),
    "youden": ("TP + FN", "TN + FP"),
    "mcc": ("TP + FN", "TN + FP", "TP + FP", "TN + FN"),
    "lr_positive": ("TP + FN", "TN + FP", "TP + FP"),
    "lr_negative": ("TP + FN", "TN + FP", "TN + FN"),
}
"""The sums that must not be zero if a rate is to be defined."""


def quotient(numerator: Any, denominator: Any) -> Any:
    """Return a quotient, of arrays entry by entry: 0/0 is NaN, n/0 is infinite, without a warning.

    Examples
    --------
    >>> quotient(1, 4), quotient(0, 0)
    (0.25, nan)
    """
    if isinstance(numerator, int | float) and isinstance(denominator, int | float) and denominator:
        return numerator / denominator
    with np.errstate(divide="ignore", invalid="ignore"):
        result = np.true_divide(numerator, denominator)
    return result if np.ndim(result) else float(result)


@dataclass(frozen=True)
class Counts:
    r"""The confusion matrix of a binary decision, and the rates that follow.

    A *false positive* is a negative row that was predicted positive, a *false negative* a positive
    row that was predicted negative. A rate that would be 0/0 is NaN, and ``notes`` says why. Counts
    may be arrays; so are the rates then.

    Parameters
    ----------
    tp : int, float or ndarray
        True positives: positive rows that were predicted positive.
    fp : int, float or ndarray
        False positives: negative rows that were predicted positive (false alarms).
    tn : int, float or ndarray
        True negatives: negative rows that were predicted negative.
    fn : int, float or ndarray
        False negatives: positive rows that were predicted negative (misses).

    Notes
    -----
    ``sensitivity`` and ``tpr`` are other names of ``recall``, ``tnr`` of ``specificity``, ``ppv``
    of ``precision``.

    References
    ----------
    T. Fawcett (2006), An introduction to ROC analysis, figure 1.
    D. M. W. Powers (2011), Evaluation: from precision, recall and F-measure to ROC, informedness,
    markedness and correlation.

    Examples
    --------
    >>> counts = Counts(tp=6, fp=2, tn=10, fn=2)
    >>> counts.precision, counts.recall, counts.accuracy
    (0.75, 0.75, 0.8)
    >>> Counts(0, 0, 5, 1).notes[0]
    'Precision is undefined: no row was predicted positive.'
    """

    tp: Any
    fp: Any
    tn: Any
    fn: Any

    @property
    def n(self) -> Any:
        """The number of rows."""
        return self.tp + self.fp + self.tn + self.fn

    @property
    def accuracy(self) -> Any:
        """Fraction of correct predictions."""
        return quotient(self.tp + self.tn, self.n)

    @property
    def error(self) -> Any:
        """Misclassification rate."""
        return quotient(self.fp + self.fn, self.n)

    @property
    def precision(self) -> Any:
        """Fraction of positive predictions that are correct (positive predictive value)."""
        return quotient(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> Any:
        """Fraction of positive rows predicted positive (sensitivity, true positive rate)."""
        return quotient(self.tp, self.tp + self.fn)

    @property
    def specificity(self) -> Any:
        """Fraction of negative rows predicted negative (true negative rate)."""
        return quotient(self.tn, self.tn + self.fp)

    sensitivity = tpr = recall
    tnr = specificity
    ppv = precision

    @property
    def fpr(self) -> Any:
        """Fraction of negative rows predicted positive (false alarms)."""
        return quotient(self.fp, self.fp + self.tn)

    @property
    def fnr(self) -> Any:
        """Fraction of positive rows predicted negative (misses)."""
        return quotient(self.fn, self.fn + self.tp)

    @property
    def fdr(self) -> Any:
        """Fraction of positive predictions that are wrong."""
        return quotient(self.fp, self.fp + self.tp)

    @property
    def npv(self) -> Any:
        """Fraction of negative predictions that are correct (negative predictive value)."""
        return quotient(self.tn, self.tn + self.fn)

    def f_beta(self, beta: float = 1.0) -> Any:
        """Return the weighted harmonic mean of precision and recall, with ``beta`` for recall."""
        square = beta**2
        return quotient((1 + square) * self.tp, (1 + square) * self.tp + self.fp + square * self.fn)

    @property
    def f1(self) -> Any:
        """Harmonic mean of precision and recall."""
        return self.f_beta()

    @property
    def balanced_accuracy(self) -> Any:
        """Mean of recall and specificity."""
        return (self.recall + self.specificity) / 2

    @property
    def youden(self) -> Any:
        """Youden's J: recall + specificity - 1, the height above the diagonal of the ROC plane."""
        return self.recall + self.specificity - 1

    @property
    def mcc(self) -> Any:
        """Correlation of the true and the predicted class (Matthews)."""
        true = 1.0 * (self.tp + self.fn) * (self.tn + self.fp)
        predicted = 1.0 * (self.tp + self.fp) * (self.tn + self.fn)
        # in floats: products of counts would overflow the integers
        covariance = 1.0 * self.tp * self.tn - 1.0 * self.fp * self.fn
        return quotient(covariance, np.sqrt(true * predicted))

    @property
    def chance(self) -> Any:
        """Expected accuracy of random guessing with as many positive predictions."""
        predicted = 1.0 * (self.tp + self.fp)
        positive = self.tp + self.fn
        hits = predicted * positive + (self.n - predicted) * (self.n - positive)
        return quotient(hits, np.square(1.0 * self.n))

    @property
    def kappa(self) -> Any:
        """Cohen's kappa: (accuracy - chance) / (1 - chance)."""
        return quotient(self.accuracy - self.chance, 1 - self.chance)

    @property
    def lr_positive(self) -> Any:
        """Likelihood ratio of a positive prediction: recall / false positive rate."""
        return quotient(self.recall, self.fpr)

    @property
    def lr_negative(self) -> Any:
        """Likelihood ratio of a negative prediction: false negative rate / specificity."""
        return quotient(self.fnr, self.specificity)

    @property
    def notes(self) -> tuple[str, ...]:
        """Why rates are undefined, one sentence each."""
        return tuple(sentence for name in FORMULAS if (sentence := self.undefined(name)))

    def undefined(self, name: str) -> str:
        """Return why the rate ``name`` is 0/0, as a sentence; empty if it is defined."""
        if np.ndim(self.tp) or not np.isnan(getattr(self, name)):
            return ""
        sums = NEEDS.get(name, ())
        reasons = [
            EMPTY[terms]
            for terms in sums
            if sum(getattr(self, term.lower()) for term in terms.split(" + ")) == 0
        ]
        return f"{FORMULAS[name][0]} is undefined: {' and '.join(reasons) or 'there is no row'}."

    def put_in(self, name: str) -> str:
        """Return the formula of the rate ``name`` with the counts put in, and its value.

        Examples
        --------
        >>> Counts(6, 2, 10, 2).put_in("precision")
        'Precision = TP / (TP + FP) = 6 / (6 + 2) = 0.75'
        """
        title, formula = FORMULAS[name]
        numbers = re.sub(
            r"\b(TP|FP|TN|FN)\b", lambda match: f"{getattr(self, match[0].lower()):g}", formula
        )
        value = getattr(self, name)
        result = "undefined" if np.isnan(value) else f"{value:.6g}"
        return f"{title} = {formula} = {numbers} = {result}"
