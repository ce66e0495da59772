"""Drawn data, and the short text by which they travel in a link."""

from dmlib.datasets.drawn.baskets import decode_baskets, drawn_baskets, encode_baskets
from dmlib.datasets.drawn.confusion import confusion_table
from dmlib.datasets.drawn.curves import decode_curves, drawn_series, encode_curves
from dmlib.datasets.drawn.digits import DRAW_BOX, DRAW_STEP
from dmlib.datasets.drawn.graph import decode_graph, drawn_graph, encode_graph
from dmlib.datasets.drawn.patterns import decode_patterns, drawn_patterns, encode_patterns
from dmlib.datasets.drawn.points import (
    MAX_CLASSES,
    MAX_POINTS,
    class_name,
    decode_points,
    drawn_table,
    encode_points,
)

__all__ = [
    "DRAW_BOX",
    "DRAW_STEP",
    "MAX_CLASSES",
    "MAX_POINTS",
    "class_name",
    "confusion_table",
    "decode_baskets",
    "decode_curves",
    "decode_graph",
    "decode_patterns",
    "decode_points",
    "drawn_baskets",
    "drawn_graph",
    "drawn_patterns",
    "drawn_series",
    "drawn_table",
    "encode_baskets",
    "encode_curves",
    "encode_graph",
    "encode_patterns",
    "encode_points",
]
