"""Dynamic time warping: the alignment of two series of different speed."""
