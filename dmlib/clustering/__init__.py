"""Clustering: groups in data without known classes."""

from dmlib.clustering.agglomerative import AgglomerativeClustering, AgglomerativeClusteringStep
from dmlib.clustering.bisecting_kmeans import BisectingKMeans, BisectingKMeansStep
from dmlib.clustering.dbscan import DBSCAN, DBSCANStep
from dmlib.clustering.em import GaussianMixtureStep
from dmlib.clustering.gaussian_mixture import GaussianMixture
from dmlib.clustering.kmeans import KMeans, KMeansStep
from dmlib.clustering.mixture_sweep import MixtureSweep, mixture_sweep
from dmlib.clustering.neighbors import k_distances
from dmlib.clustering.optics import OPTICS, OPTICSStep
from dmlib.clustering.reachability import cut_reachability
from dmlib.clustering.similarity_graph import GraphCuts, graph_cuts
from dmlib.clustering.spectral import SpectralClustering, SpectralClusteringStep
from dmlib.clustering.validity import KSweep, k_sweep
from dmlib.clustering.xmeans import Score, XMeans, XMeansStep, bic_score

__all__ = [
    "DBSCAN",
    "OPTICS",
    "AgglomerativeClustering",
    "AgglomerativeClusteringStep",
    "BisectingKMeans",
    "BisectingKMeansStep",
    "DBSCANStep",
    "GaussianMixture",
    "GaussianMixtureStep",
    "GraphCuts",
    "KMeans",
    "KMeansStep",
    "KSweep",
    "MixtureSweep",
    "OPTICSStep",
    "Score",
    "SpectralClustering",
    "SpectralClusteringStep",
    "XMeans",
    "XMeansStep",
    "bic_score",
    "cut_reachability",
    "graph_cuts",
    "k_distances",
    "k_sweep",
    "mixture_sweep",
]
