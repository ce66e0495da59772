"""Durations in words."""

from __future__ import annotations


def in_seconds(duration: float) -> str:
    """Return a duration in words.

    Examples
    --------
    >>> in_seconds(1.0), in_seconds(2.5)
    ('1 second', '2.5 seconds')
    """
    return f"{duration:g} second{'' if duration == 1 else 's'}"
