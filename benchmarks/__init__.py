"""Measurements beside references of the same run: `python -m benchmarks` (docs/performance.md)."""
