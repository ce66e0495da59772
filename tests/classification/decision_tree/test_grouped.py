"""Tables of counts: each row stands for as many rows as its last column says."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import KFold, cross_val_predict

from dmlib.classification import DecisionTreeClassifier
from dmlib.classification.decision_tree.figures.split_criteria import split_criteria_data
from dmlib.classification.decision_tree.figures.tree_depth import tree_depth_data
from dmlib.classification.decision_tree.scene import decision_tree_scene
from dmlib.datasets import load
from dmlib.outputs.models import model_python
from dmlib.pictures.figures.confusion_matrix import confusion_data
from dmlib.pictures.regions import errors
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.visit import sound, stage, visit

SLUG = "decision_tree"
SETTINGS = {
    "usual": {},
    "limits": {"min_samples_leaf": 12, "min_samples_split": 30},
    "a fraction": {"min_samples_leaf": 0.15},
    "C4.5": {"criterion": "gain_ratio", "numeric": "c45", "pruning": "error_based"},
    "CHAID": {"criterion": "chaid", "alpha_split": 0.5},
    "QUEST": {"criterion": "quest", "alpha_split": 0.5, "missing": "surrogate"},
    "1R": {"criterion": "error", "splitter": "multiway", "numeric": "buckets", "max_depth": 1},
    "pruned": {"ccp_alpha": 0.01},
    "costs": {"costs": {(0, 1): 4}},
    "balanced": {"class_weight": "balanced"},
}


def grouped_rows(seed, n=14, missing=False):
    """Return a table of counts, its classes, and both with each row repeated."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "size": rng.integers(0, 5, n).astype(float),
            "colour": np.array(list("rgbw"))[rng.integers(0, 4, n)],
        }
    )
    if missing:
        frame.loc[rng.integers(0, n, 2), "size"] = np.nan
    frame["count"] = rng.integers(0, 15, n).astype(float)
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    frame.loc[:1, "count"] = 3.0
    times = frame["count"].to_numpy(int)
    repeated = frame.loc[frame.index.repeat(times)].reset_index(drop=True)
    return frame, y, repeated.drop(columns="count"), np.repeat(y, times)


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_tree_of_the_repeated_rows(name, seed):
    frame, y, repeated, y_repeated = grouped_rows(seed)
    grouped = DecisionTreeClassifier(grouped=True, **SETTINGS[name]).fit(frame, y).tree_
    single = DecisionTreeClassifier(**SETTINGS[name]).fit(repeated, y_repeated).tree_
    assert_array_equal(grouped.children, single.children)
    assert_array_equal(grouped.feature, single.feature)
    assert_allclose(grouped.threshold, single.threshold)
    assert_allclose(grouped.n_node_samples, single.n_node_samples)
    assert_allclose(grouped.counts, single.counts, atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["fractional", "surrogate", "category"]))
def test_missing_values_of_grouped_rows(seed, missing):
    frame, y, repeated, y_repeated = grouped_rows(seed, missing=True)
    grouped = DecisionTreeClassifier(grouped=True, missing=missing, max_depth=3).fit(frame, y)
    single = DecisionTreeClassifier(missing=missing, max_depth=3).fit(repeated, y_repeated)
    rows = frame.drop(columns="count")
    assert_allclose(grouped.predict_proba(frame), single.predict_proba(rows), atol=1e-9)


def test_steps_rules_and_importances_count_the_rows():
    frame, y, repeated, y_repeated = grouped_rows(1)
    grouped = DecisionTreeClassifier(grouped=True).fit(frame, y)
    single = DecisionTreeClassifier().fit(repeated, y_repeated)
    assert grouped.export_rules() == single.export_rules()
    assert_allclose(grouped.feature_importances_, [*single.feature_importances_, 0.0])
    counts = [step.counts for step in DecisionTreeClassifier(grouped=True).steps(frame, y)]
    expected = [step.counts for step in DecisionTreeClassifier().steps(repeated, y_repeated)]
    assert_allclose(counts, expected)


def test_pruning_paths_weigh_errors_by_the_counts():
    frame, y, repeated, y_repeated = grouped_rows(2)
    grouped = DecisionTreeClassifier(grouped=True).pruning_path(frame, y, cv=3, random_state=0)
    single = DecisionTreeClassifier().pruning_path(repeated, y_repeated, cv=3, random_state=0)
    assert_allclose(grouped.alphas, single.alphas)
    assert_allclose(grouped.errors, single.errors)
    n = frame["count"].sum()
    assert_allclose(grouped.cv_spread, np.sqrt(grouped.cv_errors * (1 - grouped.cv_errors) / n))


def test_all_errors_on_the_page_count_the_rows():
    table = load("telephone").frame
    features = ["college", "moved", "high_income", "households"]
    problem = prepare(table, features, target="adopted", labelled=True)
    model = DecisionTreeClassifier(grouped=True, costs={(0, 1): 5.0}, max_depth=2)
    model.fit(problem.X, problem.y)
    households, wrong = problem.X[:, -1], model.predict(problem.X) != problem.y
    ((_, size, n_wrong),) = errors(problem, model)
    assert (size, n_wrong) == (10_524, households[wrong].sum())
    (matrix,) = confusion_data(problem, model).counts
    assert matrix.sum() == 10_524
    assert matrix.sum() - np.trace(matrix) == n_wrong
    assert tree_depth_data(problem, model).train[-1] <= n_wrong / size + 1e-12
    data = split_criteria_data(problem, model)
    folds = KFold(5, shuffle=True, random_state=0)
    for tree in data.trees[:2]:
        single = DecisionTreeClassifier(**{**model.get_params(), "criterion": tree.criterion})
        missed = cross_val_predict(single, problem.X, problem.y, cv=folds) != problem.y
        assert tree.error == pytest.approx(households[missed].sum() / 10_524)
    scene = decision_tree_scene(Run.of(problem, DecisionTreeClassifier(grouped=True)))
    assert scene.frames[0].caption.startswith("All 10524 rows are in the root")
    done = next(frame for frame in scene.frames if frame.phase == "done")
    assert "of 10524 training rows misclassified" in done.caption
    assert any("households says how often each row counts" in note for note in scene.notes)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"count": [1.0, 2.0]}),
        pd.DataFrame({"a": [1.0, 2.0], "count": [1.0, -2.0]}),
        pd.DataFrame({"a": [1.0, 2.0], "count": [1.0, None]}),
        pd.DataFrame({"a": [1.0, 2.0], "count": ["one", "two"]}),
    ],
)
def test_what_does_not_count_is_refused(frame):
    with pytest.raises(ValueError, match="the last of at least two columns says how often"):
        DecisionTreeClassifier(grouped=True).fit(frame, [0, 1])


def test_the_column_of_counts_is_no_feature():
    frame = pd.DataFrame({"a": [1.0, 1.0], "count": [1.0, 9.0]})
    assert DecisionTreeClassifier(grouped=True).fit(frame, [0, 1]).tree_.node_count == 1
    with pytest.raises(ValueError, match="the columns are 0 to 0"):
        DecisionTreeClassifier(grouped=True, choices="r_1").fit(frame.assign(a=[1.0, 2.0]), [0, 1])


def test_the_headline_of_the_page_counts_them():
    link = {
        "data": "telephone",
        "telephone.features": ["college", "moved", "high_income", "households"],
        "test": "0",
        f"{SLUG}.grouped": "true",
    }
    page = sound(visit(SLUG, **link))
    done = next(frame for frame in stage(page)["frames"] if frame["phase"] == "done")
    assert "of 10524 training rows misclassified" in done["caption"]
    (training_error,) = stage(page)["results"][-1]
    households = load("telephone").frame.groupby("adopted", observed=True)["households"].sum()
    assert training_error["note"] == f"{households['yes']:,} of 10,524"
    assert "the symbols are as large" in " ".join(stage(page)["notes"])


def test_the_tree_as_python_predicts_as_the_tree():
    frame, y, *_ = grouped_rows(3)
    problem = prepare(frame.assign(target=y), list(frame), target="target", labelled=True)
    model = DecisionTreeClassifier(grouped=True).fit(problem.data, problem.y)
    namespace = {}
    exec(model_python(model, problem), namespace)
    rows = frame.drop(columns="count").to_dict("records")
    predicted = [namespace["predict"](row) for row in rows]
    assert predicted == [problem.classes[code] for code in model.predict(problem.data)]


def test_balanced_weights_count_the_rows():
    table = load("telephone").frame
    features = ["college", "moved", "high_income", "households"]
    problem = prepare(table, features, target="adopted", labelled=True)
    model = DecisionTreeClassifier(grouped=True, class_weight="balanced")
    start = decision_tree_scene(Run.of(problem, model)).frames[0]
    titles = {getattr(block, "title", ""): block for block in start.ledger}
    rows = {row[0]: row[2] for row in titles["Class weights"].rows}
    assert rows == {"yes": "10524 / (2 · 1628)", "no": "10524 / (2 · 8896)"}
