"""FP-growth."""
