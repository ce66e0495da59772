"""A graph kernel as a picture: two labelled graphs, counts, and contributions of the rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.pictures.data.graph import MAX_NAMES, NODE, bond_notes, edge_lines, graph_panel
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Rects, Segments, Texts
from dmlib.pictures.places import points_at, segments_between, visible_if
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, Plot, story
from dmlib.problem import GraphProblem
from dmlib.problem.texts import shortened
from dmlib.similarity.graphs_similarity.counts_scene import counts_plot
from dmlib.similarity.graphs_similarity.graph_kernel import GraphKernelStep
from dmlib.similarity.graphs_similarity.graphs import two_graphs
from dmlib.similarity.graphs_similarity.kernel_ledger import Narrator
from dmlib.similarity.graphs_similarity.nodes_scene import node_links, node_size
from dmlib.similarity.graphs_similarity.rounds_ledger import MAX_BARS, KernelCounts
from dmlib.similarity.graphs_similarity.shortest_paths import floyd_warshall
from dmlib.similarity.graphs_similarity.walks import round_names

MARGIN = 0.28  # share of the extent around both graphs: labels stand above their nodes
MAX_PAIRS = 400  # pairs of nodes at one distance that are drawn
LEGEND = (Key("first graph", NO_CLASS, 0), Key("second graph", NO_CLASS, 1))


def kernel_scene(run: Run[GraphProblem, Any]) -> Scene:
    """Draw a run of :class:`dmlib.similarity.GraphKernel`.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.problem import prepare_graph
    >>> from dmlib.similarity import GraphKernel
    >>> problem = prepare_graph(nx.Graph([(0, 1), (2, 3)]))
    >>> kernel_scene(Run.of(problem, GraphKernel(n_iter=1))).frames[-1].caption[:43]
    'Done. The kernel of the two graphs is 8: ea'
    """
    counts = KernelCounts(run)
    narrator = Narrator(run, counts.parts)
    graphs, bars = _Graphs(counts), counts_plot(counts)
    steps = run.trace.steps
    terms = _terms_plot(steps[-1].terms, round_names(run.model, len(counts.rounds)))

    def draw(moment: Moment) -> Drawing:
        step: GraphKernelStep = moment.step
        marks = (*graphs.marks(counts.at(step)), *bars.marks(moment), *terms.marks(moment))
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    legend: tuple[Key, ...] = LEGEND
    if counts.is_excluded.any():
        legend = (*LEGEND, Key("not compared", NO_CLASS, 0, hollow=True))
    return story(
        run,
        draw,
        panels=(graph_panel(run.problem, MARGIN), bars.panel, terms.panel),
        legend=legend,
        notes=_notes(counts),
        max_frames=len(steps),
    )


def _notes(counts: KernelCounts) -> list[str]:
    notes = [counts.note, *bond_notes(counts.problem)]
    n_counts = max(map(len, counts.names))
    if n_counts > MAX_BARS:
        notes.append(f"At most {MAX_BARS} of {n_counts} counts are drawn.")
    if any((colors[~counts.is_excluded] == NO_CLASS).any() for colors in counts.node_colors):
        notes.append("Labels that occur once are grey.")
    if counts.has_one_class:
        notes.append("All nodes have the same class.")
    return notes


class _Graphs:
    """Both graphs in a round: edges within them, pairs that are counted, nodes and their labels.

    Parameters
    ----------
    counts : KernelCounts
        The rounds.
    """

    def __init__(self, counts: KernelCounts) -> None:
        self.counts, self.problem = counts, counts.problem
        self.is_small = len(self.problem.names) <= MAX_NAMES
        start, end, edge = edge_lines(self.problem)
        self._lines = start, end
        first, second = counts.sides[self.problem.edges[edge]].T
        is_within = (first == second) & (first >= 0)
        self._edges = self._edges_where(is_within, 2.0), self._edges_where(~is_within, 0.75)
        self._pairs = self._pairs_by_distance() if counts.kernel == "shortest-path" else None
        self._texts = self._label_texts()

    def marks(self, k: int) -> list[Mark]:
        """Return the graphs in a round."""
        texts = self._texts
        if self.counts.relabels:
            texts = [visible_if(i == k, text) for i, text in enumerate(texts)]
        return [*self._edges, *self._counted_pairs(k), self._nodes(k), *texts]

    def _edges_where(self, mask: NDArray[np.bool_], width: float) -> Segments:
        start, end = self._lines
        return segments_between(start[mask], end[mask], width=width, arrow=self.problem.directed)

    def _nodes(self, k: int) -> Points:
        counts = self.counts
        about = {"numbers": counts.node_numbers[k], "of": "count"} if counts.relabels else {}
        return points_at(
            self.problem.positions,
            color=counts.node_colors[k],
            symbol=np.where(counts.sides == 1, 1, 0).astype(np.uint8),
            hollow=counts.is_excluded.astype(np.uint8),
            size=[node_size(self.problem) + 2 * self.is_small],
            labels=self.problem.labels,
            data=True,
            **about,
        )

    def _label_texts(self) -> list[Texts]:
        """Return the labels of the nodes of each round; without relabelling, their names."""
        if not self.is_small:
            return []
        if not self.counts.relabels:
            return [self._node_texts([shortened(name, 12) for name in self.problem.names])]
        rounds = [labels.tolist() for labels in self.counts.node_labels]
        return [self._node_texts([str(label or "") for label in labels]) for labels in rounds]

    def _node_texts(self, texts: list[str]) -> Texts:
        x, y = self.problem.positions.T
        return Texts(x=x, y=y, text=texts, dy=-NODE - 7, halo=True)

    def _counted_pairs(self, k: int) -> list[Segments]:
        """Return lines between the pairs at the distance of a round of the shortest-path kernel."""
        if self._pairs is None:
            return []
        pairs = self._pairs.get(self.counts.rounds[k].title, np.empty((0, 2), np.intp))
        return [node_links(self.problem, pairs[:MAX_PAIRS], color=[2], width=3.0, of="")]

    def _pairs_by_distance(self) -> dict[str, NDArray[np.intp]]:
        """Return the pairs of nodes of either graph by the title of the round that counts them."""
        pairs: dict[str, list[NDArray[np.intp]]] = {}
        for part, graph in zip(self.counts.parts, two_graphs(self.problem.graph), strict=True):
            distances = floyd_warshall(graph, weighted=False)[0]
            distances = np.triu(np.nan_to_num(distances, posinf=0.0), 1)
            for length in np.unique(distances[distances > 0]):
                ends = part[np.argwhere(distances == length)]
                pairs.setdefault(f"Distance {length:g}", []).append(ends)
        return {title: np.concatenate(parts) for title, parts in pairs.items()}


def _terms_plot(last_terms: Sequence[float], rounds: Sequence[int | str]) -> Plot:
    """Return a bar for each round so far."""
    across = Axis("round", -0.6, len(rounds) - 0.4, ticks=[str(name) for name in rounds])
    up = Axis("contribution", 0.0, 1.1 * max(1.0, *last_terms))
    panel = Panel("terms", across, up, side=True, title="Contribution of each round")

    def bars(step: GraphKernelStep) -> Rects:
        middle = np.arange(len(step.terms), dtype=float)
        return Rects(
            panel="terms",
            x0=middle - 0.35,
            x1=middle + 0.35,
            y0=np.zeros(len(middle)),
            y1=np.array(step.terms),
            color=[2],
            opacity=[0.9],
            numbers=middle + 1,
            of="round",
        )

    return Plot(panel, lambda moment: [bars(moment.step)])
