"""The lesson of a page, assets/pages/<slug>/lesson.md, as parts.

Plain Markdown that reads well as a file too: ``### Title`` begins a part,
``![caption](picture.png)`` on a line of its own is a picture of the folder,
``[text](?preset=slug)`` is a link that adopts a preset, ``[text](slug)`` one to another page, and
the numbered items of the parts "Check yourself" and "Answers" belong together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

QUESTIONS, ANSWERS = "Check yourself", "Answers"
PAGES = Path(__file__).parent.parent / "assets" / "pages"
PICTURE = re.compile(r"^!\[(.+?)\]\(([\w.-]+)\)$", re.MULTILINE | re.DOTALL)
PRESET = re.compile(r"\(\?preset=([a-z0-9-]+)\)")
ITEM = re.compile(r"^\d+\. ", re.MULTILINE)


@dataclass(frozen=True)
class Part:
    """A part of a lesson: its title, and its Markdown."""

    title: str
    text: str


def parts(text: str) -> list[Part]:
    r"""Return the parts of a lesson, in order.

    Examples
    --------
    >>> parts("### The idea\nOne sentence.\n### Cost\nLittle.\n")
    [Part(title='The idea', text='One sentence.'), Part(title='Cost', text='Little.')]
    """
    titled = (part.split("\n", 1) for part in re.split(r"^### ", text, flags=re.MULTILINE)[1:])
    return [Part(title.strip(), body.strip()) for title, body in titled]


def items(text: str) -> list[str]:
    r"""Return the items of a numbered list.

    Examples
    --------
    >>> items("1. Why?\n2. What\n   for?")
    ['Why?', 'What for?']
    """
    return [" ".join(item.split()) for item in ITEM.split(text)[1:]]


def lesson_text(slug: str) -> str:
    """Return the Markdown of a page's lesson."""
    return (PAGES / slug / "lesson.md").read_text("utf-8")
