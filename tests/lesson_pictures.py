"""Photograph the pictures of lessons: ``python -m tests.lesson_pictures [page ...]``.

The picture in a lesson is the stage at the preset that its caption links to, light and dark.
"""

from __future__ import annotations

import io
import sys

from PIL import Image

from dashboard.catalogue import CATALOGUE
from dashboard.lessons import PICTURE, PRESET
from dashboard.presets import link_of, presets
from tests.browser.running import Server, chromium
from tests.browser.stage import Stage
from tests.photos import PAGES, SCHEMES, visit

SIZE = (1366, 768)
COLOURS = 192  # of a picture: enough for regions that fade, and a file of 10 to 50 kB


def photograph(stage: Stage, slug: str, scheme: str) -> None:
    for caption, file in PICTURE.findall((PAGES / slug / "lesson.md").read_text(encoding="utf-8")):
        (named,) = PRESET.findall(caption)
        (preset,) = (preset for preset in presets(slug) if preset.slug == named)
        stage.open(slug, **link_of(slug, preset)).page.mouse.move(0, 0)
        with Image.open(io.BytesIO(stage.part("main").screenshot())) as picture:
            path = (PAGES / slug / file).with_stem(
                file.removesuffix(".png") + ("_dark" if scheme == "dark" else "")
            )
            # Maximum coverage keeps the colours of small marks; the means of what is near them,
            # those of regions.
            reduced = picture.convert("RGB").quantize(
                COLOURS, method=Image.Quantize.MAXCOVERAGE, kmeans=2
            )
            reduced.save(path, optimize=True)


def main(slugs: list[str]) -> None:
    with Server() as server, chromium() as browser:
        for scheme in SCHEMES:
            stage = visit(browser, server, scheme, SIZE)
            for slug in slugs or CATALOGUE:
                photograph(stage, slug, scheme)
            stage.page.context.close()


if __name__ == "__main__":
    main(sys.argv[1:])
