"""Refusals: what is not done for a request, with the sentence that its sender reads."""

from __future__ import annotations

from math import ceil


class RefusedError(Exception):
    """A request that is refused.

    Attributes
    ----------
    status : int
        The HTTP status.
    sentence : str
        What is wrong and what to do.
    seconds : int
        After which it may be sent again; 0 if that does not help.
    """

    def __init__(self, status: int, sentence: str, seconds: int = 0) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.seconds = seconds


class StoreError(Exception):
    """The store of rooms does not answer."""


def malformed(sentence: str) -> RefusedError:
    """Return the refusal of a message that is none, or out of bounds."""
    return RefusedError(400, sentence)


def no_room() -> RefusedError:
    """Return the refusal of a code that no room has."""
    return RefusedError(404, "No room has this code: check its letters, or ask your teacher.")


def stranger() -> RefusedError:
    """Return the refusal of a wrong secret or token."""
    return RefusedError(401, "This room does not know you: join it with its code.")


def not_asked() -> RefusedError:
    """Return the refusal of an answer to what is not asked at present."""
    return RefusedError(409, "Nothing like this is asked at present: wait for the next question.")


def crowded() -> RefusedError:
    """Return the refusal of one member more than a room may have."""
    return RefusedError(503, "This room is full: ask your teacher.")


def no_place() -> RefusedError:
    """Return the refusal of one room more than a server may have."""
    return RefusedError(503, "All rooms of this server are in use: try again later.")


def unreachable() -> RefusedError:
    """Return the refusal of everything while the store does not answer."""
    return RefusedError(503, "The room cannot be reached: try again in a moment.", 2)


def too_many(seconds: float) -> RefusedError:
    """Return the refusal of a request that comes too soon."""
    wait = max(1, ceil(seconds))
    return RefusedError(429, f"Too many requests: try again in {wait} s.", wait)
