"""A network as a picture: its regions in the plane, the map of every unit, the weights, and the loss of each epoch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.mlp.algorithm import both
from dmlib.neural.mlp.diagram_scene import diagram_panel
from dmlib.neural.mlp.ledger import output_table, step_blocks
from dmlib.neural.mlp.network import MLPStep
from dmlib.neural.mlp.one_row_scene import one_row_scene
from dmlib.neural.mlp.plane_scene import Picture, legend, network_marks, picture_notes, plane_marks
from dmlib.params import Choice, Integer
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks, LedgerTable
from dmlib.pictures.marks import Line, Mark
from dmlib.pictures.motion import path, thinned_note, with_before, xy
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.plane import data_scene
from dmlib.pictures.regions import error_table, query_handle
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Panel, Scene
from dmlib.pictures.words import changes, count, num4, short

OPTIONS = {
    "show": Option(Choice(("epochs", "row")), "epochs"),
    "at": Option(Integer(0, 10_000, shown=(0, 100)), 0),
}
"""What the picture shows: all epochs, or both passes of one row with the weights of one epoch."""
SHOWN = {"epochs": "all epochs", "row": "one row's passes"}


def mlp_scene(run: Run) -> Scene:
    """Draw the epochs of a network, or both passes of one row.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.MLPClassifier` or :class:`dmlib.neural.MLPRegressor`.

    Returns
    -------
    Scene
        One frame for the start, each epoch (of many, every few), and the end; or one for each layer on the row's way
        forward and back.

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
    problem, trace = run.problem, run.trace
    if not trace.steps:
        return data_scene(problem, trace.reason)
    picture = Picture(problem, run.model, trace.steps)
    options = chosen(run, OPTIONS)
    if options["show"] == "row":
        return one_row_scene(picture, run, options["at"])
    pairs = with_before(trace.steps, picture.at)
    frames = Deferred(lambda pair: _frame(picture, run, *pair), pairs)
    losses, curves = _losses(picture)
    done = trace.steps[-1].phase == "done"
    surface = run.surface if done and picture.classifies else None
    marks = [
        *plane_marks(picture, surface),
        *network_marks(picture, [step.coefs for step, _ in pairs], picture.maps),
        *curves,
    ]
    notes = (*problem.notes, *picture_notes(picture), *thinned_note(picture.at))
    return Scene(
        (picture.panel, diagram_panel(picture.diagram, _title(picture)), losses), marks, frames, notes,
        (query_handle(run.query),), legend(picture),
    )  # fmt: skip


def _title(picture: Picture) -> str:
    return f"Network {' – '.join(map(str, picture.diagram.sizes))}, {picture.model.activation}"


# --- the losses -------------------------------------------------------------------------------------------------------


def _losses(picture: Picture) -> tuple[Panel, list[Mark]]:
    """Return the loss of each epoch, and that of the validation rows."""
    ends = [(i, step) for i, step in enumerate(picture.steps) if step.phase != "done"]
    places = np.array([(step.epoch, step.loss) for _, step in ends], float)
    reached = np.searchsorted([i for i, _ in ends], picture.at, side="right")
    watched = np.array([(s.epoch, s.validation_loss) for _, s in ends if s.validation_loss is not None], float)
    last = max(len(ends) - 1, 1)
    heights = np.concatenate([places[:, 1], watched[:, 1] if len(watched) else []])
    top = float(np.quantile(heights, 0.98)) * 1.3 or 1.0
    x = Axis("epoch", -0.02 * last, 1.02 * last, integer=True)
    panel = Panel("loss", x, Axis("loss", min(0.0, 0.0), max(top, 1e-9)), title="Loss", side=True)
    marks: list[Mark] = list(path(np.minimum(places, [np.inf, top]), reached, panel="loss"))
    if len(watched):
        wx, wy = xy(np.minimum(watched, [np.inf, top])[:n] for n in reached)
        marks.append(Line(x=wx, y=wy, color="ink", dash=True, panel="loss", width=1.5))
    return panel, marks


# --- captions and ledger ----------------------------------------------------------------------------------------------


def _frame(picture: Picture, run: Run, step: MLPStep, before: MLPStep) -> Frame:
    layers = picture.model.outputs(picture.rows, step.coefs, step.intercepts)
    dead = dead_units(picture.model.activation, layers)
    ledger: Blocks = step_blocks(picture.model, step, before, dead)
    if step.phase == "done" and picture.classifies:
        ledger.append(error_table(picture.problem, run.fitted))
    elif step.phase == "done":
        ledger.append(_fit_table(picture, run))
    if run.query is not None:
        layers_there = picture.model.outputs(np.atleast_2d(run.query.x), step.coefs, step.intercepts)
        title = f"Asked about: {picture.problem.name(run.query)}"
        units = picture.diagram.numbers(len(layers_there))
        ledger = [output_table(layers_there[-1][0], picture.outputs, title, units), *ledger]
    return Frame(_caption(picture, step, before, layers[-1], dead), ledger, step.phase)


def _fit_table(picture: Picture, run: Run) -> LedgerTable:
    rows = []
    for name, part in (("training", picture.problem.training), ("test", picture.problem.testing)):
        if part is not None:
            errors = run.fitted.predict(part.data) - np.asarray(part.y, float)
            rows.append((name, len(errors), short(np.sqrt((errors**2).mean()))))
    return LedgerTable(("samples", "rows", "RMSE"), rows, "Errors")


def dead_units(activation: str, layers: Sequence[Floats]) -> list[int]:
    """Return how many units of each hidden layer are 0 for every row, so that no gradient passes them.

    Examples
    --------
    >>> dead_units("relu", [np.array([[0.0, 1.0], [0.0, 0.0]]), np.ones((2, 1))])
    [1]
    """
    if activation != "relu":
        return []
    return [int((layer == 0).all(axis=0).sum()) for layer in layers[:-1]]


def _measure(picture: Picture, output: Floats) -> str:
    if not picture.classifies:
        rmse = float(np.sqrt(((output[:, 0] - picture.y) ** 2).mean()))
        return f"the root mean squared error of {count(len(output), 'training row', 'training rows')} is {rmse:.4g}"
    codes = np.unique(picture.y)
    said = codes[both(output, picture.model.loss).argmax(axis=1)]
    wrong, n = int((said != picture.y).sum()), len(said)
    return f"{wrong} of {count(n, 'training row', 'training rows')} {'is' if wrong == 1 else 'are'} misclassified"


def _caption(picture: Picture, step: MLPStep, before: MLPStep, output: Floats, dead: Sequence[int]) -> str:
    measure = _measure(picture, output)
    if step.phase == "start":
        return (
            f"Initial weights ({'given' if not isinstance(picture.model.init, str) else picture.model.init}): "
            f"{measure}."
        )
    if step.phase == "done":
        silent = sum(dead)
        why = f" {count(silent, 'unit is', 'units are')} dead: 0 for every row." if silent else ""
        kept = f"Done after {count(step.epoch, 'epoch', 'epochs')}: {measure}."
        reason = "" if step.reason == "All epochs are done." else f" {step.reason}"
        if step.validation_loss is not None and not reason:
            reason = f" The weights of epoch {step.best_epoch}, with the smallest validation loss, are kept."
        return f"{kept}{reason}{why}"
    best = f"; the validation loss {num4(step.validation_loss or 0.0)} is the smallest so far"
    moved = changes("the loss", short(before.loss), short(step.loss))
    return f"Epoch {step.epoch}: {moved}, {measure}{best if step.phase == 'best' else ''}."
