"""Association rules, from one or from several minimum supports."""
