"""What is in a table, and making it ready: types of attributes, quality, middle and spread, cleaning."""

from dmlib.preprocessing.attributes import Attribute, guess_attribute
from dmlib.preprocessing.bins import bin_edges, sturges
from dmlib.preprocessing.cleaning import Cleaning
from dmlib.preprocessing.column_summary import ColumnSummary, ColumnSummaryStep
from dmlib.preprocessing.profile import ColumnProfile, Issue, Profile, profile
from dmlib.preprocessing.statistics import Summary, correlation, covariance, summarise

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
