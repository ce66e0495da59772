"""Figures of the relational neighbour classifier."""
