"""k-means."""
