"""The page of support vector machines: presets show what they promise; runs that end early."""

from functools import partial
from unittest import mock

import numpy as np
import pytest

from dmlib.classification.svm.figures.lifted_space import lifted_space_data
from tests.visit import (
    open_part,
    open_preset,
    panel,
    plain,
    sentences_of,
    sound,
    stage,
    visit,
    watched_runs,
)
from ui.below import NO_ANSWER

run_of = partial(open_preset, "svm")


def error(run, part="testing"):
    rows = getattr(run.problem, part)
    return float((run.fitted.predict(rows.X) != rows.y).mean())


def width(run):
    return 2 / float(np.linalg.norm(run.fitted.coef_))


def test_the_widest_street():
    run, _, look_for = run_of("The widest street")
    assert run.trace.steps[-1].iteration == 3
    assert len(run.fitted.support_) == 2
    assert f"{width(run):.3f} wide" in look_for
    wide = run_of("The widest street", C=0.01).run
    assert f"to {width(wide):.1f}, with {len(wide.fitted.support_)} support vectors" in look_for


def test_the_price_of_a_row():
    dear, _, look_for = run_of("The price of a row")
    cheap = run_of("The price of a row", C=1).run
    assert width(dear) == pytest.approx(0.2)
    assert width(cheap) > 3 * width(dear)
    assert f"{error(dear):.1%}".replace("%", " %") in look_for
    assert f"to {error(cheap):.1%}".replace("%", " %") in look_for
    wide = run_of("The price of a row", C=0.01).run
    assert f"At 0.01 it is {error(wide):.1%}".replace("%", " %") in look_for


def test_islands():
    run, _, look_for = run_of("Islands")
    assert f"{len(run.fitted.support_)} of {len(run.problem.training.X)}" in look_for
    assert error(run, "training") == 0
    assert f"{error(run):.0%}".replace("%", " %") in look_for


def test_flat_in_the_lifted_space():
    run = run_of("Flat in the lifted space").run
    data = lifted_space_data(run.problem, run.fitted)
    assert (data.n_dimensions, data.instead) == (3, "")
    assert ((data.decision > 0) == (run.problem.y == 1)).all()
    straight = run_of("Flat in the lifted space", kernel="linear").run
    assert error(straight, "training") > 0.3


def test_xor_is_one_product():
    run, _, look_for = run_of("XOR is one product")
    straight = run_of("XOR is one product", kernel="linear").run
    assert f"{error(run, 'training'):.1%}".replace("%", " %") in look_for
    assert f"{error(straight, 'training'):.1%}".replace("%", " %") in look_for
    # In the lifted space, the weight of the product outdoes those of the squares.
    data = lifted_space_data(run.problem, run.fitted)
    w, *_ = np.linalg.lstsq(
        np.column_stack([data.places, np.ones(len(data.places))]), data.decision, rcond=None
    )
    assert np.abs(w[2]) > 5 * np.abs(w[:2]).max()


def test_a_share_instead_of_a_price():
    run, _, look_for = run_of("A share instead of a price")
    n = len(run.problem.training.X)
    y = np.where(run.problem.training.y == 1, 1, -1)
    inside = np.mean(y * run.fitted.decision_function(run.problem.training.X) < 1 - 1e-6)
    assert f"{inside:.0%}".replace("%", " %") in look_for
    assert f"{len(run.fitted.support_) / n:.0%}".replace("%", " %") in look_for
    assert f"C = {np.abs(run.fitted.dual_coef_).max():.3f}" in look_for


def test_two_columns_two_units():
    raw, _, look_for = run_of("Two columns, two units")
    scaled = run_of("Two columns, two units", scaling="z-score").run
    assert f"{error(raw):.0%}".replace("%", " %") in look_for
    assert f"{error(scaled):.1%}".replace("%", " %") in look_for


def test_no_inner_product():
    run, _, look_for = run_of("No inner product")
    moves = [(step, step.move) for step in run.trace.steps if step.move]
    X = run.problem.training.X
    flat = [
        (K[0, 0] + K[1, 1] - 2 * K[0, 1]) <= 0
        for step, move in moves
        for K in [step.kernel(*[X[step.rows[[move.i, move.j]]]] * 2)]
    ]
    assert np.mean(flat) > 0.5
    last = run.trace.steps[-1]
    assert (last.alpha == last.bound).all()
    assert f"all {len(last.alpha)}" in look_for
    assert f"{error(run, 'training'):.0%}".replace("%", " %") in look_for


# --- the rest of the page -------------------------------------------------------------------------


def last_ledger(**link):
    return str(stage(sound(visit("svm", **link)))["frames"][-1]["ledger"])


def test_a_click_adds_the_decision_value_up():
    assert "so the class is" in last_ledger(query="4,5")
    assert "so the class is" not in last_ledger()


@pytest.mark.parametrize(
    ("method", "own", "foreign"), [("C-SVM", "svm.C", "svm.nu"), ("ν-SVM", "svm.nu", "svm.C")]
)
def test_each_method_has_its_own_control(method, own, foreign):
    controls = panel(visit("svm", **{"svm.method": method}))
    assert own in controls
    assert foreign not in controls


def test_impossible_shares_are_refused_with_the_largest_one():
    link = {"data": "iris", "source": "library", "svm.method": "ν-SVM", "svm.nu": "0.9"}
    (sentence,) = sentences_of(sound(visit("svm", **link)))
    assert "Make nu at most 0.667" in sentence


def test_a_limit_of_pairs_is_told():
    page = sound(visit("svm", **{"svm.max_iter": "5"}))
    caption = stage(page)["frames"][-1]["caption"]
    assert "The limit of 5 moves was reached" in caption
    open_part(page, **{"svm.tab": "Checked against"})
    (message,) = page.info
    assert plain(message.value).startswith("Not comparable: the run did not converge")


@pytest.mark.parametrize(
    "tab", ["Confusion matrix", "Error against C, ν, γ", "Checked against", "Data"]
)
def test_a_run_that_was_cut_off_is_not_fitted_for_its_tabs(tab):
    with mock.patch("dashboard.runs.MAX_STEPS", 5), watched_runs() as runs:
        page = visit("svm", **{"svm.max_iter": "-1"})
        open_part(page, **{"svm.tab": tab})
    sound(page)
    assert not runs[-1].trace.complete
    assert "fitted" not in vars(runs[-1])
    assert tab == "Data" or NO_ANSWER in {text.value for text in page.caption}
