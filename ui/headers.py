"""Headers of every response: who may frame the app, and what is not guessed or passed on."""

from __future__ import annotations

import os
import re
from functools import lru_cache

from starlette.datastructures import MutableHeaders
from starlette.types import Message, Send

from ui.streamlit_private.log import logger

VARIABLE = "DMLIB_FRAME_ANCESTORS"
ORIGIN = re.compile(
    r"https?://(\*\.)?[A-Za-z0-9.-]+(:\d{1,5})?|https?://\[[0-9a-fA-F:]+\](:\d{1,5})?"
)


@lru_cache(maxsize=1)
def headers() -> dict[str, str]:
    """Return the headers that every response has; they are the server's."""
    return {
        "Content-Security-Policy": (
            f"frame-ancestors {' '.join(frame_ancestors(os.environ.get(VARIABLE, '')))}"
        ),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }


def frame_ancestors(origins: str) -> list[str]:
    """Return who may frame the app: itself, and the origins that the operator names.

    What is no origin is left out, with a line in the log: one wrong word would make the browser
    refuse the others.

    Examples
    --------
    >>> frame_ancestors("https://moodle.example.org https://*.school.example:8443")
    ["'self'", 'https://moodle.example.org', 'https://*.school.example:8443']
    """
    named = origins.replace(",", " ").split()
    for name in named:
        if not ORIGIN.fullmatch(name):
            logger(__name__).warning(
                "%s names %r, which is no origin such as https://moodle.example.org. It is left"
                " out.",
                VARIABLE,
                name,
            )
    return ["'self'", *filter(ORIGIN.fullmatch, named)]


def named_origins() -> list[str]:
    """Return the origins that the operator names."""
    return frame_ancestors(os.environ.get(VARIABLE, ""))[1:]


def frame_tag() -> str:
    """Return what tells the stage which origins the operator names; empty where there are none.

    It takes messages of pages around it from these alone (docs/embedding.md).
    """
    origins = named_origins()
    return f'<meta name="dmlib-frame-ancestors" content="{" ".join(origins)}">' if origins else ""


def adding(send: Send) -> Send:
    """Return a way to send responses that have these headers."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(headers())
        await send(message)

    return send_with_headers
