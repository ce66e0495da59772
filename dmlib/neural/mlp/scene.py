"""A network as a picture: its regions in the plane, the map of every unit, the weights, and the loss of each epoch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.base import is_classifier

from dmlib.neural.mlp.diagram_scene import Diagram, diagram_panel, edge_marks
from dmlib.neural.mlp.ledger import Narrator
from dmlib.neural.mlp.network import MLPStep
from dmlib.neural.mlp.network_scene import NetworkDrawing
from dmlib.neural.mlp.one_row_scene import one_row_scene
from dmlib.neural.mlp.plane_scene import NetworkPlane
from dmlib.params import Choice, Integer
from dmlib.pictures.marks import Mark
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.places import line_through, path_until
from dmlib.pictures.regions import query_handle
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.pictures.story import Drawing, Fold, Moment, Plot, needs_steps, story

MIN_FRAMES, MAX_FRAMES = 12, 60
MAX_MAPS = 900  # maps of units in all frames together

OPTIONS = {
    "show": Option(Choice(("epochs", "row")), "epochs"),
    "at": Option(Integer(0, 10_000, shown=(0, 100)), 0),
}
"""What the picture shows: all epochs, or both passes of one row with the weights of one epoch."""
SHOWN = {"epochs": "all epochs", "row": "one row's passes"}


@needs_steps
def mlp_scene(run: Run) -> Scene:
    """Draw the epochs of a network, or both passes of one row.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.MLPClassifier` or :class:`dmlib.neural.MLPRegressor`.

    Returns
    -------
    Scene
        One frame for the start, each epoch (of many, every few), and the end; or one for each layer
        on the row's way forward and back.

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
    options = chosen(run, OPTIONS)
    if options["show"] == "row":
        return one_row_scene(run, options["at"])
    problem, model, steps = run.problem, run.model, run.trace.steps
    plane = NetworkPlane(problem, model, steps[0].watched)
    network = NetworkDrawing(problem, model, steps[-1].coefs)
    losses = _loss_plot(steps)
    surface = run.surface if is_classifier(model) and steps[-1].phase == "done" else None
    scale = [float(np.abs(W).max()) or 1.0 for W in steps[-1].coefs]
    narrator = Narrator(run, network.diagram)

    def draw(now: Moment) -> Drawing:
        step: MLPStep = now.step
        layers = plane.layers(step)
        is_fitted = now.is_last and surface is not None
        marks = (
            *plane.marks(step, layers[-1], surface, is_fitted),
            edge_marks(network.diagram, step.coefs, network.signs, scale),
            *network.units(plane.pixels, layers),
            *losses.marks(now),
        )
        return Drawing(marks, *narrator.tell(now), step.phase)

    title = f"Network {' – '.join(map(str, network.diagram.sizes))}, {model.activation}"
    return story(
        run,
        draw,
        panels=(plane.panel, diagram_panel(network.diagram, title), losses.panel),
        fold=Fold.count_of("start", "epoch", "best"),
        legend=network.legend(steps[0].watched),
        handles=(query_handle(run.query),),
        notes=network.notes(steps[0].watched),
        max_frames=_max_frames(network.diagram),
    )


def _max_frames(diagram: Diagram) -> int:
    n_units = sum(map(len, diagram.drawn))
    return int(np.clip(MAX_MAPS // n_units, MIN_FRAMES, MAX_FRAMES))


def _loss_plot(steps: Sequence[MLPStep]) -> Plot:
    """Return the loss of each epoch, and that of the validation rows."""
    epochs = [step for step in steps if step.phase != "done"]
    losses = np.array([(step.epoch, step.loss) for step in epochs])
    has_validation = epochs[0].validation_loss is not None
    validation = losses[:0]
    if has_validation:
        validation = np.array([(step.epoch, step.validation_loss) for step in epochs], float)
    heights = np.concatenate([losses[:, 1], validation[:, 1]])
    top = float(np.quantile(heights, 0.98)) * 1.3 or 1.0
    last = max(len(epochs) - 1, 1)
    x_axis = Axis("epoch", -0.02 * last, 1.02 * last, integer=True)
    panel = Panel("loss", x_axis, Axis("loss", 0.0, max(top, 1e-9)), title="Loss", side=True)
    losses, validation = np.minimum(losses, [np.inf, top]), np.minimum(validation, [np.inf, top])

    def marks(now: Moment) -> list[Mark]:
        curve = path_until(losses, now.so_far, panel="loss")
        if not has_validation:
            return [*curve]
        passed = validation[: now.so_far]
        return [*curve, line_through(passed, panel="loss", dash=True, width=1.5)]

    return Plot(panel, marks)
