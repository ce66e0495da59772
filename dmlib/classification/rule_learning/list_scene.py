"""The rules as a list of texts, each with a bar of the rows that it covers."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dmlib.classification.rule_learning.conditions import Rule
from dmlib.classification.rule_learning.learner import RuleStep
from dmlib.classification.rule_learning.words import Words
from dmlib.pictures.marks import NO_CLASS, Mark, Rects, Texts
from dmlib.pictures.scene import Axis, Panel

MAX_LISTED = 6
MAX_LETTERS = 52  # of a line
MAX_LINES = 3
BAR = 0.13  # height of a bar, in parts of that of a rule
FIRST_LINE, LINE = 9.0, 14.0  # pixels below the bar, and from line to line

Entry = tuple[int, Rule]
"""The number of a rule in the list, from 1, and the rule."""


class RuleList:
    """The list of rules at each step: the last ones, and the one that grows.

    Parameters
    ----------
    words : Words
        The rules in words.
    steps : sequence of RuleStep
        Those that have a frame.
    """

    def __init__(self, words: Words, steps: Sequence[RuleStep]) -> None:
        self.words = words
        every = dict.fromkeys(entry for step in steps for entry in entries(step))
        self.lines: dict[Entry, list[str]] = {entry: self._lines(entry) for entry in every}
        top = max((rule.n_covered for _, rule in self.lines), default=1)
        self.n_rules = len(steps[-1].rules)
        title = "Rules, with the rows that each covers"
        self.panel = Panel(
            "rules",
            Axis("covered rows", -0.02 * top, 1.02 * top, integer=True),
            Axis("", 0.0, float(MAX_LISTED)),
            title=title,
        )

    def notes(self) -> tuple[str, ...]:
        """Return how many rules are not listed."""
        if self.n_rules <= MAX_LISTED:
            return ()
        return (f"The list has the last {MAX_LISTED} rules; the tab Rules has all.",)

    def marks(self, step: RuleStep) -> tuple[Mark, ...]:
        """Return the bars and, below each, the lines of its rule."""
        tops = {entry: float(MAX_LISTED - i) for i, entry in enumerate(entries(step))}
        return (*self._bars(tops), *(self._texts(tops, line) for line in range(MAX_LINES)))

    def _texts(self, tops: dict[Entry, float], line: int) -> Texts:
        """Return one line of each rule; a small screen has no room for later ones."""
        listed = [entry for entry, lines in self.lines.items() if line < len(lines)]
        y = np.array([tops.get(entry, np.nan) for entry in listed]) - BAR
        return Texts(
            panel="rules",
            x=np.zeros(len(y)),
            y=y,
            text=[self.lines[entry][line] for entry in listed],
            anchor="start",
            dy=FIRST_LINE + LINE * line,
            halo=True,  # on a low panel the bars of the next rules lie behind it
            of="",
        )

    def _bars(self, tops: dict[Entry, float]) -> tuple[Rects, Rects]:
        """Return the bars of the right rows in the colours of the classes, and of the wrong."""
        p = np.array([rule.n_right for _, rule in tops], float)
        t = np.array([rule.n_covered for _, rule in tops], float)
        high = np.array([*tops.values()])
        colors = [self.words.codes[rule.target] for _, rule in tops]
        numbers = [number for number, _ in tops]
        right = Rects(
            panel="rules",
            x0=np.zeros(len(p)),
            x1=p,
            y0=high - BAR,
            y1=high,
            color=np.array(colors, np.uint8),
            numbers=numbers,
            of="rule",
        )
        return right, replace(right, x0=p, x1=t, color=np.full(len(p), NO_CLASS, np.uint8))

    def _lines(self, entry: Entry) -> list[str]:
        number, rule = entry
        conditions, target = self.words.conditions(rule), self.words.classes[rule.target]
        text = f"{number}. {target} if {conditions} ({rule.n_right}/{rule.n_covered})"
        return textwrap.wrap(text, MAX_LETTERS, max_lines=MAX_LINES, placeholder=" …")


def entries(step: RuleStep) -> list[Entry]:
    """Return the rules that are listed at a step: the last ones, and the one that grows.

    Examples
    --------
    >>> from dmlib.classification import PRISM
    >>> *_, last = PRISM().steps([[0.0], [1.0]], [0, 1])
    >>> [(number, rule.target) for number, rule in entries(last)]
    [(1, 0), (2, 1)]
    """
    rules = [*step.rules, *([step.candidate] if step.candidate is not None else [])]
    return [*enumerate(rules, 1)][-MAX_LISTED:]
