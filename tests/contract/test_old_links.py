"""Links of earlier versions open the same pictures: five of each page, with a digest each.

The digests were made before settings became a value (docs/decisions/0031). A link whose picture was
changed on purpose gets a new digest, in the commit that says why: `python -m
tests.contract.test_old_links` writes them anew.
"""

import hashlib
import json
import re
from pathlib import Path

import pytest

from dashboard import runs
from dashboard.catalogue import CATALOGUE
from dashboard.form import Form
from dashboard.parameters import method_of
from dashboard.runs import Memory
from dashboard.settings import Settings
from dashboard.view import view
from dmlib.pictures.encode import decode
from tests.visit import technique

FILE = Path(__file__).with_name("old_links.json")
LINKS = json.loads(FILE.read_text("utf-8"))
NUMBER = re.compile(r"−?\d[\d.,]*(e[−-]?\d+)?")


def scene_of(slug, link):
    """Return what the stage of a page gets for a link, without a user interface."""
    page = technique(slug)
    form = Form(Settings.from_query(link, page.opening_link))
    method = method_of(page, form)
    data = page.kind(method).choose(page, method, form)
    return decode(view(page, form.settings, data, Memory()).encoded(0))


def digest(scene):
    """Return a digest of what a reader sees first: kinds of captions and phases, controls, axes.

    Numbers in captions are left out, and how often a kind comes: the last digits, which of two
    equal clusters is the first, and when noise is small enough, depend on the processor. Other
    tests have the numbers.
    """
    frames = {(NUMBER.sub("#", frame["caption"]), frame["phase"]) for frame in scene["frames"]}
    parts = [
        sorted(frames),
        [[control["name"], control.get("value")] for control in scene["controls"]],
        [[panel["name"], panel["x"]["label"], panel["y"]["label"]] for panel in scene["panels"]],
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def test_every_page_has_five():
    assert {slug: len(links) for slug, links in LINKS.items()} == dict.fromkeys(LINKS, 5)
    assert set(LINKS) <= set(CATALOGUE)


@pytest.mark.parametrize("slug", LINKS)
def test_they_show_what_they_showed(slug):
    changed = [link for link, expected in LINKS[slug] if digest(scene_of(slug, link)) != expected]
    assert changed == []


if __name__ == "__main__":
    runs.PATIENCE = 600.0  # a digest is that of the whole run, on a slow machine too
    for slug, links in LINKS.items():
        LINKS[slug] = [[link, digest(scene_of(slug, link))] for link, _ in links]
    pages = [
        f' "{slug}": [\n  '
        + ",\n  ".join(json.dumps(link, ensure_ascii=False) for link in links)
        + "\n ]"
        for slug, links in LINKS.items()
    ]
    FILE.write_text("{\n" + ",\n".join(pages) + "\n}\n", "utf-8")
