"""A value of its own for a column, class or pair of classes; all others have the usual one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

from dashboard.tools.tool import Page, Tool
from dmlib.params import Choice, Number, Param

if TYPE_CHECKING:
    from dashboard.technique import Technique

NO_NAME = ""
FACTORS = (0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0)


@dataclass(frozen=True)
class OwnValues(Tool):
    """A parameter that maps columns, classes or pairs of classes to values, one after the other.

    Parameters
    ----------
    parameter : str
        Its name in the constructor and in the link; it is not among ``PARAMS``.
    of : {"features", "classes", "cells", "errors"}
        What has values: columns and classes by their numbers, cells of a confusion matrix by pairs
        (true class, predicted class) of numbers; of the errors, those of two different classes.
    label, own : str
        What the reader sees of the choice, and before the name of what was chosen.
    spec : Param
        The values.
    usual : object
        The one that says nothing of its own.
    names : mapping of str to str
        What the reader sees of the options of a choice.
    rules : mapping of str to str
        Names that the parameter takes in place of a mapping, and what the reader sees of them.
    whole : bool
        Whether the parameter needs a value for every column or class, once one has its own.
    """

    parameter: str
    of: Literal["features", "classes", "cells", "errors"]
    label: str
    own: str
    spec: Param
    usual: Any
    names: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    whole: bool = False

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Offer the names, and the value of the one that is chosen; return those that are set."""
        if page.problem is None or self.parameter not in page.technique.defaults(page.method):
            return {}
        places = self._places(page.problem)
        all_names = tuple(places)
        if len(all_names) < 2 or not page.applies(self.parameter):
            return {}
        names = {NO_NAME: "none", **self.rules} | {name: name for name in all_names}
        key = page.key(f"{self.parameter}_of")
        chosen = page.form.control(
            key, Choice(tuple(names)), NO_NAME, label=self.label, names=names, parts=("more",)
        )
        if chosen in self.rules and chosen not in all_names:
            return {self.parameter: chosen}
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
            place: page.form.peek(self._key(page, name), self.spec, self.usual)
            for name, place in places.items()
        }
        own = {place: value for place, value in values.items() if value != self.usual}
        return {self.parameter: values if self.whole else own} if own else {}

    def of_data(self, technique: Technique) -> tuple[str, ...]:
        """Return the choice: columns and classes of other data have other names."""
        return (f"{technique.slug}.{self.parameter}_of",)

    def _places(self, problem: Any) -> dict[str, Any]:
        """Return the place in the mapping by the name of what can have a value."""
        if self.of in ("features", "classes"):
            return {name: place for place, name in enumerate(getattr(problem, self.of))}
        numbered = tuple(enumerate(problem.classes))
        return {
            f"{truth}, predicted {prediction}": (i, j)
            for (i, truth), (j, prediction) in product(numbered, repeat=2)
            if self.of == "cells" or i != j
        }

    def _key(self, page: Page, name: str) -> str:
        return page.key(f"{self.parameter}.{name}")


CLASS_WEIGHTS = OwnValues(
    "class_weight",
    "classes",
    "Class weights",
    "Weight of a row of",
    Number(1e-6, 1e6, shown=FACTORS),
    1.0,
    rules={"balanced": "balanced"},
    whole=True,
)
"""The weight of the rows of each class: what an error there costs."""

ERROR_COSTS = OwnValues(
    "costs", "errors", "Misclassification costs", "Cost of", Number(0.0, 1e6, shown=FACTORS), 1.0
)
"""The cost of each error: of a predicted class for a true one."""
