"""Printed thresholds have as many digits as distinguish the values of their column."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.association.table_items import table_items
from dmlib.classification import (
    AdaBoostClassifier,
    DecisionTreeClassifier,
    NaiveBayes,
    ObliviousTree,
)
from dmlib.classification.adaboost.scene import adaboost_scene
from dmlib.classification.decision_tree.figures.tree_rules import tree_rules_data
from dmlib.classification.decision_tree.scene import decision_tree_scene
from dmlib.classification.naive_bayes.scene import naive_bayes_scene
from dmlib.classification.tree_variants.scene import tree_variants_scene
from dmlib.evaluation import ThresholdSweep
from dmlib.evaluation.roc.scene import roc_scene
from dmlib.pictures.run import Run
from dmlib.preprocessing import Discretizer
from dmlib.preprocessing.discretisation.prepared import discretised
from dmlib.preprocessing.discretisation.scene import discretisation_scene
from dmlib.problem import prepare
from dmlib.regression import DecisionTreeRegressor
from dmlib.regression.knn_tree_regression.scene import knn_tree_scene
from dmlib.trees.splits import Split
from dmlib.trees.threshold_text import threshold_text, threshold_texts

DATES = np.array([20180128.0, 20180129, 20180130, 20180131, 20180201, 20180202])
FRAME = pd.DataFrame({"date": DATES, "group": list("aaabbb")})
NUMBERS = st.one_of(st.integers(20170101, 20190101), st.floats(-1e9, 1e9), st.floats(1e-9, 1e-3))


@given(
    st.lists(NUMBERS, min_size=2, max_size=30, unique=True),
    st.integers(1, 7),
    st.booleans(),
    st.data(),
)
def test_the_text_sends_each_value_where_the_threshold_sends_it(values, digits, inclusive, data):
    x = np.unique(np.array(values, float).round(9))
    values = x.tolist()
    threshold = data.draw(st.one_of(st.sampled_from(values), st.floats(x.min(), x.max())))
    printed = float(threshold_text(threshold, x, digits, inclusive=inclusive))
    if inclusive:
        assert ((x <= printed) == (x <= threshold)).all()
    else:
        assert ((x < printed) == (x < threshold)).all()


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=10, unique=True))
def test_thresholds_of_a_column_differ(cuts):
    texts = threshold_texts(sorted(cuts), [0.0], 2)
    assert len(set(texts)) == len(
        np.unique([float(text) for text in threshold_texts(sorted(cuts))])
    )


def test_without_values_a_threshold_is_written_as_it_is():
    assert (
        Split(0, (20180130.5, 20180131.5)).conditions("date")[1]
        == "20180130.5 < date <= 20180131.5"
    )
    assert threshold_text((2.4 + 2.5) / 2) == "2.45"
    assert threshold_text((1.2 + 1.4) / 2, [1.2, 1.3, 1.4]) == "1.3"
    assert threshold_text(0.1 + 1e-13) == "0.1000000000001"


def test_rules_of_dates():
    model = DecisionTreeClassifier().fit(FRAME[["date"]], FRAME["group"])
    assert model.export_rules() == [
        "if date <= 20180130.5 then a (3)",
        "if date > 20180130.5 then b (3)",
    ]


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e9])
def test_the_rules_send_the_rows_where_the_tree_sends_them(offset):
    rng = np.random.default_rng(0)
    X, y = offset + rng.normal(size=(80, 2)), rng.integers(0, 2, 80)
    model = DecisionTreeClassifier().fit(X, y)
    predicted = np.full(80, -1)
    for rule in model.export_rules():
        conditions, label = re.fullmatch(r"if (.*) then (\d).*", rule).groups()
        tests = re.findall(r"feature_(\d) (<=|>) (\S+)", conditions)
        within = [(X[:, int(j)] <= float(at)) == (sign == "<=") for j, sign, at in tests]
        predicted[np.logical_and.reduce(within)] = int(label)
    assert (predicted == y).all()
    assert (
        max(len(at) for rule in model.export_rules() for at in re.findall(r"[<>]=? (\S+)", rule))
        < 20
    )


def captions(scene):
    return " ".join(str((frame.caption, frame.ledger)) for frame in scene.frames) + str(scene.marks)


@pytest.mark.parametrize(
    ("scene", "model"),
    [
        (decision_tree_scene, DecisionTreeClassifier()),
        (adaboost_scene, AdaBoostClassifier(n_estimators=2)),
        (tree_variants_scene, ObliviousTree()),
        (naive_bayes_scene, NaiveBayes(numeric="discretised", n_bins=2)),
        (discretisation_scene, Discretizer("entropy")),
    ],
)
def test_every_picture_of_classes_writes_dates_out(scene, model):
    run = Run.of(prepare(FRAME, ["date"], target="group", labelled=True), model)
    text = captions(scene(run))
    assert "20180130.5" in text
    assert "e+07" not in re.sub(r"\d+\.\d+e\+07(?=[,)])", "", text)


def test_the_picture_of_a_regression_tree_writes_dates_out():
    frame = FRAME.assign(y=[1.0, 1, 1, 5, 5, 5])
    run = Run.of(prepare(frame, ["date"], target="y", numeric_target=True), DecisionTreeRegressor())
    assert "date ≤ 20180130.5" in captions(knn_tree_scene(run))


def test_names_of_intervals_differ():
    assert table_items(FRAME[["date"]], bins=2).notes == (
        "date is cut at 20180130.5, by equal frequency.",
    )
    problem = prepare(FRAME, ["date"], target="group", labelled=True)
    intervals = discretised(problem, FRAME, Discretizer("entropy").fit(problem.X, problem.y))
    assert intervals["date"].unique().tolist() == ["≤ 20180130.5", "> 20180130.5"]
    rules = tree_rules_data(problem, DecisionTreeClassifier().fit(problem.X, problem.y))
    assert {rule.conditions for rule in rules} == {("date <= 20180130.5",), ("date > 20180130.5",)}


def test_scores_of_a_curve_differ():
    frame = pd.DataFrame({"score": [0.99991, 0.99992, 0.99993, 0.99994], "group": list("bbaa")})
    problem = prepare(frame, ["score"], target="group", labelled=True, positive="a")
    text = captions(roc_scene(Run.of(problem, ThresholdSweep("column", scoring="training"))))
    assert re.findall(r"falls to (\S+):", text) == ["0.99994", "0.99993", "0.99992", "0.9999"]
