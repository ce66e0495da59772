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
    "DynamicTimeWarping",
    "Envelope",
    "Neighbor",
    "StringAlignment",
    "StringKernel",
    "StringKernelStep",
    "align",
    "alignment_steps",
    "delta_kernel",
    "dtw",
    "dtw_distance",
    "dtw_distances",
    "dtw_steps",
    "edit_distance",
    "envelope",
    "erp",
    "euclidean_distance",
    "gappy_kernel",
    "lb_keogh",
    "lcss",
    "mismatch_kernel",
    "nearest_series",
    "spectrum_kernel",
    "substring_kernel",
    "transformed",
]
