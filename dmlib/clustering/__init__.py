"""Clustering: groups in data without known classes."""

from dmlib.clustering.bisecting_kmeans import BisectingKMeans, BisectingKMeansStep
from dmlib.clustering.kmeans import KMeans, KMeansStep
from dmlib.clustering.xmeans import XMeans, XMeansStep

__all__ = ["BisectingKMeans", "BisectingKMeansStep", "KMeans", "KMeansStep", "XMeans", "XMeansStep"]
