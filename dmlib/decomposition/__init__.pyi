from .factorisation.algorithm import SVD, FactorStep
from .factorisation.autoencoder import Autoencoder
from .factorisation.nmf import NMF
from .factorisation.picture import ImageSVD
from .factorisation.picture_parts import ImageParts
from .factorisation.sparse_coding import SparseCoding
from .pca.algorithm import PCA
from .pca.power_iteration import PCAStep

__all__ = [
    "NMF",
    "PCA",
    "SVD",
    "Autoencoder",
    "FactorStep",
    "ImageParts",
    "ImageSVD",
    "PCAStep",
    "SparseCoding",
]
