"""Data: a library of real tables, graphs and baskets, generators, drawn points, and reading of files."""

from dmlib.datasets.catalogue import LIBRARY
from dmlib.datasets.drawn import decode_points, drawn, encode_points
from dmlib.datasets.generators import GENERATORS, make
from dmlib.datasets.library import load, names
from dmlib.datasets.messy import MESSY, messy_file
from dmlib.datasets.reading import Limits, ReadOptions, read_baskets, read_graph, read_strings, read_table
from dmlib.datasets.table import Baskets, GraphData, Note, Strings, Table, TableError

__all__ = [
    "GENERATORS",
    "LIBRARY",
    "MESSY",
    "Baskets",
    "GraphData",
    "Limits",
    "Note",
    "ReadOptions",
    "Strings",
    "Table",
    "TableError",
    "decode_points",
    "drawn",
    "encode_points",
    "load",
    "make",
    "messy_file",
    "names",
    "read_baskets",
    "read_graph",
    "read_strings",
    "read_table",
]
