"""The curse of dimensionality: distances, volumes and neighbours as columns are added."""
