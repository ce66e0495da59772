"""Nine ways to prune a grown decision tree, node by node."""
