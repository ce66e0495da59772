"""A model as code predicts what the model predicts."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from dmlib.association import AssociationRules
from dmlib.classification import (
    PRISM,
    RIPPER,
    AdaBoostClassifier,
    BaggingClassifier,
    C45Rules,
    DecisionTreeClassifier,
    FuzzyTree,
    GradientBoostingClassifier,
    IncrementalTree,
    LinearDiscriminantAnalysis,
    LogisticRegression,
    NaiveBayes,
    ObliqueTree,
    OneRule,
    RandomForestClassifier,
    SequentialCovering,
)
from dmlib.datasets import load
from dmlib.outputs import model_json, model_python, model_rules
from dmlib.outputs.trees import MAX_DEPTH
from dmlib.problem import prepare, prepare_baskets
from dmlib.regression import DecisionTreeRegressor, LinearRegression, ModelTree, Ridge

NUMBERS = st.one_of(st.none(), st.integers(0, 4).map(float))
SKIES = st.one_of(st.none(), st.sampled_from(["rain", "it's", 'a"\\\n', "sun"]))
ROWS = st.lists(
    st.tuples(NUMBERS, NUMBERS, SKIES, st.sampled_from(["no", "y'es", "?"])),
    min_size=4,
    max_size=25,
)
SETTINGS = st.fixed_dictionaries(
    {
        "missing": st.sampled_from(["fractional", "surrogate", "category"]),
        "splitter": st.sampled_from(["binary", "multiway"]),
        "numeric": st.sampled_from(["midpoint", "buckets"]),
        "max_depth": st.sampled_from([None, 1, 3]),
    }
)


def predictor(code):
    namespace = {}
    exec(code, namespace)
    return namespace["predict"]


@settings(max_examples=80, deadline=None)
@given(rows=ROWS, params=SETTINGS, scaling=st.sampled_from(["none", "z-score"]))
def test_a_tree_as_python_predicts_as_the_tree(rows, params, scaling):
    table = pd.DataFrame(rows, columns=["a'", "b", "sky", "play"]).astype({"a'": float, "b": float})
    features = [name for name in ("a'", "b", "sky") if table[name].notna().any()]
    is_binary = params["splitter"] == "binary" and params["numeric"] == "midpoint"
    assume(features and len(set(table["play"])) > 1)
    assume(is_binary or params["missing"] != "surrogate")
    options = {"target": "play", "labelled": True, "scaling": scaling, "holes": "keep"}
    problem = prepare(table, features, **options)
    model = DecisionTreeClassifier(**params).fit(*problem.arguments)
    has_holes = bool(np.isnan(problem.X).any())
    predict = predictor(model_python(model, problem, has_holes=has_holes))
    shares = np.sort(model.predict_proba(problem.data), axis=1)
    is_clear = shares[:, -1] - shares[:, -2] > 1e-9  # a tie may be broken by rounding
    expected = np.array(problem.classes)[model.predict(problem.data)]
    predicted = np.array([predict(row) for row in table.to_dict("records")])
    assert predicted[is_clear].tolist() == expected[is_clear].tolist()


def test_a_tree_of_complete_numbers_is_nested_ifs():
    X = np.random.default_rng(0).normal(size=(200, 3))
    table = pd.DataFrame(X, columns=["a", "b", "c"]).assign(
        kind=np.where(X[:, 0] * X[:, 1] > 0, 1, 0)
    )
    problem = prepare(table, ["a", "b", "c"], target="kind", labelled=True, scaling="min-max")
    model = DecisionTreeClassifier(costs=[[0, 5], [1, 0]]).fit(problem.X, problem.y)
    code = model_python(model, problem)
    assert code.count("def ") == 1
    predicted = [predictor(code)(row) for row in table.to_dict("records")]
    assert predicted == [problem.classes[k] for k in model.predict(problem.X)]


def test_a_deep_tree_is_still_python():
    n = 2 * MAX_DEPTH + 40
    table = pd.DataFrame({"x": np.arange(n, dtype=float), "kind": ["a", "b"] * (n // 2)})
    problem = prepare(table, ["x"], target="kind", labelled=True)
    model = DecisionTreeClassifier(criterion="error").fit(problem.X, problem.y)
    predict = predictor(model_python(model, problem))
    assert [predict(row) for row in table.to_dict("records")] == table["kind"].tolist()


FAMILIES = {
    "forest": RandomForestClassifier(n_estimators=3, max_depth=2, random_state=0),
    "bags": BaggingClassifier(n_estimators=2, max_samples=0.2, max_features=2, random_state=0),
    "boosted stumps": AdaBoostClassifier(n_estimators=5, max_depth=1),
    "boosted trees": AdaBoostClassifier(n_estimators=2, max_depth=2, multiclass="m1"),
    "oblique": ObliqueTree(max_depth=2, random_state=0),
    "fuzzy": FuzzyTree(max_depth=2),
    "incremental": IncrementalTree(max_depth=3, random_state=0),
}


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("scaling", ["none", "z-score"])
@pytest.mark.parametrize("data", ["iris", "mixed"])
def test_short_ensembles_and_linear_trees_predict_the_same_labels(name, scaling, data):
    table = load("iris").frame if data == "iris" else TABLE[["a", "sky", "b", "kind"]]
    *features, target = table.columns
    problem = prepare(table, features, target=target, labelled=True, scaling=scaling)
    model = clone(FAMILIES[name]).fit(*problem.arguments)
    code = model_python(model, problem)
    assert 8 < len(code.splitlines()) <= 85
    predict = predictor(code)
    predicted = [predict(row) for row in table.to_dict("records")]
    assert predicted == [problem.classes[k] for k in model.predict(problem.data)]
    assert len(set(predicted)) > 1


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, name=st.sampled_from([*FAMILIES]))
def test_the_code_of_any_rows_predicts_their_labels(rows, name):
    table = pd.DataFrame(rows, columns=["a'", "b", "sky", "play"]).dropna().reset_index(drop=True)
    assume(len(set(table["play"])) > 1)
    features = [each for each in ("a'", "b", "sky") if len(set(table[each])) > 1]
    assume(len(features) > 1)
    problem = prepare(table, features, target="play", labelled=True)
    model = clone(FAMILIES[name]).fit(*problem.arguments)
    code = model_python(model, problem)
    assume(code)
    predicted = [predictor(code)(row) for row in table.to_dict("records")]
    assert predicted == [problem.classes[k] for k in model.predict(problem.data)]


@pytest.mark.parametrize("classes", [["versicolor", "virginica"], []])
@pytest.mark.parametrize("scaling", ["none", "z-score"])
def test_gradient_boosting_as_python_adds_its_trees(classes, scaling):
    table = load("iris").frame
    *features, target = table.columns
    if classes:
        table = table[table[target].isin(classes)].reset_index(drop=True)
    problem = prepare(table, features, target=target, labelled=True, scaling=scaling)
    model = GradientBoostingClassifier(n_estimators=3, max_depth=1).fit(*problem.arguments)
    predict = predictor(model_python(model, problem))
    predicted = [predict(row) for row in table.to_dict("records")]
    assert predicted == [problem.classes[k] for k in model.predict(problem.data)]
    assert len(set(predicted)) == len(problem.classes)


def test_long_ensembles_are_json_only():
    problem = prepare(TABLE, ["a", "b"], target="kind", labelled=True)
    for model in (RandomForestClassifier(50), BaggingClassifier("knn", 3)):
        assert model_python(model.fit(problem.X, problem.y), problem) == ""
        assert json.loads(model_json(model, problem))["parameters"]["n_estimators"]


RNG = np.random.default_rng(1)
A, B = RNG.normal(100, 3, 80), RNG.normal(size=80)
SKY = RNG.choice(["rain", "snow", "sun"], 80)
TABLE = pd.DataFrame({"a": A, "b": B, "sky": SKY}).assign(
    height=lambda t: t["a"] * 2 - t["b"] + (t["sky"] == "sun") + RNG.normal(size=80) / 9,
    kind=np.where(B > 0.5, "x", np.where(A > 100, "y", "z")),
)


@pytest.mark.parametrize(
    ("model", "features"),
    [
        (LinearRegression(), ["a", "b", "sky"]),
        (Ridge(), ["a", "b"]),
        (DecisionTreeRegressor(max_depth=3), ["a", "b"]),
        (ModelTree(), ["a", "b"]),
    ],
)
@pytest.mark.parametrize("scaling", ["none", "z-score"])
def test_a_regression_as_python_predicts_its_numbers(model, features, scaling):
    problem = prepare(TABLE, features, target="height", numeric_target=True, scaling=scaling)
    model.fit(*problem.arguments)
    predict = predictor(model_python(model, problem))
    predicted = [predict(row) for row in TABLE.to_dict("records")]
    np.testing.assert_allclose(predicted, model.predict(problem.data))


@pytest.mark.parametrize("model", [LogisticRegression(), LinearDiscriminantAnalysis()])
@pytest.mark.parametrize("positive", [None, "y"])
def test_a_linear_classifier_as_python_predicts_its_classes(model, positive):
    options = {"target": "kind", "labelled": True, "scaling": "z-score", "positive": positive}
    problem = prepare(TABLE, ["a", "b"], **options)
    model.fit(problem.X, problem.y)
    predict = predictor(model_python(model, problem))
    predicted = [predict(row) for row in TABLE.to_dict("records")]
    assert predicted == [problem.classes[k] for k in model.predict(problem.X)]


RULE_LEARNERS = (
    PRISM(),
    SequentialCovering(pruning=False),
    RIPPER(k=1),
    C45Rules(min_samples_leaf=1),
    OneRule(min_bucket=2),
)


@settings(max_examples=60, deadline=None)
@given(
    rows=ROWS, model=st.sampled_from(RULE_LEARNERS), scaling=st.sampled_from(["none", "z-score"])
)
def test_rules_as_python_predict_as_the_rules(rows, model, scaling):
    table = pd.DataFrame(rows, columns=["a'", "b", "sky", "play"]).astype({"a'": float, "b": float})
    features = [name for name in ("a'", "b", "sky") if table[name].notna().any()]
    assume(features and len(set(table["play"])) > 1)
    options = {"target": "play", "labelled": True, "scaling": scaling, "holes": "keep"}
    problem = prepare(table, features, **options)
    fitted = clone(model).fit(*problem.arguments)
    has_holes = bool(np.isnan(problem.X).any())
    code = model_python(fitted, problem, has_holes=has_holes)
    predict = predictor(code)
    expected = np.array(problem.classes)[fitted.predict(problem.data)].tolist()
    assert [predict(row) for row in table.to_dict("records")] == expected
    assert ("import math" in code) == has_holes


def test_models_that_are_no_code():
    problem = prepare(TABLE, ["a", "b"], target="kind", labelled=True)
    model = NaiveBayes().fit(problem.X, problem.y)
    assert model_python(model, problem) == ""
    assert model_rules(model, problem) == ""
    assert json.loads(model_json(model, problem))["class"] == "NaiveBayes"


def test_json_has_what_was_learned():
    problem = prepare(TABLE, ["a", "sky"], target="kind", labelled=True, scaling="z-score")
    model = DecisionTreeClassifier(max_depth=2).fit(*problem.arguments)
    content = json.loads(model_json(model, problem))
    assert content["columns"] == ["a", "sky"]
    assert content["categories"] == {"sky": ["rain", "snow", "sun"]}
    assert content["parameters"]["max_depth"] == 2
    assert content["fitted"]["tree_"]["children"] == model.tree_.children.tolist()


def test_rules_as_text():
    problem = prepare(TABLE, ["a", "b"], target="kind", labelled=True)
    tree = DecisionTreeClassifier(max_depth=2).fit(problem.X, problem.y)
    assert len(model_rules(tree, problem).splitlines()) == tree.tree_.n_leaves
    prism = PRISM().fit(problem.X, problem.y)
    *rules, default = model_rules(prism, problem).splitlines()
    assert len(rules) == len(prism.rules_)
    assert default.startswith("else ")
    line = model_rules(
        LinearRegression().fit([[0.0], [1.0]], [1.0, 3.0]),
        prepare(
            pd.DataFrame({"x": [0.0, 1.0], "y": [1.0, 3.0]}), ["x"], target="y", numeric_target=True
        ),
    )
    assert line == "y = 1 + 2·x\n"
    problem = prepare_baskets([["tea", "milk"], ["tea", "milk"], ["milk"]])
    model = AssociationRules(min_support=0.5, min_confidence=0.9).fit(*problem.arguments)
    assert (
        model_rules(model, problem) == "if tea then milk (support 0.6667, confidence 1, lift 1)\n"
    )
