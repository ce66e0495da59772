"""The algorithm beside the ledger: the line of the step is marked, and nothing moves."""

import pytest
from playwright.sync_api import expect

from tests.browser.layout import PHONE, sized

pytestmark = pytest.mark.browser


def current(stage):
    return stage.part("pseudocode").locator("[aria-current=step]")


def test_the_marked_line_follows_the_step_and_the_ledger_stays_in_its_place(stage):
    stage.open("kmeans", step=0, opening="defaults")
    expect(stage.part("source")).to_have_text("Lloyd (1982)")
    tops = set()
    for text in ["choose the initial centre μᵢ"] * 3 + [
        "assign each point",
        "move each centre",
        "assign each point",
    ]:
        expect(current(stage)).to_have_count(1)
        expect(current(stage)).to_contain_text(text)
        tops.add(stage.part("ledger").bounding_box()["y"])
        stage.press("ArrowRight")
    assert len(tops) == 1
    stage.press("End")
    expect(current(stage)).to_contain_text("return")


def test_the_numbers_stand_there_until_it_is_asked_for_and_that_is_remembered(stage):
    stage.open("kmeans")
    expect(stage.part("pseudocode")).to_be_hidden()
    expect(stage.part("ledger")).to_be_visible()
    stage.part("tabs").get_by_role("button", name="Algorithm").click()
    expect(current(stage)).to_be_visible()
    expect(stage.part("ledger")).to_be_hidden()
    stage.open("dbscan")
    expect(stage.part("pseudocode")).to_be_visible()
    stage.part("tabs").get_by_role("button", name="Numbers").click()


def test_on_a_phone_it_is_folded_until_asked_for(tabs):
    phone = sized(tabs, PHONE).open("svm", step=0)
    expect(current(phone)).to_be_hidden()
    phone.part("tabs").get_by_role("button", name="Algorithm").press(" ")
    expect(current(phone)).to_have_text("α ← 0")
    expect(
        phone.root.get_by_role("button", name="Play (space)")
    ).to_be_visible()  # the key was not the player's


def test_another_method_has_another_algorithm(stage):
    stage.open("kmeans_variants", step=0)
    expect(current(stage)).to_have_text("put all points into one cluster")
    stage.open("kmeans_variants", step=0, **{"kmeans_variants.method": "X-means"})
    expect(current(stage)).to_contain_text("improve-params")
