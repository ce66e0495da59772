"""The results of a room as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from dmlib.spreadsheet import inert
from rooms.limits import MAX_ROUNDS
from rooms.room import MEMBERS, QUESTIONS
from rooms.store import RoomStore

COLUMNS = ("phone", "nickname", "question", "round", "prompt", "answer")


async def results_csv(store: RoomStore, code: str) -> str:
    """Return who answered what.

    Phones are numbered in no order, and have the nicknames that were typed on them.
    """
    texts = await store.entries(code, MEMBERS)
    members = {member: json.loads(text) for member, text in texts.items()}
    phones = {member: i + 1 for i, member in enumerate(sorted(members))}  # their names are random
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    notes = await store.entries(code, QUESTIONS)
    for number in sorted(notes, key=int):
        note = json.loads(notes[number])
        for round_number, table in _tables(number, note):
            answers = await store.entries(code, table)
            for member in sorted(answers.keys() & phones.keys()):
                value = members[member]
                nickname = "" if value["hidden"] else value["nickname"]
                answer = _answer(note.get("answer"), answers[member])
                who, prompt = [phones[member], inert(nickname)], inert(note["prompt"])
                writer.writerow([*who, number, round_number, prompt, answer])
    return file.getvalue()


def _tables(number: str, note: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Yield the round and the table of the answers to a question, or of a task."""
    if "table" in note:
        yield 1, note["table"]
        return
    for i in range(1, MAX_ROUNDS + 1):
        yield i, f"votes.{number}.{i}"


def _answer(spec: dict[str, Any] | None, text: str) -> str:
    if spec and spec["kind"] == "option":
        return inert(spec["options"][json.loads(text)])
    return text
