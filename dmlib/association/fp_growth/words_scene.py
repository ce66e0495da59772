"""Texts that change from step to step, as one mark that has all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dmlib.pictures.marks import Texts
from dmlib.pictures.places import visible_where
from dmlib.pictures.tree_layout import fitting


class Word(NamedTuple):
    """A text that stands at a place."""

    x: float
    y: float
    text: str


class Words:
    """All texts that stand in a panel at any step; empty ones are left out.

    Parameters
    ----------
    panel : str
        The panel.
    words : iterable of Word
        The texts, each as often as it stands there.

    Examples
    --------
    >>> words = Words("tree", [Word(0.0, 1.0, "a:1"), Word(0.0, 1.0, "a:2"), Word(0.0, 1.0, "a:1")])
    >>> words.mark.text, words.at([Word(0.0, 1.0, "a:2")]).x.tolist()
    (['a:1', 'a:2'], [nan, 0.0])
    """

    def __init__(self, panel: str, words: Iterable[Word]) -> None:
        self.words = list(dict.fromkeys(word for word in words if word.text))
        self.mark = Texts(
            panel=panel,
            x=[word.x for word in self.words],
            y=[word.y for word in self.words],
            text=[word.text for word in self.words],
            anchor="start",
            dy=4.0,
        )

    def at(self, words: Iterable[Word]) -> Texts:
        """Return the texts of a step."""
        visible = set(words)
        return visible_where([word in visible for word in self.words], self.mark)


def node_text(name: str, count: int, room: float) -> str:
    """Return the text beside a node: its item and its count, as far as there is room.

    Examples
    --------
    >>> node_text("coffee", 12, 20), node_text("coffee", 12, 8), node_text("coffee", 12, 4)
    ('coffee:12', 'coff…:12', '12')
    >>> node_text("c", 3, 1)
    ''
    """
    number = f":{count}"
    if len(name) + len(number) <= room:
        return name + number
    if room - len(number) >= 5:
        return fitting(name, room - len(number)) + number
    return str(count) if room >= len(number) else ""


def braces(names: Sequence[str], items: Sequence[int]) -> str:
    """Return an item set.

    Examples
    --------
    >>> braces(("tea", "milk"), (1, 0))
    '{milk, tea}'
    """
    return "{" + ", ".join(names[j] for j in items) + "}"
