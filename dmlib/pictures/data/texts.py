"""Texts below each other: short strings letter by letter, longer texts by their beginning."""

from __future__ import annotations

import numpy as np

from dmlib.pictures.marks import NO_CLASS, Mark, Points, Texts
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene
from dmlib.problem import TextsProblem
from dmlib.problem.texts import shortened

MAX_TEXTS = 16
"""So many texts are drawn."""

MAX_LETTERS = 60
"""Texts up to this length are drawn letter by letter."""

WIDEST = 90  # characters of the beginning of a longer text
NAME = 9  # characters of a name beside the letters


def by_letters(problem: TextsProblem) -> bool:
    """Return whether the texts are drawn letter by letter."""
    return max(map(len, problem.texts)) <= MAX_LETTERS


def texts_panel(problem: TextsProblem) -> Panel:
    """Return the panel of the texts, the first one on top."""
    longest = max(map(len, problem.texts))
    letters = by_letters(problem)
    names = [shortened(name, NAME) for name in problem.names[:MAX_TEXTS]][::-1]
    x = Axis(
        "position" if letters else "",
        -2.0,
        (max(longest, 1) if letters else WIDEST) + 0.5,
        integer=True,
    )
    return Panel("data", x, Axis("text" if letters else "", -0.75, len(names) - 0.25, ticks=names))


def texts_marks(problem: TextsProblem) -> tuple[Mark, ...]:
    """Return the texts, each with a symbol of its class and a tooltip with the name."""
    texts = problem.texts[:MAX_TEXTS]
    y = np.arange(len(texts), dtype=float)[::-1]
    color = np.full(len(texts), NO_CLASS) if problem.y is None else problem.y[: len(texts)]
    symbols = Points(
        x=np.full(len(texts), -1.0),
        y=y,
        color=color.astype(np.uint8),
        labels=problem.labels[: len(texts)],
        classes=problem.classes,
        data=True,
    )
    if not by_letters(problem):
        lines = [
            shortened(f"{name}: {text}", WIDEST)
            for name, text in zip(problem.names, texts, strict=False)
        ]
        return symbols, Texts(x=np.zeros(len(texts)), y=y, text=lines, anchor="start", dy=4)
    letters = "".join(texts)
    at = np.concatenate([np.arange(len(text)) for text in texts])
    rows = np.repeat(y, [len(text) for text in texts])
    return symbols, Texts(x=at + 1.0, y=rows, text=list(letters), dy=4)


def texts_scene(problem: TextsProblem) -> Scene:
    """Return the texts alone, in one frame."""
    lengths = [len(text) for text in problem.texts]
    caption = f"{len(lengths)} texts of {np.mean(lengths):.4g} characters on average."
    cut = (
        (f"The first {MAX_TEXTS} of {len(lengths)} texts are shown.",)
        if len(lengths) > MAX_TEXTS
        else ()
    )
    legend = tuple(Key(name, code) for code, name in enumerate(problem.classes))
    return Scene(
        (texts_panel(problem),), texts_marks(problem), (Frame(caption),), cut, legend=legend
    )
