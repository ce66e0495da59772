"""Data: a library of real data of every kind, generators, what is drawn, and reading of files."""

from dmlib.datasets.catalogue import LIBRARY
from dmlib.datasets.containers import Baskets, GraphData, ImageData, Patterns, SeriesData, Strings, SurfaceData
from dmlib.datasets.drawn import (
    decode_baskets,
    decode_curves,
    decode_graph,
    decode_patterns,
    decode_points,
    drawn,
    drawn_baskets,
    drawn_graph,
    drawn_patterns,
    drawn_series,
    encode_baskets,
    encode_curves,
    encode_graph,
    encode_patterns,
    encode_points,
)
from dmlib.datasets.generators import GENERATORS, generators, make
from dmlib.datasets.library import load, names
from dmlib.datasets.messy import MESSY, messy_file
from dmlib.datasets.reading import (
    Limits,
    ReadOptions,
    read_baskets,
    read_graph,
    read_image,
    read_patterns,
    read_strings,
    read_table,
)
from dmlib.datasets.table import Note, Table, TableError

__all__ = [
    "GENERATORS",
    "LIBRARY",
    "MESSY",
    "Baskets",
    "GraphData",
    "ImageData",
    "Limits",
    "Note",
    "Patterns",
    "ReadOptions",
    "SeriesData",
    "Strings",
    "SurfaceData",
    "Table",
    "TableError",
    "decode_baskets",
    "decode_curves",
    "decode_graph",
    "decode_patterns",
    "decode_points",
    "drawn",
    "drawn_baskets",
    "drawn_graph",
    "drawn_patterns",
    "drawn_series",
    "encode_baskets",
    "encode_curves",
    "encode_graph",
    "encode_patterns",
    "encode_points",
    "generators",
    "load",
    "make",
    "messy_file",
    "names",
    "read_baskets",
    "read_graph",
    "read_image",
    "read_patterns",
    "read_strings",
    "read_table",
]
