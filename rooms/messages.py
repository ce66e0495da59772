"""Messages that come in, checked: each field within its bounds."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from typing import Any

from rooms import limits
from rooms.answers import is_count
from rooms.refusals import malformed

Message = Mapping[str, Any]


def decoded(body: bytes) -> Message:
    """Return the fields of a message.

    Raises
    ------
    RefusedError
        If it is no object of JSON.
    """
    try:
        message = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise malformed("The message must be an object in JSON.")
    return message


def line(message: Message, name: str, max_characters: int) -> str:
    r"""Return a text of one line: no control characters, no more blanks than one.

    Examples
    --------
    >>> line({"nickname": "  Ada\n <b> "}, "nickname", 24)
    'Ada <b>'
    """
    text = message.get(name, "")
    if not isinstance(text, str) or len(text) > 4 * max_characters:
        raise malformed(f"The {name} must be a text of at most {max_characters} characters.")
    # Controls, and marks that turn the direction of what follows; half a character cannot be sent.
    plain = "".join(
        " " if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") else letter
        for letter in text
    )
    joined = " ".join(plain.split())
    if len(joined) > max_characters:
        raise malformed(f"The {name} must have at most {max_characters} characters.")
    return joined


def count(message: Message, name: str) -> int:
    """Return a whole number from 0 on."""
    value = message.get(name)
    if not is_count(value):
        raise malformed(f"The {name} must be a whole number from 0 on.")
    return int(value)  # type: ignore[arg-type]


def seconds(message: Message) -> int | None:
    """Return the time for a question; None if it has no end."""
    if message.get("seconds") is None:
        return None
    value = count(message, "seconds")
    if not limits.MIN_SECONDS <= value <= limits.MAX_SECONDS:
        raise malformed(f"The time must be {limits.MIN_SECONDS} to {limits.MAX_SECONDS} seconds.")
    return value


def about(message: Message) -> Message:
    """Return what a task is about."""
    value = message.get("about")
    if not isinstance(value, dict) or len(json.dumps(value)) > limits.ABOUT_BYTES:
        raise malformed(f"A task is about an object of at most {limits.ABOUT_BYTES} bytes.")
    return value


def progress(message: Message) -> str:
    """Return how far a practice round is as JSON."""
    right, total = count(message, "right"), count(message, "of")
    rules = message.get("misconceptions", [])
    if right > total or not isinstance(rules, list) or len(rules) > limits.N_RULES:
        raise malformed(f"Send right, of, and at most {limits.N_RULES} misconceptions.")
    sentences = {line({"rule": rule}, "rule", limits.RULE_CHARACTERS) for rule in rules}
    return json.dumps({"right": right, "of": total, "misconceptions": sorted(sentences)})
