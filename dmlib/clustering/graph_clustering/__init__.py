"""Clusters of a graph: the components that are left when weak edges are taken away."""
