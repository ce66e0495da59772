from .attributes import Attribute, guess_attribute
from .cleaning import Cleaning
from .data_overview.bins import bin_edges, sturges
from .data_overview.column_summary import ColumnSummary, ColumnSummaryStep
from .data_overview.profile import ColumnProfile, Issue, Profile, profile
from .data_overview.statistics import Summary, correlation, covariance, summarise

__all__ = [
    "Attribute",
    "Cleaning",
    "ColumnProfile",
    "ColumnSummary",
    "ColumnSummaryStep",
    "Issue",
    "Profile",
    "Summary",
    "bin_edges",
    "correlation",
    "covariance",
    "guess_attribute",
    "profile",
    "sturges",
    "summarise",
]
