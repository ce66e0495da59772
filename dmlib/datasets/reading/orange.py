"""Kinds and roles of columns in the files of Orange: below the names, or in front of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dmlib.datasets.table import Kind, Role

_TYPES: dict[str, Kind] = {"c": "numeric", "d": "nominal", "s": "text"}
_TYPE = re.compile(
    r"c|continuous|numeric|d|discrete|categorical|s|string|text|t|time|(?:[^\s|]+[ |])+[^\s|]+|",
    re.IGNORECASE,
)
_WORDS = {"numeric": "c", "categorical": "d", "text": "s"}
_FLAG = re.compile(r"class|c|meta|m|ignore|i|weight|w|[\w-]+=\S+(?: [\w-]+=\S+)*|", re.IGNORECASE)
_ROLES: dict[str, Role] = {"c": "target", "m": "label", "i": "ignore", "w": "ignore"}
ORANGE = "types and roles of Orange"
"""The content of the lines below the names, for people."""

_PREFIXED = re.compile(r"([mciw]?)([DCST]?)#(.*[^\d\s].*)")


@dataclass(frozen=True)
class Declared:
    """Names of columns, with the kinds and roles of some by position.

    Attributes
    ----------
    names : tuple of str
        The names of the columns, without prefixes.
    kinds, roles : mapping of int to str
        What is declared of some of the columns.
    """

    names: tuple[str, ...]
    kinds: dict[int, Kind] = field(default_factory=dict)
    roles: dict[int, Role] = field(default_factory=dict)


def of_lines(names: Sequence[str], types: Sequence[str], flags: Sequence[str]) -> Declared | None:
    """Return what two lines below the names declare, or None if they are rows as any.

    Examples
    --------
    >>> of_lines(["size", "iris"], ["c", "d"], ["", "class"]).roles
    {1: 'target'}
    >>> of_lines(["size", "grade"], ["c", "d"], ["a", "b"]) is None
    True
    """
    if not all(map(_TYPE.fullmatch, types)) or not all(map(_FLAG.fullmatch, flags)):
        return None
    letters = list(map(_letter, types))
    # Lists of values are types too, but such lines alone are as likely rows of texts.
    plain = [text.lower() for text in types if text and " " not in text and "|" not in text]
    if not plain or 2 * len(plain) < sum(map(bool, types)):
        return None
    kinds = {i: _TYPES[letter] for i, letter in enumerate(letters) if letter in _TYPES}
    roles = {i: _ROLES[flag[0].lower()] for i, flag in enumerate(flags) if flag and "=" not in flag}
    return Declared(tuple(names), kinds, roles)


def of_prefixes(names: Sequence[str]) -> Declared | None:
    """Return what stands in front of the names, or None if it is a part of them.

    Examples
    --------
    >>> of_prefixes(["C#size", "mS#name", "cD#iris"])
    Declared(names=('size', 'name', 'iris'), kinds={0: 'numeric', 1: 'text', 2: 'nominal'}, \
roles={1: 'label', 2: 'target'})
    >>> of_prefixes(["C#", "Java"]) is None
    True
    """
    declared = Declared(())
    plain, has_both, n_prefixes = [], False, 0
    for i, name in enumerate(names):
        parts = _PREFIXED.fullmatch(name)
        role, kind = parts.group(1, 2) if parts else ("", "")
        plain.append(parts[3].strip() if parts and (role or kind) else name)
        has_both |= bool(role and kind)
        n_prefixes += bool(role or kind)
        if kind.lower() in _TYPES:
            declared.kinds[i] = _TYPES[kind.lower()]
        if role:
            declared.roles[i] = _ROLES[role]
    if not n_prefixes or (not has_both and 2 * n_prefixes < len(names)):
        return None
    return replace(declared, names=tuple(plain))


def _letter(text: str) -> str:
    """Return the letter of a type; a list of values is a discrete one."""
    lower = text.lower()
    return "d" if " " in lower or "|" in lower else _WORDS.get(lower, lower)[:1]
