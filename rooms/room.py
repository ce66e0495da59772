"""The state of a room as a value, and its transitions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from rooms.limits import MAX_QUESTIONS, MAX_ROUNDS
from rooms.refusals import RefusedError, not_asked

Phase = Literal["asking", "votes", "revealed"]
MEMBERS = "members"
QUESTIONS = "questions"
ROOM_TABLES = (MEMBERS, QUESTIONS)
"""Tables that are open as long as the room is, and whose keys need not be those of members."""


@dataclass(frozen=True)
class Question:
    """A question that is asked.

    Attributes
    ----------
    id : int
        Its number among those of the room, from 1.
    prompt : str
        The sentence.
    answer : mapping
        What an answer is, as the stage has it (``Answer`` in ``packed.d.ts``).
    round : int
        The vote that is taken, from 1.
    phase : {"asking", "votes", "revealed"}
        How far it is.
    ends : float or None
        When its time is up, in seconds since the epoch.
    """

    id: int
    prompt: str
    answer: Mapping[str, Any]
    round: int = 1
    phase: Phase = "asking"
    ends: float | None = None

    @property
    def tables(self) -> list[str]:
        """The tables of its votes, one for each round."""
        return [f"votes.{self.id}.{i + 1}" for i in range(self.round)]


@dataclass(frozen=True)
class Task:
    """A task of each phone: a practice round, or a point or row for the class's data."""

    id: int
    kind: Literal["try", "collect"]
    about: Mapping[str, Any]

    @property
    def table(self) -> str:
        """The table of what phones have done."""
        return f"{'progress' if self.kind == 'try' else 'places'}.{self.id}"


@dataclass(frozen=True)
class Room:
    """A room.

    Attributes
    ----------
    code : str
        Six letters.
    secret : str
        The digest of the teacher's secret.
    ends : float
        In seconds since the epoch.
    number : int
        How often it has changed.
    title, slug : str
        The page that is shown.
    scene : str or None
        The digest of the scene that is shown.
    frame : int
        The frame that is shown.
    question : Question or None
        The question that is asked.
    task : Task or None
        What each phone does for itself.
    n_asked : int
        How many questions and tasks there were.

    Examples
    --------
    >>> room = Room("ABCDEF", "", 0.0).ask("How large?", {"kind": "number"}, None)
    >>> room.open_tables
    ('members', 'questions', 'votes.1.1')
    >>> room.show_votes().open_tables
    ('members', 'questions')
    """

    code: str
    secret: str
    ends: float
    number: int = 0
    title: str = ""
    slug: str = ""
    scene: str | None = None
    frame: int = 0
    question: Question | None = None
    task: Task | None = None
    n_asked: int = 0

    @property
    def open_tables(self) -> tuple[str, ...]:
        """The tables that take entries."""
        question, task = self.question, self.task
        votes = question.tables[-1:] if question and question.phase == "asking" else []
        return (*ROOM_TABLES, *votes, *([task.table] if task else []))

    @property
    def all_tables(self) -> list[str]:
        """The tables that may have entries."""
        numbers = range(1, self.n_asked + 1)
        votes = [f"votes.{i}.{j + 1}" for i in numbers for j in range(MAX_ROUNDS)]
        done = [f"{name}.{i}" for i in numbers for name in ("progress", "places")]
        return [*ROOM_TABLES, *votes, *done]

    @property
    def answers(self) -> str | None:
        """The table of the answers to what is asked at present."""
        if self.question:
            return self.question.tables[-1]
        return self.task.table if self.task else None

    def show(self, slug: str, title: str, scene: str, frame: int) -> Room:
        """Return the room with another scene."""
        return self._next(slug=slug, title=title, scene=scene, frame=frame)

    def step(self, frame: int) -> Room:
        """Return the room at another frame of its scene."""
        return self._next(frame=frame)

    def ask(self, prompt: str, answer: Mapping[str, Any], ends: float | None) -> Room:
        """Return the room with a new question."""
        number = self._number_of_next()
        return self._next(
            question=Question(number, prompt, answer, ends=ends), task=None, n_asked=number
        )

    def show_votes(self) -> Room:
        """Return the room with the votes shown; none are taken any more."""
        return self._with_question(phase="votes", ends=None)

    def ask_again(self, ends: float | None) -> Room:
        """Return the room with a second vote on its question."""
        question = self._open_question()
        if question.round >= MAX_ROUNDS or question.phase == "revealed":
            raise RefusedError(409, "This question had its second vote: ask a new one.")
        return self._with_question(round=question.round + 1, phase="asking", ends=ends)

    def reveal(self) -> Room:
        """Return the room with the answer revealed."""
        return self._with_question(phase="revealed", ends=None)

    def clear(self) -> Room:
        """Return the room with nothing asked."""
        return self._next(question=None, task=None)

    def set_task(self, kind: Literal["try", "collect"], about: Mapping[str, Any]) -> Room:
        """Return the room with a task for each phone."""
        number = self._number_of_next()
        return self._next(question=None, task=Task(number, kind, about), n_asked=number)

    def encoded(self) -> str:
        """Return the room as JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def decoded(cls, text: str | bytes) -> Room:
        """Return the room of such a JSON."""
        fields = json.loads(text)
        question, task = fields.pop("question"), fields.pop("task")
        return cls(
            **fields,
            question=Question(**question) if question else None,
            task=Task(**task) if task else None,
        )

    def _next(self, **changes: Any) -> Room:
        return replace(self, number=self.number + 1, **changes)

    def _number_of_next(self) -> int:
        if self.n_asked >= MAX_QUESTIONS:
            raise RefusedError(409, "This room had its last question: close it and open another.")
        return self.n_asked + 1

    def _open_question(self) -> Question:
        if self.question is None:
            raise not_asked()
        return self.question

    def _with_question(self, **changes: Any) -> Room:
        return self._next(question=replace(self._open_question(), **changes))
