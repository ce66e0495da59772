from .detector import DetectorStep
from .fences import BoxPlotFences, FencesStep
from .isolation_forest import IsolationForest, IsolationForestStep
from .isolation_tree import IsolationTree, average_path_length, grow_trees
from .local_outlier_factor import LocalOutlierFactor, LocalOutlierFactorStep
from .mahalanobis import MahalanobisDistance, MahalanobisStep
from .neighbor_distance import KthNeighborDistance, NeighborStep

__all__ = [
    "BoxPlotFences",
    "DetectorStep",
    "FencesStep",
    "IsolationForest",
    "IsolationForestStep",
    "IsolationTree",
    "KthNeighborDistance",
    "LocalOutlierFactor",
    "LocalOutlierFactorStep",
    "MahalanobisDistance",
    "MahalanobisStep",
    "NeighborStep",
    "average_path_length",
    "grow_trees",
]
