"""The parameters of naive Bayes that have an effect on the columns."""

from __future__ import annotations

from typing import Any

from dmlib.classification.columns import Columns
from dmlib.classification.word_tables import EVENT_MODELS
from dmlib.params import Range

NO_NAMES = "All columns are numeric: there are no counts to smooth."
NO_NUMBERS = "All columns are nominal."
NO_ROWS = "No rows are added to the counts: m is 0."
NO_NORMAL = "No column has a normal distribution."


def naive_bayes_ranges(model: Any, X: Any, y: Any = None) -> dict[str, Range]:
    """Return why the parameters of counts or of normal distributions have no effect.

    Examples
    --------
    >>> from dmlib.classification import NaiveBayes
    >>> naive_bayes_ranges(NaiveBayes(), [[0.0], [1.0]])["laplace"]
    'All columns are numeric: there are no counts to smooth.'
    """
    nominal = Columns.read(X)[0].nominal
    ranges: dict[str, Range] = {} if model.m_estimate else {"m_prior": NO_ROWS}
    if nominal.all():
        return ranges | dict.fromkeys(("numeric", "n_bins", "ddof", "var_smoothing"), NO_NUMBERS)
    if model.numeric == "discretised" or model.numeric in EVENT_MODELS:
        return ranges | dict.fromkeys(("ddof", "var_smoothing"), NO_NORMAL)
    if nominal.any():
        return ranges
    return dict.fromkeys(("laplace", "m_estimate", "m_prior"), NO_NAMES)
