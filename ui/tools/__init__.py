"""Tools: one gesture of the reader each, in a file of its own."""

from ui.tools.ask import Ask
from ui.tools.build_tree import BuildTree
from ui.tools.drag import Drag
from ui.tools.draw_digit import DrawDigit
from ui.tools.item_supports import ItemSupports
from ui.tools.layers import Layers
from ui.tools.offer_scaling import OfferScaling
from ui.tools.own_values import OwnValues
from ui.tools.pick import PickClass, PickColumn
from ui.tools.pick_cell import PickCell
from ui.tools.pick_clustering import PickClustering
from ui.tools.pick_model import PickModel
from ui.tools.place_centers import PlaceCenters
from ui.tools.place_points import PlacePoints
from ui.tools.place_start import PlaceStart
from ui.tools.setting import Setting
from ui.tools.show_column import ShowColumn
from ui.tools.switch_cells import SwitchCells
from ui.tools.tool import Page, Tool

__all__ = [
    "Ask",
    "BuildTree",
    "Drag",
    "DrawDigit",
    "ItemSupports",
    "Layers",
    "OfferScaling",
    "OwnValues",
    "Page",
    "PickCell",
    "PickClass",
    "PickClustering",
    "PickColumn",
    "PickModel",
    "PlaceCenters",
    "PlacePoints",
    "PlaceStart",
    "Setting",
    "ShowColumn",
    "SwitchCells",
    "Tool",
]
