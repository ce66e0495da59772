"""The files that the first picture waits for, in memory and compressed once.

They are Streamlit's page (:mod:`ui.streamlit_private.first_page`), what it names, and the stage.
docs/decisions/0021 has numbers.
"""

from __future__ import annotations

import gzip
import mimetypes
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache
from typing import Any

import streamlit as st

from dashboard.catalogue import CATALOGUE
from ui.headers import frame_tag
from ui.introduction import (
    INTRODUCTIONS,
    address_of,
    introduction_tags,
    is_unknown,
    missing_page,
    picture_file,
    robots,
    sitemap,
)
from ui.stage import ASSETS, SCRIPT, STYLE
from ui.streamlit_private.first_page import STATIC, page

STAGE = "/_stcore/bidi-components/dmlib.stage/"  # where Streamlit serves the component's files
# Their names have a digest of their content, as Streamlit says
FOR_EVER = b"public, immutable, max-age=31536000"
FOR_A_DAY = b"public, max-age=86400"
FACE = "fonts/inter.woff2"
WORTH_IT = 500  # bytes from which a file is compressed, as Streamlit has it

File = tuple[bytes, bytes, bytes, bytes]
"""Type, rule for caches and content, plain and compressed."""
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


async def serve(scope: MutableMapping[str, Any], send: Send) -> bool:
    """Answer a request for one of these files, or for a page that is not there.

    It returns whether it was one.
    """
    headers = dict(scope["headers"])
    if scope["method"] != "GET" or b"range" in headers:
        return False
    path = scope["path"].removeprefix(_base())
    file, status = _file(path, address_of(scope, _base())), 200
    if file is None and is_unknown(path):
        file, status = _ready("missing.html", b"no-cache", missing_page(path).encode()), 404
    if file is None:
        return False
    kind, cache, body, packed = file
    response_headers = [
        (b"content-type", kind),
        (b"cache-control", cache),
        (b"vary", b"Accept-Encoding"),
    ]
    if packed and b"gzip" in headers.get(b"accept-encoding", b""):
        body = packed
        response_headers.append((b"content-encoding", b"gzip"))
    response_headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": response_headers})
    await send({"type": "http.response.body", "body": body})
    return True


@lru_cache(maxsize=1)
def _base() -> str:
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""


def _file(path: str, address: str) -> File | None:
    """Return the file at a path of the app at an address."""
    if path in (STAGE + SCRIPT, STAGE + STYLE):
        name = path.removeprefix(STAGE)
        return _stage(name, (ASSETS / name).stat().st_mtime_ns)  # an author sees a change
    if path == STAGE + FACE:
        return _face()
    name = path.removeprefix("/")
    if name in INTRODUCTIONS:
        return _page(name, address)
    for_search_engines = {"sitemap.xml": sitemap, "robots.txt": robots}
    if name in for_search_engines:
        return _ready(name, b"no-cache", for_search_engines[name](address).encode())
    if name.startswith("pictures/"):
        picture = picture_file(name.removeprefix("pictures/"))
        return _ready(name, FOR_A_DAY, picture.read_bytes()) if picture else None
    name = path.removeprefix("/static/")
    return _static(name) if name in _statics() else None


@lru_cache(maxsize=1)
def _statics() -> frozenset[str]:
    """Return the names of Streamlit's own files: nothing else is looked for."""
    return frozenset(
        file.relative_to(STATIC / "static").as_posix() for file in (STATIC / "static").rglob("*.*")
    )


@lru_cache(maxsize=512)
def _static(name: str) -> File:
    return _ready(name, FOR_EVER, (STATIC / "static" / name).read_bytes())


@lru_cache(maxsize=1)
def _face() -> File:
    return _ready(FACE, FOR_A_DAY, (ASSETS / FACE).read_bytes())


@lru_cache(maxsize=128)
def _page(slug: str, address: str) -> File:
    has_stage = not slug or slug in CATALOGUE
    head = (
        introduction_tags(slug, address),
        frame_tag(),
        f'<link rel="preload" as="style" href=".{STAGE}{STYLE}">' if has_stage else "",
        f'<link rel="preload" as="font" type="font/woff2" crossorigin href=".{STAGE}{FACE}">',
        typeface(),
    )
    text = page(STAGE[1:] + SCRIPT, head, deep=bool(slug))
    return _ready("index.html", b"no-cache", text.encode())


def typeface() -> str:
    """Return the style that names the typeface.

    Who has not got it in a tenth of a second sees the system's, and no text that changes.
    """
    return (
        "<style>@font-face { font-family: Inter; font-weight: 400 700; font-display: optional;"
        f" src: url('.{STAGE}{FACE}') format('woff2'); }}</style>"
    )


@lru_cache(maxsize=2)
def _stage(name: str, _changed: int) -> File:
    """Return a file of the component: Streamlit knows them only after the first page."""
    return _ready(name, b"no-cache", (ASSETS / name).read_bytes())


def _ready(name: str, cache: bytes, body: bytes) -> File:
    kind, _ = mimetypes.guess_type(name)
    texts = (kind or "").startswith("text/") or name.endswith((".js", ".json", ".svg"))
    packed = gzip.compress(body, mtime=0) if texts and len(body) > WORTH_IT else b""
    charset = "; charset=utf-8" if texts else ""
    kind = "text/javascript" if name.endswith(".js") else kind  # some systems say it otherwise
    return f"{kind or 'application/octet-stream'}{charset}".encode(), cache, body, packed
