"""Two series: from the library, a generator, a drawing or a file; of one, its halves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dashboard.data.kind import Chosen
from dashboard.data.points import edit_spec
from dashboard.data.series import Series
from dashboard.form import Form
from dashboard.messages import finite_points
from dashboard.settings import Settings
from dmlib.datasets import decode_curves, drawn_series, encode_curves
from dmlib.datasets.drawn import DRAW_BOX, DRAW_STEP
from dmlib.problem import prepare_series_pair

CURVES = "curves"
MAX_DRAWN = 160  # values of both together
NO_VALUES = "none"  # what a link says where all values were deleted
FIRST = [
    [3.0, 3.2, 4.5, 8.0, 9.2, 7.0, 4.2, 3.0, 3.4, 5.2, 6.4, 5.0, 3.4, 3.0],
    [0.6, 1.4, 4.6, 6.4, 5.2, 2.2, 1.0, 0.6, 0.5, 0.7, 1.2, 2.6, 3.6, 2.4, 1.0, 0.5],
]
"""The series that somebody finds who begins to draw: a high and a low bump, the same ones earlier
and later."""
ROOM = 4  # places behind the last value, in which more can be drawn
Curve = NDArray[np.float64]


@dataclass(frozen=True)
class SeriesPair(Series):
    """Two series of numbers."""

    content: ClassVar[str] = (
        "A table whose first two numeric columns are the series, in the order of the rows"
    )

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Put the series side by side, or cut a single one into halves."""
        problem = prepare_series_pair(data.values, data.names, times=data.times, time=data.time)
        if data.name == "drawn":
            problem = replace(problem, window=_box(data.values))
        arguments = "data.values, data.names, times=data.times, time=data.time"
        code = (
            "from dmlib.problem import prepare_series_pair\n\n"
            f"problem = prepare_series_pair({arguments})\nX, y = problem.arguments\n"
        )
        return problem, code

    def from_hand(self, form: Form) -> tuple[Any, str]:
        """Return the series that were drawn on the stage."""
        curves = _curves(form)
        if len(curves) < 2:
            raise ValueError(
                "Draw two series: choose one of the two symbols, and click where its values are."
            )
        code = (
            "from dmlib.datasets import decode_curves, drawn_series\n\n"
            f"data = drawn_series(decode_curves({encode_curves(curves)!r}))\n"
        )
        return drawn_series(curves), code

    def offers(self, chosen: Chosen, settings: Settings) -> Mapping[str, Any]:
        """Let the stage draw values."""
        if chosen.source != "draw":
            return {}
        curves = _curves(Form(settings))
        points = [
            [float(i), float(value), k]
            for k, curve in enumerate(curves)
            for i, value in enumerate(curve)
        ]
        details = {
            "label": "Draw series",
            "classes": ["a", "b"],
            "max": MAX_DRAWN,
            "box": list(_box(curves)),
            "step": DRAW_STEP,
        }
        return {"edit": edit_spec(settings, CURVES, points) | details}

    def change(self, settings: Settings, message: Mapping[str, Any]) -> Settings | None:
        """Take over drawn values in the order of their places."""
        if message.get("base") != CURVES:
            return None
        points = finite_points(message.get("points"))[:MAX_DRAWN]
        points = points[np.argsort(points[:, 0], kind="stable")]
        curve_of = points[:, 2].clip(0, 1).round()
        curves = [points[curve_of == k, 1].clip(*DRAW_BOX) for k in range(2)]
        filled = [curve for curve in curves if len(curve)]
        return settings.with_text(CURVES, encode_curves(filled) if filled else NO_VALUES)


def _curves(form: Form) -> list[Curve]:
    return form.value(CURVES, _parsed, [np.array(curve) for curve in FIRST])


def _parsed(text: str) -> list[Curve]:
    return [] if text == NO_VALUES else decode_curves(text)


def _box(curves: Any) -> tuple[float, float, float, float]:
    """Return where values are drawn."""
    longest = max(map(len, curves), default=0)
    low, high = map(float, DRAW_BOX)
    return -1.0, float(max(longest, 10) + ROOM), low, high
