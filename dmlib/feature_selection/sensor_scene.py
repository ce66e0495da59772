"""Sensor placement as a picture: the graph, what each sensor covers, and the best of each size."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dmlib.feature_selection.coverage import CoverageStep, best_coverage, coverage_bound
from dmlib.feature_selection.coverage_scene import CHOSEN, COVERED, gains_table, stars
from dmlib.feature_selection.sensor_placement import SensorPlacement
from dmlib.pictures.data.graph import MAX_NAMES, NODE, SMALL_NODE, graph_names, graph_panel
from dmlib.pictures.ledger import Blocks, Formula, abridged
from dmlib.pictures.marks import NO_CLASS, Mark, Points
from dmlib.pictures.places import line_through, points_at, segments_between
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, story
from dmlib.pictures.words import count, num4, percent
from dmlib.problem import GraphProblem

NEW = 2  # colour
MAX_TERMS = 4  # gains in a sum
SHARE = 1 - 1 / np.e  # of the best, that greedy choices reach
KEYS = (
    Key("sensor", CHOSEN, 0),
    Key("newly covered", NEW, 0),
    Key("covered before", COVERED, 0),
    Key("not covered", NO_CLASS, 0),
)


def sensor_scene(run: Run[GraphProblem, SensorPlacement]) -> Scene:
    """Draw the sensors on the graph, and how much they cover beside the best of each number."""
    problem, steps = run.problem, run.trace.steps
    joined = run.model.neighbourhoods(problem.graph)
    curve = CoverageCurve(run, joined)
    words = Words(problem, joined, steps, curve, lazy=run.model.lazy)
    ends = problem.positions[problem.edges]
    edges = segments_between(ends[:, 0], ends[:, 1], width=0.75, of="")
    names = graph_names(problem, dy=-NODE - 9)

    def draw(moment: Moment) -> Drawing:
        step: CoverageStep = moment.step
        marks = (
            edges,
            stars(problem.positions, joined, step),
            _evaluated(problem, step),
            _nodes(problem, step, moment.before),
            *names,
            *curve.marks(step),
        )
        return Drawing(marks, words.caption(step), words.ledger(step), step.phase)

    notes = ("The directions of the edges do not count.",) if problem.directed else ()
    panels = (graph_panel(problem), curve.panel)
    return story(run, draw, panels=panels, legend=KEYS, notes=notes)


def _nodes(problem: GraphProblem, step: CoverageStep, before: CoverageStep) -> Points:
    is_small = len(problem.names) > MAX_NAMES
    colors = np.where(step.covered, COVERED, NO_CLASS)
    if step.phase == "choose":
        colors[step.covered & ~before.covered] = NEW
    size = SMALL_NODE if is_small else NODE
    return points_at(
        problem.positions,
        color=np.where(step.support, CHOSEN, colors).astype(np.uint8),
        symbol=[0],
        size=np.where(step.support, 1.6 * size, size),
        labels=problem.labels,
        numbers=problem.rows + 1,
        of="node",
    )


def _evaluated(problem: GraphProblem, step: CoverageStep) -> Points:
    """Return a ring around the node whose gain is computed again."""
    nodes = [] if step.evaluated is None else [step.evaluated]
    places, color = problem.positions[nodes], [NO_CLASS] * len(nodes)
    return points_at(places, color=color, symbol=[0], hollow=[1], size=[14.0], of="")


class CoverageCurve:
    """How many nodes are covered by each number of sensors, beside the best and its bound.

    Parameters
    ----------
    run : Run
        The run.
    joined : ndarray of bool of shape (n_nodes, n_nodes)
        Which node covers which.
    """

    def __init__(self, run: Run[GraphProblem, SensorPlacement], joined: NDArray[np.bool_]) -> None:
        steps, n = run.trace.steps, len(joined)
        sizes = range(len(steps[-1].chosen) + 1)
        self.reached = [step.n_covered for step in steps if step.phase in ("graph", "choose")]
        best: dict[int, int | None] = {0: 0}
        for k in sizes[1:]:
            is_all = n in (best[k - 1], self.reached[k])
            best[k] = n if is_all else run.once(f"best {k}", partial(best_coverage, joined, k))
        self.best = best
        self.bound = [0, *(coverage_bound(steps, k) for k in sizes[1:])]
        x = Axis("sensors", -0.3, max(sizes[-1], 1) + 0.3, integer=True)
        y = Axis("nodes", 0.0, 1.08 * n)
        limit = "best or bound" if None in best.values() else "best"
        self.panel = Panel("covered", x, y, f"Greedy, {limit}, 63 % of it", side=True)

    def limit(self, k: int) -> int:
        """Return the best of some number of sensors or, where it is not known, its bound."""
        known = self.best[k]
        return self.bound[k] if known is None else known

    def marks(self, step: CoverageStep) -> tuple[Mark, ...]:
        """Return what is covered up to a step, and the lines that it lies between."""
        limits = np.array([(k, self.limit(k)) for k in self.best], float)
        places = list(enumerate(self.reached))[: len(step.chosen) + 1]
        share = limits * (1.0, SHARE)
        dots = points_at(places, panel="covered", color=[CHOSEN], symbol=[0], size=[5.0], of="")
        return (
            line_through(limits, panel="covered", color="ink", width=1.5),
            line_through(share, panel="covered", color="muted", width=1.5, dash=True),
            line_through(places, panel="covered", color="accent"),
            dots,
        )


def spoken_names(problem: GraphProblem) -> list[str]:
    """Return what the nodes are called in a sentence: a number is told as one.

    Examples
    --------
    >>> import networkx as nx
    >>> from dmlib.problem import prepare_graph
    >>> spoken_names(prepare_graph(nx.Graph([(0, "Valjean")])))
    ['node 0', 'Valjean']
    """
    return [f"node {name}" if name.isdigit() else name for name in problem.names]


class Words:
    """Captions and ledgers of sensor placement.

    Parameters
    ----------
    problem : GraphProblem
        The graph.
    joined : ndarray of bool of shape (n_nodes, n_nodes)
        Which node covers which.
    steps : sequence of CoverageStep
        The run.
    curve : CoverageCurve
        The best of each number of sensors.
    lazy : bool
        Whether gains are bounds until they are computed again.
    """

    def __init__(
        self,
        problem: GraphProblem,
        joined: NDArray[np.bool_],
        steps: Sequence[CoverageStep],
        curve: CoverageCurve,
        *,
        lazy: bool,
    ) -> None:
        self.joined, self.steps, self.curve, self.lazy = joined, steps, curve, lazy
        self.names, self.n = spoken_names(problem), len(joined)

    def caption(self, step: CoverageStep) -> str:
        """Return the caption of a step."""
        n = step.n_covered
        if step.phase == "graph":
            most = int(step.gains.argmax())
            return (
                f"A sensor covers its node and the neighbours: one on {self.names[most]} would"
                f" cover most, {step.gains[most]} of {self.n} nodes."
            )
        if step.evaluated is not None:
            j = step.evaluated
            return f"The gain of {self.names[j]} is computed again: it adds {step.gains[j]} now."
        if step.phase == "choose":
            j = step.chosen[-1]
            return f"A sensor on {self.names[j]} adds {step.gains[j]} nodes: {n} of {self.n}."
        sensors = count(len(step.chosen), "sensor covers", "sensors cover")
        return f"Done: {sensors} {n} of {self.n} nodes. {step.reason}"

    def ledger(self, step: CoverageStep) -> Blocks:
        """Return the arithmetic of the step, and the gains of the nodes."""
        focus = step.chosen[-1] if step.phase == "choose" else step.evaluated
        lines = [
            f"covered: q(S) = {step.n_covered} / {self.n} = {percent(step.n_covered / self.n)}"
        ]
        if focus is not None:
            lines = [self._gain(step, focus), *self._less_than_before(step), *lines]
        if step.phase == "done":
            lines += self._guarantee(step)
        lines.append(self._evaluations(step))
        table = gains_table(self.names, step, self.joined, "node", lazy=self.lazy)
        return [*map(Formula, lines), table]

    def _gain(self, step: CoverageStep, node: int) -> str:
        size, gain = int(self.joined[node].sum()), int(step.gains[node])
        return (
            f"|N({self.names[node]})| = {size}, of which {size - gain} were covered:"
            f" {size} − {size - gain} = {gain}"
        )

    def _less_than_before(self, step: CoverageStep) -> list[str]:
        """Return the node whose gain has fallen most since the beginning: q is submodular."""
        earlier = step.chosen[:-1] if step.phase == "choose" else step.chosen
        covered = self.joined[list(earlier)].any(axis=0)
        gains = (self.joined & ~covered).sum(axis=1)  # the lazy search does not know all
        fallen = np.where(step.support, -1, self.steps[0].gains - gains)
        node = int(fallen.argmax())
        if fallen[node] <= 0:
            return []
        first, now = int(self.steps[0].gains[node]), int(gains[node])
        return [f"submodular: {self.names[node]} added {first} to ∅, and adds {now} now"]

    def _guarantee(self, step: CoverageStep) -> list[str]:
        """Return the best of as many sensors, or a bound of it, beside the greedy choice."""
        k, n = len(step.chosen), step.n_covered
        if not k:
            return []
        limit, share = self.curve.limit(k), percent(n / self.curve.limit(k))
        best = f"best of {k} = {limit}: greedy reaches {share}"
        if self.curve.best[k] is None:
            bound = f"q(S) + the {k} largest gains"
            best = f"best of {k} ≤ {limit} ({bound}): greedy reaches at least {share}"
        return [best, f"(1 − 1/e) · {limit} = {num4(SHARE * limit)} ≤ {n}"]

    def _evaluations(self, step: CoverageStep) -> str:
        """Return how many gains were computed, and how many all would be."""
        k = len(step.chosen) + (step.phase == "evaluate")
        counts = [self.n - i for i in range(max(k, 1))]
        terms = f"{abridged([str(n) for n in counts], MAX_TERMS)} = " if k > 1 else ""
        return f"gains computed: {step.n_evaluated}; all are {terms}{sum(counts)}"
