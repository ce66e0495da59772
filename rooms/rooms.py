"""A teacher and the phones of a class: what each may do, on whatever store."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from time import time
from typing import Any, Literal

from rooms import messages
from rooms.answers import answer_spec, checked_answer
from rooms.codes import digest, is_secret, new_code, new_secret
from rooms.limits import LIFETIME, MAX_MEMBERS, MAX_QUESTIONS, PROMPT_CHARACTERS, TITLE_CHARACTERS
from rooms.messages import Message
from rooms.refusals import RefusedError, malformed, no_place, no_room, not_asked, stranger
from rooms.room import MEMBERS, QUESTIONS, Room
from rooms.rows import checked_fields, checked_row
from rooms.store import FRAME, STATE, RoomStore

N_TRIES = 20
MEMBER_BYTES = 9
SLUG_CHARACTERS = 60
DIGEST_LETTERS = 32
GRACE = 2.0  # seconds for a vote that was sent in time

Transition = Callable[[Room], Room]


@dataclass(frozen=True)
class Member:
    """A phone in a room, as its table has it; `key` is the digest of the secret in its token."""

    key: str
    nickname: str = ""
    hidden: bool = False

    def encoded(self) -> str:
        """Return the member as JSON."""
        return json.dumps(asdict(self))


class Rooms:
    """The rooms of a store.

    Parameters
    ----------
    store : RoomStore
        Where they are.
    clock : callable
        Returns seconds since the epoch.
    """

    def __init__(self, store: RoomStore, clock: Callable[[], float] = time) -> None:
        self.store = store
        self.clock = clock

    # --- Rooms and who is in them ----------------------------------------------------------------

    async def open(self) -> tuple[str, str]:
        """Open a room; return its code and its teacher's secret."""
        secret = new_secret()
        for _ in range(N_TRIES):
            room = Room(new_code(), digest(secret), self.clock() + LIFETIME)
            if await self.store.open(room):
                return room.code, secret
        raise no_place()

    async def room(self, code: str) -> Room:
        """Return a room. Raises RefusedError if there is none."""
        room = await self.store.room(code) if code else None
        if room is None:
            raise no_room()
        return room

    async def check_teacher(self, code: str, secret: str) -> None:
        """Raise RefusedError unless the secret is that of the room's teacher."""
        room = await self.room(code)
        if not is_secret(secret, room.secret):
            raise stranger()

    async def member(self, code: str, token: object) -> str:
        """Return whose token it is. Raises RefusedError if it is nobody's in this room."""
        await self.room(code)
        member, _, key = token.partition(".") if isinstance(token, str) else ("", "", "")
        text = await self.store.entry(code, MEMBERS, member) if member else None
        if text is None or not is_secret(key, json.loads(text)["key"]):
            raise stranger()
        return member

    async def join(self, code: str, nickname: str) -> tuple[str, str]:
        """Let a phone in; return its name in the room and its token."""
        member, key = secrets.token_urlsafe(MEMBER_BYTES), new_secret()
        await self._enter_member(code, member, Member(digest(key), nickname))
        return member, f"{member}.{key}"

    async def rename(self, code: str, member: str, nickname: str) -> None:
        """Give a member the nickname that it has typed; an empty one is no change."""
        text = await self.store.entry(code, MEMBERS, member)
        value = Member(**json.loads(text)) if text else None
        if value and nickname and nickname != value.nickname:
            await self._enter_member(code, member, replace(value, nickname=nickname))

    async def _enter_member(self, code: str, member: str, value: Member) -> None:
        await self.store.enter(code, MEMBERS, member, value.encoded(), MAX_MEMBERS)

    # --- The teacher -----------------------------------------------------------------------------

    async def show(self, code: str, page: Message, scene: bytes) -> Room:
        """Show a scene, which belongs to a page and stands at a frame."""
        slug = messages.line(page, "slug", SLUG_CHARACTERS)
        title = messages.line(page, "title", TITLE_CHARACTERS)
        frame = messages.count(page, "frame")
        name = sha256(scene).hexdigest()[:DIGEST_LETTERS]
        await self.store.keep_scene(code, name, scene)
        return await self._change(code, lambda room: room.show(slug, title, name, frame))

    async def act(self, code: str, message: Message) -> int:
        """Do what a teacher wants; return the room's number."""
        act = message.get("act")
        if act == "close":
            await self.store.close(code)
            return 0
        if act in ("hide", "remove"):
            await self._hide_or_remove(code, message)
            return (await self.room(code)).number
        if act == "frame":
            frame = messages.count(message, "frame")
            return (await self._change(code, lambda room: room.step(frame), FRAME)).number
        room = await self._change(code, self._transition(message))
        if act in ("ask", "try", "collect"):
            await self._note_question(room)
        return room.number

    def _transition(self, message: Message) -> Transition:
        act = message.get("act")
        plain: Mapping[object, Transition] = {
            "votes": Room.show_votes,
            "reveal": Room.reveal,
            "clear": Room.clear,
        }
        if act == "ask":
            prompt = messages.line(message, "prompt", PROMPT_CHARACTERS)
            answer, ends = answer_spec(message.get("answer")), self._end(message)
            return lambda room: room.ask(prompt, answer, ends)
        if act == "again":
            ends = self._end(message)
            return lambda room: room.ask_again(ends)
        if act in ("try", "collect"):
            kind: Literal["try", "collect"] = "try" if act == "try" else "collect"
            about = messages.about(message)
            if kind == "collect":
                about = checked_fields(about)
            return lambda room: room.set_task(kind, about)
        if not isinstance(act, str) or act not in plain:
            raise malformed("Say what to do: the act is none that a teacher has.")
        return plain[act]

    def _end(self, message: Message) -> float | None:
        seconds = messages.seconds(message)
        return None if seconds is None else self.clock() + seconds

    async def _change(self, code: str, transition: Transition, event: str = STATE) -> Room:
        """Replace a room by its next value; another tab of the teacher may do so too."""
        for _ in range(N_TRIES):
            room = transition(await self.room(code))
            step = {"number": room.number, "frame": room.frame}
            change = f"{FRAME} {json.dumps(step)}" if event == FRAME else event
            if await self.store.replace(room, change):
                return room
        raise RefusedError(503, "The room is busy: try again in a moment.", 1)

    async def _note_question(self, room: Room) -> None:
        """Keep what was asked, for the results."""
        question, task = room.question, room.task
        if question:
            number, note = question.id, {"prompt": question.prompt, "answer": question.answer}
        elif task:
            prompt = "Everybody tries" if task.kind == "try" else "Collect"
            number, note = task.id, {"prompt": prompt, "table": task.table}
        text = json.dumps(note)
        await self.store.enter(room.code, QUESTIONS, str(number), text, MAX_QUESTIONS)

    async def _hide_or_remove(self, code: str, message: Message) -> None:
        member = message.get("member")
        text = await self.store.entry(code, MEMBERS, member) if isinstance(member, str) else None
        if not isinstance(member, str) or text is None:
            raise malformed("This member is not in the room any more.")
        if message["act"] == "remove":
            await self.store.remove(code, member)
        else:
            value = replace(Member(**json.loads(text)), hidden=True)
            await self._enter_member(code, member, value)

    # --- The phones ------------------------------------------------------------------------------

    async def vote(self, code: str, member: str, message: Message) -> int:
        """Take a vote; return how many there are."""
        question = (await self.room(code)).question
        if question is None or question.phase != "asking":
            raise not_asked()
        if (message.get("question"), message.get("round")) != (question.id, question.round):
            raise not_asked()
        if question.ends is not None and self.clock() > question.ends + GRACE:
            raise RefusedError(409, "The time for this question is over.")
        answer = checked_answer(question.answer, message.get("answer"))
        return await self.store.enter(code, question.tables[-1], member, answer, MAX_MEMBERS)

    async def contribute(
        self, code: str, member: str, kind: Literal["try", "collect"], message: Message
    ) -> int:
        """Take what a phone has done for a task; return how many have."""
        task = (await self.room(code)).task
        if task is None or task.kind != kind or message.get("task") != task.id:
            raise not_asked()
        if kind == "try":
            value = messages.progress(message)
        else:
            value = checked_row(task.about["fields"], message)
        return await self.store.enter(code, task.table, member, value, MAX_MEMBERS)

    async def places(self, code: str) -> list[Any]:
        """Return what was collected, in no order."""
        task = (await self.room(code)).task
        if task is None or task.kind != "collect":
            raise not_asked()
        places = await self.store.entries(code, task.table)
        return [json.loads(places[member]) for member in sorted(places)]  # names are random
