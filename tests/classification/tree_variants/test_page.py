"""The page of other trees: numbers of its presets, and the figures."""

from functools import partial

import numpy as np
import pytest

from dmlib.classification.tree_variants.figures.missing_values import missing_values_data
from dmlib.classification.tree_variants.figures.variants import variants_data
from dmlib.classification.tree_variants.hole_ledger import Holes
from dmlib.classification.tree_variants.missing import tree_by
from tests.visit import open_preset, sound, visit

run_of = partial(open_preset, "tree_variants")


def error(run):
    X, y = run.problem.testing.arguments
    return f"{100 * (run.fitted.predict(X) != y).mean():.1f} %"


def test_a_line_that_leans():
    run, _, look_for = run_of("A line that leans")
    assert f"{run.fitted.tree_.n_leaves} leaves and {error(run)} test error" in look_for
    data = variants_data(run)
    assert f"needs {data.leaves[0]} leaves for {100 * data.test[0]:.1f} %" in look_for


def test_by_discriminants():
    run, _, look_for = run_of("By discriminants")
    assert run.fitted.search == "lda"
    assert f"also {run.fitted.tree_.n_leaves} leaves and {error(run)}" in look_for
    axis, moved = run.trace.steps[1:3]
    assert f"from {axis.gain:.4f} to {moved.gain:.4f}" in look_for


def test_an_outlier_turns_quest_s_line():
    run, _, look_for = run_of("An outlier turns QUEST's line")
    quest = run_of("An outlier turns QUEST's line", search="quest").run
    X, y = run.problem.training.arguments
    missed = [(each.fitted.predict(X) != y).sum() for each in (quest, run)]
    assert f"misclassifies {missed[0]} of {len(y)} rows" in look_for
    assert missed[1] == run.trace.steps[1].plane.objective == 0
    assert "objective 0, and no row" in look_for


def test_eight_points_two_margins():
    run, _, look_for = run_of("Eight points, two margins")
    step = run.trace.steps[1]
    plane = step.plane
    assert sorted(plane.slacks)[-2:] == pytest.approx([1.5, 1.5])
    margins = [plane.threshold - plane.margin, plane.threshold + plane.margin]
    assert margins == pytest.approx([3, 7])
    assert f"1.5 each: objective {plane.objective:.4g}, gain {step.gain:.4f}" in look_for


def test_quest_densities_along_a_line():
    run, _, look_for = run_of("QUEST: densities along a line")
    step = run.trace.steps[1]
    assert sorted(map(len, step.plane.groups)) == [1, 2]
    assert f"equal at {step.threshold:.4g}. {run.fitted.tree_.n_leaves} leaves" in look_for
    assert f"leaves, {error(run)} test error" in look_for


def test_one_test_a_level():
    run, _, look_for = run_of("One test a level")
    assert f"{run.fitted.tree_.n_leaves} cells, {error(run)} test error" in look_for


def test_soft_borders():
    run, _, look_for = run_of("Soft borders")
    assert f"soft: {error(run)} test error" in look_for
    assert f"crisp tree: {error(run_of('Soft borders', width=0.0).run)}" in look_for


def test_eight_points():
    run, _, look_for = run_of("Eight points, two sums")
    step = next(step for step in run.trace.steps if step.phase == "split")
    assert (
        f"sum to {step.counts[0, 0]:.3f} on the left and {step.counts[1, 0]:.3f} on the right"
        in look_for
    )
    assert f"Gain {step.gain:.4f}" in look_for


def test_rows_arrive():
    run, _, look_for = run_of("Rows arrive, tests change")
    phases = [step.phase for step in run.trace.steps]
    assert look_for.startswith(f"{phases.count('revise')} of {len(run.problem.training.y)} rows")
    early = [i for i, phase in enumerate(phases) if phase == "revise"]
    assert np.median(early) < len(phases) / 2


def test_shall_we_play():
    run, _, look_for = run_of("Shall we play, level by level")
    step = run.trace.steps[1]
    assert f"gain {step.gain:.3g}, p = {step.before:.4g}" in look_for
    assert [step.phase for step in run.trace.steps] == ["start", "level", "level", "stop", "done"]
    assert run.fitted.tree_.n_leaves == 4
    assert (run.fitted.predict(run.problem.training.data) != run.problem.training.y).sum() == 2


def test_no_single_row_helps():
    run, _, look_for = run_of("No single row helps")
    assert run.fitted.tree_.n_leaves == 1
    assert f"leaf: {error(run)} test error" in look_for
    assert f"to 0: {error(run_of('No single row helps', min_gain=0.0).run)}" in look_for


def test_missing_values_are_compared_on_the_table_of_the_page():
    data = missing_values_data(run_of("A line that leans").run)
    assert len(data.errors) == 10
    assert all(np.isfinite(errors[:-1]).all() for errors in data.errors.values())
    assert np.mean([errors[-1] for errors in data.errors.values()]) > np.mean(
        [errors[0] for errors in data.errors.values()]
    )


@pytest.mark.parametrize("mechanism", ["MCAR", "MAR"])
def test_a_row_with_a_hole_is_followed_through_all_ways(mechanism):
    run = run_of("A line that leans").run
    table = Holes.in_run(run, 0.3, mechanism)
    assert table.test.isna().any(axis=1).sum() == len(table.with_holes) > 0
    row = int(table.with_holes[0])
    for prediction in table.predictions(row):
        model, filled, _ = tree_by(prediction.treatment, table.train, table.y, table.test)
        code = int(model.predict(filled.iloc[[row]])[0])
        assert (prediction.predicted, prediction.truth) == (
            run.problem.classes[code],
            run.problem.classes[table.y_test[row]],
        )
        terms, total = prediction.arithmetic.split(" = ", 1)[1].rsplit(" = ", 1)
        products = [
            np.prod([float(number) for number in term.split(" · ")])
            for term in terms.split(" + ")
            if "…" not in term
        ]
        assert (
            sum(products) == pytest.approx(float(total), abs=2e-3)
            or "leaves)" in prediction.arithmetic
        )
    at_root = {prediction.treatment: prediction.at_root for prediction in table.predictions(row)}
    if mechanism == "MCAR":
        assert "is missing: the row is divided" in at_root["fractional"]
        assert at_root["surrogate"].startswith(("Surrogate: ", "No other column"))
        assert "a value of its own" in at_root["category"]
        assert at_root["impute"].startswith("Filled: ")
        assert "training rows have no hole" in at_root["drop"]


def test_holes_are_made_on_the_page():
    page = sound(visit("tree_variants", states={"tree_variants.tab": "A row with a hole"}))
    before = str(page.table[0].value)
    page.slider(key="tree_variants.share").set_value(0.6).run()
    assert str(sound(page).table[0].value) != before
    page.radio(key="tree_variants.mechanism").set_value("MAR").run()
    assert len(sound(page).table[0].value) == 5
