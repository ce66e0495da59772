"""Minimum support as a number of baskets, in place of their share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dashboard.messages import first_coordinate
from dashboard.settings import Settings
from dashboard.tools.tool import Page, Tool
from dmlib.params import Integer

if TYPE_CHECKING:
    from dashboard.technique import Technique

NAME = "min_count"


@dataclass(frozen=True)
class SupportCount(Tool):
    """A share that can be set by the number of baskets; a handle of the same name drags both.

    Among the tools of a page it stands before the one that drags the share.
    """

    parameter: str = "min_support"

    def decides(self, page: Page) -> frozenset[str]:
        """Return the share, while a number is set."""
        return frozenset({self.parameter} if self._count(page) is not None else ())

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Offer the number of baskets; return the share that it is."""
        spec = self._spec(page)
        if spec is None:
            return {}
        count = page.form.control(
            page.key(NAME),
            spec,
            None,
            label="Minimum count of baskets",
            help_text="The minimum support as a number of baskets, in place of their share.",
            parts=("more",),
        )
        return {} if count is None else {self.parameter: count / spec.high}

    def change(self, page: Page, message: Mapping[str, Any]) -> Settings | None:
        """Set the number that is nearest to a dragged share, where numbers are set."""
        spec, value = self._spec(page), first_coordinate(message)
        if message.get("name") != self.parameter or self._count(page) is None or spec is None:
            return None
        if value is None:
            return page.settings
        nearest = round(min(max(value * spec.high, spec.low), spec.high))
        return page.settings.with_text(page.key(NAME), str(nearest))

    def of_data(self, technique: Technique) -> tuple[str, ...]:
        """Return the number: of other baskets it is another share."""
        return (f"{technique.slug}.{NAME}",)

    def _spec(self, page: Page) -> Integer | None:
        n_baskets = 0 if page.problem is None else len(page.problem.matrix)
        return Integer(1, n_baskets, none="by share") if n_baskets > 1 else None

    def _count(self, page: Page) -> int | None:
        spec = self._spec(page)
        return None if spec is None else page.form.peek(page.key(NAME), spec, None)
