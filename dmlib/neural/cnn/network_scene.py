"""The network as a picture: maps after each layer, probabilities, what covering a part changes, the learning curve."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.cnn.algorithm import ConvNetStep
from dmlib.neural.cnn.ledger import network_words
from dmlib.neural.cnn.looked_scene import Look, gray_raster, signed_palette, stacked
from dmlib.neural.cnn.network import Signals
from dmlib.neural.cnn.occlusion import occlusion_map
from dmlib.pictures.marks import NO_CLASS, Mark, Raster, Rects, Texts
from dmlib.pictures.places import path_until
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.pictures.story import Drawing, Fold, Moment, story

INPUT = 8.0  # side of the input: a cell that is drawn is one unit
TALL = 24.0  # height of the picture
WIDE = 47.0
COLUMNS = (9.6, 13.6, 19.2, 24.8, 29.6)  # left edges: filters, maps, pooled maps, maps, pooled maps
WIDEST = (2.4, 3.6, 2.8, 2.8, 2.0)  # of a tile
BARS = 36.0  # where probabilities begin
LONGEST = 9.6  # bar
FAINT = 0.3  # opacity of the input under the occlusion map
LOW = (TALL - INPUT) / 2  # lower edge of the input


def network_scene(look: Look) -> Scene:
    """Draw a network epoch by epoch, and what it makes of the picture."""
    steps: Sequence[ConvNetStep] = look.run.trace.steps
    image = look.small[None, ..., None]
    size = look.run.model.kernel_size
    first = _layer_maps(steps[0], steps[0].network.forward(image), size)
    inputs, layer_names = _input(look.small), _layer_names(look, first)
    classes, scores = look.problem.classes, _scores(steps)
    class_names = _class_names(classes)

    def draw(now: Moment) -> Drawing:
        step: ConvNetStep = now.step
        signals = step.network.forward(image)
        marks = (
            *inputs,
            *_layers(_layer_maps(step, signals, size)),
            layer_names,
            _probability_bars(signals.output[0]),
            *class_names,
            _occlusion(occlusion_map(step.network, look.small, look.options["square"])),
            *path_until(scores, now.so_far, panel="curve"),
        )
        return Drawing(marks, *network_words(look, step, signals), step.phase)

    return story(
        look.run,
        draw,
        panels=_panels(len(steps), float(len(look.small))),
        numbers=range(len(steps)),
        fold=Fold.count_of("init", "epoch"),
        handles=look.grids("layers", LOW + INPUT),
    )


def _panels(n_steps: int, size: float) -> list[Panel]:
    """Return the panels: the layers, the occlusion map, the learning curve."""
    last = max(n_steps - 2, 1)
    layers = (Axis("", -0.5, WIDE), Axis("", -0.5, TALL + 2.4))
    picture = (Axis("", 0, size), Axis("", 0, size))
    curve = (Axis("epoch", -0.3, last + 0.3, integer=True), Axis("accuracy", 0.0, 1.05))
    return [
        Panel("layers", *layers, "Layers: blue is above 0, orange below"),
        Panel("data", *picture, "Input and occlusion sensitivity", side=True, equal=True),
        Panel("curve", *curve, "Accuracy on digits held out", side=True),
    ]


def _input(ink: Floats) -> list[Raster]:
    """Return the picture as the input, and under the occlusion map."""
    height, width = ink.shape
    left, below = (0.0, INPUT, LOW, LOW + INPUT), (0.0, float(width), 0.0, float(height))
    return [
        gray_raster(ink, left, panel="layers", opacity=1.0),
        gray_raster(ink, below, panel="data", opacity=FAINT),
    ]


def _layer_maps(step: ConvNetStep, signals: Signals, size: int) -> list[Floats]:
    """Return filters, feature maps and pooled maps, layer by layer, shape (height, width, n) each."""
    return [
        step.network.arrays[0].reshape(size, size, -1),
        signals.first.maps[0],
        signals.first.pooled[0],
        signals.second.maps[0],
        signals.second.pooled[0],
    ]


def _tile_widths(layers: Sequence[Floats]) -> list[float]:
    """Return how wide a map of each layer is drawn."""
    widths = []
    for widest, maps in zip(WIDEST, layers, strict=True):
        height, _, n = maps.shape
        widths.append(min(widest, TALL / n * height / (height + 1) * 1.6))
    return widths


def _layers(layers: Sequence[Floats]) -> list[Raster]:
    """Return each layer as one image of tiles."""
    images = []
    for left, wide, maps in zip(COLUMNS, _tile_widths(layers), layers, strict=True):
        height, width, n = maps.shape
        pixels, shade = stacked(maps)
        image = Raster(
            panel="layers",
            pixels=pixels,
            shade=shade,
            palette=signed_palette(),
            width=width,
            height=n * (height + 1),
            extent=(left, left + wide, 0.0, TALL),
            opacity=1.0,
        )
        images.append(image)
    return images


def _layer_names(look: Look, layers: Sequence[Floats]) -> Texts:
    """Return the names of the layers with their sizes, in two lines by turns."""
    n_filters = look.run.model.n_filters
    names = (f"{n_filters} filters", "maps", "max pool", f"{2 * n_filters} maps", "max pool")
    height, width = look.small.shape
    text = [f"input {height} x {width}"]
    for name, maps in zip(names, layers, strict=True):
        text.append(f"{name} {maps.shape[0]} x {maps.shape[1]}")
    x = [INPUT / 2, *(np.array(COLUMNS) + np.array(_tile_widths(layers)) / 2)]
    y = [LOW + INPUT + 0.7, TALL + 0.6, TALL + 1.6, TALL + 0.6, TALL + 1.6, TALL + 0.6]
    return Texts(panel="layers", x=x, y=y, text=text)


def _slots(k: int) -> tuple[Floats, float]:
    """Return the upper edge of the room for each of k bars, and its height."""
    height = TALL / k
    return TALL - height * np.arange(k, dtype=float), height


def _probability_bars(shares: Floats) -> Rects:
    """Return the probability of each class; the largest is coloured."""
    numbers = np.arange(len(shares))
    top, height = _slots(len(shares))
    return Rects(
        panel="layers",
        x0=np.full(len(shares), BARS),
        y0=top - 0.85 * height,
        x1=BARS + LONGEST * shares,
        y1=top - 0.15 * height,
        color=np.where(numbers == shares.argmax(), 0, NO_CLASS).astype(np.uint8),
        numbers=numbers,
        of="class",
    )


def _class_names(classes: Sequence[str]) -> list[Texts]:
    """Return the names beside the bars, and what they show."""
    top, height = _slots(len(classes))
    x = np.full(len(classes), BARS - 0.8)
    return [
        Texts(panel="layers", x=x, y=top - height / 2, text=list(classes)),
        Texts(panel="layers", x=[BARS + LONGEST / 2], y=[TALL + 0.6], text=["probability"]),
    ]


def _occlusion(drops: Floats) -> Mark:
    """Return squares over the pixels, the stronger the more probability is lost where they are covered."""
    rows, columns = (index.ravel() for index in np.indices(drops.shape))
    x, y = columns, len(drops) - rows
    opacity = 0.75 * np.clip(drops.ravel(), 0.0, 1.0)
    return Rects(panel="data", x0=x, y0=y - 1, x1=x + 1, y1=y, color=[1], opacity=opacity, of="")


def _scores(steps: Sequence[ConvNetStep]) -> Floats:
    """Return the number of each epoch, and its accuracy on digits held out."""
    epochs = [step for step in steps if step.phase != "done"]
    return np.array([(step.epoch, step.validation_score) for step in epochs], float)
