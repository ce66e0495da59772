"""Questions whose answer is a class, for the techniques of this family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike

from dmlib.pictures.answers import MAX_OPTIONS
from dmlib.pictures.question import Question
from dmlib.pictures.words import num4

MAX_QUESTIONS = 60  # of a run
MAX_TERMS = 6  # of a sum that is written out


def first_of(questions: Iterator[Question]) -> Iterator[Question]:
    """Return the first questions of a long run."""
    return islice(questions, MAX_QUESTIONS)


def best(scores: ArrayLike) -> list[int]:
    """Return the places of the largest scores, equal ones up to rounding.

    Examples
    --------
    >>> best([0.3, 0.1 + 0.2, 0.1])
    [0, 1]
    """
    values = np.asarray(scores, float)
    if not values.size or np.isnan(values).any():
        return []
    top = values.max()
    return np.flatnonzero(np.isclose(values, top, rtol=1e-9, atol=1e-12)).tolist()


def is_optional(classes: Sequence[str], n_others: int = 0) -> bool:
    """Return whether classes can be options: two or more different ones, beside ``n_others``."""
    has_room = 2 <= len(classes) <= MAX_OPTIONS - n_others
    return has_room and len(set(classes)) == len(classes)


def total(values: ArrayLike) -> str:
    """Return a sum as it is written out.

    Examples
    --------
    >>> total([1, 2, 3.5]), total(range(9))
    ('1 + 2 + 3.5', '0 + 1 + 2 + 3 + 4 + 5 + …')
    """
    numbers = np.asarray(values, float)
    more = " + …" if len(numbers) > MAX_TERMS else ""
    return " + ".join(num4(value) for value in numbers[:MAX_TERMS]) + more
