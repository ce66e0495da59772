"""The page of Bayesian networks: its presets show what they promise."""

import numpy as np
import pytest

from dmlib.classification import BayesianNetworkClassifier, ExactInference
from dmlib.datasets import load, read_network
from dmlib.outputs import network_bif
from tests.contract.test_lessons import section, text_of
from tests.datasets.test_bif import ASIA
from tests.visit import (
    ignored,
    linked,
    open_preset,
    panel,
    picture,
    reopened,
    sentences_of,
    sound,
    stage,
    technique,
    visit,
    watched_runs,
)

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


# --- networks of the reader's own -----------------------------------------------------------------

QUERY = {"bayesian_network.method": "Query a network"}


def upload(content, name="own.bif", **settings):
    page = visit("bayesian_network", source="upload", **QUERY, **settings)
    page.file_uploader[0].upload(name, content, "application/octet-stream")
    with watched_runs() as runs:
        sound(page.run())
    return page, runs


def test_counted_on_the_titanic():
    title = "Counted on the Titanic"
    run, captions, look_for = run_of(title)
    lesson = section(text_of("bayesian_network"), "Networks of your own")
    share = dict(zip(("yes", "no"), run.fitted.probabilities_, strict=True))["yes"]
    assert share == pytest.approx(141 / 145)
    assert f"{share:.4f}" in look_for
    assert f"**{share:.4f}**" in lesson
    assert f"{share:.4f} for yes" in captions[-1]
    smoothed = run_of(title, **{"network.laplace": 1.0})[0].fitted.probabilities_[0]
    assert smoothed == pytest.approx(142 / 147)
    assert f"{smoothed:.4g}" in look_for
    assert f"**{smoothed:.4g}**" in lesson
    frame = load("titanic").frame
    women = frame[(frame["class"] == "1st") & (frame["sex"] == "female")]
    assert (len(women), (women["survived"] == "yes").sum()) == (145, 141)


def test_a_missing_edge():
    title = "A missing edge is an assumption"
    run, _, look_for = run_of(title)
    women = run.problem.by_name["sex"].values.index("female")
    assert f"{run.fitted.probabilities_[women]:.4f}" in look_for
    edges = "class -> survived; sex -> survived; class -> sex"
    joined = run_of(title, **{"network.edges": edges})[0]
    assert joined.fitted.probabilities_[women] == pytest.approx(23 / 885)
    assert "23 of 885" in look_for
    assert f"{23 / 885:.4g}" in look_for


def test_a_file_in_bif_is_asked():
    page, runs = upload(ASIA.encode())
    assert ignored(page) == set()
    assert runs[-1].problem.target == "asia"
    assert runs[-1].fitted.probabilities_[0] == pytest.approx(0.01)
    settings = {"network_file.target": "lung", "network_file.observed.xray": "yes"}
    page, runs = upload(ASIA.encode(), **settings)
    assert runs[-1].problem.evidence == {"xray": "yes"}
    assert runs[-1].fitted.probabilities_[0] == pytest.approx(0.055 * 0.98 / 0.11029004)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\x00\x01",
        b"network x {",
        ASIA[:700].encode(),
        ASIA.replace("0.05, 0.95", "0.05, 0.9").encode(),
        ASIA.replace("( asia )", "( asia | dysp )").encode(),
    ],
)
def test_a_file_that_is_wrong_gets_a_sentence(content):
    page, _ = upload(content)
    (sentence, *_) = sentences_of(page)
    assert sentence.endswith((".", "\u201d"))


def test_names_of_a_file_are_no_markdown_and_no_settings():
    names = "target", "![x](//a.org/x)", "$\\frac$ :red[c]", "known"
    blocks = [
        f'variable "{name}" {{ type discrete [ 2 ] {{ "<img src=x>", "b" }}; }}\n'
        f'probability ( "{name}" ) {{ table 0.25, 0.75; }}\n'
        for name in names
    ]
    page, runs = upload("".join(blocks).encode(), **{"network_file.target": "known"})
    assert runs[-1].problem.names == names
    assert ignored(page) == set()
    labels = [box.label for box in page.selectbox]
    assert not any("![x](" in label or "$\\frac$" in label for label in labels)
    assert "target" in labels


def test_short_names_of_a_file_are_no_markdown_either():
    blocks = [
        f'variable "{name}" {{ type discrete [ 2 ] {{ "$x$", "b" }}; }}\n'
        f'probability ( "{name}" ) {{ table 0.25, 0.75; }}\n'
        for name in ("![](//a.b/c)", "y")
    ]
    page, runs = upload("".join(blocks).encode())
    assert runs[-1].problem.names == ("![](//a.b/c)", "y")
    offered = [option for group in page.button_group for option in map(str, group.options)]
    assert not any("![" in option or "$" in option for option in offered)


def test_a_table_of_ones_own_needs_edges():
    table = b"rain,grass\ny,wet\ny,wet\nn,dry\nn,wet\n"
    page, _ = upload(table, "days.csv")
    assert "rain, grass" in " ".join(sentences_of(page))
    edges = {"network.edges": "rain -> grass", "network.laplace": "0"}
    page, runs = upload(table, "days.csv", **edges)
    assert runs[-1].problem.target == "grass"
    assert runs[-1].fitted.probabilities_ == pytest.approx([0.25, 0.75])


@pytest.mark.parametrize("edges", ["class -> nothing", "sex -> sex", "<b> -> $x$", "->;->", ""])
def test_edges_that_are_wrong_get_a_sentence(edges):
    page = sound(visit("bayesian_network", source="draw", **QUERY, **{"network.edges": edges}))
    assert sentences_of(page)


def test_another_table_begins_with_edges_of_its_own():
    link = {"network.table": "tax", **QUERY}
    page = sound(visit("bayesian_network", source="draw", **link))
    assert len(stage(page)["frames"]) > 1
    assert picture(reopened(page)) == picture(page)


def test_the_network_can_be_taken_along():
    with watched_runs() as runs:
        sound(visit("bayesian_network", data="asia", **QUERY))
    nodes = runs[-1].problem.nodes
    text = network_bif(nodes)
    again = read_network(text.encode(), "model.bif").nodes
    assert [node.name for node in again] == [node.name for node in nodes]
    _, others = upload(text.encode(), **{"network_file.target": "lung_cancer"})
    assert others[-1].fitted.probabilities_ == pytest.approx(runs[-1].fitted.probabilities_)
