"""Names of test cases that are the same in every process that runs them."""

import pytest


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Name functions by their name, and dictionaries with functions in them likewise, never by their address."""
    if callable(val):
        return getattr(val, "__name__", None)
    if isinstance(val, dict) and any(map(callable, val.values())):
        return ",".join(f"{key}={getattr(value, '__name__', value)}" for key, value in val.items())
    return None
