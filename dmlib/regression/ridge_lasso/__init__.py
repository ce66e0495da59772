"""Ridge, lasso and elastic net."""
