"""Names as bits, and the prepared table: against scikit-learn, by hand, and on the page."""

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import OneHotEncoder

from dashboard.presets import link_of, presets
from dmlib.datasets import load
from dmlib.preprocessing import Binarizer, Discretizer
from dmlib.preprocessing.discretisation.prepared import discretised, interval_names
from dmlib.problem import prepare
from tests.visit import open_part, sound, stage, upload, visit

SLUG = "discretisation"
OWN = "sky,temp,wind\nsun,20,no\nrain,12,yes\nsun,25,no\ncloud,18,yes\nrain,11,no\nsun,22,yes\n"
BITS = {f"{SLUG}.method": "Bits"}


def weather():
    return load("weather_nominal").frame.drop(columns="play")


def test_scikit_learn_makes_the_same_bits_of_names():
    frame = weather()
    model = Binarizer().fit(frame)
    categories = [list(frame[name].cat.categories) for name in frame]
    theirs = OneHotEncoder(categories=categories, sparse_output=False)
    np.testing.assert_array_equal(model.transform(frame), theirs.fit_transform(frame))
    assert model.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()


@pytest.mark.parametrize(
    ("coding", "bits"),
    [
        ("one_hot", [[0, 0, 1], [0, 1, 0], [1, 0, 0]]),
        ("thermometer", [[1, 1], [1, 0], [0, 0]]),
        ("binary", [[1, 0], [0, 1], [0, 0]]),
        ("gray", [[1, 1], [0, 1], [0, 0]]),
    ],
)
def test_three_names_by_hand(coding, bits):
    frame = pd.DataFrame({"sky": ["sun", "rain", "cloud"]})
    assert Binarizer(coding).fit_transform(frame).tolist() == bits


def test_names_and_numbers_beside_each_other():
    frame = pd.DataFrame({"sky": ["sun", "rain", "sun"], "temp": [1.0, 2.0, 3.0]})
    model = Binarizer(n_bins=3).fit(frame)
    assert model.get_feature_names_out().tolist() == [
        "sky_rain",
        "sky_sun",
        "temp_0",
        "temp_1",
        "temp_2",
    ]
    assert model.n_intervals_ == 5
    assert model.transform(frame).tolist() == [[0, 1, 1, 0, 0], [1, 0, 0, 1, 0], [0, 1, 0, 0, 1]]


def test_an_unknown_name_has_no_bit():
    model = Binarizer().fit(pd.DataFrame({"sky": ["sun", "rain"]}))
    assert model.transform(pd.DataFrame({"sky": ["snow", "rain"]})).tolist() == [[0, 0], [1, 0]]


def test_missing_names_are_refused():
    with pytest.raises(ValueError, match="Fill the missing values first"):
        Binarizer().fit(pd.DataFrame({"sky": ["sun", None, "rain"]}))


def test_the_page_codes_the_names_of_an_own_table():
    scene = stage(sound(upload(SLUG, "own.csv", OWN, **BITS)))
    assert scene["frames"][1]["caption"] == "Name 1 (cloud) of sky becomes 100 (one-hot)."
    page = open_part(upload(SLUG, "own.csv", OWN, **BITS), **{f"{SLUG}.tab": "Take along"})
    table = sound(page).dataframe[0].value
    assert [*table][:3] == ["sky_cloud", "sky_rain", "sky_sun"]
    assert [*table][-2:] == ["wind_no", "wind_yes"]


def test_intervals_are_taken_along_by_their_ends_and_names_as_they_are():
    page = open_part(upload(SLUG, "own.csv", OWN), **{f"{SLUG}.tab": "Take along"})
    table = sound(page).dataframe[0].value
    assert [*table] == ["temp", "sky", "wind"]
    assert all(text.startswith(("≤", ">", "(")) for text in table["temp"])
    captions = [caption.value.replace("\\", "") for caption in page.caption]
    assert any("Not prepared, only taken along: sky, wind." in text for text in captions)
    assert any("kept in the prepared table: sky, wind" in note for note in stage(page)["notes"])


def test_intervals_of_scaled_columns_are_in_the_units_of_the_table():
    frame = pd.DataFrame({"a": [0.0, 10.0, 20.0, 40.0]})
    problem = prepare(frame, ["a"], scaling="min-max")
    table = discretised(problem, frame, Discretizer("width", n_bins=2).fit(problem.X))
    assert table["a"].tolist() == ["≤ 20", "≤ 20", "≤ 20", "> 20"]
    assert table["a"].cat.ordered


def test_names_of_intervals_are_different():
    assert interval_names([1.0000001, 1.0000002]) == [
        "≤ 1.0000001",
        "(1.0000001, 1.0000002]",
        "> 1.0000002",
    ]


def test_the_preset_shows_what_it_says():
    (preset,) = (preset for preset in presets(SLUG) if preset.title == "Names become bits")
    frames = stage(visit(SLUG, **link_of(SLUG, preset)))["frames"]
    assert frames[-1]["caption"] == "Done: 3 names of outlook."


@pytest.mark.parametrize("strategy", ["frequency", "entropy", "kmeans"])
def test_a_large_table_is_cut_by_all_its_rows(strategy):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=3000), "kind": rng.choice(["x", "y"], 3000)})
    frame.loc[frame["kind"] == "y", "a"] += 2
    sample, problem = (
        prepare(rows, ["a"], target="kind", labelled=True) for rows in (frame.iloc[:100], frame)
    )
    table = discretised(sample, frame, Discretizer(strategy, n_bins=3).fit(sample.X, sample.y))
    model = Discretizer(strategy, n_bins=3).fit(problem.X, problem.y)
    assert table["a"].cat.categories.tolist() == interval_names(model.cuts_[0], frame["a"])
    assert table.attrs["note"] == "Cut anew by all 3,000 rows."


def test_what_takes_long_is_cut_by_the_rows_of_the_picture():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=300), "kind": rng.choice(["x", "y"], 300)})
    sample = prepare(frame.iloc[:100], ["a"], target="kind", labelled=True)
    table = discretised(sample, frame, Discretizer("chi_merge").fit(sample.X, sample.y))
    assert "The cuts are those of the 100 rows of the picture" in table.attrs["note"]
    assert len(table) == 300
