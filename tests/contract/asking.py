"""Ask many things in one test: as a test each, most take longer to be called than to be answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest


def ask_all(subtests: pytest.Subtests, check: Callable[..., None], cases: Iterable[tuple]) -> None:
    """Check all cases; each that fails is reported by its name, and the next is checked all the same."""
    for case in cases:
        try:
            check(*case)
        except Exception:
            with subtests.test(" ".join(map(str, case))):
                raise
