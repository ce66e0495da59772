"""Figures of ridge, lasso and elastic net."""
