"""Mean shift."""
