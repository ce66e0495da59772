"""What a page can take: one module a kind of data, each with its panel, its sources and its first picture."""

from ui.data.bags import Bags
from ui.data.baskets import Baskets
from ui.data.by_method import ByMethod
from ui.data.digits import Digits
from ui.data.graph import Graph
from ui.data.image import Image
from ui.data.labelled_graph import LabelledGraph
from ui.data.lines import Lines
from ui.data.patterns import Patterns
from ui.data.sequences import Sequences
from ui.data.series import Series
from ui.data.series_pair import SeriesPair
from ui.data.surface import Surface
from ui.data.table import Table
from ui.data.table_baskets import TableBaskets
from ui.data.texts import Texts
from ui.data.words import Words

__all__ = [
    "Bags",
    "Baskets",
    "ByMethod",
    "Digits",
    "Graph",
    "Image",
    "LabelledGraph",
    "Lines",
    "Patterns",
    "Sequences",
    "Series",
    "SeriesPair",
    "Surface",
    "Table",
    "TableBaskets",
    "Texts",
    "Words",
]
