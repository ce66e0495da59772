"""Rounds of practice on the command line."""
