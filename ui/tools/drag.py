"""A value that is dragged on the picture, where it is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dmlib.params import Integer, Number, Param
from dmlib.problem import LARGEST
from ui.tools.setting import Setting
from ui.tools.tool import Page, Tool

MOST_DIGITS = 300.0


def finite(value: Any) -> float | None:
    """Return a number that the browser sent; None if it is none that can be used.

    Examples
    --------
    >>> finite(2), finite("2"), finite(float("nan")), finite(True)
    (2.0, None, None, None)
    """
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return (
        float(value) if number and abs(value) <= LARGEST else None
    )  # so written, NaN is none either


@dataclass(frozen=True)
class Drag(Tool):
    """A handle of the scene that sets a parameter or a setting of the picture.

    Parameters
    ----------
    handle : str
        Name of the handle in the scene.
    sets : str
        What it sets; by default what has the handle's name.
    within : bool
        Whether it stays in the range of the slider, because nothing is drawn beyond.
    log : bool
        Whether the panel shows the logarithm of the value to base 10.
    """

    handle: str
    sets: str = ""
    within: bool = False
    log: bool = False

    def takes(self, page: Page, message: Mapping[str, Any]) -> bool:
        """Set the nearest value that is allowed."""
        if message.get("name") != self.handle:
            return False
        value = next(
            (number for axis in "xy" if (number := finite(message.get(axis))) is not None), None
        )
        name = self.sets or self.handle
        spec = self.spec(page, name)
        if value is not None and isinstance(spec, Integer | Number):
            low, high = self._range(page, name, spec)
            inside = min(max(10.0 ** min(value, MOST_DIGITS) if self.log else value, low), high)
            whole = isinstance(spec, Integer)
            st.session_state[page.key(name)] = round(inside) if whole else float(f"{inside:.4g}")
        return True

    def _range(self, page: Page, name: str, spec: Integer | Number) -> tuple[float, float]:
        if not self.within:
            return spec.low, spec.high
        on_data, _ = page.on_data.spec(name, spec)
        shown = on_data.shown if isinstance(on_data, Integer | Number) else None
        return (shown[0], shown[-1]) if shown else (spec.low, spec.high)

    def spec(self, page: Page, name: str) -> Param | None:
        """Return the specification of what is set."""
        settings = {
            tool.name: tool.spec for tool in page.technique.tools if isinstance(tool, Setting)
        }
        return (settings | page.specs).get(name)
