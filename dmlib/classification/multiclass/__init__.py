"""Many classes by binary classifiers: one-versus-rest, one-versus-one, and output codes."""
