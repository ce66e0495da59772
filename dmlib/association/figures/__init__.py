"""Figures of frequent item sets, whichever method found them."""
