"""The lesson of a page: assets/pages/<slug>/lesson.md, in parts that are sent when they are opened.

Plain Markdown that reads well as a file too: ``### Title`` begins a part,
``![caption](picture.png)`` on a line of its own is a picture of the folder,
``[text](?preset=slug)`` is a link that adopts a preset, and the numbered items of the parts "Check
yourself" and "Answers" belong together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from dashboard.presets import link_of, presets
from ui.stage import after_the_stage

LESSON, QUESTIONS, ANSWERS = "Lesson", "Check yourself", "Answers"
WIDTH = 760  # pixels: about ninety letters in a line
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


@st.cache_data(max_entries=100, show_spinner=False)
def lesson(slug: str) -> list[Part]:
    """Return the parts of a page's lesson, with the presets' links as their browser needs them."""
    links = {preset.slug: urlencode(link_of(slug, preset), doseq=True) for preset in presets(slug)}
    text = (PAGES / slug / "lesson.md").read_text(encoding="utf-8")
    return parts(PRESET.sub(lambda match: f"(?{links[match[1]]})", text))


@st.fragment
def show_lesson(slug: str) -> None:
    """Show the first part of a lesson, and the others when they are opened."""
    if not after_the_stage(f"{slug}.lesson.due"):
        return
    first, *folded_parts = lesson(slug)
    answers = next((items(part.text) for part in folded_parts if part.title == ANSWERS), [])
    # The stage's style sheet lays a lesson out only when it comes into view.
    with st.container(key="lesson", width=WIDTH, gap="xsmall"):
        _text(first.text, slug)
        for part in folded_parts:
            if part.title != ANSWERS:
                _folded(part, answers, slug)


def _folded(part: Part, answers: list[str], slug: str) -> None:
    with st.expander(
        part.title, key=f"{slug}.lesson.{part.title}.open", on_change="rerun"
    ) as folded:
        if folded.open and part.title == QUESTIONS:
            _questions(items(part.text), answers)
        elif folded.open:
            _text(part.text, slug)


def _text(text: str, slug: str) -> None:
    """Show Markdown with its pictures."""
    prose, *pictures = PICTURE.split(text)
    st.markdown(prose)
    for caption, file, after in zip(pictures[::3], pictures[1::3], pictures[2::3], strict=True):
        _picture(PAGES / slug / file, " ".join(caption.split()))
        st.markdown(after)


def _picture(path: Path, caption: str) -> None:
    dark = path.with_stem(f"{path.stem}_dark")
    with st.container(width=480):  # at most: a phone has less
        image = dark if st.context.theme.type == "dark" and dark.exists() else path
        st.image(image, caption, width="stretch", alt=caption.split(" [", maxsplit=1)[0])


def _questions(questions: list[str], answers: list[str]) -> None:
    """Ask, and answer when a question is opened."""
    for number, (question, answer) in enumerate(zip(questions, answers, strict=True), 1):
        with st.expander(f"{number}\\. {question}", type="compact"):
            st.markdown(answer)
