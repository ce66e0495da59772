"""Deep networks as a picture: the gradient of each layer, from the last back to the first, and what is learned."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.neural.vanishing_gradients.algorithm import DeepStep
from dmlib.neural.vanishing_gradients.ledger import Narrator
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Rects, Texts
from dmlib.pictures.places import path_until
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

COARSE = 40  # pixels along each side of the regions of an epoch
MAX_FRAMES = 80
SMALLEST = -12.0  # powers of ten below which a gradient is not drawn
ACTIVATIONS = ("sigmoid", "tanh", "relu")
WIDTH = 0.32  # half the width of a bar
LEFT = 0.16  # of the layers: room for the names of activations
APART = 0.05  # of the panel: two names
SHADES = 16  # steps of shade, so that hardly changed pixels are not sent again


@needs_steps
def vanishing_gradients_scene(run: Run) -> Scene:
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
    >>> scene = vanishing_gradients_scene(Run.of(problem, DeepMLPClassifier(1, 2, max_iter=1, random_state=0)))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'forward', 'forward', 'backward', 'backward', 'epoch', 'done']
    """
    problem, steps = run.problem, run.trace.steps
    panel, rows = region_panel(problem), class_points(problem)
    pixels = pixel_rows(problem, panel, COARSE)
    surface = run.surface if steps[-1].phase == "done" else None
    gradients, spreads, losses = GradientBars(run), _spread_plot(run), _loss_plot(run)
    narrator = Narrator(run)

    def draw(now: Moment) -> Drawing:
        step: DeepStep = now.step
        is_fitted = now.is_last and surface is not None
        image = None if is_fitted else _image(run, step, pixels)
        marks = (
            *step_surfaces(image, COARSE, surface, panel),
            rows,
            *gradients.marks(step),
            *spreads.marks(now),
            *losses.marks(now),
        )
        return Drawing(marks, *narrator.tell(now), step.phase)

    keys = (Key("gradient now", 0), Key("at the start, by activation", NO_CLASS, hollow=True))
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


def _image(run: Run, step: DeepStep, pixels: Floats) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the class of each pixel, and how sure the network is of it."""
    codes = np.unique(np.asarray(run.problem.training.y, np.intp))
    winner, sure = surest(run.model.shares(pixels, step))
    return codes[winner].astype(np.uint8), shade_of(np.round(SHADES * sure) / SHADES)


def power(norms: Floats) -> Floats:
    """Return powers of ten, not below the smallest that is drawn."""
    with np.errstate(divide="ignore"):
        powers: Floats = np.maximum(np.log10(np.nan_to_num(norms, posinf=1e300)), SMALLEST)
    return powers


def start_norms(run: Run) -> dict[str, Floats]:
    """Return the gradient norms of the layers at the start by activation, all else being the same."""
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
    """A bar for each layer that the error has reached, and the gradients at the start by activation.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.DeepMLPClassifier`.
    """

    def __init__(self, run: Run) -> None:
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
            Axis("layer (the last is the output)", 0.6 - LEFT * n, n + 0.6, integer=True),
            Axis("power of ten", min(low, high - 1), max(high, low + 1) + 0.1, integer=True),
            title="Gradient of each layer, root mean square",
        )

    def marks(self, step: DeepStep) -> list[Mark]:
        """Return the bars of a step, and the starts."""
        n, low = self.n_layers, self.panel.y.low
        first = {"start": n + 1, "forward": n + 1, "backward": step.layer}.get(step.phase, 1)
        bars = Rects(
            panel="gradients",
            x0=self.layers - WIDTH,
            x1=self.layers + WIDTH,
            y0=np.full(n, low),
            y1=np.where(self.layers >= first, power(step.gradient_norms), low),
            numbers=np.arange(1, n + 1),
            color=[0],
            opacity=[0.85],
            tween=True,
            of="layer",
        )
        return [bars, *self._starts]

    def _start_marks(self, norms: dict[str, Floats]) -> list[Mark]:
        """Return the gradients at the start by activation; names keep apart from each other."""
        gap = APART * float(self.panel.size[1])
        marks: list[Mark] = []
        height = self.panel.y.low
        for name, layer_norms in sorted(norms.items(), key=lambda item: float(item[1][0])):
            powers = power(layer_norms)
            height = max(float(powers[0]), height + gap)
            marks += self._start(name, powers, height)
        return marks

    def _start(self, name: str, powers: Floats, height: float) -> list[Mark]:
        at: dict[str, Any] = {"panel": "gradients", "x": self.layers, "y": powers}
        color = "ink" if name == self.activation else "muted"
        return [
            Line(color=color, width=1.5, dash=True, **at),
            Points(color=[NO_CLASS], size=[3.0], hollow=[1], symbol=[0], of="", **at),
            Texts(
                panel="gradients", x=[0.8], y=[height], text=[name], anchor="end", halo=True, of=""
            ),
        ]


def _spread_plot(run: Run) -> Plot:
    """Return the standard deviation of each layer's output, as far as the rows have come."""
    steps = run.trace.steps
    n = len(steps[0].weights.coefs)
    layers = np.arange(n, dtype=float)
    top = max(float(np.max(step.spreads[:-1])) for step in steps)
    y_axis = Axis("spread", 0.0, min(1.15 * top, 1e100) or 1.0)
    panel = Panel(
        "spreads", Axis("layer", -0.5, n - 0.5, integer=True), y_axis, "Signal: spread", True
    )

    def marks(now: Moment) -> list[Mark]:
        last = {"start": 0, "forward": now.step.layer}.get(now.step.phase, n)
        bars = Rects(
            panel="spreads",
            x0=layers - WIDTH,
            x1=layers + WIDTH,
            y0=np.zeros(n),
            y1=np.where(layers <= last, now.step.spreads[:-1], 0.0),
            color=[NO_CLASS],
            opacity=[0.8],
            tween=True,
            of="",
        )
        return [bars]

    return Plot(panel, marks)


def _loss_plot(run: Run) -> Plot:
    """Return the loss after each epoch."""
    losses = [
        (step.epoch, step.loss) for step in run.trace.steps if step.phase in ("start", "epoch")
    ]
    places = np.array(losses, float)
    last = max(len(places) - 1, 1)
    top = float(np.quantile(places[:, 1], 0.98)) * 1.3 or 1.0
    x_axis = Axis("epoch", -0.02 * last, 1.02 * last, integer=True)
    panel = Panel("loss", x_axis, Axis("loss", 0.0, top), "Loss", True)
    places = np.minimum(places, [np.inf, top])
    return Plot(panel, lambda now: path_until(places, now.so_far, panel="loss"))
