"""A value that is dragged on the picture, where it is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.messages import first_coordinate
from dashboard.settings import Settings
from dashboard.tools.setting import Setting
from dashboard.tools.tool import Page, Tool
from dmlib.params import Integer, Number, Param

MAX_EXPONENT = 300.0


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

    def change(self, page: Page, message: Mapping[str, Any]) -> Settings | None:
        """Set the nearest value that is allowed."""
        if message.get("name") != self.handle:
            return None
        value, name = first_coordinate(message), self.sets or self.handle
        spec = self.spec(page, name)
        if value is None or not isinstance(spec, Integer | Number):
            return page.settings
        low, high = self._range(page, name, spec)
        inside = min(max(10.0 ** min(value, MAX_EXPONENT) if self.log else value, low), high)
        nearest = round(inside) if isinstance(spec, Integer) else float(f"{inside:.4g}")
        return page.settings.with_text(page.key(name), str(nearest))

    def _range(self, page: Page, name: str, spec: Integer | Number) -> tuple[float, float]:
        if not self.within:
            return spec.low, spec.high
        on_data, _ = page.on_data.spec(name, spec)
        places = on_data.shown if isinstance(on_data, Integer | Number) else None
        return (places[0], places[-1]) if places else (spec.low, spec.high)

    def spec(self, page: Page, name: str) -> Param | None:
        """Return the specification of what is set."""
        settings = {
            tool.name: tool.spec for tool in page.technique.tools if isinstance(tool, Setting)
        }
        return (settings | page.specs).get(name)
