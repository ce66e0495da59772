"""Look inside: one row goes forward through the network and its error back, with the number on every weight."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.neural.mlp.diagram_scene import Diagram, diagram_panel, edge_marks
from dmlib.neural.mlp.ledger import (
    backward_blocks,
    forward_blocks,
    layer_name,
    loss_blocks,
    output_table,
    update_blocks,
)
from dmlib.neural.mlp.one_row import RowPass, row_pass
from dmlib.neural.mlp.plane_scene import Picture, legend, network_marks, picture_notes, plane_marks
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Raster, Texts
from dmlib.pictures.motion import still, when
from dmlib.pictures.regions import query_handle
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Frame, Scene
from dmlib.pictures.words import num, num4, short

Stage = tuple[str, int]  # what is done, and the number of the layer of weights

FAINT = 0.35  # opacity of the maps of units, below numbers
MOST_NUMBERS = 60  # on the weights of a layer
NEAREST, FURTHEST = 0.16, 0.82  # where numbers stand on their weights
THIN = 2.5  # the widest weight, for that of the other picture


@dataclass(frozen=True)
class Teller:
    """What the frames of one row's passes say."""

    picture: Picture
    seen: RowPass
    name: str  # of the row
    epoch: int
    rate: float

    @property
    def n(self) -> int:
        """The number of layers of weights."""
        return len(self.seen.coefs)

    @property
    def stages(self) -> list[Stage]:
        """All frames: forward layer by layer, the loss, back, and the update."""
        forward, back = ([(verb, k) for k in range(self.n)] for verb in ("forward", "backward"))
        return [("input", 0), *forward, ("loss", self.n - 1), *back[::-1], ("update", 0)]

    @cached_property
    def numerical(self) -> Floats:
        """The derivatives by the drawn weights, by differences."""
        return self.seen.numerical(self.picture.model, [edge[:3] for edge in _edges(self.picture.diagram)])

    def frame(self, stage: Stage) -> Frame:
        """Return the caption and the ledger of a stage."""
        verb, layer = stage
        blocks, caption = getattr(self, f"_{verb}")(layer)
        return Frame(caption, blocks, "start" if verb == "input" else verb)

    def _input(self, layer: int) -> tuple[Blocks, str]:
        names = self.picture.problem.features
        units = self.picture.diagram.numbers(0)
        table = output_table(self.seen.activations[0], names, f"{self.name}: the input", units)
        return [table], f"{self.name} enters the network with the weights of epoch {self.epoch}."

    def _forward(self, layer: int) -> tuple[Blocks, str]:
        z, a = self.seen.sums[layer][0], self.seen.activations[layer + 1][0]
        unit = f"the sum of unit 1 is {num4(z)}, its activation {num4(a)}"
        caption = f"Forward, {layer_name(layer, self.n)}: {unit}."
        units = self.picture.diagram.numbers(layer + 1)
        return forward_blocks(self.seen, layer, self.picture.model.activation, units), caption

    def _loss(self, layer: int) -> tuple[Blocks, str]:
        says = ", ".join(num4(p) for p in self.seen.activations[-1][:4])
        wants = ", ".join(num(y) for y in map(short, self.seen.target[:4]))
        more = ", …" if len(self.seen.target) > 4 else ""
        loss = num4(self.seen.loss)
        caption = f"{self.name}: the output is {says}{more}, the target {wants}{more}, and the loss {loss}."
        return loss_blocks(self.seen, self.picture.diagram.numbers(self.n)), caption

    def _backward(self, layer: int) -> tuple[Blocks, str]:
        edges = _edges(self.picture.diagram)
        own = [k for k, edge in enumerate(edges) if edge[0] == layer]
        numerical = self.numerical[own]
        gradient = np.array([self.seen.by_coefs[layer][edges[k][1], edges[k][2]] for k in own])
        largest = float(np.abs(gradient).max(initial=0.0))
        apart = float(np.abs(gradient - numerical).max(initial=0.0))
        caption = (
            f"Backward, {layer_name(layer, self.n)}: the largest derivative is {num4(largest)}; "
            f"finite differences confirm all to {apart:.1g}."
        )
        return backward_blocks(self.seen, layer, [(edges[k][3], *edges[k][1:3]) for k in own], numerical), caption

    def _update(self, layer: int) -> tuple[Blocks, str]:
        caption = f"Update: with the learning rate {num(self.rate)}, all weights move against their gradients at once."
        return update_blocks(self.seen, self.rate), caption

    def matrices(self, stage: Stage) -> list[Floats]:
        """Return what the edges show, from -1 to 1: weights on the way forward, slopes on the way back."""
        verb, layer = stage
        shown = [np.zeros_like(W) for W in self.seen.coefs]
        for k in range(self.n):
            source = self.seen.by_coefs if verb in ("backward", "update") else self.seen.coefs
            if verb == "update" or (verb in ("forward", "backward") and k == layer):
                shown[k] = source[k] / (float(np.abs(source[k]).max()) or 1.0)
        return shown

    def numbers(self, stage: Stage) -> list[Floats]:
        """Return the number on each edge; NaN where there is none."""
        verb, layer = stage
        shown = [np.full_like(W, np.nan) for W in self.seen.coefs]
        for k in range(self.n):
            if verb == "forward" and k == layer:
                shown[k] = self.seen.coefs[k]
            elif verb == "backward" and k == layer:
                shown[k] = self.seen.by_coefs[k]
            elif verb == "update":
                shown[k] = self.seen.coefs[k] - self.rate * self.seen.by_coefs[k]
        return shown

    def unit_numbers(self, stage: Stage) -> list[Floats]:
        """Return the number in each unit: activations on the way forward, slopes by sums on the way back."""
        verb, layer = stage
        shown = [np.full_like(a, np.nan) for a in self.seen.activations]
        for k, a in enumerate(self.seen.activations):
            if (verb in ("input", "forward") and k <= layer + (verb == "forward")) or verb == "loss":
                shown[k] = a
            elif verb in ("backward", "update"):
                shown[k] = self.seen.deltas[k - 1] if k > layer or (verb == "update" and k) else a
        return shown


def _edges(diagram: Diagram) -> list[tuple[int, int, int, int]]:
    """Return the drawn edges with the numbers of their units in the network, not among the drawn ones."""
    return [
        (layer, int(diagram.drawn[layer][i]), int(diagram.drawn[layer + 1][j]), n) for layer, i, j, n in diagram.edges
    ]


def one_row_scene(picture: Picture, run: Run, epoch: int) -> Scene:
    """Draw both passes of the row that is asked about, or of the first, with the weights of an epoch."""
    row = _row(picture, run)
    step = [step for step in picture.steps if step.phase != "done" and step.epoch <= epoch][-1]
    targets = picture.model.targets(picture.problem.training.y)
    seen = row_pass(picture.model, step, targets, picture.rows[row], targets.Y[row])
    name = f"Row {int(picture.problem.training.rows[row]) + 1}"
    single = replace(picture, steps=[step], narrow=True)
    teller = Teller(single, seen, name, step.epoch, step.rate)
    diagram, stages = single.diagram, teller.stages
    base = Scene((), (*plane_marks(single, None), *network_marks(single, [step.coefs], single.maps)), (Frame("."),))
    marks: list[Mark] = []
    for mark in still(base, 0).marks:
        if isinstance(mark, Raster) and mark.panel == "network":
            marks.append(replace(mark, opacity=FAINT))
        elif mark.of != "layer":
            marks.append(mark)
    matrices = Deferred(teller.matrices, stages)
    edges = edge_marks(diagram, matrices, picture.signs, [THIN] * teller.n)
    marks.append(replace(edges, numbers=[n for *_, n in diagram.edges], of="w"))
    marks += [*_edge_numbers(teller, diagram), *_unit_numbers(teller, diagram), _point(picture, row)]
    panel = diagram_panel(diagram, f"{name} through the network, weights of epoch {step.epoch}")
    notes = (*picture.problem.notes, *picture_notes(picture))
    handles = (query_handle(run.query),)
    panels = (replace(picture.panel, side=True), panel)
    return Scene(panels, marks, Deferred(teller.frame, stages), notes, handles, legend(picture))


def _row(picture: Picture, run: Run) -> int:
    """Return the training row that is asked about or, where it is none, the nearest one."""
    trained = picture.problem.trained
    if run.query is None:
        return 0
    if run.query.sample is not None and run.query.sample in trained:
        return int(np.flatnonzero(trained == run.query.sample)[0])
    apart = picture.problem.points[trained] - np.asarray(run.query.place)
    size = picture.panel.size
    return int(((apart / size) ** 2).sum(axis=1).argmin())


def _point(picture: Picture, row: int) -> Points:
    """Return the point of the row, on top."""
    x, y = picture.problem.points[picture.problem.trained[[row]]].T
    color = [NO_CLASS] if picture.problem.numeric_target else [int(picture.y[row])]
    return Points(x=x, y=y, color=color, emphasis=True, of="")


def _edge_numbers(teller: Teller, diagram: Diagram) -> list[Mark]:
    """Return the numbers on the weights of each stage: those to one unit in one column, where lines are apart."""
    marks: list[Mark] = []
    edges, (starts, ends) = diagram.edges, diagram.ends
    many = np.array([len(diagram.places[layer + 1]) for layer, *_ in edges])
    share = NEAREST + (FURTHEST - NEAREST) * np.array([j for _, _, j, _ in edges]) / np.maximum(many - 1, 1)
    middles = starts + (ends - starts) * share[:, None]
    for number, stage in enumerate(teller.stages):
        values = diagram.values(teller.numbers(stage))
        marks += _texts(middles, values, number, len(teller.stages), MOST_NUMBERS)
    return marks


def _unit_numbers(teller: Teller, diagram: Diagram) -> list[Mark]:
    places, marks = np.vstack(diagram.places), list[Mark]()
    for number, stage in enumerate(teller.stages):
        shown = teller.unit_numbers(stage)
        values = np.concatenate([each[some] for each, some in zip(shown, diagram.drawn, strict=True)])
        marks += _texts(places, values, number, len(teller.stages))
    return marks


def _texts(places: Floats, values: Floats, frame: int, n_frames: int, most: int = 10_000) -> list[Mark]:
    there = np.flatnonzero(~np.isnan(values))
    if not len(there) or len(there) > most:
        return []
    now = [number == frame for number in range(n_frames)]
    x, y = (when(now, each) for each in places[there].T)
    return [Texts(panel="network", x=x, y=y, text=[brief(values[i]) for i in there], halo=True, of="")]


def brief(value: float) -> str:
    """Return a number in few letters, for the picture.

    Examples
    --------
    >>> brief(0.12345), brief(-12.345), brief(1234.5), brief(0.00012)
    ('0.12', '−12', '1234', '1e−4')
    """
    if value == 0:
        return "0"
    size = abs(value)
    text = (
        f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e")
        if size < 0.005 or size >= 1e5
        else (f"{value:.2f}" if size < 10 else f"{value:.0f}")
    )
    return text.replace("-", "−")
