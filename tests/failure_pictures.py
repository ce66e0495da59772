"""Photograph the runs of the page of failures: ``python -m tests.failure_pictures [page ...]``.

Each is taken as the pictures of home are, small and transparent, for both themes.
"""

from __future__ import annotations

import sys

from dashboard.catalogue import CATALOGUE
from dashboard.failures import failing_runs
from tests.browser.running import Server, chromium
from tests.photos import SCHEMES, take_main_panel, visit_without_grid

SIZE = (400, 250)
QUALITY = 55


def main(slugs: list[str]) -> None:
    with Server() as server, chromium() as browser:
        for scheme in SCHEMES:
            stage = visit_without_grid(browser, server, scheme)
            for run in failing_runs():
                if run.slug in (slugs or CATALOGUE):
                    path = run.picture(dark=scheme == "dark")
                    path.parent.mkdir(exist_ok=True)
                    picture = take_main_panel(stage, run.slug, run.link, run.failure.panel)
                    picture.resize(SIZE).save(path, quality=QUALITY, method=6)
            stage.page.context.close()


if __name__ == "__main__":
    main(sys.argv[1:])
