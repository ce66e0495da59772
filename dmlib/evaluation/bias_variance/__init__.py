"""Bias and variance: how far a model is off on average, and how much it hangs on its training rows."""
