"""Other decision trees: oblivious, fuzzy, oblique and incremental ones."""
