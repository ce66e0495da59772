"""A page that plays as an animated GIF, which the page itself writes in a browser."""

from __future__ import annotations

import base64
import os
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
BROWSER_NAME = "DMLIB_CHROMIUM"
"""The variable of the environment that says where the browser is."""
ADVICE = (
    "An animated picture is drawn by a browser: install dmlib[gif], and Chromium or Chrome"
    f" (or set {BROWSER_NAME} to its path)."
)
WRITE = """async (wish) => {
  const reader = new FileReader();
  reader.readAsDataURL(await dmlib.movie(wish));
  await new Promise((done) => { reader.onload = done; });
  return reader.result.split(",")[1];
}"""


def gif(html: str, frames: Sequence[int], size: tuple[int, int], seconds: float) -> bytes:
    """Return an animated GIF of some frames of a page that plays.

    Parameters
    ----------
    html : str
        From :func:`dmlib.playback.page.page`.
    frames : sequence of int
        The frames, in their order.
    size : tuple of (int, int)
        Width and height in pixels.
    seconds : float
        How long each frame is shown; the last one two seconds at least.

    Raises
    ------
    RuntimeError
        If no browser, or no package that drives it, is installed.
    """
    width, height = size
    speed = 1 / max(0.02, seconds)
    wish = {"format": "gif", "frames": [*frames], "speed": speed, "width": width, "height": height}
    # A notebook has a loop of events of its own, beside which Playwright's cannot run.
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(_content, html, wish).result()


def _content(html: str, wish: dict[str, object]) -> bytes:
    """Return the file that a page writes; see :func:`gif`."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ModuleNotFoundError as error:
        raise RuntimeError(ADVICE) from error
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=_browser(), args=["--no-sandbox"])
        except Error as error:
            raise RuntimeError(ADVICE) from error
        with browser:
            page = browser.new_page()
            page.set_content(html)
            page.wait_for_function("globalThis.dmlib")
            return base64.b64decode(page.evaluate(WRITE, wish))


def _browser() -> str | None:
    """Return the path of a browser; None for that of Playwright."""
    names = filter(None, (os.environ.get(BROWSER_NAME), *BROWSERS))
    return next(filter(None, map(shutil.which, names)), None)
