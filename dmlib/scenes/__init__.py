"""Steps become pictures: pure functions from a problem and a trace to a scene."""
