"""Where the units of a cascade are drawn: each hidden unit in a column of its own, fed by all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.neural.mlp.diagram_scene import HALF_SIZE, Diagram, diagram_of

MAX_HIDDEN = 12  # columns of hidden units
HEIGHTS = (0.0, 1.15, -1.15)  # of hidden units, by turns, so that edges pass between them


@dataclass(frozen=True)
class CascadeDiagram(Diagram):
    """The layout of a cascade: its layers are the columns, each hidden unit, and the outputs.

    Weights are the list of those of each hidden unit and of the outputs, with a row for each input:
    the columns, and the hidden units before.
    """

    @property
    def n_hidden(self) -> int:
        """The number of hidden units that are drawn."""
        return len(self.sizes) - 2

    @cached_property
    def sources(self) -> list[int]:
        """The layer from which each edge comes."""
        return [source for source, *_ in self._all]

    @cached_property
    def _all(self) -> list[tuple[int, int, int, int]]:
        """All edges: (layer they come from, place there, layer they lead to, place there)."""
        return [
            (source, i, layer, j)
            for layer in range(1, len(self.units))
            for source in range(layer)
            for j in range(len(self.units[layer]))
            for i in range(len(self.units[source]))
        ]

    @cached_property
    def edges(self) -> list[tuple[int, int, int, int]]:
        """The weights that are drawn: (layer, place of the input, place of the unit, number)."""
        return [(layer - 1, i, j, n) for n, (_, i, layer, j) in enumerate(self._all, start=1)]

    @cached_property
    def ends(self) -> tuple[Floats, Floats]:
        """Both ends of the edges, shape (n_edges, 2) each, at the sides of their units."""
        starts = np.array([self.places[source][i] for source, i, _, _ in self._all])
        ends = np.array([self.places[layer][j] for _, _, layer, j in self._all])
        side = self.half * [1.0, 0.0]
        return starts + side, ends - side

    def values(self, layers: Sequence[Floats]) -> Floats:
        """Return the values of the drawn edges, from matrices like the weights of each unit."""
        n_columns = self.sizes[0]
        values = []
        for source, i, layer, j in self._all:
            row = int(self.units[0][i]) if source == 0 else n_columns + source - 1
            values.append(layers[layer - 1][row, int(self.units[layer][j])])
        return np.array(values)

    def padded(self, coefs: Sequence[Floats]) -> list[Floats]:
        """Return weights with those of units that are not there yet, 0.

        Examples
        --------
        >>> diagram = cascade_diagram([np.ones((2, 1)), np.ones((3, 1))])
        >>> [W.shape for W in diagram.padded([np.ones((2, 1))])]
        [(2, 1), (3, 1)]
        """
        n_columns = self.sizes[0]
        *hidden, outputs = coefs
        hidden = hidden[: self.n_hidden]
        hidden += [np.zeros((n_columns + k, 1)) for k in range(len(hidden), self.n_hidden)]
        full = np.zeros((n_columns + self.n_hidden, outputs.shape[1]))
        full[: len(outputs)] = outputs[: len(full)]
        return [*hidden, full]


def cascade_diagram(coefs: Sequence[Floats]) -> CascadeDiagram:
    """Return the layout of a cascade; of very many hidden units that of the first.

    Examples
    --------
    >>> coefs = [np.ones((2, 1)), np.ones((3, 1))]
    >>> diagram = cascade_diagram(coefs)
    >>> diagram.n_hidden, len(diagram.edges), float(diagram.values(coefs).sum())
    (1, 5, 5.0)
    """
    n_hidden = min(len(coefs) - 1, MAX_HIDDEN)
    n_columns = coefs[0].shape[0]
    outside = diagram_of([coefs[-1][:n_columns]])  # the columns and the outputs
    columns, outputs = outside.units
    hidden = [np.array([0])] * n_hidden
    places = [np.array([[k + 1.0, HEIGHTS[k % len(HEIGHTS)]]]) for k in range(n_hidden)]
    last = outside.places[1] + [float(n_hidden), 0.0]
    sizes = (n_columns, *[1] * n_hidden, coefs[-1].shape[1])
    return CascadeDiagram(
        (columns, *hidden, outputs), (outside.places[0], *places, last), sizes, HALF_SIZE
    )
