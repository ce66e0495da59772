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
        If it is no list of classes: empty, of several columns, with missing values, or numeric.
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
    # The array of a mixed list would be all text.
    labels = y if isinstance(y, list | tuple) else values
    if values.dtype.kind in "OU" and len({isinstance(label, str) for label in labels}) > 1:
        raise ValueError(f"{name} mixes text and numbers. Write all classes in the same way.")
    return values


def class_codes(
    y_true: ArrayLike, y_pred: ArrayLike, labels: ArrayLike | None = None
) -> tuple[Codes, Codes, Any]:
    """Return true and predicted classes as codes into the sorted classes or ``labels``.

    Classes that are none of the labels have the code -1.
    """
    truth = class_list(y_true, "y_true")
    predicted = class_list(y_pred, "y_pred")
    if len(truth) != len(predicted):
        raise ValueError(
            f"y_true has {len(truth)} rows, but y_pred has {len(predicted)}. Give one of each for"
            " every row."
        )
    if _is_text(truth) != _is_text(predicted):
        raise ValueError(
            "One of y_true and y_pred holds text, the other numbers. Write the classes in the same"
            " way."
        )
    classes, codes = np.unique(np.concatenate([truth, predicted]), return_inverse=True)
    if labels is not None:
        sorted_classes, classes = classes, np.asarray(labels)
        if len(np.unique(classes)) < len(classes):
            raise ValueError("labels names a class twice. Name each class once.")
        place = {label: i for i, label in enumerate(classes.tolist())}
        places = [place.get(label, -1) for label in sorted_classes.tolist()]
        codes = np.array(places, np.intp)[codes]
        if not (codes[: len(truth)] >= 0).any():
            raise ValueError(
                "None of the labels is a true class. Name classes that occur in y_true."
            )
    return codes[: len(truth)], codes[len(truth) :], classes


def positive_code(classes: NDArray[Any], pos_label: Any) -> int | None:
    """Return the code of the positive class: by default the last of two; None of several."""
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
