"""The lattice of all sets of columns, and the way of a search through it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from dmlib.arrays import Floats
from dmlib.feature_selection.scores import Subset
from dmlib.feature_selection.search import SearchStep
from dmlib.feature_selection.walk import Walk, all_sets
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Texts
from dmlib.pictures.places import line_through, points_at, segments_between
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.story import Fold, Moment
from dmlib.pictures.words import short

CHOSEN, SCORED, BEST = 0, 1, 2  # colours
FAINT = 0.25
MAX_WIDTH = 10  # sets of one size up to which scores are written
MAX_LETTERS = 12  # of a name


class LatticePlot:
    """All sets, a level for each size.

    Parameters
    ----------
    walk : Walk
        The run.
    """

    fold = Fold(frozenset(), lambda sets, step: sets | {*step.candidates, step.subset})
    """The sets that have been scored."""

    def __init__(self, walk: Walk) -> None:
        self.walk, p = walk, len(walk.features)
        self.sets = all_sets(p)
        self.number = {subset: i for i, subset in enumerate(self.sets)}
        sizes = np.array([len(subset) for subset in self.sets])
        widths = np.bincount(sizes)
        self.width = int(widths.max())
        x = np.concatenate([self.width * (np.arange(n) + 0.5) / n for n in widths])
        self.places = np.column_stack([x, sizes])
        y_axis = Axis("columns in the set", -0.6, p + 0.5, integer=True)
        self.panel = Panel("data", Axis("", 0.0, float(self.width)), y_axis)
        self.labels = [_tip(walk, subset) for subset in self.sets]
        self.edges = self._edges()
        self.fixed = self._fixed()

    def _at(self, sets: Sequence[Subset]) -> Floats:
        return self.places[[self.number[subset] for subset in sets]].reshape(-1, 2)

    def _edges(self) -> Mark:
        pairs = [(a, b) for a in self.sets for b in self.sets if _is_next(a, b)]
        starts, ends = self._at([a for a, _ in pairs]), self._at([b for _, b in pairs])
        return segments_between(starts, ends, width=0.5, of="")

    def _fixed(self) -> list[Mark]:
        """Return the names of the sets, and their scores if there is room."""
        x, y = self.places.T
        names = [_label(self.walk, subset) for subset in self.sets]
        texts: list[Mark] = [Texts(x=x, y=y, text=names, dy=-17.0, halo=True, of="")]
        if self.width <= MAX_WIDTH:
            scores = [_score(self.walk, subset) for subset in self.sets]
            texts.append(Texts(x=x, y=y, text=scores, dy=25.0, halo=True, of=""))
        return texts

    def marks(self, moment: Moment) -> tuple[Mark, ...]:
        """Return the lattice at a moment, and the way through it."""
        lines = self._way(moment), self._refused(moment.step)
        return (self.edges, *lines, *self._best(), self._points(moment), *self.fixed)

    def _way(self, moment: Moment) -> Mark:
        """Return the moves so far, or the line through the best set of each size."""
        if self.walk.steps[-1].best:
            return line_through(self._at(moment.step.best), color="accent", width=3.0)
        steps = self.walk.steps[: moment.index + 1]
        way = [step.subset for step in steps if step.phase != "done"]
        moves = dict.fromkeys(tuple(sorted(pair)) for pair in pairwise(way) if pair[0] != pair[1])
        starts, ends = self._at([a for a, _ in moves]), self._at([b for _, b in moves])
        color = np.full(len(moves), CHOSEN, np.uint8)
        return segments_between(starts, ends, color=color, width=4.0, of="")

    def _refused(self, step: SearchStep) -> Mark:
        """Return a line to the set that a step of annealing does not take."""
        refused = step.candidates if step.phase == "reject" else ()
        start, color = self._at([step.subset]), [SCORED] * len(refused)
        return segments_between(start, self._at(refused), color=color, width=2.0, of="")

    def _best(self) -> list[Mark]:
        """Return a ring around the best of all sets, where it is known."""
        if self.walk.best is None:
            return []
        place = self._at([self.walk.best])
        return [points_at(place, color=[BEST], symbol=[0], hollow=[1], size=[14.0], of="")]

    def _points(self, moment: Moment) -> Points:
        """Return the sets: those that are compared are large, those of before small."""
        step: SearchStep = moment.step
        color = np.full(len(self.sets), NO_CLASS, np.uint8)
        size, opacity = np.full(len(self.sets), 3.5), np.full(len(self.sets), FAINT)
        scored = [self.number[subset] for subset in moment.so_far]
        color[scored], size[scored], opacity[scored] = SCORED, 5.0, 0.6
        compared = [self.number[subset] for subset in step.candidates]
        size[compared], opacity[compared] = 7.0, 1.0
        current = self.number[step.subset]
        color[current], size[current], opacity[current] = CHOSEN, 11.0, 1.0
        return points_at(
            self.places,
            color=color,
            symbol=[0],
            size=size,
            opacity=opacity,
            labels=self.labels,
            numbers=[self.walk.number[subset] for subset in self.sets],
            of="set",
        )


def _is_next(small: Subset, large: Subset) -> bool:
    """Return whether a set has one column more than another."""
    return len(large) == len(small) + 1 and set(small) < set(large)


def _label(walk: Walk, subset: Subset) -> str:
    """Return the name of a single column with its number, and the numbers of several."""
    if len(subset) != 1:
        return "·".join(str(j + 1) for j in subset) or "∅"
    name = walk.features[subset[0]]
    if len(name) > MAX_LETTERS:
        name = name[: MAX_LETTERS - 1] + "…"
    return f"{subset[0] + 1} {name}"


def _score(walk: Walk, subset: Subset) -> str:
    value = np.nan if walk.best is None else walk.score(subset)
    return "" if np.isnan(value) else f"{value:.3g}".replace("-", "−")


def _tip(walk: Walk, subset: Subset) -> str:
    names = ", ".join(walk.features[j] for j in subset) or "no column"
    value = np.nan if walk.best is None else walk.score(subset)
    return names if np.isnan(value) else f"{names}: {short(value)}"
