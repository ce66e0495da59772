"""Parameters that are chosen by name from the data: a column, a class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dashboard.tools.tool import Page, Tool
from dmlib.params import Choice

if TYPE_CHECKING:
    from dashboard.technique import Technique

PARTS = ("more",)


@dataclass(frozen=True)
class PickColumn(Tool):
    """A parameter that is the number of a column, from 1, or 0 for none, chosen by its name.

    Parameters
    ----------
    parameter, label : str
        What it sets, and what the reader sees.
    model, option : str
        The choice is there while the parameter ``model`` has the value ``option``; without a
        ``model`` always.
    idle : tuple of str
        The parameters that mean nothing once a column is chosen.
    nominal : bool
        Whether nominal columns can be chosen too.
    none : str
        What the reader sees of 0, which is chosen at first; empty if there has to be a column.
    """

    parameter: str
    label: str
    model: str = ""
    option: str = ""
    idle: tuple[str, ...] = ()
    nominal: bool = False
    none: str = ""

    def decides(self, page: Page) -> frozenset[str]:
        """Return the column, and what means nothing beside it."""
        return frozenset((self.parameter, *(self.idle if self._is_taken(page) else ())))

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Offer the columns, at first none of them or the first numeric one."""
        if page.problem is None or not self._is_on(page):
            return {}
        features, (names, first) = page.problem.features, self._names(page)
        if len(names) < 2:
            return {self.parameter: features.index(first) + 1 if first else int(not self.none)}
        labels = {name: name or self.none for name in names}
        name = page.form.control(
            page.key(self.parameter),
            Choice(names),
            first,
            label=self.label,
            names=labels,
            parts=PARTS,
        )
        return {self.parameter: features.index(name) + 1 if name else 0}

    def _names(self, page: Page) -> tuple[tuple[str, ...], str]:
        """Return the columns to choose from, and the one at first; "" is none of them."""
        problem = page.problem
        numeric = tuple(
            name for j, name in enumerate(problem.features) if j not in problem.categories
        )
        columns = problem.features if self.nominal else numeric
        return (
            (("", *columns), "") if self.none else (columns, next(iter((*numeric, *columns)), ""))
        )

    def _is_taken(self, page: Page) -> bool:
        if not self._is_on(page) or not self.none:
            return self._is_on(page)
        return page.problem is not None and bool(
            page.form.peek(page.key(self.parameter), Choice(self._names(page)[0]), "")
        )

    def _is_on(self, page: Page) -> bool:
        return not self.model or page.value(self.model) == self.option


@dataclass(frozen=True)
class PickClass(Tool):
    """A parameter that is the number of a class, from 1, or 0 for the last, chosen by its name."""

    parameter: str
    label: str = "Positive class"

    def decides(self, page: Page) -> frozenset[str]:
        """Return the parameter."""
        return frozenset({self.parameter})

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Offer the classes, at first the last."""
        if page.problem is None:
            return {}
        classes = page.problem.classes
        name = page.form.control(
            page.key(self.parameter), Choice(classes), classes[-1], label=self.label, parts=PARTS
        )
        return {self.parameter: 0 if name == classes[-1] else classes.index(name) + 1}


@dataclass(frozen=True)
class PickKnown(Tool):
    """A parameter that is the number of a known class, from 1, or 0 for none, chosen by its name.

    Parameters
    ----------
    parameter, label : str
        What it sets, and what the reader sees.
    likely : callable
        Problem -> the class at first; empty for none.
    """

    parameter: str
    label: str
    likely: Callable[[Any], str]

    def decides(self, page: Page) -> frozenset[str]:
        """Return the parameter."""
        return frozenset({self.parameter})

    def of_data(self, technique: Technique) -> tuple[str, ...]:
        """Return its name: another table has other classes."""
        return (f"{technique.slug}.{self.parameter}",)

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Offer the classes, where there are several."""
        classes = page.problem.classes if page.problem is not None else ()
        if len(classes) < 2:
            return {self.parameter: 0}
        name = page.form.control(
            page.key(self.parameter),
            Choice(("", *classes)),
            self.likely(page.problem),
            label=self.label,
            names={"": "none", **{name: name for name in classes}},
            parts=PARTS,
        )
        return {self.parameter: classes.index(name) + 1 if name else 0}
