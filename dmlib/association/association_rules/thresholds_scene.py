"""MSapriori's search as a picture: support against the minimum support of each item set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.association.association_rules.thresholds_ledger import ThresholdNarrator, counted_sets
from dmlib.pictures.marks import Line, Mark, Points, Segments, Texts
from dmlib.pictures.places import points_at, segments_between
from dmlib.pictures.scene import Axis, Panel
from dmlib.problem import BasketsProblem

MAX_NAMED = 20  # item sets up to which they are named
FREQUENT, INFREQUENT = 0, 1


class Thresholds:
    """The item sets that a run of MSapriori has counted; of other runs, nothing.

    Parameters
    ----------
    problem : BasketsProblem
        The baskets.
    steps : sequence
        The run.
    """

    def __init__(self, problem: BasketsProblem, steps: Sequence[Any]) -> None:
        sets = counted_sets(steps, len(problem.matrix))
        self.narrator = ThresholdNarrator(problem, sets)
        self.names = [self.narrator.name(items) for items in sets]
        self.numbers = np.array([each.number for each in sets.values()], int)
        places = [(each.minimum, each.support) for each in sets.values()]
        self.places = np.array(places, float).reshape(-1, 2)
        self.is_frequent = np.array([each.is_frequent for each in sets.values()], bool)
        self.top = self.places.max(axis=0, initial=0.0)
        self.top[self.top == 0] = 1.0
        self.failures = self._failures(list(sets))

    def _failures(self, sets: list[tuple[int, ...]]) -> NDArray[np.intp]:
        """Return the infrequent subsets of frequent item sets, and these, shape (n, 2)."""
        number = {items: i for i, items in enumerate(sets)}
        pairs = []
        for i, items in enumerate(sets):
            subsets = (number.get(items[:j] + items[j + 1 :]) for j in range(len(items)))
            pairs += [(subset, i) for subset in subsets if subset is not None]
        edges = np.array(pairs, np.intp).reshape(-1, 2)
        subset, superset = self.is_frequent[edges].T
        failures: NDArray[np.intp] = edges[superset & ~subset]
        return failures

    def panels(self) -> tuple[Panel, ...]:
        """Return the panel."""
        if not self.names:
            return ()
        x, y = 1.08 * self.top
        return (
            Panel(
                "thresholds",
                Axis("minimum support", 0.0, x),
                Axis("support", 0.0, y),
                title="Item sets: frequent above the line",
            ),
        )

    def marks(self, number: int) -> tuple[Mark, ...]:
        """Return the line, the item sets that are counted up to a step, and where closure fails."""
        if not self.names:
            return ()
        is_counted = self.numbers <= number
        end = 1.08 * self.top.min()
        return (
            Line(panel="thresholds", x=[0.0, end], y=[0.0, end], color="muted", dash=True),
            self._arrows(self.failures[is_counted[self.failures[:, 1]]]),
            self._points(is_counted),
            *self._texts(is_counted),
        )

    def _arrows(self, edges: NDArray[np.intp]) -> Segments:
        return segments_between(
            self.places[edges[:, 0]],
            self.places[edges[:, 1]],
            panel="thresholds",
            color=np.full(len(edges), INFREQUENT, np.uint8),
            arrow=True,
        )

    def _points(self, is_counted: NDArray[np.bool_]) -> Points:
        return points_at(
            np.where(is_counted[:, None], self.places, np.nan),
            panel="thresholds",
            color=np.where(self.is_frequent, FREQUENT, INFREQUENT).astype(np.uint8),
            hollow=(~self.is_frequent).astype(np.uint8),
            labels=self.names,
            of="",
        )

    def _texts(self, is_counted: NDArray[np.bool_]) -> tuple[Texts, ...]:
        """Return the names of a few item sets, on the side of each that has room."""
        if len(self.names) > MAX_NAMED:
            return ()
        is_right = self.places[:, 0] > self.top[0] / 2
        places = np.where(is_counted[:, None], self._text_places(), np.nan)
        return (
            self._side(places, np.flatnonzero(~is_right), 0.025, "start"),
            self._side(places, np.flatnonzero(is_right), -0.025, "end"),
        )

    def _text_places(self) -> Floats:
        """Return the places of names, those at one place below each other."""
        places = self.places.copy()
        points = places.tolist()
        for i, point in enumerate(points):
            places[i, 1] -= 0.04 * self.top[1] * points[:i].count(point)
        return places

    def _side(self, places: Floats, sets: NDArray[np.intp], shift: float, anchor: str) -> Texts:
        return Texts(
            panel="thresholds",
            x=places[sets, 0] + shift * self.top[0],
            y=places[sets, 1],
            text=[self.names[i] for i in sets],
            anchor=anchor,
        )
