"""Two series: from the library, a generator, drawn by hand, or from a file; of one series its two halves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dmlib.datasets import decode_curves, drawn_series, encode_curves
from dmlib.datasets.drawn import DRAW_BOX, DRAW_STEP
from dmlib.problem import prepare_series_pair
from ui.data.kind import Chosen
from ui.data.points import edit_spec, finite_points
from ui.data.series import Series
from ui.links import keep, kept

CURVES = "curves"
MOST_DRAWN = 160  # values of both together
NOTHING = "none"  # what a link says where all values were deleted
FIRST = [
    [3.0, 3.2, 4.5, 8.0, 9.2, 7.0, 4.2, 3.0, 3.4, 5.2, 6.4, 5.0, 3.4, 3.0],
    [0.6, 1.4, 4.6, 6.4, 5.2, 2.2, 1.0, 0.6, 0.5, 0.7, 1.2, 2.6, 3.6, 2.4, 1.0, 0.5],
]
"""The series that somebody finds who begins to draw: a high and a low bump, the same ones earlier
and later."""
ROOM = 4  # places behind the last value, in which more can be drawn


@dataclass(frozen=True)
class SeriesPair(Series):
    """Two series of numbers."""

    wanted: ClassVar[str] = (
        "A table whose first two numeric columns are the series, in the order of the rows"
    )

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Put the series side by side, or cut a single one into halves."""
        problem = prepare_series_pair(data.values, data.names, times=data.times, time=data.time)
        if data.name == "drawn":
            problem = replace(problem, window=_box())
        return (
            problem,
            (
                "from dmlib.problem import prepare_series_pair\n\nproblem ="
                " prepare_series_pair(data.values, data.names, times=data.times,"
                " time=data.time)\nX, y = problem.arguments\n"
            ),
        )

    def drawn(self) -> tuple[Any, str]:
        """Return the series that were drawn on the stage."""
        curves = _drawn()
        if len(curves) < 2:
            raise ValueError(
                "Draw two series: choose one of the two symbols, and click where its values are."
            )
        text = encode_curves(curves)
        return (
            drawn_series(curves),
            (
                "from dmlib.datasets import decode_curves, drawn_series\n\ndata ="
                f" drawn_series(decode_curves({text!r}))\n"
            ),
        )

    def offers(self, chosen: Chosen) -> Mapping[str, Any]:
        """Let the stage draw values."""
        if chosen.source != "draw":
            return {}
        points = [
            [float(i), float(value), k]
            for k, curve in enumerate(_drawn())
            for i, value in enumerate(curve)
        ]
        return {
            "edit": (
                edit_spec(CURVES, points)
                | {
                    "label": "Draw series",
                    "classes": ["a", "b"],
                    "max": MOST_DRAWN,
                    "box": list(_box()),
                    "step": DRAW_STEP,
                }
            )
        }

    def takes(self, message: Mapping[str, Any]) -> bool:
        """Take over drawn values in the order of their places; what the browser sends is not trusted."""
        if message.get("base") != CURVES:
            return False
        points = finite_points(message.get("points"))[:MOST_DRAWN]
        points = points[np.argsort(points[:, 0], kind="stable")]
        curves = [points[points[:, 2].clip(0, 1).round() == k, 1].clip(*DRAW_BOX) for k in range(2)]
        drawn = [curve for curve in curves if len(curve)]
        text = encode_curves(drawn) if drawn else NOTHING
        st.session_state[CURVES] = _curves(text)
        keep(CURVES, text)
        return True


def _drawn() -> list[NDArray[np.float64]]:
    usual: list[NDArray[np.float64]] = [np.array(curve) for curve in FIRST]
    curves: list[NDArray[np.float64]] = kept(CURVES, _curves, usual)
    return curves


def _curves(text: str) -> list[NDArray[np.float64]]:
    return [] if text == NOTHING else decode_curves(text)


def _box() -> tuple[float, float, float, float]:
    """Return where values are drawn."""
    longest = max(map(len, _drawn()), default=0)
    low, high = map(float, DRAW_BOX)
    return (-1.0, float(max(longest, 10) + ROOM), low, high)
