"""Scales against scikit-learn, SciPy and pandas, samples and groups against their definitions."""

from decimal import Decimal, localcontext
from math import ceil

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
from dmlib.pictures.run import Run
from dmlib.preprocessing import Aggregator, Rescaler, Sampler
from dmlib.preprocessing.transformation.algorithm import METHODS
from dmlib.preprocessing.transformation.allocation import allocate, variance
from dmlib.preprocessing.transformation.ledger import formula
from dmlib.preprocessing.transformation.powers import log_likelihood, power, root
from dmlib.preprocessing.transformation.prepared import prepared_rows
from dmlib.preprocessing.transformation.reference import transformation_reference
from dmlib.preprocessing.transformation.sampling import STRATEGIES
from dmlib.problem import prepare

SLUG = "transformation"
HAND = [[1.0], [2.0], [3.0], [6.0]]


def wine():
    table = load("wine")
    return prepare(table.frame, list(table.numeric), target=table.target)


def random_table(seed, n=40, p=3):
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
        ("range", preprocessing.MinMaxScaler()),
        ("sqrt", preprocessing.FunctionTransformer(np.sqrt)),
        ("exponent", preprocessing.FunctionTransformer(np.square)),
        ("reciprocal", preprocessing.FunctionTransformer(np.reciprocal)),
        ("sin", preprocessing.FunctionTransformer(np.sin)),
        ("box_cox", preprocessing.PowerTransformer("box-cox")),
        ("yeo_johnson", preprocessing.PowerTransformer()),
    ],
)
@given(seed=st.integers(0, 30))
def test_scikit_learn_gives_the_same(scale, theirs, seed):
    X, new = random_table(seed), random_table(seed + 1)
    ours = Rescaler(scale).fit(X)
    np.testing.assert_allclose(ours.transform(new), theirs.fit(X).transform(new), atol=1e-5)


@given(st.lists(st.integers(0, 5), min_size=2, max_size=30))
def test_ranks_of_ties_are_those_of_pandas(values):
    X = np.array(values, float)[:, None]
    expected = (pd.DataFrame(X).rank().to_numpy() - 1) / (len(X) - 1)
    np.testing.assert_allclose(Rescaler("rank").fit_transform(X), expected)
    quantiles = Rescaler("quantile").fit_transform(X)
    np.testing.assert_allclose(quantiles, stats.norm.ppf(expected.clip(1e-7, 1 - 1e-7)), atol=1e-9)


@pytest.mark.parametrize("scale", [name for name in METHODS if name not in ("reciprocal", "sin")])
@given(seed=st.integers(0, 20))
def test_scales_keep_the_order_and_can_be_undone(scale, seed):
    X = random_table(seed)
    ours = Rescaler(scale).fit(X)
    Z = ours.transform(X)
    assert (np.argsort(Z, axis=0) == np.argsort(X, axis=0)).all()
    np.testing.assert_allclose(ours.inverse_transform(Z), X, rtol=1e-4)


@given(st.floats(-2, 3).map(lambda lam: round(lam, 3)), st.integers(0, 20))
def test_powers_and_their_likelihood_are_scipys(lam, seed):
    x = random_table(seed)[:, 0]
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
    shares = Decimal("70.4") / np.array([Decimal(str(value)) for value in FAR])
    exact = -(shares ** Decimal("64.42154699"))
    expected = stats.zscore(exact.astype(float))
    np.testing.assert_allclose(ours.prepared_[:, 0], expected, atol=1e-6)
    np.testing.assert_allclose(ours.inverse_transform(ours.prepared_)[:, 0], FAR, rtol=1e-12)
    mirrored = Rescaler("yeo_johnson").fit(-FAR[:, None])
    plain = Rescaler("yeo_johnson").fit(FAR[:, None])
    assert mirrored.lambdas_ == pytest.approx(2 - plain.lambdas_)
    np.testing.assert_allclose(mirrored.prepared_, -plain.prepared_)
    back = mirrored.inverse_transform(mirrored.prepared_)[:, 0]
    np.testing.assert_allclose(back, -FAR, rtol=1e-12)
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


@pytest.mark.parametrize("strategy", STRATEGIES)
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
        sample = Sampler(strategy, n_rows=3, random_state=seed).fit(X)
        counts += np.bincount(sample.indices_, minlength=10)
    assert stats.chisquare(counts).pvalue > 1e-4


def test_the_largest_remainder_gets_the_last_row():
    # Quotas 1/3, 1/3, 1/3 and 1.
    assert allocate(np.array([1, 1, 1, 3]), 2) == [1, 0, 0, 1]


@given(st.lists(st.integers(1, 50), min_size=1, max_size=6), st.integers(1, 100), st.booleans())
def test_rows_are_allotted_to_classes(counts, size, equal):
    sizes = allocate(np.array(counts), size, equal=equal)
    assert sum(sizes) == min(size, sum(counts))
    assert all(0 <= a <= b for a, b in zip(sizes, counts, strict=True))
    if not equal and size <= sum(counts):
        exact = np.array(counts) / sum(counts) * size
        assert (np.abs(np.array(sizes) - exact) < 1).all()


def test_a_stream_replaces_ever_more_rarely():
    steps = Sampler("reservoir", n_rows=2, random_state=0).steps(np.zeros((8, 1)))
    chances = [step.chance for step in steps if step.phase == "draw"]
    assert chances == pytest.approx([1, 1, 2 / 3, 2 / 4, 2 / 5, 2 / 6, 2 / 7, 2 / 8])


def test_classes_are_needed_where_they_are_asked_for():
    for model in (Sampler("stratified"), Aggregator("class")):
        with pytest.raises(ValueError, match=r"classes\. Choose a table with classes"):
            model.fit([[1.0], [2.0]])


# --- groups ---------------------------------------------------------------------------------------


@given(st.integers(0, 20), st.integers(1, 12), st.sampled_from(["order", "value", "class"]))
def test_within_and_between_add_up(seed, size, by):
    X, y = random_table(seed), np.arange(40) % 4
    model = Aggregator(by, size=size).fit(X, y)
    Z = (X - X.mean(0)) / X.std(0)
    means = pd.DataFrame(Z).groupby(model.labels_).transform("mean").to_numpy()
    between = (means**2).sum() / (Z**2).sum()
    assert model.loss_ + between == pytest.approx(1)
    assert 0 <= model.loss_ <= 1
    np.testing.assert_allclose(model.prepared_, pd.DataFrame(X).groupby(model.labels_).mean())


def test_groups_of_one_lose_nothing():
    assert Aggregator(size=1).fit(random_table(0)).loss_ == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    "model", [Rescaler("min_max"), Sampler(n_rows=4), Aggregator(size=2), Aggregator("class")]
)
def test_the_prepared_table_is_that_of_all_rows(model):
    frame = load("penguins").frame
    problem = prepare(frame, ["bill_length_mm", "body_mass_g"], target="species")
    table = prepared_rows(problem, frame, model)
    rows = frame.dropna(subset=["bill_length_mm", "body_mass_g"])
    mass = table["body_mass_g"]
    assert set(table) == set(frame)
    if isinstance(model, Rescaler):
        assert mass.agg(["min", "max"]).tolist() == [0, 1]
        assert len(table) == len(rows)
    elif isinstance(model, Aggregator):
        assert mass.between(rows["body_mass_g"].min(), rows["body_mass_g"].max()).all()
        assert len(table) == (3 if model.by == "class" else ceil(len(rows) / 2))
    else:
        assert len(table) == 4


def test_columns_on_scales_of_their_own():
    X = random_table(3)
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


@pytest.mark.parametrize("scale", ["none", "quantile", "box_cox"])
def test_the_same_scales_column_by_column_by_libraries(scale):
    run = Run.of(wine(), Rescaler("robust", scales={0: "log", 12: scale}))
    reference = transformation_reference(run)
    names = {"X": run.problem.data, "model": run.fitted}
    exec(reference.code, names)
    for answers in (reference.answer(run), names["reference"]):
        np.testing.assert_allclose(answers.prepared_, run.fitted.prepared_, atol=1e-5)


@pytest.mark.parametrize("model", [Sampler(n_rows=9, random_state=0), Aggregator(size=7)], ids=str)
def test_the_same_rows_and_groups_by_pandas(model):
    run = Run.of(wine(), model)
    reference = transformation_reference(run)
    names = {"X": run.problem.data, "model": run.fitted}
    exec(reference.code, names)
    for answers in (reference.answer(run), names["reference"]):
        np.testing.assert_allclose(answers.prepared_, run.fitted.prepared_)


def test_neymans_allocation_by_hand():
    counts, spread = np.array([600, 300, 100]), np.array([1.0, 2.0, 8.0])  # N S: 600, 600, 800
    assert allocate(counts, 100, weights=counts * spread) == [30, 30, 40]
    # 1600 : 600
    assert allocate(counts, 150, weights=counts * spread * [1, 1, 2.0]) == [32, 32, 86]
    # No class has more than 100 rows to give.
    assert allocate(counts, 300, weights=counts * spread * [1, 1, 10.0]) == [100, 100, 100]
    proportional = variance(counts, spread, [60, 30, 10])
    by_hand = 0.36 * 0.9 / 60 + 0.09 * 0.9 * 4 / 30 + 0.01 * 0.9 * 64 / 10
    assert proportional == pytest.approx(by_hand)
    assert variance(counts, spread, [30, 30, 40]) < proportional


@given(st.integers(0, 50), st.integers(20, 60))
def test_no_other_shares_are_surer_than_neymans(seed, size):
    rng = np.random.default_rng(seed)
    counts, spread = rng.integers(50, 200, 3), rng.uniform(0.5, 3, 3)
    best = variance(counts, spread, allocate(counts, size, weights=counts * spread))
    for _ in range(20):
        sizes = 1 + rng.multinomial(size - 3, rng.dirichlet([1, 1, 1]))
        assert best <= variance(counts, spread, sizes) * 1.06  # sizes are integers


def test_rows_that_cost_more_are_drawn_less():
    X = np.r_[np.tile([0.0, 2.0], 50), np.tile([0.0, 2.0], 50)][:, None]
    y = np.repeat(["far", "near"], 100)
    sample = Sampler("optimal", n_rows=30, costs={"far": 4.0}, random_state=0).fit(X, y)
    assert (y[sample.indices_] == "far").sum() == 10  # 1 / sqrt(4) against 1
    assert (y[Sampler("neyman", n_rows=30, random_state=0).fit(X, y).indices_] == "far").sum() == 15
    for costs in ({"moon": 1.0}, {"far": 0.0}, {"far": float("nan")}):
        with pytest.raises(ValueError, match="cost"):
            Sampler("optimal", costs=costs).fit(X, y)


def test_the_whole_table_has_the_costs_of_its_classes_by_name():
    table = load("breast_cancer")
    problem = prepare(table.frame, list(table.numeric), target=table.target)
    model = Sampler("optimal", n_rows=30, costs={0: 4.0}, random_state=1)
    sample = prepared_rows(problem, table.frame, model)
    assert (sample[table.target] == problem.classes[0]).sum() == 10


@pytest.mark.parametrize("scaling", ["none", "z-score"])
def test_groups_are_added_up(scaling):
    frame = pd.DataFrame({"sales": [1.0, 2, 10, 20, 7], "shop": ["a", "a", "b", "b", "b"]})
    problem = prepare(frame, ["sales"], target="shop", scaling=scaling)
    sums = prepared_rows(problem, frame, Aggregator("class", statistic="sum"))
    assert sums["sales"].tolist() == pytest.approx([3, 37])
    model = Aggregator("order", size=2, statistic="sum").fit(frame[["sales"]])
    assert model.prepared_.ravel().tolist() == [3, 30, 7]
    # What is lost within the groups does not depend on what represents them.
    assert model.loss_ == Aggregator("order", size=2).fit(frame[["sales"]]).loss_
