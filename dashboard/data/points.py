"""Points that the reader draws: written in the link, edited on the stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboard.data.fields import Field, choice_field, number_field
from dashboard.form import Form
from dashboard.messages import finite_points
from dashboard.settings import Settings
from dmlib.datasets import decode_points, encode_points
from dmlib.datasets.drawn import DRAW_BOX, DRAW_STEP, MAX_CLASSES, MAX_POINTS, class_name

POINTS = "points"
START = (
    "ZAG4ARgQQANwRgAGQRgAL4iYAQ4Q4AOYPoAKoQ4AvgQQBxYQ4BtAZABvgPAB"
    "sYUAB2YQQBrwWgBooQQBjowICf4wwCSIyoCa4lgCggwwCdYooCfQtoCmIxYC"
)
CLASSES = 6  # offered while drawing; links may hold more


def drawn_points(form: Form) -> NDArray[np.float64]:
    """Return the drawn points, shape (n, 3): x, y, class."""
    return form.value(POINTS, _points, decode_points(START))


def _points(text: str) -> NDArray[np.float64]:
    try:
        return decode_points(text)
    except ValueError as error:
        raise ValueError(f"five characters a point. {str(error).rstrip('.')}") from None


def drawing_spec(settings: Settings, *, classes: bool = True) -> dict[str, Any]:
    """Return what the stage needs for drawing points; without ``classes`` all are of one."""
    low, high = DRAW_BOX
    points = drawn_points(Form(settings)).tolist()
    return edit_spec(settings, POINTS, points) | {
        "label": "Draw points",
        "classes": [class_name(i) for i in range(CLASSES if classes else 1)],
        "max": MAX_POINTS,
        "box": [low, high, low, high],
        "step": DRAW_STEP,
    }


def point_fields(classes: Sequence[str]) -> list[Field]:
    """Return what a phone places: a point in the box and, where there are classes, one of them."""
    axes = [number_field(name, *map(float, DRAW_BOX)) for name in ("x", "y")]
    return [*axes, *([choice_field("class", classes)] if classes else [])]


def edit_spec(settings: Settings, name: str, points: list[Any]) -> dict[str, Any]:
    """Return what the stage needs for editing points that have this name in the link."""
    return {
        "panel": "data",
        "what": name,
        "points": points,
        "base": name,
        "rev": settings.revisions.get(name, 0),
        "open": True,
    }


def change_points(settings: Settings, message: Mapping[str, Any]) -> Settings | None:
    """Take over the points that were drawn on the stage; what the browser sends is not trusted."""
    if message.get("base") != POINTS:
        return None
    points = finite_points(message.get("points"))[:MAX_POINTS]
    points[:, :2] = points[:, :2].clip(*DRAW_BOX)
    points[:, 2] = points[:, 2].clip(0, MAX_CLASSES - 1).round()
    return settings.with_text(POINTS, encode_points(points))
