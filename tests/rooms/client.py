"""A teacher and phones without a browser: they speak the protocol of docs/decisions/0041."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import quote

import aiohttp

OPTION = {"kind": "option", "options": ["left", "right", "neither"], "right": [1]}
EVENTS = aiohttp.ClientTimeout(total=None)


class Teacher:
    """The browser that has opened a room."""

    def __init__(self, http: aiohttp.ClientSession, address: str, code: str, secret: str):
        self.http, self.address, self.code = http, address, code
        self.room = f"{address}/room/{code}"
        self.headers = {"X-Room-Secret": secret}

    @classmethod
    async def open(cls, http: aiohttp.ClientSession, address: str) -> Teacher:
        async with http.post(f"{address}/room") as answer:
            room = await answer.json()
            assert answer.status == 201, room
        return cls(http, address, room["code"], room["secret"])

    async def act(self, act: str, **details: Any) -> int:
        return int((await self.answer(act, **details))["number"])

    async def answer(self, act: str, expected: int = 200, **details: Any) -> dict[str, Any]:
        message = {"act": act, **details}
        async with self.http.post(
            f"{self.room}/teacher", json=message, headers=self.headers
        ) as answer:
            said: dict[str, Any] = await answer.json()
            assert answer.status == expected, said
        return said

    async def show(self, scene: bytes, expected: int = 200, **page: Any) -> dict[str, Any]:
        about = {"slug": "kmeans", "title": "k-means", "frame": 0} | page
        headers = self.headers | {"X-Room-Scene": quote(json.dumps(about))}
        async with self.http.put(f"{self.room}/scene", data=scene, headers=headers) as answer:
            said: dict[str, Any] = await answer.json()
            assert answer.status == expected, said
        return said

    async def get(self, name: str, expected: int = 200) -> str:
        async with self.http.get(f"{self.room}/{name}", headers=self.headers) as answer:
            assert answer.status == expected, await answer.text()
            return await answer.text()

    def events(self) -> Any:
        return listening(self.http, f"{self.room}/events", headers=self.headers)


class Phone:
    """A phone that has joined a room."""

    def __init__(self, http: aiohttp.ClientSession, address: str, code: str, token: str = ""):
        self.http, self.address, self.code, self.token = http, address, code, token
        self.member = ""

    async def join(self, nickname: str = "", expected: int = 200) -> Phone:
        said = await self.post("members", expected, nickname=nickname)
        if expected == 200:
            self.member, self.token = said["member"], said["token"]
        return self

    async def post(self, name: str, expected: int = 200, **message: Any) -> dict[str, Any]:
        message = {"token": self.token, **message}
        url = f"{self.address}/room/{self.code}/{name}"
        async with self.http.post(url, json=message) as answer:
            said: dict[str, Any] = await answer.json()
            assert answer.status == expected, (answer.status, said)
        return said

    async def vote(
        self, answer: Any, question: int = 1, number: int = 1, expected: int = 200
    ) -> Any:
        said = await self.post("votes", expected, question=question, round=number, answer=answer)
        return said.get("answered")

    def events(self) -> Any:
        url = f"{self.address}/room/{self.code}/events?token={quote(self.token)}"
        return listening(self.http, url)


class Events:
    """The events of a stream as they come; `state` is what a phone shows after them."""

    def __init__(self, response: aiohttp.ClientResponse):
        self.response = response

    async def next(self, name: str = "") -> dict[str, Any]:
        """Return the next event, or the next of a name."""
        while True:
            event, data = await self._read()
            if not name or event == name:
                return data

    async def until(self, name: str, is_meant: Any) -> dict[str, Any]:
        """Return the first event of a name that is what is waited for."""
        while not is_meant(data := await self.next(name)):
            pass
        return data

    async def _read(self) -> tuple[str, dict[str, Any]]:
        event = ""
        while True:
            line = (await self.response.content.readline()).decode()
            if not line:
                raise EOFError
            name, _, value = line.rstrip("\n").partition(": ")
            if name == "event":
                event = value
            elif name == "data":
                return event, json.loads(value)


@asynccontextmanager
async def listening(http: aiohttp.ClientSession, url: str, **headers: Any) -> AsyncIterator[Events]:
    async with http.get(url, timeout=EVENTS, read_bufsize=2**22, **headers) as answer:
        assert answer.status == 200, await answer.text()
        yield Events(answer)


@asynccontextmanager
async def browsers() -> AsyncIterator[aiohttp.ClientSession]:
    """Open connections as many browsers would: each its own."""
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(
        connector=connector, timeout=aiohttp.ClientTimeout(60)
    ) as http:
        yield http


async def settle(*tasks: asyncio.Task[Any]) -> None:
    """End tasks."""
    for task in tasks:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks, return_exceptions=True)
