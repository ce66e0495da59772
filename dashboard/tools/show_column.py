"""A column that the picture is about, chosen by its name; the algorithm does not know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.tools.tool import Page, Tool
from dmlib.params import Choice


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
        number = page.form.control(
            page.key(self.name), spec, "0", label=self.label, names=names, parts=("options", "more")
        )
        return {self.name: int(number)}
