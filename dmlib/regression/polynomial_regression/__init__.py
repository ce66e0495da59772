"""A curve over one column: polynomials, natural cubic splines, local regression."""
