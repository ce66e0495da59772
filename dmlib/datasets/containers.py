"""Shapes of data that are no table: baskets, graphs, series, texts, images, networks, ..."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dmlib.cached import cached_property
from dmlib.datasets.networks import NetworkNode
from dmlib.datasets.table import Note, packed

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, eq=False, kw_only=True)
class Described:
    """Metadata of a data set.

    Parameters
    ----------
    name : str
        The short name, as in a link.
    title, description : str
        For people: a few words, and a sentence.
    source, licence : str
        Where the data come from, and on what terms.
    notes : tuple of Note
        What was done to the data.
    """

    name: str
    title: str = ""
    description: str = ""
    source: str = ""
    licence: str = ""
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False)
class Baskets(Described):
    """Transactions: what was bought together.

    Parameters
    ----------
    transactions : tuple of frozenset of str
        One set of items per basket.

    Examples
    --------
    >>> Baskets((frozenset({"tea", "milk"}), frozenset({"tea"})), name="toy").items
    ('milk', 'tea')
    """

    transactions: tuple[frozenset[str], ...]

    @cached_property
    def items(self) -> tuple[str, ...]:
        """All items, in alphabetical order."""
        return tuple(sorted(frozenset().union(*self.transactions)))

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, of every basket in order."""
        sha = hashlib.sha256(b"baskets\n")
        for basket in self.transactions:
            sha.update(packed(sorted(basket)))
        return sha.hexdigest()


@dataclass(frozen=True, eq=False)
class GraphData(Described):
    """A graph with its description.

    Parameters
    ----------
    graph : networkx.Graph
        Nodes and edges; weights, where there are any, in the edge attribute ``weight``.
    target : str, optional
        The node attribute that holds the known groups.
    """

    graph: nx.Graph
    target: str | None = None

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, of nodes and edges with their attributes, in order."""
        sha = hashlib.sha256(b"directed graph\n" if self.graph.is_directed() else b"graph\n")
        for parts in (*self.graph.nodes(data=True), ("edges",), *self.graph.edges(data=True)):
            sha.update(
                packed(
                    _attributes(part) if isinstance(part, dict) else repr(part) for part in parts
                )
            )
        return sha.hexdigest()


@dataclass(frozen=True, eq=False)
class SeriesData(Described):
    """One or two series of numbers.

    Parameters
    ----------
    values : tuple of ndarray of shape (n_values,)
        The values of each; NaN where one is missing.
    names : tuple of str
        What the series are called.
    times : tuple of ndarray of shape (n_values,)
        When each value was measured.
    time : str
        What the times count ("year").

    Examples
    --------
    >>> hours = np.arange(3.0)
    >>> SeriesData((hours**2,), ("height",), (hours,), name="toy").time
    'time'
    """

    values: tuple[NDArray[np.float64], ...]
    names: tuple[str, ...]
    times: tuple[NDArray[np.float64], ...]
    time: str = "time"

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, of every name, time and value."""
        sha = hashlib.sha256(b"series\n" + packed([self.time, *self.names]))
        for array in (*self.values, *self.times):
            sha.update(_array(array))
        return sha.hexdigest()


@dataclass(frozen=True, eq=False)
class Strings(Described):
    """A list of texts.

    Parameters
    ----------
    texts : tuple of str
        The texts.
    names : tuple of str
        What each is called; empty for nothing.
    classes : tuple of str
        The class of each; empty where there are none.

    Examples
    --------
    >>> len(Strings(("GATTACA", "CATTAG"), name="dna").texts)
    2
    """

    texts: tuple[str, ...]
    names: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, of every text, name and class in order."""
        parts = (packed(part) for part in (self.texts, self.names, self.classes))
        return hashlib.sha256(b"strings\n" + b"".join(parts)).hexdigest()


@dataclass(frozen=True, eq=False)
class ImageData(Described):
    """An image.

    Parameters
    ----------
    pixels : ndarray of uint8 of shape (height, width) or (height, width, 3)
        Grey values, or red, green and blue.

    Examples
    --------
    >>> ImageData(np.zeros((2, 3), np.uint8), name="dark").pixels.shape
    (2, 3)
    """

    pixels: NDArray[np.uint8]

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, of the pixels."""
        return hashlib.sha256(b"image\n" + _array(self.pixels)).hexdigest()


@dataclass(frozen=True, eq=False)
class SurfaceData(Described):
    """A function of two variables.

    Parameters
    ----------
    formula : str
        What is computed of x and y; empty for the loss of a model.
    domain : tuple of (float, float, float, float)
        x0, x1, y0, y1 of the part of the plane that is shown.
    loss : {"", "squared", "logistic"}
        Of a model with an intercept and a slope: which loss is the height; empty for a formula.
    rows : ndarray of shape (n_samples, 2) or None
        The rows that the model is fitted to: its input, and what it predicts.

    Examples
    --------
    >>> SurfaceData("x^2 + y^2", (-2, 2, -2, 2), name="bowl").formula
    'x^2 + y^2'
    """

    formula: str
    domain: tuple[float, float, float, float]
    loss: str = ""
    rows: NDArray[np.float64] | None = None

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, of the formula, the domain, the loss and its rows."""
        sha = hashlib.sha256(b"surface\n" + packed([self.formula, *map(repr, self.domain)]))
        if self.rows is not None:
            sha.update(packed([self.loss]) + _array(self.rows))
        return sha.hexdigest()


@dataclass(frozen=True, eq=False)
class Patterns(Described):
    """Patterns of cells that are on or off.

    Parameters
    ----------
    patterns : ndarray of bool of shape (n_patterns, height, width)
        The patterns.
    names : tuple of str
        What each is called; names may repeat.

    Examples
    --------
    >>> Patterns(np.eye(2, dtype=bool)[None], ("diagonal",), name="toy").patterns.shape
    (1, 2, 2)
    """

    patterns: NDArray[np.bool_]
    names: tuple[str, ...]

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, of every pattern and name in order."""
        return hashlib.sha256(
            b"patterns\n" + packed(self.names) + _array(self.patterns)
        ).hexdigest()


@dataclass(frozen=True, eq=False)
class NetworkData(Described):
    """A Bayesian network with its tables.

    Parameters
    ----------
    nodes : tuple of NetworkNode
        The variables, parents before their children.
    target : str
        The node that is asked about first.
    columns : tuple of str
        The columns of the table in which its tables were counted that can be nodes, whether they
        are or not; of a broad table none.

    Examples
    --------
    >>> from dmlib.datasets.networks import network
    >>> NetworkData(network("sprinkler"), "rain", name="lawn").nodes[3].parents
    ('sprinkler', 'rain')
    """

    nodes: tuple[NetworkNode, ...]
    target: str
    columns: tuple[str, ...] = ()

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, of every node with its table in order."""
        sha = hashlib.sha256(b"network\n" + packed([self.target]))
        for node in self.nodes:
            sha.update(packed([node.name, *node.values, "|", *node.parents]) + _array(node.table))
        return sha.hexdigest()


def _attributes(mapping: Mapping[Hashable, Any]) -> str:
    return repr(sorted((repr(key), repr(value)) for key, value in mapping.items()))


def _array(array: NDArray[Any]) -> bytes:
    return packed([array.dtype.str, *map(str, array.shape)]) + np.ascontiguousarray(array).tobytes()
