"""Tools: one gesture of the reader each, in a file of its own."""

from ui.tools.ask import Ask
from ui.tools.build_tree import BuildTree
from ui.tools.drag import Drag
from ui.tools.item_supports import ItemSupports
from ui.tools.pick import PickClass, PickColumn
from ui.tools.pick_model import PickModel
from ui.tools.place_centers import PlaceCenters
from ui.tools.setting import Setting
from ui.tools.show_column import ShowColumn
from ui.tools.tool import Page, Tool

__all__ = [
    "Ask",
    "BuildTree",
    "Drag",
    "ItemSupports",
    "Page",
    "PickClass",
    "PickColumn",
    "PickModel",
    "PlaceCenters",
    "Setting",
    "ShowColumn",
    "Tool",
]
