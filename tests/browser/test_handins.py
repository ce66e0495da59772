"""A class: an assignment gives each student data of their own, and what they save is graded."""

import json

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_an_assignment_is_played_saved_and_marked(stage):
    page = stage.page
    stage.open("kmeans", practice="1", seed="name", questions="5")
    quiz = page.get_by_test_id("question")
    quiz.get_by_role("textbox", name="Your name").fill("Ada <b>Lovelace</b>")
    page.keyboard.press("Enter")
    expect(quiz).to_contain_text("1 of 5")
    for _ in range(5):
        quiz.get_by_role("button", name="Skip (S)").click()
    expect(quiz.get_by_role("textbox", name="Your name")).to_have_value("Ada <b>Lovelace</b>")
    with page.expect_download() as saved:
        quiz.get_by_role("button", name="Save to hand in").click()
    content = saved.value.path().read_bytes()
    assert saved.value.suggested_filename == "kmeans-Ada-b-Lovelace-b-.json"
    assert json.loads(content)["answers"] == [None] * 5

    page.goto(f"{stage.address}/marks")
    files = [
        {"name": name, "mimeType": "application/json", "buffer": text}
        for name, text in (("ada.json", content), ("other.json", b"no"))
    ]
    page.locator("input[type=file]").set_input_files(files)
    expect(page.get_by_text("other.json: This is no round")).to_be_visible()
    expect(page.get_by_role("heading", name="Everybody")).to_be_visible()
    with page.expect_download() as grades:
        page.get_by_role("button", name="For Moodle (CSV)").click()
    assert "Ada <b>Lovelace</b>,0.0," in grades.value.path().read_text("utf-8")


def test_what_was_practised_is_seen_on_the_cards_and_can_be_forgotten(stage):
    page = stage.page
    stage.open("kmeans", practice="1", questions="5")
    quiz = page.get_by_test_id("question")
    for _ in range(5):
        quiz.get_by_role("button", name="Skip (S)").click()
    expect(quiz).to_contain_text("0 of 5")
    badge = "place => getComputedStyle(document.querySelector(place), '::after').content"
    for path, place in (
        ("", ".st-key-card-kmeans strong"),
        ("courses", '.st-key-courses a[href^="kmeans?"] p'),
    ):
        page.goto(f"{stage.address}/{path}")
        expect(page.get_by_text("You have practised 1 technique")).to_be_visible()
        expect(page.locator(place).first).to_be_visible()
        assert "✓ 0 %" in page.evaluate(badge, place)
    page.get_by_role("button", name="Forget my progress").click()
    expect(page.get_by_text("You have practised")).to_have_count(0)
    assert page.evaluate("localStorage.getItem('dm-progress')") is None
