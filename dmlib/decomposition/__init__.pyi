from .pca.algorithm import PCA
from .pca.power_iteration import PCAStep

__all__ = [
    "PCA",
    "PCAStep",
]
