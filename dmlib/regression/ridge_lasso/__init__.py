"""Ridge, lasso and elastic net: least squares with a price on the size of the coefficients."""
