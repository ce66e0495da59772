"""Numbers become intervals, and intervals become bits."""
