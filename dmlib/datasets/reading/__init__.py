"""Readers of files: tables, baskets, graphs, images, patterns, series, texts."""

from dmlib.datasets.reading.baskets import read_baskets
from dmlib.datasets.reading.images import read_image
from dmlib.datasets.reading.marked_graphs import class_attributes
from dmlib.datasets.reading.networks import read_network
from dmlib.datasets.reading.options import Limits, ReadOptions
from dmlib.datasets.reading.others import read_graph, read_strings
from dmlib.datasets.reading.patterns import read_patterns
from dmlib.datasets.reading.series import read_series
from dmlib.datasets.reading.tables import read_table

__all__ = [
    "Limits",
    "ReadOptions",
    "class_attributes",
    "read_baskets",
    "read_graph",
    "read_image",
    "read_network",
    "read_patterns",
    "read_series",
    "read_strings",
    "read_table",
]
