"""Figures of the relational neighbour classifier: first plain data, then a figure of nothing but them."""
