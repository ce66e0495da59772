"""Other decision trees: oblivious, fuzzy, oblique and incremental ones, and info-fuzzy networks."""
