"""True and predicted classes as numbers, and which of them is the positive one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

Codes = NDArray[np.intp]


def class_list(y: ArrayLike, name: str) -> NDArray[Any]:
    """Return the classes as an array.

    Raises
    ------
    ValueError
        If it is no list of classes: empty, more than one column, holes, or measurements.
    """
    values = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1 or not len(values):
        raise ValueError(
            f"{name} must be a list of classes, one for each row; its shape is {values.shape}."
        )
    if pd.isna(values).any():
        raise ValueError(
            f"{name} has missing values. Leave these rows out, or give them a class of their own."
        )
    if values.dtype.kind == "f" and (values != np.floor(values)).any():
        example = values[values != np.floor(values)][0]
        raise ValueError(
            f"{name} holds measurements ({example:g}), not classes. Compare them with a threshold"
            " first."
        )
    given = (
        y if isinstance(y, list | tuple) else values
    )  # an array of a mixed list would be all text
    if values.dtype.kind in "OU" and len({isinstance(value, str) for value in given}) > 1:
        raise ValueError(f"{name} mixes text and numbers. Write all classes in the same way.")
    return values


def class_codes(
    y_true: ArrayLike, y_pred: ArrayLike, labels: ArrayLike | None = None
) -> tuple[Codes, Codes, Any]:
    """Return true and predicted classes as indices into the sorted (or given) classes; -1 for others."""
    truth, called = class_list(y_true, "y_true"), class_list(y_pred, "y_pred")
    if len(truth) != len(called):
        raise ValueError(
            f"y_true has {len(truth)} rows, but y_pred has {len(called)}. Give one of each for"
            " every row."
        )
    if _is_text(truth) != _is_text(called):
        raise ValueError(
            "One of y_true and y_pred holds text, the other numbers. Write the classes in the same"
            " way."
        )
    both = np.concatenate([truth, called])
    found, codes = np.unique(both, return_inverse=True)
    if labels is not None:
        classes = np.asarray(labels)
        if len(np.unique(classes)) < len(classes):
            raise ValueError("labels names a class twice. Name each class once.")
        place = {label: i for i, label in enumerate(classes.tolist())}
        codes = np.array([place.get(label, -1) for label in found.tolist()], np.intp)[codes]
        found = classes
        if not (codes[: len(truth)] >= 0).any():
            raise ValueError(
                "None of the labels is a true class. Name classes that occur in y_true."
            )
    return codes[: len(truth)], codes[len(truth) :], found


def positive_code(classes: NDArray[Any], pos_label: Any) -> int | None:
    """Return the index of the positive class: the chosen one, or the last of at most two; None if there are more."""
    if pos_label is None:
        return len(classes) - 1 if len(classes) <= 2 else None
    places = np.flatnonzero([label == pos_label for label in classes.tolist()])
    if not len(places):
        raise ValueError(
            f"pos_label={pos_label!r} is not one of the classes {', '.join(map(str, classes))}."
        )
    return int(places[0])


def _is_text(values: NDArray[Any]) -> bool:
    return values.dtype.kind in "US" or (values.dtype.kind == "O" and isinstance(values[0], str))
