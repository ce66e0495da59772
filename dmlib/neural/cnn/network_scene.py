"""The network as a picture: maps after each layer, probabilities, what covering a part changes, the learning curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.neural.cnn.algorithm import ConvNetStep
from dmlib.neural.cnn.looked_scene import Look, signed_palette, stacked
from dmlib.neural.cnn.network import Signals
from dmlib.neural.cnn.occlusion import occlusion_map
from dmlib.pictures.data.image import as_bytes
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Raster, Rects, Texts
from dmlib.pictures.motion import path
from dmlib.pictures.scene import Axis, Panel

INPUT = 8.0  # side of the input: a cell that is drawn is one unit
TALL = 24.0  # height of the picture
WIDE = 47.0
COLUMNS = (9.6, 13.6, 19.2, 24.8, 29.6)  # left edges: filters, maps, pooled maps, maps, pooled maps
WIDEST = (2.4, 3.6, 2.8, 2.8, 2.0)  # of a tile
BARS = 36.0  # where probabilities begin
LONGEST = 9.6  # bar
FAINT = 0.3  # opacity of the input under the occlusion map
LOW = (TALL - INPUT) / 2  # lower edge of the input


@dataclass(frozen=True)
class Reading:
    """What the networks of a run make of one picture.

    Attributes
    ----------
    look : Look
        The run, and what is looked at.
    """

    look: Look

    @property
    def steps(self) -> tuple[ConvNetStep, ...]:
        """The steps."""
        return self.look.run.trace.steps

    @cached_property
    def signals(self) -> Deferred[Signals]:
        """All that the network of each frame computes of the picture."""
        image = self.look.small[None, ..., None]
        return Deferred(lambda step: step.network.forward(image), self.steps)

    @cached_property
    def drops(self) -> Deferred[Floats]:
        """How much probability each covered place takes from the predicted class, in each frame."""
        square = self.look.options["square"]
        return Deferred(lambda step: occlusion_map(step.network, self.look.small, square), self.steps)


def network_panels(reading: Reading) -> list[Panel]:
    """Return the panels: the layers, the occlusion map, the learning curve."""
    n = max(len(reading.steps) - 1, 1)
    size = float(len(reading.look.small))
    curve = Axis("epoch", -0.3, max(n - 1, 1) + 0.3, integer=True)
    return [
        Panel("layers", Axis("", -0.5, WIDE), Axis("", -0.5, TALL + 2.4), "Layers: blue is above 0, orange below"),
        Panel("data", Axis("", 0, size), Axis("", 0, size), "Input and occlusion sensitivity", side=True, equal=True),
        Panel("curve", curve, Axis("accuracy", 0.0, 1.05), "Accuracy on digits held out", side=True),
    ]


def network_marks(reading: Reading) -> list[Mark]:
    """Return all that is drawn."""
    return [*_input(reading), *_layers(reading), *_bars(reading), *_occlusion(reading), *_curve(reading)]


def _input(reading: Reading) -> list[Mark]:
    ink = reading.look.small
    shape = {"width": ink.shape[1], "height": ink.shape[0]}
    grey = np.rint(255 * (1 - np.clip(ink, 0, 1))).astype(np.intp).ravel()
    palette = as_bytes(np.arange(256)[:, None] / 255).ravel()
    side = (0.0, float(ink.shape[1]), 0.0, float(ink.shape[0]))
    extents = (("layers", (0.0, INPUT, LOW, LOW + INPUT), 1.0), ("data", side, FAINT))
    return [
        Raster(panel=panel, pixels=grey, palette=palette, extent=extent, opacity=opacity, **shape)
        for panel, extent, opacity in extents
    ]


def _layers(reading: Reading) -> list[Mark]:
    """Return filters, feature maps and pooled maps, each layer as one image of tiles, and what they are."""
    first = reading.signals[0]
    size, f = reading.look.run.model.kernel_size, reading.look.run.model.n_filters
    kernels = Deferred(lambda step: step.network.arrays[0].reshape(size, size, -1), reading.steps)
    parts = [
        (kernels, (size, size, f), f"{f} filters"),
        (_maps(reading, "first", "maps"), first.first.maps.shape[1:], "maps"),
        (_maps(reading, "first", "pooled"), first.first.pooled.shape[1:], "max pool"),
        (_maps(reading, "second", "maps"), first.second.maps.shape[1:], f"{2 * f} maps"),
        (_maps(reading, "second", "pooled"), first.second.pooled.shape[1:], "max pool"),
    ]
    marks: list[Mark] = []
    x, labels = [INPUT / 2], [f"input {reading.look.small.shape[0]} x {reading.look.small.shape[1]}"]
    for left, widest, (maps, shape, name) in zip(COLUMNS, WIDEST, parts, strict=True):
        height, width, n = shape
        slot = TALL / n
        wide = min(widest, slot * height / (height + 1) * 1.6)
        images = Deferred(stacked, maps)
        marks.append(
            Raster(
                panel="layers", pixels=PerFrame(Deferred(lambda image: image[0], images)), shade=images[0][1],
                palette=signed_palette(), width=width, height=n * (height + 1), extent=(left, left + wide, 0.0, TALL),
                opacity=1.0,
            )
        )  # fmt: skip
        x.append(left + wide / 2)
        labels.append(f"{name} {height} x {width}")
    at = np.array([TALL + 0.6 if i % 2 else TALL + 1.6 for i in range(len(x))])
    at[0] = LOW + INPUT + 0.7
    return [*marks, Texts(panel="layers", x=x, y=at, text=labels)]


def _maps(reading: Reading, block: str, name: str) -> Deferred[Any]:
    return Deferred(lambda signals: getattr(getattr(signals, block), name)[0], reading.signals)


def _bars(reading: Reading) -> list[Mark]:
    """Return the probability of each class; the largest is coloured."""
    classes = reading.look.problem.classes
    k = len(classes)
    slot = TALL / k
    top = TALL - slot * np.arange(k)
    shares = Deferred(lambda signals: signals.output[0], reading.signals)
    lengths = PerFrame(Deferred(lambda share: BARS + LONGEST * share, shares))
    colors = PerFrame(
        Deferred(lambda share: np.where(np.arange(k) == share.argmax(), 0, NO_CLASS).astype(np.uint8), shares)
    )
    return [
        Rects(
            panel="layers", x0=np.full(k, BARS), y0=top - 0.85 * slot, x1=lengths, y1=top - 0.15 * slot, color=colors,
            numbers=np.arange(k), of="class",
        ),
        Texts(panel="layers", x=np.full(k, BARS - 0.8), y=top - slot / 2, text=list(classes)),
        Texts(panel="layers", x=[BARS + LONGEST / 2], y=[TALL + 0.6], text=["probability"]),
    ]  # fmt: skip


def _occlusion(reading: Reading) -> list[Mark]:
    """Return squares over the pixels, the stronger the more probability is lost where they are covered."""
    height, width = reading.look.small.shape
    rows, columns = (index.ravel() for index in np.indices((height, width)))
    opacity = PerFrame(Deferred(lambda drop: 0.75 * np.clip(drop.ravel(), 0.0, 1.0), reading.drops))
    x, y = columns, height - rows
    return [Rects(panel="data", x0=x, y0=y - 1, x1=x + 1, y1=y, color=[1], opacity=opacity, of="")]


def _curve(reading: Reading) -> list[Mark]:
    steps = [step for step in reading.steps if step.phase != "done"]
    points = np.column_stack([[step.epoch for step in steps], [step.validation_score for step in steps]])
    reached = np.minimum(np.arange(len(reading.steps)) + 1, len(steps))
    return list(path(points, reached, panel="curve"))
