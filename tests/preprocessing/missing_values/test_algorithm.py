"""Filled cells against R and scikit-learn, Rubin's rules by hand, and tests of missingness."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.utils import get_tags

from dmlib.datasets import load
from dmlib.pictures.run import Run
from dmlib.preprocessing import Imputer, MultipleImputer, make_holes, mcar_report, pool
from dmlib.preprocessing.missing_values.algorithm import _distances
from dmlib.preprocessing.missing_values.patterns import nearest
from dmlib.preprocessing.missing_values.prepared import filled_table
from dmlib.preprocessing.missing_values.reference import missing_values_reference
from dmlib.preprocessing.missing_values.scene import missing_values_scene
from dmlib.problem import prepare

NAN = np.nan
RNG = np.random.RandomState(3)
TABLE = RNG.normal(size=(15, 3)).round(6)  # no ties
TABLE[[1, 6, 9], 1] = TABLE[[2, 11], 0] = TABLE[3, 2] = NAN
STRATEGIES = (
    *("mean", "median", "mode", "sample", "normal", "density"),
    *("knn", "regression", "category"),
)


@pytest.mark.parametrize("k", [1, 2, 3, 9])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_neighbours_as_scikit_learn(k, weights):
    expected = KNNImputer(n_neighbors=k, weights=weights).fit_transform(TABLE)
    model = Imputer("knn", n_neighbors=k, weights=weights)
    np.testing.assert_allclose(model.fit_transform(TABLE), expected)


@pytest.mark.parametrize(
    ("ours", "theirs"), [("mean", "mean"), ("median", "median"), ("mode", "most_frequent")]
)
def test_statistics_as_scikit_learn(ours, theirs):
    expected = SimpleImputer(strategy=theirs).fit_transform(TABLE)
    np.testing.assert_allclose(Imputer(ours).fit_transform(TABLE), expected)


def test_regression_over_complete_rows():
    line = stats.linregress([1.0, 2, 4], [2.0, 3, 9])
    filled = Imputer("regression").fit_transform([[1, 2], [2, 3], [4, 9], [3, NAN], [NAN, 5]])
    assert filled[3, 1] == pytest.approx(line.intercept + 3 * line.slope)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", ["penguins", "airquality"])
def test_mixed_tables_have_no_hole_left(strategy, name):
    frame = load(name).frame
    model = Imputer(strategy).fit(frame)
    filled = pd.DataFrame(model.transform(frame), columns=model.get_feature_names_out())
    assert not filled.isna().any().any()
    for column in frame:
        is_known = frame[column].notna()
        assert (filled.loc[is_known, column] == frame.loc[is_known, column]).all()


@given(st.integers(0, 1000), st.sampled_from(STRATEGIES))
def test_known_cells_stay(seed, strategy):
    rng = np.random.RandomState(seed)
    X = rng.normal(size=(12, 3))
    holes = rng.random_sample(X.shape) < 0.3
    holes[0] = False
    filled = Imputer(strategy).fit_transform(np.where(holes, NAN, X))[:, :3]
    assert np.isfinite(filled).all()
    assert (filled[~holes] == X[~holes]).all()


def test_steps_fill_what_transform_fills():
    for strategy in STRATEGIES:
        filled = Imputer(strategy).fit_transform(TABLE)
        steps = [step for step in Imputer(strategy).steps(TABLE) if step.row >= 0]
        assert len(steps) == np.isnan(TABLE).sum()
        assert all(step.value == pytest.approx(filled[step.row, step.column]) for step in steps)


def test_category_and_drop():
    frame = pd.DataFrame({"sky": ["sun", None, "rain"], "wind": [3.0, 5.0, None]})
    model = Imputer("category").fit(frame)
    assert model.get_feature_names_out().tolist() == ["sky", "wind", "wind_missing"]
    assert model.transform(frame)["sky"].tolist() == ["sun", "missing", "rain"]
    assert len(Imputer("drop").fit_transform(frame)) == 1


@pytest.mark.parametrize(
    ("table", "strategy", "words"),
    [
        ([[NAN, 1.0], [NAN, 2.0]], "mean", "has no value"),
        ([[NAN, 1.0], [2.0, NAN]], "drop", "Impute the missing values"),
    ],
)
def test_bad_tables_say_the_way_out(table, strategy, words):
    with pytest.raises(ValueError, match=words):
        Imputer(strategy).fit(table)


def test_rubins_rules_by_hand():
    pooled = pool([10, 12, 14], [1, 2, 3])
    assert (pooled.estimate, pooled.within, pooled.between) == (12, 2, 4)
    assert pooled.total == pytest.approx(2 + 4 / 3 * 4)
    assert pooled.dof == pytest.approx(2 * (1 + 2 / (16 / 3)) ** 2)


def test_chained_equations_find_the_truth():
    rng = np.random.RandomState(0)
    x = rng.normal(size=800)
    X = np.column_stack([x, 2 * x + rng.normal(size=800)])
    pooled = MultipleImputer(8).fit(make_holes(X, "MAR", 0.4)).pooled_[1]
    assert abs(pooled.estimate - X[:, 1].mean()) < 3 * np.sqrt(pooled.total)
    assert np.nanmean(make_holes(X, "MAR", 0.4)[:, 1]) < X[:, 1].mean() - 0.4
    assert pooled.total > pooled.within


def test_little_accepts_chance_and_refuses_a_reason():
    rng = np.random.RandomState(1)
    x = rng.normal(size=500)
    X = np.column_stack([x, x + rng.normal(size=500)])
    assert mcar_report(make_holes(X, "MCAR")).p_value > 0.05
    report = mcar_report(make_holes(X, "MAR"))
    assert report.p_value < 1e-6
    is_hole = np.isnan(make_holes(X, "MAR")[:, 1])
    expected = stats.ttest_ind(x[is_hole], x[~is_hole], equal_var=False)
    assert report.tests["statistic"][0] == pytest.approx(expected.statistic)


def test_little_of_airquality_as_r_says():
    """R's naniar::mcar_test(airquality): 35.1, 14 degrees of freedom, p = 0.00142."""
    report = mcar_report(load("airquality").frame)
    assert (round(report.statistic, 1), report.dof, round(report.p_value, 5)) == (35.1, 14, 0.00142)


def test_littles_statistic_of_two_patterns_by_hand():
    """With one incomplete column the estimates have a closed form (Anderson 1957)."""
    x, y = np.array([1.0, 2, 3, 4, 9, 10]), np.array([2.0, 3, 5, 4, NAN, NAN])
    is_complete = ~np.isnan(y)
    # The regression on x makes the other column of the pattern fit.
    first = 4 * (x[is_complete].mean() - x.mean()) ** 2 / x.var()
    second = 2 * (x[~is_complete].mean() - x.mean()) ** 2 / x.var()
    report = mcar_report(np.column_stack([x, y]))
    assert (report.statistic, report.dof) == (pytest.approx(first + second, rel=1e-5), 1)


def test_results_of_r():
    case = json.loads((Path(__file__).parents[2] / "golden/missing_values.json").read_text())
    X = np.array(case["table"], float)
    holes, expected = np.isnan(X), case["expected"]
    for name, model in {
        "knn2_mean": Imputer("knn", n_neighbors=2),
        "knn2_inverse_distance": Imputer("knn", n_neighbors=2, weights="distance"),
        "knn3_mean": Imputer("knn", n_neighbors=3),
    }.items():
        np.testing.assert_allclose(model.fit_transform(X)[holes], expected[name], rtol=1e-8)
    np.testing.assert_allclose(Imputer("mean").fit(X).statistics_, expected["column_means"])
    np.testing.assert_allclose(Imputer("median").fit(X).statistics_, expected["column_medians"])
    filled = Imputer("regression").fit_transform(X[:, :2])[[1, 6], 1]
    by_regression = expected["regression_b_from_a_complete_pairs"]["filled_b_rows_2_7"]
    np.testing.assert_allclose(filled, by_regression)


def test_draws_spread_as_mice_says():
    """A drawn value is t-distributed around the regression, as in ``mice.impute.norm``.

    With n rows, p coefficients: variance s² (1 + x' (X'X)⁻¹ x) (n − p) / (n − p − 2).
    """
    rng = np.random.default_rng(0)
    x = rng.normal(size=40)
    y = 1 + 2 * x + rng.normal(size=40)
    table = np.column_stack([x, y])
    table[0, 1] = np.nan
    draws = MultipleImputer(1000, max_iter=1).fit(table).imputations_[:, 0, 1]
    X = np.column_stack([np.ones(39), x[1:]])
    inverse = np.linalg.inv(X.T @ X)
    beta = inverse @ X.T @ y[1:]
    s2 = ((y[1:] - X @ beta) ** 2).sum() / 37
    at = np.array([1, x[0]])
    expected = s2 * (1 + at @ inverse @ at) * 37 / 35
    assert draws.mean() == pytest.approx(at @ beta, abs=4 * np.sqrt(expected / 1000))
    assert draws.var(ddof=1) == pytest.approx(expected, rel=0.15)


def test_rubins_rules_of_the_imputer_are_those_of_its_tables():
    rng = np.random.default_rng(1)
    table = rng.normal(size=(30, 2))
    table[:8, 1] = np.nan
    model = MultipleImputer(4, max_iter=2).fit(table)
    q = [t[:, 1].mean() for t in model.imputations_]
    u = [t[:, 1].var(ddof=1) / 30 for t in model.imputations_]
    pooled = model.pooled_[1]
    between = sum((each - sum(q) / 4) ** 2 for each in q) / 3
    assert pooled.estimate == pytest.approx(sum(q) / 4)
    assert pooled.within == pytest.approx(sum(u) / 4)
    assert pooled.between == pytest.approx(between)
    assert pooled.total == pytest.approx(sum(u) / 4 + 1.25 * between)
    share = 1.25 * between / pooled.total
    # mice: barnard.rubin(m, b, t, dfcom = 29)
    rubin, observed = 3 / share**2, 30 / 32 * 29 * (1 - share)
    assert pooled.dof == pytest.approx(rubin * observed / (rubin + observed))
    half = stats.t.ppf(0.975, pooled.dof) * np.sqrt(pooled.total)
    assert pooled.interval() == pytest.approx((pooled.estimate - half, pooled.estimate + half))


def test_the_information_that_is_missing_by_hand():
    """``mice::pool.scalar``: r = (1 + 1/m) b / ubar, fmi = (r + 2 / (df + 3)) / (r + 1)."""
    pooled = pool([10, 12, 14], [1, 2, 3])  # W = 2, (1 + 1/3) B = 16/3
    assert pooled.increase == pytest.approx(8 / 3)
    dof = 2 / (16 / 22) ** 2
    assert pooled.missing_information == pytest.approx((8 / 3 + 2 / (dof + 3)) / (8 / 3 + 1))
    sure = pool([5, 5], [1, 3], complete_dof=10)
    assert (sure.total, sure.increase) == (2, 0)
    assert sure.dof == pytest.approx(10 * 11 / 13)
    assert pool([1, 2], [0, 0], complete_dof=10).missing_information == 1


@given(st.integers(0, 20))
def test_norm_predict_ends_where_scikit_learns_chains_end(seed):
    """Without draws all chains come to the same table, as mice's norm.predict: B is 0."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3)) @ rng.normal(size=(3, 3)) + 0.5 * rng.normal(size=(60, 3))
    X[rng.random(X.shape) < 0.1] = np.nan
    ours = MultipleImputer(2, max_iter=300, method="norm.predict").fit(X)
    theirs = IterativeImputer(
        LinearRegression(), max_iter=300, tol=1e-10, imputation_order="roman"
    ).fit_transform(X)
    np.testing.assert_allclose(ours.imputations_[0], theirs, atol=1e-5)
    np.testing.assert_allclose(ours.imputations_[1], theirs, atol=1e-5)
    assert all(pooled.between < 1e-8 for pooled in ours.pooled_)


def test_a_line_is_continued_by_hand():
    X = [[1.0, 2.1], [2.0, 3.9], [3.0, 6.2], [4.0, 7.8], [5.0, NAN]]
    filled = MultipleImputer(2, max_iter=1, method="norm.predict").fit_transform(X)
    assert filled[:, 4, 1] == pytest.approx(9.85)  # 5 + 1.94 (x - 2.5)
    draws = MultipleImputer(800, max_iter=1, method="norm.nob").fit_transform(X)[:, 4, 1]
    variance = sum((y - 5 - 1.94 * (x - 2.5)) ** 2 for x, y in X[:4]) / 2
    assert draws.mean() == pytest.approx(9.85, abs=4 * np.sqrt(variance / 800))
    # The coefficients are not drawn.
    assert draws.var(ddof=1) == pytest.approx(variance, rel=0.2)


@given(st.integers(0, 50), st.booleans(), st.integers(1, 6))
def test_trees_find_the_neighbours_that_all_distances_find(seed, names, k):
    rng = np.random.default_rng(seed)
    rows, candidates = (
        np.where(rng.random((n, 4)) < 0.25, NAN, rng.normal(size=(n, 4))) for n in (12, 40)
    )
    nominal = np.array([False, False, False, names])
    if names:
        for table in (rows, candidates):
            table[:, 3] = np.where(np.isnan(table[:, 3]), NAN, rng.integers(0, 3, len(table)))
    places, lengths = nearest(rows, candidates, nominal, k)
    distances = _distances(rows, candidates, nominal)
    expected = np.sort(distances, axis=1)[:, :k]
    np.testing.assert_allclose(lengths, expected, atol=1e-9)
    is_finite = np.isfinite(lengths)
    by_place = np.take_along_axis(distances, places, axis=1)
    np.testing.assert_allclose(by_place[is_finite], lengths[is_finite], atol=1e-9)


def test_a_large_table_is_filled_exactly():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(20_000, 3)), columns=list("abc"))
    frame["d"] = rng.choice(["x", "y"], 20_000)
    frame.loc[rng.random(20_000) < 0.1, "b"] = np.nan
    problem = prepare(frame.iloc[:200], list("abcd"), holes="keep")
    filled = filled_table(problem, frame, Imputer("knn"))
    assert filled.notna().all(axis=None)
    assert "note" not in filled.attrs
    row = int(np.flatnonzero(frame["b"].isna())[7])
    squares = ((frame[["a", "c"]] - frame.loc[row, ["a", "c"]]) ** 2).sum(axis=1)
    squares += frame["d"] != frame["d"][row]
    neighbors = squares[frame["b"].notna()].nsmallest(5).index
    assert filled["b"][row] == pytest.approx(frame["b"][neighbors].mean())


def test_a_large_table_says_among_how_many_rows_neighbours_were_sought():
    rng = np.random.default_rng(0)
    names = [f"x{j}" for j in range(14)]
    frame = pd.DataFrame(rng.normal(size=(20_000, 14)), columns=names)
    frame.loc[rng.random(20_000) < 0.1, "x1"] = np.nan
    problem = prepare(frame.iloc[:200], names, holes="keep")
    filled = filled_table(problem, frame, Imputer("knn"))
    assert filled.notna().all(axis=None)
    note = r"Neighbours were sought among [\d,]+ evenly spaced of 20,000 rows\."
    assert re.fullmatch(note, filled.attrs["note"])
    assert "note" not in filled_table(problem, frame.iloc[:500], Imputer("knn")).attrs


def test_numbers_that_cannot_be_squared_are_refused():
    with pytest.raises(ValueError, match="cannot be squared"):
        MultipleImputer().fit([[1e200, np.nan], [-1e200, 2.0], [3e200, 1.0]])


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_a_row_that_shares_no_column_gets_the_mean_and_the_page_says_so(weights):
    table = np.array([[1.0, 2.0, NAN], [3.0, 5.0, NAN], [NAN, NAN, 7.0]])
    expected = KNNImputer(n_neighbors=1, weights=weights).fit_transform(table)
    model = Imputer("knn", n_neighbors=1, weights=weights)
    np.testing.assert_allclose(model.fit_transform(table), expected)
    assert expected[2].tolist() == [2.0, 3.5, 7.0]
    steps = [step for step in model.steps(table) if step.row == 2]
    assert np.isinf([step.distances for step in steps]).all()
    frame = pd.DataFrame(table, columns=["a", "b", "c"])
    run = Run.of(prepare(frame, ["a", "b", "c"], holes="keep"), model)
    captions = " ".join(frame.caption for frame in missing_values_scene(run).frames)
    assert "the mean of a: no row that knows it shares a known column" in captions
    assert "shares no known column" in " ".join((Imputer.__doc__ or "").split())


def test_tables_with_holes_and_names_are_what_both_imputers_say_they_take():
    for model in (Imputer(), MultipleImputer()):
        tags = get_tags(model).input_tags
        assert tags.allow_nan
        assert tags.string
        assert tags.categorical


@pytest.mark.parametrize("strategy", ["mean", "median", "mode", "knn"])
def test_the_reference_and_its_code_fill_the_same(strategy):
    frame = pd.DataFrame(TABLE, columns=list("abc"))
    run = Run.of(prepare(frame, list("abc"), holes="keep"), Imputer(strategy, n_neighbors=3))
    reference = missing_values_reference(run)
    names = {"X": run.problem.data}
    exec(reference.code, names)
    for model in (reference.answer(run), names["reference"]):
        np.testing.assert_allclose(model.transform(TABLE), run.fitted.transform(TABLE))
