"""Clustering: groups in data without known classes."""

from dmlib.clustering.bisecting_kmeans import BisectingKMeans, BisectingKMeansStep
from dmlib.clustering.kmeans import KMeans, KMeansStep
from dmlib.clustering.validity import KSweep, k_sweep
from dmlib.clustering.xmeans import Score, XMeans, XMeansStep, bic_score

__all__ = [
    "BisectingKMeans",
    "BisectingKMeansStep",
    "KMeans",
    "KMeansStep",
    "KSweep",
    "Score",
    "XMeans",
    "XMeansStep",
    "bic_score",
    "k_sweep",
]
