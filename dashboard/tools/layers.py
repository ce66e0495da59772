"""The layers of a network: how many there are, and how many units each has, by + and −."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dashboard.tools.tool import Page, Tool
from dmlib.params import Integer

LINEAR = "Without a hidden layer the network is a linear model."
UNIT = "Each unit has its own activation map of the plane."


@dataclass(frozen=True)
class Layers(Tool):
    """A parameter that is a tuple of the numbers of units, layer by layer.

    Parameters
    ----------
    parameter : str
        What it sets.
    max_layers, max_units : int
        Up to which numbers it goes.
    usual : int
        How many units a layer begins with that the default does not have.
    """

    parameter: str = "hidden_layer_sizes"
    max_layers: int = 6
    max_units: int = 64
    usual: int = 4
    first: ClassVar[bool] = True

    def decides(self, page: Page) -> frozenset[str]:
        """Return the parameter, where the method has it."""
        return frozenset({self.parameter} & page.technique.defaults(page.method).keys())

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Show the number of layers and the number of units of each."""
        if not self.decides(page):  # a network that finds its units by itself
            return {}
        default = page.technique.defaults(page.method)[self.parameter]
        number = self._stepper(
            page, "layers", 0, self.max_layers, len(default), "Hidden layers", LINEAR
        )
        usual = [*default, *[self.usual] * self.max_layers]
        sizes = [
            self._stepper(
                page, f"units{i + 1}", 1, self.max_units, usual[i], f"Units, layer {i + 1}", UNIT
            )
            for i in range(number)
        ]
        return {self.parameter: tuple(sizes)}

    def _stepper(
        self, page: Page, name: str, low: int, high: int, default: int, label: str, help_text: str
    ) -> int:
        spec, parts = Integer(low, high, stepped=True), ("options",)
        return int(
            page.form.control(
                page.key(name), spec, default, label=label, help_text=help_text, parts=parts
            )
        )
