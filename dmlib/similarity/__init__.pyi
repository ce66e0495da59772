from .curse_of_dimensionality.algorithm import DimensionStep, DistanceConcentration, distance_contrast
from .curse_of_dimensionality.volumes import ball_volume, cover_count, edge_share, shell_share
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
    "DTWResult",
    "DTWStep",
    "DimensionStep",
    "DistanceConcentration",
    "DynamicTimeWarping",
    "Envelope",
    "Neighbor",
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
    "gappy_kernel",
    "lb_keogh",
    "lcss",
    "mismatch_kernel",
    "nearest_series",
    "shell_share",
    "spectrum_kernel",
    "substring_kernel",
    "transformed",
]
