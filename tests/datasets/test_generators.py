import inspect

import numpy as np
import pytest

from dmlib.datasets import GENERATORS, make
from dmlib.datasets.generators import planted_baskets
from dmlib.params import defaults, describe


@pytest.mark.parametrize("name", GENERATORS)
def test_a_generator_is_complete(name):
    generator = GENERATORS[name]
    signature = inspect.signature(generator.function).parameters
    assert set(signature) == {*generator.params, "random_state"}
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in signature.values())
    assert set(defaults(generator.function)) == set(signature)
    assert all(describe(generator.function, parameter) for parameter in signature)
    assert generator.title
    assert generator.description.endswith(".")


@pytest.mark.parametrize("name", GENERATORS)
def test_the_same_seed_gives_the_same_points(name):
    assert make(name, random_state=7).digest == make(name, random_state=7).digest
    assert make(name, random_state=7).digest != make(name, random_state=8).digest


@pytest.mark.parametrize("name", GENERATORS)
def test_default_points_suit_a_lecture(name):
    table = make(name)
    assert 150 <= len(table.frame) <= 300
    assert (table.numeric, table.nominal, table.target) == (("x", "y"), ("class",), "class")
    assert table.source
    assert table.licence


@pytest.mark.parametrize(
    ("name", "param", "value"),
    [(name, p, v) for name, g in GENERATORS.items() for p, spec in g.params.items() for v in spec.extremes()],
)
def test_extremes_stay_in_the_box(name, param, value):
    frame = make(name, **{"n_samples": 40, param: value}).frame
    points = frame.drop(columns="class").to_numpy()
    assert np.isfinite(points).all()
    assert points.min() >= 0
    assert points.max() <= 10
    expected = (value if param == "n_samples" else 40) + (value if param == "n_outliers" else 0)
    assert len(frame) == expected


@pytest.mark.parametrize("name", [name for name, g in GENERATORS.items() if "n_outliers" in g.params])
def test_outliers_are_added_and_named(name):
    plain, more = make(name, random_state=3).frame, make(name, random_state=3, n_outliers=12).frame
    assert more.iloc[: len(plain)].equals(plain)
    assert (more["class"] == "outlier").sum() == 12


def test_more_columns_have_numbers():
    assert list(make("blobs", n_features=4).frame) == ["x1", "x2", "x3", "x4", "class"]


def test_blobs_have_the_spread_that_was_asked_for():
    frame = make("blobs", n_samples=6000, centers=3, spread=0.3).frame
    spread = frame.groupby("class").std().to_numpy()
    assert spread == pytest.approx(np.full((3, 2), 0.3), rel=0.05)
    assert frame["class"].value_counts().tolist() == [2000] * 3


def test_anisotropic_groups_are_long_in_the_given_direction():
    frame = make("anisotropic", n_samples=3000, centers=1, stretch=5.0, angle=30.0, spread=0.2).frame
    values, vectors = np.linalg.eigh(np.cov(frame[["x", "y"]].to_numpy().T))
    assert np.sqrt(values[1] / values[0]) == pytest.approx(5, rel=0.1)
    assert abs(vectors[:, 1] @ [np.cos(np.pi / 6), 0.5]) == pytest.approx(1, abs=0.01)


def test_unequal_groups_have_the_ratio():
    sizes = make("unequal_sizes", n_samples=1300, ratio=12.0, centers=2).frame["class"].value_counts()
    assert sizes["A"] == 12 * sizes["B"]
    spread = (
        make("unequal_densities", n_samples=6000, ratio=4.0, centers=2, spread=0.2).frame.groupby("class")["x"].std()
    )
    assert spread["B"] / spread["A"] == pytest.approx(4, rel=0.1)


def test_shapes_without_noise_are_exact():
    circles = make("circles", noise=0.0, factor=0.5).frame
    radius = np.hypot(circles["x"] - 5, circles["y"] - 5)
    assert radius.groupby(circles["class"]).agg(["min", "max"]).to_numpy() == pytest.approx(np.array([[4, 4], [2, 2]]))
    xor = make("xor", noise=0.0).frame
    assert (((xor["x"] > 5) ^ (xor["y"] > 5)) == (xor["class"] == "B")).all()


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"centers": 0}, "centers must be a whole number from 1 to 12; it was 0."),
        ({"spread": float("nan")}, "spread must be a number"),
        ({"random_state": -1}, "random_state must be"),
        ({"wings": 2}, "no parameter wings"),
    ],
)
def test_bad_parameters_are_refused(params, message):
    with pytest.raises(ValueError, match=message):
        make("blobs", **params)


def test_an_unknown_generator_is_refused():
    with pytest.raises(ValueError, match="no generator 'donut'"):
        make("donut")


def test_baskets_are_repeatable():
    assert planted_baskets(random_state=2).digest == planted_baskets(random_state=2).digest
    assert planted_baskets(random_state=2).digest != planted_baskets(random_state=3).digest
    assert len(planted_baskets(n_samples=17).transactions) == 17
