"""Points that the reader draws: kept in the link, edited on the stage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dmlib.datasets import decode_points, encode_points
from dmlib.datasets.drawn import DRAW_BOX, DRAW_STEP, MAX_CLASSES, MAX_POINTS, class_name
from dmlib.problem import LARGEST
from ui.links import keep, kept

POINTS = "points"
START = (
    "ZAG4ARgQQANwRgAGQRgAL4iYAQ4Q4AOYPoAKoQ4AvgQQBxYQ4BtAZABvgPAB"
    "sYUAB2YQQBrwWgBooQQBjowICf4wwCSIyoCa4lgCggwwCdYooCfQtoCmIxYC"
)
CLASSES = 6  # offered while drawing; links may hold more


def drawn_points() -> NDArray[np.float64]:
    """Return the drawn points, shape (n, 3): x, y, class."""
    points: NDArray[np.float64] = kept(POINTS, _points, decode_points(START))
    return points


def _points(text: str) -> NDArray[np.float64]:
    try:
        return decode_points(text)
    except ValueError as error:
        raise ValueError(f"five characters a point. {str(error).rstrip('.')}") from None


def drawing_spec(*, classes: bool = True) -> dict[str, Any]:
    """Return what the stage needs for drawing points; without ``classes`` all are of one."""
    low, high = DRAW_BOX
    return edit_spec(POINTS, drawn_points().tolist()) | {
        "label": "Draw points",
        "classes": [class_name(i) for i in range(CLASSES if classes else 1)],
        "max": MAX_POINTS,
        "box": [low, high, low, high],
        "step": DRAW_STEP,
    }


def edit_spec(name: str, points: list[Any]) -> dict[str, Any]:
    """Return what the stage needs for editing points that have this name in the link."""
    revision = st.session_state.get(f"{name}.rev", 0)
    return {
        "panel": "data",
        "what": name,
        "points": points,
        "base": name,
        "rev": revision,
        "open": True,
    }


def finite_points(raw: Any) -> NDArray[np.float64]:
    """Return the well-formed (x, y, class) triples of what the browser sent, shape (n, 3)."""

    def usable(value: Any) -> bool:
        return (
            isinstance(value, int | float) and abs(value) <= LARGEST
        )  # so written, NaN is none either

    listed = raw if isinstance(raw, list) else []
    good = [p for p in listed if isinstance(p, list) and len(p) == 3 and all(map(usable, p))]
    return np.asarray(good, float).reshape(-1, 3)


def take_points(message: Mapping[str, Any]) -> bool:
    """Take over the points that were drawn on the stage; what the browser sends is not trusted."""
    if message.get("base") != POINTS:
        return False
    points = finite_points(message.get("points"))[:MAX_POINTS]
    low, high = DRAW_BOX
    points[:, :2] = points[:, :2].clip(low, high)
    points[:, 2] = points[:, 2].clip(0, MAX_CLASSES - 1).round()
    text = encode_points(points)
    st.session_state[POINTS] = decode_points(text)
    keep(POINTS, text)
    return True
