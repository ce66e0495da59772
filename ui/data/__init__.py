"""What a page can take: one module a kind of data, each with its panel, its sources and its first picture."""

from ui.data.baskets import Baskets
from ui.data.graph import Graph
from ui.data.image import Image
from ui.data.labelled_graph import LabelledGraph
from ui.data.lines import Lines
from ui.data.series import Series
from ui.data.surface import Surface
from ui.data.table import Table
from ui.data.table_baskets import TableBaskets
from ui.data.texts import Texts

__all__ = ["Baskets", "Graph", "Image", "LabelledGraph", "Lines", "Series", "Surface", "Table", "TableBaskets", "Texts"]
