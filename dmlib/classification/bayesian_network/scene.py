"""Bayesian networks as a picture: the graph of a classifier grows, then it classifies a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.bayesian_network.algorithm import BayesianNetworkClassifier
from dmlib.classification.bayesian_network.bayesian_network_step import (
    BayesianNetworkStep,
    InferenceStep,
)
from dmlib.classification.bayesian_network.classifier_ledger import Narrator
from dmlib.classification.bayesian_network.exact_inference import ExactInference
from dmlib.classification.bayesian_network.inference_scene import inference_scene
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
NO_PAIRS: Sequence[Any] = ()
TOP = np.array([[0.0, 1.7]])  # the place of the class


def bayesian_network_scene(run: Run[Any, Any]) -> Scene:
    """Draw how a network learns and classifies, or how a given one is asked.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": list("xxyy"), "b": list("uvuv"), "c": list("pqqp")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> scene = bayesian_network_scene(Run.of(problem, BayesianNetworkClassifier()))
    >>> [frame.phase for frame in scene.frames][:6]
    ['prior', 'measure', 'connect', 'direct', 'count', 'count']
    """
    return (inference_scene if isinstance(run.model, ExactInference) else _classifier_scene)(run)


def _classifier_scene(run: Run[Problem, BayesianNetworkClassifier]) -> Scene:
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
        features, target = problem.features, problem.target or "class"
        self.places = circle(len(features))
        self.parents = learning[-1].parents
        measured = [step for step in learning if step.phase == "measure"]
        drawn = measured if len(features) <= MAX_NAMES else []
        bits = np.array([step.information for step in drawn])
        widths = WIDEST * np.sqrt(bits / max(bits.max(initial=0.0), 1e-12))
        starts, ends = self._ends([step.pair for step in drawn])
        self.candidates = segments_between(starts, ends, panel=PANEL, size=np.maximum(widths, 0.3))
        self.nodes = network_nodes(self.places, features, of="column")
        values = {step.attribute: step.value for step in inference}
        is_unknown = [values.get(j) is None for j in range(len(features))]
        self.is_unknown = np.array(is_unknown, np.uint8)
        texts = [f"= {values.get(j) or 'unknown'}" for j in range(len(features))]
        self.values = node_names(self.places, texts, BELOW + 14)
        self.class_arrows = arrows(TOP, self.places, width=FAINT)
        self.names = (
            network_nodes(TOP, [target], size=[NODE + 4], of="", numbers=None),
            node_names(self.places, features),
            node_names(TOP, [target], BELOW + 4),
        )

    def marks(self, step: BayesianNetworkStep | InferenceStep, index: int) -> list[Mark]:
        """Return the network at a step."""
        parents, edges, pairs, focus = self.parents, NO_PAIRS, NO_PAIRS, step.attribute
        if isinstance(step, BayesianNetworkStep):
            parents, pairs = step.parents, [step.pair] if step.pair else NO_PAIRS
            edges = NO_PAIRS if parents else step.edges  # they become arrows
        is_inference = isinstance(step, InferenceStep)
        n_drawn = len(np.asarray(self.candidates.x0))
        is_visible = (np.arange(n_drawn) < index) & (not parents)
        arrow_ends = self._ends([(j, i) for i, j in enumerate(parents) if j >= 0])
        starts, ends = self._ends(edges)
        line = np.concatenate(self._ends(pairs))
        return [
            self.class_arrows,
            visible_where(is_visible, self.candidates),
            segments_between(starts, ends, panel=PANEL, width=WIDEST, color=[0] * len(edges)),
            arrows(*arrow_ends, width=2.5),
            line_through(line, panel=PANEL, color="accent", dash=True, width=2.5),
            replace(self.nodes, hollow=self.is_unknown * is_inference),
            *self.names,
            node_ring(NOWHERE if focus is None else self.places[[focus]]),
            visible_where(np.full(len(self.values.text), is_inference), self.values),
        ]

    def _ends(self, pairs: Sequence[Any]) -> tuple[Floats, Floats]:
        """Return the places of the first and of the second column of each pair."""
        first, second = np.array(pairs, np.intp).reshape(-1, 2).T
        return self.places[first], self.places[second]
