"""Naive Bayes against the weather by hand, R, Weka, scikit-learn and Bayes' rule."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from dmlib.classification import NaiveBayes
from dmlib.trace import run

ROOT = Path(__file__).parents[3]
GOLDEN = json.loads((ROOT / "tests/golden/naive_bayes.json").read_text())
QUERY = ["sunny", "cool", "high", "TRUE"]


def weather(kind):
    table = pd.read_csv(ROOT / "assets" / "data" / f"weather_{kind}.csv", dtype={"windy": str})
    return table.drop(columns="play"), table["play"]


def products(model, x):
    """The product of each class, by name."""
    *_, last = model.explain_steps(x)
    return dict(zip(model.classes_, np.exp(last.log_joint), strict=True))


# --- by hand: I. H. Witten, E. Frank and M. A. Hall (2011), Data Mining, section 4.2 --------------


def test_the_weather_by_hand():
    model = NaiveBayes().fit(*weather("nominal"))
    joint = products(model, QUERY)
    assert joint["yes"] == pytest.approx(2 / 9 * 3 / 9 * 3 / 9 * 3 / 9 * 9 / 14, rel=1e-12)
    assert joint["no"] == pytest.approx(3 / 5 * 1 / 5 * 4 / 5 * 3 / 5 * 5 / 14, rel=1e-12)
    row = pd.DataFrame([QUERY], columns=model.feature_names_in_)
    assert_allclose(
        model.predict_proba(row), [[0.795417348608838, 0.20458265139116202]], rtol=1e-12
    )


def test_every_factor_of_the_weather():
    steps = list(NaiveBayes().fit(*weather("nominal")).explain_steps(QUERY))
    assert [step.phase for step in steps] == ["prior", *["multiply"] * 4, "normalise"]
    assert [step.value for step in steps[1:-1]] == QUERY
    assert_allclose(
        [step.factor for step in steps[1:-1]],
        [(3 / 5, 2 / 9), (1 / 5, 3 / 9), (4 / 5, 3 / 9), (3 / 5, 3 / 9)],
    )
    assert_allclose(steps[0].posterior, [5 / 14, 9 / 14])
    assert_allclose(steps[1].posterior, np.array([3, 2]) / 5)  # 5/14 3/5 and 9/14 2/9


def test_a_zero_vetoes_and_laplace_lifts_it():
    table = weather("nominal")
    query = ["overcast", "cool", "high", "TRUE"]
    assert products(NaiveBayes().fit(*table), query)["no"] == 0
    model = NaiveBayes(laplace=1).fit(*table)
    joint = products(model, query)
    assert joint["yes"] == pytest.approx(9 / 14 * 5 / 12 * 4 / 12 * 4 / 11 * 4 / 11, rel=1e-12)
    assert joint["no"] == pytest.approx(5 / 14 * 1 / 8 * 2 / 8 * 5 / 7 * 4 / 7, rel=1e-12)


def test_the_m_estimate_adds_m_rows_in_equal_shares():
    model = NaiveBayes(m_estimate=6).fit(*weather("nominal"))
    outlook = model.tables_[0]
    assert outlook.values == ("overcast", "rainy", "sunny")
    assert_allclose(outlook.probabilities, [[2 / 11, 4 / 11, 5 / 11], [6 / 15, 5 / 15, 4 / 15]])
    assert_array_equal(outlook.counts, [[0, 2, 3], [4, 3, 2]])


def test_numeric_weather_by_hand():
    model = NaiveBayes().fit(*weather("numeric"))
    assert_allclose(model.theta_[:, 1:3], [[74.6, 86.2], [73, 79 + 1 / 9]])
    assert_allclose(np.sqrt(model.var_[1, 1:3]), [6.164414002968976, 10.215728613814635])
    assert np.isnan(model.theta_[:, [0, 3]]).all()
    joint = products(model, ["sunny", 66, 90, "TRUE"])
    assert joint["yes"] == pytest.approx(3.578708382801552e-05, rel=1e-12)
    assert joint["no"] == pytest.approx(0.00013634724439546222, rel=1e-12)


def test_positions_of_a_motif():
    rows = ["ACATCA", "GTATCA", "GCGTCG", "ATGTAG", "GTAGCA", "ACGGCG", "GCAGCA", "ATGGCG"]
    model = NaiveBayes().fit([list(row) for row in rows], ["Red"] * 4 + ["Blue"] * 4)
    chance = {
        (table.name, value, c): table.probabilities[i, v]
        for table in model.tables_
        for v, value in enumerate(table.values)
        for i, c in enumerate(model.classes_)
    }
    assert chance["column 1", "A", "Red"] == 0.5
    assert chance["column 4", "T", "Red"] == chance["column 4", "G", "Blue"] == 1
    assert (chance["column 5", "C", "Red"], chance["column 5", "C", "Blue"]) == (0.75, 1)


def test_tax_cheats():
    """P.-N. Tan, M. Steinbach and V. Kumar (2005), Introduction to Data Mining, section 5.3."""
    refund = ["Yes", "No", "No", "Yes", "No", "No", "Yes", "No", "No", "No"]
    status = [
        "Single",
        "Married",
        "Single",
        "Married",
        "Divorced",
        "Married",
        "Divorced",
        "Single",
        "Married",
        "Single",
    ]
    income = [125, 100, 70, 120, 95, 60, 220, 85, 75, 90]
    evade = ["No", "No", "No", "No", "Yes", "No", "No", "Yes", "No", "Yes"]
    model = NaiveBayes().fit(
        pd.DataFrame({"refund": refund, "status": status, "income": income}), evade
    )
    assert_allclose(model.class_prior_, [0.7, 0.3])
    assert_allclose((model.theta_[:, 2], model.var_[:, 2]), [(110, 90), (2975, 25)])
    assert model.tables_[0].probabilities[0, 1] == pytest.approx(3 / 7)
    assert model.tables_[1].probabilities[1, 2] == pytest.approx(2 / 3)


# --- R, Weka, scikit-learn ------------------------------------------------------------------------


def test_iris_as_in_r():
    golden = GOLDEN["iris_r"]
    X, y = load_iris(return_X_y=True)
    rows = np.array(golden["rows"]) - 1
    for ddof in (0, 1):
        model = NaiveBayes(ddof=ddof).fit(X, y)
        assert_allclose(
            model.predict_proba(X)[rows], golden[f"posterior_ddof{ddof}"], rtol=1e-7, atol=1e-12
        )
        assert_allclose(np.sqrt(model.var_.T), golden[f"sd_ddof{ddof}"], rtol=1e-8)
        assert_allclose(model.theta_.T, golden["mean"])
        confusion = np.zeros((3, 3), int)
        np.add.at(confusion, (y, model.predict(X)), 1)
        assert_array_equal(confusion, golden["confusion"])
    joint = NaiveBayes(ddof=0).fit(X, y).predict_joint_log_proba(X[:5])
    assert_allclose(
        np.logaddexp.reduce(joint, axis=1), golden["log_evidence_ddof0_first5"], rtol=1e-8
    )


def test_laplace_as_in_r():
    golden = GOLDEN["weather_nominal_r"]
    X, y = weather("nominal")
    model = NaiveBayes(laplace=1).fit(X, y)
    assert_allclose(model.predict_proba(X), golden["posterior"], rtol=1e-8, atol=1e-9)
    for table in model.tables_:
        assert list(table.values) == golden["tables"][table.name]["values"]
        assert_allclose(
            table.probabilities, golden["tables"][table.name]["rows_by_class"], rtol=1e-8, atol=1e-9
        )


def test_numeric_weather_as_in_weka():
    golden = GOLDEN["weather_numeric_weka"]
    X, y = weather("numeric")
    model = NaiveBayes(laplace=1, numeric="interval", ddof=0, priors=golden["prior"][::-1]).fit(
        X, y
    )
    assert_allclose(model.predict_proba(X)[:, ::-1], golden["posterior"], rtol=1e-6, atol=1e-9)
    for j, name in ((1, "temperature"), (2, "humidity")):
        assert_allclose(model.theta_[::-1, j], golden[f"{name}_mean"], atol=1e-4)
        assert_allclose(np.sqrt(model.var_[::-1, j]), golden[f"{name}_sd"], atol=1e-4)


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_numbers_as_in_scikit_learn(scale):
    X, y = load_iris(return_X_y=True)
    X = X * scale + 7 * scale
    ours, theirs = NaiveBayes(ddof=0, var_smoothing=1e-9).fit(X, y), GaussianNB().fit(X, y)
    assert_allclose(ours.theta_, theirs.theta_)
    assert_allclose(ours.var_, theirs.var_)
    assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X))
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
    assert_array_equal(NaiveBayes().fit(X, y).predict(X), theirs.predict(X))


def test_weights_and_priors_as_in_scikit_learn():
    X, y = load_iris(return_X_y=True)
    weights = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    ours = NaiveBayes(ddof=0, var_smoothing=1e-9, priors=[0.2, 0.3, 0.5]).fit(X, y, weights)
    theirs = GaussianNB(priors=[0.2, 0.3, 0.5]).fit(X, y, weights)
    assert_allclose(ours.class_prior_, theirs.class_prior_)
    assert_allclose(ours.var_, theirs.var_, rtol=1e-7)
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-7)
    n = weights.astype(int)
    repeated = NaiveBayes(priors=[0.2, 0.3, 0.5]).fit(np.repeat(X, n, 0), np.repeat(y, n))
    assert_allclose(NaiveBayes(priors=[0.2, 0.3, 0.5]).fit(X, y, weights).var_, repeated.var_)


def test_codes_as_in_scikit_learn():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, (60, 3)), rng.integers(0, 3, 60)
    frame = pd.DataFrame(X).astype("category")
    ours, theirs = NaiveBayes(laplace=0.5).fit(frame, y), CategoricalNB(alpha=0.5).fit(X, y)
    assert_allclose(ours.predict_proba(frame), theirs.predict_proba(X))
    for j in range(X.shape[1]):
        assert_allclose(ours.feature_log_prob_[j], theirs.feature_log_prob_[j])
        assert_array_equal(ours.category_count_[j], theirs.category_count_[j])


# --- missing, unseen, degenerate ------------------------------------------------------------------


def test_missing_values_are_skipped_in_learning():
    X, y = weather("numeric")
    holes = X.copy()
    holes.loc[[0, 3], "outlook"] = None
    holes.loc[[1, 4], "humidity"] = np.nan
    model = NaiveBayes(laplace=1).fit(holes, y)
    outlook = X["outlook"].drop([0, 3])
    assert model.tables_[0].counts.sum() == 12
    assert_array_equal(model.tables_[0].counts, pd.crosstab(y.drop([0, 3]), outlook).to_numpy())
    complete = X["humidity"].drop([1, 4]).groupby(y)
    assert_allclose(model.theta_[:, 2], complete.mean())
    assert_allclose(model.var_[:, 2], complete.var(ddof=1))


def test_missing_values_are_skipped_in_classifying():
    X, y = weather("numeric")
    full = NaiveBayes().fit(X, y)
    queries = X.assign(outlook=None, humidity=np.nan)
    part = NaiveBayes().fit(X[["temperature", "windy"]], y)
    assert_allclose(full.predict_proba(queries), part.predict_proba(X[["temperature", "windy"]]))
    phases = [step.phase for step in full.explain_steps([None, 66, np.nan, "TRUE"])]
    assert phases == ["prior", "skip", "multiply", "skip", "multiply", "normalise"]


def test_an_unseen_value_is_skipped():
    X, y = weather("nominal")
    model = NaiveBayes(laplace=1).fit(X, y)
    assert_allclose(
        model.predict_proba(X.assign(outlook="snow")), model.predict_proba(X.assign(outlook=None))
    )
    assert (
        next(
            s for s in model.explain_steps(["snow", "hot", "high", "TRUE"]) if s.phase == "skip"
        ).value
        == "snow"
    )


def test_a_row_without_values_gets_the_prior():
    model = NaiveBayes().fit(*load_iris(return_X_y=True))
    assert_allclose(model.predict_proba(np.full((1, 4), np.nan)), [model.class_prior_])


def test_where_every_product_is_zero_the_posterior_is_the_prior():
    frame = pd.DataFrame({"a": ["x", "x", "y"], "b": ["u", "u", "v"]})
    model = NaiveBayes().fit(frame, [0, 0, 1])
    queries = pd.DataFrame({"a": ["x"], "b": ["v"]})
    assert_array_equal(model.predict_joint_log_proba(queries), [[-np.inf, -np.inf]])
    assert_allclose(model.predict_proba(queries), [[2 / 3, 1 / 3]])
    assert model.predict(queries).tolist() == [0]
    assert_allclose(list(model.explain_steps(["x", "v"]))[-1].posterior, [2 / 3, 1 / 3])


def test_a_class_without_a_known_value_takes_the_column_as_a_whole():
    X = pd.DataFrame({"a": [1.0, 3.0, np.nan], "b": ["u", "v", None]})
    model = NaiveBayes().fit(X, ["p", "p", "q"])
    assert_allclose((model.theta_[1, 0], model.var_[1, 0]), (2, 1))
    assert_allclose(model.tables_[1].probabilities, [[0.5, 0.5], [0.5, 0.5]])


@pytest.mark.parametrize("numeric", ["gaussian", "interval", "discretised"])
def test_constant_empty_and_single_rows_do_no_harm(numeric):
    X = np.column_stack([np.full(5, 0.1), np.full(5, np.nan), [0.0, 0.0, 0.0, 5.0, 9.0]])
    model = NaiveBayes(numeric=numeric).fit(X, [0, 0, 0, 0, 1])
    assert np.isfinite(model.predict_proba(X)).all()
    assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    only = NaiveBayes(numeric=numeric).fit(X[:, [2]], [0, 0, 0, 0, 1])
    assert_allclose(model.predict_proba(X), only.predict_proba(X[:, [2]]), atol=1e-9)


def test_one_class_is_always_right():
    assert NaiveBayes().fit([[1.0], [2.0]], ["a", "a"]).predict_proba([[50.0]]).tolist() == [[1.0]]


def test_far_away_the_products_do_not_underflow():
    X, y = load_iris(return_X_y=True)
    posterior = NaiveBayes().fit(X, y).predict_proba([[1e4, 1e4, 1e4, 1e4], [-1e300, 0, 0, 0]])
    assert_allclose(posterior.sum(axis=1), 1)


def test_declared_categories_count_for_laplace():
    X = pd.DataFrame({"a": pd.Categorical(["u", "u", "v"], categories=["u", "v", "w"])})
    table = NaiveBayes(laplace=1).fit(X, [0, 0, 1]).tables_[0]
    assert table.values == ("u", "v", "w")
    assert_allclose(table.probabilities, [[3 / 5, 1 / 5, 1 / 5], [1 / 4, 2 / 4, 1 / 4]])


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        (
            {"priors": [0.5, 0.25, 0.25]},
            "Number of priors must match number of classes: give 2, not 3",
        ),
        ({"priors": [-0.5, 1.5]}, "Priors must be non-negative"),
        ({"priors": [0.5, 0.6]}, "The sum of the priors should be 1; it is 1.1"),
    ],
)
def test_wrong_priors_are_told(params, sentence):
    with pytest.raises(ValueError, match=sentence):
        NaiveBayes(**params).fit([[0.0], [1.0]], [0, 1])


def test_numbers_too_large_to_square_are_told():
    with pytest.raises(ValueError, match="too large"):
        NaiveBayes().fit([[1e200], [-1e200]], [0, 0])


def test_a_row_of_the_wrong_length_is_told():
    model = NaiveBayes().fit(*load_iris(return_X_y=True))
    with pytest.raises(ValueError, match="one row of 4 values"):
        list(model.explain_steps([1.0, 2.0]))


# --- cutting, steps, invariants -------------------------------------------------------------------


def test_cut_intervals_hold_equally_many_rows():
    X, y = np.arange(12.0)[:, None], np.repeat([0, 1], 6)
    table = NaiveBayes(numeric="discretised", n_bins=4).fit(X, y).tables_[0]
    assert table.counts.tolist() == [[3, 3, 0, 0], [0, 0, 3, 3]]
    assert table.values == ("below 2.75", "2.75 to 5.5", "5.5 to 8.25", "8.25 or more")
    assert table.codes(np.array([2.75, 5.4, np.nan])).tolist() == [1, 1, -1]


def test_few_distinct_values_give_few_intervals():
    X = np.array([0.0] * 9 + [1.0])[:, None]
    assert (
        NaiveBayes(numeric="discretised", n_bins=5).fit(X, [0] * 9 + [1]).tables_[0].counts.shape[1]
        <= 2
    )


def test_steps_learn_one_attribute_at_a_time():
    X, y = weather("numeric")
    steps = run(NaiveBayes(), X, y).steps
    learning = ["prior", "count", "estimate", "estimate", "count"]
    typical = ["prior", "multiply", "multiply", "multiply", "multiply", "normalise"]
    assert [step.phase for step in steps] == [*learning, *typical]
    steps = steps[: len(learning)]
    assert [len(step.tables) for step in steps] == [0, 1, 2, 3, 4]
    assert [step.attribute for step in steps] == [None, 0, 1, 2, 3]
    fitted = NaiveBayes().fit(X, y)
    assert_allclose(steps[-1].tables[1].mean, fitted.theta_[:, 1])
    assert_array_equal(steps[-1].tables[3].counts, fitted.tables_[3].counts)


@pytest.mark.parametrize("numeric", ["gaussian", "interval", "discretised"])
@pytest.mark.parametrize("smoothing", [{}, {"laplace": 1.0}, {"m_estimate": 3.0}], ids=str)
def test_the_explained_product_is_the_prediction(numeric, smoothing):
    X, y = weather("numeric")
    model = NaiveBayes(numeric=numeric, **smoothing).fit(X, y)
    joint, posterior = model.predict_joint_log_proba(X), model.predict_proba(X)
    for i in range(len(X)):
        *_, last = model.explain_steps(X.iloc[i])
        assert_allclose(last.log_joint, joint[i])
        assert_allclose(last.posterior, posterior[i])


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=4, max_size=25), st.floats(0.1, 5))
def test_probabilities_sum_to_one(rows, laplace):
    table = np.array(rows)
    frame = pd.DataFrame(table[:, :2]).astype("category")
    model = NaiveBayes(laplace=laplace).fit(frame, table[:, 2])
    for table in model.tables_:
        assert_allclose(table.probabilities.sum(axis=1), 1)
    # Bayes' rule over all cells: P(class) is the sum of P(class, x) over every x
    cells = pd.DataFrame(
        [
            [model.tables_[0].values[i], model.tables_[1].values[j]]
            for i, j in product(*(range(len(t.values)) for t in model.tables_))
        ]
    ).astype(int)
    joint = np.exp(model.predict_joint_log_proba(cells.astype("category")))
    assert_allclose(joint.sum(axis=0), model.class_prior_)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.floats(-50, 50), st.floats(0.01, 100))
def test_moving_and_stretching_a_column_changes_nothing(seed, shift, stretch):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, 3)), rng.integers(0, 2, 30)
    Z = X * [stretch, 1, 1] + [shift, 0, 0]
    before = NaiveBayes().fit(X, y).predict_proba(X)
    assert_allclose(NaiveBayes().fit(Z, y).predict_proba(Z), before, atol=1e-7)
