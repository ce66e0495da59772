"""A network as a picture: decision regions, the map of every unit, the weights, and the loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from sklearn.base import is_classifier

from dmlib.neural.curve_scene import curve_plot
from dmlib.neural.mlp.algorithm import MLPClassifier
from dmlib.neural.mlp.cascade import CascadeCorrelationClassifier
from dmlib.neural.mlp.cascade_scene import cascade_scene
from dmlib.neural.mlp.diagram_scene import Diagram, diagram_panel, edge_marks
from dmlib.neural.mlp.ledger import Narrator
from dmlib.neural.mlp.network import MLPStep
from dmlib.neural.mlp.network_scene import NetworkDrawing
from dmlib.neural.mlp.one_row_scene import one_row_scene
from dmlib.neural.mlp.plane_scene import NetworkPlane
from dmlib.neural.mlp.pruned import PrunedMLPClassifier
from dmlib.neural.mlp.pruned_scene import pruned_scene
from dmlib.neural.mlp.regressor import MLPRegressor
from dmlib.params import Choice, Integer
from dmlib.pictures.marks import Mark
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.places import line_through
from dmlib.pictures.regions import query_handle
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Scene
from dmlib.pictures.story import Drawing, Fold, Moment, Plot, needs_steps, story
from dmlib.problem import Problem

MIN_FRAMES, MAX_FRAMES = 12, 60
EARLY = (1, 2, 3)  # epochs that have a frame in a long run too: questions are asked before them
MAX_MAPS = 900  # maps of units in all frames together

OPTIONS = {
    "show": Option(Choice(("epochs", "row")), "epochs"),
    "at": Option(Integer(0, 10_000, shown=(0, 100)), 0),
}
"""What the picture shows: all epochs, or both passes of one row with the weights of one epoch."""
VIEW_NAMES = {"epochs": "all epochs", "row": "one row's passes"}


@needs_steps
def mlp_scene(run: Run[Problem, MLPClassifier | MLPRegressor]) -> Scene:
    """Draw the epochs of a network, or both passes of one row.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.MLPClassifier`, :class:`dmlib.neural.MLPRegressor`,
        :class:`dmlib.neural.PrunedMLPClassifier` or
        :class:`dmlib.neural.CascadeCorrelationClassifier`.

    Returns
    -------
    Scene
        One frame for the start, each epoch (of many, every few), and the end; or one for each layer
        on the row's way forward and back. Of pruning one when a connection is removed, and one when
        the others are retrained. Of growth some for each training, and one for each new unit.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.neural import MLPClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True)
    >>> scene = mlp_scene(Run.of(problem, MLPClassifier((2,), max_iter=2, random_state=0)))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'epoch', 'epoch', 'done']
    """
    if isinstance(run.model, CascadeCorrelationClassifier):
        return cascade_scene(cast("Run[Problem, CascadeCorrelationClassifier]", run))
    if isinstance(run.model, PrunedMLPClassifier):
        return pruned_scene(cast("Run[Problem, PrunedMLPClassifier]", run))
    options = chosen(run, OPTIONS)
    if options["show"] == "row":
        return one_row_scene(run, options["at"])
    problem, model, steps = run.problem, run.model, run.trace.steps
    plane = NetworkPlane(problem, model, steps[0].watched)
    network = NetworkDrawing(problem, model, steps[-1].coefs)
    losses = _loss_plot(steps)
    surface = run.surface if is_classifier(model) and steps[-1].phase == "done" else None
    largest_weights = [float(np.abs(W).max()) or 1.0 for W in steps[-1].coefs]
    narrator = Narrator(run, network.diagram)

    def draw(moment: Moment) -> Drawing:
        step: MLPStep = moment.step
        layers = plane.layers(step)
        is_fitted = moment.is_last and surface is not None
        marks = (
            *plane.marks(step, layers[-1], surface, is_fitted),
            edge_marks(network.diagram, step.coefs, network.signs, largest_weights),
            *network.units(plane.pixels, layers),
            *losses.marks(moment),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    title = f"Network {' – '.join(map(str, network.diagram.sizes))}, {model.activation}"
    return story(
        run,
        draw,
        panels=(plane.panel, diagram_panel(network.diagram, title), losses.panel),
        fold=Fold.count_of("start", "epoch", "best"),
        legend=network.legend(steps[0].watched),
        handles=(query_handle(run.query),),
        notes=network.notes(steps[0].watched),
        also=EARLY[: len(steps) - 1],
        max_frames=_max_frames(network.diagram),
    )


def _max_frames(diagram: Diagram) -> int:
    n_units = sum(map(len, diagram.units))
    return int(np.clip(MAX_MAPS // n_units, MIN_FRAMES, MAX_FRAMES))


def _loss_plot(steps: Sequence[MLPStep]) -> Plot:
    """Return the loss of each epoch, and that of the validation rows."""
    epochs = [step for step in steps if step.phase != "done"]
    has_validation = epochs[0].validation_loss is not None
    losses = np.array([(step.epoch, step.loss) for step in epochs])
    validation = np.array([(step.epoch, step.validation_loss) for step in epochs], float)
    heights = losses[:, 1]
    if has_validation:
        heights = np.concatenate([heights, validation[:, 1]])
    top = float(np.quantile(heights, 0.98)) * 1.3 or 1.0
    losses, validation = np.minimum(losses, [np.inf, top]), np.minimum(validation, [np.inf, top])
    plot = curve_plot("loss", losses, "epoch", Axis("loss", 0.0, max(top, 1e-9)), "Loss")
    if not has_validation:
        return plot

    def marks(moment: Moment) -> list[Mark]:
        passed = validation[: moment.so_far]
        return [*plot.marks(moment), line_through(passed, panel="loss", dash=True, width=1.5)]

    return Plot(plot.panel, marks)
