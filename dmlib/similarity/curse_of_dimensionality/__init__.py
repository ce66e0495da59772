"""The curse of dimensionality: what distances, volumes and neighbours become as columns are added."""
