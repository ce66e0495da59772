"""Lessons as HTML, with their formulas as MathML."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from mdit_py_plugins.dollarmath import dollarmath_plugin

from dashboard.lessons import ANSWERS, PICTURE, PRESET, QUESTIONS, Part, items

Address = Callable[[str], str]
"""The slug of a page -> its address; empty where there is none."""


def formula(latex: str, options: dict[str, Any] | None = None) -> str:
    """Return a formula as MathML.

    Examples
    --------
    >>> formula("x^2")[:37]
    '<math xmlns="http://www.w3.org/1998/M'
    """
    latex = latex.replace(r"\arg", r"\operatorname{arg}")  # the library does not have it
    is_block = bool(options and options.get("display_mode"))
    return convert(latex, display="block" if is_block else "inline")


def html_of(part: Part, answers: Sequence[str], slug: str, address: Address) -> Markup:
    """Return a part of a lesson as HTML.

    Parameters
    ----------
    part : Part
        The part.
    answers : sequence of str
        Markdown of the answers to the questions of the lesson.
    slug : str
        The page of the lesson, by whose name its pictures are called.
    address : callable
        Of other pages.
    """
    markdown = _markdown(address)
    if part.title == QUESTIONS:
        pairs = zip(items(part.text), answers, strict=True)
        return Markup("\n").join(_question(markdown, *pair) for pair in pairs)
    prose, *pictures = PICTURE.split(PRESET.sub(r"(#\1)", part.text))
    html = markdown.render(prose)
    for caption, file, text in zip(pictures[::3], pictures[1::3], pictures[2::3], strict=True):
        html += _figure(markdown, f"{slug}.{file}", " ".join(caption.split()))
        html += markdown.render(text)
    return Markup(html)


def without_answers(parts: Sequence[Part]) -> tuple[list[Part], list[str]]:
    """Return the parts that are headings of their own, and the answers to the questions."""
    answers = next((items(part.text) for part in parts if part.title == ANSWERS), [])
    return [part for part in parts if part.title != ANSWERS], answers


def _markdown(address: Address) -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.use(dollarmath_plugin, double_inline=True, renderer=formula)

    def follow(tokens: Sequence[Token]) -> None:
        """Let links lead to the pages of the edition; those to other pages are plain text."""
        is_absent = False
        for token in tokens:
            if token.type == "link_open":
                href = str(token.attrs["href"])
                is_page = href.replace("_", "").isalnum()
                target = address(href) if is_page else href
                is_absent, token.attrs["href"] = not target, target
                token.hidden = is_absent
            elif token.type == "link_close":
                token.hidden = is_absent
            follow(token.children or ())

    markdown.core.ruler.push("follow", lambda state: follow(state.tokens))
    return markdown


def _question(markdown: MarkdownIt, question: str, answer: str) -> Markup:
    summary = markdown.renderInline(question)
    return Markup(f"<details><summary>{summary}</summary>{markdown.render(answer)}</details>")


def _figure(markdown: MarkdownIt, file: str, caption: str) -> str:
    stem, _, suffix = file.rpartition(".")
    alt = escape(caption.split(" [", maxsplit=1)[0])
    return (
        f'<figure><picture><source media="(prefers-color-scheme: dark)" '
        f'srcset="images/{stem}_dark.{suffix}"><img src="images/{file}" alt="{alt}" '
        f'loading="lazy"></picture><figcaption>{markdown.renderInline(caption)}</figcaption>'
        "</figure>"
    )
