"""The trees of the variants as drawings: the same one as it grows, or another for each shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.classification.tree_drawing_scene import Subtree, TreeDrawing, Word, tree_panel
from dmlib.classification.tree_variants.ledger import term_names
from dmlib.classification.tree_variants.linear_tree import LinearTree, condition
from dmlib.classification.tree_variants.oblivious import ObliviousTree
from dmlib.classification.tree_variants.variant import VariantStep, VariantTree
from dmlib.pictures.marks import Mark
from dmlib.pictures.words import count
from dmlib.problem import Problem
from dmlib.trees.tree import Tree

PANEL = "tree"
ARRIVALS = ("same", "grow", "revise")  # phases of trees whose shape may change altogether


class VariantDrawing(TreeDrawing):
    """A tree of one of the variants with a place for each node.

    Parameters
    ----------
    tree : LinearTree
        The tree.
    problem : Problem
        The data, which give the names.
    codes : sequence of int
        The codes of the tree's classes.
    names : sequence of str
        The names of the terms that are tested.
    terms : ndarray of shape (n_samples, n_terms)
        Their values.
    """

    def __init__(
        self,
        tree: LinearTree,
        problem: Problem,
        codes: Sequence[int],
        names: Sequence[str],
        terms: Floats,
    ) -> None:
        super().__init__(cast(Tree, tree), problem, codes)
        self.names, self.terms = names, terms

    def test(self, node: int) -> str:
        """Return the condition of a node."""
        tree = cast(LinearTree, self.tree)
        weights, threshold = tree.weights[node], float(tree.thresholds[node])
        return condition(self.names, weights, threshold, 2, self.terms)

    @cached_property
    def values(self) -> list[Word]:
        """No words: no test has names for its branches."""
        return []


class VariantTrees:
    """The tree of each step; trees of the same shape have the same places.

    Parameters
    ----------
    problem : Problem
        The data.
    model : VariantTree
        Fitted to the training samples.
    steps : sequence of VariantStep
        The steps that have a frame.
    """

    def __init__(self, problem: Problem, model: VariantTree, steps: Sequence[VariantStep]) -> None:
        self.problem, self.model = problem, model
        self.codes = [int(code) for code in model.classes_]
        self.names = term_names(problem, model)
        self.terms: Floats = np.asarray(model.terms_of(problem.data))
        n_leaves = count(steps[-1].tree.n_leaves, "leaf", "leaves")
        self.panel = tree_panel(PANEL, f"Tree: {n_leaves} (left branch: true)")
        self.is_growing = not any(step.phase in ARRIVALS for step in steps)
        last_of_shape = {self._shape(step): step.tree for step in steps}
        self._drawings = {shape: self._drawing(tree) for shape, tree in last_of_shape.items()}
        self._hidden = {
            shape: drawing.marks(PANEL, drawing.no_nodes)
            for shape, drawing in self._drawings.items()
        }

    def marks(self, step: VariantStep) -> list[Mark]:
        """Return the tree of a step; the drawings of other shapes are hidden."""
        marks = []
        for shape, drawing in self._drawings.items():
            if shape == self._shape(step):
                subtree = self._subtree(drawing, step)
                marks += drawing.marks(PANEL, subtree, current=self._nodes(step))
            else:
                marks += self._hidden[shape]
        return marks

    def _shape(self, step: VariantStep) -> int:
        """Return a key of the drawing; that of a refitted tree is of that tree alone."""
        if self.is_growing:
            return 0 if step.tree.labels is None else id(step.tree)
        return id(step.tree.weights)

    def _drawing(self, tree: LinearTree) -> VariantDrawing:
        return VariantDrawing(tree, self.problem, self.codes, self.names, self.terms)

    def _subtree(self, drawing: VariantDrawing, step: VariantStep) -> Subtree:
        """Return the nodes of a drawing that a step's tree has."""
        if not self.is_growing:
            return drawing.all_nodes
        nodes, n = np.arange(drawing.tree.node_count), step.tree.node_count
        is_leaf = np.ones(len(nodes), bool)
        is_leaf[:n] = step.tree.is_leaf
        return Subtree(nodes < n, drawing.tree.parents, is_leaf)

    def _nodes(self, step: VariantStep) -> list[int]:
        """Return the current nodes of a step; of an oblivious tree those of its level."""
        if step.node < 0:
            return []
        if not isinstance(self.model, ObliviousTree):
            return [step.node]
        depths = step.tree.depths
        level = np.flatnonzero(depths == min(step.node, int(depths.max())))
        return [int(node) for node in level]
