"""The frames of a run of Apriori: its steps, or each candidate that a step counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dmlib.association.apriori.passes import AprioriStep

MAX_COUNTED = 60
"""Runs with more candidates have one frame for all candidates of a level."""


@dataclass(frozen=True)
class Shot:
    """A step of a run, or one candidate that it counts.

    Attributes
    ----------
    number : int
        The number of the step in the run.
    step : AprioriStep
        The step.
    candidate : int or None
        The number of the candidate in the step; None for all of them.
    """

    number: int
    step: AprioriStep
    candidate: int | None = None

    @property
    def items(self) -> NDArray[np.intp] | None:
        """The items of the candidate."""
        return None if self.candidate is None else self.step.candidates[self.candidate]

    def n_counted(self, number: int, n_candidates: int) -> int:
        """Return how many of the candidates of a step have been counted.

        Parameters
        ----------
        number : int
            The number of that step.
        n_candidates : int
            How many candidates it counts.
        """
        if number > self.number:
            return 0
        if number < self.number or self.candidate is None:
            return n_candidates
        return self.candidate + 1


def shots_of(steps: Sequence[AprioriStep]) -> list[Shot]:
    """Return the shots of a run."""
    is_short = steps[-1].n_candidates <= MAX_COUNTED
    shots: list[Shot] = []
    for i, step in enumerate(steps):
        if is_short and step.phase == "count":
            shots += [Shot(i, step, candidate) for candidate in range(len(step.candidates))]
        else:
            shots.append(Shot(i, step))
    return shots
