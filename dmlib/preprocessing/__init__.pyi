from .attributes import Attribute, guess_attribute
from .bin_counts import sturges
from .cleaning import Cleaning
from .data_overview.bins import bin_edges
from .data_overview.column_summary import ColumnSummary, ColumnSummaryStep
from .data_overview.profile import ColumnProfile, Issue, Profile, profile
from .data_overview.statistics import Summary, correlation, covariance, summarise
from .discretisation.algorithm import Discretizer, DiscretizerStep
from .discretisation.binarizer import Binarizer, BinarizerStep
from .missing_values.algorithm import Imputer, ImputerStep
from .missing_values.mechanisms import MCARReport, make_holes, mcar_report
from .missing_values.multiple import MultipleImputer, Pooled, pool
from .transformation.aggregation import AggregateStep, Aggregator
from .transformation.algorithm import Rescaler, RescalerStep
from .transformation.formula_transformer import FormulaStep, FormulaTransformer
from .transformation.sampling import Sampler, SampleStep

__all__ = [
    "AggregateStep",
    "Aggregator",
    "Attribute",
    "Binarizer",
    "BinarizerStep",
    "Cleaning",
    "ColumnProfile",
    "ColumnSummary",
    "ColumnSummaryStep",
    "Discretizer",
    "DiscretizerStep",
    "FormulaStep",
    "FormulaTransformer",
    "Imputer",
    "ImputerStep",
    "Issue",
    "MCARReport",
    "MultipleImputer",
    "Pooled",
    "Profile",
    "Rescaler",
    "RescalerStep",
    "SampleStep",
    "Sampler",
    "Summary",
    "bin_edges",
    "correlation",
    "covariance",
    "guess_attribute",
    "make_holes",
    "mcar_report",
    "pool",
    "profile",
    "sturges",
    "summarise",
]
