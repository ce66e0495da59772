"""Tell the browser with the first byte what the stage will need, instead of letting it find out file by file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.stage import NAME, ROOT, assets_are_served

OURS = ("stage.css", "stage.js", "stage/*.js", "vendor/d3.js", "vendor/inflate.js")
THEIRS = (
    "BidiComponent.*.js",
    "serialization.*.js",
    "recordbatch.*.js",
    "_arrayReduce.*.js",
    "Html.*.js",
    "purify.*.js",
)
"""Parts of Streamlit that it loads when it meets a component or a style; a name that is no more is not missed."""


def _files() -> Iterator[str]:
    """Yield the addresses of the files below that of the app."""
    for folder, patterns, address in (
        (ROOT / "assets", OURS, f"_stcore/bidi-components/{NAME}"),
        (Path(st.__file__).parent / "static" / "static" / "js", THEIRS, "static/js"),
    ):
        for pattern in patterns:
            yield from (f"{address}/{file.relative_to(folder).as_posix()}" for file in sorted(folder.glob(pattern)))


def links() -> str:
    """Return the header that names the files.

    Examples
    --------
    >>> "stage/player.js>; rel=preload; as=script; crossorigin" in links()
    True
    """
    base = "/".join(("", *filter(None, st.get_option("server.baseUrlPath").split("/")), ""))
    kinds = {".js": "as=script; crossorigin", ".css": "as=style"}
    return ", ".join(f"<{base}{file}>; rel=preload; {kinds[Path(file).suffix]}; fetchpriority=low" for file in _files())


class Preload:
    """Adds the header to every page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.links = app, links()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back."""

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                # A file that is asked for too early is missing for as long as the page is open.
                if headers.get("content-type", "").startswith("text/html") and assets_are_served():
                    headers.append("link", self.links)
            await send(message)

        await self.app(scope, receive, answer)
