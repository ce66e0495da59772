"""Text that Streamlit must show as it is: names of columns and files are data, never Markdown."""

from __future__ import annotations

import re


def literal(text: object) -> str:
    r"""Escape everything that Markdown, LaTeX or Streamlit's directives would interpret.

    Examples
    --------
    >>> literal("a_b $x$ :red[c]")
    'a\\_b \\$x\\$ \\:red\\[c\\]'
    """
    return re.sub(r"([\\`*_{}\[\]()#+.!|<>$~:&\"'-])", r"\\\1", " ".join(str(text).split()))
