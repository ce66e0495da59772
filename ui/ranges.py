"""What the data say of parameters: the ranges of their sliders, and which of them change nothing there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dmlib.cached import cached_property
from dmlib.estimator import HasRanges
from dmlib.params import Choice, Flag, Integer, Number, Param, Range, defaults
from ui.compute import digest
from ui.controls import peek
from ui.estimators import new

RANGES = "ranges"
KEPT = 8  # algorithms on data, of a session


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
    """

    model: Any
    problem: Any

    @classmethod
    def chosen(cls, algorithm: Any, prefix: str, problem: Any, seed: int) -> OnData:
        """Return an estimator with the names and flags that its controls have."""
        default = defaults(algorithm)
        named = {
            name: spec for name, spec in algorithm.PARAMS.items() if isinstance(spec, Choice | Flag)
        }
        values = {
            name: peek(f"{prefix}.{name}", spec, default[name]) for name, spec in named.items()
        }
        return cls(new(algorithm, values, seed), problem)

    def specs(self, specs: Mapping[str, Param]) -> tuple[dict[str, Param], dict[str, str]]:
        """Return the specifications with ranges that fit the data, and why some parameters change nothing there."""
        found = {name: self.spec(name, spec) for name, spec in specs.items()}
        return {name: spec for name, (spec, _) in found.items()}, {
            name: why for name, (_, why) in found.items()
        }

    def spec(self, name: str, spec: Param) -> tuple[Param, str]:
        """Return a specification with the range that fits the data; or as it is, with the reason to be idle."""
        shown = self.ranges.get(name, ())
        if isinstance(shown, str):
            return spec, shown
        if not shown or not isinstance(spec, Integer | Number):
            return spec, ""
        accepted: list[Any] = sorted({min(max(place, spec.low), spec.high) for place in shown})
        return replace(spec, shown=(accepted[0], *accepted[1:-1], accepted[-1])), ""

    @cached_property
    def key(self) -> str:
        """Under which the session knows the ranges."""
        return digest(self.model, *self.problem.training.arguments)

    @cached_property
    def ranges(self) -> Mapping[str, Range]:
        """What the algorithm says of the data, from the session if it is there; nothing where they are refused."""
        if self.problem is None or not isinstance(self.model, HasRanges):
            return {}
        kept: dict[str, Mapping[str, Range]] = st.session_state.setdefault(RANGES, {})
        key = self.key
        if key not in kept:
            try:
                kept[key] = self.model.RANGES(self.model, *self.problem.training.arguments)
            except ValueError:
                kept[key] = {}
        for old in list(kept)[:-KEPT]:
            del kept[old]
        return kept[key]
