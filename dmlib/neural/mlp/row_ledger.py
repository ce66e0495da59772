"""The passes of one row through a network in words and numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.neural.activations import ACTIVATIONS
from dmlib.neural.losses import LOSSES
from dmlib.neural.mlp.algorithm import MLPClassifier
from dmlib.neural.mlp.diagram_scene import Diagram
from dmlib.neural.mlp.ledger import layer_name, output_table
from dmlib.neural.mlp.network import MLPStep
from dmlib.neural.mlp.one_row import RowPass
from dmlib.neural.mlp.regressor import MLPRegressor
from dmlib.pictures.ledger import Blocks, Formula, abridged, numbered_table, short_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import num, num4, short, signed

Stage = tuple[str, int]  # what is done, and the number of the layer of weights

MAX_TERMS = 8
MAX_OUTPUTS = 4  # in a caption


class RowNarrator:
    """Captions and ledgers of the passes of one row.

    Parameters
    ----------
    row_pass : RowPass
        The passes.
    name : str
        The name of the row.
    step : MLPStep
        The step with whose weights they are made.
    model : Network
        The network, not fitted.
    features : sequence of str
        The names of the columns.
    diagram : Diagram
        The units that are drawn.
    """

    def __init__(
        self,
        row_pass: RowPass,
        name: str,
        step: MLPStep,
        model: MLPClassifier | MLPRegressor,
        features: Sequence[str],
        diagram: Diagram,
    ) -> None:
        self.row_pass, self.name, self.step, self.model = row_pass, name, step, model
        self.features, self.diagram = features, diagram
        self.n_layers = len(row_pass.coefs)

    @cached_property
    def _numerical(self) -> Floats:
        """The derivatives by the drawn weights, by differences."""
        return self.row_pass.numerical(self.model, [edge[:3] for edge in self._edges])

    @cached_property
    def _edges(self) -> list[tuple[int, int, int, int]]:
        """The drawn edges (layer, input, unit, number), with the units' numbers in the network."""
        units = self.diagram.units
        edges = self.diagram.edges
        return [(k, int(units[k][i]), int(units[k + 1][j]), n) for k, i, j, n in edges]

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a stage."""
        verb, layer = moment.step
        caption, blocks = getattr(self, f"_{verb}")(layer)
        return caption, blocks

    def _input(self, layer: int) -> tuple[str, Blocks]:
        title, units = f"{self.name}: the input", self.diagram.numbers(0)
        table = output_table(self.row_pass.activations[0], self.features, title, units)
        weights = f"the weights of epoch {self.step.epoch}"
        return f"{self.name} enters the network with {weights}.", [table]

    def _forward(self, layer: int) -> tuple[str, Blocks]:
        z = num4(self.row_pass.sums[layer][0])
        a = num4(self.row_pass.activations[layer + 1][0])
        unit = f"the sum of unit 1 is {z}, its activation {a}"
        caption = f"Forward, {layer_name(layer, self.n_layers)}: {unit}."
        units = self.diagram.numbers(layer + 1)
        return caption, forward_blocks(self.row_pass, layer, self.model.activation, units)

    def _loss(self, layer: int) -> tuple[str, Blocks]:
        outputs = [num4(p) for p in self.row_pass.activations[-1]]
        targets = [num(short(y)) for y in self.row_pass.target]
        output, target = abridged(outputs, MAX_OUTPUTS, ", "), abridged(targets, MAX_OUTPUTS, ", ")
        loss = num4(self.row_pass.loss)
        caption = f"{self.name}: the output is {output}, the target {target}, and the loss {loss}."
        return caption, loss_blocks(self.row_pass, self.diagram.numbers(self.n_layers))

    def _backward(self, layer: int) -> tuple[str, Blocks]:
        in_layer = [k for k, edge in enumerate(self._edges) if edge[0] == layer]
        edges = [self._edges[k] for k in in_layer]
        numerical = self._numerical[in_layer]
        gradient = np.array([self.row_pass.by_coefs[layer][i, j] for _, i, j, _ in edges])
        largest = num4(np.abs(gradient).max(initial=0.0))
        difference = float(np.abs(gradient - numerical).max(initial=0.0))
        caption = (
            f"Backward, {layer_name(layer, self.n_layers)}: the largest derivative is {largest}; "
            f"finite differences confirm all to {difference:.1g}."
        )
        numbered = [(n, i, j) for _, i, j, n in edges]
        return caption, backward_blocks(self.row_pass, layer, numbered, numerical)

    def _update(self, layer: int) -> tuple[str, Blocks]:
        rate = self.step.rate
        change = "all weights move against their gradients at once"
        caption = f"Update: with the learning rate {num(rate)}, {change}."
        return caption, update_blocks(self.row_pass, rate)


def unit_formula(row_pass: RowPass, layer: int, unit: int, activation: str) -> Blocks:
    """Write out the sum and the activation of one unit."""
    inputs, W, b = row_pass.activations[layer], row_pass.coefs[layer], row_pass.intercepts[layer]
    terms = [f"{num4(x)}·{signed(w, 4)}" for x, w in zip(inputs, W[:, unit], strict=True)]
    z, a = row_pass.sums[layer][unit], row_pass.activations[layer + 1][unit]
    last = layer == len(row_pass.coefs) - 1
    formulas = {
        "log_loss": "softmax of all z",
        "binary_log_loss": "1 / (1 + exp(−z))",
        "squared_sigmoid": "1 / (1 + exp(−z))",
    }
    output = formulas.get(row_pass.loss_name, "z") if last else ACTIVATIONS[activation].formula
    name = layer_name(layer, len(row_pass.coefs))
    sum_ = f"{num4(b[unit])} + {abridged(terms, MAX_TERMS)} = {num4(z)}"
    return [Formula(f"{name}, unit {unit + 1}: z = {sum_}"), Formula(f"a = {output} = {num4(a)}")]


def forward_blocks(
    row_pass: RowPass, layer: int, activation: str, units: Sequence[int | None]
) -> Blocks:
    """Write out the sums and activations of a layer; ``units`` are its numbers in the picture."""
    sums, values = row_pass.sums[layer], row_pass.activations[layer + 1]
    b = row_pass.intercepts[layer]
    rows = [(i + 1, short(b[i]), short(sums[i]), short(values[i])) for i in range(len(sums))]
    title = f"Forward: {layer_name(layer, len(row_pass.coefs))}"
    table = short_table(("unit", "b", "z", "a"), rows, title, by="unit", numbers=units)
    return [*unit_formula(row_pass, layer, 0, activation), table]


def loss_blocks(row_pass: RowPass, units: Sequence[int | None]) -> Blocks:
    """Write out the loss of the row and its derivatives by the sums of the output units."""
    columns = (row_pass.activations[-1], row_pass.target, row_pass.deltas[-1])
    rows = [(i, *map(short, numbers)) for i, numbers in enumerate(zip(*columns, strict=True), 1)]
    formula = LOSSES[row_pass.loss_name].formula
    head = ("output", "says", "target y", "δ = ∂L/∂z")
    return [
        Formula(f"L = {formula} = {num(row_pass.loss)}"),
        short_table(head, rows, "Loss and its derivative", by="unit", numbers=units),
    ]


def backward_blocks(
    row_pass: RowPass, layer: int, edges: Sequence[tuple[int, int, int]], numerical: Floats
) -> Blocks:
    """Write out the gradient of a layer beside the numerical one; ``edges`` are (number, i, j)."""
    rows = []
    for (number, i, j), difference in zip(edges, numerical, strict=True):
        gradient = row_pass.by_coefs[layer][i, j]
        rows.append((number, f"{i + 1} → {j + 1}", float(gradient), float(difference)))
    blocks: Blocks = []
    if edges:
        _, i, j = edges[0]
        a, d = row_pass.activations[layer][i], row_pass.deltas[layer][j]
        product = f"{num4(a)} · {signed(d, 4)} = {num4(a * d)}"
        blocks.append(Formula(f"∂L/∂w of {i + 1} → {j + 1} = a δ = {product}"))
    if layer:
        back = row_pass.coefs[layer][0] @ row_pass.deltas[layer]
        product = f"{num4(_slope(row_pass, layer))} · {signed(back, 4)}"
        delta = num4(row_pass.deltas[layer - 1][0])
        blocks.append(Formula(f"layer {layer}, unit 1: δ = f′(z) Σ w δ = {product} = {delta}"))
    worst = float(np.abs([row[2] - row[3] for row in rows]).max(initial=0.0))
    head = ("w", "from → to", "∂L/∂w", "numerical")
    title = f"Backward: {layer_name(layer, len(row_pass.coefs))}"
    quotient = "(L(w + h) − L(w − h)) / 2h with h = 0.00001"
    note = f"numerical: {quotient}; largest difference {num(worst)}"
    return [*blocks, numbered_table(head, rows, title, by="w"), Formula(note)]


def _slope(row_pass: RowPass, layer: int) -> float:
    """Return f'(z) of the first unit of a layer, as its delta has it."""
    back = float(row_pass.coefs[layer][0] @ row_pass.deltas[layer])
    return float(row_pass.deltas[layer - 1][0] / back) if back else 0.0


def update_blocks(row_pass: RowPass, rate: float) -> Blocks:
    """Write out the update by this row alone."""
    w, slope = float(row_pass.coefs[0][0, 0]), float(row_pass.by_coefs[0][0, 0])
    update = f"{num4(w)} − {num(rate)} · {signed(slope, 4)} = {num4(w - rate * slope)}"
    return [
        Formula("w ← w − η ∂L/∂w, all at once, from the gradients of the same forward pass"),
        Formula(f"layer 1, 1 → 1: {update}"),
    ]
