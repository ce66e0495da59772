"""Tools: one gesture of the reader each, in a file of its own."""

from dashboard.tools.ask import Ask
from dashboard.tools.ask_labels import AskLabels
from dashboard.tools.build_tree import BuildTree
from dashboard.tools.class_priors import ClassPriors
from dashboard.tools.drag import Drag
from dashboard.tools.draw_digit import DrawDigit
from dashboard.tools.item_supports import ItemSupports
from dashboard.tools.layers import Layers
from dashboard.tools.offer_scaling import OfferScaling
from dashboard.tools.own_values import CLASS_WEIGHTS, ERROR_COSTS, OwnValues
from dashboard.tools.pick import PickClass, PickColumn, PickKnown
from dashboard.tools.pick_cell import PickCell
from dashboard.tools.pick_clustering import PickClustering
from dashboard.tools.pick_model import PickModel
from dashboard.tools.place_centers import PlaceCenters
from dashboard.tools.place_points import PlacePoints
from dashboard.tools.place_start import PlaceStart
from dashboard.tools.setting import MainSetting, Setting
from dashboard.tools.show_column import ShowColumn
from dashboard.tools.show_target import ShowTarget
from dashboard.tools.support_count import SupportCount
from dashboard.tools.switch_cells import SwitchCells
from dashboard.tools.tool import Page, Tool
from dashboard.tools.write_formula import WriteFormula

__all__ = [
    "CLASS_WEIGHTS",
    "ERROR_COSTS",
    "Ask",
    "AskLabels",
    "BuildTree",
    "ClassPriors",
    "Drag",
    "DrawDigit",
    "ItemSupports",
    "Layers",
    "MainSetting",
    "OfferScaling",
    "OwnValues",
    "Page",
    "PickCell",
    "PickClass",
    "PickClustering",
    "PickColumn",
    "PickKnown",
    "PickModel",
    "PlaceCenters",
    "PlacePoints",
    "PlaceStart",
    "Setting",
    "ShowColumn",
    "ShowTarget",
    "SupportCount",
    "SwitchCells",
    "Tool",
    "WriteFormula",
]
