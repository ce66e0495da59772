"""The page of naive Bayes: its presets show what they promise, and rows are classified."""

import numpy as np
import pytest

from dmlib.pictures.ledger import LedgerTable
from tests.visit import linked, open_preset, plain, sound, stage, technique, visit, watched_runs

PRESETS = {preset.title: preset for preset in technique("naive_bayes").presets}


def run_of(title, **settings):
    """Open a preset as a link; return the run on the page, its captions, and what to look for."""
    run, scene, look_for = open_preset("naive_bayes", title, **settings)
    return run, [frame["caption"] for frame in scene["frames"]], look_for


def error(run, part="training"):
    samples = getattr(run.problem, part)
    return (run.fitted.predict(samples.data) != samples.y).mean()


def wrong(run):
    return (run.fitted.predict(run.problem.data) != run.problem.y).sum()


def sure(run):
    return (run.fitted.predict_proba(run.problem.training.data).max(axis=1) > 0.99).mean()


def test_weather():
    run, captions, look_for = run_of("The weather, by hand")
    values = [run.problem.value(j, x) for j, x in enumerate(run.query.x)]
    assert values == ["sunny", "cool", "high", "TRUE"]
    *_, last = run.fitted.explain_steps(run.problem.table(run.query.x[None]))
    yes, no = np.exp(last.log_joint)
    assert (round(yes, 4), round(no, 4)) == (0.0053, 0.0206)
    assert last.posterior.round(3).tolist() == [0.205, 0.795]
    assert "0.0053 for yes and 0.0206 for no, so the probabilities are 0.205 and 0.795" in look_for
    assert captions[-1].endswith("the place is predicted no, with probability 0.7954.")


@pytest.mark.parametrize(
    "smoothing", [{"naive_bayes.laplace": "1"}, {"naive_bayes.m_estimate": "3"}], ids=["1", "m"]
)
def test_zero(smoothing):
    _, captions, _ = run_of("One zero decides")
    assert any("one zero makes the whole product zero" in caption for caption in captions)
    run, captions, _ = run_of("One zero decides", **smoothing)
    assert not any("zero" in caption for caption in captions)
    assert run.fitted.predict_proba(run.problem.table(run.query.x[None]))[0].min() > 0


def test_missing_values():
    run, captions, _ = run_of("Missing values are skipped")
    assert run.query.sample == 3
    assert [caption.split()[0] for caption in captions if "skipped" in caption] == [
        "bill_length_mm",
        "bill_depth_mm",
        "sex",
    ]
    assert len(run.problem.X) == 344
    page = visit(
        "naive_bayes", **linked("naive_bayes", PRESETS["Missing values are skipped"].settings)
    )
    assert "11 of 344 rows have missing values" in plain(
        " ".join(caption.value for caption in page.caption)
    )


def test_three_sizes():
    run, _, look_for = run_of("Three sizes of one cell")
    single, _, _ = run_of("Three sizes of one cell", **{"breast_cancer.features": ["mean_radius"]})
    assert (round(100 * sure(run)), round(100 * sure(single))) == (74, 15)
    assert "74 % of the rows" in look_for
    assert "alone 15 % do" in look_for
    assert wrong(run) == wrong(single)


def test_exclusive_or():
    run, _, _ = run_of("Exclusive or")
    assert error(run) > 0.45
    mean, sd = run.fitted.theta_, np.sqrt(run.fitted.var_)
    assert (np.abs(np.diff(mean, axis=0)) < 0.35 * sd).all()


def test_curves_or_intervals():
    run, captions, look_for = run_of("Curves or intervals")
    amphibian = run.problem.classes.index("amphibian")
    assert (run.problem.training.X[run.problem.training.y == amphibian] == 4).all()
    assert run.fitted.predict([[4.0]])[0] == amphibian
    assert "amphibian" in captions[-1]
    assert round(error(run), 2) == 0.54
    assert (
        round(error(run_of("Curves or intervals", **{"naive_bayes.numeric": "interval"})[0]), 2)
        == 0.27
    )
    assert "from 0.54 to 0.27" in look_for


def test_one_inside_the_other():
    run, _, _ = run_of("One class inside the other")
    assert error(run) < 0.02
    assert error(run, "testing") == 0
    sd = np.sqrt(run.fitted.var_)
    assert (np.abs(np.diff(run.fitted.theta_, axis=0)) < 0.4 * sd.min(axis=0)).all()
    assert (sd.max(axis=0) > 1.5 * sd.min(axis=0)).all()


def test_a_clicked_row_gets_its_own_product():
    with watched_runs() as runs:
        page = sound(visit("naive_bayes", point="7"))
    assert "row 7 is predicted setosa" in stage(page)["frames"][-1]["caption"]
    frames = technique("naive_bayes").scene(runs[-1]).frames
    assert any(
        isinstance(block, LedgerTable) and block.title == "Asked about: row 7"
        for block in frames[-1].ledger
    )
