"""Short strings that are compared: from the library, a generator, typed by hand, or a file with one on each line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from dmlib.datasets import Strings
from dmlib.problem import prepare_texts
from ui.data.texts import Texts
from ui.links import keep, kept, shown

WORDS = "words"
FIRST = "kitten; sitting; mitten; knitting; bitten; sitter"
LONGEST = 600  # letters of a string: two are compared letter by letter
MOST_TYPED = 4000  # characters


@dataclass(frozen=True)
class Words(Texts):
    """Strings of at most some hundred letters."""

    def prepare(self, data: Any) -> tuple[Any, str]:
        """Cut long strings, and give numbers to the classes."""
        problem = prepare_texts(
            data.texts, names=data.names, classes=data.classes, max_characters=LONGEST
        )
        return (
            problem,
            (
                "from dmlib.problem import prepare_texts\n\nX = prepare_texts(data.texts,"
                f" max_characters={LONGEST}).data\n"
            ),
        )

    def drawn(self) -> tuple[Any, str]:
        """Let the reader type strings, separated by semicolons."""
        kept(WORDS, str, FIRST)
        if shown("data"):
            st.text_input(
                "Strings, separated by ;", key=WORDS, max_chars=MOST_TYPED, persist_state="session"
            )
        typed = str(st.session_state[WORDS])[:MOST_TYPED]
        texts = tuple(text for each in typed.split(";") if (text := each.strip()))
        if not texts:
            raise ValueError("There is no string. Type two or more, separated by semicolons.")
        keep(WORDS, None if typed == FIRST else typed)
        data = Strings(
            texts,
            texts,
            name="typed",
            title="Your strings",
            source="Typed by hand.",
            licence="Yours.",
        )
        return (
            data,
            (
                f"from dmlib.datasets import Strings\n\ntexts = {texts!r}\ndata = Strings(texts,"
                " texts, name='typed')\n"
            ),
        )
