"""The Streamlit side: one page body and the parts that it is made of."""

from ui.home import home
from ui.page import show
from ui.technique import ColumnChoice, Option, Placing, Plot, Preset, Report, Run, Technique

__all__ = ["ColumnChoice", "Option", "Placing", "Plot", "Preset", "Report", "Run", "Technique", "home", "show"]
