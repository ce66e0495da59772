"""Figures of anomaly detection: first plain data, then a figure of nothing but them."""
