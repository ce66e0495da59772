"""A file of one's own: dropped or chosen, shown or refused, and how many of its rows are used."""

import numpy as np
import pytest

from dashboard.data.container import SOURCES
from tests.visit import picture, plain, session_of, sound, stage, upload, visit, warnings

TABLE = b"height,weight\n" + b"".join(b"%d,%d\n" % (150 + i, 50 + i * i % 40) for i in range(30))
NODES = b"a b\nb c\nc a\nc d\nd e\n"


def drop(page, name, content):
    """Drop a file on a page, as the browser does: into the uploader that nobody sees."""
    session_of(page).takes_drops = True
    page.run()
    key = f"dropped.{session_of(page).n_sent}"
    page.file_uploader(key=key).upload(name, content, "text/plain")
    return sound(page.run())


def data_line(page):
    """Return what the title line says of the data."""
    return plain(page.caption[0].value)


def table(n_rows):
    """Return a file of two columns of noise."""
    cells = np.random.default_rng(0).normal(size=(n_rows, 2)).round(3)
    return "a,b\n" + "".join(f"{a},{b}\n" for a, b in cells)


@pytest.mark.parametrize(
    ("slug", "name", "content"),
    [("kmeans", "people_2026.csv", TABLE), ("graph_clustering", "friends_2026.txt", NODES)],
)
def test_a_dropped_file_is_shown_with_its_name(slug, name, content):
    page = drop(visit(slug), name, content)
    assert warnings(page) == []
    assert data_line(page).startswith(name)
    assert page.query_params["source"] == "upload"
    assert picture(page) != picture(visit(slug))


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [("kmeans", "The file is empty."), ("graph_clustering", "The file"), ("apriori", "The file")],
)
def test_of_a_bad_file_the_page_says_why_and_shows_what_it_showed(slug, sentence):
    page = visit(slug, seed="3")
    usual = picture(page)
    drop(page, "bad.csv", b"")
    assert picture(page) == usual
    assert page.query_params.get("source") is None
    (text,) = warnings(page)
    assert text.startswith(f"**bad.csv** · {sentence}")
    page.button(key="refusal.close").click()
    assert warnings(page.run()) == []


def test_a_bad_file_leaves_the_own_file_before_it():
    page = upload("kmeans", "people.csv", TABLE)
    usual = picture(page)
    page.file_uploader[0].upload("bad.csv", b"", "text/csv")
    assert picture(sound(page.run())) == usual
    assert data_line(page).startswith("people.csv")
    # Other data take the sentence away.
    page.button_group(key="source").set_value("library")
    assert warnings(page.run()) == []


def test_an_own_file_can_be_removed():
    page = upload("kmeans", "people.csv", TABLE)
    page.button(key="file.remove").click()
    assert len(stage(sound(page.run()))["frames"]) == 1
    assert session_of(page).upload is None


def test_how_a_refused_graph_is_read_can_still_be_decided():
    page = drop(visit("graph_clustering"), "bad.txt", b"")
    page.button(key="refusal.decide").click()
    page.run()
    assert page.query_params["source"] == "upload"
    assert len(stage(page)["frames"]) == 1
    assert any(box.label == "The file holds" for box in page.selectbox)


def test_the_sources_are_side_by_side():
    page = visit("kmeans")
    assert page.button_group(key="source").options == [*SOURCES.values()]


def test_more_rows_of_a_large_table_can_be_asked_for():
    page = upload("kmeans", "noise.csv", table(3000))
    assert data_line(page) == "noise.csv · a × b · 2,000 of 3,000 rows, a sample"
    page.button_group(key="upload.rows").set_value("3000")
    assert data_line(sound(page.run())) == "noise.csv · a × b · 3,000 rows"
    assert page.query_params["upload.rows"] == "3000"


def test_a_page_says_why_it_takes_no_more_rows():
    page = upload("hierarchical", "noise.csv", table(3000))
    assert page.button_group(key="upload.rows").options == ["150", "1,000"]
    reasons = [plain(caption.value) for caption in page.caption]
    assert any("takes at most 1,000 of the 3,000 rows" in reason for reason in reasons)
