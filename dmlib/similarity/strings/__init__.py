"""Strings: edit distances and alignments cell by cell, and kernels that count common substrings."""
