"""The page that Streamlit sends first, with more in its head, and the files that it names.

Streamlit's page asks for a part of itself when the first element of its kind comes, and for the
stage when that part has come: four waits in a row. Named in the head, all of them are under way
while the page starts. docs/decisions/0021 has numbers.

Written against Streamlit 1.67. Without it a page comes later, says nothing of itself in its HTML,
and texts in the theme's main colour have less contrast on dark surfaces.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import streamlit as st
from streamlit import file_util

STATIC = Path(file_util.get_static_dir())
PARTS = ("BidiComponent", "Html", "MenuButton", "Checkbox", "ButtonGroup", "Button")
"""Parts of Streamlit's page that every page of ours shows."""
FONT = re.compile(
    r'<link\s+rel="preload"[^>]*as="font"[^>]*>'
)  # of Streamlit's own theme; ours takes the system's
TITLE = "<title>Streamlit</title>"  # each page of ours has its own
CHOSEN = (
    "[role=tab]:is([data-selected], [data-hovered], [data-focus-visible])",
    "[data-testid=stButtonGroup] [data-selected]:not([data-disabled])",
    "[data-testid=stSliderThumbValue]",
    (
        "button:is([kind=tertiary], [kind=minimal], [kind=ghost]):is(:hover, :active,"
        " :focus-visible):not(:disabled)"
    ),
)
"""Texts that Streamlit paints in the theme's main colour; on dark surfaces that is too dark to
read."""
USES = re.compile(r'(?:from|import)"\./([^"]+\.js)"')


def page(module: str, head: tuple[str, ...], *, deep: bool) -> str:
    """Return Streamlit's page with links to what will be needed; a ``deep`` one names the server.

    Streamlit's page would first look for the server below the page's own address, and wait before
    it looks above.

    Parameters
    ----------
    module : str
        Address of our own module that every page needs, without the first slash.
    head : tuple of str
        What else the head has of our own: the title too.
    deep : bool
        Whether the address of the page has a name behind that of the server.
    """
    text = _index()
    scripts = [f"static/js/{name}" for name in _parts_of_index()]
    head_parts = [
        f'<link rel="modulepreload" crossorigin href="./{name}">' for name in [*scripts, module]
    ]
    head_parts += [*head, readable()]
    if deep:
        head_parts.append(
            "<script>window.__streamlit = { BACKEND_BASE_URL: new URL('.', location.href).href"
            " }</script>"
        )
    return text.replace("</head>", "\n".join(head_parts) + "\n</head>", 1)


@lru_cache(maxsize=1)
def _index() -> str:
    text = (STATIC / "index.html").read_text("utf-8")
    return FONT.sub("", text).replace(TITLE, "", 1)


@lru_cache(maxsize=1)
def _parts_of_index() -> list[str]:
    return parts(_index())


def readable() -> str:
    """Return the style that moves texts in the theme's colour towards that of other texts.

    The main colour itself cannot be lighter in the dark theme: it is also behind the white label of
    a button.
    """
    main = st.get_option("theme.dark.primaryColor")
    return (
        f"<style>:root :is({', '.join(CHOSEN)}) {{ color: color-mix(in srgb, currentColor 35%,"
        f" {main}) }}</style>"
    )


def parts(text: str) -> list[str]:
    """Return the files of ``PARTS`` and what they use, without those that the page names itself."""
    names: dict[str, None] = {}

    def use(name: str) -> None:
        if name not in names and f"/{name}" not in text:
            names[name] = None
            for used in USES.findall((STATIC / "static" / "js" / name).read_text("utf-8")):
                use(used)

    for part in PARTS:
        for file in sorted((STATIC / "static" / "js").glob(f"{part}.*.js")):
            use(file.name)
    return list(names)
