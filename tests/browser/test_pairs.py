"""Two runs side by side: pinned by the button, moved by one player, the same for all."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

PAIR = {"seed": "3", "pin": "kmeans?seed=3&kmeans.n_clusters=5"}


def pin(stage):
    stage.page.get_by_role("button", name=re.compile("^Pin")).first.click()
    return stage.settle()


def titles(stage):
    return stage.root.locator(".dm-run-title").all_inner_texts()


def test_a_run_is_pinned_changed_replaced_and_unpinned(stage):
    stage.open("kmeans", seed="3")
    expect(stage.root).to_have_attribute("data-runs", "1")
    pin(stage)
    expect(stage.root).to_have_attribute("data-runs", "2")
    assert stage.link["pin"] == "kmeans?seed=3"
    stage.slider("Clusters k").press("ArrowRight")
    stage.settle()
    left, right = titles(stage)
    assert left.startswith("Pinned: Clusters k 3")
    assert right.startswith("Clusters k 4")
    assert "rows differ; adjusted Rand index" in stage.part("difference").inner_text()
    pin(stage)
    assert stage.link["pin"] == "kmeans?kmeans.n_clusters=4&seed=3"
    assert stage.part("difference").inner_text().startswith("0 of 150 rows differ")
    stage.page.get_by_role("button", name="Unpin").click()
    stage.settle()
    expect(stage.root).to_have_attribute("data-runs", "1")
    assert "pin" not in stage.link
    expect(stage.canvas()).to_be_visible()
    assert not stage.errors


def test_one_player_moves_both_and_each_says_where_it_stands(stage):
    stage.open("kmeans", step="0", **PAIR)
    before = stage.ink("data"), stage.ink("'pinned.data'")
    stage.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
    stage.settle()
    assert before[0] != stage.ink("data")
    assert before[1] != stage.ink("'pinned.data'")
    assert all("step 4 of" in title.replace("\n", " ") for title in titles(stage))
    assert stage.part("pinned").inner_text()
    assert stage.caption
    stage.press("End")
    assert len({title.rsplit(" ", 1)[1] for title in titles(stage)}) == 2  # of 3 and of 5 clusters


def test_who_opens_the_link_sees_the_same_pair(stage, visitor):
    stage.open("kmeans", **PAIR)
    other = visitor().go(stage.page.url)
    expect(other.root).to_have_attribute("data-runs", "2")
    assert other.state() == stage.state()
    assert titles(other) == titles(stage)
    assert other.part("difference").inner_text() == stage.part("difference").inner_text()


def test_the_pinned_run_has_its_controls(stage):
    stage.open("kmeans", **PAIR)
    stage.part("controls").locator("summary", has_text="Pinned").click()
    stage.part("controls").locator("details[open] input[type=range]").first.press("ArrowLeft")
    stage.settle()
    assert stage.link["pin"] == "kmeans?kmeans.n_clusters=4&seed=3"
    assert titles(stage)[0].startswith("Pinned: Clusters k 4")
    assert (
        stage.slider("Clusters k").input_value()
        != stage.slider("Clusters k (pinned)").input_value()
    )


def test_another_technique_on_the_same_data(stage):
    stage.open("kmeans", data="wine", source="library")
    stage.page.get_by_role("button", name="Compare").click()
    stage.page.get_by_role("combobox", name="Compare with").click()
    stage.page.get_by_role("option", name="DBSCAN").click()
    stage.page.get_by_role("button", name="Show side by side").click()
    stage.page.wait_for_url("**/dbscan?**")
    stage.settle()
    expect(stage.root).to_have_attribute("data-runs", "2")
    assert stage.link["data"] == "wine"
    assert "of 178 rows differ" in stage.part("difference").inner_text()


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)], ids=str)
def test_both_pictures_are_in_view_and_as_large(stage, size):
    stage.page.set_viewport_size({"width": size[0], "height": size[1]})
    stage.open("svm", pin="svm?svm.C=10", **{"svm.C": "0.1"})
    left, right = (stage.canvas(panel).bounding_box() for panel in ("'pinned.data'", "data"))
    assert abs(left["width"] - right["width"]) <= 2
    assert abs(left["height"] - right["height"]) <= 2
    assert min(left["height"], right["height"]) > 150
    assert right["y"] + right["height"] <= size[1]
    assert (left["y"] == right["y"]) == (size[0] > 700)


def test_a_saved_page_plays_both(stage, tmp_path):
    stage.open("kmeans", **PAIR)
    stage.part("menu").locator("summary").click()
    with stage.page.expect_download() as saved:
        stage.page.get_by_role("button", name="Playable HTML").click()
    file = tmp_path / "pair.html"
    saved.value.save_as(file)
    stage.page.goto(file.as_uri())
    stage.root.wait_for()
    expect(stage.root).to_have_attribute("data-runs", "2")
    assert len(titles(stage)) == 2
    expect(stage.page.get_by_role("button", name=re.compile("^Pin|^Unpin"))).to_have_count(0)
