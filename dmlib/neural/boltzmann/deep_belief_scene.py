"""A deep belief network as a picture: features of both layers, the code, and both test errors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.evenly import evenly
from dmlib.neural.boltzmann.deep_belief import DeepBeliefNetwork, DeepBeliefStep
from dmlib.neural.boltzmann.deep_belief_ledger import ErrorRates, Narrator
from dmlib.neural.boltzmann.restricted_scene import SIGN_KEYS, Filters, filter_note, shown_pattern
from dmlib.neural.boltzmann.tuning import hidden
from dmlib.pictures.marks import NO_CLASS, Mark
from dmlib.pictures.motion import thin
from dmlib.pictures.places import line_through, path_until, points_at
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, Plot, frames_by_phase, story
from dmlib.problem import PatternsProblem

MAX_POINTS = 150  # patterns whose code is drawn
MAX_PLACES = 60  # of the curves of the errors
MAX_FRAMES: dict[tuple[str, ...], int] = {("pretrain",): 40, ("tune",): 40}
RING = 9.0  # radius in pixels of the ring around the pattern shown


def deep_belief_scene(run: Run[PatternsProblem, DeepBeliefNetwork]) -> Scene:
    """Draw the steps of a deep belief network."""
    problem, steps, model = run.problem, run.trace.steps, run.model
    pattern = shown_pattern(problem, run.options)
    first = Filters(problem, model.n_components, title="Features of layer 1; bar: activation")
    title = "Features of layer 2, through layer 1"
    second = Filters(problem, model.n_second, "second", title, first=model.n_components)
    rates = ErrorRates(problem)
    plots = (code_plot(problem, steps, pattern), error_plot(steps, rates))
    narrator = Narrator(run, pattern, rates)
    numbers, note = frames_by_phase(steps, MAX_FRAMES)

    def draw(moment: Moment) -> Drawing:
        step: DeepBeliefStep = moment.step
        activations = hidden(pattern, step.coefs[: step.layer], step.intercepts[: step.layer])
        weights, above = step.coefs[0], np.zeros((len(pattern), model.n_second))
        second_activations = np.zeros(model.n_second)
        if step.layer > 1:
            above, second_activations = weights @ step.coefs[1], activations[2]
        marks = [
            *first.marks(weights.T, activations[1]),
            *second.marks(above.T, second_activations),
            *(mark for plot in plots for mark in plot.marks(moment)),
        ]
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(first.panel, second.panel, *(plot.panel for plot in plots)),
        legend=(
            *SIGN_KEYS,
            Key("pre-trained", 0, kind="line"),
            Key("random start", kind="dash"),
            Key("held out", hollow=True),
        ),
        notes=(*filter_note(max(model.n_components, model.n_second)), *note),
        numbers=numbers,
    )


def code_plot(problem: PatternsProblem, steps: tuple[DeepBeliefStep, ...], pattern: Floats) -> Plot:
    """Return the patterns by the activations of the top layer, on two principal components.

    The axes are those of the last step with as many layers, so that points alone move.
    """
    assert problem.y is not None
    rows = evenly(len(problem.data), MAX_POINTS)
    held_out = np.zeros(len(problem.data), bool)
    if problem.is_held_out is not None:
        held_out = problem.is_held_out
    X = np.vstack([problem.data[rows], pattern])
    axes = {step.layer: PrincipalAxes(code(step, X[:-1])) for step in steps}
    places = np.vstack(
        [axes[layer].places(code(step, X)) for layer, step in _last_of_layers(steps).items()]
    )
    x_axis, y_axis = (Axis(f"component {i + 1}", *bounds(places[:, i], 0.08)) for i in (0, 1))
    panel = Panel("code", x_axis, y_axis, title="Code of the top layer", side=True)
    looks = {
        "color": problem.y[rows].astype(np.uint8),
        "hollow": held_out[rows].astype(np.uint8),
        "labels": [problem.names[i] for i in rows],
        "classes": problem.classes,
    }

    def marks(moment: Moment) -> list[Mark]:
        step: DeepBeliefStep = moment.step
        places = axes[step.layer].places(code(step, X))
        low, high = (x_axis.low, y_axis.low), (x_axis.high, y_axis.high)
        places = np.clip(places, low, high)
        ring = {"size": [RING], "hollow": [1], "symbol": [0], "color": [NO_CLASS]}
        return [
            points_at(places[:-1], panel="code", size=[3.5], of="", **looks),
            points_at(places[-1:], panel="code", of="", labels=["pattern shown"], **ring),
        ]

    return Plot(panel, marks)


def code(step: DeepBeliefStep, X: Floats) -> Floats:
    """Return the activations of the top hidden layer so far."""
    return hidden(X, step.coefs[: step.layer], step.intercepts[: step.layer])[-1]


def _last_of_layers(steps: tuple[DeepBeliefStep, ...]) -> dict[int, DeepBeliefStep]:
    return {step.layer: step for step in steps}


class PrincipalAxes:
    """Two principal components of some codes.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_units)
        The codes.
    """

    def __init__(self, codes: Floats) -> None:
        self.mean = codes.mean(axis=0)
        directions = np.zeros((2, codes.shape[1]))
        found = np.linalg.svd(codes - self.mean, full_matrices=False)[2][:2]
        directions[: len(found)] = found
        largest = np.abs(directions).argmax(axis=1)
        signs = np.sign(directions[[0, 1], largest])
        self.directions = directions * np.where(signs == 0, 1.0, signs)[:, None]

    def places(self, codes: Floats) -> NDArray[np.float64]:
        """Return the places of codes, shape (n_rows, 2)."""
        places: Floats = (codes - self.mean) @ self.directions.T
        return places


def error_plot(steps: tuple[DeepBeliefStep, ...], rates: ErrorRates) -> Plot:
    """Return the errors of both networks by the epoch of back-propagation."""
    tuned = [step for step in steps if step.phase in ("stack", "tune")]
    tuned = [tuned[i] for i in thin(len(tuned), MAX_PLACES)] if tuned else []
    errors = [rates.of(step)[rates.shown] for step in tuned]
    epochs = np.array([step.epoch for step in tuned], float)
    curves = [np.column_stack([epochs, column]) for column in np.reshape(errors, (-1, 2)).T]
    last = max([1.0, *epochs])
    panel = Panel(
        "error",
        Axis("epoch of back-propagation", -0.02 * last, 1.02 * last, integer=True),
        Axis(f"{rates.shown} error", 0.0, 1.0),
        title=f"{rates.shown.capitalize()} error of both networks",
        side=True,
    )

    def marks(moment: Moment) -> list[Mark]:
        step: DeepBeliefStep = moment.step
        n = int((epochs <= step.epoch).sum()) if step.random_coefs else 0
        random = line_through(
            curves[1][:n], panel="error", color="muted", dash=True, width=2.0, of=""
        )
        return [random, *path_until(curves[0], n, panel="error")]

    return Plot(panel, marks)
