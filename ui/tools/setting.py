"""A setting of the picture, which the algorithm does not know: what is shown, where a tree is cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dmlib.params import Param
from ui.controls import control
from ui.tools.tool import Page, Tool


@dataclass(frozen=True)
class Setting(Tool):
    """A control of the picture.

    Parameters
    ----------
    name : str
        Its name in the run's options and in the link.
    label, help : str
        What the reader sees.
    spec : Param
        Its values.
    default : object
        The one that it opens with.
    names : mapping of str to str
        What the reader sees of the options of a choice.
    methods : tuple of str
        The methods that have it; by default all.
    """

    name: str
    label: str
    spec: Param
    default: Any
    help: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    methods: tuple[str, ...] = ()

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Show it, where the method has it."""
        if self.methods and page.method not in self.methods:
            return {}
        return {
            self.name: control(
                page.key(self.name),
                self.spec,
                self.default,
                label=self.label,
                help_text=self.help,
                names=self.names,
                parts=("options",),
            )
        }
