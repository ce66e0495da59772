"""The stages of an explanation of Fisher's projection: scatter, axes to compare, turns, answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from dmlib.arrays import Floats
from dmlib.classification.discriminant import DiscriminantStep
from dmlib.decomposition.lda_projection.fisher import Scatter, turning, unit

Phase = Literal["mean", "within", "between", "try", "component", "turn", "axis", "done"]
N_TURNS = 12  # axes on the way from the first principal component to the best axis
WITHIN, BETWEEN, COMPONENT, TURN = 1, 2, 4, 5
"""The stages that begin with the scatter, the first principal component, and the turn."""
BEFORE_COMPONENT = ("mean", "within", "between", "try")


@dataclass(frozen=True)
class OwnAxis:
    """The axis that the reader turns in the plane of the picture.

    Attributes
    ----------
    angle : float
        Against the first axis of the picture, in degrees.
    direction : ndarray of shape (n_features,)
        The unit vector.
    ratio : float
        Fisher's ratio along it.
    """

    angle: float
    direction: Floats
    ratio: float


@dataclass(frozen=True)
class Stage:
    """One stage of the explanation.

    Attributes
    ----------
    phase : Phase
        The class means; the scatter within and between the classes; the reader's axis; the first
        principal component; a turn from there to the best axis; an axis of the answer; the answer.
    axis : ndarray of shape (n_features,) or None
        The axis that rows are projected onto.
    before : ndarray of shape (n_features,) or None
        On "turn" the axis before it.
    n_axes : int
        The number of axes of the answer up to here.
    """

    phase: Phase
    axis: Floats | None = None
    before: Floats | None = None
    n_axes: int = 0

    @property
    def has_component(self) -> bool:
        """Whether the first principal component has been introduced."""
        return self.phase not in BEFORE_COMPONENT


def axes_of(steps: Sequence[DiscriminantStep]) -> list[Floats]:
    """Return the axes of the answer, unit vectors."""
    n_axes = sum(step.phase == "axis" for step in steps)
    scalings = steps[-1].scalings
    return [] if scalings is None else [unit(axis) for axis in scalings.T[:n_axes]]


def stages_of(scatter: Scatter, own: OwnAxis, axes: Sequence[Floats]) -> list[Stage]:
    """Return the stages of the explanation of a run with these axes."""
    component, _ = scatter.component
    stages = [
        Stage("mean"),
        Stage("within"),
        Stage("between"),
        Stage("try", own.direction),
        Stage("component", component),
    ]
    if not axes:
        return [*stages, Stage("done", component)]
    turns = turning(scatter, component, axes[0], N_TURNS)
    stages += [Stage("turn", axis, before) for before, axis in pairwise(turns)]
    stages += [Stage("axis", axis, n_axes=j) for j, axis in enumerate(axes, start=1)]
    return [*stages, Stage("done", axes[0], n_axes=len(axes))]


def aligned(scatter: Scatter, stages: Sequence[Stage]) -> list[Floats]:
    """Return the axis of each stage or the component, turned so that rows do not change sides."""
    total = scatter.within + scatter.between
    axes: list[Floats] = []
    for stage in stages:
        axis = scatter.component[0] if stage.axis is None else stage.axis
        is_against = bool(axes) and float(axes[-1] @ total @ axis) < 0
        axes.append(-axis if is_against else axis)
    return axes


def steps_by_stage(
    stages: Sequence[Stage], steps: Sequence[DiscriminantStep]
) -> list[Stage | DiscriminantStep]:
    """Return a record for each stage: a step of the run where questions refer to the stage.

    The first stages take the first steps, since all of these come before the axes; stages between,
    which no step of the run corresponds to, stay as they are.
    """
    records: list[Stage | DiscriminantStep] = list(stages)
    ends = {"axis", "done"}
    n_first = TURN + 1 if any(stage.phase == "turn" for stage in stages) else TURN
    records[:n_first] = steps[:n_first]
    n_ends = sum(stage.phase in ends for stage in stages)
    records[-n_ends:] = steps[-n_ends:]
    return records
