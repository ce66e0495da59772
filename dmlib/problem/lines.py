"""Lines of text as a problem: sentences, items of a basket, or cells of a row."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import pandas as pd

from dmlib.problem.texts import TextsProblem, prepare_texts

MAX_CHARACTERS = 400_000
"""Of more characters in all lines together, the first ones are used."""


@runtime_checkable
class HasTexts(Protocol):
    """Texts with names and classes, such as :class:`dmlib.datasets.Strings`."""

    texts: Sequence[str]
    names: Sequence[str]
    classes: Sequence[str]


@runtime_checkable
class HasTransactions(Protocol):
    """Sets of items, such as :class:`dmlib.datasets.Baskets`."""

    transactions: Sequence[Collection[str]]


class HasColumns(Protocol):
    """A data frame with kinds of columns, such as :class:`dmlib.datasets.Table`."""

    frame: pd.DataFrame
    numeric: Sequence[str]
    nominal: Sequence[str]
    target: str | None


@dataclass(frozen=True, eq=False)
class LinesProblem(TextsProblem):
    """Lines of text, and the names of their classes."""

    @property
    def data(self) -> list[str]:
        """The lines."""
        return list(self.texts)

    @property
    def target(self) -> list[str]:
        """The name of the class of each line; empty where there are no classes."""
        return [] if self.y is None else [self.classes[code] for code in self.y]

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Arguments of ``fit`` and ``steps``: the lines and the names of the classes, if any."""
        return (self.data, self.target) if self.labelled else (self.data,)


def prepare_lines(data: HasTexts | HasTransactions | HasColumns) -> LinesProblem:
    """Write data as lines of text, as a file of them has.

    Parameters
    ----------
    data : Strings, Baskets or Table
        A text is a line. A basket is a line with its items. A row of a table is a line with its
        numbers or, in a table of names, with pairs "column=value"; its target is the class.

    Returns
    -------
    LinesProblem
        What the algorithm gets.

    Raises
    ------
    ValueError
        If there is no line.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> prepare_lines(load("five_baskets")).texts[:2]
    ('1 2 3', '2 3 4')
    >>> prepare_lines(load("iris")).texts[0], prepare_lines(load("weather_nominal")).texts[0]
    ('5.1 3.5 1.4 0.2', 'outlook=sunny temperature=hot humidity=high windy=FALSE')
    """
    texts, names, classes = _lines(data)
    if not texts:
        raise ValueError("There are no lines. Choose other data.")
    sizes = np.cumsum([len(text) for text in texts])
    n_used = max(1, int(np.searchsorted(sizes, MAX_CHARACTERS, side="right")))
    labelled = len(set(classes[:n_used])) > 1
    problem = prepare_texts(
        texts[:n_used], names=names, classes=classes if labelled else (), labelled=labelled
    )
    cut = (f"The first {n_used} of {len(texts)} lines are used.",) if n_used < len(texts) else ()
    return LinesProblem(
        problem.texts,
        problem.names,
        problem.rows,
        problem.y,
        problem.classes,
        (*cut, *problem.notes),
        labelled,
    )


def _lines(
    data: HasTexts | HasTransactions | HasColumns,
) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    """Return the lines, their names and their classes."""
    if isinstance(data, HasTexts):
        return data.texts, data.names, data.classes
    if isinstance(data, HasTransactions):
        lines = [_joined(sorted(basket)) for basket in data.transactions]
        return lines, [f"basket {i + 1}" for i in range(len(lines))], ()
    frame, lines = _lines_of_table(data)
    names = [f"row {i + 1}" for i in range(len(lines))]
    if not data.target:
        return lines, names, ()
    target = frame[data.target]
    return lines, names, target.where(target.notna(), "?").astype(str).tolist()


def _lines_of_table(table: HasColumns) -> tuple[pd.DataFrame, list[str]]:
    """Return the complete rows of a table, and a line for each: its numbers, else its names."""
    columns = [name for name in table.numeric if name != table.target]
    if columns:
        frame = table.frame.dropna(subset=columns)
        rows = frame[columns].to_numpy(float)
        return frame, [" ".join(f"{value:.6g}" for value in row) for row in rows]
    columns = [name for name in table.nominal if name != table.target]
    frame = table.frame.dropna(subset=columns)
    records = frame[columns].to_dict("records")
    return frame, [_joined(f"{name}={value}" for name, value in row.items()) for row in records]


def _joined(words: Iterable[str]) -> str:
    """Return words in a line, without blanks in them."""
    return " ".join("_".join(word.split()) for word in words)
