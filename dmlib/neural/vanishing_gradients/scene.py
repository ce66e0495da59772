"""Deep networks as a picture: the gradient of each layer, from the last back to the first, and what is learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.neural.vanishing_gradients.algorithm import DeepStep
from dmlib.neural.vanishing_gradients.ledger import layer_blocks, step_blocks
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks, short_table
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Raster, Rects, Texts
from dmlib.pictures.motion import path, thin, thinned_note
from dmlib.pictures.plane import data_scene, pixel_rows
from dmlib.pictures.regions import (
    class_legend,
    class_points,
    coarse_surfaces,
    error_table,
    held_note,
    query_handle,
    region_panel,
    shade_of,
    surest,
)
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene
from dmlib.pictures.words import changes, count, num4, short
from dmlib.problem import Problem

COARSE = 40  # pixels along each side of the regions of an epoch
MOST_FRAMES = 80
SMALLEST = -12.0  # powers of ten below which a gradient is not drawn
ACTIVATIONS = ("sigmoid", "tanh", "relu")
WIDTH = 0.32  # half the width of a bar
LEFT = 0.16  # of the layers: room for the names of activations
APART = 0.05  # of the panel: two names
SHADES = 16  # steps of shade, so that hardly changed pixels are not sent again


@dataclass(frozen=True)
class Picture:
    """What the parts of the scene share."""

    problem: Problem
    model: Any  # the estimator, not fitted
    steps: Sequence[DeepStep]

    @cached_property
    def at(self) -> NDArray[np.intp]:
        """The numbers of the steps that are drawn."""
        return thin(len(self.steps), MOST_FRAMES)

    @cached_property
    def shown(self) -> list[DeepStep]:
        """The steps that are drawn."""
        return [self.steps[i] for i in self.at]

    @cached_property
    def panel(self) -> Panel:
        """The panel of the plane."""
        return region_panel(self.problem)

    @cached_property
    def places(self) -> Floats:
        """The middles of the pixels of an image of the plane, in the feature space."""
        return pixel_rows(self.problem, self.panel, COARSE)

    @cached_property
    def rows(self) -> Floats:
        """The training rows."""
        return np.asarray(self.problem.training.X, float)

    @cached_property
    def y(self) -> NDArray[np.intp]:
        """The class codes of the training rows."""
        return np.asarray(self.problem.training.y, np.intp)

    @cached_property
    def others(self) -> dict[str, Floats]:
        """The gradient norms of the layers at the start, by the activation: all else is the same."""
        found = {}
        for name in ACTIVATIONS:
            model = type(self.model)(**(self.model.get_params() | {"activation": name}))
            rng = check_random_state(self.model.random_state)
            weights = model.draw(self.rows.shape[1], self.steps[0].weights.coefs[-1].shape[1], rng)
            found[name] = model.flow(weights, self.rows, self.y).norms(len(weights.coefs))
        return found


def power(norms: Floats) -> Floats:
    """Return powers of ten, not below the smallest that is drawn."""
    with np.errstate(divide="ignore"):
        powers: Floats = np.maximum(np.log10(np.nan_to_num(norms, posinf=1e300)), SMALLEST)
    return powers


def vanishing_gradients_scene(run: Run) -> Scene:
    """Draw the gradient of each layer, at the start layer by layer, then epoch by epoch.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.DeepMLPClassifier`.

    Returns
    -------
    Scene
        One frame for the start, each layer on the way forward and back, each epoch (of many, every few), and the end.

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
    problem, trace = run.problem, run.trace
    if not trace.steps:
        return data_scene(problem, trace.reason)
    picture = Picture(problem, run.model, trace.steps)
    surface = run.surface if trace.steps[-1].phase == "done" else None
    losses, curves = _losses(picture)
    marks = [*_regions(picture, surface), class_points(problem), *_gradients(picture), *_spreads(picture), *curves]
    notes = (*problem.notes, *held_note(problem), *thinned_note(picture.at))
    frames = Deferred(lambda step: _frame(picture, run, step), picture.shown)
    panels = (picture.panel, _gradient_panel(picture), _spread_panel(picture), losses)
    keys = (Key("gradient now", 0), Key("at the start, by activation", NO_CLASS, hollow=True))
    return Scene(panels, marks, frames, notes, (query_handle(run.query),), (*class_legend(problem), *keys))


# --- the plane --------------------------------------------------------------------------------------------------------


def _regions(picture: Picture, surface: Raster | None) -> list[Raster]:
    codes = np.unique(picture.y)

    def found(step: DeepStep) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        winner, sure = surest(picture.model.shares(picture.places, step))
        return codes[winner].astype(np.uint8), shade_of(np.round(SHADES * sure) / SHADES)

    pairs = Deferred(found, picture.shown)
    winner, shade = (Deferred(lambda pair, k=k: pair[k], pairs) for k in (0, 1))
    return coarse_surfaces(winner, shade, COARSE, surface, picture.panel)


# --- the gradients ----------------------------------------------------------------------------------------------------


def _n_layers(picture: Picture) -> int:
    return len(picture.steps[0].weights.coefs)


def _gradient_panel(picture: Picture) -> Panel:
    norms = [*picture.others.values(), *(step.gradient_norms for step in picture.shown)]
    powers = np.concatenate([power(each) for each in norms])
    low, high = float(np.floor(powers.min())), float(np.ceil(powers.max()))
    n = _n_layers(picture)
    x = Axis("layer (the last is the output)", 0.6 - LEFT * n, n + 0.6, integer=True)
    y = Axis("power of ten", min(low, high - 1), max(high, low + 1) + 0.1, integer=True)
    return Panel("gradients", x, y, title="Gradient of each layer, root mean square")


def _gradients(picture: Picture) -> list[Mark]:
    """Return a bar for each layer that the error has reached, and the start of each activation."""
    n, low = _n_layers(picture), _gradient_panel(picture).y.low
    layers = np.arange(1, n + 1, dtype=float)

    def tops(step: DeepStep) -> Floats:
        reached = {"start": n + 1, "forward": n + 1, "backward": step.layer}.get(step.phase, 0)
        return np.where(layers >= reached, power(step.gradient_norms), low)

    bars = Rects(
        panel="gradients", x0=layers - WIDTH, x1=layers + WIDTH, y0=np.full(n, low), numbers=np.arange(1, n + 1),
        y1=PerFrame(Deferred(tops, picture.shown)), color=[0], opacity=[0.85], tween=True, of="layer",
    )  # fmt: skip
    marks: list[Mark] = [bars]
    panel, lowest = _gradient_panel(picture), -np.inf
    for name, norms in sorted(picture.others.items(), key=lambda item: float(item[1][0])):
        powers, own = power(norms), name == picture.model.activation
        lowest = max(float(powers[0]), lowest + APART * panel.size[1], low + APART * panel.size[1])
        marks += [
            Line(panel="gradients", x=layers, y=powers, color="ink" if own else "muted", width=1.5, dash=True),
            Points(panel="gradients", x=layers, y=powers, color=[NO_CLASS], size=[3.0], hollow=[1], symbol=[0], of=""),
            Texts(panel="gradients", x=[0.8], y=[lowest], text=[name], anchor="end", halo=True, of=""),
        ]
    return marks


def _spread_panel(picture: Picture) -> Panel:
    n = _n_layers(picture)
    top = max(float(np.max(step.spreads[:-1])) for step in picture.shown)
    x = Axis("layer", -0.5, n - 0.5, integer=True)
    return Panel("spreads", x, Axis("spread", 0.0, min(1.15 * top, 1e100) or 1.0), title="Signal: spread", side=True)


def _spreads(picture: Picture) -> list[Mark]:
    """Return the standard deviation of what each layer says, as far as the rows have come."""
    n = _n_layers(picture)
    layers = np.arange(n, dtype=float)

    def tops(step: DeepStep) -> Floats:
        reached = {"start": 0, "forward": step.layer}.get(step.phase, n)
        return np.where(layers <= reached, step.spreads[:-1], 0.0)

    return [
        Rects(
            panel="spreads", x0=layers - WIDTH, x1=layers + WIDTH, y0=np.zeros(n), color=[NO_CLASS], of="",
            y1=PerFrame(Deferred(tops, picture.shown)), opacity=[0.8], tween=True,
        )
    ]  # fmt: skip


def _losses(picture: Picture) -> tuple[Panel, list[Mark]]:
    ends = [(i, step) for i, step in enumerate(picture.steps) if step.phase in ("start", "epoch")]
    places = np.array([(step.epoch, step.loss) for _, step in ends], float)
    reached = np.searchsorted([i for i, _ in ends], picture.at, side="right")
    last = max(len(ends) - 1, 1)
    top = float(np.quantile(places[:, 1], 0.98)) * 1.3 or 1.0
    panel = Panel("loss", Axis("epoch", -0.02 * last, 1.02 * last, integer=True), Axis("loss", 0.0, top), "Loss", True)
    return panel, list(path(np.minimum(places, [np.inf, top]), reached, panel="loss"))


# --- captions and ledger ----------------------------------------------------------------------------------------------


def _frame(picture: Picture, run: Run, step: DeepStep) -> Frame:
    if step.phase in ("forward", "backward"):
        ledger: Blocks = layer_blocks(picture.model, step, picture.rows, picture.y)
    else:
        ledger = step_blocks(step)
    if step.phase == "done":
        ledger.append(error_table(picture.problem, run.fitted))
    if run.query is not None:
        shares = picture.model.shares(np.atleast_2d(run.query.x), step)[0]
        names = [picture.problem.classes[code] for code in np.unique(picture.y)]
        rows = [(name, short(share)) for name, share in zip(names, shares, strict=True)]
        ledger = [short_table(("class", "share"), rows, f"Asked about: {picture.problem.name(run.query)}"), *ledger]
    return Frame(_caption(picture, step), ledger, step.phase)


def _name(layer: int, n: int) -> str:
    return "the output" if layer == n else f"layer {layer}"


def _caption(picture: Picture, step: DeepStep) -> str:
    n, norms = len(step.gradient_norms), step.gradient_norms
    if step.phase == "start":
        layers, units = count(n - 1, "hidden layer", "hidden layers"), count(picture.model.n_units, "unit", "units")
        return f"Initial weights ({picture.model.init}): {layers} of {units}, and the output."
    if step.phase == "forward":
        before, now = (num4(step.spreads[k]) for k in (step.layer - 1, step.layer))
        return f"Forward: {_name(step.layer, n)} has the spread {now}, its input {before}."
    if step.phase == "backward":
        size = num4(norms[step.layer - 1])
        after = f", that after it {num4(norms[step.layer])}" if step.layer < n else ""
        return f"Backward: the gradient of {_name(step.layer, n)} is {size}{after}."
    shares = picture.model.shares(picture.rows, step)
    wrong = int((np.unique(picture.y)[shares.argmax(axis=1)] != picture.y).sum())
    verb = "is" if wrong == 1 else "are"
    rows = f"{wrong} of {count(len(picture.y), 'training row', 'training rows')} {verb} misclassified"
    if step.phase == "done":
        reason = "" if step.reason == "All epochs are done." else f" {step.reason}"
        ratio = _ratio(picture.steps[0].gradient_norms, norms)
        return f"Done after {count(step.epoch, 'epoch', 'epochs')}: {rows}; {ratio}.{reason}"
    before_ = next(s for s in picture.steps if s.phase in ("start", "epoch") and s.epoch == step.epoch - 1)
    return f"Epoch {step.epoch}: {changes('the loss', short(before_.loss), short(step.loss))}, {rows}."


def _ratio(start: Floats, end: Floats) -> str:
    """Return what became of the gradient of the first layer."""
    if not float(end[-1]) > 0:
        return "no gradient is left"
    if not float(start[-1]) > 0:
        return "there was no gradient at the start"
    return f"at the start, the gradient of layer 1 was {num4(start[0] / start[-1])} times that of the output"
