"""Decision trees against Weka, Quinlan's book and the weather by hand."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from dmlib.classification import C45, ID3, DecisionTreeClassifier, OneR
from tests.classification.decision_tree.data import (
    GOLDEN,
    in_order,
    iris,
    named,
    params_of,
    steps,
    weather,
)


@pytest.mark.parametrize(
    ("criterion", "key"),
    [("entropy", "information_gain"), ("gain_ratio", "gain_ratio"), ("gini", "gini_gain")],
)
def test_candidates_for_the_root_of_the_weather(criterion, key):
    X, y = weather()
    root = steps(DecisionTreeClassifier(criterion=criterion, splitter="multiway"), X, y)[0]
    got = {X.columns[candidate.split.column]: candidate for candidate in root.candidates}
    for name, expected in GOLDEN["weather_root"]["expected"]["candidates"].items():
        assert_allclose(got[name].score, expected[key], rtol=1e-9)
    assert X.columns[root.chosen.split.column] == "outlook"
    assert [c.score for c in root.candidates if c.eligible] == sorted(
        (c.score for c in root.candidates if c.eligible), reverse=True
    )


def test_gain_ratio_is_compared_among_columns_with_average_gain():
    X, y = weather()
    root = steps(DecisionTreeClassifier(criterion="gain_ratio", splitter="multiway"), X, y)[0]
    assert {X.columns[c.split.column] for c in root.candidates if c.eligible} == {
        "outlook",
        "humidity",
    }


def test_id3_is_weka_s():
    X, y = weather()
    model = ID3().fit(X, y)
    assert model.predict(X).tolist() == GOLDEN["id3_weather"]["predicted"]
    lines = sorted(
        line.replace("|", "").strip() for line in GOLDEN["id3_weather"]["text"].split("\n")[3:]
    )
    rules = [
        rule.removeprefix("if ").replace(" then", ":").rsplit(" (", 1)[0]
        for rule in model.export_rules()
    ]
    tests = {text for rule in rules for text in rule.split(": ")[0].split(" and ")}
    assert tests == {line.split(":")[0] for line in lines}
    assert model.get_n_leaves() == 5


@pytest.mark.parametrize("case", ["j48_weather", "j48_iris"])
def test_c45_is_j48(case):
    X, y = weather() if case == "j48_weather" else iris()
    model = C45().fit(X, y)
    expected = GOLDEN[case]
    assert named(model.tree_, X, model.classes_) == in_order(expected["tree"])
    assert (model.get_n_leaves(), model.tree_.node_count) == (expected["leaves"], expected["size"])
    if case == "j48_iris":
        probabilities = model.predict_proba(X)
        assert_allclose(probabilities, expected["distribution_by_row"], atol=1e-9)
        truth = (np.asarray(y)[:, None] == model.classes_).astype(float)
        assert_allclose(
            np.abs(probabilities - truth).mean(), expected["mean_absolute_error"], rtol=1e-7
        )
        assert_allclose(
            np.sqrt(((probabilities - truth) ** 2).mean()),
            expected["root_mean_squared_error"],
            rtol=1e-7,
        )


def test_c45_on_numbers_and_words():
    """The tree of J. R. Quinlan (1993), C4.5, section 2.1; its thresholds are values that occur."""
    X, y = weather("numeric")
    rules = C45().fit(X, y).export_rules()
    assert "if outlook = sunny and humidity <= 75 then yes (2)" in rules
    assert "if outlook = rainy and windy = TRUE then no (2)" in rules
    assert len(rules) == 5


def test_one_r_is_weka_s():
    X, y = weather()
    model = OneR().fit(X, y)
    assert model.predict(X).tolist() == GOLDEN["oner_weather"]["predicted"]
    assert (model.predict(X) != y).sum() == GOLDEN["oner_weather"]["training_errors"]
    assert model.get_depth() == 1


def test_missing_value_in_parts_as_in_the_book():
    """J. R. Quinlan (1993), C4.5, section 3.3: gain 0.199, split information 1.809."""
    X, y = weather()
    row = X.query("outlook == 'overcast' and humidity == 'high' and windy == 'TRUE'").index
    X.loc[row, "outlook"] = None
    root = steps(DecisionTreeClassifier(criterion="gain_ratio", splitter="multiway"), X, y)[0]
    outlook = next(c for c in root.candidates if c.split.column == 0)
    assert_allclose([outlook.gain, outlook.gain / outlook.score], [0.199, 1.809], atol=5e-4)
    assert outlook.missing == 1
    below = steps(ID3(), X, y)[1:]
    children = [step for step in below if step.parent == 0 and step.phase != "done"]
    parts = [step.shares[step.rows == row[0]].sum() for step in children]
    assert_allclose(sorted(parts), [3 / 13, 5 / 13, 5 / 13])
    assert_allclose(sum(step.counts.sum() for step in children), 14)


def test_parts_of_rows_count_as_parts():
    """Class weights in the branches and of the rows without a value add up to those of the node."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(90, 3))
    X[rng.random(X.shape) < 0.2] = np.nan
    y = (np.nan_to_num(X[:, 0]) + 0.5 * rng.normal(size=90) > 0).astype(int)
    splits = [
        step for step in steps(DecisionTreeClassifier(max_depth=4), X, y) if step.phase == "split"
    ]
    assert any((step.shares < 1).any() for step in splits)
    for step in splits:
        for candidate in step.candidates:
            missing = np.isnan(X[step.rows, candidate.split.column])
            without = np.bincount(y[step.rows[missing]], step.shares[missing], 2)
            assert_allclose(candidate.counts.sum(axis=0) + without, step.counts, atol=1e-9)
            assert_allclose(candidate.missing, without.sum(), atol=1e-9)


def test_a_row_without_values_gets_the_average_of_the_leaves():
    X, y = weather()
    model = ID3().fit(X, y)
    unknown = pd.DataFrame({name: pd.Series([None], dtype=object) for name in X})
    assert_allclose(model.predict_proba(unknown), [[5 / 14, 9 / 14]])
    somewhere = X.iloc[[0]].assign(outlook="foggy")
    assert_allclose(
        model.predict_proba(somewhere), model.predict_proba(somewhere.assign(outlook=None))
    )


def test_a_value_that_is_not_in_a_node_gets_a_leaf_of_its_parent_s_classes():
    X = pd.DataFrame({"a": ["x", "x", "x", "y"], "b": ["u", "u", "v", "w"]})
    model = ID3().fit(X, [0, 0, 1, 1])
    leaves = model.tree_.n_node_samples[model.tree_.is_leaf]
    assert (leaves == 0).any() == (model.tree_.feature[0] == 0)
    forced = DecisionTreeClassifier(**params_of(ID3), choices="r_0~r.0_1").fit(X, [0, 0, 1, 1])
    assert_allclose(forced.predict_proba(pd.DataFrame({"a": ["x"], "b": ["w"]})), [[2 / 3, 1 / 3]])
