"""Many cases in one test, because each would take longer to call than to check."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest


def ask_all(subtests: pytest.Subtests, check: Callable[..., None], cases: Iterable[tuple]) -> None:
    """Check all cases; a case that fails is reported by its name and does not stop the others."""
    for case in cases:
        try:
            check(*case)
        except Exception:
            with subtests.test(" ".join(map(str, case))):
                raise
