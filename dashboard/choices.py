"""Choices of several options as texts of a link."""

from __future__ import annotations

from collections.abc import Sequence

ALL = "*"
"""All options of a choice of several, in a link."""
MAX_LISTED = 64  # of all options, that a link names


def choice_texts(
    chosen: Sequence[str], default: Sequence[str], options: Sequence[str]
) -> tuple[str, ...]:
    """Return what a link says of a choice of several: an empty text where none is chosen.

    All of very many options are one sign: no address holds the names of all pixels.

    Examples
    --------
    >>> choice_texts(["a"], ["a"], "ab"), choice_texts(["b"], ["a"], "ab")
    ((), ('b',))
    >>> choice_texts([], ["a"], "ab"), choice_texts(["a"] * 99, [], ["a"] * 99)
    (('',), ('*',))
    """
    if tuple(chosen) == tuple(default):
        return ()
    if len(options) > MAX_LISTED and tuple(chosen) == tuple(options):
        return (ALL,)
    return tuple(chosen) or ("",)
