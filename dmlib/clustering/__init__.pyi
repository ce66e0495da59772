from .cluster_validity.algorithm import ClusterValidity, ValidityStep
from .cluster_validity.resampling import (
    GapStatistic,
    Stability,
    gap_statistic,
    random_values,
    stability,
)
from .cluster_validity.tendency import hopkins
from .codes import decode, psnr
from .dbscan.algorithm import DBSCAN, DBSCANStep
from .gaussian_mixture.algorithm import GaussianMixture
from .gaussian_mixture.em import GaussianMixtureStep
from .gaussian_mixture.mixture_sweep import MixtureSweep, mixture_sweep
from .graph_clustering.algorithm import (
    ThresholdGraphClustering,
    ThresholdGraphClusteringStep,
    spanning_forest,
)
from .graph_clustering.points_graph import points_graph
from .hierarchical.algorithm import AgglomerativeClustering
from .hierarchical.divisive import DivisiveClustering
from .hierarchical.merges import AgglomerativeClusteringStep
from .hierarchical.splits import DivisiveClusteringStep
from .kernel_kmeans.algorithm import KernelKMeans
from .kernel_kmeans.fuzzy_cmeans import FuzzyCMeans, FuzzyCMeansStep
from .kernel_kmeans.kernel_lloyd import KernelKMeansStep
from .kmeans.algorithm import KMeans, KMeansStep
from .kmeans.kcentroids import KCentroids
from .kmeans_variants.bisecting_kmeans import BisectingKMeans, BisectingKMeansStep
from .kmeans_variants.xmeans import Score, XMeans, XMeansStep, bic_score
from .kmedoids.algorithm import KMedoids
from .kmedoids.clara import CLARAStep
from .kmedoids.search import KMedoidsStep
from .mean_shift.algorithm import MeanShift, MeanShiftStep
from .neighbors import k_distances
from .optics.algorithm import OPTICS, OPTICSStep
from .reachability import cut_reachability
from .spectral.algorithm import SpectralClustering, SpectralClusteringStep
from .spectral.graph_partitioning import SpectralGraphClustering
from .spectral.similarity_graph import GraphCuts, graph_cuts
from .validity import KSweep, k_sweep
from .vector_quantisation.algorithm import CodeBookStep, VectorQuantizer, VectorQuantizerStep
from .vector_quantisation.dithering import dither
from .vector_quantisation.lvq import LVQ
from .vector_quantisation.online import OnlineStep
from .vector_quantisation.som import SelfOrganizingMap

__all__ = [
    "DBSCAN",
    "LVQ",
    "OPTICS",
    "AgglomerativeClustering",
    "AgglomerativeClusteringStep",
    "BisectingKMeans",
    "BisectingKMeansStep",
    "CLARAStep",
    "ClusterValidity",
    "CodeBookStep",
    "DBSCANStep",
    "DivisiveClustering",
    "DivisiveClusteringStep",
    "FuzzyCMeans",
    "FuzzyCMeansStep",
    "GapStatistic",
    "GaussianMixture",
    "GaussianMixtureStep",
    "GraphCuts",
    "KCentroids",
    "KMeans",
    "KMeansStep",
    "KMedoids",
    "KMedoidsStep",
    "KSweep",
    "KernelKMeans",
    "KernelKMeansStep",
    "MeanShift",
    "MeanShiftStep",
    "MixtureSweep",
    "OPTICSStep",
    "OnlineStep",
    "Score",
    "SelfOrganizingMap",
    "SpectralClustering",
    "SpectralClusteringStep",
    "SpectralGraphClustering",
    "Stability",
    "ThresholdGraphClustering",
    "ThresholdGraphClusteringStep",
    "ValidityStep",
    "VectorQuantizer",
    "VectorQuantizerStep",
    "XMeans",
    "XMeansStep",
    "bic_score",
    "cut_reachability",
    "decode",
    "dither",
    "gap_statistic",
    "graph_cuts",
    "hopkins",
    "k_distances",
    "k_sweep",
    "mixture_sweep",
    "points_graph",
    "psnr",
    "random_values",
    "spanning_forest",
    "stability",
]
