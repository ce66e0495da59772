"""Scales against scikit-learn, SciPy and pandas, samples against what they promise, groups against their variance."""

from decimal import Decimal, localcontext

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn import preprocessing
from sklearn.exceptions import NotFittedError

from dmlib.comparison import Incomparable
from dmlib.datasets import load
from dmlib.pictures.marks import NO_CLASS
from dmlib.pictures.run import Run
from dmlib.preprocessing import Aggregator, Rescaler, Sampler
from dmlib.preprocessing.transformation.algorithm import METHODS
from dmlib.preprocessing.transformation.allocation import allocate, variance
from dmlib.preprocessing.transformation.figures.effects import (
    effects,
    effects_data,
    outlier_strips,
    training_rows,
)
from dmlib.preprocessing.transformation.ledger import formula
from dmlib.preprocessing.transformation.powers import log_likelihood, power, root
from dmlib.preprocessing.transformation.reference import prepared_rows, transformation_reference
from dmlib.preprocessing.transformation.sampling import WAYS
from dmlib.problem import prepare
from tests.visit import stage, visit
from ui.adopt import link_of
from ui.presets import presets

SLUG = "transformation"
HAND = [[1.0], [2.0], [3.0], [6.0]]


def wine():
    table = load("wine")
    return prepare(table.frame, list(table.numeric), target=table.target)


def some(seed, n=40, p=3):
    return np.random.default_rng(seed).lognormal(size=(n, p))


@pytest.mark.parametrize(
    ("scale", "value"),
    [
        ("min_max", 0.4),
        ("z_score", 0.0),
        ("robust", 0.25),
        ("max_abs", 0.5),
        ("rank", 2 / 3),
        ("log", np.log(3)),
    ],
)
def test_the_value_three_by_hand(scale, value):
    assert Rescaler(scale).fit_transform(HAND)[2, 0] == pytest.approx(value)


@pytest.mark.parametrize(
    ("scale", "theirs"),
    [
        ("min_max", preprocessing.MinMaxScaler()),
        ("z_score", preprocessing.StandardScaler()),
        ("robust", preprocessing.RobustScaler()),
        ("max_abs", preprocessing.MaxAbsScaler()),
        ("box_cox", preprocessing.PowerTransformer("box-cox")),
        ("yeo_johnson", preprocessing.PowerTransformer()),
    ],
)
@given(seed=st.integers(0, 30))
def test_scikit_learn_gives_the_same(scale, theirs, seed):
    X, new = some(seed), some(seed + 1)
    ours = Rescaler(scale).fit(X)
    np.testing.assert_allclose(ours.transform(new), theirs.fit(X).transform(new), atol=1e-5)


@given(st.lists(st.integers(0, 5), min_size=2, max_size=30))
def test_ranks_of_ties_are_those_of_pandas(values):
    X = np.array(values, float)[:, None]
    expected = (pd.DataFrame(X).rank().to_numpy() - 1) / (len(X) - 1)
    np.testing.assert_allclose(Rescaler("rank").fit_transform(X), expected)
    quantiles = Rescaler("quantile").fit_transform(X)
    np.testing.assert_allclose(quantiles, stats.norm.ppf(expected.clip(1e-7, 1 - 1e-7)), atol=1e-9)


@pytest.mark.parametrize("scale", METHODS)
@given(seed=st.integers(0, 20))
def test_scales_keep_the_order_and_can_be_undone(scale, seed):
    X = some(seed)
    ours = Rescaler(scale).fit(X)
    Z = ours.transform(X)
    assert (np.argsort(Z, axis=0) == np.argsort(X, axis=0)).all()
    np.testing.assert_allclose(ours.inverse_transform(Z), X, rtol=1e-4)


@given(st.floats(-2, 3).map(lambda lam: round(lam, 3)), st.integers(0, 20))
def test_powers_and_their_likelihood_are_scipys(lam, seed):
    x = some(seed)[:, 0]
    np.testing.assert_allclose(power(x, lam, "box_cox"), stats.boxcox(x, lam), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(root(power(x, lam, "box_cox"), lam, "box_cox"), x, rtol=1e-6)
    assert log_likelihood(x, lam, "box_cox") == pytest.approx(stats.boxcox_llf(lam, x))
    z = x - x.mean()
    np.testing.assert_allclose(
        power(z, lam, "yeo_johnson"), stats.yeojohnson(z, lam), rtol=1e-9, atol=1e-9
    )
    assert log_likelihood(z, lam, "yeo_johnson") == pytest.approx(stats.yeojohnson_llf(lam, z))


FAR = np.array([70.1, 70.2, 70.2, 70.4, 70.9, 71.5, 73.0])  # far from 0 for its spread


def exact_likelihood(x, lam, offset):
    """Return the log-likelihood of a power of x + offset with 80 digits."""
    with localcontext() as context:
        context.prec = 80
        power = Decimal(float(lam))
        logs = [(Decimal(float(value)) + offset).ln() for value in x]
        scaled = [(power * (log - logs[0])).exp() / power for log in logs]
        mean = sum(scaled) / len(x)
        variance = sum((each - mean) ** 2 for each in scaled) / len(x)
        return float(-len(x) * (variance.ln() / 2 + power * logs[0]) + (power - 1) * sum(logs))


@pytest.mark.parametrize("moved", [0.0, 1e4, 1e8, 1e12])
@pytest.mark.parametrize(("scale", "offset"), [("box_cox", 0), ("yeo_johnson", 1)])
def test_the_power_of_a_column_far_from_zero_has_the_greatest_likelihood(scale, offset, moved):
    x = np.round((FAR - 70) * 10) + 60 + moved
    lam = Rescaler(scale).fit(x[:, None]).lambdas_[0]
    best = exact_likelihood(x, lam, offset)
    assert log_likelihood(x, lam, scale) == pytest.approx(best, rel=1e-9)
    assert all(exact_likelihood(x, lam * factor, offset) < best for factor in (0.999, 1.001))


def test_a_column_far_from_zero_is_scaled_by_its_power_and_back():
    ours = Rescaler("box_cox").fit(FAR[:, None])
    assert ours.lambdas_ == pytest.approx(-64.42, abs=0.005)
    exact = -(
        (Decimal("70.4") / np.array([Decimal(str(value)) for value in FAR]))
        ** Decimal("64.42154699")
    )
    expected = stats.zscore(exact.astype(float))
    np.testing.assert_allclose(ours.prepared_[:, 0], expected, atol=1e-6)
    np.testing.assert_allclose(ours.inverse_transform(ours.prepared_)[:, 0], FAR, rtol=1e-12)
    mirrored = Rescaler("yeo_johnson").fit(-FAR[:, None])
    plain = Rescaler("yeo_johnson").fit(FAR[:, None])
    assert mirrored.lambdas_ == pytest.approx(2 - plain.lambdas_)
    np.testing.assert_allclose(mirrored.prepared_, -plain.prepared_)
    np.testing.assert_allclose(
        mirrored.inverse_transform(mirrored.prepared_)[:, 0], -FAR, rtol=1e-12
    )
    new = np.array([[-2.0], [0.0], [65.0], [70.0], [80.0]])
    scaled = plain.transform(new)
    assert (np.diff(scaled, axis=0) > 0).all()
    np.testing.assert_allclose(plain.inverse_transform(scaled), new, rtol=1e-9, atol=1e-9)


def test_the_ledger_names_what_a_column_far_from_zero_is_divided_by():
    for scale, word in (
        ("box_cox", "((x / 70.4)^λ − 1) / λ"),
        ("yeo_johnson", "(((x + 1) / 71.4)^λ − 1) / λ"),
    ):
        step = list(Rescaler(scale).steps(FAR[:, None]))[1]
        assert word in formula(scale, step, 70.1, 0.0)


def test_a_column_far_from_zero_is_not_compared_with_powers_that_lose_its_digits():
    frame = pd.DataFrame({"x": FAR})
    run = Run.of(prepare(frame, ["x"]), Rescaler("box_cox"))
    with pytest.raises(Incomparable, match="keep no digits"):
        transformation_reference(run)


def test_a_column_that_rounding_alone_varies_has_no_spread_and_no_skewness():
    X = np.column_stack([np.full(10, 0.1), np.arange(10.0)])
    ours = Rescaler("none").fit(X)
    assert ours.spread_ratio_ == 1.0
    assert ours.skewness_ == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("scale", METHODS)
def test_constant_columns_stay_finite(scale):
    Z = Rescaler(scale).fit_transform([[3.0, 1.0], [3.0, 2.0], [3.0, 4.0]])
    assert np.isfinite(Z).all()


@pytest.mark.parametrize("scale", ["log", "box_cox"])
def test_what_is_not_positive_is_refused_with_a_way_out(scale):
    frame = pd.DataFrame({"size": [1.0, 2.0], "change": [3.0, -1.0]})
    with pytest.raises(ValueError, match=r"column change holds -1\. Give the column another scale"):
        Rescaler(scale).fit(frame)
    with pytest.raises(NotFittedError):
        Rescaler(scale).transform(frame)


# --- samples --------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", WAYS)
@given(n=st.integers(2, 40), size=st.integers(1, 60), seed=st.integers(0, 20))
def test_a_sample_has_its_size_and_rows_of_the_table(strategy, n, size, seed):
    X, y = np.arange(float(n))[:, None], np.arange(n) % 3
    sample = Sampler(strategy, n_rows=size, random_state=seed).fit(X, y)
    if strategy != "progressive":
        assert sample.n_rows_ == min(n, size)
    if strategy != "replacement":
        assert len(set(sample.indices_)) == sample.n_rows_
    np.testing.assert_array_equal(sample.prepared_, X[sample.indices_])


@pytest.mark.parametrize("strategy", ["random", "replacement", "systematic", "reservoir"])
def test_each_row_is_as_likely_as_any(strategy):
    X, counts = np.zeros((10, 1)), np.zeros(10)
    for seed in range(3000):
        counts += np.bincount(
            Sampler(strategy, n_rows=3, random_state=seed).fit(X).indices_, minlength=10
        )
    assert stats.chisquare(counts).pvalue > 1e-4


@given(st.lists(st.integers(1, 50), min_size=1, max_size=6), st.integers(1, 100), st.booleans())
def test_rows_are_allotted_to_classes(counts, size, equal):
    wanted = allocate(np.array(counts), size, equal=equal)
    assert sum(wanted) == min(size, sum(counts))
    assert all(0 <= a <= b for a, b in zip(wanted, counts, strict=True))
    if not equal and size <= sum(counts):
        exact = np.array(counts) / sum(counts) * size
        assert (np.abs(np.array(wanted) - exact) < 1).all()


def test_a_stream_replaces_ever_more_rarely():
    steps = [
        step
        for step in Sampler("reservoir", n_rows=2, random_state=0).steps(np.zeros((8, 1)))
        if step.phase == "draw"
    ]
    assert [step.chance for step in steps] == pytest.approx(
        [1, 1, 2 / 3, 2 / 4, 2 / 5, 2 / 6, 2 / 7, 2 / 8]
    )


def test_classes_are_needed_where_they_are_asked_for():
    for model in (Sampler("stratified"), Aggregator("class")):
        with pytest.raises(ValueError, match=r"classes\. Choose a table with classes"):
            model.fit([[1.0], [2.0]])


# --- groups ---------------------------------------------------------------------------------------


@given(st.integers(0, 20), st.integers(1, 12), st.sampled_from(["order", "value", "class"]))
def test_within_and_between_add_up(seed, size, by):
    X, y = some(seed), np.arange(40) % 4
    made = Aggregator(by, size=size).fit(X, y)
    Z = (X - X.mean(0)) / X.std(0)
    between = (pd.DataFrame(Z).groupby(made.labels_).transform("mean").to_numpy() ** 2).sum() / (
        Z**2
    ).sum()
    assert made.loss_ + between == pytest.approx(1)
    assert 0 <= made.loss_ <= 1
    np.testing.assert_allclose(made.prepared_, pd.DataFrame(X).groupby(made.labels_).mean())


def test_groups_of_one_lose_nothing():
    assert Aggregator(size=1).fit(some(0)).loss_ == pytest.approx(0, abs=1e-12)


# --- the page -------------------------------------------------------------------------------------


def frames(title, **more):
    (preset,) = (preset for preset in presets(SLUG) if preset.title == title)
    return stage(visit(SLUG, **{**link_of(SLUG, preset), **more}))


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("Thirteen columns of wine", "all columns have the same spread"),
        ("Each class has its share", "30 rows of 178"),
        ("Grow until the error stays", "320 rows of 569"),
        ("Five rows become one", "36 rows represent all, 63.0 % of the variance is lost"),
    ],
)
def test_a_preset_shows_what_it_says(title, says):
    assert says in frames(title)["frames"][-1]["caption"]


def test_an_outlier_leaves_the_rows_a_fifth():
    assert any(
        "keep 20 % of the width" in note for note in frames("An outlier squeezes the rest")["notes"]
    )
    ranks = frames("An outlier squeezes the rest", **{f"{SLUG}.scale": "rank"})["notes"]
    assert any("keep 98 % of the width" in note for note in ranks)


def test_what_the_presets_say_of_wine_and_arrests():
    data = effects_data(Run.of(wine(), Rescaler()))
    assert [round(100 * error) for error in data.errors] == [31, 4]
    assert round(100 * data.largest[0], 2) == 99.96
    problem = wine()
    assert round((problem.X.std(0).max() / problem.X.std(0).min()), 0) == 2530
    table = load("us_arrests")
    arrests = table.frame[list(table.numeric)].to_numpy(float)
    assert round(Rescaler("box_cox").fit(arrests).lambdas_[0], 2) == 0.49
    assert [
        round(Rescaler(scale).fit(arrests).skewness_, 2) for scale in ("z_score", "box_cox")
    ] == [0.78, 0.11]


def test_the_figures_show_their_numbers():
    run = Run.of(wine(), Rescaler("min_max"))
    assert "error of 5 neighbours 31 %" in effects(run).layout.annotations[0].text
    assert "min-max" in outlier_strips(run).layout.title.text.replace("<br>", " ")
    figure = training_rows(run)
    assert max(figure.data[0].x) == pytest.approx(1)
    assert max(figure.data[1].x) > 1


@pytest.mark.parametrize(
    "model", [Rescaler("min_max"), Sampler(n_rows=4), Aggregator(size=2), Aggregator("class")]
)
def test_the_prepared_table_is_that_of_all_rows(model):
    frame = load("penguins").frame
    problem = prepare(frame, ["bill_length_mm", "body_mass_g"], target="species")
    made = prepared_rows(problem, frame, model)
    rows = frame.dropna(subset=["bill_length_mm", "body_mass_g"])
    assert set(made) == set(frame)
    if isinstance(model, Rescaler):
        assert made["body_mass_g"].agg(["min", "max"]).tolist() == [0, 1]
        assert len(made) == len(rows)
    elif isinstance(model, Aggregator):
        assert (
            made["body_mass_g"].between(rows["body_mass_g"].min(), rows["body_mass_g"].max()).all()
        )
        assert len(made) == (3 if model.by == "class" else -(-len(rows) // 2))
    else:
        assert len(made) == 4


def test_columns_on_scales_of_their_own():
    X = some(3)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    ours = Rescaler("z_score", scales={"b": "log", "c": "quantile"}).fit(frame)
    parts = [Rescaler(scale).fit_transform(X[:, [j]]) for j, scale in enumerate(ours.methods_)]
    np.testing.assert_allclose(ours.transform(frame), np.hstack(parts))
    np.testing.assert_allclose(ours.inverse_transform(ours.transform(frame)), X, rtol=1e-4)
    assert ours.methods_ == Rescaler("z_score", scales={1: "log", 2: "quantile"}).fit(X).methods_
    with pytest.raises(ValueError, match="scales must name columns"):
        Rescaler(scales={"d": "log"}).fit(frame)
    with pytest.raises(ValueError, match="The scale of 'a' must be one of"):
        Rescaler(scales={"a": "cubic"}).fit(frame)


def test_only_columns_that_take_logarithms_must_be_positive():
    frame = pd.DataFrame({"size": [1.0, 2.0], "change": [3.0, -1.0]})
    assert Rescaler("log", scales={"change": "none"}).fit_transform(frame)[:, 1].tolist() == [3, -1]


def test_a_page_tells_the_column_by_its_name_and_gives_it_another_scale():
    link = {"source": "library", "data": "us_arrests", "transformation.scale": "log"}
    assert "Done" in stage(visit(SLUG, **link))["frames"][-1]["caption"]
    scaled = {**link, "scaling": "z-score"}
    assert "column 'urban_pop' holds -2" in stage(visit(SLUG, **scaled))["frames"][-1]["caption"]
    others = {f"transformation.scales.{name}": "yeo_johnson" for name in load("us_arrests").numeric}
    assert (
        "4 columns on a scale of their own"
        in stage(visit(SLUG, **scaled, **others))["frames"][-1]["caption"]
    )


@pytest.mark.parametrize("scale", ["none", "quantile", "box_cox"])
def test_the_same_scales_column_by_column_by_libraries(scale):
    run = Run.of(wine(), Rescaler("robust", scales={0: "log", 12: scale}))
    answers = transformation_reference(run)
    np.testing.assert_allclose(answers.values["prepared_"], run.fitted.prepared_, atol=1e-5)


def test_a_preset_has_a_column_of_its_own():
    (preset,) = (each for each in presets(SLUG) if each.title == "One column on a scale of its own")
    told = stage(visit(SLUG, **link_of(SLUG, preset)))["frames"]
    assert "one column on a scale of its own" in told[-1]["caption"]


def test_neymans_allocation_by_hand():
    counts, spread = np.array([600, 300, 100]), np.array([1.0, 2.0, 8.0])  # N S: 600, 600, 800
    assert allocate(counts, 100, weights=counts * spread) == [30, 30, 40]
    assert allocate(counts, 150, weights=counts * spread * [1, 1, 2.0]) == [
        32,
        32,
        86,
    ]  # 800 : 600 = 1600 : 600
    assert allocate(counts, 300, weights=counts * spread * [1, 1, 10.0]) == [
        100,
        100,
        100,
    ]  # no class has more
    proportional = variance(counts, spread, [60, 30, 10])
    assert proportional == pytest.approx(
        0.36 * 0.9 / 60 + 0.09 * 0.9 * 4 / 30 + 0.01 * 0.9 * 64 / 10
    )
    assert variance(counts, spread, [30, 30, 40]) < proportional


@given(st.integers(0, 50), st.integers(20, 60))
def test_no_other_shares_are_surer_than_neymans(seed, size):
    rng = np.random.default_rng(seed)
    counts, spread = rng.integers(50, 200, 3), rng.uniform(0.5, 3, 3)
    best = variance(counts, spread, allocate(counts, size, weights=counts * spread))
    for _ in range(20):
        other = 1 + rng.multinomial(size - 3, rng.dirichlet([1, 1, 1]))
        assert best <= variance(counts, spread, other) * 1.06  # whole rows


def test_rows_that_cost_more_are_drawn_less():
    X = np.r_[np.tile([0.0, 2.0], 50), np.tile([0.0, 2.0], 50)][:, None]
    y = np.repeat(["far", "near"], 100)
    drawn = Sampler("optimal", n_rows=30, costs={"far": 4.0}, random_state=0).fit(X, y)
    assert (y[drawn.indices_] == "far").sum() == 10  # 1 / sqrt(4) against 1
    assert (y[Sampler("neyman", n_rows=30, random_state=0).fit(X, y).indices_] == "far").sum() == 15
    for costs in ({"moon": 1.0}, {"far": 0.0}, {"far": float("nan")}):
        with pytest.raises(ValueError, match="cost"):
            Sampler("optimal", costs=costs).fit(X, y)


def test_the_whole_table_has_the_costs_of_its_classes_by_name():
    table = load("breast_cancer")
    problem = prepare(table.frame, list(table.numeric), target=table.target)
    drawn = prepared_rows(
        problem, table.frame, Sampler("optimal", n_rows=30, costs={0: 4.0}, random_state=1)
    )
    assert (drawn[table.target] == problem.classes[0]).sum() == 10


def test_a_sample_has_a_colour_of_its_own():
    """Colours of classes are taken: all rows are neutral, and the sample has the next one."""
    legend = {key["text"]: key["color"] for key in frames("Each class has its share")["legend"]}
    assert legend == {"all rows": NO_CLASS, "sample": 3}
