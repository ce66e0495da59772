"""The page of a phone and what it needs, in memory and compressed once."""

from __future__ import annotations

import gzip
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from rooms.refusals import RefusedError

ASSETS = Path(__file__).parent.parent / "assets"
PAGE = "join.html"
BASE = '<base href="./">'
BASE_OF_A_CODE = '<base href="../">'
FILES = {
    "room.min.js": "text/javascript",
    "desk.min.js": "text/javascript",
    "join.css": "text/css",
    "stage.css": "text/css",
    "inter.woff2": "font/woff2",
}
"""The files that a page of a room may ask for, and their types."""
FOLDERS = {"inter.woff2": "fonts"}


class File(NamedTuple):
    """A file as it is sent, its type, and the digest of its content."""

    content: bytes
    kind: str
    digest: str
    compressed: bytes


def page(request: Request, has_code: bool) -> Response:
    """Return the page of a phone, at an address with or without a code."""
    path = ASSETS / PAGE
    return _response(request, _page(path.stat().st_mtime_ns, has_code))


def file(request: Request, name: str) -> Response:
    """Return a file that this page needs. Raises RefusedError if there is none."""
    if name not in FILES:
        raise RefusedError(400, "No page needs this file.")
    return _response(request, _file(name, _path(name).stat().st_mtime_ns))


@lru_cache(maxsize=4)
def _page(_changed: int, has_code: bool) -> File:
    text = (ASSETS / PAGE).read_text("utf-8")
    return _ready(text.replace(BASE, BASE_OF_A_CODE if has_code else BASE).encode(), "text/html")


@lru_cache(maxsize=2 * len(FILES))
def _file(name: str, _changed: int) -> File:
    return _ready(_path(name).read_bytes(), FILES[name])


def _path(name: str) -> Path:
    return ASSETS / FOLDERS.get(name, "") / name


def _ready(content: bytes, kind: str) -> File:
    compressed = gzip.compress(content, mtime=0) if kind.startswith("text/") else b""
    return File(content, kind, f'"{sha256(content).hexdigest()[:32]}"', compressed)


def _response(request: Request, sent: File) -> Response:
    headers = {"ETag": sent.digest, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("If-None-Match") == sent.digest:
        return Response(status_code=304, headers=headers)
    content = sent.content
    if sent.compressed and "gzip" in request.headers.get("Accept-Encoding", ""):
        content = sent.compressed
        headers["Content-Encoding"] = "gzip"
    return Response(content, headers=headers, media_type=sent.kind)
