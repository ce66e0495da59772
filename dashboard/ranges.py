"""Ranges of parameters on data, and which parameters change nothing there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from dashboard.estimators import new
from dashboard.form import Form
from dashboard.runs import Memory, digest
from dmlib.cached import cached_property
from dmlib.estimator import HasRanges
from dmlib.params import Choice, Flag, Integer, Number, Param, Range, defaults


@dataclass(frozen=True)
class OnData:
    """The parameters of an estimator, on data.

    Attributes
    ----------
    model : estimator
        With the names and flags that are chosen. Its numbers are the defaults, so that no range
        moves with them.
    problem : Problem or None
        The data.
    memory : Memory
        Of the session.
    """

    model: Any
    problem: Any
    memory: Memory

    @classmethod
    def chosen(
        cls, algorithm: Any, prefix: str, problem: Any, form: Form, memory: Memory
    ) -> OnData:
        """Return an estimator with the names and flags that its controls have."""
        default = defaults(algorithm)
        values = {
            name: form.peek(f"{prefix}.{name}", spec, default[name])
            for name, spec in algorithm.PARAMS.items()
            if isinstance(spec, Choice | Flag)
        }
        return cls(new(algorithm, values, form.seed), problem, memory)

    def specs(self, specs: Mapping[str, Param]) -> tuple[dict[str, Param], dict[str, str]]:
        """Return specifications with ranges that fit the data, and why some parameters are idle."""
        fitting = {name: self.spec(name, spec) for name, spec in specs.items()}
        reasons = {name: reason for name, (_, reason) in fitting.items()}
        return {name: spec for name, (spec, _) in fitting.items()}, reasons

    def spec(self, name: str, spec: Param) -> tuple[Param, str]:
        """Return a specification with the range that fits the data, or why it is idle."""
        places = self.ranges.get(name, ())
        if isinstance(places, str):
            return spec, places
        if not places or not isinstance(spec, Integer | Number):
            return spec, ""
        accepted: list[Any] = sorted({min(max(place, spec.low), spec.high) for place in places})
        return replace(spec, shown=(accepted[0], *accepted[1:-1], accepted[-1])), ""

    @cached_property
    def key(self) -> str:
        """Under which the memory has the ranges."""
        return digest(self.model, *self.problem.training.arguments)

    @cached_property
    def ranges(self) -> Mapping[str, Range]:
        """Ranges that the algorithm finds in the data."""
        if self.problem is None or not isinstance(self.model, HasRanges):
            return {}
        arguments = self.problem.training.arguments
        return self.memory.ranges_of(self.key, lambda: self.model.RANGES(self.model, *arguments))
