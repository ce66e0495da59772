"""Floyd-Warshall as a picture: the graph with the best path so far, and the distance matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Bytes, Floats
from dmlib.pictures.data.graph import graph_edges, graph_names, graph_panel
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Raster, Texts
from dmlib.pictures.places import NOWHERE, line_through, points_at, visible_where
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, story
from dmlib.pictures.words import num4
from dmlib.problem import GraphProblem
from dmlib.problem.texts import shortened
from dmlib.similarity.graphs_similarity.nodes_scene import node_path, node_ring, node_size
from dmlib.similarity.graphs_similarity.paths_ledger import Narrator
from dmlib.similarity.graphs_similarity.shortest_paths import ShortestPathsStep, restore
from dmlib.similarity.table_scene import SQUARE

MAX_NUMBERS = 12  # nodes of a graph whose distances are written in the cells
MAX_ROWS = 40  # rows of the image
MAX_PIXELS = 60_000  # of all images
LIGHTEST = 30  # shade of the smallest distance
SOURCE, TARGET = 0, 1
LEGEND = (
    Key("origin", SOURCE),
    Key("target", TARGET),
    Key("allowed in between", NO_CLASS, 0),
    Key("not yet", NO_CLASS, 0, hollow=True),
)


def paths_scene(run: Run[GraphProblem, Any]) -> Scene:
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
    problem, model = run.problem, run.model
    matrix = _Matrix(run)
    steps = _visible_steps(run.trace.steps, matrix.size)
    texts = _Distances(steps)
    narrator = Narrator(run)
    edges, names = graph_edges(problem), graph_names(problem)

    def draw(moment: Moment) -> Drawing:
        step: ShortestPathsStep = moment.step
        node = step.k if step.phase == "through" else None
        marks = (
            *edges,
            node_path(problem, _path(step, model.origin - 1, model.target - 1)),
            node_ring(problem, node),
            _nodes(run, step),
            *names,
            matrix.image(step.distances),
            *texts.marks(moment.index),
            *matrix.cross(node),
            matrix.entry,
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(graph_panel(problem), matrix.panel),
        steps=steps,
        legend=LEGEND,
        notes=_notes(run, matrix.stride),
        max_frames=len(steps),
    )


def _visible_steps(steps: Sequence[ShortestPathsStep], size: int) -> list[ShortestPathsStep]:
    """Return the steps that have a frame: of many nodes so few that the images have their room."""
    through = [i for i, step in enumerate(steps) if step.phase == "through"]
    stride = -(-len(through) // max(4, MAX_PIXELS // size**2))
    skipped = {i for k, i in enumerate(through[:-1], 1) if k % stride}
    return [step for i, step in enumerate(steps) if i not in skipped]


def _notes(run: Run[GraphProblem, Any], stride: int) -> list[str]:
    notes = []
    if stride > 1:
        notes.append(f"The image has every {stride}. node. A step is about several nodes.")
    if not run.problem.weighted and run.model.weighted:
        notes.append("Every edge has the same length.")
    return notes


def _nodes(run: Run[GraphProblem, Any], step: ShortestPathsStep) -> Points:
    """Return the nodes: those that a path may pass are filled."""
    problem = run.problem
    n = len(problem.names)
    color = np.full(n, NO_CLASS, np.uint8)
    color[run.model.target - 1] = TARGET
    color[run.model.origin - 1] = SOURCE
    n_passed = {"start": 0, "through": step.k + 1}.get(step.phase, n)
    return points_at(
        problem.positions,
        color=color,
        hollow=(np.arange(n) >= n_passed).astype(np.uint8),
        symbol=[0],
        size=[node_size(problem)],
        labels=problem.labels,
        data=True,
        numbers=np.arange(1, n + 1),
        of="node",
    )


def _path(step: ShortestPathsStep, origin: int, target: int) -> Sequence[int]:
    """Return the path of the chosen pair, as far as it is traced or is the shortest so far."""
    if step.phase in ("trace", "done"):
        return step.path
    return restore(step.successors, origin, target)


class _Matrix:
    """The matrix of distances as an image, its first row on top.

    Parameters
    ----------
    run : Run
        The run.
    """

    def __init__(self, run: Run[GraphProblem, Any]) -> None:
        self.problem, self.n = run.problem, len(run.problem.names)
        self.stride = -(-self.n // MAX_ROWS)
        self.size = -(-self.n // self.stride)
        ends = np.concatenate([run.trace.steps[i].distances.ravel() for i in (0, -1)])
        finite = ends[np.isfinite(ends)]
        self._low = float(finite.min())
        self._width = max(float(finite.max()) - self._low, 1.0)
        self._pairs = self._pair_numbers()
        i, j = run.model.origin - 1, run.model.target - 1
        place = np.array([j, self.n - 1.0 - i])
        self.entry = line_through(SQUARE + place, panel="matrix", width=2.5, of="")

    @property
    def panel(self) -> Panel:
        """The panel of the matrix."""
        names = [shortened(name, 8) for name in self.problem.names]
        across, down = Axis("", -0.5, self.n - 0.5), Axis("", -0.5, self.n - 0.5)
        if self.n <= MAX_ROWS:
            across = Axis("to", -0.5, self.n - 0.5, ticks=names)
            down = Axis("from", -0.5, self.n - 0.5, ticks=names[::-1])
        return Panel("matrix", across, down, title="Distances", equal=True)

    def _pair_numbers(self) -> NDArray[np.intp]:
        """Return the number of the pair of each pixel; without directions of both entries."""
        numbers = np.arange(1, self.n**2 + 1).reshape(self.n, self.n)
        if not self.problem.directed:
            numbers = np.minimum(numbers, numbers.T)
        return numbers[:: self.stride, :: self.stride].ravel()

    def image(self, distances: Floats) -> Raster:
        """Return the distances, the longer the darker."""
        right, low = self.size * self.stride - 0.5, self.n - 0.5 - self.size * self.stride
        return Raster(
            panel="matrix",
            pixels=self._shades(distances[:: self.stride, :: self.stride].ravel()),
            width=self.size,
            height=self.size,
            extent=(-0.5, right, low, self.n - 0.5),
            ramp=True,
            opacity=0.55,
            crisp=True,
            numbers=self._pairs,
            of="pair",
        )

    def _shades(self, distances: Floats) -> Bytes:
        is_finite = np.isfinite(distances)
        share = (np.where(is_finite, distances, self._low) - self._low) / self._width
        return np.where(is_finite, LIGHTEST + (255 - LIGHTEST) * share, 0).astype(np.uint8)

    def cross(self, node: int | None) -> tuple[Line, Line]:
        """Return outlines of the row and the column of the node that may be passed."""
        row = column = NOWHERE
        if node is not None:
            middle = (self.n - 1) / 2
            row = np.array([middle, self.n - 1 - node]) + SQUARE * np.array([self.n, 1])
            column = np.array([node, middle]) + SQUARE * np.array([1, self.n])
        return (
            line_through(row, panel="matrix", color=2, of=""),
            line_through(column, panel="matrix", color=2, of=""),
        )


class _Distances:
    """The distances in the cells of a small matrix, each as long as it is the shortest.

    Parameters
    ----------
    steps : sequence of ShortestPathsStep
        The steps that have a frame.
    """

    def __init__(self, steps: Sequence[ShortestPathsStep]) -> None:
        n = len(steps[0].distances)
        self._texts: Texts | None = None
        if n > MAX_NUMBERS:
            return
        stack = np.array([step.distances for step in steps])
        is_new = np.isfinite(stack)
        is_new[1:] &= stack[1:] != stack[:-1]
        i, j, self._first = np.nonzero(is_new.transpose(1, 2, 0))
        is_same = np.append((i[1:] == i[:-1]) & (j[1:] == j[:-1]), False)
        self._last = np.where(is_same, np.roll(self._first, -1) - 1, len(steps) - 1)
        text = [num4(value) for value in stack[self._first, i, j]]
        self._texts = Texts(panel="matrix", x=j.astype(float), y=n - 1.0 - i, text=text)

    def marks(self, index: int) -> list[Mark]:
        """Return the distances at a step."""
        if self._texts is None:
            return []
        return [visible_where((self._first <= index) & (index <= self._last), self._texts)]
