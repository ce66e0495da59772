"""A scene as one HTML page that plays without a network: the stage, its style and the data."""

from __future__ import annotations

import base64
import gzip
import html
from functools import lru_cache
from pathlib import Path
from string import Template

PACKAGE = Path(__file__).parents[1]
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif"
LIGHT = {
    "text-color": "#16191d",
    "background-color": "#ffffff",
    "secondary-background-color": "#f3f5f7",
    "border-color": "#d0d5dc",
    "primary-color": "#0653a5",
    "chart-categorical-colors": "#0653a5,#f04a0a,#079e67,#c470c0,#964205,#212464,#8a58e8,#5c4454",
}
DARK = {
    "text-color": "#e3e6ea",
    "background-color": "#14171c",
    "secondary-background-color": "#1e232b",
    "border-color": "#363d49",
    "primary-color": "#2f6fc4",
    "chart-categorical-colors": "#38cdf2,#f5a010,#16a697,#b97cf0,#ece663,#4a6fc0,#e8602e,#b3c4a6",
}
"""Colours of the stage, by the names that its style has for them."""
PAGE = Template("""<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>$title</title>
<style>$theme
body { margin: 0.5rem; background: var(--st-background-color); color: var(--st-text-color);
font-family: var(--st-font); }
$style</style>
<div class="dm-stage" data-testid="stage"></div>
<script type="text/plain" id="dm-webm">$webm</script><script type="module">
async function unpacked(text) {
const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
const type = { type: "text/javascript" };
return URL.createObjectURL(new Blob([await new Response(stream).blob()], type));
}
const { mount, movie } = await import(await unpacked('$script'));
const scene = Uint8Array.from(atob("$scene"), (c) => c.charCodeAt(0));
const stage = mount(document.querySelector(".dm-stage"), scene);
stage.player.go($frame);
globalThis.dmlib = { movie: (wish) => movie(stage, wish) };
</script></html>""")


def page(scene: bytes, title: str, frame: int = 0) -> str:
    """Return an HTML document that plays a scene.

    Parameters
    ----------
    scene : bytes
        From :func:`dmlib.pictures.encode.encode`.
    title : str
        The title of the page.
    frame : int
        The frame that it opens at.

    Examples
    --------
    >>> from dmlib.pictures.encode import encode
    >>> from dmlib.pictures.scene import Frame, Scene
    >>> page(encode(Scene((), (), (Frame("Go."),))), "Nothing")[:15]
    '<!doctype html>'
    """
    return PAGE.substitute(
        title=html.escape(title),
        theme=theme(),
        style=asset("stage.css").decode(),
        script=packed("stage.min.js"),
        webm=packed("vendor/webm.js"),
        scene=base64.b64encode(scene).decode(),
        frame=int(frame),
    )


def theme() -> str:
    """Return a style sheet with the colours and the typeface of the stage, light and dark.

    Examples
    --------
    >>> "prefers-color-scheme: dark" in theme()
    True
    """
    return (
        f":root {{ {variables(LIGHT)} --st-font: {FONT}; --st-base-radius: 0.375rem; }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{ {variables(DARK)} }} }}"
    )


def variables(colors: dict[str, str]) -> str:
    """Return colours as declarations of the style of the stage."""
    return " ".join(f"--st-{name}: {value};" for name, value in colors.items())


@lru_cache(maxsize=2)
def packed(name: str) -> str:
    """Return a module of the stage compressed, as base64: assets/stage/packing.js unpacks it."""
    return base64.b64encode(gzip.compress(asset(name), mtime=0)).decode()


@lru_cache(maxsize=3)
def asset(name: str) -> bytes:
    """Return a file of the stage: beside the package in a checkout, inside it when installed."""
    folders = (PACKAGE / "_assets", PACKAGE.parent / "assets")
    path = next((folder / name for folder in folders if (folder / name).is_file()), None)
    if path is None:
        raise FileNotFoundError(f"The file {name} is missing. Install the package again.")
    return path.read_bytes()
