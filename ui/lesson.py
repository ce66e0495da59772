"""The lesson of a page (dashboard/lessons.py), in parts that are sent when they are opened."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from dashboard.courses import Stop
from dashboard.glossary import terms_of
from dashboard.lessons import (
    ANSWERS,
    PAGES,
    PICTURE,
    PRESET,
    QUESTIONS,
    Part,
    items,
    lesson_text,
    parts,
)
from dashboard.presets import link_of, presets
from dashboard.text import literal
from ui.related import related
from ui.stage import after_the_stage

LESSON = "Lesson"
WIDTH = 760  # pixels: about ninety letters in a line


@st.cache_data(max_entries=100, show_spinner=False)
def lesson(slug: str) -> list[Part]:
    """Return the parts of a page's lesson, with the presets' links as their browser needs them."""
    links = {preset.slug: urlencode(link_of(slug, preset), doseq=True) for preset in presets(slug)}
    return parts(PRESET.sub(lambda match: f"(?{links[match[1]]})", lesson_text(slug)))


@st.fragment
def show_lesson(slug: str, stop: Stop | None) -> None:
    """Show the first part of a lesson, the others when they are opened, and the way on.

    The way on is part of it, since a browser that is told of the stage by two fragments at once
    asks for one of them only.
    """
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
        _terms(slug)
    related(slug, stop)


def _terms(slug: str) -> None:
    """Show the words of the field that the page is about; each leads to the glossary."""
    with st.container(horizontal=True, gap="small", key="lesson-terms"):
        for term in terms_of(slug):
            st.page_link(
                "pages/glossary.py",
                label=literal(term.name),
                help=literal(term.text),
                query_params={"term": term.slug},
            )


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
