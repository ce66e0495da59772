"""A value of its own for a column or class, where all others have the usual one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from dashboard.tools.tool import Page, Tool
from dmlib.params import Choice, Param

NO_NAME = ""


@dataclass(frozen=True)
class OwnValues(Tool):
    """A parameter that maps numbers of columns or classes to values, one after the other.

    Parameters
    ----------
    parameter : str
        Its name in the constructor and in the link; it is not among ``PARAMS``.
    of : {"features", "classes"}
        What has values.
    label, own : str
        What the reader sees of the choice, and before the name of what was chosen.
    spec : Param
        The values.
    usual : object
        The one that says nothing of its own.
    names : mapping of str to str
        What the reader sees of the options of a choice.
    """

    parameter: str
    of: Literal["features", "classes"]
    label: str
    own: str
    spec: Param
    usual: Any
    names: Mapping[str, str] = field(default_factory=dict)

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Offer the names, and the value of the one that is chosen; return those that are set."""
        if page.problem is None or self.parameter not in page.technique.defaults(page.method):
            return {}
        all_names = tuple(getattr(page.problem, self.of))
        if len(all_names) < 2 or not page.applies(self.parameter):
            return {}
        names = {NO_NAME: "none"} | {name: name for name in all_names}
        key = page.key(f"{self.parameter}_of")
        chosen = page.form.control(
            key, Choice(tuple(names)), NO_NAME, label=self.label, names=names, parts=("more",)
        )
        if chosen != NO_NAME:
            page.form.control(
                self._key(page, chosen),
                self.spec,
                self.usual,
                label=f"{self.own} {chosen}",
                names=self.names,
                parts=("more",),
            )
        values = {
            j: page.form.peek(self._key(page, name), self.spec, self.usual)
            for j, name in enumerate(all_names)
        }
        own = {j: value for j, value in values.items() if value != self.usual}
        return {self.parameter: own} if own else {}

    def _key(self, page: Page, name: str) -> str:
        return page.key(f"{self.parameter}.{name}")
