"""The body of a request: no more of it is ever read than it may have."""

from __future__ import annotations

import asyncio

from starlette.requests import Request

PATIENCE = 10.0  # seconds in which it must have come


class TooLongError(Exception):
    """A body is longer than any that is sent."""


async def read(request: Request, max_bytes: int) -> bytes:
    """Return the body of a request.

    Raises
    ------
    TooLongError
        If it says that it is longer, or is.
    TimeoutError
        If it has not come in time.
    """
    length = request.headers.get("Content-Length", "")
    if length.isdecimal() and int(length) > max_bytes:
        raise TooLongError
    body = bytearray()
    async with asyncio.timeout(PATIENCE):
        async for part in request.stream():
            body += part
            if len(body) > max_bytes:
                raise TooLongError
    return bytes(body)
