"""Code that writes learned weights as JSON, from which a run can start."""

from __future__ import annotations


def weights_code(*names: str) -> str:
    """Return code that makes ``weights`` from the attributes of ``model`` with these names and an underscore.

    A run can start from them: they are what ``init`` takes.

    Examples
    --------
    >>> print(weights_code("coefs", "intercepts").splitlines()[1])
    # The weights as JSON, from which a run can start: init=json.loads(weights)
    """
    parts = ", ".join(f'"{name}": model.{name}_' for name in names)
    return f"""
# The weights as JSON, from which a run can start: init=json.loads(weights)
import json

import numpy as np

weights = json.dumps({{{parts}}}, default=np.ndarray.tolist)
"""
