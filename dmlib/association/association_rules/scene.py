"""Association rules as a picture: support and confidence of each, and its 2 × 2 table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.association.association_rules.algorithm import AssociationRules
from dmlib.association.association_rules.contingency_scene import PANEL, contingency_marks
from dmlib.association.association_rules.ledger import Narrator, Rules
from dmlib.association.association_rules.multiple_support import MultipleSupportApriori
from dmlib.association.association_rules.shots import MAX_TESTED, Shot, has_tests, shots_of
from dmlib.association.association_rules.thresholds_scene import Thresholds
from dmlib.pictures.marks import NO_CLASS, Mark, Points
from dmlib.pictures.places import points_at
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, needs_steps, story
from dmlib.pictures.words import num
from dmlib.problem import BasketsProblem

MAX_RULES = 1200  # rules that are drawn
POSITIVE, NEGATIVE = 0, 1  # colours: lift above and below 1
LEGEND = (
    Key("lift > 1", POSITIVE),
    Key("lift < 1", NEGATIVE),
    Key("lift = 1"),
    Key("hollow: not a rule", NO_CLASS, hollow=True),
)


@needs_steps
def rules_scene(run: Run[BasketsProblem, AssociationRules | MultipleSupportApriori]) -> Scene:
    """Draw a run of AssociationRules or MultipleSupportApriori; a rule can be selected.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.association.AssociationRules` on baskets.

    Returns
    -------
    Scene
        One frame for each item set, each test of a rule (of many, each size of consequent), and
        the end.

    Examples
    --------
    >>> from dmlib.association import AssociationRules
    >>> from dmlib.problem import prepare_baskets
    >>> problem = prepare_baskets([{"tea", "milk"}, {"tea"}])
    >>> scene = rules_scene(Run.of(problem, AssociationRules(0.5)))
    >>> [frame.phase for frame in scene.frames]
    ['itemsets', 'single', 'test', 'test', 'done']
    """
    problem, steps = run.problem, run.trace.steps
    rules = Rules(problem, steps, run.model)
    points = RulePoints(rules, run.selected)
    thresholds = Thresholds(problem, steps)
    narrator = Narrator(
        rules, steps, thresholds.narrator, points.selected, has_tests=has_tests(steps)
    )

    def draw(moment: Moment) -> Drawing:
        shot: Shot = moment.step
        rule = points.rule(shot)
        marks = (
            *points.marks(shot, rule),
            *contingency_marks(rules, rule),
            *thresholds.marks(shot.number),
        )
        return Drawing(marks, *narrator.caption_and_ledger(shot, rule), shot.phase)

    return story(
        run,
        draw,
        panels=(points.panel(), *thresholds.panels(), PANEL),
        steps=shots_of(steps),
        legend=LEGEND,
        handles=points.handles(),
        notes=points.notes(),
    )


class RulePoints:
    """The rules of a run as points.

    Parameters
    ----------
    rules : Rules
        The rules.
    selected : int or None
        The number of the point that the reader clicked.
    """

    def __init__(self, rules: Rules, selected: int | None) -> None:
        self.rules, self.indices = rules, _drawn_rules(rules)
        self.selected: int | None = None
        if selected is not None and selected < len(self.indices):
            self.selected = int(self.indices[selected])
        confidence = rules.measures["confidence"][self.indices]
        self.places = np.column_stack([self._side_by_side(confidence), confidence])
        lift = rules.measures["lift"][self.indices]
        signs = [lift > 1 + 1e-9, lift < 1 - 1e-9]
        self.colors = np.select(signs, [POSITIVE, NEGATIVE], NO_CLASS).astype(np.uint8)
        radius = 5.5 if len(lift) <= MAX_TESTED else 4.0
        self.radii = radius + 2.5 * np.minimum(np.abs(np.log2(np.maximum(lift, 1e-3))), 2.0)
        self.labels = [
            f"{rules.text(t)}: lift {rules.measures['lift'][t]:.4g}" for t in self.indices
        ]

    @property
    def supports(self) -> Floats:
        """The supports of the rules that are drawn."""
        return self.rules.joint[self.indices] / self.rules.n

    @property
    def width(self) -> float:
        """The highest support in the panel."""
        model = self.rules.model
        top = float((self.rules.joint / self.rules.n).max(initial=0.0))
        return min(1.1, 1.12 * max(top, float(getattr(model, _support_name(model)))))

    def _side_by_side(self, confidence: Floats) -> Floats:
        """Return where rules stand: of those at one place, all but one to the right of it."""
        x = self.supports.copy()
        places = np.stack([self.supports, confidence.round(9)])
        _, group = np.unique(places, axis=1, return_inverse=True)
        for same in np.unique(group):
            members = np.flatnonzero(group == same)
            reach = self.width * min(0.022 * (len(members) - 1), 0.06)
            x[members] += np.linspace(0.0, reach, len(members))
        return np.minimum(x, self.width)

    def panel(self) -> Panel:
        """Return the panel of supports and confidences."""
        x, y = Axis("support", 0.0, self.width), Axis("confidence", 0.0, 1.09)
        return Panel("data", x, y, title="Rules: drag the lines, click one")

    def handles(self) -> tuple[Handle, ...]:
        """Return the lines of the minimum confidence and of the (least) minimum support."""
        model = self.rules.model
        name, confidence = _support_name(model), model.min_confidence
        support = getattr(model, name)
        text = f"min_confidence = {num(confidence)}"
        return (
            Handle("min_confidence", "data", text, "y", None, confidence),
            Handle(name, "data", f"{name} = {num(support)}", "x", support),
        )

    def notes(self) -> tuple[str, ...]:
        """Return what is not drawn, or not where it is."""
        n = len(self.rules.places)
        notes = []
        if n > MAX_RULES:
            choice = "those with the highest lift"
            notes.append(f"{MAX_RULES} of {n:,} tested rules are drawn, {choice}.")
        if (self.places[:, 0] > self.supports).any():
            notes.append("Rules with equal numbers are drawn side by side, to the right.")
        return tuple(notes)

    def rule(self, shot: Shot) -> int | None:
        """Return the rule that is tested, the selected one, or at the end the best."""
        if shot.is_test:
            return shot.n_tested - 1
        if self.selected is not None and self.selected < shot.n_tested:
            return self.selected
        return next(iter(self.rules.best(1)), None) if shot.phase == "done" else None

    def marks(self, shot: Shot, rule: int | None) -> tuple[Mark, ...]:
        """Return a ring around a rule, and the points of those that are tested."""
        is_rule = self.rules.retained if shot.phase == "done" else self.rules.confident
        visible = np.where(self.indices < shot.n_tested, 1.0, np.nan)
        points = Points(
            x=self.places[:, 0] * visible,
            y=self.places[:, 1],
            color=self.colors,
            size=self.radii,
            hollow=(~is_rule[self.indices]).astype(np.uint8),
            labels=self.labels,
            numbers=self.indices + 1,
            of="rule",
            data=True,
        )
        ring = points_at(
            self.places[self.indices == rule],
            size=[13.0],
            color=[NO_CLASS],
            symbol=[0],
            hollow=[1],
            emphasis=True,
            of="",
        )
        return ring, points


def _support_name(model: object) -> str:
    """Return the parameter that is the minimum of the supports."""
    return "min_support" if isinstance(model, AssociationRules) else "least_support"


def _drawn_rules(rules: Rules) -> NDArray[np.intp]:
    """Return the rules that are drawn, in the order of their points.

    Consequents of one item are tested whatever the confidence, and those with the highest support
    whatever the minimum: they come first, so that a selected rule keeps its number while the lines
    are dragged.
    """
    interest = np.lexsort((-rules.measures["lift"], ~rules.retained))
    indices = np.sort(interest[:MAX_RULES])
    return indices[np.lexsort((-rules.joint[indices], rules.size[indices] > 1))]
