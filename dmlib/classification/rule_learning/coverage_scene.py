"""Coverage space: a rule and its conditions by the rows of its class and of others it covers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.classification.rule_learning.conditions import Rule
from dmlib.classification.rule_learning.learner import RuleStep
from dmlib.classification.rule_learning.ledger import CANDIDATE
from dmlib.pictures.marks import NO_CLASS, Mark
from dmlib.pictures.places import NOWHERE, line_through, points_at
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.problem import Problem

PANEL = "coverage"
PAD = 0.06
EXTENDED = ("grow", "drop")  # phases in which a condition is chosen
Path = tuple[tuple[float, float], ...]


class CoverageSpace:
    """The rule that grows, as a path to the upper left, and the conditions it is extended by.

    Parameters
    ----------
    problem : Problem
        The data.
    codes : sequence of int
        The classes that were learned.
    """

    def __init__(self, problem: Problem, codes: Sequence[int]) -> None:
        self.codes = codes
        sizes = np.bincount(np.asarray(problem.training.y), minlength=max(codes) + 1)[list(codes)]
        x, y = bounds([0, sizes.sum() - sizes.min()], PAD), bounds([0, sizes.max()], PAD)
        self.panel = Panel(
            PANEL,
            Axis("wrong, t − p", *x, integer=True),
            Axis("right, p", *y, integer=True),
            title="Conditions: the steeper, the purer",
            side=True,
        )

    def marks(self, step: RuleStep, path: Path) -> tuple[Mark, ...]:
        """Return the path of the rule, the conditions, and the line through the chosen one."""
        places, numbers, ray = NOWHERE, np.empty(0, np.intp), NOWHERE
        ranked = step.candidates
        if ranked is not None and step.phase in (*EXTENDED, "keep"):
            places = np.column_stack([ranked.covered - ranked.right, ranked.right])
            numbers = np.arange(len(places)) + 1
        if len(places) and step.phase in EXTENDED:
            x, y = places[step.chosen].tolist()
            reach = min(
                self.panel.x.high / x if x else np.inf, self.panel.y.high / y if y else np.inf
            )
            ray = np.array([(0.0, 0.0), (reach * x, reach * y)])
        end = np.array(path[-1:], float).reshape(-1, 2)
        color = NO_CLASS if step.target < 0 else self.codes[step.target]
        return (
            line_through(ray, panel=PANEL, color="muted", width=1.2, dash=True, of=""),
            line_through(np.array(path, float).reshape(-1, 2), panel=PANEL, color="ink", of=""),
            points_at(
                places,
                panel=PANEL,
                size=[4.0],
                color=[NO_CLASS],
                symbol=[0],
                hollow=[1],
                numbers=numbers,
                of=CANDIDATE,
            ),
            points_at(end, panel=PANEL, size=[6.0], color=[color], emphasis=True, of=""),
        )


def path_of_rule(path: Path, step: RuleStep) -> Path:
    """Return where the rule that grows was in coverage space, from its first condition on."""
    if step.phase == "leaf" and step.rule is not None:
        return (_place(step.rule),)
    if step.phase not in EXTENDED or step.rule is None or step.before is None:
        return path if step.phase in ("prune", "reject", "keep") else ()
    start = path if step.before.conditions else (_place(step.before),)
    return (*start, _place(step.rule))


def _place(rule: Rule) -> tuple[float, float]:
    return float(rule.n_covered - rule.n_right), float(rule.n_right)
