"""A setting of the picture, which the algorithm does not know: where a tree is cut, say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dashboard.tools.tool import Page, Tool
from dmlib.params import Param


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
    range : str
        The parameter of the algorithm whose range on the data it has.
    idle : mapping of str to tuple of str
        For its values, the parameters and settings that mean nothing then.
    """

    name: str
    label: str
    spec: Param
    default: Any
    help: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    methods: tuple[str, ...] = ()
    range: str = ""
    idle: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Show it, where the method has it."""
        if self.methods and page.method not in self.methods:
            return {}
        if not page.applies(self.name):
            return {self.name: self.value(page)}
        spec, idle = page.on_data.spec(self.range or self.name, self.spec)
        value = page.form.control(
            page.key(self.name),
            spec,
            self.default,
            label=self.label,
            help_text=self.help,
            names=self.names,
            parts=("options",),
            idle=idle,
        )
        return {self.name: value}

    def value(self, page: Page) -> Any:
        """Return its value, visible or not."""
        return page.form.peek(page.key(self.name), self.spec, self.default)


class MainSetting(Setting):
    """A control of the picture that stands above those of the algorithm."""

    first: ClassVar[bool] = True
