"""Decomposition: few columns in place of many."""

from dmlib.decomposition.pca import PCA
from dmlib.decomposition.power_iteration import PCAStep

__all__ = ["PCA", "PCAStep"]
