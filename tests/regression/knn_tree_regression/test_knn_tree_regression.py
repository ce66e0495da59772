"""Neighbours and trees against scikit-learn, model trees against Weka, by hand, and the page."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsRegressor as TheirNeighbors
from sklearn.tree import DecisionTreeRegressor as TheirTree
from sklearn.utils.estimator_checks import parametrize_with_checks

from dmlib.datasets import load, make
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.regression import DecisionTreeRegressor, KNeighborsRegressor, LinearRegression, ModelTree
from dmlib.regression.knn_tree_regression.figures.errors import error_data, plot_errors
from dmlib.regression.knn_tree_regression.figures.residuals import residuals
from dmlib.regression.knn_tree_regression.neighbors_scene import neighbor_curve
from dmlib.regression.knn_tree_regression.scene import knn_tree_scene
from dmlib.regression.knn_tree_regression.search import best_split, loss_of, prefix_losses
from dmlib.regression.knn_tree_regression.tree import Grown
from dmlib.regression.knn_tree_regression.trees_scene import step_function
from tests.visit import ignored, sound, stage, visit

WEKA, RPART = (
    json.loads((Path(__file__).parents[2] / "golden" / f"{name}.json").read_text("utf-8"))["cases"]
    for name in ("m5p", "rpart")
)
HAND = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([1.0, 1.0, 5.0, 7.0])
each_criterion = pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
each_algorithm = pytest.mark.parametrize(
    "algorithm", [KNeighborsRegressor, DecisionTreeRegressor, ModelTree]
)
CARS = ["cyl", "disp", "hp", "drat", "wt", "qsec"]


def columns(frame, features, target):
    return frame[list(features)].to_numpy(float), frame[target].to_numpy(float)


def curve(n=40):
    return columns(make("noisy_curve", n_samples=n).frame, ["x"], "y")


def random_data(seed, n=60, p=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, X[:, 0] ** 2 + rng.normal(size=n)


@parametrize_with_checks([KNeighborsRegressor(1), DecisionTreeRegressor(), ModelTree()])
def test_conventions_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@given(seed=st.integers(0, 50), k=st.integers(1, 20))
def test_neighbours_are_those_of_scikit_learn(weights, seed, k):
    X, y = random_data(seed)
    ours, theirs = (
        KNeighborsRegressor(k, weights=weights).fit(X, y),
        TheirNeighbors(k, weights=weights).fit(X, y),
    )
    for places in (X, X + 0.1):
        np.testing.assert_allclose(ours.predict(places), theirs.predict(places), atol=1e-10)


@given(seed=st.integers(0, 50))
def test_trees_are_those_of_scikit_learn(seed):
    """One column, so that no two columns cut a node equally well."""
    X, y = random_data(seed, p=1)
    for params in (
        {},
        {"max_depth": 3},
        {"min_samples_leaf": 5},
        {"max_leaf_nodes": 7},
        {"min_samples_split": 15},
    ):
        ours = DecisionTreeRegressor(**params).fit(X, y)
        theirs = TheirTree(random_state=0, **params).fit(X, y)
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-6)
        assert (ours.n_leaves_, ours.get_depth()) == (theirs.get_n_leaves(), theirs.get_depth())


@given(seed=st.integers(0, 50))
def test_the_cut_with_the_least_absolute_error_is_as_good_as_that_of_scikit_learn(seed):
    """Several cuts are often equally good; then the trees below them differ."""
    X, y = random_data(seed)
    ours = DecisionTreeRegressor(criterion="absolute_error", max_leaf_nodes=2).fit(X, y)
    theirs = TheirTree(criterion="absolute_error", max_leaf_nodes=2, random_state=0).fit(X, y)
    assert np.abs(ours.fitted_ - y).sum() == pytest.approx(np.abs(theirs.predict(X) - y).sum())


@pytest.mark.parametrize("seed", [0, 1, 2, 26, 27, 28])
def test_trees_of_absolute_error_are_as_good_as_those_of_scikit_learn(seed):
    X, y = random_data(seed)
    ours = DecisionTreeRegressor(criterion="absolute_error", max_leaf_nodes=5).fit(X, y)
    theirs = TheirTree(criterion="absolute_error", max_leaf_nodes=5, random_state=0).fit(X, y)
    assert np.abs(ours.fitted_ - y).sum() == pytest.approx(np.abs(theirs.predict(X) - y).sum())


@pytest.mark.parametrize("seed", range(5))
def test_the_pruning_path_and_its_trees_are_those_of_scikit_learn(seed):
    X, y = random_data(seed)
    alphas, errors = DecisionTreeRegressor(min_samples_leaf=8).cost_complexity_pruning_path(X, y)
    theirs = TheirTree(min_samples_leaf=8, random_state=0).cost_complexity_pruning_path(X, y)
    np.testing.assert_allclose(alphas, theirs.ccp_alphas, atol=1e-12)
    np.testing.assert_allclose(errors, theirs.impurities, atol=1e-12)
    for alpha in (alphas[:-1] + alphas[1:]) / 2:
        ours = DecisionTreeRegressor(min_samples_leaf=8, ccp_alpha=alpha).fit(X, y)
        theirs_pruned = TheirTree(min_samples_leaf=8, ccp_alpha=alpha, random_state=0).fit(X, y)
        np.testing.assert_allclose(ours.predict(X), theirs_pruned.predict(X), atol=1e-9)
        np.testing.assert_allclose(
            ours.feature_importances_, theirs_pruned.feature_importances_, atol=1e-9
        )


def test_the_cars_are_cut_as_scikit_learn_cuts_them_under_the_limits_of_rpart():
    """With rpart's minsplit = 20 and minbucket = 7."""
    X, y = columns(load("mtcars").frame, CARS, "mpg")
    model = DecisionTreeRegressor(min_samples_split=20, min_samples_leaf=7).fit(X, y)
    theirs = TheirTree(min_samples_split=20, min_samples_leaf=7, random_state=0).fit(X, y).tree_
    tree = model.tree_
    assert [CARS[j] for j in tree.feature if j >= 0] == ["cyl", "hp"]
    np.testing.assert_allclose(tree.value, theirs.value.ravel())
    np.testing.assert_allclose(
        tree.impurity * tree.n_node_samples, theirs.impurity * theirs.n_node_samples
    )


@pytest.mark.parametrize("case", RPART, ids=[f"{case['data']} {case['control']}" for case in RPART])
def test_rpart_gives_the_same_tree_and_the_same_pruning(case):
    """A leaf costs cp times the error of the root; minbucket is a third of minsplit."""
    X, y = columns(load(case["data"]).frame, case["columns"], case["target"])
    control = {"cp": 0.01, "minsplit": 20, "maxdepth": None} | case["control"]
    model = DecisionTreeRegressor(
        min_samples_split=control["minsplit"],
        min_samples_leaf=control.get("minbucket", round(control["minsplit"] / 3)),
        max_depth=control["maxdepth"],
        ccp_alpha=control["cp"] * y.var(),
    ).fit(X, y)
    np.testing.assert_allclose(model.fitted_, case["predictions"], rtol=1e-9)
    assert model.n_leaves_ == case["n_splits"][-1] + 1
    alphas, errors = model.cost_complexity_pruning_path(X, y)
    n = len(case["cp"])  # rpart's table begins with the root, and ends at the cp that was asked for
    np.testing.assert_allclose(alphas[::-1][: n - 1] / y.var(), case["cp"][:-1], rtol=1e-9)
    np.testing.assert_allclose(errors[::-1][:n] / y.var(), case["relative_error"], rtol=1e-9)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=" ".join([case["data"], *case["columns"], *case["options"]]))
        for case in WEKA
    ],
)
def test_weka_gives_the_same_model_tree(case):
    frame = (
        make("noisy_curve", n_samples=120).frame
        if case["data"] == "curve"
        else load(case["data"]).frame
    )
    X, y = columns(frame, case["columns"], case["target"])
    options = case["options"]
    model = ModelTree(
        criterion="weka",
        prune="-N" not in options,
        smoothing=0.0 if "-U" in options else 15.0,
        min_samples_split=10 if "-M" in options else 4,
    ).fit(X, y)
    assert model.n_leaves_ == case["n_rules"]
    np.testing.assert_allclose(model.fitted_, case["predictions"], atol=1e-7)


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=30))
def test_errors_of_beginnings_are_those_of_each(values):
    y = np.array(values, float)
    for criterion in ("squared_error", "absolute_error"):
        each = [loss_of(y[: i + 1], criterion)[1] for i in range(len(y))]
        np.testing.assert_allclose(prefix_losses(y, criterion), each, atol=1e-8)


@each_criterion
@given(seed=st.integers(0, 30))
def test_no_cut_is_better_than_the_best(criterion, seed):
    X, y = random_data(seed, n=15, p=2)
    best = best_split(X, y, criterion, 2)
    (root, *_) = [
        step.split
        for step in DecisionTreeRegressor(criterion=criterion, min_samples_leaf=2).steps(X, y)
    ][1:]
    assert (root.score, root.column, root.threshold) == pytest.approx(best)
    falls = []
    for j in range(2):
        for cut in np.sort(X[:, j])[1:-2]:
            is_left = X[:, j] <= cut
            falls.append(
                loss_of(y, criterion)[1]
                - loss_of(y[is_left], criterion)[1]
                - loss_of(y[~is_left], criterion)[1]
            )
    assert best[0] == pytest.approx(max(falls))


@given(seed=st.integers(0, 30))
def test_the_error_never_rises_while_a_tree_grows_and_never_falls_in_pruning(seed):
    X, y = random_data(seed)
    steps = list(DecisionTreeRegressor(ccp_alpha=0.1).steps(X, y))
    for step, before in zip(steps[1:], steps, strict=False):
        assert (step.total - before.total) * (1 if step.phase == "prune" else -1) >= -1e-9
    grown = Grown()
    for step in steps:
        grown.add(step)
        np.testing.assert_allclose(((y - grown.predict(X)) ** 2).sum(), step.total, atol=1e-8)
        assert len(grown.leaves()) == step.n_leaves


def test_by_hand():
    tree = list(DecisionTreeRegressor(max_leaf_nodes=2).steps(*HAND))
    assert [step.phase for step in tree] == ["root", "split", "done"]
    assert [step.total for step in tree] == [27, 2, 2]
    thresholds, scores = tree[1].split.cuts
    assert (tree[1].split.threshold, thresholds.tolist()) == (2.5, [1.5, 2.5, 3.5])
    np.testing.assert_allclose(27 - scores, [18.67, 2, 10.67], atol=0.005)
    assert [node.value for node in tree[1].nodes] == [1, 6]
    (split,) = [step.split for step in ModelTree().steps(*HAND) if step.phase == "split"][:1]
    assert split.score == pytest.approx(2.098, abs=0.0005)
    line = LinearRegression().fit(*HAND)
    assert line.coef_[0] == pytest.approx(2.2)
    assert ((line.predict(HAND[0]) - HAND[1]) ** 2).sum() == pytest.approx(2.8)
    assert KNeighborsRegressor(2).fit(*HAND).predict([[2.2]])[0] == 3
    assert KNeighborsRegressor(2, weights="distance").fit(*HAND).predict([[2.2]])[
        0
    ] == pytest.approx(1.8)


@each_algorithm
def test_constant_columns_and_targets(algorithm):
    X = np.column_stack([np.arange(8.0), np.full(8, 3.0)])
    model = algorithm().fit(X, np.full(8, 5.0))
    assert model.predict(X[:2]).tolist() == [5, 5]
    assert np.isnan(model.r2_)
    flat = algorithm().fit(np.ones((8, 1)), np.arange(8.0))
    assert np.isfinite(flat.predict([[1.0]])).all()
    with pytest.raises(ValueError, match="beyond 1e\\+100"):
        algorithm().fit([[1e200]] * 8, np.arange(8.0))


def test_more_neighbours_than_rows_are_refused():
    with pytest.raises(ValueError, match="choose a smaller k"):
        KNeighborsRegressor(5).fit(*HAND)


def problem(n=40, features=("x",), frame=None, target="y"):
    return prepare(
        make("noisy_curve", n_samples=n).frame if frame is None else frame,
        list(features),
        target=target,
        numeric_target=True,
    )


@each_algorithm
def test_the_drawn_curve_is_the_prediction(algorithm):
    run = Run.of(problem(), algorithm())
    if algorithm is KNeighborsRegressor:
        x, y = neighbor_curve(run.fitted, 0.0, 10.0)
    else:
        x, y = step_function(run.fitted.grown, 0.0, 10.0)
    inside = np.flatnonzero(np.diff(x) > 1e-6)
    middle = (x[inside] + x[inside + 1]) / 2
    np.testing.assert_allclose(
        (y[inside] + y[inside + 1]) / 2, run.fitted.predict(middle[:, None]), atol=1e-8
    )


@each_algorithm
def test_several_columns_are_drawn_by_their_predictions(algorithm):
    run = Run.of(problem(features=CARS, frame=load("mtcars").frame, target="mpg"), algorithm())
    scene = knn_tree_scene(run)
    assert scene.panels[0].x.label == "predicted mpg"
    assert not scene.handles
    assert all(frame.caption.endswith(".") for frame in scene.frames)


def test_what_is_asked_about_gets_its_mean_and_its_way():
    table = problem()
    knn = Run.of(table, KNeighborsRegressor(2), query=table.query((5.0, 0.0)))
    scene = knn_tree_scene(knn)
    expected = knn.fitted.predict([[5.0]])[0]
    assert scene.handles[0].y == pytest.approx(expected)
    assert f"= {expected:.4g}" in scene.frames[-1].ledger[-1].text
    tree = Run.of(table, DecisionTreeRegressor(max_leaf_nodes=2), query=table.query((5.0, 0.0)))
    assert "x = 5 ≤ 5.751: node 2" in knn_tree_scene(tree).frames[-1].ledger[-1].text


def test_errors_by_size():
    knn = error_data(Run.of(problem(), KNeighborsRegressor(1)), lambda task: None)
    assert knn.training[0] == 0
    mean = knn.validation.mean(axis=0)
    assert (round(mean[0], 3), round(mean[4], 4)) == (1.004, 0.8653)
    tree = error_data(Run.of(problem(), DecisionTreeRegressor(max_leaf_nodes=5)), lambda task: None)
    assert (np.diff(tree.training) <= 1e-9).all()
    assert (tree.current, set(tree.baselines)) == (5, {"least squares", "model tree"})
    for data, unit in ((knn, "neighbours"), (tree, "leaves")):
        assert unit in plot_errors(data).layout.title.text
    few_rows = Run.of(problem(5), KNeighborsRegressor(1))
    with pytest.raises(ValueError, match="at least 6 rows"):
        error_data(few_rows, lambda task: None)


@each_algorithm
def test_residuals_are_those_of_the_training_rows(algorithm):
    run = Run.of(problem(), algorithm())
    values = np.concatenate([trace.y for trace in residuals(run).data])
    np.testing.assert_allclose(np.sort(values), np.sort(run.problem.y - run.fitted.fitted_))


def test_what_the_presets_say():
    X, y = curve()
    assert round(KNeighborsRegressor().fit(X, y).r2_, 3) == 0.887
    assert round(LinearRegression().fit(X, y).r2_, 3) == 0.382
    assert KNeighborsRegressor(1).fit(X, y).r2_ == 1
    steps = list(DecisionTreeRegressor(max_leaf_nodes=5).steps(X, y))
    assert round(steps[1].split.threshold, 3) == 5.751
    assert [round(steps[i].total, 2) for i in (0, 1, 4)] == [174.48, 60.84, 20.91]
    assert DecisionTreeRegressor().fit(X, y).n_leaves_ == 40
    pruned = DecisionTreeRegressor(ccp_alpha=0.11).fit(X, y)
    assert (pruned.n_leaves_, round(pruned.r2_, 4)) == (5, 0.8801)
    data = curve(120)
    lines = ModelTree().fit(*data)
    assert (lines.n_leaves_, round(lines.r2_, 4)) == (9, 0.8446)
    assert round(ModelTree(smoothing=0.0).fit(*data).r2_, 4) == 0.9318
    X, y = columns(load("mtcars").frame, CARS, "mpg")
    cars = DecisionTreeRegressor(max_leaf_nodes=3, min_samples_leaf=7).fit(X, y)
    assert (cars.n_leaves_, round(cars.r2_, 3)) == (3, 0.741)
    assert round(LinearRegression().fit(X, y).r2_, 3) == 0.855


@pytest.mark.parametrize(
    "link",
    [
        {"source": "library"},
        {
            "source": "generator",
            "generator": "noisy_line",
            "noisy_line.n_samples": "10000",
            "knn_tree_regression.criterion": "weka",
        },
    ],
    ids=["library", "10000 rows"],
)
def test_a_tree_is_drawn_where_no_frame_has_it_before_it_is_pruned(link):
    """Of a long run no frame may have the node that is pruned in another."""
    page = sound(
        visit("knn_tree_regression", **{"knn_tree_regression.method": "Model tree (M5)"}, **link)
    )
    assert ignored(page) == set()
    assert "prune" in {frame["phase"] for frame in stage(page)["frames"]}
