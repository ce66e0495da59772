"""Vector quantisation."""
