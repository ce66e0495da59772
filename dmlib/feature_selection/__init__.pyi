from .coverage import CoverageSelector, CoverageStep, greedy_coverage
from .filter_selector import FilterSelector, FilterStep
from .filters import filter_scores
from .l0_svm import L0SVM, L0SVMStep
from .probe import ProbeSelector, ProbeStep, probe_method
from .regressor_search import RegressorSearch
from .search import SearchStep
from .sensor_placement import SensorPlacement
from .subset_search import (
    SubsetSearch,
    backward_elimination,
    best_subset,
    bidirectional_search,
    forward_selection,
)
from .wrapper_search import WrapperSearch

__all__ = [
    "L0SVM",
    "CoverageSelector",
    "CoverageStep",
    "FilterSelector",
    "FilterStep",
    "L0SVMStep",
    "ProbeSelector",
    "ProbeStep",
    "RegressorSearch",
    "SearchStep",
    "SensorPlacement",
    "SubsetSearch",
    "WrapperSearch",
    "backward_elimination",
    "best_subset",
    "bidirectional_search",
    "filter_scores",
    "forward_selection",
    "greedy_coverage",
    "probe_method",
]
