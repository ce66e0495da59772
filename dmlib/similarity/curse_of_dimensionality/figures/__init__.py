"""What the curse of dimensionality shows besides its stage."""
