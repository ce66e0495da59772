"""Photograph every page, to be looked at: ``python -m tests.photos``, or ``python3 dev.py photos``.

The photographs and their contact sheet come into ``photos/``; ``--gallery [slug ...]`` takes the
home page's pictures instead, of some pages or of all.
"""

from __future__ import annotations

import argparse
import base64
import html
import io
import sys
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from types import MappingProxyType

from PIL import Image, ImageDraw, ImageFilter

from dashboard.catalogue import CATALOGUE
from tests.browser.running import NotRunningError, Server, chromium
from tests.browser.stage import Stage
from tests.visit import stage as scene_of
from tests.visit import visit as open_page

ROOT = Path(__file__).parents[1]
PHOTOS = ROOT / "photos"
PAGES = ROOT / "assets" / "pages"
SIZES = {"1920x1080": (1920, 1080), "1366x768": (1366, 768), "390x844": (390, 844)}
SCHEMES = ("light", "dark")
PICTURE = (640, 400)  # pixels of a gallery picture
PICTURES = {"light": "picture.png", "dark": "picture_dark.png"}
LARGEST = 25_000  # bytes of one
COLOURS = (128, 64, 48, 32, 24, 16)
PALE = {"light": "/^#([c-f].){3}$/", "dark": "/^#([1-3].){3}$/"}  # colours of the grid
WITHOUT_GRID = """
  const stroke = CanvasRenderingContext2D.prototype.stroke;
  CanvasRenderingContext2D.prototype.stroke = function (...path) {
    const pale = PALE.test(this.strokeStyle) && this.lineWidth === 1;
    if (!pale) stroke.apply(this, path);
  };
"""
AXIS = 2  # pixels of its line
# Pixels beside the axes, and the share of a panel for names: as assets/stage/panel.js has them.
ROOM = 44
LETTER = 6.6
NAMES = 0.22
TITLE = 20
RIGHT = 12
NO_LINK: Mapping[str, list[str]] = MappingProxyType({})
THUMBNAIL = (480, 400)
STYLE = """
  body { font-family: system-ui; display: flex; flex-wrap: wrap; gap: 1rem }
  figure { margin: 0; width: 480px }
  img { width: 100%; border: 1px solid #999 }
"""


def visit(browser, server: Server, scheme: str, size: tuple[int, int]) -> Stage:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce"
    )
    return Stage(context.new_page(), server.address)


def photograph(stage: Stage, path: Path, phone: bool) -> None:
    stage.page.screenshot(path=path, full_page=False)
    if phone:  # a phone shows little at a time: the whole page as well, as far as it scrolls
        height = stage.page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
        stage.page.set_viewport_size({"width": 390, "height": min(height, 4000)})
        stage.page.wait_for_timeout(600)
        stage.page.screenshot(path=path.with_stem(path.stem + "_whole"))


def photograph_all(browser, server: Server) -> list[Path]:
    """Photograph home and all pages in all sizes, schemes and as projected; return the files."""
    PHOTOS.mkdir(exist_ok=True)
    for old in PHOTOS.glob("*.png"):
        old.unlink()

    for scheme in SCHEMES:
        for name, size in SIZES.items():
            stage = visit(browser, server, scheme, size)
            stage.page.goto(server.address)
            stage.page.get_by_role("heading", name="See data mining").wait_for()
            stage.page.wait_for_timeout(1000)
            photograph(stage, PHOTOS / f"home_{name}_{scheme}.png", name == "390x844")
            for slug in CATALOGUE:
                stage.open(slug).page.mouse.move(0, 0)
                photograph(stage, PHOTOS / f"{slug}_{name}_{scheme}.png", name == "390x844")
                stage.page.set_viewport_size({"width": size[0], "height": size[1]})
            stage.page.context.close()
        stage = visit(browser, server, scheme, SIZES["1920x1080"])
        for slug in CATALOGUE:
            stage.open(slug, projector="true").page.mouse.move(0, 0)
            photograph(stage, PHOTOS / f"{slug}_projector_{scheme}.png", False)
        stage.page.context.close()
    order = {name: i for i, name in enumerate(["home", *CATALOGUE])}
    photographs = sorted(
        PHOTOS.glob("*.png"),
        key=lambda path: (order.get(path.stem.rsplit("_", 2)[0], 99), path.name),
    )
    return [path for path in photographs if path.name != "contact_sheet.png"]


def contact_sheet(paths: list[Path]) -> None:
    """Write one page and one picture that show all photographs."""
    figures = "\n".join(
        f'<a href="{html.escape(path.name)}"><figure><img src="{html.escape(path.name)}" alt="">'
        f"<figcaption>{html.escape(path.stem)}</figcaption></figure></a>"
        for path in paths
    )
    (PHOTOS / "index.html").write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Photographs</title>'
        f"<style>{STYLE}</style>\n{figures}</html>\n",
        encoding="utf-8",
    )
    columns = 4
    rows = -(-len(paths) // columns)
    cell = (THUMBNAIL[0] + 16, THUMBNAIL[1] + 36)
    sheet = Image.new("RGB", (columns * cell[0], rows * cell[1]), "#888888")
    draw = ImageDraw.Draw(sheet)
    for i, path in enumerate(paths):
        x, y = (i % columns) * cell[0] + 8, (i // columns) * cell[1] + 4
        with Image.open(path) as photo:
            photo.thumbnail(THUMBNAIL)
            sheet.paste(photo, (x, y + 22))
        draw.text((x, y + 4), path.stem, fill="white")
    sheet.save(PHOTOS / "contact_sheet.png")


def take_gallery(browser, server: Server, slugs: list[str]) -> None:
    """Write the openings of pages as transparent pictures for home, for both themes.

    It is what is inside the axes of the panel that the catalogue names, without the grid.
    """
    for scheme, file in PICTURES.items():
        stage = visit_without_grid(browser, server, scheme)
        for slug in slugs:
            picture = take_main_panel(stage, slug)
            (PAGES / slug / file).write_bytes(small(picture))
        stage.page.context.close()


def visit_without_grid(browser, server: Server, scheme: str) -> Stage:
    """Open a tab in which panels have no grid."""
    stage = visit(browser, server, scheme, SIZES["1920x1080"])
    stage.page.add_init_script(WITHOUT_GRID.replace("PALE", PALE[scheme]))
    return stage


def take_main_panel(
    stage: Stage, slug: str, link: Mapping[str, list[str]] = NO_LINK, name: str = ""
) -> Image.Image:
    """Return what is inside the axes of a panel: by default that by which the page is known.

    Where the run has none of that name, it is the first.
    """
    panels = {panel["name"]: panel for panel in scene_of(open_page(slug, **link))["panels"]}
    panel = panels.get(name or CATALOGUE[slug].panel, next(iter(panels.values())))
    return take_panel(stage.open(slug, **link), panel["name"], margins(panel))


def margins(panel: dict) -> tuple[int, int, int, int]:
    """Return the margins of a panel in pixels: left, top, right, bottom, as panel.js has them."""
    longest = max(map(len, panel["y"].get("ticks") or [""]))
    # A share of the panel, which is wider by the names.
    max_width = NAMES / (1 - NAMES) * (PICTURE[0] + TITLE + AXIS + RIGHT)
    width = TITLE + round(max(ROOM, min(LETTER * longest, max_width)))
    left_margin = width if panel["y"]["label"] else 22
    top_margin = 24 if panel["title"] else 10
    bottom_margin = 42 if panel["x"]["label"] else 24
    return left_margin + AXIS, top_margin, RIGHT, bottom_margin + AXIS


def take_panel(stage: Stage, name: str, around: tuple[int, int, int, int]) -> Image.Image:
    """Return what is inside the axes of a panel that is alone in its window."""
    width, height = PICTURE
    left_margin, top_margin, right_margin, bottom_margin = around
    this = f".dm-panel[data-panel={name}]"
    size = f"flex: none !important; width: {left_margin + width + right_margin}px !important;"
    size += f"height: {top_margin + height + bottom_margin}px !important;"
    stage.page.add_style_tag(
        content=f".dm-stage {this} {{ {size} }} .dm-panel:not({this}) {{ display: none; }}"
    )
    # The stage looks at its size when it changes.
    stage.page.set_viewport_size({"width": 1918, "height": 1080})
    stage.page.wait_for_timeout(800)
    url = stage.canvas(name).evaluate("canvas => canvas.toDataURL('image/png')")
    stage.page.set_viewport_size({"width": 1920, "height": 1080})
    with Image.open(io.BytesIO(base64.b64decode(url.split(",")[1]))) as panel:
        return panel.crop((left_margin, top_margin, left_margin + width, top_margin + height))


def small(picture: Image.Image) -> bytes:
    """Return a picture as a PNG with as many colours as fit its size, smoothed if none do."""
    for image, colours in product((picture, picture.filter(ImageFilter.MedianFilter(3))), COLOURS):
        png = io.BytesIO()
        image.quantize(colours, method=Image.Quantize.FASTOCTREE).save(png, "PNG", optimize=True)
        if png.tell() <= LARGEST:
            break
    return png.getvalue()


def main() -> int:
    parser = argparse.ArgumentParser(prog="photos", description="Photograph every page.")
    parser.add_argument(
        "--gallery",
        nargs="*",
        metavar="slug",
        help="take the home page's pictures of these pages, or of all",
    )
    options = parser.parse_args()
    if unknown := set(options.gallery or ()) - set(CATALOGUE):
        parser.error(
            "no page in the catalogue of assets/courses.toml is called"
            f" {', '.join(sorted(unknown))}"
        )
    try:
        with Server() as server, chromium() as browser:
            if options.gallery is not None:
                take_gallery(browser, server, options.gallery or list(CATALOGUE))
            else:
                contact_sheet(photograph_all(browser, server))
    except NotRunningError as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
