"""The page of Bayesian networks: its presets show what they promise."""

import numpy as np
import pytest

from dmlib.classification import BayesianNetworkClassifier, ExactInference
from tests.visit import linked, open_preset, panel, sound, stage, technique, visit

PRESETS = {preset.title: preset for preset in technique("bayesian_network").presets}


def run_of(title, **settings):
    """Open a preset as a link; return the run on the page, its captions, and what to look for."""
    run, scene, look_for = open_preset("bayesian_network", title, **settings)
    return run, [frame["caption"] for frame in scene["frames"]], look_for


def other_run(title):
    """Return the run that is pinned at the left of a preset."""
    changes = dict(PRESETS[title].pin)
    return run_of(title, **{PREFIXED.get(name, name): value for name, value in changes.items()})[0]


PREFIXED = {name: f"bayesian_network.{name}" for name in ("structure", "strategy")}


def error(run, part="testing"):
    rows = getattr(run.problem, part)
    return 100 * (run.fitted.predict(rows.data) != rows.y).mean()


def test_the_weather():
    run, captions, look_for = run_of("The weather with a tree")
    values = [run.problem.value(j, x) for j, x in enumerate(run.query.x)]
    assert values == ["sunny", "cool", "high", "TRUE"]
    *_, last = run.fitted.explain_steps(run.problem.table(run.query.x[None]))
    yes, no = np.exp(last.log_joint)
    assert f"{yes:.4g} for yes and {no:.4g} for no: yes, with probability" in look_for
    assert f"probability {last.posterior[0]:.4f}" in look_for
    assert len(run.fitted.edges_) == 3
    assert any("outlook – temperature has the most" in caption for caption in captions)
    assert f"{run.fitted.information_[0, 1]:.4f} bits" in look_for


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("Two neighbours call", "0.2842"),
        ("Wet grass, state by state", "0.7079"),
        ("Rain explains the wet grass away", "0.1945"),
        ("Heart disease, given the blood pressure", "0.5862"),
        ("Enumeration and elimination", "0.6213"),
    ],
)
def test_queries(title, number):
    run, captions, look_for = run_of(title)
    assert isinstance(run.fitted, ExactInference)
    assert f"{run.fitted.probabilities_[0]:.4f}" == number
    assert number in look_for
    assert f"{number} for yes" in captions[-1]


def test_explaining_away():
    before = other_run("Rain explains the wet grass away").fitted.probabilities_[0]
    assert f"{before:.4f}" in PRESETS["Rain explains the wet grass away"].look_for


def test_heart_disease_with_less_evidence():
    settings = {"heart_network.diet": "-", "heart_network.exercise": "-"}
    run, _, look_for = run_of("Heart disease, given the blood pressure", **settings)
    assert f"{run.fitted.probabilities_[0]:.4f}" in look_for


def test_enumeration_takes_more_multiplications():
    title = "Enumeration and elimination"
    run, other = run_of(title)[0], other_run(title)
    assert f"{other.fitted.n_products_} multiplications" in PRESETS[title].look_for
    assert f"elimination {run.fitted.n_products_}." in PRESETS[title].look_for
    assert run.fitted.probabilities_ == pytest.approx(other.fitted.probabilities_)


@pytest.mark.parametrize(
    "title", ["Exclusive or needs an edge", "Penguins with and without a tree"]
)
def test_a_tree_has_the_smaller_error(title):
    run, other = run_of(title)[0], other_run(title)
    assert other.model.structure == "naive"
    for each in (run, other):
        assert f"{error(each):.1f} %".replace(".0", "") in PRESETS[title].look_for
    assert error(run) < error(other) / 3


def test_three_sizes_are_not_counted_three_times():
    title = "Three sizes of one cell, joined"
    run, other = run_of(title)[0], other_run(title)
    data = run.problem.training.data
    sure = [(each.fitted.predict_proba(data).max(axis=1) > 0.99).mean() for each in (run, other)]
    assert sure[0] == 0
    assert sure[1] > 0.6


def test_unknown_values_are_summed_out():
    run, captions, look_for = run_of("What is unknown is summed out")
    assert run.query.sample == 3
    assert any("its factor waits for bill_length_mm" in caption for caption in captions)
    assert sum("its table gives 1" in caption for caption in captions) == 2
    proba = run.fitted.predict_proba(run.problem.table(run.query.x[None]))[0]
    assert f"{proba.max():.4f}" in look_for


def test_parity_has_no_informative_pair():
    run, _, _ = run_of("Four bits and their parity")
    assert run.fitted.information_.max() == 0
    assert run.fitted.predict_proba(run.problem.data) == pytest.approx(np.full((16, 2), 0.5))


def test_more_states_than_patients():
    title = "More states than patients"
    run, _, look_for = run_of(title)
    naive = BayesianNetworkClassifier("naive", n_bins=10).fit(*run.problem.training.arguments)
    held_out = run.problem.testing
    assert f"{error(run, 'training'):.1f} %" in look_for
    assert f"{error(run):.1f} %" in look_for
    assert f"{100 * (naive.predict(held_out.data) != held_out.y).mean():.1f} %" in look_for


def test_what_is_observed_is_chosen_with_the_data():
    link = linked("bayesian_network", PRESETS["Two neighbours call"].settings)
    page = sound(visit("bayesian_network", **link))
    assert "0.2842 for yes, 0.7158 for no." in stage(page)["frames"][-1]["caption"]
    assert "bayesian_network.order" in panel(page)
    link["burglary.mary_calls"] = "-"
    assert "0.7158" not in stage(sound(visit("bayesian_network", **link)))["frames"][-1]["caption"]
