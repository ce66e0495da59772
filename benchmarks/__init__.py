"""Measurements, each beside a reference in the same run: `python -m benchmarks`. See docs/performance.md."""
