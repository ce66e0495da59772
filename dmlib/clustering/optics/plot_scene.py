"""The reachability plot: the reachability of each row in order, the cut, and its clusters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.clustering.density_scene import cluster_colors
from dmlib.clustering.neighbors import Indices
from dmlib.clustering.optics.algorithm import OPTICSStep
from dmlib.clustering.reachability import cut_height, cut_reachability
from dmlib.pictures.marks import NO_CLASS, Points, Rects, Segments
from dmlib.pictures.places import NOWHERE, points_at, segments_between
from dmlib.pictures.scene import Axis, Handle, Panel
from dmlib.pictures.words import num
from dmlib.problem import Problem


class ReachabilityPlot:
    """The reachability plot of a run, and the clusters that are read off it.

    Parameters
    ----------
    problem : Problem
        The data.
    steps : sequence of OPTICSStep
        The run.
    max_eps : float
        The largest radius.
    cut : float or str
        The height of the cut, or "auto".
    clusters : {"cut", "xi"}
        Whether the clusters are those below the cut, or those that the run found by steep flanks.

    Attributes
    ----------
    order : ndarray
        The rows in the order in which they were processed.
    place : ndarray of shape (n_samples,)
        The position of each row in the order, from 0; of unprocessed rows ``n_samples``.
    reachability, core : ndarray of shape (n_samples,)
        The final reachability and the core distance of each row.
    labels : ndarray of shape (n_samples,)
        The cluster of each row, -1 for noise.
    """

    def __init__(
        self,
        problem: Problem,
        steps: Sequence[OPTICSStep],
        max_eps: float,
        cut: float | str,
        clusters: str,
    ) -> None:
        n_samples = len(problem.X)
        processed = [step for step in steps if step.row is not None]
        self.order = np.array([step.row for step in processed], np.intp)
        self.place = np.full(n_samples, n_samples)
        self.place[self.order] = np.arange(len(self.order))
        self.reachability, self.core = np.full(n_samples, np.inf), np.full(n_samples, np.inf)
        self.reachability[self.order] = [step.reachability for step in processed]
        self.core[self.order] = [step.core_distance for step in processed]
        ordered = self.reachability[self.order], self.core[self.order]
        self.cut = cut_height(cut, *ordered, max_eps)
        self.by_cut = clusters == "cut"
        self.labels = np.full(n_samples, -1)
        if self.by_cut:
            places = np.arange(len(self.order))
            self.labels[self.order] = cut_reachability(places, *ordered, self.cut)
        elif steps and steps[-1].labels is not None:
            self.labels = steps[-1].labels
        self.top = self._top()
        self.heights = np.minimum(ordered[0], self.top)
        self._numbers = problem.rows[self.order] + 1

    def _top(self) -> float:
        finite = self.reachability[np.isfinite(self.reachability)]
        highest = float(finite.max(initial=0.0))
        return 1.12 * (min(max(highest, self.cut), 2 * highest) or self.cut or 1.0)

    def panel(self) -> Panel:
        """Return the panel of the plot."""
        return Panel(
            "order",
            Axis("position in the order", 0.0, len(self.place) + 1.0, integer=True),
            Axis("reachability", 0.0, self.top),
            title="Reachability plot: drag the cut",
        )

    def handle(self) -> Handle:
        """Return the line that cuts."""
        label = f"cut = {num(self.cut)}"
        return Handle("cut", "order", label, "y", None, min(self.cut, self.top))

    def bars(self, position: int) -> Rects:
        """Return one bar for each place, of no height beyond a position."""
        places = np.arange(len(self.order))
        return Rects(
            panel="order",
            x0=places + 0.5,
            x1=places + 1.5,
            y0=np.zeros(len(places)),
            y1=np.where(places <= position, self.heights, 0.0),
            color=cluster_colors(self.labels[self.order]),
            numbers=self._numbers,
        )

    def point(self, rows: Indices) -> Points:
        """Return the marks on the bars of rows."""
        places = self.place[rows]
        tops = np.column_stack([places + 1.0, self.heights[places]])
        return points_at(tops, panel="order", color=[NO_CLASS], emphasis=True, size=[5.0])

    def flanks(self, step: OPTICSStep) -> Segments:
        """Return, at the end, the clusters that steep flanks bound, as lines over their places."""
        hierarchy = step.hierarchy
        if self.by_cut or hierarchy is None or not len(hierarchy):
            return segments_between(NOWHERE, NOWHERE, panel="order", width=3.0)
        first, last = np.asarray(hierarchy).T
        level = np.array([((first <= a) & (last >= b)).sum() for a, b in hierarchy]) - 1
        height = self.top * (0.98 - 0.03 * level)
        starts, ends = np.column_stack([first + 0.6, height]), np.column_stack([last + 1.4, height])
        return segments_between(starts, ends, panel="order", width=3.0)
