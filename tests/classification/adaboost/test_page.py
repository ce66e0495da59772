"""The page of boosting: what its presets promise, queries, figures."""

from functools import partial

import numpy as np
import pytest

from dmlib.classification.adaboost.figures.error_by_round import error_by_round_data
from dmlib.classification.adaboost.figures.importance import importance_data
from dmlib.classification.adaboost.figures.margins import margins_data
from tests.visit import open_preset, sound, stage, visit, watched_runs

run_of = partial(open_preset, "adaboost")


def errors(run, part="testing"):
    """Return the error after each round."""
    rows = getattr(run.problem, part)
    return [1 - score for score in run.fitted.staged_score(rows.data, rows.y)]


def percent(share):
    return f"{100 * share:.2g} %"


def test_stumps_that_vote():
    run, _, look_for = run_of("Stumps that vote")
    assert errors(run, "training").index(0.0) == 12
    assert f"after {12 + 1} rounds" in look_for
    test = errors(run)
    assert f"from {percent(test[9])} after 10 rounds to {percent(test[49])} after 50" in look_for
    codes = np.asarray(run.problem.training.y)
    assert (
        np.sort(run.trace.steps[50].margins(codes))[0]
        > np.sort(run.trace.steps[13].margins(codes))[0]
    )


def test_ten_points():
    run, _, look_for = run_of("Ten points, three stumps")
    stumps = [(step.estimator.tree_.threshold[0], step.error) for step in run.trace.steps[1:]]
    assert all(f"{cut:.4g}" in look_for and f"{error:.4g}" in look_for for cut, error in stumps)
    assert errors(run, "training")[-1] == 0


def test_noise_that_grows_heavy():
    run, _, look_for = run_of("Noise that grows heavy")
    test = errors(run)
    assert f"is {percent(test[2])} after 3 rounds and {percent(test[99])} after 100" in look_for
    slow = run_of("Noise that grows heavy", learning_rate=0.1).run
    assert look_for.strip().endswith(f"to 0.1: {percent(errors(slow)[-1])}.")


def test_exclusive_or():
    run, _, look_for = run_of("Exclusive or by stumps")
    assert f"{percent(errors(run, 'training')[-1])} of the training rows" in look_for
    assert f"{percent(errors(run)[-1])} of the test rows" in look_for
    assert f"still {run.trace.steps[-1].bound:.2f}" in look_for
    deep, _, look_for = run_of("Exclusive or by trees of depth 2")
    assert f"after {errors(deep, 'training').index(0.0) + 1} rounds" in look_for
    assert deep.trace.steps[-1].phase == "perfect"
    assert f"round {len(deep.trace.steps) - 1} misclassifies no row" in look_for


def test_four_corners():
    run = run_of("Four corners, no stump helps").run
    assert [step.phase for step in run.trace.steps] == ["start", "stop"]
    assert errors(run_of("Four corners, no stump helps", max_depth=2).run, "training")[-1] == 0


def test_five_classes():
    run, _, look_for = run_of("Five classes: M1 and SAMME")
    assert run.trace.steps[-1].phase == "stop"
    assert f"{percent(run.trace.steps[1].error)} of the weight" in look_for
    samme = run_of("Five classes: M1 and SAMME", multiclass="samme").run
    assert look_for.strip().endswith(f"test error is {percent(errors(samme)[-1])}.")


def test_shall_we_play():
    run, _, look_for = run_of("Shall we play, by ten stumps")
    wrong = [round(14 * error) for error in errors(run, "training")]
    assert f"After {wrong.index(0) + 1} rounds no day" in look_for
    assert (wrong[8], wrong[9]) == (2, 0)
    assert run.fitted.estimator_weights_[:3].round(4).tolist() == [
        0.5878,
        0.9555,
        1.1192,
    ]  # as Weka's


def test_residuals_and_shrinkage():
    run, _, look_for = run_of("Residuals as targets")
    assert f"to {percent(errors(run)[-1])} after 100 rounds" in look_for
    fast = run_of("Residuals as targets", learning_rate=1).run
    assert look_for.strip().endswith(f"to 1: {percent(errors(fast)[-1])}.")
    rough, _, look_for = run_of("Without shrinkage")
    assert f"{percent(errors(rough)[-1])} are misclassified after 50" in look_for
    shrunk = run_of("Without shrinkage", learning_rate=0.1).run
    assert look_for.strip().endswith(f"to 0.1: {percent(errors(shrunk)[-1])}.")


# --- the rest of the page -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "total"), [("AdaBoost", "so the class is"), ("gradient boosting", "1 / (1 + e^−F)")]
)
def test_a_click_adds_up_the_votes(method, total):
    frame = stage(sound(visit("adaboost", query="4,5", **{"adaboost.method": method})))["frames"][
        -1
    ]
    texts = [block["text"] for block in frame["ledger"] if "text" in block]
    assert total in texts[-1]
    with watched_runs() as runs:
        visit("adaboost", query="4,5", **{"adaboost.method": method})
    run = runs[-1]
    name = run.problem.classes[int(run.fitted.predict(run.query.x[None])[0])]
    assert texts[-1].endswith(f"so the class is {name}")


def test_figures_say_what_the_rounds_are():
    run = run_of("Stumps that vote").run
    data = error_by_round_data(run.problem, run.fitted)
    np.testing.assert_allclose(data.training, errors(run, "training"))
    np.testing.assert_allclose(data.test, errors(run))
    assert len(data.validation) == 50
    of_rounds = margins_data(run)
    assert of_rounds.rounds[-1] == 50
    assert of_rounds.margins[-1][0] > of_rounds.margins[0][0]
    assert sum(importance_data(run).importance) == pytest.approx(1)
