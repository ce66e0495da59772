"""A network that classifies, as a picture: its graph grows, then a row is classified by it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.bayesian_network.algorithm import BayesianNetworkClassifier
from dmlib.classification.bayesian_network.bayesian_network_step import (
    BayesianNetworkStep,
    InferenceStep,
)
from dmlib.classification.bayesian_network.classifier_ledger import Narrator
from dmlib.classification.bayesian_network.tree import Pair
from dmlib.classification.query_scene import with_steps_of_run
from dmlib.pictures.bars import class_panel, class_rects
from dmlib.pictures.data.network import (
    BELOW,
    MAX_NAMES,
    NODE,
    PANEL,
    arrows,
    circle,
    network_nodes,
    network_panel,
    node_names,
    node_ring,
)
from dmlib.pictures.marks import NO_CLASS, Mark
from dmlib.pictures.places import NOWHERE, line_through, segments_between, visible_if, visible_where
from dmlib.pictures.regions import class_legend, class_points, held_note, query_handle, region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Scene
from dmlib.pictures.story import Drawing, Moment, data_alone, frames_by_phase, story
from dmlib.problem import Problem

MAX_FRAMES = {("measure",): 40, ("connect", "reject"): 40, ("count",): 25, ("multiply", "sum"): 40}
WIDEST = 5.0  # pixels of the pair with the most information
FAINT = 0.5  # pixels of the edges from the class
TOP = np.array([[0.0, 1.7]])  # the place of the class


def classifier_scene(run: Run[Problem, BayesianNetworkClassifier]) -> Scene:
    """Draw how the structure and the tables are learned, and how a row is then classified.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": list("xxyy"), "b": list("uvuv"), "c": list("pqqp")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> scene = classifier_scene(Run.of(problem, BayesianNetworkClassifier()))
    >>> [frame.phase for frame in scene.frames][:6]
    ['prior', 'measure', 'connect', 'direct', 'count', 'count']
    """
    if not run.trace.complete:
        return data_alone(run)
    problem, model, query = run.problem, run.fitted, run.current_query
    learning = [step for step in run.trace.steps if isinstance(step, BayesianNetworkStep)]
    inference = list(model.explain_steps(problem.table(query.x[None])))
    steps = [*learning, *inference]
    narrator = Narrator(problem, model, query, learning, inference)
    network = _Network(problem, learning, inference)
    rows = class_points(problem)
    codes = [int(code) for code in model.classes_]

    def draw(moment: Moment) -> Drawing:
        step = moment.step
        shares = step.posterior if isinstance(step, InferenceStep) else step.class_prior
        marks = (
            *network.marks(step, moment.index),
            visible_if(isinstance(step, InferenceStep), run.surface),
            rows,
            class_rects("shares", codes, shares),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    numbers, notes = frames_by_phase(steps, MAX_FRAMES)
    share_axis = Axis("probability so far", 0.0, 1.05)
    scene = story(
        run,
        draw,
        panels=(
            region_panel(problem),
            network_panel(1.6, 2.0),
            class_panel("shares", problem.classes, share_axis, "Prior, then posterior"),
        ),
        steps=steps,
        numbers=numbers,
        legend=(*class_legend(problem), Key("unknown", NO_CLASS, 0, hollow=True)),
        handles=(query_handle(query),),
        notes=(*held_note(problem), *notes),
    )
    return with_steps_of_run(scene, run, numbers)


class _Network:
    """The marks of the network at each step."""

    def __init__(
        self, problem: Problem, learning: list[BayesianNetworkStep], inference: list[InferenceStep]
    ) -> None:
        features = problem.features
        self.learning = learning
        self.places = circle(len(features))
        self.parents = learning[-1].parents
        measured = [step for step in learning if step.phase == "measure"]
        self.pairs = [step.pair for step in measured if step.pair is not None]
        bits = np.array([step.information for step in measured])
        widths = WIDEST * np.sqrt(bits / max(bits.max(initial=0.0), 1e-12))
        has_room = len(features) <= MAX_NAMES
        drawn = self.pairs if has_room else []
        ends = np.array(drawn, np.intp).reshape(-1, 2)
        self.candidates = segments_between(
            self.places[ends[:, 0]],
            self.places[ends[:, 1]],
            panel=PANEL,
            size=np.maximum(widths[: len(ends)], 0.3),
        )
        self.class_arrows = arrows(TOP, self.places, width=FAINT)
        target = problem.target or "class"
        self.nodes = network_nodes(self.places, features, of="column")
        self.names = node_names(self.places, features)
        self.class_node = network_nodes(TOP, [target], size=[NODE + 4], of="", numbers=None)
        self.target = node_names(TOP, [target], -BELOW + 4)
        by_attribute = {step.attribute: step.value for step in inference}
        values = [by_attribute.get(j) for j in range(len(features))]
        self.is_unknown = np.array([value is None for value in values], np.uint8)
        texts = ["unknown" if value is None else f"= {value}" for value in values]
        self.values = node_names(self.places, texts, BELOW + 14)

    def marks(self, step: BayesianNetworkStep | InferenceStep, index: int) -> list[Mark]:
        """Return the network at a step."""
        is_inference = isinstance(step, InferenceStep)
        parents = self.parents
        edges: tuple[Pair, ...] = ()
        pair: Pair | None = None
        if isinstance(step, BayesianNetworkStep):
            parents, edges, pair = step.parents, step.edges, step.pair
        if parents:  # edges have become arrows
            edges = ()
        looked_at = np.array(pair or (), np.intp)
        n_measured = sum(each.phase == "measure" for each in self.learning[: index + 1])
        children = np.flatnonzero(np.asarray(parents, int) >= 0)
        sources = np.asarray(parents, np.intp)[children]
        hollow = self.is_unknown if is_inference else np.zeros(len(self.places), np.uint8)
        n_drawn = len(np.asarray(self.candidates.x0))
        visible = (np.arange(n_drawn) < n_measured) & (not parents)
        candidates = visible_where(visible, self.candidates)
        starts = self.places[[first for first, _ in edges]].reshape(-1, 2)
        ends = self.places[[second for _, second in edges]].reshape(-1, 2)
        return [
            self.class_arrows,
            candidates,
            segments_between(starts, ends, panel=PANEL, width=WIDEST, color=np.zeros(len(edges))),
            arrows(self.places[sources], self.places[children], width=2.5),
            line_through(self.places[looked_at], panel=PANEL, color="accent", dash=True, width=2.5),
            replace(self.nodes, hollow=hollow),
            self.class_node,
            node_ring(self._focus(step)),
            self.names,
            self.target,
            visible_where(np.full(len(self.values.text), is_inference), self.values),
        ]

    def _focus(self, step: BayesianNetworkStep | InferenceStep) -> Floats:
        """Return the place of the node that a step is about."""
        if isinstance(step, BayesianNetworkStep):
            return self.places[[len(step.tables) - 1]] if step.tables else NOWHERE
        return NOWHERE if step.attribute is None else self.places[[step.attribute]]
