"""The frames of a run of association rules: its steps, and each rule that a step tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dmlib.association.association_rules.generation import RuleStep

MAX_TESTED = 60
"""Runs with more tested rules have one frame for all consequents of one size of an item set."""


@dataclass(frozen=True)
class Shot:
    """A step of a run, or one rule that it tests.

    Attributes
    ----------
    number : int
        The number of the step in the run.
    step : RuleStep or MultipleSupportStep
        The step.
    n_tested : int
        How many rules have been tested up to this moment.
    is_test : bool
        Whether this is the test of one rule, the last of those.
    """

    number: int
    step: Any
    n_tested: int
    is_test: bool = False

    @property
    def phase(self) -> str:
        """The phase of the step, or "test"."""
        return "test" if self.is_test else self.step.phase


def has_tests(steps: Sequence[Any]) -> bool:
    """Return whether each test of a run has a frame of its own."""
    last = steps[-1]
    return bool(last.phase == "done" and last.n_tested <= MAX_TESTED)


def shots_of(steps: Sequence[Any]) -> list[Shot]:
    """Return the shots of a run."""
    shots: list[Shot] = []
    n_tested = 0
    for i, step in enumerate(steps):
        n_tests = len(step.consequents) if isinstance(step, RuleStep) else 0
        if has_tests(steps):
            tests = range(n_tested + 1, n_tested + n_tests + 1)
            shots += [Shot(i, step, n_tested), *(Shot(i, step, n, is_test=True) for n in tests)]
        else:
            shots.append(Shot(i, step, n_tested + n_tests))
        n_tested += n_tests
    return shots
