"""Which parameters of naive Bayes mean something for the columns that there are."""

from __future__ import annotations

from typing import Any

from dmlib.classification.columns import Columns
from dmlib.params import Range

NO_NAMES = "All columns are numeric: there are no counts to smooth."
NO_NUMBERS = "All columns are nominal."
NO_NORMAL = "No column has a normal distribution."


def naive_bayes_ranges(model: Any, X: Any, y: Any = None) -> dict[str, Range]:
    """Return why smoothing of counts, or what is said of numbers, changes nothing.

    Examples
    --------
    >>> from dmlib.classification import NaiveBayes
    >>> naive_bayes_ranges(NaiveBayes(), [[0.0], [1.0]])["laplace"]
    'All columns are numeric: there are no counts to smooth.'
    """
    nominal = Columns.read(X)[0].nominal
    counted = nominal.any() or model.numeric == "discretised"
    found: dict[str, Range] = {} if counted else dict.fromkeys(("laplace", "m_estimate"), NO_NAMES)
    if nominal.all():
        return found | dict.fromkeys(("numeric", "n_bins", "ddof", "var_smoothing"), NO_NUMBERS)
    return found | (
        dict.fromkeys(("ddof", "var_smoothing"), NO_NORMAL)
        if model.numeric == "discretised"
        else {}
    )
