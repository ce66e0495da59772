"""Scaling and other transformations of columns, sampling and aggregation of rows."""
