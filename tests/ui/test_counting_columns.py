"""A column that goes up by one predicts, and one of codes names the rows."""

import pytest

from tests.visit import open_part, sound, stage, visit, warnings

ROWS = "".join(f"{i},{2.5 * i + i * i % 3}\n" for i in range(1, 21))


def upload(slug, text):
    page = visit(slug, source="upload")
    page.file_uploader[0].upload("data.csv", text.encode(), "text/csv")
    return sound(page.run())


@pytest.mark.parametrize("slug", ["linear_regression", "polynomial_regression"])
@pytest.mark.parametrize("name", ["x", "year", "week"])
def test_a_counting_column_predicts(slug, name):
    page = upload(slug, f"{name},y\n{ROWS}")
    assert open_part(page, **{"columns.open": True}).multiselect(key="upload.features").value == [
        name
    ]
    assert not any("too few" in warning for warning in warnings(page))


def test_codes_name_the_rows():
    page = upload(
        "kmeans", "code,x,y\n" + "".join(f"A{i:03d},{i * 7 % 20},{i * i % 11}\n" for i in range(20))
    )
    assert open_part(page, **{"columns.open": True}).multiselect(key="upload.features").value == [
        "x",
        "y",
    ]
    assert any(
        "A000" in label for mark in stage(page)["marks"] for label in mark.get("labels") or ()
    )
