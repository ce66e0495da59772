"""Classes in rooms: phones that follow a teacher's steps and vote, beside ordinary visitors.

Teacher and phones speak the protocol of docs/decisions/0041 without a browser
(``tests/rooms/client.py``), each phone with a connection of its own for events. Server and clients
share the machine. A step counts when a phone has its event; a vote when it is acknowledged, and it
must be among those that are shown at the end.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from typing import Any

import aiohttp
import psutil

from benchmarks.client import Client
from benchmarks.load import PAGE, Visitor, visit
from benchmarks.serve import ROOT, Server
from benchmarks.tables import median, p95
from tests.rooms.client import OPTION, Phone, Teacher, browsers, settle

CROWDS = ((1, 300), (10, 30), (1, 600))
"""Rooms, and phones in each."""
VISITORS = 20
STEPS = 20
STEP = 0.5  # seconds between two steps of a teacher
VOTING = 5.0  # seconds in which a class votes
PROMPT = 500  # milliseconds in which a step should arrive
SECONDS = STEPS * STEP + VOTING
SCENE_BYTES = 40_000
JOINING = 20  # phones at once
GRACE = 3.0  # seconds for the last events


class Listener:
    """A phone that notes when it was told of a frame."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self.arrivals: dict[int, float] = {}
        self.is_ready = asyncio.Event()

    async def listen(self) -> None:
        """Read the events of the room."""
        clock = asyncio.get_running_loop().time
        async with self.phone.events() as events:
            await events.next("state")
            self.is_ready.set()
            while True:
                step = await events.next("frame")
                self.arrivals[step["frame"]] = clock()


class Room:
    """A teacher with a class."""

    def __init__(self, teacher: Teacher, listeners: Sequence[Listener]) -> None:
        self.teacher = teacher
        self.listeners = listeners
        self.steps: dict[int, float] = {}
        self.acknowledgements: list[float] = []  # seconds

    async def step(self) -> None:
        """Go through the frames of a scene."""
        clock = asyncio.get_running_loop().time
        for frame in range(1, STEPS + 1):
            self.steps[frame] = clock()
            await self.teacher.act("frame", frame=frame)
            await asyncio.sleep(max(0.0, self.steps[frame] + STEP - clock()))

    async def vote(self) -> int:
        """Ask a question that all answer within a few seconds; return how many votes are shown."""
        await self.teacher.act("ask", prompt="Which half?", answer=OPTION)
        await asyncio.gather(*(self._vote(each.phone) for each in self.listeners))
        async with self.teacher.events() as events:
            await self.teacher.act("votes")
            state = await events.until("state", lambda state: state["question"]["votes"])
        return len(state["question"]["votes"][0])

    async def _vote(self, phone: Phone) -> None:
        clock = asyncio.get_running_loop().time
        await asyncio.sleep(random.uniform(0, VOTING))
        start = clock()
        await phone.vote(random.randrange(3))
        self.acknowledgements.append(clock() - start)

    @property
    def delays(self) -> list[float]:
        """Seconds from each step to each phone; infinite for one that a later one has overtaken."""
        return [
            listener.arrivals.get(frame, float("inf")) - start
            for frame, start in self.steps.items()
            for listener in self.listeners
        ]


async def join(http: aiohttp.ClientSession, teacher: Teacher, turn: asyncio.Semaphore) -> Listener:
    """Let a phone in, and a moment later if there are too many at once."""
    async with turn:
        while True:
            phone = Phone(http, teacher.address, teacher.code)
            with suppress(AssertionError):  # of the status
                return Listener(await phone.join())
            await asyncio.sleep(1)


async def gather_class(http: aiohttp.ClientSession, address: str, n_phones: int) -> Room:
    """Open a room, show a scene, and let a class in."""
    turn = asyncio.Semaphore(JOINING)
    teacher = await Teacher.open(http, address)
    await teacher.show(random.randbytes(SCENE_BYTES))
    return Room(
        teacher, await asyncio.gather(*(join(http, teacher, turn) for _ in range(n_phones)))
    )


async def crowd(server: Server, n_rooms: int, n_phones: int, n_visitors: int) -> dict[str, Any]:
    """Let some classes work beside visitors, who each move a slider once a second."""
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(browsers())
        rooms = [await gather_class(http, server.address, n_phones) for _ in range(n_rooms)]
        listeners = [listener for room in rooms for listener in room.listeners]
        tasks = [asyncio.create_task(listener.listen()) for listener in listeners]
        await asyncio.gather(*(listener.is_ready.wait() for listener in listeners))
        clients = [
            await stack.enter_async_context(Client(server.address, PAGE)) for _ in range(n_visitors)
        ]
        for client in clients:
            await visit(client)
        visitors = [Visitor(client) for client in clients]
        tasks += [asyncio.create_task(visitor.listen()) for visitor in visitors]
        psutil.cpu_percent()  # from here
        cpu = server.cpu
        n_votes = await work(rooms, visitors)
        cpu, busy = server.cpu - cpu, psutil.cpu_percent()
        await asyncio.sleep(GRACE)
        await settle(*tasks)
    return {
        "rooms": n_rooms,
        "phones in each": n_phones,
        "visitors": n_visitors,
        **figures(rooms, n_votes),
        "visitor p95 ms": p95([each for visitor in visitors for each in visitor.milliseconds]),
        "server CPU %": 100 * cpu / SECONDS,
        "machine busy %": busy,
        "RSS MB": server.rss,
    }


async def work(rooms: Sequence[Room], visitors: Sequence[Visitor]) -> int:
    """Let teachers go through their steps and classes vote; return the votes that are shown."""
    moving = [
        asyncio.create_task(visitor.move(SECONDS, i / len(visitors)))
        for i, visitor in enumerate(visitors)
    ]
    await asyncio.gather(*(room.step() for room in rooms))
    votes = await asyncio.gather(*(room.vote() for room in rooms))
    await asyncio.gather(*moving)
    return sum(votes)


def figures(rooms: Sequence[Room], n_votes: int) -> dict[str, Any]:
    """Return how soon steps arrived and votes were acknowledged, and how many were counted."""
    delays = [1000 * delay for room in rooms for delay in room.delays]
    acknowledgements = [1000 * each for room in rooms for each in room.acknowledgements]
    return {
        "steps within 500 ms %": 100 * sum(delay <= PROMPT for delay in delays) / len(delays),
        "step p50 ms": median(delays),
        "step p95 ms": p95(delays),
        "votes sent": len(acknowledgements),
        "votes counted": n_votes,
        "vote p95 ms": p95(acknowledgements),
    }


def main(
    crowds: Sequence[tuple[int, int]] = CROWDS, visitors: int = VISITORS
) -> list[dict[str, Any]]:
    """Measure crowds, each on a fresh server and without visitors first."""
    rows = []
    for n_rooms, n_phones in crowds:
        for n_visitors in (0, visitors):
            with Server(ROOT / "server.py") as server:
                rows.append(asyncio.run(crowd(server, n_rooms, n_phones, n_visitors)))
    return rows
