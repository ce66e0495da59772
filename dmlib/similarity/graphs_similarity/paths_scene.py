"""Floyd-Warshall as a picture: the graph with the path known so far, and the matrix of distances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.data.graph import graph_edges, graph_names, graph_panel
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Raster, Texts
from dmlib.pictures.motion import during
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.words import num4
from dmlib.problem.texts import shortened
from dmlib.similarity.graphs_similarity.nodes_scene import node_ring, node_size, node_way
from dmlib.similarity.graphs_similarity.paths_ledger import PathsTeller
from dmlib.similarity.graphs_similarity.shortest_paths import ShortestPathsStep, restore

MOST_NUMBERS = 12  # nodes of a graph whose distances are written in the cells
MOST_SHOWN = 40  # rows of the image
MOST_PIXELS = 60_000  # of all images
LIGHTEST = 30  # shade of the smallest distance
SOURCE, TARGET = 0, 1
LEGEND = (
    Key("origin", SOURCE),
    Key("target", TARGET),
    Key("allowed in between", NO_CLASS, 0),
    Key("not yet", NO_CLASS, 0, hollow=True),
)
SQUARE = np.array([[-0.5, 0.5, 0.5, -0.5, -0.5], [-0.5, -0.5, 0.5, 0.5, -0.5]])


def paths_scene(run: Run) -> Scene:
    """Draw a run of :class:`dmlib.similarity.ShortestPaths`.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.problem import prepare_graph
    >>> from dmlib.similarity import ShortestPaths
    >>> scene = paths_scene(Run.of(prepare_graph(nx.path_graph(2)), ShortestPaths()))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'through', 'through', 'trace', 'trace', 'done']
    """
    picture = _Picture(run)
    marks = [*picture.graph(), *picture.matrix()]
    teller = PathsTeller(run)
    frames = Deferred(lambda pair: teller.frame(*pair), picture.pairs)
    return Scene((graph_panel(run.problem), picture.panel), marks, frames, picture.notes, legend=LEGEND)


class _Picture:
    """The marks of one run."""

    def __init__(self, run: Run) -> None:
        self.problem, self.model = run.problem, run.model
        self.n = len(run.problem.names)
        self.stride = -(-self.n // MOST_SHOWN)
        steps = run.trace.steps
        size = -(-self.n // self.stride)
        most = max(4, MOST_PIXELS // size**2)
        through = [i for i, step in enumerate(steps) if step.phase == "through"]
        skip = -(-len(through) // most)
        left_out = {i for k, i in enumerate(through) if (k + 1) % skip and i != through[-1]}
        shown = [i for i in range(len(steps)) if i not in left_out]
        self.pairs = [(steps[i], steps[shown[k - 1]] if k else steps[0]) for k, i in enumerate(shown)]
        self.steps: Sequence[ShortestPathsStep] = [steps[i] for i in shown]

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what is left out."""
        found = list(self.problem.notes)
        if self.stride > 1:
            found.append(f"The image has every {self.stride}. node. A step is about several nodes.")
        if not self.problem.weighted and self.model.weighted:
            found.append("Every edge has the same length.")
        return tuple(found)

    # --- the graph ----------------------------------------------------------------------------------------------------

    def graph(self) -> list[Mark]:
        """Return edges, the path, the nodes, and the one that may be passed now."""
        x, y = self.problem.positions.T
        color = np.full(self.n, NO_CLASS, np.uint8)
        color[self.model.target - 1] = TARGET
        color[self.model.origin - 1] = SOURCE
        hollow = PerFrame(Deferred(self._hollow, self.steps))
        nodes = Points(
            x=x, y=y, color=color, hollow=hollow, symbol=[0], size=[node_size(self.problem)],
            labels=self.problem.labels, data=True, numbers=np.arange(1, self.n + 1), of="node",
        )  # fmt: skip
        ring = node_ring(self.problem, (step.k if step.phase == "through" else None for step in self.steps))
        line = node_way(self.problem, map(self._path, self.steps))
        return [*graph_edges(self.problem), line, ring, nodes, *graph_names(self.problem)]

    def _hollow(self, step: ShortestPathsStep) -> Any:
        passed = {"start": 0, "through": step.k + 1}.get(step.phase, self.n)
        return (np.arange(self.n) >= passed).astype(np.uint8)

    def _path(self, step: ShortestPathsStep) -> list[int]:
        if step.phase in ("trace", "done"):
            return list(step.path)
        return restore(step.successors, self.model.origin - 1, self.model.target - 1)

    # --- the matrix ---------------------------------------------------------------------------------------------------

    @property
    def panel(self) -> Panel:
        """The panel of the matrix, its first row on top."""
        names = [shortened(name, 8) for name in self.problem.names] if self.n <= MOST_SHOWN else []
        ends = (-0.5, self.n - 0.5)
        across = Axis("to", *ends, ticks=names) if names else Axis("", *ends)
        down = Axis("from", *ends, ticks=names[::-1]) if names else Axis("", *ends)
        return Panel("matrix", across, down, title="Distances", equal=True)

    def matrix(self) -> list[Mark]:
        """Return the image, the numbers of a small one, the row and the column of k, and the chosen entry."""
        low, high = self._range()
        seen: dict[int, Any] = {}

        def pixels(step: ShortestPathsStep) -> Any:
            key = id(step.distances)
            if key not in seen:
                some = step.distances[:: self.stride, :: self.stride]
                there = np.isfinite(some)
                share = (np.where(there, some, low) - low) / (high - low)
                seen[key] = np.where(there, LIGHTEST + (255 - LIGHTEST) * share, 0).astype(np.uint8).ravel()
            return seen[key]

        size = -(-self.n // self.stride)
        numbers = np.arange(1, self.n**2 + 1).reshape(self.n, self.n)
        if not self.problem.directed:
            numbers = np.minimum(numbers, numbers.T)
        extent = (-0.5, size * self.stride - 0.5, self.n - 0.5 - size * self.stride, self.n - 0.5)
        image = Raster(
            panel="matrix",
            pixels=PerFrame([pixels(step) for step in self.steps]),
            width=size,
            height=size,
            extent=extent,
            ramp=True,
            opacity=0.55,
            crisp=True,
            numbers=numbers[:: self.stride, :: self.stride].ravel(),
            of="pair",
        )
        return [image, *self._numbers(), *self._cross(), self._entry()]

    def _range(self) -> tuple[float, float]:
        values = np.concatenate([step.distances.ravel() for step in (self.steps[0], self.steps[-1])])
        values = values[np.isfinite(values)]
        return float(values.min()), max(float(values.max()), float(values.min()) + 1)

    def _numbers(self) -> list[Mark]:
        """Return each distance in its cell, from the frame on in which it is found to the one that shortens it."""
        if self.n > MOST_NUMBERS:
            return []
        stack: Floats = np.array([step.distances for step in self.steps])
        found = []
        for i in range(self.n):
            for j in range(self.n):
                values = stack[:, i, j]
                starts = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
                ends = np.append(starts[1:] - 1, len(values) - 1)
                found += [
                    (j, self.n - 1.0 - i, num4(values[a]), a, b)
                    for a, b in zip(starts, ends, strict=True)
                    if np.isfinite(values[a])
                ]
        x, y, text, first, last = zip(*found, strict=True)
        return [Texts(panel="matrix", x=during(x, first, last, len(stack)), y=y, text=text)]

    def _cross(self) -> list[Mark]:
        """Return outlines of the row and the column of the node that may be passed now."""
        ks = [step.k if step.phase == "through" else None for step in self.steps]
        low, high = -0.5, self.n - 0.5
        row_y = PerFrame([[] if k is None else self.n - 1 - k + 0.5 * SQUARE[1] / 0.5 for k in ks])
        row_x = PerFrame([[] if k is None else np.array([low, high, high, low, low]) for k in ks])
        column_x = PerFrame([[] if k is None else k + SQUARE[0] for k in ks])
        column_y = PerFrame([[] if k is None else np.array([low, low, high, high, low]) for k in ks])
        return [
            Line(panel="matrix", x=row_x, y=row_y, color=2, width=2.0, of=""),
            Line(panel="matrix", x=column_x, y=column_y, color=2, width=2.0, of=""),
        ]

    def _entry(self) -> Line:
        i, j = self.model.origin - 1, self.model.target - 1
        return Line(panel="matrix", x=j + SQUARE[0], y=self.n - 1 - i + SQUARE[1], color="ink", width=2.5, of="")
