"""The tree of splits as a dendrogram that grows downwards with the steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.centers_scene import numbered
from dmlib.clustering.dendrogram_scene import Layout, brackets, layout, strokes_until
from dmlib.clustering.kmeans_variants.bisecting_kmeans import BisectingKMeansStep as Step
from dmlib.clustering.kmeans_variants.split_tree import SplitTree
from dmlib.pictures.marks import NO_CLASS, Mark
from dmlib.pictures.places import line_through, points_at
from dmlib.pictures.scene import Axis, Panel

NAME = "tree"
FAINT = 0.3  # opacity of clusters that a step is not about
MAX_NAMED = 16  # clusters up to which the axis names them


class SplitDendrogram:
    """The splits up to a step, and the clusters as the ends of the tree.

    Parameters
    ----------
    steps : sequence of BisectingKMeansStep
        The steps of the run.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        self.tree = SplitTree.of(steps)
        self.places = Layout(np.zeros(1, np.intp), np.zeros(1), self.tree.heights)
        if self.tree.clusters:
            self.places = replace(layout(self.tree.linkage), y=self.tree.heights)

    def panel(self) -> Panel:
        """Return the panel of the tree."""
        n, top = len(self.places.order), float(self.places.y.max()) or 1.0
        ticks = [str(leaf + 1) for leaf in self.places.order] if n <= MAX_NAMED else ("",)
        x = Axis("cluster at the end", -0.5, n - 0.5, ticks=ticks)
        y = Axis("SSE of the cluster", -0.06 * top, 1.06 * top)
        return Panel(NAME, x, y, title="Tree of the splits", side=True)

    def marks(self, step: Step) -> list[Mark]:
        """Return the splits up to a step, the one that it tries, and the clusters."""
        nodes = self.tree.nodes(step.n_splits)
        strokes = brackets(self.tree.linkage, self.places)[::-1]
        colors = np.full(len(strokes), NO_CLASS, np.uint8)
        opacity = np.ones(len(nodes))
        if step.phase in ("choose", "trial"):
            opacity[np.arange(len(nodes)) != step.cluster] = FAINT
        return [
            strokes_until(strokes, colors, step.n_splits, panel=NAME),
            line_through(self._bracket(step), panel=NAME, color="ink", width=2.5),
            points_at(
                # After the final k-means the clusters are no longer those of the splits.
                np.column_stack([self.places.x[nodes], step.inertias]),
                panel=NAME,
                color=np.arange(len(nodes)) % NO_CLASS,
                labels=numbered("cluster", len(self.places.order)),
                opacity=opacity,
            ),
        ]

    def _bracket(self, step: Step) -> list[tuple[float, float]]:
        """Return the corners of the split that a step tries or makes."""
        number, n_splits = step.n_splits + (step.phase == "trial"), len(self.tree.clusters)
        if step.phase not in ("trial", "split") or number > n_splits:
            return []
        first, second, top, _ = self.tree.linkage[n_splits - number]
        a, b = self.places.x[[int(first), int(second)]]
        u, v = cast(Floats, step.child_inertias).tolist()
        return [(a, u), (a, top), (b, top), (b, v)]
