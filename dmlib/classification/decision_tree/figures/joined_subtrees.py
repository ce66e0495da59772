"""A decision tree with its equal subtrees joined: a decision graph."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from dmlib.arrays import Floats
from dmlib.classification import DecisionTreeClassifier
from dmlib.pictures.figures.style import ACCENT, MUTED, SYMBOLS, class_color, finish, plain
from dmlib.pictures.run import Run
from dmlib.pictures.words import count
from dmlib.problem import Problem
from dmlib.trees.decision_graph import DecisionGraph, decision_graph
from dmlib.trees.text import branch_texts
from dmlib.trees.tree import Tree

MAX_NODES = 60  # that are drawn
MAX_TEXTS = 16  # nodes up to which the conditions stand at the edges
LAYER = 74  # pixels from layer to layer
APART = 0.4  # of the width, between nodes of a layer if there is room
PLACE = 0.25  # of a condition on its edge, from the upper node


@dataclass(frozen=True)
class GraphNode:
    """A node of the graph, with what it joins."""

    label: str  # a column, or a class
    code: int  # of the class, as the problem has it; -1 for a test
    x: float  # between 0 and 1
    depth: int
    n_joined: int  # nodes of the tree
    weight: float  # training rows


@dataclass(frozen=True)
class JoinedSubtreesData:
    """A tree and its graph."""

    nodes: list[GraphNode]
    edges: list[tuple[int, int, str]]  # the upper node, the lower one, and the condition
    n_tree_nodes: int
    n_tree_tests: int
    n_joined: int  # subtrees with a test that are equal to another one

    @property
    def n_tests(self) -> int:
        """The nodes of the graph that test a column."""
        return sum(node.code < 0 for node in self.nodes)


def joined_subtrees_data(problem: Problem, model: DecisionTreeClassifier) -> JoinedSubtreesData:
    """Return the graph of a fitted tree.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": list("xyyx")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> data = joined_subtrees_data(problem, DecisionTreeClassifier().fit(problem.X, problem.y))
    >>> data.n_tree_nodes, len(data.nodes), data.edges[0]
    (7, 5, (0, 1, 'a <= 0.5'))
    """
    tree = model.tree_
    graph = decision_graph(tree)
    names, values = list(problem.features), problem.categories
    texts = branch_texts(tree, names, [values.get(j) for j in range(len(names))], list(problem.X.T))
    places = _places(graph, tree)
    sizes, weights = graph.sizes(), graph.weights(tree)
    nodes, edges = [], []
    for number, node in enumerate(graph.representatives.tolist()):
        split = tree.splits.split(node)
        code = -1 if split else int(model.classes_[tree.predictions[node]])
        label = names[split.column] if split else problem.classes[code]
        counts = int(sizes[number]), float(weights[number])
        depth = int(graph.depths[number])
        nodes.append(GraphNode(label, code, float(places[number]), depth, *counts))
        below = zip(graph.children[number], texts[node], strict=True)
        edges += [(number, child, text) for child, text in below]
    n_tests = int((~tree.is_leaf).sum())
    return JoinedSubtreesData(nodes, edges, tree.node_count, n_tests, n_tests - graph.n_tests)


def _places(graph: DecisionGraph, tree: Tree) -> Floats:
    """Return where each node stands: at the mean place of what it joins, but apart in its layer."""
    centres = np.cumsum(tree.is_leaf) - 0.5  # of leaves, in preorder
    for node in reversed(range(tree.node_count)):
        below = tree.children[node][tree.children[node] >= 0]
        if len(below):
            centres[node] = centres[below].mean()
    places: Floats = np.bincount(graph.nodes, centres) / graph.sizes() / tree.n_leaves
    for depth in np.unique(graph.depths):
        layer = np.flatnonzero(graph.depths == depth)
        layer = layer[np.argsort(places[layer], kind="stable")]
        ranks = np.arange(len(layer)) * min(APART, 1 / len(layer))
        shifted = np.maximum.accumulate(places[layer] - ranks) + ranks  # none left of its place
        excess = (shifted - places[layer]).mean()
        places[layer] = np.clip(shifted - excess, 0, 1)
    return places


def joined_subtrees(run: Run[Problem, DecisionTreeClassifier]) -> go.Figure:
    """Draw the tree of a run with its equal subtrees joined."""
    return plot_joined_subtrees(joined_subtrees_data(run.problem, run.fitted))


def plot_joined_subtrees(data: JoinedSubtreesData) -> go.Figure:
    """Draw the graph layer by layer."""
    figure, nodes = go.Figure(), data.nodes
    depth = max(node.depth for node in nodes)
    is_small = len(nodes) <= MAX_NODES
    if is_small:
        _draw(figure, data)
    tests = f"{count(data.n_tree_tests, 'test', 'tests')} {data.n_tests}"
    title = f"{data.n_tree_nodes} nodes become {len(nodes)}, and {tests}."
    if not data.n_joined:
        title = f"No two of its {count(data.n_tree_tests, 'subtree is', 'subtrees are')} equal."
    note = "Subtrees with the same tests and classes are one node; a number says how many it joins."
    if not is_small:
        note = f"Up to {MAX_NODES} nodes are drawn: prune the tree, or limit its depth."
    hidden = {"visible": False, "fixedrange": True}
    return finish(
        figure,
        title,
        note,
        LAYER * (depth + 1) if is_small else 20,
        xaxis={**hidden, "range": [-0.08, 1.08]},
        yaxis={**hidden, "range": [-depth - 0.5, 0.5]},
    )


def _draw(figure: go.Figure, data: JoinedSubtreesData) -> None:
    """Add edges, nodes and the conditions of a small graph."""
    nodes, has_texts = data.nodes, len(data.nodes) <= MAX_TEXTS
    places = np.array([(node.x, -node.depth) for node in nodes])
    ends = np.array([(upper, lower) for upper, lower, _ in data.edges], int).reshape(-1, 2)
    gaps = np.full((len(ends), 1, 2), np.nan)
    lines = np.concatenate([places[ends], gaps], axis=1).reshape(-1, 2)
    look = {"mode": "lines", "line": {"color": MUTED, "width": 1}, "hoverinfo": "skip"}
    figure.add_scatter(x=lines[:, 0], y=lines[:, 1], **look)
    for upper, lower, text in data.edges if has_texts else ():
        x, y = places[upper] + PLACE * (places[lower] - places[upper])
        label = plain(text.removeprefix(nodes[upper].label).replace("<=", "≤").strip())
        figure.add_annotation(x=x, y=y, text=label, showarrow=False, font={"size": 11})
    texts = [
        plain(node.label) + (f" ×{node.n_joined}" if node.n_joined > 1 else "") for node in nodes
    ]
    numbers = [
        f"{text}: {count(node.n_joined, 'node', 'nodes')} of the tree, {node.weight:.5g} rows"
        for text, node in zip(texts, nodes, strict=True)
    ]
    figure.add_scatter(
        x=places[:, 0],
        y=places[:, 1],
        mode="markers+text" if has_texts else "markers",
        text=texts,
        textposition="middle right",
        marker={
            "size": 12,
            "color": [_color(figure, node) for node in nodes],
            "symbol": [_symbol(node) for node in nodes],
        },
        hovertext=numbers,
        hoverinfo="text",
    )


def _color(figure: go.Figure, node: GraphNode) -> str:
    """Return the colour of a class, or of tests."""
    return MUTED if node.code < 0 else class_color(figure, node.code) or ACCENT


def _symbol(node: GraphNode) -> str:
    """Return the symbol of a class, or of tests."""
    return "circle" if node.code < 0 else SYMBOLS[node.code % len(SYMBOLS)]
