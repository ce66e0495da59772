"""Points that the reader draws, and centres that the reader places: kept in the link, edited on the stage."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dmlib.datasets import decode_points, encode_points
from dmlib.datasets.drawn import DRAW_BOX, DRAW_STEP, MAX_CLASSES, MAX_POINTS, class_name
from dmlib.problem import LARGEST, Problem
from ui.links import keep, kept

POINTS, PLACES = "points", "places"
START = (
    "ZAG4ARgQQANwRgAGQRgAL4iYAQ4Q4AOYPoAKoQ4AvgQQBxYQ4BtAZABvgPAB"
    "sYUAB2YQQBrwWgBooQQBjowICf4wwCSIyoCa4lgCggwwCdYooCfQtoCmIxYC"
)
CLASSES = 6  # offered while drawing; links may hold more
SAME = 1e-3  # share of the plane's width within which a placed centre is taken to be a row


def drawn_points() -> NDArray[np.float64]:
    """Return the drawn points, shape (n, 3): x, y, class."""
    points: NDArray[np.float64] = kept(POINTS, _points, decode_points(START))
    return points


def _points(text: str) -> NDArray[np.float64]:
    try:
        return decode_points(text)
    except ValueError as error:
        raise ValueError(f"five characters a point. {str(error).rstrip('.')}") from None


def drawing_spec() -> dict[str, Any]:
    """Return what the stage needs for drawing points."""
    low, high = DRAW_BOX
    return _spec(POINTS, drawn_points().tolist()) | {
        "label": "Draw points",
        "classes": [class_name(i) for i in range(CLASSES)],
        "max": MAX_POINTS,
        "box": [low, high, low, high],
        "step": DRAW_STEP,
    }


def _spec(name: str, points: list[Any]) -> dict[str, Any]:
    revision = st.session_state.get(f"{name}.rev", 0)
    return {"panel": "data", "what": name, "points": points, "base": name, "rev": revision, "open": True}


def take_drawing(stage_key: str) -> None:
    """Take over the points that were drawn on the stage; a callback. What the browser sends is not trusted."""
    edited = st.session_state[stage_key].edited
    if not isinstance(edited, dict) or not isinstance(edited.get("points"), list):
        return
    take = {POINTS: _take_points, PLACES: _take_places}.get(str(edited.get("base")))
    if take is not None:
        st.session_state[f"{edited['base']}.rev"] = int(edited.get("rev", 0))
        take(edited["points"])


def _take_points(raw: list[Any]) -> None:
    points = _finite(raw)[:MAX_POINTS]
    low, high = DRAW_BOX
    points[:, :2] = points[:, :2].clip(low, high)
    points[:, 2] = points[:, 2].clip(0, MAX_CLASSES - 1).round()
    text = encode_points(points)
    st.session_state[POINTS] = decode_points(text)
    keep(POINTS, text)


def _finite(raw: list[Any]) -> NDArray[np.float64]:
    """Return the well-formed (x, y, class) triples."""
    numbers = (int, float)
    good = [p for p in raw if isinstance(p, list) and len(p) == 3 and all(isinstance(v, numbers) for v in p)]
    points = np.asarray(good, float).reshape(-1, 3)
    finite: NDArray[np.float64] = points[np.isfinite(points).all(axis=1)]
    return finite


# Placed centres: each is a row of the table ("#12") or a place in the plane ("1.5,2"), joined by semicolons.

Place = int | tuple[float, float]


def parse_places(text: str) -> tuple[Place, ...]:
    """Read placed centres from a link.

    Raises
    ------
    ValueError
        If the text is no such list.

    Examples
    --------
    >>> parse_places("#12;1.5,-2")
    (12, (1.5, -2.0))
    """
    places: list[Place] = []
    try:
        for part in text.split(";")[:256]:
            if part.startswith("#"):
                places.append(int(part[1:]))
            else:
                x, y = map(float, part.split(","))
                if not math.hypot(x, y) <= LARGEST:  # so written, NaN is refused too
                    raise ValueError
                places.append((x, y))
    except ValueError:
        raise ValueError("places and rows such as 1.5,2;#12") from None
    return tuple(places)


def format_places(places: tuple[Place, ...]) -> str:
    """Write placed centres for a link.

    Examples
    --------
    >>> format_places((12, (1.5, -2.0)))
    '#12;1.5,-2'
    """
    return ";".join(f"#{place}" if isinstance(place, int) else f"{place[0]:.8g},{place[1]:.8g}" for place in places)


def placed_centers(problem: Problem) -> NDArray[np.float64]:
    """Return the placed centres in the space of the features, shape (k, n_features).

    A centre on a point is that row, in all columns. Any other has the mean of the columns that are not in view.
    """
    nowhere: tuple[Place, ...] = ()
    places = kept(PLACES, parse_places, nowhere)
    index = {int(row) + 1: i for i, row in enumerate(problem.rows)}
    centers = [
        problem.X[index[place]] if isinstance(place, int) else problem.plane.lift([place])[0]
        for place in places
        if not isinstance(place, int) or place in index
    ]
    return np.asarray(centers, float).reshape(-1, problem.X.shape[1])


def placing_spec(problem: Problem, label: str, most: int) -> dict[str, Any]:
    """Return what the stage needs for placing centres."""
    st.session_state[f"{PLACES}.problem"] = problem
    places = problem.plane.project(placed_centers(problem))
    points = problem.points
    low, high = points.min(axis=0), points.max(axis=0)
    margin = (high - low).max() or 1.0
    (x0, y0), (x1, y1) = low - margin, high + margin
    return _spec(PLACES, [[x, y, i] for i, (x, y) in enumerate(places.tolist())]) | {
        "label": label,
        "max": most,
        "box": [x0, x1, y0, y1],
    }


def _take_places(raw: list[Any]) -> None:
    problem: Problem | None = st.session_state.get(f"{PLACES}.problem")
    if problem is None:
        return
    reach = SAME * (np.ptp(problem.points, axis=0).max() or 1.0)
    places: list[Place] = []
    for x, y, _ in _finite(raw)[:256]:
        distance = np.hypot(*(problem.points - (x, y)).T)
        nearest = int(distance.argmin())
        places.append(int(problem.rows[nearest]) + 1 if distance[nearest] <= reach else (float(x), float(y)))
    st.session_state[PLACES] = tuple(places)
    keep(PLACES, format_places(tuple(places)) or None)
