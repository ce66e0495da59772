"""Clustering: groups in data without known classes."""

from dmlib.clustering.kmeans import KMeans, KMeansStep

__all__ = ["KMeans", "KMeansStep"]
