import inspect
from collections import Counter
from typing import get_args

import networkx as nx
import numpy as np
import pytest

from dmlib.datasets import GENERATORS, generators, make
from dmlib.datasets.catalogue import DataKind
from dmlib.datasets.generators import planted_baskets
from dmlib.params import defaults, describe

NUMBERS = generators("table", numeric_target=True)
ALL = {
    **NUMBERS,
    **{name: g for kind in get_args(DataKind) for name, g in generators(kind).items()},
}


@pytest.mark.parametrize("name", ALL)
def test_a_generator_is_complete(name):
    generator = ALL[name]
    signature = inspect.signature(generator.function).parameters
    assert set(signature) == {*generator.params, "random_state"}
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in signature.values())
    assert set(defaults(generator.function)) == set(signature)
    assert all(describe(generator.function, parameter) for parameter in signature)
    assert generator.title
    assert generator.description.endswith(".")


@pytest.mark.parametrize("name", ALL)
def test_the_same_seed_gives_the_same_data(name):
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
    [
        (name, p, v)
        for name, g in GENERATORS.items()
        for p, spec in g.params.items()
        for v in spec.extremes()
    ],
)
def test_extremes_stay_in_the_box(name, param, value):
    frame = make(name, **{"n_samples": 40, param: value}).frame
    points = frame.drop(columns="class").to_numpy()
    assert np.isfinite(points).all()
    assert points.min() >= 0
    assert points.max() <= 10
    expected = (value if param == "n_samples" else 40) + (value if param == "n_outliers" else 0)
    assert len(frame) == expected


@pytest.mark.parametrize(
    "name", [name for name, g in GENERATORS.items() if "n_outliers" in g.params]
)
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
    frame = make(
        "anisotropic", n_samples=3000, centers=1, stretch=5.0, angle=30.0, spread=0.2
    ).frame
    values, vectors = np.linalg.eigh(np.cov(frame[["x", "y"]].to_numpy().T))
    assert np.sqrt(values[1] / values[0]) == pytest.approx(5, rel=0.1)
    assert abs(vectors[:, 1] @ [np.cos(np.pi / 6), 0.5]) == pytest.approx(1, abs=0.01)


def test_unequal_groups_have_the_ratio():
    sizes = (
        make("unequal_sizes", n_samples=1300, ratio=12.0, centers=2).frame["class"].value_counts()
    )
    assert sizes["A"] == 12 * sizes["B"]
    spread = (
        make("unequal_densities", n_samples=6000, ratio=4.0, centers=2, spread=0.2)
        .frame.groupby("class")["x"]
        .std()
    )
    assert spread["B"] / spread["A"] == pytest.approx(4, rel=0.1)


def test_shapes_without_noise_are_exact():
    circles = make("circles", noise=0.0, factor=0.5).frame
    radius = np.hypot(circles["x"] - 5, circles["y"] - 5)
    assert radius.groupby(circles["class"]).agg(["min", "max"]).to_numpy() == pytest.approx(
        np.array([[4, 4], [2, 2]])
    )
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


def test_decisions_have_the_counts_and_no_order():
    counts = {"tp": 4, "fn": 3, "fp": 0, "tn": 5}
    tables = [make("confusion_counts", random_state=seed, **counts).frame for seed in (0, 1)]
    for frame in tables:
        assert Counter(frame.itertuples(index=False, name=None)) == {
            (1.0, "positive"): 4,
            (-1.0, "positive"): 3,
            (-1.0, "negative"): 5,
        }
    assert not tables[0].equals(tables[1])
    assert "confusion_counts" not in generators()
    assert "confusion_counts" in generators(purpose="decisions")
    with pytest.raises(ValueError, match="All four counts are 0"):
        make("confusion_counts", tp=0, fn=0, fp=0, tn=0)


def test_an_unknown_generator_is_refused():
    with pytest.raises(ValueError, match="no generator 'donut'"):
        make("donut")


def test_baskets_are_repeatable():
    assert planted_baskets(random_state=2).digest == planted_baskets(random_state=2).digest
    assert planted_baskets(random_state=2).digest != planted_baskets(random_state=3).digest
    assert len(planted_baskets(n_samples=17).transactions) == 17


@pytest.mark.parametrize(
    ("name", "param", "value"),
    [
        (name, p, v)
        for name, g in ALL.items()
        if name not in GENERATORS
        for p, spec in g.params.items()
        for v in spec.extremes()
    ],
)
def test_extremes_of_other_kinds_can_be_made(name, param, value):
    made = make(name, **{param: value})
    assert made.digest
    assert made.title == ALL[name].title
    assert made.source
    assert made.licence


# Numbers to predict
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NUMBERS)
def test_the_target_is_a_number(name):
    table = make(name)
    assert table.target == "y"
    assert table.numeric == tuple(table.frame)
    assert np.isfinite(table.frame.to_numpy()).all()


def test_a_line_has_its_coefficients_and_outliers_turn_it():
    line = make("noisy_line", n_samples=5000, slope=1.5, intercept=-2.0).frame
    slope, intercept = np.polyfit(line["x"], line["y"], 1)
    assert (slope, intercept) == (pytest.approx(1.5, abs=0.02), pytest.approx(-2, abs=0.1))
    turned = make("noisy_line", slope=1.5, intercept=-2.0, n_outliers=6).frame
    assert np.polyfit(turned["x"], turned["y"], 1)[0] < 1.35


def test_the_spread_grows():
    frame = make(
        "growing_spread", n_samples=5000, slope=0.0, intercept=0.0, noise=0.1, growth=0.5
    ).frame
    left, right = frame["y"][frame["x"] < 2], frame["y"][frame["x"] > 8]
    assert left.std() < 1
    assert right.std() > 4


def test_the_slope_turns_with_the_rows():
    table = make("drift", n_samples=1000, slope=2.0, turn=-3.0, noise=0.1)
    frame = table.frame
    assert frame["slope"].iloc[[0, -1]].tolist() == [2, -1]
    for part in (frame[:200], frame[-200:]):
        slope, intercept = np.polyfit(part["x"], part["y"], 1)
        assert slope == pytest.approx(part["slope"].mean(), abs=0.1)
        assert intercept == pytest.approx(5, abs=0.1)
    assert table.roles == {"slope": "ignore"}


def test_features_have_the_correlation_and_the_coefficients():
    frame = make(
        "correlated_features", n_samples=8000, n_features=4, n_informative=3, correlation=0.6
    ).frame
    correlations = np.corrcoef(frame.iloc[:, :4].T)[np.triu_indices(4, 1)]
    np.testing.assert_allclose(correlations, 0.6, atol=0.03)
    coefficients = np.linalg.lstsq(frame.iloc[:, :4].to_numpy(), frame["y"].to_numpy())[0]
    np.testing.assert_allclose(coefficients, [3, 2, 1, 0], atol=0.1)


# Graphs, series, strings
# ----------------------------------------------------------------------------------------------


def test_graphs_follow_their_recipes():
    groups = make("planted_partition", p_in=1.0, p_out=0.0).graph
    assert sorted(map(len, nx.connected_components(groups))) == [10, 10, 10]
    tree = make("preferential_attachment").graph
    assert nx.is_tree(tree)
    assert make("random_graph", directed=True).graph.is_directed()
    assert not nx.get_edge_attributes(tree, "weight")
    weights = {weight for *_, weight in make("grid_graph", max_weight=3).graph.edges(data="weight")}
    assert weights == {1, 2, 3}


def test_series_are_shifted_and_warped_as_asked():
    wave, later = make("shifted_waves", n_values=101, cycles=1.0, shift=0.25, noise=0.0).values
    np.testing.assert_allclose(later[25:], wave[:76], atol=1e-9)
    even, uneven = make("warped_pair", n_values=50, n_others=50, warp=0.0, noise=0.0).values
    np.testing.assert_array_equal(even, uneven)
    walk = make("random_walk", noise=0.0, drift=2.0, n_values=4).values[0]
    assert walk.tolist() == [0, 2, 4, 6]


def test_a_motif_is_in_every_second_strand():
    made = make("planted_motif", mutation=0.0, length=60, n_texts=20)
    planted = [text for text, kind in zip(made.texts, made.classes, strict=True) if kind == "motif"]
    parts = [{text[i : i + 7] for i in range(54)} for text in planted]
    assert set.intersection(*parts)
    assert len(planted) == 10
    assert set("".join(made.texts)) == set("ACGT")


@pytest.mark.parametrize("exponent", [0.0, 1.0, 2.0])
def test_words_follow_zipfs_law(exponent):
    made = make("zipf_texts", exponent=exponent, vocabulary=50, n_texts=200, length=200)
    counts = np.array(
        [n for _, n in Counter(word for text in made.texts for word in text.split()).most_common()]
    )
    weights = np.arange(1, 51) ** -exponent
    expected = 40_000 * weights / weights.sum()
    common = expected > 500
    np.testing.assert_allclose(counts[common[: len(counts)].nonzero()], expected[common], rtol=0.15)


def test_the_product_of_xor_tells_the_corners_apart():
    plain, frame = make("xor", noise=0.0).frame, make("xor", noise=0.0, product=True).frame
    assert frame.drop(columns="product").equals(plain)
    assert frame["product"].to_numpy() == pytest.approx(
        5 + (plain["x"] - 5).to_numpy() * (plain["y"] - 5).to_numpy() / 5
    )
    assert ((frame["product"] > 5) == (frame["class"] == "A")).all()
