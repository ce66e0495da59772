"""Fisher's discriminant projection: the axes of linear discriminant analysis."""
