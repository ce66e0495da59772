"""Rows with holes in a file."""

from tests.pages.visit import sound, stage, visit


def test_rows_with_holes_are_left_out_or_filled():
    page = visit("kmeans", source="upload")
    page.file_uploader[0].upload("holes.csv", b"a,b\n1,2\n3,\n5,6\n7,9\n", "text/csv")
    assert "left out" in " ".join(stage(sound(page.run()))["notes"])
    page.session_state["holes"] = "fill"
    assert "1 missing value is replaced by the mean" in " ".join(stage(sound(page.run()))["notes"])
