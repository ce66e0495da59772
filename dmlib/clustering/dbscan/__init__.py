"""DBSCAN."""
