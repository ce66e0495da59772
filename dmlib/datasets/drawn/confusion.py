"""A confusion matrix as a text, and the table of decisions that has its counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_uppercase

import numpy as np
import pandas as pd

from dmlib.datasets.table import Table

MAX_CLASSES = 12
MAX_ROWS = 2000


def confusion_table(text: str, *, random_state: int = 0) -> Table:
    """Return rows with the true and predicted classes of a confusion matrix.

    Parameters
    ----------
    text : str
        A line for each true class: its name, a colon, and the counts of its predicted classes in
        the order of the lines. Lines may also be separated by semicolons, counts by commas; classes
        without names are called A, B, C.
    random_state : int
        Seed of the order of the rows.

    Returns
    -------
    Table
        Columns decision and class. The decision is the number of the predicted class, from 1 in
        sorted order; of two classes 1 for the second, -1 for the first.

    Raises
    ------
    ValueError
        If it is no square matrix of whole numbers, a class has no row or a name of another one, or
        there are more than 12 classes or 2,000 rows.

    Examples
    --------
    >>> table = confusion_table("cat: 2 0 1; dog: 0 1 0; ant: 0 0 1")
    >>> sorted(table.frame.itertuples(index=False, name=None))
    [(1.0, 'ant'), (1.0, 'cat'), (2.0, 'cat'), (2.0, 'cat'), (3.0, 'dog')]
    """
    names, counts = _matrix([line for line in re.split(r"[\n;]", text) if line.strip()])
    order = sorted(names)
    places = [order.index(name) for name in names]
    scores = [-1.0, 1.0] if len(names) == 2 else np.arange(1.0, len(names) + 1)
    rows = [
        (scores[places[j]], names[i])
        for i, line in enumerate(counts)
        for j, count in enumerate(line)
        for _ in range(count)
    ]
    shuffled = np.random.default_rng(random_state).permutation(len(rows))
    return Table(
        pd.DataFrame([rows[i] for i in shuffled], columns=["decision", "class"]),
        {"decision": "numeric", "class": "nominal"},
        name="confusion_matrix",
        target="class",
        source="Typed by hand.",
        licence="Yours.",
    )


def _matrix(lines: Sequence[str]) -> tuple[list[str], list[list[int]]]:
    """Return the names of the classes and their counts."""
    n = len(lines)
    if not 2 <= n <= MAX_CLASSES:
        raise ValueError(
            f"A confusion matrix has 2 to {MAX_CLASSES} lines, but this one has {n}. Type one for"
            " each true class, like 'cat: 8 2'."
        )
    parts = [line.rpartition(":") for line in lines]
    names = [name.strip() or ascii_uppercase[i] for i, (name, _, _) in enumerate(parts)]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"Two lines are called {name}. Give each class a name of its own.")
    counts = [_counts(name, line, n) for name, (_, _, line) in zip(names, parts, strict=True)]
    total = sum(map(sum, counts))
    if total > MAX_ROWS:
        raise ValueError(
            f"The counts add up to {total:,} rows, but {MAX_ROWS:,} are possible. Divide all counts"
            " by the same number."
        )
    return names, counts


def _counts(name: str, line: str, n_classes: int) -> list[int]:
    """Return the counts of a line."""
    words = line.replace(",", " ").split()
    for word in words:
        if not re.fullmatch(r"[0-9]{1,9}", word):
            raise ValueError(f"Class {name} has the count {word!r}. Type whole numbers from 0 on.")
    if len(words) != n_classes:
        raise ValueError(
            f"Class {name} has a line of {len(words)} counts, but there are {n_classes} lines. Type"
            " one count for each predicted class."
        )
    counts = [int(word) for word in words]
    if not any(counts):
        raise ValueError(f"Class {name} has no row. Type a count above 0, or leave the class out.")
    return counts
