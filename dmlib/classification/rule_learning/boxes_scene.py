"""Rules as rectangles of the plane."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.classification.rule_learning.conditions import Rule
from dmlib.classification.rule_learning.learner import RuleStep
from dmlib.classification.tree_regions_scene import Box, axis_of, upright
from dmlib.pictures.marks import Line, Rects
from dmlib.pictures.places import NOWHERE, line_through
from dmlib.pictures.scene import Panel
from dmlib.problem import Problem

MAX_BOXES = 150
FILL = 0.22  # opacity


class RuleBoxes:
    """The rectangles of all rules of a run, where the axes of the plane are columns.

    Parameters
    ----------
    problem : Problem
        The data.
    panel : Panel
        The panel of the plane.
    steps : sequence of RuleStep
        Those that have a frame.
    codes : sequence of int
        The classes that were learned.
    """

    def __init__(
        self, problem: Problem, panel: Panel, steps: Sequence[RuleStep], codes: Sequence[int]
    ) -> None:
        self.plane, self.panel = problem.plane, panel
        self.is_upright = upright(problem.plane)
        rules = dict.fromkeys(rule for step in steps for rule in step.rules)
        self.rules = [rule for rule in rules if self.is_visible(rule)][-MAX_BOXES:]
        boxes = [self.box(rule) for rule in self.rules]
        self.corners = np.array([(box.x0, box.y0, box.x1, box.y1) for box in boxes], float).reshape(
            -1, 4
        )
        self.colors = np.array([codes[rule.target] for rule in self.rules], np.uint8)

    def box(self, rule: Rule) -> Box:
        """Return the part of the panel where the conditions on its two columns hold.

        A rectangle of no width where none does.
        """
        box = Box(self.panel.x.low, self.panel.x.high, self.panel.y.low, self.panel.y.high)
        for condition in rule.conditions:
            axis = axis_of(self.plane, condition.column)
            if axis is None:
                continue
            low, high = box.side(axis)
            if condition.operator == "=":
                low, high = max(low, condition.value - 0.5), min(high, condition.value + 0.5)
            elif condition.operator == "≤":
                high = min(high, condition.value)
            else:
                low = max(low, condition.value)
            box = box.between(axis, low, max(low, high))
        return box

    def is_visible(self, rule: Rule) -> bool:
        """Return whether the conditions on columns that the plane does not show hold in it."""
        base = self.plane.base[None]
        return self.is_upright and all(
            condition.holds(base)[0]
            for condition in rule.conditions
            if axis_of(self.plane, condition.column) is None
        )

    def marks(self, step: RuleStep, *, is_last: bool) -> tuple[Rects | Line, ...]:
        """Return the rules so far as areas, and the outline of the rule that grows.

        At the end the areas are those of the decision regions. The outline is dashed where the rule
        has conditions on columns that the plane does not show.
        """
        rules = set() if is_last else set(step.rules)
        opacity = [FILL if rule in rules else 0.0 for rule in self.rules]
        x0, y0, x1, y1 = self.corners.T
        areas = Rects(x0=x0, y0=y0, x1=x1, y1=y1, color=self.colors, opacity=opacity, of="")
        outline, rule = NOWHERE, step.rule
        if rule is not None and rule.conditions and self.is_upright:
            outline = np.array(self.box(rule).corners)
        is_dashed = rule is not None and any(
            axis_of(self.plane, condition.column) is None for condition in rule.conditions
        )
        return (
            areas,
            line_through(NOWHERE if is_dashed else outline, color="ink", width=2.5, of=""),
            line_through(
                outline if is_dashed else NOWHERE, color="ink", width=2.0, dash=True, of=""
            ),
        )
