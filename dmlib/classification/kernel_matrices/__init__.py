"""Kernel matrices, what may be built of kernels, and Mercer's test."""
