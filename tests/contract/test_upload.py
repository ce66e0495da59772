"""Rows with holes in a file, messy files of the library, and known groups."""

from itertools import islice, product

import pytest

from dmlib.datasets import MESSY
from tests.visit import open_part, picture, reopened, sentences_of, session_of, sound, stage, visit


def test_rows_with_holes_are_left_out_or_filled():
    page = visit("kmeans", source="upload")
    page.file_uploader[0].upload("holes.csv", b"a,b\n1,2\n3,\n5,6\n7,9\n", "text/csv")
    assert "left out" in " ".join(stage(sound(page.run()))["notes"])
    page = open_part(page, **{"columns.open": True})
    page.selectbox(key="holes").set_value("fill")
    assert "1 missing value is replaced by the mean" in " ".join(stage(sound(page.run()))["notes"])


@pytest.mark.parametrize(
    ("slug", "name"), [*product(["kmeans"], MESSY), *product(["decision_tree"], islice(MESSY, 2))]
)
def test_messy_files_are_in_the_link(slug, name):
    page = sound(visit(slug, source="upload", sample=name))
    assert len(stage(page)["frames"]) > 1
    assert (
        picture(visit(slug, source="upload", sample=name, hide="data"))
        == picture(reopened(page))
        == picture(page)
    )


def test_another_sample_takes_the_place_of_the_first():
    page = sound(visit("kmeans", source="upload", sample="survey.csv"))
    page.selectbox(key="sample").set_value("sales.csv")
    assert session_of(sound(page.run())).upload.file.name == "sales.csv"
    page.selectbox(key="sample").set_value("")
    assert "Choose a file" in sentences_of(sound(page.run()))[0]


def test_known_groups_can_be_named():
    page = sound(visit("kmeans", source="upload", sample="sensors.txt"))
    assert not any("ridge" in label for label in labels(page))
    page.selectbox(key="upload.known").set_value("1")
    assert any("ridge" in label for label in labels(sound(page.run())))


def labels(page):
    return [label for mark in stage(page)["marks"] for label in mark.get("labels") or ()]


def test_rows_have_the_names_of_a_column():
    page = sound(visit("kmeans", data="us_arrests"))
    assert any("Alabama" in label for label in labels(page))
    page = sound(visit("kmeans", source="upload", sample="sales.csv"))
    assert any("SO-10001" in label for label in labels(page))
    page.button_group(key="upload.names").set_value("")
    assert not any("SO-" in label for label in labels(sound(page.run())))
