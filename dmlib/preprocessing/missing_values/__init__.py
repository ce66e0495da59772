"""Missing values: where they are, why, and what is put in their place."""
