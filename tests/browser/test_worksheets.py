"""Worksheets are printed by the browser: tasks and keys on pages of their own, on either paper."""

import re

import pytest
from playwright.sync_api import expect

from dashboard.rounds import practice_settings, view_of
from dashboard.settings import Settings
from tests.visit import technique
from ui.worksheet import versions, worksheet

pytestmark = pytest.mark.browser
ADDRESS = "http://localhost:8501/kmeans"


def on_screen():
    page = technique("kmeans")
    return view_of(page, practice_settings(page, 3))


@pytest.fixture
def sheets(browser, tmp_path):
    """Open worksheets from a file, without a network."""

    def write(paper="A4", n=2, small=True):
        file = tmp_path / "sheets.html"
        file.write_text(worksheet(on_screen(), ADDRESS, n, 5, paper, small=small), "utf-8")
        page = browser.new_page(offline=True)
        page.goto(file.as_uri())
        expect(page.locator("main")).to_have_attribute("data-written", str(n))
        return page

    return write


@pytest.mark.parametrize(("paper", "width"), [("A4", 595), ("Letter", 612)])
def test_each_version_has_its_tasks_and_then_its_key_on_paper(sheets, paper, width):
    page = sheets(paper)
    expect(page.locator(".sheet")).to_have_count(4)
    expect(page.locator(".sheet ol > li")).to_have_count(20)
    assert page.locator("img").evaluate_all("all => all.every((img) => img.naturalWidth > 200)")
    expect(page.locator("h1").nth(2)).to_have_text("k-means: key")
    pdf = page.pdf(prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+)", pdf)
    assert len(boxes) >= 4
    assert {round(float(box)) for box in boxes} == {width}


def test_tasks_have_no_solution_and_keys_have_all(sheets):
    page = sheets(n=1)
    task, key = (page.locator(".sheet").nth(i).inner_text() for i in range(2))
    proofs = [each["proof"] for each in page_questions()]
    assert not any(proof in task for proof in proofs)
    assert all(proof in key for proof in proofs)
    assert "Seed" in task
    expect(page.locator("footer svg")).to_have_count(2)


def page_questions():
    ((version, _),) = versions(on_screen(), 1, 5, small=True)
    return version.asking.packed(version.technique.practice, version.run, version.scene)[
        "questions"
    ]


def test_versions_differ_by_their_seed_and_the_first_may_be_what_is_on_the_screen():
    seeds = [settings.text("seed") for _, settings in versions(on_screen(), 3, 5, small=False)]
    assert seeds == ["3", "4", "5"]
    small = [settings.text("seed") for _, settings in versions(on_screen(), 3, 5, small=True)]
    assert len(set(small)) == 3


def test_the_page_offers_them(stage):
    stage.open("kmeans").settle()
    stage.page.get_by_role("button", name="Download").click()
    with stage.page.expect_download() as saved:
        stage.page.get_by_role("button", name="Worksheets (HTML)").click()
    assert saved.value.suggested_filename == "kmeans_worksheets.html"
    assert b"writeSheets" in saved.value.path().read_bytes()


def test_names_of_columns_are_text(tmp_path):
    page = technique("kmeans")
    view = view_of(page, Settings.from_query({}, page.opening_link))
    text = worksheet(view, "http://x/?<script>", 1, 5, "A4", small=False)
    assert text.count("</script>") == 1
