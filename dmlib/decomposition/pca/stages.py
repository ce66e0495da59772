"""The stages of an explanation of principal components: before the algorithm, and its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dmlib.arrays import Floats
from dmlib.decomposition.pca.power_iteration import PCAStep
from dmlib.decomposition.pca.power_iteration import Phase as StepPhase

Phase = Literal["centre", "covariance", "try"] | StepPhase


@dataclass(frozen=True)
class Stage:
    """One stage of the explanation.

    Attributes
    ----------
    phase : Phase
        The columns are centred; the covariance matrix; the reader's axis; or that of the step.
    axis : ndarray of shape (n_features,) or None
        The axis that rows are projected onto.
    step, before : PCAStep or None
        The step of the power iteration, and the one before it.
    """

    phase: Phase
    axis: Floats | None = None
    step: PCAStep | None = None
    before: PCAStep | None = None

    @property
    def turning(self) -> PCAStep | None:
        """The step, as long as its axis turns."""
        return None if self.phase == "done" else self.step


def stages_of(steps: Sequence[PCAStep], numbers: Sequence[int], own: Floats) -> list[Stage]:
    """Return the stages of a run.

    Parameters
    ----------
    steps : sequence of PCAStep
        The run.
    numbers : sequence of int
        The numbers of the steps that are shown.
    own : ndarray of shape (n_features,)
        The direction of the reader's axis.
    """
    stages = [Stage("centre"), Stage("covariance", own), Stage("try", own)]
    for i in numbers:
        step = steps[i]
        axis = step.components[0] if step.phase == "done" else step.axis
        stages.append(Stage(step.phase, axis, step, steps[max(i - 1, 0)]))
    return stages
