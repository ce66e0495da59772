"""Pruning as a picture: regions, the connections that are left, and the errors by their number."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.mlp.algorithm import class_scores
from dmlib.neural.mlp.diagram_scene import Diagram, diagram_panel, edge_marks
from dmlib.neural.mlp.network_scene import NetworkDrawing
from dmlib.neural.mlp.plane_scene import NetworkPlane
from dmlib.neural.mlp.pruned import PrunedMLPClassifier, PruningStep
from dmlib.neural.mlp.pruned_ledger import Narrator
from dmlib.pictures.marks import Line, Mark
from dmlib.pictures.places import NOWHERE, line_through, path_until, visible_where
from dmlib.pictures.regions import query_handle
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Fold, Moment, Plot, story
from dmlib.problem import Problem

MAX_FRAMES = 70
LEFT = ("train", "retrain")  # phases after which the errors are drawn


def pruned_scene(run: Run[Problem, PrunedMLPClassifier]) -> Scene:
    """Draw the steps of pruning."""
    problem, model, steps = run.problem, run.model, run.trace.steps
    plane = NetworkPlane(problem, model, np.empty(0, np.intp))
    network = NetworkDrawing(problem, model, steps[0].coefs)
    diagram = network.diagram
    errors = ErrorsByConnections(run)
    surface = run.surface if steps[-1].phase == "done" else None
    largest = [float(np.abs(W).max()) or 1.0 for W in steps[0].coefs]
    narrator = Narrator(run, diagram)

    def draw(moment: Moment) -> Drawing:
        step: PruningStep = moment.step
        layers = plane.layers(step)
        is_left = diagram.values([mask.astype(float) for mask in step.masks]) > 0
        edges = edge_marks(diagram, step.coefs, network.signs, largest)
        marks = (
            *plane.marks(step, layers[-1], surface, moment.is_last and surface is not None),
            visible_where(is_left, edges),
            removed_edge(diagram, step),
            *network.units(plane.pixels, layers),
            *errors.plot.marks(moment),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    sizes = " – ".join(map(str, diagram.sizes))
    return story(
        run,
        draw,
        panels=(
            plane.panel,
            diagram_panel(diagram, f"Network {sizes}, {model.activation}"),
            errors.plot.panel,
        ),
        fold=Fold.count_of(*LEFT),
        legend=(*network.legend(np.empty(0, np.intp)), Key("removed", kind="dash")),
        handles=(query_handle(run.query),),
        notes=(*network.notes(np.empty(0, np.intp)), errors.note),
        max_frames=MAX_FRAMES,
    )


def removed_edge(diagram: Diagram, step: PruningStep) -> Line:
    """Return the connection that is removed at a step, if its units are drawn."""
    places = NOWHERE
    for (layer, i, j, _), start, end in zip(diagram.edges, *diagram.ends, strict=True):
        edge = (layer, int(diagram.units[layer][i]), int(diagram.units[layer + 1][j]))
        if edge == step.removed and step.phase == "prune":
            places = np.array([start, end])
    return line_through(places, panel="network", color="ink", dash=True, width=3.5, of="")


class ErrorsByConnections:
    """The errors of the training rows and of the test rows by the connections that are left.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.PrunedMLPClassifier`.
    """

    def __init__(self, run: Run[Problem, PrunedMLPClassifier]) -> None:
        self.model = run.model
        training, testing = run.problem.training, run.problem.testing
        self.codes = np.unique(np.asarray(training.y, int))
        steps = [step for step in run.trace.steps if step.phase in LEFT]
        removed = np.array([step.n_removed for step in steps], float)
        curves = [
            np.column_stack([removed, [self.error(step, part) for step in steps]])
            for part in (training, testing)
            if part is not None
        ]
        top = max(0.1, *(curve[:, 1].max(initial=0.0) for curve in curves))
        last = max(1.0, *removed)
        panel = Panel(
            "errors",
            Axis("connections removed", -0.02 * last, 1.02 * last, integer=True),
            Axis("error", 0.0, 1.06 * top),
            title="Error by connections removed",
            side=True,
        )
        self.note = "Error: blue of the training rows."
        if testing is not None:
            self.note = "Error: blue of the training rows, dashed of the test rows."

        def marks(moment: Moment) -> list[Mark]:
            n = moment.so_far
            test = curves[-1][:n] if testing is not None else NOWHERE
            dashed = line_through(test, panel="errors", color="muted", dash=True, width=2.0, of="")
            return [dashed, *path_until(curves[0], n, panel="errors")]

        self.plot = Plot(panel, marks)

    def error(self, step: PruningStep, part: Problem) -> float:
        """Return the fraction of misclassified rows at a step."""
        output = self.model.outputs(np.asarray(part.data, float), step.coefs, step.intercepts)[-1]
        predicted: Floats = self.codes[class_scores(output, self.model.loss).argmax(axis=1)]
        return float(np.mean(predicted != np.asarray(part.y, int)))
