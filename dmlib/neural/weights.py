"""Initial weights of a network that are handed in: checks, and JSON that can be handed in."""

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
        weights = {name: _arrays(parts.get(name, []), shape) for name, shape in shapes.items()}
        if len(init) > len(shapes):
            raise ValueError("There are parts that the network has not.")
    except (TypeError, ValueError):
        names = "; ".join(f"{name} {_shape_text(shape)}" for name, shape in shapes.items())
        raise ValueError(
            f"init must be the name of a start, or finite weights with the parts {names}."
        ) from None
    return weights


def symmetric_weights(init: Any, n_units: int) -> Any:
    """Return given weights between units as an array, after checks.

    Parameters
    ----------
    init : array-like, mapping or str
        The weights, alone or under the name ``weights``; zeros for the name of a start.
    n_units : int
        The number of units.

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
        Attributes, without the underscore at their end; those that the model has not are left out.
        A single one that is a mapping is written by itself.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> weights_json(SimpleNamespace(coefs_=[np.eye(1)]), ["coefs", "components"])
    '{"coefs": [[[1.0]]]}'
    """
    parts = {name: getattr(model, f"{name}_") for name in names if hasattr(model, f"{name}_")}
    values = list(parts.values())
    is_mapping = len(values) == 1 and isinstance(values[0], Mapping)
    return json.dumps(values[0] if is_mapping else parts, default=np.ndarray.tolist)


def weights_code(model: Any, names: Sequence[str]) -> str:
    """Return code that writes the weights of ``model`` as JSON, as :func:`weights_json` does.

    Parameters
    ----------
    model : estimator
        Fitted.
    names : sequence of str
        Those of :func:`weights_json`.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> print(weights_code(SimpleNamespace(coefs_=[np.eye(1)]), ["coefs", "components"]))
    # The weights as JSON, from which a run can start: init=json.loads(weights)
    from dmlib.neural.weights import weights_json
    <BLANKLINE>
    weights = weights_json(model, ['coefs'])
    """
    attributes = [name for name in names if hasattr(model, f"{name}_")]
    return f"""# The weights as JSON, from which a run can start: init=json.loads(weights)
from dmlib.neural.weights import weights_json

weights = weights_json(model, {attributes})"""


def _arrays(part: Any, shape: Sequence[Any]) -> Any:
    if isinstance(shape, list):
        return [_arrays(array, array_shape) for array, array_shape in zip(part, shape, strict=True)]
    array = np.array(part, float)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError("These are not the numbers.")
    return array


def _shape_text(shape: Sequence[Any]) -> str:
    if isinstance(shape, list):
        return ", ".join(map(str, shape)) or "(nothing)"
    return str(shape)
