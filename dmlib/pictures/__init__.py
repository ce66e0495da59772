"""The picture language, and what the pictures of all techniques share."""
