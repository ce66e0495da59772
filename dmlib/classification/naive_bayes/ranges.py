"""The parameters of naive Bayes that have an effect on the columns."""

from __future__ import annotations

from typing import Any

from dmlib.classification.columns import Columns
from dmlib.classification.word_tables import EVENT_MODELS
from dmlib.params import Range

NO_NAMES = "All columns are numeric: there are no counts to smooth."
NO_NUMBERS = "All columns are nominal."
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
    if nominal.all():
        return dict.fromkeys(("numeric", "n_bins", "ddof", "var_smoothing"), NO_NUMBERS)
    if model.numeric == "discretised":
        return dict.fromkeys(("ddof", "var_smoothing"), NO_NORMAL)
    if model.numeric in EVENT_MODELS:
        return dict.fromkeys(("ddof", "var_smoothing"), NO_NORMAL)
    return {} if nominal.any() else dict.fromkeys(("laplace", "m_estimate", "m_prior"), NO_NAMES)
