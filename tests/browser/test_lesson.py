"""The lesson below the picture: its parts open, and its links adopt presets on the stage."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.access import serious

pytestmark = pytest.mark.browser
MOONS = "two-moons-one-straight-border"


def lesson(stage):
    return stage.page.locator(".st-key-lesson")


def open_section(stage, part):
    lesson(stage).get_by_text(part, exact=True).click()
    return lesson(stage)


def test_a_link_adopts_its_preset_and_back_undoes_it(stage):
    page = stage.open("kmeans").page
    page.evaluate("() => { window.dmSame = true; }")
    before = stage.state()
    tabs = page.context.pages
    link = open_section(stage, "When it fails").get_by_role("link", name="two moons")
    link.scroll_into_view_if_needed()
    expect(stage.canvas()).not_to_be_in_viewport()
    link.click()
    page.wait_for_url(f"**look_for={MOONS}**")
    expect(page.locator(".st-key-looking")).to_contain_text("Two moons")
    expect(stage.canvas()).to_be_in_viewport(ratio=0.8)
    expect(stage.root).to_be_focused()
    moons = stage.settle().state()
    assert moons != before
    assert stage.frame == stage.frames - 1
    assert page.evaluate("window.dmSame")
    assert page.context.pages == tabs
    page.go_back()
    expect(page.locator(".st-key-looking")).to_have_count(0)
    assert stage.settle().state() == before
    page.go_forward()
    expect(page.locator(".st-key-looking")).to_contain_text("Two moons")
    assert stage.settle().state() == moons


def test_a_link_opens_in_a_new_tab_too(stage, visitor):
    page = stage.open("kmeans").page
    link = open_section(stage, "When it fails").get_by_role("link", name="two moons")
    with page.context.expect_page() as new_tab:
        link.click(modifiers=["Control"])
    new_tab.value.close()
    assert MOONS not in page.url
    second = visitor().go(page.url.split("?")[0] + link.get_attribute("href"))
    expect(second.page.locator(".st-key-looking")).to_contain_text("Two moons")
    assert "moons" in second.link["generator"]


def test_controls_answer_after_a_link(stage):
    """The stage sends one message at a time: the answer to a link must let the next one go."""
    page = stage.open("kmeans").page
    open_section(stage, "When it fails").get_by_role("link", name="two moons").click()
    page.wait_for_url(f"**look_for={MOONS}**")
    stage.settle().slider("Clusters k").press("End")
    page.wait_for_url(re.compile(r"n_clusters=(?!2(&|$))"))


@pytest.mark.parametrize("first", ["lesson", "stage"])
def test_a_part_that_is_opened_as_a_control_moves_is_sent_and_so_is_the_picture(stage, first):
    """A busy browser sends both in one message, which reruns only the part that spoke first."""
    stage.open("kmeans")
    part = lesson(stage).get_by_text("Sources", exact=True).element_handle()
    slider = stage.slider("Clusters k")
    before = stage.caption
    stage.page.evaluate(
        """async ([part, slider, first]) => {
          const { setTimeout } = window;
          const wait = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });
          window.setTimeout = (act, milliseconds = 0, ...values) => {
            return setTimeout(act, milliseconds || 500, ...values);
          };
          slider.value = slider.max;
          slider.dispatchEvent(new Event('input', { bubbles: true }));
          await wait(200);  // its picture comes
          const press = () => document.dispatchEvent(new PointerEvent('pointerdown'));
          const acts = [() => part.click(), press];
          if (first === 'stage') acts.reverse();  // a press anywhere lets Streamlit be told
          for (const act of acts) act();
          await wait(600);
          window.setTimeout = setTimeout;
        }""",
        [part, slider.element_handle(), first],
    )
    expect(lesson(stage)).to_contain_text("Arthur and S. Vassilvitskii")
    stage.settle()
    assert stage.link["kmeans.n_clusters"] == slider.get_attribute("aria-valuetext")
    assert stage.caption != before


def test_a_part_is_sent_when_it_is_opened_and_an_answer_when_it_is_asked_for(stage):
    stage.open("kmeans")
    expect(lesson(stage)).not_to_contain_text("Arthur and S. Vassilvitskii")
    open_section(stage, "Sources")
    expect(lesson(stage)).to_contain_text("Arthur and S. Vassilvitskii")
    question = open_section(stage, "Check yourself").get_by_text("What is SSE for k = n?")
    expect(question).to_be_visible()
    # An answer of the server that is still on its way closes what was opened before it
    stage.settle()
    answer = lesson(stage).get_by_text("Zero, if each point is its own centre.")
    expect(answer).to_be_hidden()
    question.click()
    expect(answer).to_be_visible()
    stage.settle()  # while the server answers, Streamlit dims what it may replace
    assert serious(stage, ".st-key-lesson") == []
