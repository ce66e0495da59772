"""Files that students have: the pages that prepare data with holes, constants, names, many rows."""

import numpy as np
import pandas as pd
import pytest

from dmlib.preprocessing.transformation.prepared import commonest
from tests.visit import open_part, sentences_of, sound, stage, upload

PAGES = (
    "missing_values",
    "discretisation",
    "transformation",
    "similarity",
    "curse_of_dimensionality",
    "factorisation",
)
PREPARING = ("missing_values", "discretisation", "transformation", "factorisation")
EMPTY = "a,b,c\n1,,3\n2,,5\n4,,6\n5,,1\n"
CONSTANT = "a,b,c\n1,2,2\n1,2,3\n1,2,4\n1,2,7\n"
NAMES = "a,b\nx,y\nz,w\nx,w\nz,y\n"


@pytest.mark.parametrize("slug", PAGES)
def test_a_column_of_holes_only_is_left_out_and_named(slug):
    page = sound(upload(slug, "own.csv", EMPTY))
    assert sentences_of(page) == []
    assert "The column 'b' is left out: it holds no value." in " ".join(stage(page)["notes"])


@pytest.mark.parametrize("scale", ["z_score", "log", "box_cox", "yeo_johnson", "rank", "quantile"])
def test_columns_of_one_value_are_scaled_as_far_as_can_be(scale):
    page = sound(upload("transformation", "own.csv", CONSTANT, **{"transformation.scale": scale}))
    assert sentences_of(page) == []


@pytest.mark.parametrize(
    ("slug", "advice"),
    [("discretisation", "the method Bits"), ("similarity", "the method Mixed columns")],
)
def test_a_table_of_names_is_refused_with_advice(slug, advice):
    assert advice in " ".join(sentences_of(sound(upload(slug, "own.csv", NAMES))))


@pytest.mark.parametrize("slug", PREPARING)
def test_the_whole_of_a_large_table_is_taken_along(slug):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(5000, 2)).round(3), columns=["a", "b"]).assign(
        kind=rng.choice(["x", "y"], 5000)
    )
    frame.loc[:99, "b"] = np.nan
    page = upload(slug, "own.csv", frame.to_csv(index=False))
    assert any("random sample" in note for note in stage(sound(page))["notes"])
    page = sound(open_part(page, **{f"{slug}.tab": "Take along"}))
    rows = "5,000" if slug == "missing_values" else "4,900"
    assert any(f"prepared now: {rows} rows" in caption.value for caption in page.caption)
    assert "kind" in page.dataframe[0].value


def test_what_only_the_rows_beyond_the_sample_have_is_refused_with_a_sentence():
    """The rows of the picture are all positive; of the whole table one is not."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.uniform(1, 9, (5000, 2)).round(4), columns=["a", "size"])
    sample = set(frame.sample(2000, random_state=0).index)
    frame.loc[next(row for row in range(5000) if row not in sample), "size"] = -3.0
    link = {"transformation.scale": "log"}
    page = sound(upload("transformation", "own.csv", frame.to_csv(index=False), **link))
    assert "Done" in stage(page)["frames"][-1]["caption"]
    page = sound(open_part(page, **{"transformation.tab": "Take along"}))
    texts = [warning.value.replace("\\", "") for warning in page.warning]
    assert "'size' holds -3" in " ".join(texts)


@pytest.mark.parametrize("slug", PAGES)
def test_a_table_with_a_hole_in_every_row_is_told_a_way_out(slug):
    page = sound(upload(slug, "own.csv", "a,b\n1,\n,2\n3,\n,4\n"))
    if slug != "missing_values":
        assert "missing value" in " ".join(sentences_of(page))
    link = {"missing_values.strategy": "drop"}
    page = sound(upload("missing_values", "own.csv", "a,b\n1,\n,2\n3,\n,4\n", **link))
    assert "Impute the missing values instead" in " ".join(sentences_of(page))


@pytest.mark.parametrize(
    ("slug", "link"),
    [
        ("transformation", {"transformation.scale": "log"}),
        ("transformation", {"transformation.scale": "box_cox"}),
        ("factorisation", {"factorisation.method": "NMF"}),
    ],
)
def test_negative_numbers_are_told_by_the_name_of_their_column(slug, link):
    page = sound(upload(slug, "own.csv", "a,net gain\n1,2\n2,-5\n3,1\n4,2\n", **link))
    assert "column 'net gain' holds -5" in " ".join(sentences_of(page))


def test_the_commonest_value_of_each_group_is_that_of_pandas():
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 20, 300)
    for column in (
        pd.Series(rng.choice(["x", "y", None], 300)),
        pd.Series(rng.integers(0, 4, 300)).astype(float),
    ):
        expected = column.groupby(groups).agg(lambda values: next(iter(values.mode()), None))
        assert list(commonest(column, groups, 20)) == expected.tolist()
