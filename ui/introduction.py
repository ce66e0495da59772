"""Introductions of the pages before they run: for browsers, search engines and links."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from dashboard.catalogue import ASSETS, CATALOGUE, ENTRIES
from dashboard.search import absent, matching, nearest
from ui.headers import ORIGIN

NAME = "dmlib"
VARIABLE = "DMLIB_ADDRESS"
"""Names the app's public address, where a proxy does not pass it on."""
HOME_PICTURE = "kmeans"
MAX_LETTERS = 80  # of an address that are read
MAX_PAGES = 3  # that are offered in place of one that is not there
RESERVED = frozenset(
    {"static", "media", "component", "app", "auth", "oauth2callback", "live", "room", "join"}
)
"""First parts of addresses that Streamlit, the stage or rooms answer."""


@dataclass(frozen=True)
class Introduction:
    """Title, description and picture of a page.

    Attributes
    ----------
    title : str
        Of the browser's tab.
    description : str
        A sentence on what there is to see.
    picture : str
        The page whose picture stands for it.
    """

    title: str
    description: str
    picture: str


INTRODUCTIONS = {
    "": Introduction(
        f"{NAME}: see data mining",
        f"{len(CATALOGUE)} techniques of data mining, step by step with the arithmetic of every"
        " number: for teachers, for students, for your own file; free and open source.",
        HOME_PICTURE,
    ),
    "courses": Introduction(
        f"Teach with it – {NAME}",
        "Courses in data mining, lecture by lecture: each leads to pages that run step by step.",
        HOME_PICTURE,
    ),
    "failures": Introduction(
        f"When it fails – {NAME}",
        "Runs on which methods of data mining go wrong, by cause, each beside what works instead.",
        HOME_PICTURE,
    ),
    "marks": Introduction(
        f"Marks – {NAME}",
        "Rounds of practice that students hand in, graded anew from their data and answers.",
        HOME_PICTURE,
    ),
} | {
    slug: Introduction(
        f"{entry.title} – {NAME}", entry.summary, slug if slug in CATALOGUE else HOME_PICTURE
    )
    for slug, entry in ENTRIES.items()
}
"""All pages by their address below the app's."""


def address_of(scope: Mapping[str, Any], base: str) -> str:
    """Return the app's public address: the operator's, or the one that was asked for.

    It is empty where the request does not say a sound one; links are relative then.
    """
    if address := os.environ.get(VARIABLE, "").rstrip("/"):
        return address
    host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
    origin = f"{scope.get('scheme', 'http')}://{host}"
    return origin + base if ORIGIN.fullmatch(origin) else ""


def introduction_tags(slug: str, address: str) -> str:
    """Return the tags that introduce a page in the head of its HTML."""
    page = INTRODUCTIONS[slug]
    url = f"{address or '.'}/{slug}"
    picture = f"{address or '.'}/pictures/{page.picture}.png"
    properties = {
        "og:type": "website",
        "og:site_name": NAME,
        "og:title": page.title,
        "og:description": page.description,
        "og:url": url,
        "og:image": picture,
    }
    return "\n".join(
        (
            f"<title>{escape(page.title)}</title>",
            f'<meta name="description" content="{escape(page.description)}">',
            f'<link rel="canonical" href="{escape(url)}">',
            *(
                f'<meta property="{name}" content="{escape(text)}">'
                for name, text in properties.items()
            ),
            '<meta name="twitter:card" content="summary_large_image">',
        )
    )


def sitemap(address: str) -> str:
    """Return the list of all pages for search engines."""
    urls = "".join(f"<url><loc>{escape(f'{address}/{slug}')}</loc></url>" for slug in INTRODUCTIONS)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>\n'
    )


def robots(address: str) -> str:
    """Return that all may be read, and where the list of pages is."""
    return f"User-agent: *\nAllow: /\nSitemap: {address}/sitemap.xml\n"


def picture_file(name: str) -> Path | None:
    """Return the picture that stands for a page, by its name in ``pictures/``."""
    slug = name.removesuffix(".png")
    return ASSETS / "pages" / slug / "lesson.png" if slug in CATALOGUE else None


def is_unknown(path: str) -> bool:
    """Return whether a path looks like the address of a page and is none.

    Examples
    --------
    >>> [is_unknown(path) for path in ("/random_forest", "/a/b/", "/kmeans/", "/media/x")]
    [True, True, False, False]
    """
    parts = path.strip("/").split("/")
    is_file = any(part.startswith("_") or "." in part for part in parts)
    return not (is_file or parts[0] in RESERVED or "/".join(parts) in INTRODUCTIONS)


def missing_page(path: str) -> str:
    """Return the page that says that there is none at a path, and which are nearest."""
    asked = path.strip("/")[:MAX_LETTERS]
    up = "../" * (path.count("/") - 1) or "./"
    entries = (matching(asked) or nearest(asked))[:MAX_PAGES]
    name = absent(asked)
    cards = "".join(
        f'<li><a href="{up}{quote(entry.slug)}">{escape(entry.title)}</a>'
        f"<p>{escape(entry.summary)}</p></li>"
        for entry in entries
    )
    sentence = f"{name} is not here. " if name else ""
    sentence += "Nearest to it:" if entries else "Look for it among all techniques."
    return MISSING.format(
        title=f"No such page – {NAME}",
        asked=escape(asked),
        sentence=escape(sentence),
        cards=f"<ul>{cards}</ul>" if cards else "",
        home=up,
    )


MISSING = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ max-width: 42rem; margin: 12vh auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif;
  color: light-dark(#16191d, #e3e6ea); background: light-dark(#ffffff, #14171c); }}
h1 {{ font-size: 1.75rem; line-height: 1.2; overflow-wrap: anywhere; }}
ul {{ padding: 0; list-style: none; }}
p {{ margin: 0 0 1rem; }}
a {{ font-weight: 600; color: light-dark(#0653a5, #7fb8ff); }}
</style>
</head>
<body>
<main>
<h1>There is no page “{asked}”</h1>
<p>{sentence}</p>
{cards}
<p><a href="{home}">All techniques, with a search</a></p>
</main>
</body>
</html>
"""
