"""Cascade correlation as a picture: regions, the network that grows, candidates, and the loss."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.layers import dense
from dmlib.neural.mlp.cascade import CascadeCorrelationClassifier, CascadeStep
from dmlib.neural.mlp.cascade_diagram_scene import MAX_HIDDEN, CascadeDiagram, cascade_diagram
from dmlib.neural.mlp.cascade_ledger import Narrator
from dmlib.neural.mlp.diagram_scene import diagram_panel, edge_marks
from dmlib.neural.mlp.network_scene import NetworkDrawing
from dmlib.neural.mlp.plane_scene import NetworkPlane
from dmlib.pictures.marks import Line, Mark, Rects
from dmlib.pictures.places import NOWHERE, line_through, path_until, visible_if, visible_where
from dmlib.pictures.regions import query_handle
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, Plot, frames_by_phase, story
from dmlib.pictures.words import count
from dmlib.problem import Problem

MAX_FRAMES = 60  # of trainings; each new unit has one of its own
BAR = 0.38  # half the width of a candidate's bar


def cascade_scene(run: Run[Problem, CascadeCorrelationClassifier]) -> Scene:
    """Draw the steps of cascade correlation."""
    problem, model, steps = run.problem, run.model, run.trace.steps
    last: CascadeStep = steps[-1]
    plane = NetworkPlane(problem, model, np.empty(0, np.intp))
    diagram = cascade_diagram(last.coefs)
    network = NetworkDrawing(problem, model, last.coefs, diagram=diagram)
    growing = _Growing(diagram, network, plane, model)
    plots = (_loss_plot(steps), _candidate_plot(steps))
    surface = run.surface if last.phase == "done" else None
    narrator = Narrator(run)
    numbers, notes = frames_by_phase(steps, {("outputs", "candidates"): MAX_FRAMES})

    def draw(moment: Moment) -> Drawing:
        step: CascadeStep = moment.step
        layers = plane.layers(step)
        marks = (
            *plane.marks(step, layers[-1], surface, moment.is_last and surface is not None),
            *growing.marks(step, layers),
            *(mark for plot in plots for mark in plot.marks(moment)),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    if last.n_units > MAX_HIDDEN:
        notes += (f"The first {MAX_HIDDEN} of {last.n_units} hidden units are drawn.",)
    title = f"Network of {count(last.n_units, 'hidden unit', 'hidden units')}, {model.activation}"
    return story(
        run,
        draw,
        panels=(plane.panel, diagram_panel(diagram, title), *(plot.panel for plot in plots)),
        numbers=numbers,
        legend=(*network.legend(np.empty(0, np.intp)), Key("best candidate", kind="dash")),
        handles=(query_handle(run.query),),
        notes=(*network.notes(np.empty(0, np.intp)), *notes),
    )


class _Growing:
    """The units that are there at a step, and the best candidate for the next."""

    def __init__(
        self,
        diagram: CascadeDiagram,
        network: NetworkDrawing,
        plane: NetworkPlane,
        model: CascadeCorrelationClassifier,
    ) -> None:
        self.diagram, self.network, self.plane, self.model = diagram, network, plane, model
        self.layers = np.array([layer for layer, *_ in diagram.edges]) + 1
        self.sources = np.array(diagram.sources)
        # The layer of each unit that is drawn.
        self.of_units = np.repeat(np.arange(len(diagram.units)), [*map(len, diagram.units)])
        self.is_output = self.of_units == len(diagram.units) - 1

    def marks(self, step: CascadeStep, layers: list[Floats]) -> list[Mark]:
        """Return edges and units, with the maps of those that are there."""
        diagram = self.diagram
        *hidden, output = layers
        *coefs, W_out = step.coefs
        is_training = step.phase == "candidates"
        if is_training:
            W, b = (part[..., [step.best]] for part in step.candidates)
            inputs = np.hstack([self.plane.pixels, *hidden])
            hidden = [*hidden, ACTIVATIONS[self.model.activation].function(dense(inputs, W, b))]
            coefs = [*coefs, W]
        n_drawn = min(len(hidden), diagram.n_hidden)
        absent = [np.zeros((len(output), 1))] * (diagram.n_hidden - n_drawn)
        maps = [*hidden[:n_drawn], *absent, output]
        padded = diagram.padded([*coefs, W_out])
        largest = [float(np.abs(W).max()) or 1.0 for W in padded]
        is_there = self.is_output | (self.of_units <= n_drawn)
        is_installed = self.is_output | (self.of_units <= step.n_units)
        to_outputs = self.layers == len(diagram.units) - 1
        shown = np.where(to_outputs, self.sources <= step.n_units, self.layers <= n_drawn)
        *rest, boxes, links, columns, outputs = self.network.units(self.plane.pixels, maps)
        rasters = [visible_if(bool(here), mark) for here, mark in zip(is_there, rest, strict=True)]
        return [
            visible_where(shown, edge_marks(diagram, padded, self.network.signs, largest)),
            *rasters,
            visible_where(np.repeat(is_installed, 4), boxes),
            visible_where(is_there, links),
            columns,
            outputs,
            self._outline(n_drawn if is_training and n_drawn > step.n_units else None),
        ]

    def _outline(self, layer: int | None) -> Line:
        """Return the dashed outline of the candidate that may become a unit."""
        corners = NOWHERE
        if layer is not None:
            box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]) * self.diagram.half
            corners = self.diagram.places[layer][0] + box
        return line_through(corners, panel="network", color="ink", dash=True, width=2.0, of="")


def _loss_plot(steps: Sequence[CascadeStep]) -> Plot:
    """Return the loss in each epoch of the outputs, with a line where a unit was added."""
    losses: list[float] = []
    passed: list[int] = []
    installs: list[int] = []
    for step in steps:
        losses += step.losses
        passed.append(len(losses))
        if step.phase == "install":
            installs.append(len(losses))
    curve = np.column_stack([np.arange(len(losses), dtype=float), losses])
    top = 1.08 * float(np.max(losses, initial=1e-9))
    lines = [(x, y) for n in installs for x, y in ((n, 0.0), (n, top), (np.nan, np.nan))]
    end = max(len(losses) - 1, 1)
    x = Axis("epoch of the outputs", -0.02 * end, 1.02 * end, integer=True)
    panel = Panel("loss", x, Axis("loss", 0.0, top), "Loss; dashed: a unit is added", side=True)

    def marks(moment: Moment) -> list[Mark]:
        added = lines[: 3 * moment.step.n_units]
        dashed = line_through(added, panel="loss", color="muted", dash=True, width=1.2, of="")
        return [dashed, *path_until(curve, passed[moment.index], panel="loss")]

    return Plot(panel, marks)


def _candidate_plot(steps: Sequence[CascadeStep]) -> Plot:
    """Return S of each candidate as a bar; while the outputs are trained, of the last ones."""
    pools = [step.correlations for step in steps if step.correlations is not None]
    n = max((len(S) for S in pools), default=1)
    top = 1.08 * max((float(S.max()) for S in pools), default=1.0) or 1.0
    x = Axis("candidate", 0.5 - BAR / 4, n + 0.5 + BAR / 4, integer=True)
    panel = Panel("candidates", x, Axis("S", 0.0, top), "Correlation S of candidates", side=True)

    latest: list[CascadeStep] = []
    for step in steps:
        latest.append(latest[-1] if latest and step.correlations is None else step)

    def marks(moment: Moment) -> list[Mark]:
        step = latest[moment.index]
        S = np.zeros(n) if step.correlations is None else step.correlations
        places = np.arange(1, n + 1)
        bars = Rects(
            panel="candidates",
            x0=places - BAR,
            y0=np.zeros(n),
            x1=places + BAR,
            y1=S,
            color=[0],
            opacity=np.where(places == step.best + 1, 1.0, 0.35),
            numbers=places,
            of="candidate",
        )
        return [visible_if(step.correlations is not None, bars)]

    return Plot(panel, marks)
