"""Bayesian networks as text: the Bayesian Network Interchange Format (BIF)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from dmlib.arrays import Floats
from dmlib.datasets.networks import MAX_VALUES, NetworkNode, in_order
from dmlib.datasets.table import TableError
from dmlib.trace import look

MAX_NAME = 100  # characters
ROUNDED = 0.005
"""How far the probabilities of a file, which are rounded, may sum beside 1."""
TABLE, DEFAULT = "table", "default"

_SIGN = re.compile(
    r'//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)|"[^"\n]*"|[{}()\[\]|,;]|[^\s{}()\[\]|,;"]+'
)
_PUNCTUATION = frozenset("{}()[]|,;")


@dataclass
class _Block:
    """The probabilities of a variable, as they are written.

    Each of the lines has the values of the parents, or a word in their place.
    """

    parents: tuple[str, ...]
    lines: list[tuple[str | tuple[str, ...], list[float]]] = field(default_factory=list)


def parse_bif(text: str) -> tuple[NetworkNode, ...]:
    """Return the nodes of a network that a text describes in BIF.

    Parameters
    ----------
    text : str
        Blocks ``network``, ``variable`` with ``type discrete [ k ] { ... };`` and ``probability``,
        with a ``table``, or a row such as ``(yes, no) 0.2, 0.8;`` for each state of the parents,
        and perhaps a ``default``. Of a table with parents, the values of the variable change last,
        as in the format's definition. Comments and properties are left out.

    Returns
    -------
    tuple of NetworkNode
        Parents before their children, otherwise in the order of the text.

    Raises
    ------
    TableError
        If the text is not in this form, names an unknown variable or value, has a cycle, rows that
        are missing or do not sum to 1, or is too large.

    References
    ----------
    F. G. Cozman (1998), The Interchange Format for Bayesian Networks, version 0.15.

    Examples
    --------
    >>> rain, grass = parse_bif('''
    ... network lawn { }
    ... variable rain { type discrete [ 2 ] { yes, no }; }
    ... variable grass { type discrete [ 2 ] { wet, dry }; }
    ... probability ( rain ) { table 0.2, 0.8; }
    ... probability ( grass | rain ) { (yes) 0.9, 0.1; (no) 0.1, 0.9; }
    ... ''')
    >>> grass.parents, grass.table.tolist()
    (('rain',), [[0.9, 0.1], [0.1, 0.9]])
    """
    from dmlib.problem.network import check_states  # it loads SciPy

    signs = _Signs(text)
    values: dict[str, tuple[str, ...]] = {}
    blocks: dict[str, _Block] = {}
    while signs.has_more:
        look()
        word = signs.take()
        if word == "network":
            signs.skip("{")
            signs.skip("}")
        elif word == "variable":
            name = signs.name()
            _check_new(name, values, "is declared")
            values[name] = _values(name, signs)
        elif word == "probability":
            name, block = _block(signs)
            _check_new(name, blocks, "has probabilities")
            blocks[name] = block
        else:
            raise _wrong(f"{word[:40]!r} begins no block of a network. Write “variable …” there.")
    if not values:
        raise _wrong("There is no variable. Declare one: variable rain { type discrete … }.")
    try:
        check_states(values)
    except ValueError as error:
        raise TableError("too_large", str(error)) from None
    for name in blocks:
        if name not in values:
            raise _unknown(f"There are probabilities of {name}, which is no variable.")
    nodes = [_node(name, blocks.get(name), values) for name in values]
    return in_order(nodes)


class _Signs:
    """The words and signs of a text, one after the other."""

    def __init__(self, text: str) -> None:
        self._signs: list[str] = [s for s in _SIGN.findall(text) if not s.startswith(("//", "/*"))]
        self._place = 0

    @property
    def has_more(self) -> bool:
        """Whether there is another one."""
        return self._place < len(self._signs)

    def take(self) -> str:
        """Return the next one."""
        if not self.has_more:
            raise _wrong("The file ends within a block. Complete it.")
        self._place += 1
        return self._signs[self._place - 1]

    def name(self) -> str:
        """Return the next one, which has to be a name."""
        sign = self.take()
        name = " ".join(sign.strip('"').split())
        if not name or sign in _PUNCTUATION or len(name) > MAX_NAME:
            raise _wrong(f"{name[:20]!r} is no name. Write one of 1 to {MAX_NAME} characters.")
        return name

    def skip(self, end: str) -> None:
        """Leave out everything up to a sign, and the sign."""
        while self.take() != end:
            pass

    def names(self, end: str) -> tuple[str, ...]:
        """Return names, with commas between, up to a sign."""
        names = [self.name()]
        while (sign := self.take()) != end:
            if sign != ",":
                raise _wrong(f"Behind {names[-1]}, {sign[:40]!r} is not expected. Write {end!r}.")
            names.append(self.name())
        return tuple(names)


def _values(name: str, signs: _Signs) -> tuple[str, ...]:
    """Read the block of a variable; return its values."""
    signs.skip("{")
    values: tuple[str, ...] = ()
    while (word := signs.take()) != "}":
        if word == "type":
            kind = signs.name()
            if kind != "discrete":
                raise _wrong(f"{name} is {kind}; only discrete variables have tables. Cut it.")
            signs.skip("{")
            values = signs.names("}")
        signs.skip(";")
    if not 2 <= len(set(values)) == len(values) <= MAX_VALUES:
        raise _wrong(f"{name} needs 2 to {MAX_VALUES} values, all different. Declare them.")
    return values


def _block(signs: _Signs) -> tuple[str, _Block]:
    """Read a block of probabilities; return the variable, and what is written of it."""
    signs.skip("(")
    name = signs.name()
    sign = signs.take()
    if sign not in ("|", ")"):
        raise _wrong(f"Behind {name}, {sign[:40]!r} is not expected. Write “|” or “)”.")
    block = _Block(signs.names(")") if sign == "|" else ())
    signs.skip("{")
    while (word := signs.take()) != "}":
        if word == "property":
            signs.skip(";")
        elif word in (TABLE, DEFAULT):
            block.lines.append((word, _numbers(name, signs)))
        elif word == "(":
            block.lines.append((signs.names(")"), _numbers(name, signs)))
        else:
            raise _wrong(f"{word[:40]!r} is no row of {name}. Write “table” or “(value, …)”.")
    return name, block


def _numbers(name: str, signs: _Signs) -> list[float]:
    numbers: list[float] = []
    while (sign := signs.take()) != ";":
        if sign == ",":
            continue
        try:
            number = float(sign)
        except ValueError:
            raise _wrong(f"{sign[:40]!r} is no probability of {name}. Write a number.") from None
        if not 0 <= number <= 1:
            raise TableError(
                "bad_sum", f"{sign[:40]} is no probability of {name}: write one from 0 to 1."
            )
        numbers.append(number)
    return numbers


def _node(name: str, block: _Block | None, values: Mapping[str, tuple[str, ...]]) -> NetworkNode:
    """Return a variable with its table."""
    if block is None:
        raise TableError(
            "missing_rows", f"{name} has no probabilities. Add a block: probability ( {name} )."
        )
    for parent in block.parents:
        if parent not in values:
            raise _unknown(f"{name} depends on {parent}, which is no variable.")
    if len(set(block.parents)) < len(block.parents):
        raise _wrong(f"A parent of {name} is named twice. Remove it once.")
    if name in block.parents:
        raise TableError("cycle", f"{name} is its own parent. Remove it from its parents.")
    shape = (*(len(values[parent]) for parent in block.parents), len(values[name]))
    table = np.full(shape, np.nan)
    for state, numbers in sorted(block.lines, key=lambda line: line[0] != DEFAULT):
        look()
        place = _place(name, state, block.parents, values)
        n_expected = table.size if state == TABLE else shape[-1]
        if len(numbers) != n_expected:
            raise TableError(
                "missing_rows",
                f"A row of {name} has {len(numbers)} numbers; it needs {n_expected}. Correct it.",
            )
        if state == TABLE:  # the values of the variable change last
            table = np.moveaxis(np.reshape(numbers, (shape[-1], *shape[:-1])), 0, -1)
        else:
            table[place] = numbers
    return NetworkNode(
        name, values[name], block.parents, _table_of_rows(name, table, block.parents, values)
    )


def _place(
    name: str,
    state: str | tuple[str, ...],
    parents: Sequence[str],
    values: Mapping[str, tuple[str, ...]],
) -> tuple[int, ...]:
    """Return the numbers of the values of the parents in a row; none where it is for all states."""
    if isinstance(state, str):
        return ()
    if len(state) != len(parents):
        raise _wrong(
            f"The row ({', '.join(state)[:80]}) of {name} has {len(state)} values, but there are"
            f" {len(parents)} parents. Correct it."
        )
    for value, parent in zip(state, parents, strict=True):
        if value not in values[parent]:
            raise _unknown(f"In a row of {name}, {parent} is {value}, which is none of its values.")
    return tuple(values[parent].index(value) for value, parent in zip(state, parents, strict=True))


def _table_of_rows(
    name: str, table: Floats, parents: Sequence[str], values: Mapping[str, tuple[str, ...]]
) -> Floats:
    """Return a table whose rows are complete and sum to 1; what rounding has left is made good."""
    sums = table.sum(axis=-1)
    is_wrong = ~(np.abs(sums - 1) <= ROUNDED)
    if not is_wrong.any():
        rows: Floats = table / sums[..., None]
        return table if np.allclose(sums, 1, rtol=0, atol=1e-9) else rows
    states = product(*(values[parent] for parent in parents))
    state, total = next(
        (state, total)
        for state, total, wrong in zip(states, sums.flat, is_wrong.flat, strict=True)
        if wrong
    )
    words = ", ".join(f"{parent} = {value}" for parent, value in zip(parents, state, strict=True))
    row = f"The row of {name} for {words}" if words else f"The table of {name}"
    if np.isnan(total):
        raise TableError("missing_rows", f"{row} is missing. Add it.")
    raise TableError("bad_sum", f"{row} sums to {total:.6g}, not to 1. Correct it.")


def _check_new(name: str, blocks: Mapping[str, object], verb: str) -> None:
    if name in blocks:
        raise _wrong(f"{name} {verb} twice. Remove one of the blocks.")


def _wrong(text: str) -> TableError:
    return TableError("wrong_format", text)


def _unknown(text: str) -> TableError:
    return TableError("unknown_variable", f"{text} Declare it, or correct the name.")
