"""k-medoids."""
