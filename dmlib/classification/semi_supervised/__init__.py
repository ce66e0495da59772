"""Semi-supervised and active learning: few rows have a label, and the others help or are asked."""
