"""Association rules as a picture: support and confidence of each, found one after the other, and its 2 × 2 table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.association.association_rules.ledger import Ledger, Rules
from dmlib.association.association_rules.thresholds_scene import Thresholds
from dmlib.pictures.data.baskets import baskets_scene
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Rects
from dmlib.pictures.motion import during, per_frame, thin, thinned_note, xy
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Handle, Key, Panel, Scene
from dmlib.pictures.words import num

MOST_TESTED = 60
"""Runs with more tested rules have one frame for all consequents of one size of an item set."""
MOST_DRAWN = 1200  # rules
MORE, LESS = 0, 1  # colours: lift above and below 1
LEGEND = (Key("lift > 1", MORE), Key("lift < 1", LESS), Key("lift = 1"), Key("not a rule", NO_CLASS, hollow=True))
Shot = tuple[int, int | None]
"""A frame: the number of its step, and of the consequent that is tested (None: all of them)."""


def rules_scene(run: Run) -> Scene:
    """Draw a run of AssociationRules or MultipleSupportApriori; the selected rule is the one that was clicked.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.association.AssociationRules` on baskets.

    Returns
    -------
    Scene
        One frame for each item set, each test of a rule (of many, each size of consequent), and the end.

    Examples
    --------
    >>> from dmlib.association import AssociationRules
    >>> from dmlib.problem import prepare_baskets
    >>> problem = prepare_baskets([{"tea", "milk"}, {"tea"}])
    >>> [frame.phase for frame in rules_scene(Run.of(problem, AssociationRules(0.5))).frames]
    ['itemsets', 'single', 'test', 'test', 'done']
    """
    problem, steps = run.problem, run.trace.steps
    if not steps:
        alone = baskets_scene(problem)
        return Scene(alone.panels, alone.marks, (Frame(run.trace.reason),), alone.notes)
    shots, note = frames_of(steps)
    picture = Picture(Rules(problem, steps, run.model), steps, shots, run.selected)
    each = any(at is not None for _, at in shots)
    ledger, thresholds = Ledger(picture.rules, steps, each=each), Thresholds(problem, steps, shots)
    frames = []
    for f, (i, at) in enumerate(shots):
        caption, blocks = thresholds.told(i) if thresholds.owns(i) else ledger.told(i, at)
        shown = picture.focus[f]
        if shown is not None and at is None and not thresholds.owns(i):
            rule = picture.rules.blocks(shown)
            blocks = [*rule, *blocks] if shown == picture.selected else [*blocks, *rule]
        frames.append(Frame(caption, blocks, "test" if at is not None else steps[i].phase))
    panels = (picture.panel(), *thresholds.panels(), TABLE)
    marks = (*picture.marks(), *thresholds.marks())
    return Scene(panels, marks, frames, (*problem.notes, *picture.notes(), *note), picture.handles(), LEGEND)


def frames_of(steps: Sequence[Any]) -> tuple[list[Shot], tuple[str, ...]]:
    """Return the step of each frame with the consequent that it tests, and what is said of those left out."""
    if steps[-1].phase != "done" or steps[-1].n_tested > MOST_TESTED:
        shown = thin(len(steps))
        return [(int(i), None) for i in shown], thinned_note(shown)
    shots: list[Shot] = []
    for i, step in enumerate(steps):
        tests = range(len(step.consequents)) if step.phase in {"single", "join"} and hasattr(step, "itemset") else ()
        shots += [(i, None), *((i, at) for at in tests)]
    return shots, ()


TABLE = Panel(
    "table",
    Axis("baskets: with A, without A", 0.0, 1.0),
    Axis("share with B", 0.0, 1.02),
    title="Share with B (dashed: in all)",
    side=True,
)


class Picture:
    """The rules of a run as points, and one of them as a table."""

    def __init__(self, rules: Rules, steps: Sequence[Any], shots: Sequence[Shot], selected: int | None) -> None:
        self.rules, self.steps, self.shots = rules, steps, shots
        n = len(rules.places)
        interest = np.lexsort((-rules.measures["lift"], ~rules.kept)) if n else np.empty(0, int)
        drawn = np.sort(interest[:MOST_DRAWN])
        # Consequents of one item are tested whatever the confidence, and those with most support whatever the minimum:
        # they come first, so that a selected rule keeps its number while the lines are dragged.
        self.drawn = drawn[np.lexsort((-rules.both[drawn], rules.size[drawn] > 1))]
        self.since = self._since(n)
        self.selected = int(self.drawn[selected]) if selected is not None and selected < len(self.drawn) else None
        self.focus = [self._focus(f) for f in range(len(shots))]

    def _since(self, n: int) -> NDArray[np.intp]:
        """Return the frame in which each rule is tested."""
        since, first = np.zeros(n, np.intp), Ledger(self.rules, self.steps).first
        for f, (i, at) in reversed(list(enumerate(self.shots))):
            rows = slice(first[i], first[i + 1]) if at is None else slice(first[i] + at, first[i] + at + 1)
            one_by_one = at is None and f + 1 < len(self.shots) and self.shots[f + 1] == (i, 0)
            if not one_by_one:
                since[rows] = f
        steps = np.array([i for i, _ in self.shots])
        for i in set(range(len(self.steps))) - set(steps.tolist()):  # it has no frame: the next one shows it
            since[first[i] : first[i + 1]] = int(np.searchsorted(steps, i))
        return since

    def _focus(self, f: int) -> int | None:
        """Return the rule whose table is shown: the one that is tested, the selected one, or at the end the best."""
        i, at = self.shots[f]
        now = np.flatnonzero(self.since == f)
        if at is not None:
            return int(now[0])
        if self.selected is not None and self.since[self.selected] <= f:
            return self.selected
        best = self.rules.best(1)
        return best[0] if self.steps[i].phase == "done" and best else None

    def panel(self) -> Panel:
        """Return the panel of supports and confidences."""
        top = float((self.rules.both / self.rules.n).max(initial=0.0))
        least = float(getattr(self.rules.model, "min_support", getattr(self.rules.model, "least_support", 0.0)))
        x = Axis("support", 0.0, min(1.1, 1.12 * max(top, least)))
        return Panel("data", x, Axis("confidence", 0.0, 1.12), title="Rules: drag the lines, click one")

    def handles(self) -> tuple[Handle, ...]:
        """Return the lines of the minimum confidence and of the (least) minimum support."""
        model, name = self.rules.model, "min_support" if hasattr(self.rules.model, "min_support") else "least_support"
        least, support = model.min_confidence, getattr(model, name)
        return (
            Handle("min_confidence", "data", f"min_confidence = {num(least)}", "y", None, least),
            Handle(name, "data", f"{name} = {num(support)}", "x", support),
        )

    def notes(self) -> tuple[str, ...]:
        """Return what is not drawn, or not where it is."""
        n = len(self.rules.places)
        few = f"{MOST_DRAWN} of {n:,} tested rules are drawn, those with the highest lift."
        shifted = bool((self._places()[0] > self.rules.both[self.drawn] / self.rules.n).any())
        return (
            *[few] * (n > MOST_DRAWN),
            *["Rules with equal numbers are drawn side by side, to the right."] * shifted,
        )

    def marks(self) -> tuple[Mark, ...]:
        """Return the points of the rules, the rule of the moment, and its table."""
        x, y = self._places()
        rules, drawn, last = self.rules, self.drawn, len(self.shots)
        lift = rules.measures["lift"][drawn]
        at = {int(t): place for place, t in enumerate(drawn)}
        now = [None if t is None or t not in at else np.array([x[at[t]], y[at[t]]]) for t in self.focus]
        now_x, now_y = xy(now)
        strength = np.minimum(np.abs(np.log2(np.maximum(lift, 1e-3))), 2.0)
        points = Points(
            x=during(x, self.since[drawn], last, last),
            y=y,
            color=np.select([lift > 1 + 1e-9, lift < 1 - 1e-9], [MORE, LESS], NO_CLASS).astype(np.uint8),
            size=(5.5 if len(drawn) <= MOST_TESTED else 4.0) + 2.5 * strength,
            hollow=self._hollow(),
            labels=[f"{rules.text(t)}: lift {rules.measures['lift'][t]:.4g}" for t in drawn.tolist()],
            numbers=drawn + 1,
            of="rule",
            data=True,
        )
        ring = Points(x=now_x, y=now_y, size=[13.0], color=[NO_CLASS], symbol=[0], hollow=[1], emphasis=True, of="")
        return ring, points, *self._table()

    def _hollow(self) -> PerFrame:
        """Return which points are outlined: those without enough confidence, at the end also those filtered out."""
        done = np.array([self.steps[i].phase == "done" for i, _ in self.shots])[:, None]
        out = np.where(done, ~self.rules.kept[self.drawn], ~self.rules.confident[self.drawn])
        return per_frame(out.astype(np.uint8))

    def _places(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return support and confidence; of rules at one place, the others stand to the right of it."""
        support, confidence = self.rules.both[self.drawn] / self.rules.n, self.rules.measures["confidence"][self.drawn]
        width = float(self.panel().x.high)
        x = support.copy()
        _, group = np.unique(np.stack([support, confidence.round(9)]), axis=1, return_inverse=True)
        for same in np.unique(group):
            members = np.flatnonzero(group == same)
            reach = width * min(0.022 * (len(members) - 1), 0.06)
            x[members] += np.linspace(0.0, reach, len(members))
        return np.minimum(x, width), confidence

    def _table(self) -> tuple[Mark, ...]:
        """Return the table of a rule as four rectangles: shares with B of the baskets with A and of those without."""
        n, shares = self.rules.n, []
        for t in self.focus:
            if t is None:
                shares.append(np.empty((0, 4)))
                continue
            a, both, b = self.rules.a[t] / n, self.rules.both[t] / self.rules.a[t], self.rules.b[t] / n
            rest = (self.rules.b[t] - self.rules.both[t]) / (n - self.rules.a[t]) if self.rules.a[t] < n else 0.0
            shares.append(np.array([[0, a, 0, both], [a, 1, 0, rest], [0, a, both, 1], [a, 1, rest, 1], [0, 1, b, b]]))
        x0, x1, y0, y1 = (PerFrame([rows[:4, j] for rows in shares]) for j in range(4))
        codes = np.array([MORE, MORE, NO_CLASS, NO_CLASS], np.uint8)
        colors = PerFrame([codes[: min(4, len(rows))] for rows in shares])
        shade = PerFrame([np.array([0.75, 0.35, 0.12, 0.12])[: min(4, len(rows))] for rows in shares])
        line_x, line_y = (PerFrame([rows[4:, cols].ravel() for rows in shares]) for cols in ([0, 1], [2, 3]))
        middle = PerFrame([rows[:1, [1, 1]].ravel() for rows in shares])
        ends = PerFrame([np.array([0.0, 1.0])[: 2 * min(1, len(rows))] for rows in shares])
        return (
            Rects(panel="table", x0=x0, x1=x1, y0=y0, y1=y1, color=colors, opacity=shade, of=""),
            Line(panel="table", x=middle, y=ends, color="muted", width=1.5, of=""),
            Line(panel="table", x=line_x, y=line_y, dash=True, of=""),
        )
