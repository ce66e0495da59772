"""Dynamic time warping: two series are aligned so that alike parts meet, however fast they come."""
