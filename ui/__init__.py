"""The Streamlit side: one page body and the parts that it is made of."""

from dmlib.pictures.run import Run
from ui.data import Baskets, Graph, LabelledGraph, Lines, Table, TableBaskets
from ui.home import home
from ui.living import Living
from ui.page import show
from ui.plots import confusion_matrix, known_classes, silhouettes
from ui.technique import Check, Plot, Report, Technique
from ui.tools import (
    Ask,
    BuildTree,
    Drag,
    ItemSupports,
    PickClass,
    PickColumn,
    PickModel,
    PlaceCenters,
    Setting,
    ShowColumn,
    Tool,
)

__all__ = [
    "Ask",
    "Baskets",
    "BuildTree",
    "Check",
    "Drag",
    "Graph",
    "ItemSupports",
    "LabelledGraph",
    "Lines",
    "Living",
    "PickClass",
    "PickColumn",
    "PickModel",
    "PlaceCenters",
    "Plot",
    "Report",
    "Run",
    "Setting",
    "ShowColumn",
    "Table",
    "TableBaskets",
    "Technique",
    "Tool",
    "confusion_matrix",
    "home",
    "known_classes",
    "show",
    "silhouettes",
]
