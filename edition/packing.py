"""Data as scripts: a page that is opened from a folder may load nothing else."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Any

import zstandard

SMALLEST = 9  # level of zlib: packed once, sent many times
LEVEL = 19  # of Zstandard: a twelfth smaller than its usual levels, and still 50 ms an archive


def stored(packed: bytes) -> bytes:
    """Return what zlib has packed in the same container, uncompressed.

    Examples
    --------
    >>> zlib.decompress(stored(zlib.compress(b"scene")))
    b'scene'
    """
    return zlib.compress(zlib.decompress(packed), 0)


def smallest(packed: bytes) -> bytes:
    """Return what zlib has packed in as few bytes as it can.

    Examples
    --------
    >>> zlib.decompress(smallest(stored(zlib.compress(b"scene"))))
    b'scene'
    """
    return zlib.compress(zlib.decompress(packed), SMALLEST)


def archive(parts: Sequence[bytes]) -> bytes:
    """Return parts that are alike as one, compressed: what repeats is there once."""
    return zstandard.ZstdCompressor(level=LEVEL).compress(b"".join(parts))


def text(data: bytes) -> str:
    """Return bytes as text."""
    return base64.b64encode(data).decode()


def script(name: str, value: Any) -> str:
    r"""Return a script that hands a value to the page that asks for it by its name.

    Examples
    --------
    >>> script("kmeans/opening", {"at": 3})
    'dmlib.deliver("kmeans/opening",{"at":3});\n'
    """
    return f"dmlib.deliver({json.dumps(name)},{compact(value)});\n"


def compact(value: Any) -> str:
    r"""Return the shortest JSON of a value that may stand within a script of a page.

    Examples
    --------
    >>> compact({"slope": "−2 & </script>"})
    '{"slope":"−2 & \\u003c/script>"}'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", r"\u003c")
