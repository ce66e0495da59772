"""Kinds of data that a page can take, each with its sources and its first picture."""

from dashboard.data.bags import Bags
from dashboard.data.baskets import Baskets
from dashboard.data.digits import Digits
from dashboard.data.graph import Graph
from dashboard.data.image import Image
from dashboard.data.labelled_graph import LabelledGraph
from dashboard.data.lines import Lines
from dashboard.data.network import Network
from dashboard.data.patterns import Patterns
from dashboard.data.points_graph import PointsGraph
from dashboard.data.sequences import Sequences
from dashboard.data.series import Series
from dashboard.data.series_pair import SeriesPair
from dashboard.data.surface import Surface
from dashboard.data.table import Table
from dashboard.data.table_baskets import TableBaskets
from dashboard.data.texts import Texts
from dashboard.data.words import Words

__all__ = [
    "Bags",
    "Baskets",
    "Digits",
    "Graph",
    "Image",
    "LabelledGraph",
    "Lines",
    "Network",
    "Patterns",
    "PointsGraph",
    "Sequences",
    "Series",
    "SeriesPair",
    "Surface",
    "Table",
    "TableBaskets",
    "Texts",
    "Words",
]
