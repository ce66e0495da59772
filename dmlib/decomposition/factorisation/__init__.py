"""A table as the product of two smaller ones: codes of the rows, and parts."""
