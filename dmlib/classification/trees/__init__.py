"""The parts of decision trees: how splits are measured, searched for, followed, pruned and written down."""
