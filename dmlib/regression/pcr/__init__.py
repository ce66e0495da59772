"""Principal component regression, and partial least squares beside it."""
