"""Many graphs in words and numbers: each cell of the kernel matrix, and each vote."""

from __future__ import annotations

import numpy as np

from dmlib.pictures.ledger import Blocks, Formula, abridged, short_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, num4, short
from dmlib.problem import GraphProblem
from dmlib.similarity.graphs_similarity.graph_classifier import (
    GraphClassifierStep,
    GraphKernelClassifier,
    graph_classes,
)
from dmlib.similarity.graphs_similarity.graphs import graph_list, node_labels
from dmlib.similarity.graphs_similarity.walks import round_names

MAX_TERMS, MAX_NEAREST = 6, 8


class GraphSet:
    """The graphs that one graph holds, and where each of them is drawn.

    Parameters
    ----------
    problem : GraphProblem
        The graph.
    """

    def __init__(self, problem: GraphProblem) -> None:
        self.problem = problem
        graphs, self.names = graph_list(problem.graph)
        self.classes, self.codes = graph_classes(problem.graph)
        number = {node: k for k, graph in enumerate(graphs) for node in graph}
        self.graph_of = np.array([number[node] for node in problem.graph], np.intp)
        self.atoms, codes = np.unique(node_labels(problem.graph, "class"), return_inverse=True)
        self.symbols = codes.astype(np.uint8)
        places = [problem.positions[self.graph_of == k] for k in range(len(graphs))]
        self.centers = np.array([place.mean(axis=0) for place in places])
        self.captions = np.array(
            [
                (np.mean([place[:, 0].min(), place[:, 0].max()]), place[:, 1].min())
                for place in places
            ]
        )

    def name(self, graph: int) -> str:
        """Return the name of a graph with its class."""
        return f"graph {self.names[graph]} ({self.classes[self.codes[graph]]})"


class Narrator:
    """Captions and ledgers of the classification of graphs.

    Parameters
    ----------
    run : Run
        The run.
    graphs : GraphSet
        Its graphs.
    """

    def __init__(self, run: Run[GraphProblem, GraphKernelClassifier], graphs: GraphSet) -> None:
        self.model, self.graphs = run.model, graphs
        cells = [step for step in run.trace.steps if step.phase == "kernel"]
        self.sizes = {step.pair[0]: sum(step.terms) for step in cells if len(set(step.pair)) == 1}

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: GraphClassifierStep = moment.step
        phases = {"kernel": self._cell, "predict": self._vote, "done": self._done}
        return phases[step.phase](step)

    def _cell(self, step: GraphClassifierStep) -> tuple[str, Blocks]:
        i, j = step.pair or (0, 0)
        n = len(self.graphs.names)
        total, value = sum(step.terms), float(step.matrix[i, j])
        first, second = self.graphs.names[i], self.graphs.names[j]
        kernel = "normalised kernel" if self.model.normalize else "kernel"
        pair = f"graphs {first} and {second}" if i != j else f"graph {first} with itself"
        added = abridged([num4(term) for term in step.terms], MAX_TERMS)
        blocks: Blocks = [Formula(f"k({first}, {second}) = {added} = {num(total)}")]
        if self.model.normalize:
            sizes = f"√({num4(self.sizes[j])} · {num4(self.sizes.get(i, total))})"
            blocks.append(Formula(f"normalised: {num(total)} / {sizes} = {num4(value)}"))
        names = round_names(self.model, len(step.terms))
        rows = [(name, short(term)) for name, term in zip(names, step.terms, strict=True)]
        blocks.append(short_table(("round", "adds"), rows, "Rounds"))
        cells = f"Cell {step.n_cells} of {n * (n + 1) // 2}"
        return f"{cells}: the {kernel} of {pair} is {num4(value)}.", blocks

    def _vote(self, step: GraphClassifierStep) -> tuple[str, Blocks]:
        assert step.graph is not None
        assert step.squares is not None
        graphs, i = self.graphs, step.graph
        predicted = str(graphs.classes[step.predicted[i]])
        votes = int((graphs.codes[list(step.neighbors)] == step.predicted[i]).sum())
        k = len(step.neighbors)
        verdict = "right" if step.predicted[i] == graphs.codes[i] else "wrong"
        name = graphs.name(i)
        result = f"{votes} of its {count(k, 'neighbour', 'neighbours')} vote {predicted}"
        caption = f"{name[0].upper()}{name[1:]}, left out: {result}, which is {verdict}."
        others = [j for j in np.argsort(step.squares, kind="stable").tolist() if j != i]
        order = [*step.neighbors, *(j for j in others if j not in step.neighbors)]
        rows = [
            (
                graphs.names[j],
                str(graphs.classes[graphs.codes[j]]),
                short(step.matrix[i, j]),
                short(step.squares[j]),
            )
            for j in order[:MAX_NEAREST]
        ]
        nearest, K = order[0], step.matrix
        own = f"{num(K[i, i])} + {num(K[nearest, nearest])} − 2 · {num(K[i, nearest])}"
        pair = f"{graphs.names[i]}, {graphs.names[nearest]}"
        head = ("graph", "class", "k", "d²")
        title = f"Nearest to graph {graphs.names[i]}"
        return caption, [
            Formula(f"d²({pair}) = {own} = {num4(step.squares[nearest])}"),
            short_table(head, rows, title, range(min(k, len(rows)))),
        ]

    def _done(self, step: GraphClassifierStep) -> tuple[str, Blocks]:
        graphs = self.graphs
        is_wrong = step.predicted != graphs.codes
        n, n_wrong = len(is_wrong), int(is_wrong.sum())
        k = len(graphs.classes)
        counts = np.bincount(k * graphs.codes + step.predicted, minlength=k * k).reshape(k, k)
        rows = [
            (str(name), *row) for name, row in zip(graphs.classes, counts.tolist(), strict=True)
        ]
        head = ("class", *(f"predicted {name}" for name in graphs.classes))
        wrong = [graphs.names[i] for i in np.flatnonzero(is_wrong)]
        blocks: Blocks = [
            Formula(f"leave-one-out error: {n_wrong} / {n} = {num4(n_wrong / n)}"),
            short_table(head, rows, "Each left out once"),
        ]
        if wrong:
            blocks.append(Formula(f"misclassified: {', '.join(wrong)}"))
        caption = f"Done. {n_wrong} of {n} graphs are misclassified by their nearest neighbours."
        return caption, blocks
