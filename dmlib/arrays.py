"""Short names of the types of arrays, and rows of whatever an algorithm takes."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.intp]
Bytes: TypeAlias = NDArray[np.uint8]


def take(X: ArrayLike | pd.DataFrame, rows: Any) -> Any:
    """Return rows of an array or of a data frame, by their numbers or a mask.

    Examples
    --------
    >>> take([[1.0], [2.0], [3.0]], [0, 2]).tolist()
    [[1.0], [3.0]]
    >>> take(pd.DataFrame({"a": ["x", "y"]}), np.array([False, True]))
       a
    1  y
    """
    return X.iloc[rows] if isinstance(X, pd.DataFrame) else np.asarray(X)[rows]
