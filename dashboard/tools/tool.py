"""A tool: one gesture of the reader, with everything that belongs to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from dashboard.form import Form
from dashboard.ranges import OnData
from dashboard.runs import Memory
from dashboard.settings import Settings
from dmlib.cached import cached_property
from dmlib.estimator import HasConditions, HasOverrides
from dmlib.params import Choice, Param, Several

if TYPE_CHECKING:
    from dashboard.technique import Technique
    from dmlib.problem import Query


@dataclass(frozen=True)
class Page:
    """A page, as a tool sees it.

    Attributes
    ----------
    technique : Technique
        The declaration of the page.
    method : str
        The chosen one of its methods.
    problem : Problem or None
        The data that the algorithm gets; None when there are none.
    form : Form
        Its settings.
    memory : Memory
        Of the session.
    params : dict
        The parameters whose controls have been made so far.
    """

    technique: Technique
    method: str
    problem: Any
    form: Form
    memory: Memory = field(default_factory=Memory)
    params: dict[str, Any] = field(default_factory=dict)

    @property
    def algorithm(self) -> Any:
        """The class of the method."""
        return self.technique.methods[self.method]

    @property
    def settings(self) -> Settings:
        """The settings of the page."""
        return self.form.settings

    @property
    def specs(self) -> dict[str, Param]:
        """Its parameters that have a control."""
        return self.technique.specs(self.method)

    @cached_property
    def on_data(self) -> OnData:
        """Its parameters on the data."""
        slug = self.technique.slug
        return OnData.chosen(self.algorithm, slug, self.problem, self.form, self.memory)

    def key(self, name: str) -> str:
        """Return the name that a parameter or a tool's own value has in the link."""
        return f"{self.technique.slug}.{name}"

    def applies(self, name: str) -> bool:
        """Return whether a parameter means anything, with the values that the others have.

        The degree of a polynomial kernel, say. Nor does one that has a single name.
        """
        spec = self.algorithm.PARAMS.get(name)
        if isinstance(spec, Choice) and len(spec.options) == 1:
            return False
        settings = self.technique.settings.values()
        if any(name in setting.idle.get(setting.value(self), ()) for setting in settings):
            return False
        if not isinstance(self.algorithm, HasConditions) or name not in self.algorithm.APPLIES:
            return True
        condition, values = self.algorithm.APPLIES[name]
        chosen = self.value(condition)
        is_list = isinstance(self.algorithm.PARAMS[condition], Several)
        return any(value in values for value in (chosen.split(",") if is_list else [chosen]))

    def idle(self, name: str) -> str:
        """Return why a parameter changes nothing while another has a value, or nothing.

        The folds of a chosen alpha, say.
        """
        if not isinstance(self.algorithm, HasOverrides) or name not in self.algorithm.DECIDED:
            return ""
        override, reason = self.algorithm.DECIDED[name]
        return reason if self.applies(override) and self.value(override) is not None else ""

    def value(self, name: str) -> Any:
        """Return a parameter as its control has it, visible or not."""
        default = self.technique.defaults(self.method)[name]
        return self.form.peek(self.key(name), self.algorithm.PARAMS[name], default)


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

    def of_data(self, technique: Technique) -> tuple[str, ...]:
        """Return the names in the link that mean something for these data only."""
        return ()

    def refusal(self, page: Page) -> str:
        """Return a sentence if nothing can be run yet, with what to do."""
        return ""

    def query(self, page: Page, selected: int | None) -> Query | None:
        """Return the place or row that is asked about."""
        return None

    def offers(self, page: Page) -> Mapping[str, Any]:
        """Return what the stage needs for the gesture, beside the scene."""
        return {}

    def change(self, page: Page, message: Mapping[str, Any]) -> Settings | None:
        """Return the settings after a message of the stage, or None if it is for somebody else.

        What the browser sends is not trusted.
        """
        return None
