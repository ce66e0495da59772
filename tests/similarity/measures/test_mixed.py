"""HEOM and weighted distances of mixed rows: by hand, by SciPy, by their definitions."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.presets import link_of, presets
from dmlib.datasets import load
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.similarity import MixedDistances
from dmlib.similarity.measures.mixed import NAME_DISTANCES, NUMBER_DISTANCES
from dmlib.similarity.measures.reference import similarity_reference
from dmlib.similarity.measures.scene import similarity_scene
from tests.visit import stage, visit

GRADE = pd.Categorical(["low", "high", "mid"], ["low", "mid", "high"], ordered=True)
ROWS = pd.DataFrame(
    {"age": [20.0, 30.0, 40.0], "colour": ["red", "blue", "red"], "grade": GRADE}
)  # rows 1 and 2: 10 / 20; red is not blue; two of two levels
CELLS = st.tuples(
    st.sampled_from([0.0, 1.0, 4.0, None]),
    st.sampled_from([2.0, 3.0, None]),
    st.sampled_from(["red", "blue", None]),
    st.sampled_from(["x", "y", "z"]),
)
KINDS = [(a, b) for a in NAME_DISTANCES for b in NUMBER_DISTANCES]


def distance_of(frame=ROWS, first=1, second=2, **params):
    return MixedDistances(first, second, **params).fit(frame).distance_


def test_heom_by_hand():
    assert distance_of(distance="heom") == pytest.approx((0.5**2 + 1 + 1) ** 0.5)
    assert distance_of(second=3, distance="heom") == pytest.approx((1 + 0 + 0.5**2) ** 0.5)


def test_a_missing_value_is_one_apart_by_heom_and_not_counted_by_others():
    frame = pd.DataFrame({"a": [1.0, None, 3.0], "b": ["x", "x", "y"]})
    assert distance_of(frame, distance="heom") == 1
    assert distance_of(frame, first=2, second=2, distance="heom") == 1
    assert distance_of(frame) == distance_of(frame, distance="weighted") == 0


@pytest.mark.parametrize(
    ("of_numbers", "expected"),
    [("manhattan", 0.75), ("euclidean", (1.25 / 2) ** 0.5), ("chebyshev", 1.0)],
)
def test_weighted_distances_by_hand(of_numbers, expected):
    distance = distance_of(distance="weighted", of_numbers=of_numbers)
    assert distance == pytest.approx(1 / 3 * 1 + 2 / 3 * expected)


def test_jaccard_of_names_by_hand():
    """Of three names one is equal: it is in both sets, and 2 + 2 others are in one."""
    frame = pd.DataFrame({"a": ["u", "u"], "b": ["x", "y"], "c": ["v", "w"]})
    assert distance_of(frame, distance="weighted", of_names="jaccard") == pytest.approx(4 / 5)
    assert distance_of(frame, distance="weighted") == pytest.approx(2 / 3)


@given(st.lists(CELLS, min_size=3, max_size=9))
def test_simple_matching_with_manhattan_is_gowers_distance(cells):
    frame = pd.DataFrame(cells, columns=list("abcd")).astype({"a": float, "b": float})
    gower = MixedDistances().fit(frame).to_rows_
    weighted = MixedDistances(distance="weighted", of_numbers="manhattan").fit(frame).to_rows_
    np.testing.assert_allclose(weighted, gower, atol=1e-12)


@given(st.lists(CELLS, min_size=3, max_size=9))
def test_heom_has_no_shorter_detour(cells):
    frame = pd.DataFrame(cells, columns=list("abcd")).astype({"a": float, "b": float})
    assert MixedDistances(distance="heom").fit(frame).violations_ == 0


@pytest.mark.parametrize(("of_names", "of_numbers"), KINDS)
@given(cells=st.lists(CELLS, min_size=3, max_size=9))
def test_weighted_distances_are_from_0_to_1(of_names, of_numbers, cells):
    frame = pd.DataFrame(cells, columns=list("abcd")).astype({"a": float, "b": float})
    kinds = {"of_names": of_names, "of_numbers": of_numbers}
    distances = MixedDistances(distance="weighted", **kinds).fit(frame).to_rows_
    assert ((distances >= 0) & (distances <= 1)).all()
    assert distances[0] == 0


@pytest.mark.parametrize(
    "params",
    [
        {"distance": "heom"},
        *({"distance": "weighted", "of_names": a, "of_numbers": b} for a, b in KINDS),
    ],
)
def test_scipy_gives_the_same(params):
    frame = load("penguins").frame.iloc[:80]
    problem = prepare(frame, list(frame.columns), holes="keep")
    run = Run.of(problem, MixedDistances(1, 2, **params))
    values = similarity_reference(run).answer(run).values
    assert run.fitted.distance_ == pytest.approx(values["distance_"])
    np.testing.assert_allclose(run.fitted.to_rows_, values["to_rows_"], atol=1e-12)


def test_columns_of_one_scale_only():
    numbers, names = ROWS[["age"]], ROWS[["colour"]]
    for distance in ("heom", "weighted"):
        assert distance_of(numbers, distance=distance) == 0.5
        assert distance_of(names, distance=distance) == 1


def test_a_row_that_misses_a_value_is_not_0_from_itself():
    frame = pd.DataFrame({"a": [None, 2.0, 3.0], "b": ["x", "x", "y"]})
    problem = prepare(frame, ["a", "b"], holes="keep")
    scene = similarity_scene(Run.of(problem, MixedDistances(distance="heom")))
    assert scene.frames[1].caption == "a (interval) is 1 apart: a value is missing."
    (axioms,) = [b for b in scene.frames[-1].ledger if getattr(b, "title", "")[:6] == "Axioms"]
    assert axioms.rows[0][1] == "A is 1 from itself"


@pytest.mark.parametrize(
    ("title", "sentence"),
    [
        ("Two penguins by HEOM", "1 apart (HEOM), a metric on these triples"),
        ("Names by Jaccard", "0.3404 apart (weighted distances), no metric"),
    ],
)
def test_a_preset_shows_what_it_says(title, sentence):
    (preset,) = (preset for preset in presets("similarity") if preset.title == title)
    frame = stage(visit("similarity", **link_of("similarity", preset)))["frames"][-1]
    assert sentence in frame["caption"]
    if title == "Names by Jaccard":
        assert "2 / 4 · 0.6667 + 2 / 4 · 0.01422 = 0.3404" in frame["ledger"][0]["text"]
