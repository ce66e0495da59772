"""A column that the picture is about, where there are several: chosen by its name, unknown to the algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dmlib.params import Choice
from ui.controls import control
from ui.tools.tool import Page, Tool


@dataclass(frozen=True)
class ShowColumn(Tool):
    """A setting of the picture: the number of a column from 1, or 0 for all of them together.

    Parameters
    ----------
    name, label : str
        Its name in the run's options and in the link, and what the reader sees.
    together, alone : str
        What the reader sees of 0, and before the name of a column.
    """

    name: str
    label: str
    together: str
    alone: str

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Offer the columns, where there are several."""
        features = page.problem.features if page.problem is not None else ()
        if len(features) < 2:
            return {}
        names = {"0": self.together} | {
            str(j): f"{self.alone} {name}" for j, name in enumerate(features, 1)
        }
        spec = Choice(tuple(names))
        shown = control(
            page.key(self.name), spec, "0", label=self.label, names=names, parts=("options", "more")
        )
        return {self.name: int(shown)}
