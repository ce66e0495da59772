"""A graph kernel as a picture: labels of the nodes of two graphs, what is counted, and what each round adds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.pictures.data.graph import MOST_NAMES, NODE, edge_ends, graph_panel
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Points, Rects, Segments, Texts
from dmlib.pictures.motion import when
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.problem.texts import shortened
from dmlib.similarity.graphs_similarity.features import Round
from dmlib.similarity.graphs_similarity.graph_kernel import GraphKernelStep
from dmlib.similarity.graphs_similarity.graphs import two_graphs, two_parts
from dmlib.similarity.graphs_similarity.kernel_ledger import KernelTeller, ordered
from dmlib.similarity.graphs_similarity.nodes_scene import bars, node_links, node_size
from dmlib.similarity.graphs_similarity.shortest_paths import floyd_warshall

MOST_BARS = 12  # features whose counts are drawn
NAME = 20  # characters of one
MOST_PAIRS = 400  # pairs of nodes at one distance that are drawn
LEGEND = (Key("first graph", NO_CLASS, 0), Key("second graph", NO_CLASS, 1))


def kernel_scene(run: Run) -> Scene:
    """Draw a run of :class:`dmlib.similarity.GraphKernel`.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.problem import prepare_graph
    >>> from dmlib.similarity import GraphKernel
    >>> scene = kernel_scene(Run.of(prepare_graph(nx.Graph([(0, 1), (2, 3)])), GraphKernel(n_iter=1)))
    >>> scene.frames[-1].caption
    'Done. The kernel of the two graphs is 8: each round counts the same in both; they are isomorphic.'
    """
    picture = _Picture(run)
    teller = KernelTeller(run, picture.parts[:2])
    frames = Deferred(teller.frame, picture.steps)
    legend = (*LEGEND, *([Key("not compared", NO_CLASS, 0, hollow=True)] if picture.left.any() else []))
    notes = (*run.problem.notes, picture.parts[2], *picture.notes)
    marks = [*picture.graphs(), *picture.bars(), *picture.terms()]
    return Scene(picture.panels, marks, frames, notes, legend=legend)


def _ranks(round_: Round) -> dict[int, int]:
    """Return the colours of the labels that occur more than once, the most frequent first."""
    times = Counter(label for own in round_.labels for label in own)
    several = sorted((label for label in times if times[label] > 1), key=lambda label: (-times[label], label))
    return {label: i % NO_CLASS for i, label in enumerate(several)}


class _Picture:
    """The marks of one run."""

    def __init__(self, run: Run) -> None:
        self.problem, self.model = run.problem, run.model
        self.steps: Sequence[GraphKernelStep] = run.trace.steps
        self.parts = two_parts(run.problem.graph)
        self.n = len(run.problem.names)
        self.left = np.ones(self.n, bool)
        for part in self.parts[:2]:
            self.left[part] = False
        self.rounds = [step.round for step in self.steps if step.phase == "count"]
        names = self.features = [ordered(each) for each in self.rounds]
        self.counts = [each.counts for each in self.rounds]
        walks = self.model.kernel == "random-walk"
        if walks:  # a round counts the walks of one length: those before stay
            names = list(accumulate(names))
            self.counts = list(accumulate(self.counts, lambda old, new: [old[0] | new[0], old[1] | new[1]]))
        self.most = max(map(len, names))
        cut = slice(-MOST_BARS, None) if walks else slice(MOST_BARS)
        self.shown = [some[cut] for some in names]
        self.numbers = [np.arange(1, len(some) + 1)[cut] for some in names]
        self.counted = "round" if walks else "count"
        self.ranks = [_ranks(each) for each in self.rounds]
        self.at = [min(len(step.terms), len(self.rounds)) - 1 for step in self.steps]

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what is left out."""
        found = [f"At most {MOST_BARS} of {self.most} counts are drawn."] if self.most > MOST_BARS else []
        if any({label for own in each.labels for label in own} - set(ranks)
               for each, ranks in zip(self.rounds, self.ranks, strict=True)):  # fmt: skip
            found.append("Labels that occur once are grey.")
        if self.model.labels == "class" and len({label for own in self.rounds[0].labels for label in own}) == 1:
            found.append("All nodes have the same class.")
        return tuple(found)

    @property
    def panels(self) -> tuple[Panel, ...]:
        """The graphs, the counts, and what each round adds."""
        rows = max(1, *map(len, self.shown))
        counts = Panel(
            "counts",
            Axis("count", -self._room * self._top, 1.1 * self._top, integer=True),
            Axis("", -0.7, max(rows, 3) - 0.3),
            title="Walks of each with itself" if self.model.kernel == "random-walk" else "Counts: first above second",
        )
        n, top = len(self.rounds), max(1.0, *self.steps[-1].terms)
        across = Axis("round", -0.6, n - 0.4, ticks=[str(k) for k in range(n)])
        return graph_panel(self.problem), counts, Panel("terms", across, Axis("adds", 0.0, 1.1 * top), side=True,
                                                        title="Contribution of each round")  # fmt: skip

    @property
    def _room(self) -> float:
        """Return the room for names, as a share of the longest bar."""
        return 0.08 + 0.03 * max([1, *(min(len(name), NAME) for names in self.shown for name in names)])

    @property
    def _top(self) -> int:
        most: int = max([1, *(times for each in self.rounds for own in each.counts for times in own.values())])
        return most

    # --- the graphs ---------------------------------------------------------------------------------------------------

    def graphs(self) -> list[Mark]:
        """Return the edges within the two graphs, the pairs that are counted, the nodes, and their labels."""
        x, y = self.problem.positions.T
        side = np.full(self.n, -1)
        for k, part in enumerate(self.parts[:2]):
            side[part] = k
        pairs = self.problem.edges
        within = (side[pairs[:, 0]] == side[pairs[:, 1]]) & (side[pairs[:, 0]] >= 0)
        marks: list[Mark] = [self._edges(within, width=2.0), self._edges(~within, width=0.75)]
        marks += self._distances()
        labels = [self._labels(each) for each in self.rounds]
        colors = [
            np.array([ranks.get(label, NO_CLASS) for label in own.tolist()], np.uint8)
            for own, ranks in zip(labels, self.ranks, strict=True)
        ]
        size = node_size(self.problem) + 2 * (self.n <= MOST_NAMES)
        about: dict[str, Any] = {}
        if self.model.kernel == "weisfeiler-lehman":
            places = [{name: i for i, name in enumerate(names, 1)} for names in self.features]
            numbers = [
                np.array([place.get(str(label), 0) for label in own]) * ~self.left
                for own, place in zip(labels, places, strict=True)
            ]
            about = {"numbers": PerFrame([numbers[k] for k in self.at]), "of": "count"}
        nodes = Points(
            x=x,
            y=y,
            color=PerFrame([colors[k] for k in self.at]),
            symbol=np.where(side == 1, 1, 0).astype(np.uint8),
            hollow=self.left.astype(np.uint8),
            size=[size],
            labels=self.problem.labels,
            data=True,
            **about,
        )
        marks.append(nodes)
        if self.n > MOST_NAMES:
            return marks
        if self.model.kernel != "weisfeiler-lehman":
            names = [shortened(name, 12) for name in self.problem.names]
            return [*marks, Texts(x=x, y=y, text=names, dy=-NODE - 7, halo=True)]
        for k, own in enumerate(labels):
            there = [at == k for at in self.at]
            text = [str(label) if label else "" for label in own.tolist()]
            marks.append(Texts(x=when(there, x), y=when(there, y), text=text, dy=-NODE - 7, halo=True))
        return marks

    def _edges(self, some: NDArray[np.bool_], width: float) -> Segments:
        (x0, y0), (x1, y1) = (ends[some].T for ends in edge_ends(self.problem))
        return Segments(x0=x0, y0=y0, x1=x1, y1=y1, width=width, arrow=self.problem.directed)

    def _labels(self, round_: Any) -> NDArray[np.intp]:
        found = np.zeros(self.n, np.intp)
        for part, own in zip(self.parts[:2], round_.labels, strict=True):
            found[part] = own
        return found

    def _distances(self) -> list[Mark]:
        """Return, of the shortest-path kernel, lines between the pairs at the distance of the round."""
        if self.model.kernel != "shortest-path":
            return []
        pairs: dict[str, list[NDArray[np.intp]]] = {}
        for part, G in zip(self.parts[:2], two_graphs(self.problem.graph), strict=True):
            distances = np.triu(np.nan_to_num(floyd_warshall(G, weighted=False)[0], posinf=0.0), 1)
            for length in np.unique(distances[distances > 0]):
                pairs.setdefault(f"Distance {length:g}", []).append(part[np.argwhere(distances == length)])
        now = [
            np.concatenate(pairs.get(self.rounds[k].title, [np.empty((0, 2), np.intp)]))[:MOST_PAIRS] for k in self.at
        ]
        return [node_links(self.problem, now, arrow=False, color=[2], width=3.0, of="")]

    # --- counts and terms ---------------------------------------------------------------------------------------------

    def bars(self) -> list[Mark]:
        """Return the counts of the features of each round, that of the first graph above that of the second."""
        rows = max(3, *map(len, self.shown))
        marks: list[Mark] = []
        for side in (0, 1):
            ends = [
                np.array([float(counts[side][name]) for name in names])
                for counts, names in zip(self.counts, self.shown, strict=True)
            ]
            middles = [rows - 1 - np.arange(len(names)) + (0.2 if side == 0 else -0.2) for names in self.shown]
            colors = [self._colors(names, ranks) for names, ranks in zip(self.shown, self.ranks, strict=True)]
            more = {"color": PerFrame([colors[k] for k in self.at]), "opacity": [0.95 if side == 0 else 0.5]}
            more |= {"numbers": PerFrame([self.numbers[k] for k in self.at]), "of": self.counted}
            marks.append(bars("counts", [ends[k] for k in self.at], [middles[k] for k in self.at], half=0.18, **more))
        for k, names in enumerate(self.shown):
            there = [at == k for at in self.at]
            y = rows - 1.0 - np.arange(len(names))
            x = np.full(len(names), -0.02 * self._top)
            text = [shortened(name, NAME) for name in names]
            marks.append(Texts(panel="counts", x=when(there, x), y=when(there, y), text=text, anchor="end"))
        return marks

    def _colors(self, names: Sequence[str], ranks: dict[int, int]) -> NDArray[np.uint8]:
        if self.model.kernel != "weisfeiler-lehman":
            return np.full(len(names), 2, np.uint8)
        return np.array([ranks.get(int(name), NO_CLASS) for name in names], np.uint8)

    def terms(self) -> list[Mark]:
        """Return a bar for each round, from the frame on that adds it."""
        found = [np.array(step.terms) for step in self.steps]
        at = [np.arange(len(each), dtype=float) for each in found]
        return [
            Rects(
                panel="terms",
                x0=PerFrame([each - 0.35 for each in at]),
                x1=PerFrame([each + 0.35 for each in at]),
                y0=PerFrame([np.zeros(len(each)) for each in at]),
                y1=PerFrame(found),
                color=[2],
                opacity=[0.9],
                numbers=PerFrame([each + 1 for each in at]),
                of="round",
            )
        ]
