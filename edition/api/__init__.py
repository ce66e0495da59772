"""The documentation of dmlib's public functions and classes, a part of the static edition."""
