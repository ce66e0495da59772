"""The state of a room, as a class and its teacher are told it."""

from __future__ import annotations

import json
from collections import Counter
from time import time
from typing import Any

from rooms.room import MEMBERS, Question, Room
from rooms.store import RoomStore

Payload = dict[str, Any]
REVEALED = ("right", "solution", "proof")
"""What of an answer phones are told when it is revealed."""


async def state(store: RoomStore, room: Room) -> Payload:
    """Return all that a phone shows of a room.

    Votes are in it, in no order and without names, when the teacher has shown them; what is right,
    when it is revealed.
    """
    counts = await count(store, room)
    current = room.question
    question = current and await _question(store, room.code, current, counts["answered"])
    task = room.task and {"id": room.task.id, "kind": room.task.kind, "about": room.task.about}
    return {
        "number": room.number,
        "title": room.title,
        "slug": room.slug,
        "scene": room.scene,
        "frame": room.frame,
        "members": counts["members"],
        "task": task,
        "question": question,
    }


async def count(store: RoomStore, room: Room) -> Payload:
    """Return how many are in a room, and how many have answered what is current."""
    answered = await store.size(room.code, room.answers) if room.answers else 0
    return {"members": await store.size(room.code, MEMBERS), "answered": answered}


async def for_teacher(store: RoomStore, room: Room) -> Payload:
    """Return what the teacher alone is told: nicknames, and the progress of a practice round."""
    members = await store.entries(room.code, MEMBERS)
    nicknames = [
        {"member": member, "nickname": value["nickname"], "hidden": value["hidden"]}
        for member, text in members.items()
        if (value := json.loads(text))["nickname"]
    ]
    nicknames.sort(key=lambda each: (each["nickname"].casefold(), each["member"]))
    task = room.task
    progress = (
        await _progress(store, room.code, task.table) if task and task.kind == "try" else None
    )
    return {"nicknames": nicknames, "progress": progress}


async def _question(store: RoomStore, code: str, question: Question, answered: int) -> Payload:
    answer = dict(question.answer)
    if question.phase != "revealed":
        for name in REVEALED:
            answer.pop(name, None)
    votes = None
    if question.phase != "asking":
        tables = [await store.entries(code, table) for table in question.tables]
        votes = [[json.loads(text) for text in sorted(table.values())] for table in tables]
    ends = question.ends
    return {
        "id": question.id,
        "round": question.round,
        "prompt": question.prompt,
        "answer": answer,
        "phase": question.phase,
        "answered": answered,
        "seconds": None if ends is None else max(0, round(ends - time(), 1)),
        "votes": votes,
    }


async def _progress(store: RoomStore, code: str, table: str) -> Payload:
    rounds = [json.loads(text) for text in (await store.entries(code, table)).values()]
    rules = Counter(rule for each in rounds for rule in each["misconceptions"])
    return {
        "finished": len(rounds),
        "right": sum(each["right"] for each in rounds),
        "of": sum(each["of"] for each in rounds),
        "misconceptions": dict(rules.most_common()),
    }
