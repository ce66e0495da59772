"""The page of ensembles: what its presets promise, a query, figures."""

from functools import partial

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.inspection import permutation_importance

from dmlib.classification import RandomForestClassifier
from dmlib.classification.ensembles.figures.importance import (
    importance_data,
    out_of_bag_permutation,
)
from dmlib.classification.ensembles.figures.proximity import proximities, proximity_data
from dmlib.classification.ensembles.figures.single_trees import plot_single_trees, single_trees_data
from tests.classification.ensembles.test_algorithm import TABLES
from tests.visit import open_preset, sound, stage, visit

run_of = partial(open_preset, "ensembles")


def error_on_test_rows(run):
    return float((run.fitted.predict(run.problem.testing.data) != run.problem.testing.y).mean())


def oob_error(run):
    return run.trace.steps[-1].oob_error(np.asarray(run.problem.training.y))


def percent(share):
    return f"{100 * share:.2g} %"


def test_twenty_five_trees():
    run, _, look_for = run_of("Twenty-five trees and their mean")
    single = np.mean(
        [
            (shares.argmax(axis=1) != run.problem.testing.y).mean()
            for shares in run.fitted.each_predict_proba(run.problem.testing.data)
        ]
    )
    assert f"{percent(single)} of the test rows on average" in look_for
    assert f"only {percent(error_on_test_rows(run))}" in look_for
    assert f"out-of-bag error, {percent(oob_error(run))}" in look_for


def test_six_rows():
    run, _, look_for = run_of("Six rows, three bags")
    bags = [" ".join(map(str, sorted(step.bag + 1))) for step in run.trace.steps[1:]]
    assert all(bag in look_for for bag in bags)
    assert oob_error(run) == 0.25


def test_a_forest():
    run, _, look_for = run_of("A forest on noisy moons")
    assert run.fitted.score(*run.problem.training.arguments) == 1
    assert f"The out-of-bag error, {percent(oob_error(run))}" in look_for
    assert f"the test error, {percent(error_on_test_rows(run))}" in look_for


def test_nothing_drawn_at_random():
    run, _, look_for = run_of("Nothing drawn at random")
    shares = np.array(list(run.fitted.each_predict_proba(run.problem.testing.data)))
    assert (shares == shares[0]).all()
    assert f"the test error stays {percent(error_on_test_rows(run))}" in look_for
    assert np.isnan(oob_error(run))
    assert oob_error(run_of("Nothing drawn at random", max_samples=0.5).run) > 0


def test_half_of_the_rows():
    run, _, look_for = run_of("Half of the rows, without replacement")
    assert (
        f"the test error is {percent(error_on_test_rows(run))}, the out-of-bag error"
        f" {percent(oob_error(run))}" in look_for
    )


def test_exclusive_or():
    run, _, look_for = run_of("Exclusive or by bagged stumps")
    assert f"test error is {percent(error_on_test_rows(run))}" in look_for
    assert error_on_test_rows(run_of("Exclusive or by bagged stumps", max_depth=3).run) < 0.2


def test_random_numbers_have_an_importance_by_impurity():
    run, _, look_for = run_of("Heart disease by a forest")
    data = importance_data(run)
    impurity = dict(zip(data.columns, data.impurity, strict=True))
    permutation = dict(zip(data.columns, data.permutation, strict=True))
    assert f"cholesterol gets {percent(impurity['cholesterol'])}" in look_for
    assert f"random numbers {percent(impurity['random numbers'])}" in look_for
    assert abs(permutation["cholesterol"]) < 0.005
    assert abs(permutation["random numbers"]) < 0.005
    assert data.noise == (impurity["random numbers"], permutation["random numbers"])
    assert max(impurity, key=impurity.get) == max(permutation, key=permutation.get) == "thal"
    assert sum(impurity.values()) == pytest.approx(1)


def test_wines_share_leaves():
    run, _, look_for = run_of("Wines that share leaves")
    data = proximity_data(run)
    assert (
        f"in {percent(data.within)} of the trees, of different cultivars in {percent(data.between)}"
        in look_for
    )
    assert f"The out-of-bag error is {percent(oob_error(run))}" in look_for


# --- figures --------------------------------------------------------------------------------------


def test_permutation_ranks_columns_as_scikit_learn_does_on_other_rows():
    X, y = make_classification(
        400, 8, n_informative=3, n_redundant=0, shuffle=False, random_state=0
    )
    model = RandomForestClassifier(40, random_state=0).fit(X[::2], y[::2])
    ours = out_of_bag_permutation(model, X[::2], y[::2], 0)
    theirs = permutation_importance(
        model, X[1::2], y[1::2], n_repeats=5, random_state=0
    ).importances_mean
    assert set(np.argsort(-ours)[:3]) == set(np.argsort(-theirs)[:3]) == {0, 1, 2}
    assert ours.argmax() == theirs.argmax()
    useless = np.column_stack([X[::2], np.zeros(len(X[::2]))])
    model = RandomForestClassifier(20, random_state=0).fit(useless, y[::2])
    assert out_of_bag_permutation(model, useless, y[::2], 0)[-1] == 0


def test_proximities_by_the_definition():
    X, y = TABLES["iris"]
    model = RandomForestClassifier(7, max_depth=3, random_state=0).fit(X, y)
    leaves = np.column_stack([each.apply(X) for each in model.estimators_])
    matrix = proximities(model, X)
    assert matrix[3, 77] == pytest.approx(np.mean(leaves[3] == leaves[77]))
    np.testing.assert_array_equal(matrix, matrix.T)
    assert (np.diag(matrix) == 1).all()


def test_without_test_rows_single_trees_are_judged_out_of_bag():
    data = single_trees_data(run_of("Six rows, three bags").run)
    assert data.part == "out-of-bag"
    assert data.single.tolist() == [0.0, 0.5, 0.0]
    assert data.ensemble == 0.25
    same = single_trees_data(run_of("Nothing drawn at random", test=0).run)
    assert "no out-of-bag error" in plot_single_trees(same).layout.title.text
    assert same.correlation == pytest.approx(1)


@pytest.mark.parametrize("method", ["Bagging", "Random forest"])
def test_a_click_asks_every_tree(method):
    frame = stage(sound(visit("ensembles", query="4,5", **{"ensembles.method": method})))["frames"][
        -1
    ]
    texts = [block["text"] for block in frame["ledger"] if "text" in block]
    assert any("mean probability of" in text for text in texts)
