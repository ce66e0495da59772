"""The numbers that a regression learns to predict."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def numeric_target(y: ArrayLike | None) -> Any:
    """Return a target whose texts are numbers as numbers, and any other target as it is.

    Raises
    ------
    ValueError
        If it holds names: scikit-learn's checks let arrays of texts pass.

    Examples
    --------
    >>> numeric_target(["1", "2.5"])
    array([1. , 2.5])
    >>> numeric_target(["yes", "no"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: The target holds names such as 'yes', but a regression predicts numbers. ...
    """
    values = np.asarray(y)
    if y is None or values.dtype.kind not in "OUS":
        return y
    try:
        return values.astype(np.float64)
    except ValueError:
        name = next(value for value in values.ravel().tolist() if not _is_number(value))
        raise ValueError(
            f"The target holds names such as {name!r}, but a regression predicts numbers. Choose"
            " another or a classifier."
        ) from None
    except TypeError:  # missing values have a message of their own
        return y


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True
