"""A number predicted by neighbours, by the leaves of a tree, or by the lines in its leaves."""
