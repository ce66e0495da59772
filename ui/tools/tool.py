"""What a tool is: one gesture of the reader, with everything that belongs to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from dmlib.cached import cached_property
from dmlib.estimator import HasConditions, HasOverrides
from dmlib.params import Choice, Integer, Param, Several
from ui.controls import peek
from ui.ranges import OnData

if TYPE_CHECKING:
    from dmlib.problem import Query
    from ui.technique import Technique

SEED = Integer(0, 9999)
LAST_FRAME = 100_000
"""A frame beyond all others."""


@dataclass(frozen=True)
class Page:
    """What a tool sees of the page.

    Attributes
    ----------
    technique : Technique
        What the page declares.
    method : str
        The chosen one of its methods.
    problem : Problem or None
        The data that the algorithm gets; None when there are none.
    params : dict
        The parameters whose controls are shown so far.
    go : callable
        Lets the stage go to a frame.
    """

    technique: Technique
    method: str
    problem: Any
    params: dict[str, Any]
    go: Callable[[int], None]

    @property
    def algorithm(self) -> Any:
        """The class of the method."""
        return self.technique.methods[self.method]

    @property
    def specs(self) -> dict[str, Param]:
        """Its parameters that have a control."""
        return self.technique.specs(self.method)

    @cached_property
    def on_data(self) -> OnData:
        """What the data say of them."""
        return OnData.chosen(self.algorithm, self.technique.slug, self.problem, self.seed)

    @property
    def seed(self) -> int:
        """The seed of the page."""
        return int(peek("seed", SEED, 0))

    def key(self, name: str) -> str:
        """Return the name that a parameter or a tool's own value has in the link."""
        return f"{self.technique.slug}.{name}"

    def applies(self, name: str) -> bool:
        """Return whether a parameter means anything, as the others are: the degree of a polynomial kernel, say.

        Nor does one that has a single name.
        """
        spec = self.algorithm.PARAMS.get(name)
        if isinstance(spec, Choice) and len(spec.options) == 1:
            return False
        settings = self.technique.settings.values()
        if any(name in setting.idle.get(setting.value(self), ()) for setting in settings):
            return False
        if not isinstance(self.algorithm, HasConditions) or name not in self.algorithm.APPLIES:
            return True
        other, values = self.algorithm.APPLIES[name]
        chosen = self.value(other)
        some = chosen.split(",") if isinstance(self.algorithm.PARAMS[other], Several) else [chosen]
        return any(value in values for value in some)

    def idle(self, name: str) -> str:
        """Return why a parameter changes nothing while another has a value, or nothing: the folds of a chosen alpha."""
        if not isinstance(self.algorithm, HasOverrides) or name not in self.algorithm.DECIDED:
            return ""
        override, reason = self.algorithm.DECIDED[name]
        return reason if self.applies(override) and self.value(override) is not None else ""

    def value(self, name: str) -> Any:
        """Return a parameter as its control has it, shown or not."""
        return peek(
            self.key(name), self.algorithm.PARAMS[name], self.technique.defaults(self.method)[name]
        )


class Tool:
    """One gesture: what it decides, shows, offers to the stage and takes from it.

    A tool overrides the methods that it needs. A new gesture is a new tool in a file of its own,
    and nothing else changes.
    """

    first: ClassVar[bool] = False
    """Whether its controls stand above those of the parameters."""

    def decides(self, page: Page) -> frozenset[str]:
        """Return the parameters that it sets at the moment: they have no controls of their own."""
        return frozenset()

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Show its controls; return the parameters that it sets, and settings of the picture."""
        return {}

    def refusal(self, page: Page) -> str:
        """Return a sentence if nothing can be run yet, with what to do."""
        return ""

    def query(self, page: Page, selected: int | None) -> Query | None:
        """Return the place or row that is asked about."""
        return None

    def offers(self, page: Page) -> Mapping[str, Any]:
        """Return what the stage needs for the gesture, beside the scene."""
        return {}

    def takes(self, page: Page, message: Mapping[str, Any]) -> bool:
        """Take over what the stage says, if it is meant; what the browser sends is not trusted."""
        return False
