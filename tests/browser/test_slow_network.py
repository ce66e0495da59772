"""Answers come later than the next key: what was shown before is shown again."""

import pytest
from playwright.sync_api import expect

from tests.browser.slow import SlowNetwork

pytestmark = pytest.mark.browser

LATE = 1.5  # seconds each way, so that all keys are pressed before the first answer comes
BETWEEN = 500  # milliseconds between keys, so that the server runs the page for each: it would merge what waits


@pytest.fixture
def network(server):
    with SlowNetwork(server.port) as network:
        yield network


@pytest.mark.parametrize(
    ("slug", "label", "link", "end"),
    [
        ("hierarchical", "Clusters k", {}, "hierarchical.n_clusters=12"),
        ("svm", "C (∞: hard margin)", {}, "svm.C=inf"),
        ("kmeans", "Clusters k", {"source": "generator", "blobs.n_samples": 500}, "kmeans.n_clusters=10"),
    ],
)
def test_keys_before_the_answers_to_earlier_ones(network, visitor, slug, label, link, end):
    """The answer to the second Home is one that the browser had, and has thrown away since."""
    stage = visitor(address=network.address).open(slug, **link)
    slider = stage.slider(label)
    slider.press("Home")
    stage.rest()
    network.delay = LATE
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "Home", "End"):
        slider.press(key)
        stage.page.wait_for_timeout(BETWEEN)
    stage.page.wait_for_url(f"**{end}**")
    expect(stage.page.get_by_role("dialog")).to_have_count(0)
    assert stage.rest().state() == visitor().open(slug, **stage.link).state()
