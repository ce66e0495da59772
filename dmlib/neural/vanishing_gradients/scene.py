"""Deep networks as a picture: the gradient of each layer, and the decision regions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.neural.curve_scene import curve_plot
from dmlib.neural.vanishing_gradients.algorithm import DeepMLPClassifier, DeepStep
from dmlib.neural.vanishing_gradients.ledger import Narrator
from dmlib.pictures.marks import NO_CLASS, Mark, Rects, Texts
from dmlib.pictures.places import line_through, points_at
from dmlib.pictures.plane import pixel_rows
from dmlib.pictures.regions import (
    class_legend,
    class_points,
    held_note,
    query_handle,
    region_panel,
    shade_of,
    step_surfaces,
    surest,
)
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Fold, Moment, Plot, needs_steps, story
from dmlib.problem import Problem

COARSE = 40  # pixels along each side of the regions of an epoch
MAX_FRAMES = 80
MIN_POWER = -12.0  # of ten, below which a gradient is not drawn
ACTIVATIONS = ("sigmoid", "tanh", "relu")
NAMES = {"relu": "ReLU"}
HALF_WIDTH = 0.32  # of a bar
MARGIN = 0.16  # of the layers: room for the names of activations
MIN_GAP = 0.05  # between two names, of the panel
N_SHADES = 16  # so few that most pixels that hardly change are not sent anew


@needs_steps
def vanishing_gradients_scene(run: Run[Problem, DeepMLPClassifier]) -> Scene:
    """Draw the gradient of each layer, at the start layer by layer, then epoch by epoch.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.DeepMLPClassifier`.

    Returns
    -------
    Scene
        One frame for the start, each layer on the way forward and back, each epoch (of many, every
        few), and the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.neural import DeepMLPClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "c": ["no", "yes", "no", "yes"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True)
    >>> model = DeepMLPClassifier(1, 2, max_iter=1, random_state=0)
    >>> scene = vanishing_gradients_scene(Run.of(problem, model))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'forward', 'forward', 'backward', 'backward', 'epoch', 'done']
    """
    problem, steps = run.problem, run.trace.steps
    panel, rows = region_panel(problem), class_points(problem)
    pixels = pixel_rows(problem, panel, COARSE)
    surface = run.surface if steps[-1].phase == "done" else None
    gradients, spreads, losses = GradientBars(run), _spread_plot(run), _loss_plot(run)
    narrator = Narrator(run)

    def draw(moment: Moment) -> Drawing:
        step: DeepStep = moment.step
        is_fitted = moment.is_last and surface is not None
        image = None if is_fitted else _image(run, step, pixels)
        marks = (
            *step_surfaces(image, COARSE, surface, panel),
            rows,
            *gradients.marks(step),
            *spreads.marks(moment),
            *losses.marks(moment),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    keys = (Key("gradient now", 0, kind="area"), Key("at the start, by activation", kind="dash"))
    return story(
        run,
        draw,
        panels=(panel, gradients.panel, spreads.panel, losses.panel),
        fold=Fold.count_of("start", "epoch"),
        legend=(*class_legend(problem), *keys),
        handles=(query_handle(run.query),),
        notes=held_note(problem),
        max_frames=MAX_FRAMES,
    )


def _image(
    run: Run[Problem, DeepMLPClassifier], step: DeepStep, pixels: Floats
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the predicted class of each pixel, and its confidence."""
    codes = np.unique(np.asarray(run.problem.training.y, np.intp))
    winner, sure = surest(run.model.shares(pixels, step))
    return codes[winner].astype(np.uint8), shade_of(np.round(N_SHADES * sure) / N_SHADES)


def power(norms: Floats) -> Floats:
    """Return powers of ten, clipped at the smallest that is drawn."""
    with np.errstate(divide="ignore"):
        powers: Floats = np.maximum(np.log10(np.nan_to_num(norms, posinf=1e300)), MIN_POWER)
    return powers


def start_norms(run: Run[Problem, DeepMLPClassifier]) -> dict[str, Floats]:
    """Return the gradient norms of the layers at the start, by activation."""
    rows = np.asarray(run.problem.training.X, float)
    codes = np.asarray(run.problem.training.y, np.intp)
    n_outputs = run.trace.steps[0].weights.coefs[-1].shape[1]
    norms = {}
    for name in ACTIVATIONS:
        model = type(run.model)(**(run.model.get_params() | {"activation": name}))
        rng = check_random_state(run.model.random_state)
        weights = model.draw(rows.shape[1], n_outputs, rng)
        norms[name] = model.flow(weights, rows, codes).norms(len(weights.coefs))
    return norms


class GradientBars:
    """A bar for each layer that the error has reached, and the gradients at the start.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.DeepMLPClassifier`.
    """

    def __init__(self, run: Run[Problem, DeepMLPClassifier]) -> None:
        norms = start_norms(run)
        self.activation: str = run.model.activation
        self.n_layers = len(run.trace.steps[0].weights.coefs)
        self.layers = np.arange(1, self.n_layers + 1, dtype=float)
        all_norms = [*norms.values(), *(step.gradient_norms for step in run.trace.steps)]
        self.panel = self._panel(power(np.concatenate(all_norms)))
        self._starts = self._start_marks(norms)

    def _panel(self, powers: Floats) -> Panel:
        low, high = float(np.floor(powers.min())), float(np.ceil(powers.max()))
        n = self.n_layers
        return Panel(
            "gradients",
            Axis("layer (the last is the output)", 0.6 - MARGIN * n, n + 0.6, integer=True),
            Axis("power of ten", min(low, high - 1), max(high, low + 1) + 0.1, integer=True),
            title="Gradient of each layer, root mean square",
        )

    def marks(self, step: DeepStep) -> list[Mark]:
        """Return the bars of a step, and the curves at the start."""
        n, low = self.n_layers, self.panel.y.low
        first = {"start": n + 1, "forward": n + 1, "backward": step.layer}.get(step.phase, 1)
        bars = Rects(
            panel="gradients",
            x0=self.layers - HALF_WIDTH,
            x1=self.layers + HALF_WIDTH,
            y0=np.full(n, low),
            y1=np.where(self.layers >= first, power(step.gradient_norms), low),
            numbers=np.arange(1, n + 1),
            color=[0],
            opacity=[0.85],
            of="layer",
        )
        return [bars, *self._starts]

    def _start_marks(self, norms: dict[str, Floats]) -> list[Mark]:
        """Return the gradients at the start by activation, with names that do not overlap."""
        gap = MIN_GAP * float(self.panel.size[1])
        marks: list[Mark] = []
        height = self.panel.y.low
        for name, layer_norms in sorted(norms.items(), key=lambda item: float(item[1][0])):
            powers = power(layer_norms)
            height = max(float(powers[0]), height + gap)
            marks += self._start(name, powers, height)
        return marks

    def _start(self, name: str, powers: Floats, height: float) -> list[Mark]:
        color = "ink" if name == self.activation else "muted"
        places = np.column_stack([self.layers, powers])
        style: dict[str, Any] = {"size": [3.0], "hollow": [1], "symbol": [0], "of": ""}
        label: dict[str, Any] = {
            "text": [NAMES.get(name, name)],
            "anchor": "end",
            "halo": True,
            "of": "",
        }
        return [
            line_through(places, panel="gradients", color=color, width=1.5, dash=True),
            points_at(places, panel="gradients", color=[NO_CLASS], **style),
            Texts(panel="gradients", x=[0.8], y=[height], **label),
        ]


def _spread_plot(run: Run[Problem, DeepMLPClassifier]) -> Plot:
    """Return the standard deviation of each layer's output, up to the layer of the step."""
    steps = run.trace.steps
    n = len(steps[0].weights.coefs)
    layers = np.arange(n, dtype=float)
    top = max(float(np.max(step.spreads[:-1])) for step in steps)
    y_axis = Axis("spread", 0.0, min(1.15 * top, 1e100) or 1.0)
    panel = Panel(
        "spreads", Axis("layer", -0.5, n - 0.5, integer=True), y_axis, "Signal: spread", True
    )

    def marks(moment: Moment) -> list[Mark]:
        step: DeepStep = moment.step
        last = {"start": 0, "forward": step.layer}.get(step.phase, n)
        bars = Rects(
            panel="spreads",
            x0=layers - HALF_WIDTH,
            x1=layers + HALF_WIDTH,
            y0=np.zeros(n),
            y1=np.where(layers <= last, step.spreads[:-1], 0.0),
            color=[NO_CLASS],
            opacity=[0.8],
            of="",
        )
        return [bars]

    return Plot(panel, marks)


def _loss_plot(run: Run[Problem, DeepMLPClassifier]) -> Plot:
    """Return the loss after each epoch."""
    epochs = [step for step in run.trace.steps if step.phase in ("start", "epoch")]
    losses = np.array([(step.epoch, step.loss) for step in epochs], float)
    top = float(np.quantile(losses[:, 1], 0.98)) * 1.3 or 1.0
    places = np.minimum(losses, [np.inf, top])
    return curve_plot("loss", places, "epoch", Axis("loss", 0.0, top), "Loss")
