"""Linear, quadratic, regularised and diagonal discriminant analysis."""
