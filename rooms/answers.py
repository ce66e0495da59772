"""Answers of phones: whether they are ones, for each kind of the stage's answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from rooms.limits import ANSWER_BYTES, N_OPTIONS, N_PICKS, SPEC_BYTES
from rooms.refusals import malformed

Spec = Mapping[str, Any]
LARGEST = 1e12


def is_number(value: object) -> bool:
    """Return whether a value of JSON is a finite number of a picture's size."""
    return isinstance(value, int | float) and type(value) is not bool and abs(value) <= LARGEST


def is_count(value: object) -> bool:
    """Return whether a value of JSON is a whole number from 0 on."""
    return isinstance(value, int) and type(value) is not bool and 0 <= value <= LARGEST


def is_place(value: object) -> bool:
    """Return whether a value of JSON is a place on a picture."""
    return isinstance(value, list) and len(value) == 2 and all(map(is_number, value))


def _is_pick(spec: Spec, value: Any) -> bool:
    min_picks = 0 if spec.get("several") else 1
    if not isinstance(value, list) or not min_picks <= len(value) <= N_PICKS:
        return False
    among = spec["among"] or value
    is_each_once = all(map(is_count, value)) and len(set(value)) == len(value)
    return is_each_once and all(number in among for number in value)


def _is_option(spec: Spec, value: Any) -> bool:
    return is_count(value) and value < len(spec["options"])


def _is_order(spec: Spec, value: Any) -> bool:
    return (
        isinstance(value, list)
        and all(map(is_count, value))
        and sorted(value) == list(range(len(spec["items"])))
    )


KINDS: Mapping[str, Callable[[Spec, Any], bool]] = {
    "pick": _is_pick,
    "place": lambda _, value: is_place(value),
    "angle": lambda _, value: is_number(value),
    "number": lambda _, value: is_number(value),
    "option": _is_option,
    "order": _is_order,
}


def answer_spec(value: object) -> dict[str, Any]:
    """Return what a teacher says an answer is.

    Raises
    ------
    RefusedError
        If it is of no kind, too long, or lacks what an answer is compared with.
    """
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(kind, str) or kind not in KINDS:
        raise malformed(f"The answer must have a kind: one of {', '.join(KINDS)}.")
    if len(json.dumps(value)) > SPEC_BYTES:
        raise malformed("The question is too long: ask for fewer marks or options.")
    if kind == "pick" and not isinstance(value.get("among"), list):
        raise malformed("Say among which numbers is picked; none means any.")
    if texts := {"option": "options", "order": "items"}.get(kind):
        _check_texts(texts, value.get(texts))
    return value


def _check_texts(name: str, texts: object) -> None:
    is_list = isinstance(texts, list) and all(isinstance(text, str) for text in texts)
    if not isinstance(texts, list) or not is_list or not 2 <= len(texts) <= N_OPTIONS:
        raise malformed(f"Name 2 to {N_OPTIONS} {name}, each a text.")


def checked_answer(spec: Spec, value: object) -> str:
    """Return a phone's answer as JSON.

    Raises
    ------
    RefusedError
        If it is no answer of this kind.

    Examples
    --------
    >>> checked_answer({"kind": "option", "options": ["a", "b"]}, 1)
    '1'
    """
    if not KINDS[spec["kind"]](spec, value):
        raise malformed(f"This is no answer to a question of the kind {spec['kind']}.")
    text = json.dumps(value, separators=(",", ":"))
    if len(text) > ANSWER_BYTES:
        raise malformed("The answer is too long: choose fewer marks.")
    return text
