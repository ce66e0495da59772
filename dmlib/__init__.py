"""Step-by-step data mining: every algorithm is a generator of its own steps."""

__version__ = "0.2.0"
