"""Weights that somebody gives a network to start from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


def given_weights(init: Any, shapes: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return given initial weights as arrays, after checks.

    Parameters
    ----------
    init : mapping, or sequence
        The parts by their names, or in the order of ``shapes``: arrays or lists of numbers, as JSON
        has them.
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
        raise ValueError(
            f"init must be the name of a start, or finite weights with the parts {wanted}."
        ) from None
    return found


def symmetric_weights(init: Any, n_units: int) -> Any:
    """Return given weights between units, an array or a mapping with the name ``weights``; zeros for a name.

    Raises
    ------
    ValueError
        If they are no finite symmetric weights of so many units with 0 on the diagonal.

    Examples
    --------
    >>> symmetric_weights("zero", 1).tolist(), symmetric_weights([[0, 2], [2, 0]], 2).tolist()
    ([[0.0]], [[0.0, 2.0], [2.0, 0.0]])
    """
    if isinstance(init, str):
        return np.zeros((n_units, n_units))
    parts = init if isinstance(init, Mapping) else {"weights": init}
    W = given_weights(parts, {"weights": (n_units, n_units)})["weights"]
    if np.diag(W).any() or not np.allclose(W, W.T, rtol=1e-9, atol=1e-12):
        raise ValueError(
            "init must be symmetric weights with 0 on the diagonal, or the energy could rise."
        )
    return W


def weights_json(model: Any, names: Sequence[str]) -> str:
    """Return learned weights as JSON, from which ``init`` makes a run start.

    Parameters
    ----------
    model : estimator
        Fitted.
    names : sequence of str
        Attributes, without the underscore at their end, of which those are taken that it has. A
        single one that is a mapping is the whole.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> weights_json(SimpleNamespace(coefs_=[np.eye(1)]), ["coefs", "components"])
    '{"coefs": [[[1.0]]]}'
    """
    parts = {name: getattr(model, f"{name}_") for name in names if hasattr(model, f"{name}_")}
    (first, *more) = parts.values()
    return json.dumps(
        first if isinstance(first, Mapping) and not more else parts, default=np.ndarray.tolist
    )


def _arrays(part: Any, shape: Sequence[Any]) -> Any:
    if isinstance(shape, list):
        return [_arrays(each, one) for each, one in zip(part, shape, strict=True)]
    array = np.array(part, float)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError("These are not the numbers.")
    return array


def _told(shape: Sequence[Any]) -> str:
    return ", ".join(map(str, shape)) or "(nothing)" if isinstance(shape, list) else str(shape)
