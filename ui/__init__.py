"""The Streamlit side: one page body and the parts that it is made of."""

from ui.home import home
from ui.page import show
from ui.plots import confusion_matrix, known_classes, silhouettes
from ui.technique import ColumnChoice, Option, Placing, Plot, Preset, Report, Run, Technique

__all__ = [
    "ColumnChoice",
    "Option",
    "Placing",
    "Plot",
    "Preset",
    "Report",
    "Run",
    "Technique",
    "confusion_matrix",
    "home",
    "known_classes",
    "show",
    "silhouettes",
]
