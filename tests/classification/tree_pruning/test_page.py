"""The page of pruning: numbers of its presets, figures, both layouts."""

from functools import partial

import numpy as np
import pytest

from dmlib.classification.tree_pruning.figures.alpha_path import alpha_path_data, plot_alpha_path
from dmlib.classification.tree_pruning.figures.methods import methods_data, plot_methods
from tests.visit import open_preset, panel, sound, stage, turn, visit

run_of = partial(open_preset, "tree_pruning")


def error(run, model=None):
    """Return the test error of a pruned tree, or of the grown one, as a text."""
    X, y = run.problem.testing.arguments
    return f"{100 * ((model or run.fitted).predict(X) != y).mean():.1f} %"


def sizes(run):
    return run.fitted.grown_.get_n_leaves(), run.fitted.n_leaves_


def test_too_many_leaves():
    run, _, look_for = run_of("Too many leaves")
    assert sizes(run) == (23, 3)
    assert f"but {error(run, run.fitted.grown_)} test error" in look_for
    assert f"3 leaves stay: {error(run)}" in look_for
    rows = run.fitted.growing_rows_
    X, y = run.problem.training.arguments
    assert run.fitted.grown_.score(X[rows], y[rows]) == 1


def test_rows_set_apart_decide():
    run, _, look_for = run_of("Rows set apart decide")
    assert sizes(run) == (23, 7)
    assert f"with {error(run)} test error instead of {error(run, run.fitted.grown_)}" in look_for


def test_a_branch_is_raised():
    run, _, look_for = run_of("A branch is raised")
    assert sizes(run) == (13, 4)
    assert [step.phase for step in run.trace.steps].count("raise") == 3
    assert f"from {error(run, run.fitted.grown_)} to {error(run)}" in look_for


def test_bits_that_see_no_pair():
    run, _, look_for = run_of("Bits that see no pair")
    assert sizes(run) == (13, 7)
    assert f"from {error(run, run.fitted.grown_)} to {error(run)}" in look_for
    assert (
        f"Choose error-based: {error(run_of('Bits that see no pair', method='error_based').run)}"
        in look_for
    )


def test_ten_points():
    run = run_of("Ten points, four leaves").run
    assert sizes(run) == (4, 2)
    compared = [step.comparison for step in run.trace.steps[1:-1]]
    assert [
        (comparison.leaf_side, round(comparison.subtree_side, 3)) for comparison in compared
    ] == [(5.5, 3.265), (1.5, 2.561)]
    assert run_of("Ten points, four leaves", method="mdl").run.fitted.n_leaves_ == 1


def test_nothing_to_learn():
    run = run_of("Nothing to learn").run
    assert sizes(run) == (32, 1)
    assert sizes(run_of("Nothing to learn", method="error_based").run) == (32, 26)


def test_who_survived():
    run = run_of("Who survived, in few leaves").run
    assert sizes(run) == (13, 5)
    X, y = run.problem.training.arguments
    rows = run.fitted.growing_rows_
    assert run.fitted.score(X.iloc[rows], y[rows]) >= 0.78
    larger = run_of("Who survived, in few leaves", accuracy=0.8).run
    assert larger.fitted.n_leaves_ > 5
    assert float(error(run).split()[0]) - float(error(larger).split()[0]) < 1


def test_splits_by_chance():
    run, _, look_for = run_of("Splits by chance")
    assert sizes(run) == (23, 6)
    assert f"6 leaves and {error(run)}" in look_for
    usual = run_of("Splits by chance", significance=0.05).run
    assert f"{usual.fitted.n_leaves_} leaves and {error(usual)}" in look_for


def test_all_methods_prune_the_same_tree():
    run = run_of("Too many leaves").run
    data = methods_data(run)
    assert data.grown == 23
    assert dict(zip(data.names, data.leaves, strict=True))["reduced error"] == 7
    assert data.differs[data.current] == ""
    spread = max(data.test) - min(data.test)
    assert round(100 * spread) == 12  # as the lesson says
    words = plot_methods(data).layout.title.text.replace("<br>", " ")
    assert (
        "15.6 %: cost-complexity (3 leaves), MDL (3 leaves)" in words
    )  # both, as they are equally good
    without = methods_data(run_of("Ten points, four leaves").run)
    assert without.leaves[1] is None


def test_the_alpha_path_is_that_of_the_picture_and_drawn_for_other_methods_too():
    run = run_of("Too many leaves").run
    data = alpha_path_data(run)
    assert data.path.n_leaves[data.chosen] == run.fitted.n_leaves_
    words = plot_alpha_path(data).layout.title.text.replace("<br>", " ")
    assert "smallest with 4 leaves; within 1 standard error with 3 leaves" in words
    of_reduced_error = alpha_path_data(run_of("Rows set apart decide").run)
    np.testing.assert_allclose(of_reduced_error.path.cv_errors, data.path.cv_errors)
    np.testing.assert_allclose(of_reduced_error.test, data.test)


@pytest.mark.parametrize(
    ("large", "names"), [("trees", ["before", "after"]), ("regions", ["data", "after"])]
)
def test_what_is_large_can_be_chosen(large, names):
    scene = stage(sound(visit("tree_pruning", **{"tree_pruning.large": large})))
    assert [panel["name"] for panel in scene["panels"] if not panel.get("side")] == names


def test_what_chooses_alpha_is_idle_while_alpha_is_chosen():
    def idle(page):
        return {
            name
            for name, control in panel(sound(page)).items()
            if control.get("idle", "").startswith("α is chosen")
        }

    page = visit("tree_pruning")
    assert idle(page) == set()
    page = turn(page, "tree_pruning.ccp_alpha", "0.0")
    assert idle(page) == {"tree_pruning.cv", "tree_pruning.standard_errors"}
    assert idle(turn(page, "tree_pruning.ccp_alpha", "None")) == set()
    link = {"tree_pruning.ccp_alpha": "0.0", "tree_pruning.method": "pessimistic"}
    assert (
        idle(visit("tree_pruning", **link)) == set()
    )  # where no alpha is asked for, standard errors count


@pytest.mark.parametrize(
    ("title", "settings", "n_leaves", "error"),
    [
        ("A leaf costs an error", {}, 3, "15.6 %"),
        ("A leaf costs an error", {"leaf_penalty": 0.5}, 11, "27.8 %"),
        ("Bits of names", {}, 23, "25.6 %"),
        ("Bits of names", {"encoding": "mehta"}, 3, "15.6 %"),
    ],
)
def test_the_price_of_a_leaf(title, settings, n_leaves, error):
    opened = open_preset("tree_pruning", title, **settings)
    assert opened.run.fitted.n_leaves_ == n_leaves
    assert f"test error {error}" in opened.scene["frames"][-1]["caption"]


def test_the_methods_are_compared_by_their_bits():
    data = methods_data(open_preset("tree_pruning", "Bits of names").run)
    bits = dict(zip(data.names, data.bits, strict=True))
    assert (data.grown_bits, bits["pessimistic"]) == (45, 85)
    assert data.bits[data.current] == min(bits.values()) == 45
