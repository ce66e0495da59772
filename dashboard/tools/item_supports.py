"""A minimum support of its own for an item that is chosen by its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.tools.tool import Page, Tool
from dmlib.params import Choice, Number

USUAL, NO_ITEM = "usual", ""
OWN = Number(0.0, 1.0, step=0.01, names=(USUAL,))
PARTS = ("more",)


@dataclass(frozen=True)
class ItemSupports(Tool):
    """A parameter that maps items to numbers: one item after the other gets its own."""

    parameter: str = "min_supports"

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Offer the items and the minimum support of the chosen one; return those that are set."""
        if page.problem is None or self.parameter not in page.technique.defaults(page.method):
            return {}
        items = page.problem.items
        names = {NO_ITEM: "none"} | {item: item for item in items}
        item = page.form.control(
            page.key("item"),
            Choice((NO_ITEM, *items)),
            NO_ITEM,
            label="Item to set",
            names=names,
            parts=PARTS,
        )
        if item != NO_ITEM:
            help_text = (
                f"The share of baskets that an item set with {item} must reach, unless another item"
                " needs less."
            )
            page.form.control(
                self._key(page, item),
                OWN,
                USUAL,
                label=f"Minimum of {item}",
                help_text=help_text,
                parts=PARTS,
            )
        values = {each: page.form.peek(self._key(page, each), OWN, USUAL) for each in items}
        own = {each: value for each, value in values.items() if value != USUAL}
        return {self.parameter: own} if own else {}

    def _key(self, page: Page, item: str) -> str:
        return page.key(f"{self.parameter}.{item}")
