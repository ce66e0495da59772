"""Exact inference as a picture: evidence on the nodes of a network, and who is summed out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.bayesian_network.exact_inference import ExactInference, ExactInferenceStep
from dmlib.classification.bayesian_network.inference_ledger import Narrator
from dmlib.pictures.bars import class_panel, class_rects
from dmlib.pictures.data.network import (
    BELOW,
    arrows,
    network_nodes,
    network_panel,
    node_names,
    node_places,
    node_ring,
)
from dmlib.pictures.marks import NO_CLASS, Mark
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Scene
from dmlib.pictures.story import Drawing, Fold, Moment, data_alone, frames_by_phase, story
from dmlib.problem import NetworkProblem

PALE = 0.25  # opacity of a node that is summed out, and of one without influence
MAX_FRAMES: dict[tuple[str, ...], int] = {("enumerate",): 100}


def inference_scene(run: Run[NetworkProblem, ExactInference]) -> Scene:
    """Draw how a network answers a question.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> from dmlib.problem import prepare_network
    >>> question = prepare_network(load("sprinkler").nodes, "rain", {"wet_grass": "yes"})
    >>> scene = inference_scene(Run.of(question, ExactInference("enumeration")))
    >>> scene.frames[-1].caption
    'Divided by P(evidence) = 0.6471, P(rain | wet_grass = yes) is 0.7079 for yes, 0.2921 for no.'
    """
    if not run.trace.complete:
        return data_alone(run)
    problem, steps = run.problem, run.trace.steps
    narrator = Narrator(problem, run.fitted)
    network = _Network(problem, run.fitted.independent_)
    values = problem.by_name[problem.target].values

    def draw(moment: Moment) -> Drawing:
        step: ExactInferenceStep = moment.step
        heights = _shares(step, len(values))
        marks = [
            *network.marks(step, moment.so_far),
            class_rects("shares", range(len(values)), heights),
        ]
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    numbers, notes = frames_by_phase(steps, MAX_FRAMES)
    share_axis = Axis("share so far", 0.0, 1.05)
    bars = class_panel("shares", values, share_axis, f"P({problem.target} | evidence)")
    return story(
        run,
        draw,
        panels=(network_panel(), replace(bars, x=replace(bars.x, label=problem.target))),
        legend=(Key("observed", NO_CLASS, 0), Key("not observed", NO_CLASS, 0, hollow=True)),
        numbers=numbers,
        notes=notes,
        fold=Fold(frozenset(), lambda names, step: names | {step.variable}),
    )


def _shares(step: ExactInferenceStep, n_values: int) -> Floats:
    """Return the numbers of the target so far, divided by their sum; zeros without any."""
    weights = np.zeros(n_values) if step.weights is None else step.weights
    shares: Floats = weights / (weights.sum() or 1.0)
    return shares


class _Network:
    """The marks of the network at each step."""

    def __init__(self, problem: NetworkProblem, independent: Sequence[str]) -> None:
        self.problem, self.independent = problem, set(independent)
        self.places = node_places(problem)
        parents, children = np.array(problem.edges, np.intp).reshape(-1, 2).T
        self.edges = arrows(self.places[parents], self.places[children])
        evidence = {name: f"= {value}" for name, value in problem.evidence.items()}
        is_hidden = np.array([name not in evidence for name in problem.names], np.uint8)
        self.nodes = network_nodes(self.places, problem.labels, hollow=is_hidden)
        texts = [{problem.target: "?", **evidence}.get(name, "") for name in problem.names]
        values = node_names(self.places, texts, BELOW + 14)
        self.names = [node_names(self.places, problem.names), values]

    def marks(self, step: ExactInferenceStep, eliminated: frozenset[str]) -> list[Mark]:
        """Return the network at a step, with the nodes that have been summed out so far."""
        names = self.problem.names
        pale = eliminated | (set() if step.phase == "tables" else self.independent)
        opacity = [PALE if name in pale else 1.0 for name in names]
        involved = {name for factor in step.used for name in factor.variables} - {step.variable}
        focus = names.index(step.variable or self.problem.target)
        senders = [names.index(name) for name in names if step.variable and name in involved]
        ends = self.places[[focus] * len(senders)]
        return [
            self.edges,
            arrows(self.places[senders], ends, width=3.0, color=[0] * len(senders)),
            replace(self.nodes, opacity=opacity),
            node_ring(self.places[[focus]]),
            *self.names,
        ]
