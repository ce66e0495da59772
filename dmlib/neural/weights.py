"""Weights that somebody gives a network to start from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


def given_weights(init: Any, shapes: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return given start weights as arrays, after checks.

    Parameters
    ----------
    init : mapping, or sequence
        The parts by their names, or in the order of ``shapes``: arrays or lists of numbers, as JSON has them.
    shapes : mapping of str to tuple of int, or to list of these
        The shape of each part; of a part with an array for each layer, their shapes.

    Returns
    -------
    dict
        Copies, by name: an array, or a list of arrays.

    Raises
    ------
    ValueError
        If a part is missing, has another shape, or holds what is no finite number.

    Examples
    --------
    >>> given_weights([[[[1, 2]]], [[0, 0]]], {"coefs": [(1, 2)], "intercepts": [(2,)]})
    {'coefs': [array([[1., 2.]])], 'intercepts': [array([0., 0.])]}
    >>> given_weights({"W": [1, 2]}, {"W": (3,)})
    Traceback (most recent call last):
    ValueError: init must be the name of a start, or finite weights with the parts W (3,).
    """
    try:
        parts = init if isinstance(init, Mapping) else dict(zip(shapes, init, strict=False))
        found = {name: _arrays(parts.get(name, []), shape) for name, shape in shapes.items()}
        if len(init) > len(shapes):
            raise ValueError("There are parts that the network has not.")
    except (TypeError, ValueError):
        wanted = "; ".join(f"{name} {_told(shape)}" for name, shape in shapes.items())
        raise ValueError(f"init must be the name of a start, or finite weights with the parts {wanted}.") from None
    return found


def _arrays(part: Any, shape: Sequence[Any]) -> Any:
    if isinstance(shape, list):
        return [_arrays(each, one) for each, one in zip(part, shape, strict=True)]
    array = np.array(part, float)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError("These are not the numbers.")
    return array


def _told(shape: Sequence[Any]) -> str:
    return ", ".join(map(str, shape)) or "(nothing)" if isinstance(shape, list) else str(shape)
