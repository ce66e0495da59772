"""Texts or strings made ready for an algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.problem.columns import codes_of
from dmlib.problem.undivided import Undivided

MAX_TEXTS = 1_000
"""Of more texts than this, the first ones are used."""

MAX_CHARACTERS = 20_000
"""Longer texts are cut."""

TOOLTIP_LENGTH = 60  # characters of a text that its tooltip shows


@dataclass(frozen=True, eq=False)
class TextsProblem(Undivided):
    """Texts or strings made ready for an algorithm.

    Attributes
    ----------
    texts : tuple of str
        The texts.
    names : tuple of str
        What they are called.
    rows : ndarray of shape (n_texts,)
        Number of each text in the data.
    y : ndarray of shape (n_texts,) or None
        Class codes, where there are classes.
    classes : tuple of str
        Names of the codes.
    notes : tuple of str
        What was done to the data, one sentence each.
    labelled : bool
        Whether an algorithm is given the classes too.
    """

    texts: tuple[str, ...]
    names: tuple[str, ...]
    rows: NDArray[np.intp]
    y: NDArray[np.intp] | None = None
    classes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    labelled: bool = False

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Arguments of ``fit`` and ``steps``: the texts and, if labelled, the classes."""
        return (self.texts, self.y) if self.labelled else (self.texts,)

    @property
    def data(self) -> list[str]:
        """The texts as a list."""
        return list(self.texts)

    @property
    def labels(self) -> list[str]:
        """The tooltip of each text."""
        labels = [
            f"{name}: {shortened(text, TOOLTIP_LENGTH)}"
            for name, text in zip(self.names, self.texts, strict=True)
        ]
        if self.y is None:
            return labels
        return [
            f"{label} · {self.classes[code]}" for label, code in zip(labels, self.y, strict=True)
        ]


def prepare_texts(
    texts: Sequence[str],
    *,
    names: Sequence[str] = (),
    classes: Sequence[str] = (),
    labelled: bool = False,
    max_texts: int = MAX_TEXTS,
    max_characters: int = MAX_CHARACTERS,
) -> TextsProblem:
    """Bound a list of texts, and read their classes.

    Parameters
    ----------
    texts : sequence of str
        The texts.
    names : sequence of str
        What they are called; by default by their numbers.
    classes : sequence of str
        The class of each, where they are known.
    labelled : bool
        Whether the classes are given to the algorithm.
    max_texts : int
        At most so many texts are used, the first ones.
    max_characters : int
        At most so many characters of each are used.

    Returns
    -------
    TextsProblem
        What the algorithm gets.

    Raises
    ------
    ValueError
        If there are no texts, or no classes where they are learned.

    Examples
    --------
    >>> problem = prepare_texts(["downtown", "known"], classes=["place", "state"])
    >>> problem.names, problem.y.tolist(), problem.classes
    (('text 1', 'text 2'), [0, 1], ('place', 'state'))
    """
    if not texts:
        raise ValueError("There are no texts. Choose other data, or write one text on each line.")
    if labelled and len(set(classes)) < 2:
        raise ValueError(
            "The texts are not of two or more classes, which this technique learns. Choose other"
            " data."
        )
    notes = []
    used = tuple(texts[:max_texts])
    if len(used) < len(texts):
        notes.append(f"The first {len(used):,} of {len(texts):,} texts are used.")
    n_long = sum(len(text) > max_characters for text in used)
    if n_long:
        notes.append(f"Of {n_long} longer texts, the first {max_characters:,} characters are used.")
    y, kinds = (
        codes_of(pd.Series(list(classes[: len(used)]), dtype=object)) if classes else (None, ())
    )
    called = tuple(names[: len(used)]) or tuple(f"text {i + 1}" for i in range(len(used)))
    short = tuple(text[:max_characters] for text in used)
    return TextsProblem(short, called, np.arange(len(used)), y, kinds, tuple(notes), labelled)


def shortened(text: str, length: int) -> str:
    """Return a text in one line of at most so many characters.

    Examples
    --------
    >>> shortened("To be or not to be", 9)
    'To be or…'
    """
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"
