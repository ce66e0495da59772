"""A second target that the picture is about too, chosen among the columns that are not used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.tools.tool import Page, Tool
from dmlib.params import Choice


@dataclass(frozen=True)
class ShowTarget(Tool):
    """A setting of the picture: the number of a column of the table from 1, or 0 for none.

    Parameters
    ----------
    name, label : str
        Its name in the run's options and in the link, and what the reader sees.
    none : str
        What the reader sees of 0.
    methods : tuple of str
        The methods that have it.
    """

    name: str
    label: str
    none: str
    methods: tuple[str, ...]

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Offer the columns of numbers that are neither features nor the target."""
        problem = page.problem
        if page.method not in self.methods or problem is None or problem.source is None:
            return {}
        columns = list(problem.source.columns)
        offered = [
            name
            for name in columns
            if name != problem.target and problem.unused_column(name) is not None
        ]
        if not offered:
            return {}
        names = {"0": self.none} | {str(columns.index(name) + 1): name for name in offered}
        number = page.form.control(
            page.key(self.name),
            Choice(tuple(names)),
            "0",
            label=self.label,
            names=names,
            parts=("options", "more"),
        )
        return {self.name: int(number)}
