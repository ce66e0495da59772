"""Similarity of graphs and in graphs: shortest paths between all nodes, and kernels of two graphs."""
