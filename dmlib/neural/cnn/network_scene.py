"""The network as a picture: maps of each layer, probabilities, occlusion, the learning curve."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.cnn.algorithm import ConvNetStep
from dmlib.neural.cnn.ledger import network_words
from dmlib.neural.cnn.network import Signals
from dmlib.neural.cnn.occlusion import occlusion_map
from dmlib.neural.cnn.picture_scene import PictureView, gray_raster, signed_palette, stacked
from dmlib.pictures.marks import NO_CLASS, Mark, Raster, Rects, Texts
from dmlib.pictures.places import path_until
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.pictures.story import Drawing, Fold, Moment, story

INPUT = 8.0  # side of the input: a cell is one unit
WIDTH, HEIGHT = 47.0, 24.0  # of the picture
COLUMNS = (9.6, 13.6, 19.2, 24.8, 29.6)  # left edges: filters, maps, pooled maps, maps, pooled maps
MAX_WIDTHS = (2.4, 3.6, 2.8, 2.8, 2.0)  # of a tile
BARS = 36.0  # left edge of the probabilities
MAX_BAR = 9.6  # length
FAINT = 0.3  # opacity of the input under the occlusion map
LOW = (HEIGHT - INPUT) / 2  # lower edge of the input


def network_scene(view: PictureView) -> Scene:
    """Draw a network epoch by epoch, with a forward pass of the picture."""
    steps: Sequence[ConvNetStep] = view.run.trace.steps
    image = view.small[None, ..., None]
    size = view.run.model.kernel_size
    first = _layer_maps(steps[0], steps[0].network.forward(image), size)
    inputs, layer_names = _input(view.small), _layer_names(view, first)
    classes, scores = view.problem.classes, _scores(steps)
    class_names = _class_names(classes)

    def draw(moment: Moment) -> Drawing:
        step: ConvNetStep = moment.step
        signals = step.network.forward(image)
        marks = (
            *inputs,
            *_layers(_layer_maps(step, signals, size)),
            layer_names,
            _probability_bars(signals.output[0]),
            *class_names,
            _occlusion(occlusion_map(step.network, view.small, view.options["square"])),
            *path_until(scores, moment.so_far, panel="curve"),
        )
        return Drawing(marks, *network_words(view, step, signals), step.phase)

    return story(
        view.run,
        draw,
        panels=_panels(len(steps), float(len(view.small))),
        numbers=range(len(steps)),
        fold=Fold.count_of("init", "epoch"),
        handles=view.grids("layers", LOW + INPUT),
    )


def _panels(n_steps: int, size: float) -> list[Panel]:
    """Return the panels: the layers, the occlusion map, the learning curve."""
    last = max(n_steps - 2, 1)
    layers = (Axis("", -0.5, WIDTH), Axis("", -0.5, HEIGHT + 2.4))
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
    """Return filters, feature maps and pooled maps, shape (height, width, n) each."""
    return [
        step.network.arrays[0].reshape(size, size, -1),
        signals.first.maps[0],
        signals.first.pooled[0],
        signals.second.maps[0],
        signals.second.pooled[0],
    ]


def _tile_widths(layers: Sequence[Floats]) -> list[float]:
    """Return the width of a drawn map of each layer."""
    widths = []
    for max_width, maps in zip(MAX_WIDTHS, layers, strict=True):
        height, _, n = maps.shape
        widths.append(min(max_width, HEIGHT / n * height / (height + 1) * 1.6))
    return widths


def _layers(layers: Sequence[Floats]) -> list[Raster]:
    """Return each layer as one image of tiles."""
    images = []
    for left, tile_width, maps in zip(COLUMNS, _tile_widths(layers), layers, strict=True):
        height, width, n = maps.shape
        pixels, shade = stacked(maps)
        image = Raster(
            panel="layers",
            pixels=pixels,
            shade=shade,
            palette=signed_palette(),
            width=width,
            height=n * (height + 1),
            extent=(left, left + tile_width, 0.0, HEIGHT),
            opacity=1.0,
        )
        images.append(image)
    return images


def _layer_names(view: PictureView, layers: Sequence[Floats]) -> Texts:
    """Return the names of the layers with their sizes, in two lines by turns."""
    n_filters = view.run.model.n_filters
    names = (f"{n_filters} filters", "maps", "max pool", f"{2 * n_filters} maps", "max pool")
    height, width = view.small.shape
    text = [f"input {height} x {width}"]
    for name, maps in zip(names, layers, strict=True):
        text.append(f"{name} {maps.shape[0]} x {maps.shape[1]}")
    x = [INPUT / 2, *(np.array(COLUMNS) + np.array(_tile_widths(layers)) / 2)]
    low, high = HEIGHT + 0.6, HEIGHT + 1.6
    y = [LOW + INPUT + 0.7, low, high, low, high, low]
    return Texts(panel="layers", x=x, y=y, text=text)


def _slots(k: int) -> tuple[Floats, float]:
    """Return the upper edge of the room for each of k bars, and its height."""
    height = HEIGHT / k
    return HEIGHT - height * np.arange(k, dtype=float), height


def _probability_bars(shares: Floats) -> Rects:
    """Return the probability of each class; the largest is coloured."""
    numbers = np.arange(len(shares))
    top, height = _slots(len(shares))
    return Rects(
        panel="layers",
        x0=np.full(len(shares), BARS),
        y0=top - 0.85 * height,
        x1=BARS + MAX_BAR * shares,
        y1=top - 0.15 * height,
        color=np.where(numbers == shares.argmax(), 0, NO_CLASS).astype(np.uint8),
        numbers=numbers,
        of="class",
    )


def _class_names(classes: Sequence[str]) -> list[Texts]:
    """Return the names beside the bars, and their title."""
    top, height = _slots(len(classes))
    x = np.full(len(classes), BARS - 0.8)
    return [
        Texts(panel="layers", x=x, y=top - height / 2, text=list(classes)),
        Texts(panel="layers", x=[BARS + MAX_BAR / 2], y=[HEIGHT + 0.6], text=["probability"]),
    ]


def _occlusion(drops: Floats) -> Mark:
    """Return squares over the pixels, the stronger the more the probability falls there."""
    rows, columns = (index.ravel() for index in np.indices(drops.shape))
    x, y = columns, len(drops) - rows
    opacity = 0.75 * np.clip(drops.ravel(), 0.0, 1.0)
    return Rects(panel="data", x0=x, y0=y - 1, x1=x + 1, y1=y, color=[1], opacity=opacity, of="")


def _scores(steps: Sequence[ConvNetStep]) -> Floats:
    """Return the number of each epoch, and its accuracy on digits held out."""
    epochs = [step for step in steps if step.phase != "done"]
    return np.array([(step.epoch, step.validation_score) for step in epochs], float)
