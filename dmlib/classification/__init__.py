"""Classification: known classes, learned from rows whose class is known."""
