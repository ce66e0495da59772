"""Weighted-vote relational neighbour: the few labels of a network spread over its edges."""
