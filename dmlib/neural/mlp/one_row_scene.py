"""The forward and the backward pass of one row, with the number on every weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.mlp.algorithm import MLPClassifier
from dmlib.neural.mlp.diagram_scene import Diagram, diagram_panel, edge_marks
from dmlib.neural.mlp.network import MLPStep
from dmlib.neural.mlp.network_scene import NetworkDrawing
from dmlib.neural.mlp.one_row import RowPass, row_pass
from dmlib.neural.mlp.plane_scene import NetworkPlane
from dmlib.neural.mlp.regressor import MLPRegressor
from dmlib.neural.mlp.row_ledger import RowNarrator, Stage
from dmlib.pictures.marks import NO_CLASS, Points, Segments, Texts
from dmlib.pictures.places import points_at, visible_if
from dmlib.pictures.regions import query_handle
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Panel, Scene
from dmlib.pictures.story import Drawing, Moment, story
from dmlib.problem import Problem

FAINT = 0.35  # opacity of the maps of units, below numbers
MAX_NUMBERS = 60  # on the weights of a layer
NEAREST, FURTHEST = 0.16, 0.82  # where numbers stand on their edges
LARGEST = 2.5  # the weight of the widest edge; those that are drawn are up to 1


def one_row_scene(run: Run[Problem, MLPClassifier | MLPRegressor], epoch: int) -> Scene:
    """Draw both passes of the row that is asked about, or of the first, at an epoch."""
    problem, model, steps = run.problem, run.model, run.trace.steps
    validation_rows = steps[0].watched
    step = [step for step in steps if step.phase != "done" and step.epoch <= epoch][-1]
    plane = NetworkPlane(problem, model, validation_rows)
    network = NetworkDrawing(problem, model, step.coefs, narrow=True)
    row = _row(run, plane.panel)
    passes = _passes(run, step, row)
    name = f"Row {int(problem.training.rows[row]) + 1}"
    narrator = RowNarrator(passes, name, step, model, problem.features, network.diagram)
    numbers = StageNumbers(passes, step.rate, network.diagram)
    layers = plane.layers(step)
    background = (*plane.marks(step, layers[-1]), *network.units(plane.pixels, layers, FAINT))
    point = _point(problem, row)

    def draw(moment: Moment) -> Drawing:
        verb, _ = moment.step
        edges = _edges(network, edge_values(passes, moment.step))
        marks = (*background, edges, *numbers.marks(moment.index), point)
        phase = "start" if verb == "input" else verb
        return Drawing(marks, *narrator.caption_and_ledger(moment), phase)

    title = f"{name} through the network, weights of epoch {step.epoch}"
    return story(
        run,
        draw,
        panels=(replace(plane.panel, side=True), diagram_panel(network.diagram, title)),
        steps=stages(len(passes.coefs)),
        legend=network.legend(validation_rows),
        handles=(query_handle(run.query),),
        notes=network.notes(validation_rows),
    )


def stages(n_layers: int) -> list[Stage]:
    """Return all frames: forward layer by layer, the loss, back, and the update.

    Examples
    --------
    >>> stages(1)
    [('input', 0), ('forward', 0), ('loss', 0), ('backward', 0), ('update', 0)]
    """
    forward = [("forward", k) for k in range(n_layers)]
    backward = [("backward", k) for k in reversed(range(n_layers))]
    return [("input", 0), *forward, ("loss", n_layers - 1), *backward, ("update", 0)]


def _passes(run: Run[Problem, MLPClassifier | MLPRegressor], step: MLPStep, row: int) -> RowPass:
    """Return the passes of a training row with the weights of a step."""
    training = run.problem.training
    targets = run.model.targets(np.asarray(training.y))
    return row_pass(run.model, step, targets, np.asarray(training.X, float)[row], targets.Y[row])


def _edges(network: NetworkDrawing, values: Sequence[Floats]) -> Segments:
    """Return the edges of the network by their values, with their numbers."""
    edges = edge_marks(network.diagram, values, network.signs, [LARGEST] * len(values))
    return replace(edges, numbers=[n for *_, n in network.diagram.edges], of="w")


def _row(run: Run[Problem, MLPClassifier | MLPRegressor], panel: Panel) -> int:
    """Return the training row that is asked about, or the one nearest to the place."""
    trained = run.problem.trained
    if run.query is None:
        return 0
    if run.query.sample is not None and run.query.sample in trained:
        return int(np.flatnonzero(trained == run.query.sample)[0])
    offsets = (run.problem.points[trained] - np.asarray(run.query.place)) / panel.size
    return int((offsets**2).sum(axis=1).argmin())


def _point(problem: Problem, row: int) -> Points:
    """Return the point of the row, on top."""
    place = problem.points[problem.trained[[row]]]
    color = NO_CLASS if problem.numeric_target else int(np.asarray(problem.training.y)[row])
    return points_at(place, color=[color], emphasis=True, of="")


def edge_values(passes: RowPass, stage: Stage) -> list[Floats]:
    """Return the value of each edge in a stage, from -1 to 1.

    These are weights in the forward pass, gradients in the backward pass, divided by the largest of
    the layer, and 0 in the layers that the stage is not about.
    """
    verb, layer = stage
    source = passes.by_coefs if verb in ("backward", "update") else passes.coefs
    values = [np.zeros_like(W) for W in passes.coefs]
    for k, W in enumerate(source):
        if verb == "update" or (verb in ("forward", "backward") and k == layer):
            values[k] = W / (float(np.abs(W).max()) or 1.0)
    return values


def edge_numbers(passes: RowPass, stage: Stage, rate: float) -> list[Floats]:
    """Return the number on each edge; NaN where there is none."""
    verb, layer = stage
    if verb == "update":
        pairs = zip(passes.coefs, passes.by_coefs, strict=True)
        return [W - rate * gradient for W, gradient in pairs]
    numbers = [np.full_like(W, np.nan) for W in passes.coefs]
    if verb == "forward":
        numbers[layer] = passes.coefs[layer]
    if verb == "backward":
        numbers[layer] = passes.by_coefs[layer]
    return numbers


def unit_numbers(passes: RowPass, stage: Stage) -> list[Floats]:
    """Return the number in each unit: activations forward, derivatives by sums backward."""
    verb, layer = stage
    if verb == "loss":
        return passes.activations
    if verb == "update":
        return [passes.activations[0], *passes.deltas]
    if verb == "backward":
        return [*passes.activations[: layer + 1], *passes.deltas[layer:]]
    n_layers = 1 if verb == "input" else layer + 2
    empty = [np.full_like(a, np.nan) for a in passes.activations[n_layers:]]
    return [*passes.activations[:n_layers], *empty]


class StageNumbers:
    """The numbers on the weights and in the units, a mark or two for each stage.

    Parameters
    ----------
    passes : RowPass
        The passes.
    rate : float
        The learning rate.
    diagram : Diagram
        Where the numbers are.
    """

    def __init__(self, passes: RowPass, rate: float, diagram: Diagram) -> None:
        on_edges, in_units = _edge_places(diagram), np.vstack(diagram.places)
        self._texts: list[tuple[int, Texts]] = []
        all_stages = list(enumerate(stages(len(passes.coefs))))
        for index, stage in all_stages:
            values = diagram.values(edge_numbers(passes, stage, rate))
            if np.isfinite(values).sum() <= MAX_NUMBERS:
                self._add(index, on_edges, values)
        for index, stage in all_stages:
            parts = zip(unit_numbers(passes, stage), diagram.units, strict=True)
            self._add(index, in_units, np.concatenate([layer[units] for layer, units in parts]))

    def _add(self, index: int, places: Floats, values: Floats) -> None:
        has_number = ~np.isnan(values)
        if has_number.any():
            x, y = places[has_number].T
            text = [brief(value) for value in values[has_number]]
            texts = Texts(panel="network", x=x, y=y, text=text, halo=True, of="")
            self._texts.append((index, texts))

    def marks(self, index: int) -> Sequence[Texts]:
        """Return the numbers; those of other stages are nowhere."""
        return [visible_if(stage == index, texts) for stage, texts in self._texts]


def _edge_places(diagram: Diagram) -> Floats:
    """Return the places of numbers on the edges: those to one unit in one column."""
    starts, ends = diagram.ends
    n_units = np.array([len(diagram.places[layer + 1]) for layer, *_ in diagram.edges])
    unit = np.array([j for _, _, j, _ in diagram.edges])
    share = NEAREST + (FURTHEST - NEAREST) * unit / np.maximum(n_units - 1, 1)
    places: Floats = starts + (ends - starts) * share[:, None]
    return places


def brief(value: float) -> str:
    """Return a number in a few characters, for the picture.

    Examples
    --------
    >>> brief(0.12345), brief(-12.345), brief(1234.5), brief(0.00012)
    ('0.12', '−12', '1234', '1e−4')
    """
    if value == 0:
        return "0"
    size = abs(value)
    text = f"{value:.2f}" if size < 10 else f"{value:.0f}"
    if size < 0.005 or size >= 1e5:
        text = f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e")
    return text.replace("-", "−")
