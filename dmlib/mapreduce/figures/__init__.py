"""Figures of MapReduce."""
