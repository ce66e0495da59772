from .dbscan.algorithm import DBSCAN, DBSCANStep
from .gaussian_mixture.algorithm import GaussianMixture
from .gaussian_mixture.em import GaussianMixtureStep
from .gaussian_mixture.mixture_sweep import MixtureSweep, mixture_sweep
from .graph_clustering.algorithm import (
    ThresholdGraphClustering,
    ThresholdGraphClusteringStep,
    spanning_forest,
)
from .hierarchical.algorithm import AgglomerativeClustering, AgglomerativeClusteringStep
from .kmeans.algorithm import KMeans, KMeansStep
from .kmeans_variants.bisecting_kmeans import BisectingKMeans, BisectingKMeansStep
from .kmeans_variants.xmeans import Score, XMeans, XMeansStep, bic_score
from .kmedoids.algorithm import KMedoids, KMedoidsStep
from .kmedoids.clara import CLARAStep
from .neighbors import k_distances
from .optics.algorithm import OPTICS, OPTICSStep
from .reachability import cut_reachability
from .spectral.algorithm import SpectralClustering, SpectralClusteringStep
from .spectral.similarity_graph import GraphCuts, graph_cuts
from .validity import KSweep, k_sweep

__all__ = [
    "DBSCAN",
    "OPTICS",
    "AgglomerativeClustering",
    "AgglomerativeClusteringStep",
    "BisectingKMeans",
    "BisectingKMeansStep",
    "CLARAStep",
    "DBSCANStep",
    "GaussianMixture",
    "GaussianMixtureStep",
    "GraphCuts",
    "KMeans",
    "KMeansStep",
    "KMedoids",
    "KMedoidsStep",
    "KSweep",
    "MixtureSweep",
    "OPTICSStep",
    "Score",
    "SpectralClustering",
    "SpectralClusteringStep",
    "ThresholdGraphClustering",
    "ThresholdGraphClusteringStep",
    "XMeans",
    "XMeansStep",
    "bic_score",
    "cut_reachability",
    "graph_cuts",
    "k_distances",
    "k_sweep",
    "mixture_sweep",
    "spanning_forest",
]
