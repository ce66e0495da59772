"""Answers come later than the next key: what was shown before is shown again."""

import pytest
from playwright.sync_api import expect

from tests.browser.slow import SlowNetwork

pytestmark = pytest.mark.browser

DELAY = 1.5  # seconds each way, so that all keys are pressed before the first answer comes
KEYS = ("ArrowRight", "ArrowRight", "ArrowRight", "Home", "End")


@pytest.fixture
def network(server):
    with SlowNetwork(server.port) as network:
        yield network


@pytest.mark.parametrize(
    ("slug", "label", "link", "end"),
    [
        ("hierarchical", "Clusters k", {}, "hierarchical.n_clusters=12"),
        ("svm", "C (∞: hard margin)", {}, "svm.C=inf"),
        (
            "kmeans",
            "Clusters k",
            {"source": "generator", "blobs.n_samples": 500},
            "kmeans.n_clusters=10",
        ),
    ],
)
def test_keys_before_the_answers_to_earlier_ones(network, visitor, slug, label, link, end):
    """A control has one value on its way; the last one follows."""
    stage = visitor(address=network.address).open(slug, **link)
    slider = stage.slider(label)
    slider.press("Home")
    stage.settle()
    network.delay = DELAY
    for key in KEYS:
        slider.press(key)
    stage.page.wait_for_url(f"**{end}**")
    expect(stage.page.get_by_role("dialog")).to_have_count(0)
    assert stage.settle().state() == visitor().open(slug, **stage.link).state()


def test_requests_before_the_answers_to_earlier_ones(network, visitor):
    """The answer to Home is one that the browser had, and may have thrown away since."""
    stage = visitor(address=network.address).open("kmeans", source="generator")
    data = stage.data()
    data.get_by_text("Settings of the generator").click()
    slider = data.get_by_role("slider").first
    slider.press("Home")
    stage.settle()
    network.delay = DELAY
    for key in KEYS:
        n_requests = stage.conversation.n_requests
        slider.press(key)
        stage.asked_beyond(n_requests)
    end = slider.get_attribute("aria-valuetext") or slider.input_value()
    stage.page.wait_for_url(f"**blobs.n_samples={end}**")
    slider.press("Escape")  # the popover is a dialog too
    expect(stage.page.get_by_role("dialog")).to_have_count(0)
    assert stage.settle().state() == visitor().open("kmeans", **stage.link).state()
