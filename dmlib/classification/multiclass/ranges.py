"""The codes that have an effect for the classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range


def output_code_ranges(model: Any, X: Any, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return why the code has no effect for two classes.

    Examples
    --------
    >>> output_code_ranges(None, [[0.0], [1.0]], ["a", "b"])
    {'code': 'Two classes need a single bit.'}
    """
    return {"code": "Two classes need a single bit."} if len(np.unique(np.asarray(y))) <= 2 else {}
