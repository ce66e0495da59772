"""k nearest neighbours, and PEBLS."""
