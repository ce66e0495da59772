"""Graphs: shortest paths and central nodes in one; kernels, edits and isomorphism of two."""
