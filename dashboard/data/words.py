"""Short strings that are compared: from the library, a generator, typed, or from a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dashboard.data.texts import Texts
from dashboard.form import Form
from dmlib.datasets import Strings
from dmlib.problem import prepare_texts

WORDS = "words"
FIRST = "kitten; sitting; mitten; knitting; bitten; sitter"
MAX_LENGTH = 600  # letters of a string: two are compared letter by letter
MAX_TYPED = 4000  # characters


@dataclass(frozen=True)
class Words(Texts):
    """Strings of at most some hundred letters."""

    def prepare(self, data: Any, form: Form) -> tuple[Any, str]:
        """Cut long strings, and give numbers to the classes."""
        problem = prepare_texts(
            data.texts, names=data.names, classes=data.classes, max_characters=MAX_LENGTH
        )
        code = (
            "from dmlib.problem import prepare_texts\n\n"
            "problem = prepare_texts(\n    data.texts, names=data.names, classes=data.classes,"
            f" max_characters={MAX_LENGTH}\n)\nX = problem.data\n"
        )
        return problem, code

    def from_hand(self, form: Form) -> tuple[Any, str]:
        """Let the reader type strings, separated by semicolons."""
        typed = form.text_field(WORDS, "Strings, separated by ;", FIRST, max_chars=MAX_TYPED)
        texts = tuple(text.strip() for text in typed.split(";") if text.strip())
        if not texts:
            raise ValueError("There is no string. Type two or more, separated by semicolons.")
        data = Strings(
            texts,
            texts,
            name="typed",
            title="Your strings",
            source="Typed by hand.",
            licence="Yours.",
        )
        code = (
            f"from dmlib.datasets import Strings\n\ntexts = {texts!r}\n"
            "data = Strings(texts, texts, name='typed')\n"
        )
        return data, code
