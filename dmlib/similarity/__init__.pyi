from .curse_of_dimensionality.algorithm import DimensionStep, DistanceConcentration, distance_contrast
from .curse_of_dimensionality.volumes import ball_volume, cover_count, edge_share, shell_share
from .graphs_similarity.centrality import CentralityStep, NodeCentrality
from .graphs_similarity.edit_distance import EditStep, GraphEditDistance, graph_edit_distance, is_isomorphic
from .graphs_similarity.features import (
    graphlet_kernel,
    random_walk_kernel,
    shortest_path_kernel,
    weisfeiler_lehman_kernel,
)
from .graphs_similarity.graph_kernel import GraphKernel, GraphKernelStep
from .graphs_similarity.shortest_paths import ShortestPaths, ShortestPathsStep, floyd_warshall, wiener_index
from .strings.alignment import AlignmentStep, StringAlignment, align, alignment_steps, edit_distance
from .strings.spectra import delta_kernel, gappy_kernel, mismatch_kernel, spectrum_kernel, substring_kernel
from .strings.string_kernel import StringKernel, StringKernelStep
from .time_series.algorithm import DynamicTimeWarping
from .time_series.distances import (
    Envelope,
    Neighbor,
    dtw_distances,
    envelope,
    erp,
    euclidean_distance,
    lb_keogh,
    lcss,
    nearest_series,
)
from .time_series.warping import DTWResult, DTWStep, dtw, dtw_distance, dtw_steps, transformed

__all__ = [
    "AlignmentStep",
    "CentralityStep",
    "DTWResult",
    "DTWStep",
    "DimensionStep",
    "DistanceConcentration",
    "DynamicTimeWarping",
    "EditStep",
    "Envelope",
    "GraphEditDistance",
    "GraphKernel",
    "GraphKernelStep",
    "Neighbor",
    "NodeCentrality",
    "ShortestPaths",
    "ShortestPathsStep",
    "StringAlignment",
    "StringKernel",
    "StringKernelStep",
    "align",
    "alignment_steps",
    "ball_volume",
    "cover_count",
    "delta_kernel",
    "distance_contrast",
    "dtw",
    "dtw_distance",
    "dtw_distances",
    "dtw_steps",
    "edge_share",
    "edit_distance",
    "envelope",
    "erp",
    "euclidean_distance",
    "floyd_warshall",
    "gappy_kernel",
    "graph_edit_distance",
    "graphlet_kernel",
    "is_isomorphic",
    "lb_keogh",
    "lcss",
    "mismatch_kernel",
    "nearest_series",
    "random_walk_kernel",
    "shell_share",
    "shortest_path_kernel",
    "spectrum_kernel",
    "substring_kernel",
    "transformed",
    "weisfeiler_lehman_kernel",
    "wiener_index",
]
