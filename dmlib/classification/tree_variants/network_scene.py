"""An info-fuzzy network as a drawing: layers, terminal nodes, and the target layer below them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.classification.tree_drawing_scene import HIGH, Subtree, TreeDrawing, Word
from dmlib.classification.tree_regions_scene import border_lines, leaf_boxes, upright
from dmlib.classification.tree_variants.trees_scene import PANEL
from dmlib.classification.tree_variants.variant import VariantStep, VariantTree
from dmlib.pictures.marks import Mark, Points, Segments, Texts
from dmlib.pictures.places import visible_where
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.tree_layout import fitting
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem
from dmlib.trees.splits import Split
from dmlib.trees.tests_ledger import branch_texts
from dmlib.trees.threshold_text import threshold_texts

MARGIN = 0.24  # left of the tree, for the columns of the layers
LETTERS = 13  # of a column there
TARGET = 0.55  # distance of the target layer from the lowest nodes
# where on a connection its rows are written, from the terminal node: those of each class at another
# height
FIRST_COUNT, LAST_COUNT = 0.2, 0.6
DIGITS = 4  # of a threshold
MAX_COUNTED = 14  # terminal nodes up to which connections have numbers
WIDE, THIN = 5.0, 0.8  # pixels of a connection with all rows, and of one with few
CLASS_SIZE, NAME_BELOW, NAME_ROW = 8.0, 16.0, 12.0  # pixels
NAMES_ROOM, ROW_ROOM = 0.36, 0.24  # of the panel below the target layer: on phones names are whole
NAME_LETTERS = 36  # of all names that stand in one row
WIDTH = 2.5  # of a border in the plane


class NetworkDrawing(TreeDrawing):
    """The layers of a network: a tree whose nodes have no words below them."""

    # halfway between two layers: nearer to a node a phone has no room for a value
    VALUE: ClassVar[float] = 0.5
    VALUE_DY: ClassVar[float] = 0.0

    def lines(self, node: int, room: float) -> list[tuple[float, str]]:
        """Return no lines: the layer says what is tested, and the connections what is predicted."""
        return []

    def class_of(self, node: int) -> str:
        """Return no name, since a node is connected with all its classes."""
        return ""

    @cached_property
    def values(self) -> list[Word]:
        """The value, or interval, above each child."""
        if self.is_large:
            return []
        words = []
        for node in np.flatnonzero(~self.tree.is_leaf).tolist():
            split = self.tree.splits.split(node)
            assert split is not None
            children = self.tree.children[node].tolist()
            for child, text in zip(children, self._branches(split), strict=False):
                letters = float(self.places[2][child])
                words.append(Word(child, self.VALUE_DY, fitting(text.removeprefix("= "), letters)))
        return [word for word in words if word.text]

    def _branches(self, split: Split) -> list[str]:
        """Return the values of the branches, thresholds with few digits."""
        if not split.thresholds:
            return branch_texts(split, self.problem)
        cuts = threshold_texts(split.thresholds, self.problem.X[:, split.column], DIGITS)
        texts = [*(f"≤ {cut}" for cut in cuts), f"> {cuts[-1]}"]
        return [text.replace("-", "−") for text in texts]


class Network:
    """The network of each step, in one drawing.

    Parameters
    ----------
    problem : Problem
        The data, labelled.
    model : VariantTree
        Fitted to the training samples.
    steps : sequence of VariantStep
        The steps that have a frame.
    """

    def __init__(self, problem: Problem, model: VariantTree, steps: Sequence[VariantStep]) -> None:
        self.problem, self.plane = problem, problem.plane
        self.codes = np.array([int(code) for code in model.classes_], np.uint8)
        self.tree = steps[-1].tree
        self.layers = [step.layers[0] for step in steps if step.phase == "layer"]
        self._drawing = NetworkDrawing(self.tree, problem, self.codes.tolist())
        self._target = float(self._drawing.places[1].min()) - self._drawing.bar[1] - TARGET

    @property
    def panel(self) -> Panel:
        """The panel of the drawing."""
        n_leaves = count(self.tree.n_leaves, "terminal node", "terminal nodes")
        n_more_rows = self._n_name_rows - 1
        x = Axis("", -MARGIN, 1.03 + 0.06 * n_more_rows)
        y = Axis("", self._target - NAMES_ROOM - ROW_ROOM * n_more_rows, HIGH)
        return Panel(PANEL, x, y, f"Network: {n_leaves}")

    def marks(self, step: VariantStep) -> list[Mark]:
        """Return the layers so far, and the connections of the nodes that are terminal."""
        n = step.tree.node_count
        present = np.arange(self.tree.node_count) < n
        is_leaf = np.ones(self.tree.node_count, bool)
        is_leaf[:n] = step.tree.is_leaf
        subtree = Subtree(present, self.tree.parents, is_leaf)
        split = [test.node for layer in step.layers[:1] for test in layer.tests]
        current = split if step.phase in ("layer", "stop") else []
        return [
            *self._connections(present & is_leaf),
            *self._drawing.marks(PANEL, subtree, current=current),
            *self._layer_names(int(step.tree.max_depth)),
            *self._classes,
        ]

    def borders(
        self, step: VariantStep, panel: Panel, levels: Sequence[VariantStep]
    ) -> list[Segments]:
        """Return the borders of the nodes in the plane, where its axes are columns."""
        if not upright(self.plane):
            return []
        return [border_lines(leaf_boxes(step.tree, panel, self.plane)[1], WIDTH)]

    def _layer_names(self, n_layers: int) -> list[Mark]:
        """Return the columns of the layers so far, at the left."""
        names = [fitting(self.problem.features[each.column], LETTERS) for each in self.layers]
        y = -(np.arange(len(names)) + 0.5) * self._drawing.level
        x = np.full(len(names), -MARGIN + 0.01)
        texts = Texts(panel=PANEL, x=x, y=y, text=names, anchor="start", dy=4.0, halo=True)
        return [visible_where(np.arange(len(names)) < n_layers, texts)] if names else []

    @cached_property
    def _class_places(self) -> Floats:
        """The place of each class across the panel."""
        n = len(self.codes)
        return np.asarray((np.arange(n) + 0.5) / n, float)

    @cached_property
    def _classes(self) -> list[Mark]:
        """The target layer: the classes with their names."""
        x, y = self._class_places, np.full(len(self.codes), self._target)
        points = Points(panel=PANEL, x=x, y=y, color=self.codes, size=CLASS_SIZE, of="")
        names, n_rows = self._class_names, self._n_name_rows
        room = n_rows * NAME_LETTERS // len(names)
        rows = [
            Texts(
                panel=PANEL,
                x=x[row::n_rows],
                y=y[row::n_rows],
                text=[fitting(name, max(room, 1)) for name in names[row::n_rows]],
                dy=NAME_BELOW + NAME_ROW * row,
                halo=True,
            )
            for row in range(n_rows)
        ]
        return [points, *rows]

    @property
    def _class_names(self) -> list[str]:
        return [str(self.problem.classes[int(code)]) for code in self.codes]

    @property
    def _n_name_rows(self) -> int:
        """Two rows for names that are too long for one; neighbours are then in different rows."""
        names = self._class_names
        return 2 if len(names) > 1 and max(map(len, names)) * len(names) > NAME_LETTERS else 1

    @cached_property
    def _all_connections(self) -> tuple[list[Mark], list[np.ndarray]]:
        """Return drops, connections and their rows, of all nodes; and the node of each part."""
        x, y, _ = self._drawing.places
        below = y - self._drawing.bar[1] - 0.02
        bottom = float(y.min()) - self._drawing.bar[1] - 0.02
        every = np.arange(self.tree.node_count)
        drops = Segments(x0=x, y0=below, x1=x, y1=np.full(len(x), bottom), width=1.0)
        counts = self.tree.counts
        nodes, classes = np.nonzero(counts > 0)
        rows = counts[nodes, classes]
        ends = self._class_places[classes]
        connections = Segments(
            x0=x[nodes],
            y0=np.full(len(nodes), bottom),
            x1=ends,
            y1=np.full(len(nodes), self._target),
            color=self.codes[classes],
            size=THIN + (WIDE - THIN) * rows / counts[0].sum(),
        )
        at = np.linspace(FIRST_COUNT, LAST_COUNT, len(self.codes))[classes]
        texts = Texts(
            x=x[nodes] + at * (ends - x[nodes]),
            y=bottom + at * (self._target - bottom),
            text=[num4(float(n)) for n in rows],
            dy=4.0,
            halo=True,
        )
        marks: list[Mark] = [drops, connections, texts]
        return [replace(mark, panel=PANEL) for mark in marks], [every, nodes, nodes]

    def _connections(self, is_terminal: np.ndarray) -> list[Mark]:
        marks, nodes = self._all_connections
        masks = is_terminal, is_terminal, is_terminal & (is_terminal.sum() <= MAX_COUNTED)
        return [
            visible_where(mask[parts], mark)
            for mask, parts, mark in zip(masks, nodes, marks, strict=True)
        ]
