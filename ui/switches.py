"""Parts that the app can go without: ``DMLIB_WITHOUT=prefetch,live streamlit run server.py``.

Without one of them answers come later or the server bears fewer visitors; they are as right.
docs/streamlit_private.md lists them.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

VARIABLE = "DMLIB_WITHOUT"
LATENCY = frozenset({"live", "prefetch"})
"""Parts of the app itself: the live route, and pictures that are asked for before a key."""
PRIVATE = frozenset(
    path.stem
    for path in (Path(__file__).parent / "streamlit_private").glob("*.py")
    if path.stem != "__init__"
)
"""Uses of Streamlit's insides, by their files."""


def is_on(name: str) -> bool:
    """Return whether the app has this part."""
    return name not in left_out()


@lru_cache(maxsize=1)
def left_out() -> frozenset[str]:
    """Return the parts that the operator leaves out.

    Raises
    ------
    ValueError
        If one of them is none: whoever looks for a fault would else look at the wrong place.
    """
    names = frozenset(os.environ.get(VARIABLE, "").replace(",", " ").split())
    parts = LATENCY | PRIVATE
    if unknown := sorted(names - parts):
        raise ValueError(
            f"{VARIABLE} names {unknown[0]!r}, which is no part of the app. Parts are"
            f" {', '.join(sorted(parts))}."
        )
    return names
