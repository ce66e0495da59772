from .search import SearchStep
from .subset_search import (
    SubsetSearch,
    WrapperSearch,
    backward_elimination,
    best_subset,
    bidirectional_search,
    forward_selection,
)

__all__ = [
    "SearchStep",
    "SubsetSearch",
    "WrapperSearch",
    "backward_elimination",
    "best_subset",
    "bidirectional_search",
    "forward_selection",
]
