"""Distances against R and SciPy, by hand, their axioms, and their page."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import distance

from dashboard.presets import link_of, presets
from dmlib import similarity
from dmlib.classification import KNeighborsClassifier
from dmlib.datasets import load
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.similarity import Distances, MixedDistances
from dmlib.similarity.measures.algorithm import NORMS, Space
from dmlib.similarity.measures.figures.balls import unit_balls
from dmlib.similarity.measures.figures.groups import between_groups
from dmlib.similarity.measures.registry import COEFFICIENTS, DISTANCES, METRICS, SIMILARITIES
from dmlib.similarity.measures.scene import ball, similarity_scene
from tests.visit import stage, visit

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "distances.json").read_text("utf-8"))
SLUG = "similarity"
rows_of = st.lists(st.floats(-5, 5).map(lambda x: round(x, 2)), min_size=4, max_size=4)


def random_rows(seed, n=12, p=4):
    return np.random.default_rng(seed).normal(size=(n, p))


@pytest.mark.parametrize(
    ("name", "ours", "options"),
    [
        ("euclidean", "euclidean", ()),
        ("manhattan", "manhattan", ()),
        ("maximum_chebyshev", "chebyshev", ()),
        ("minkowski_p3", "minkowski", (3,)),
        ("minkowski_p1_5", "minkowski", (1.5,)),
        ("canberra", "canberra", ()),
    ],
)
def test_r_gives_the_same_distances(name, ours, options):
    X = load("us_arrests").frame[["murder", "assault", "urban_pop", "rape"]].to_numpy(float)[:6]
    distances = [[getattr(similarity, ours)(a, b, *options) for b in X] for a in X]
    np.testing.assert_allclose(distances, GOLDEN["us_arrests"][name], rtol=1e-8)


def test_r_gives_the_same_gower():
    rows = GOLDEN["rows"]
    columns = ("age", "income", "colour", "grade", "member", "smoker")
    levels = {
        name: sorted({row[name] for row in rows if row[name]})
        for name in ("colour", "member", "smoker")
    }
    levels["grade"] = ["low", "mid", "high"]

    def number(name, value):
        if value == "":
            return np.nan
        return levels[name].index(value) if name in levels else float(value)

    X = [[number(name, row[name]) for name in columns] for row in rows]
    distances = 1 - similarity.heterogeneous(X, names=[2, 4], asymmetric=[5])
    np.testing.assert_allclose(distances, GOLDEN["gower"], atol=1e-9)


def test_every_measure_is_an_exported_function():
    for functions in (DISTANCES, SIMILARITIES):
        for function in functions:
            assert getattr(similarity, function.__name__) is function
    assert list(COEFFICIENTS) == ["jaccard", "dice", "overlap", "smc", "cosine", "tanimoto"]
    assert METRICS["smc"] == "1 − simple matching"


def test_rows_without_a_common_column_are_as_far_apart_as_in_mixed_distances():
    X = np.array([[1.0, np.nan], [np.nan, 2.0], [3.0, 4.0]])
    similarities = similarity.heterogeneous(X)
    assert similarities[0, 1] == similarities[1, 0] == 0.0
    np.testing.assert_array_equal(1 - similarities[0, 1:], MixedDistances().fit(X).to_rows_[1:])
    assert similarity.heterogeneous([[0.0], [0.0], [1.0]], asymmetric=[0])[0, 1] == 0.0
    # one column is enough
    assert similarity.heterogeneous([[np.nan, 1.0], [np.nan, 1.0]])[0, 1] == 1.0


@given(rows_of, rows_of, st.floats(0.5, 8))
def test_scipy_measures_the_same(a, b, p):
    assert similarity.minkowski(a, b, p) == pytest.approx(distance.minkowski(a, b, p))
    assert similarity.chebyshev(a, b) == distance.chebyshev(a, b)
    assert similarity.canberra(a, b) == pytest.approx(distance.canberra(a, b))
    bits = np.array(a) > 0, np.array(b) > 0
    assert similarity.hamming(*bits) == pytest.approx(distance.hamming(*bits))
    if np.any(bits):
        assert similarity.jaccard(*bits) == pytest.approx(1 - distance.jaccard(*bits))
        assert similarity.dice(*bits) == pytest.approx(1 - distance.dice(*bits))
        assert similarity.tanimoto(*bits) == pytest.approx(similarity.jaccard(*bits))
    if np.ptp(a) > 0.01 and np.ptp(b) > 0.01:
        assert similarity.cosine(a, b) == pytest.approx(1 - distance.cosine(a, b), abs=1e-9)
        assert similarity.pearson(a, b) == pytest.approx(1 - distance.correlation(a, b), abs=1e-6)


@given(st.integers(0, 30))
def test_mahalanobis_is_scipys_and_euclidean_after_whitening(seed):
    X = random_rows(seed) @ np.diag([1.0, 10.0, 0.1, 3.0])
    S = np.cov(X.T)
    expected = distance.mahalanobis(X[0], X[1], np.linalg.inv(S))
    assert similarity.mahalanobis(X[0], X[1], S) == pytest.approx(expected, rel=1e-6)
    model = Distances("mahalanobis", a=X[0], b=X[1]).fit(X)
    assert model.distance_ == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("metric", METRICS)
@given(seed=st.integers(0, 10))
def test_terms_come_one_by_one_and_both_ways_are_the_same(metric, seed):
    X = random_rows(seed)
    steps = list(Distances(metric).steps(X))
    assert [len(step.terms) for step in steps if step.phase == "column"] == [1, 2, 3, 4]
    space = Space(X, metric, 3.0)
    assert space.between(X[0], X[1]) == pytest.approx(space.between(X[1], X[0]), abs=1e-12)
    assert space.between(X[0], X[0]) == pytest.approx(0, abs=1e-12)
    assert (np.diff(Distances(metric).fit(X).to_rows_[steps[-1].nearest]) >= 0).all()


@pytest.mark.parametrize("metric", [*NORMS, "canberra", "smc", "jaccard"])
@given(seed=st.integers(0, 10))
def test_metrics_have_no_shorter_detour(metric, seed):
    assert not Space(random_rows(seed), metric, 3.0).triples[1].any()


def test_no_metric_has_a_counterexample_that_is_one():
    X = load("iris").frame[["petal_length", "petal_width"]].to_numpy(float)
    for metric, p in (("cosine", 2.0), ("minkowski", 0.5)):
        model = Distances(metric, p=p).fit(X)
        x, z, y = (X[i] for i in model.counterexample_)
        space = Space(X, metric, p)
        assert space.between(x, y) > space.between(x, z) + space.between(z, y)
        assert 0 < model.violations_ < 1


@pytest.mark.parametrize("metric", NORMS)
def test_a_ball_is_where_its_radius_says(metric):
    X = random_rows(3, p=2)
    space = Space(X, metric, 3.0)
    edge = ball(space, X[0], 2.0)
    np.testing.assert_allclose([space.between(X[0], point) for point in edge], 2.0, rtol=1e-9)


def test_measures_of_mixed_values():
    assert similarity.ordinal("low", "high", ["low", "mid", "high"]) == 0
    assert similarity.interval(1.0, 1.0, 1.0, 1.0) == 1
    D = distance.cdist(random_rows(0), random_rows(1))
    assert similarity.single_link(D) <= similarity.average_link(D) <= similarity.complete_link(D)


@given(seed=st.integers(0, 20))
def test_the_squared_cosine_takes_opposite_directions_as_alike(seed):
    X = random_rows(seed)
    a, b = X[:-1], X[1:]
    cosines = np.array([1 - distance.cosine(p, q) for p, q in zip(a, b, strict=True)])
    np.testing.assert_allclose(similarity.squared_cosine(a, b), cosines**2, atol=1e-12)
    space = Space(X, "squared_cosine", 2.0)
    np.testing.assert_allclose(space.between(a, b), 1 - cosines**2, atol=1e-12)
    np.testing.assert_allclose(space.between(a, -b), space.between(a, b), atol=1e-12)


def test_a_distance_is_written_as_a_similarity():
    frame = pd.DataFrame({"a": [0.0, 3.0, 9.0], "b": [0.0, 4.0, 9.0]})
    run = Run.of(prepare(frame, ["a", "b"]), Distances(a=[0.0, 0.0], b=[3.0, 4.0]))
    ledger = similarity_scene(run).frames[-1].ledger
    (table,) = [block for block in ledger if getattr(block, "title", "").startswith("As a sim")]
    # the farthest row is (9, 9), √162 = 12.73 from A
    assert [(row[1], row[2]) for row in table.rows] == [
        (None, "−5"),
        ("1 / (1 + 5)", "0.1667"),
        ("e^−5", "0.006738"),
        ("1 − 5 / 12.73", "0.6072"),
    ]


def test_equal_rows_have_no_largest_distance_to_divide_by():
    run = Run.of(prepare(pd.DataFrame({"a": [2.0] * 3, "b": [1.0] * 3}), ["a", "b"]), Distances())
    ledger = similarity_scene(run).frames[-1].ledger
    (table,) = [block for block in ledger if getattr(block, "title", "").startswith("As a sim")]
    assert [row[2] for row in table.rows] == ["0", "1", "1"]


@pytest.mark.parametrize("metric", METRICS)
def test_equal_rows_and_two_rows(metric):
    assert Distances(metric).fit([[2.0, 3.0]] * 4).distance_ == pytest.approx(0, abs=1e-12)
    assert np.isfinite(Distances(metric).fit([[0.0, 0.0], [1.0, 0.0]]).distance_)


def test_points_have_as_many_numbers_as_there_are_columns():
    sentence = "a must be a point with a finite number for each of the 4 columns"
    with pytest.raises(ValueError, match=sentence):
        Distances(a=[1.0, 2.0]).fit(random_rows(0))


def iris():
    columns = ["petal_length", "petal_width"]
    return Run.of(prepare(load("iris").frame, columns, target="species"), Distances())


def test_the_figures_show_their_numbers():
    assert len(unit_balls(iris()).data) == 6
    figure = between_groups(iris())
    assert "versicolor and virginica are nearest" in figure.layout.title.text.replace("<br>", " ")
    single, complete, average = (trace.x for trace in figure.data)
    assert all(a <= c <= b for a, b, c in zip(single, complete, average, strict=True))


def frames(title):
    (preset,) = (preset for preset in presets(SLUG) if preset.title == title)
    return stage(visit(SLUG, **link_of(SLUG, preset)))["frames"]


@pytest.mark.parametrize(
    ("title", "sentence"),
    [
        ("Two irises", "3.231 apart (Euclidean), a metric on these triples"),
        ("Balls with corners", "4.2 apart"),
        ("A detour is shorter", "no metric: 24.8 % of triples"),
        ("In the cloud's own units", "1.715 apart"),
        ("Dents in the ball", "no metric: 23.5 % of triples"),
    ],
)
def test_a_preset_shows_what_it_says(title, sentence):
    assert sentence in frames(title)[-1]["caption"]


def test_a_point_in_the_link_is_where_it_says():
    moved = visit(SLUG, **{f"{SLUG}.place_a": "3,1", f"{SLUG}.place_b": "6,2"})
    assert "3.162 apart" in stage(moved)["frames"][-1]["caption"]
    handles = {handle["name"]: (handle["x"], handle["y"]) for handle in stage(moved)["handles"]}
    assert handles["a"] == pytest.approx((3, 1))


@pytest.mark.parametrize("metric", ["cosine", "pearson"])
def test_rows_of_one_direction_are_not_apart(metric):
    """Rounding of 1 − 1 is no distance."""
    X = np.array([[1.4, 0.2], [4.2, 0.6], [1.0, 3.0]])
    assert Space(X, metric, 3.0).between(X[0], X[1]) == 0


@pytest.mark.parametrize("scale", [1.0, 1e200, 1e-200, 1e307, 1e-307])
def test_an_angle_does_not_depend_on_the_unit(scale):
    a, b = np.array([3.0, 4.0, 0.0]), np.array([4.0, 3.0, 0.0])
    assert similarity.cosine(a * scale, b) == pytest.approx(0.96)
    assert similarity.cosine(a * scale, b * scale) == pytest.approx(0.96)
    assert similarity.pearson(a * scale, b * scale) == pytest.approx(np.corrcoef(a, b)[0, 1])
    assert similarity.tanimoto(a * scale, b * scale) == pytest.approx(24 / 26)
    rows = np.array([a, [1.0, 0.0, 0.0]]) * scale
    neighbours = KNeighborsClassifier(1, metric="cosine").fit(rows, [0, 1])
    distances, places = neighbours.kneighbors(b[None] * scale, 2)
    assert distances[0] == pytest.approx([0.04, 0.2])
    assert places[0].tolist() == [0, 1]


def test_a_constant_row_has_no_correlation():
    assert similarity.pearson([0.1, 0.1, 0.1], [1.0, 2.0, 3.0]) == 0


@pytest.mark.parametrize("p", [0, -1, float("nan")])
def test_a_power_that_is_none(p):
    with pytest.raises(ValueError, match="p must be above 0"):
        similarity.minkowski([0, 0], [3, 4], p)
    assert similarity.minkowski([0, 0], [3, 4], float("inf")) == 4
