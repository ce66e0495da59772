"""A long run is postponed, announced and stopped; a picture is finer at rest."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import ui.below
from dashboard import runs
from dmlib.classification import KNeighborsClassifier
from dmlib.datasets.reading.process import Reading
from dmlib.problem import prepare
from dmlib.trace import look
from tests.runs import run_of as run_without_steps
from tests.visit import open_part, picture, sentences_of, sound, stage, technique, visit, warnings
from ui.progress import DRAWING

ADVICE = technique("cluster_validity").data.advice


def test_a_page_is_the_same_at_any_speed_within_its_budget(clock):
    usual = picture(sound(visit("kmeans")))
    clock.step = runs.PATIENCE / 6  # the run is put off, and ends within its budget
    page = sound(visit("kmeans"))
    assert picture(page) == usual
    assert DRAWING not in {text.value for text in page.caption}


def test_a_run_that_is_too_long_is_stopped_and_says_so(clock):
    clock.step = runs.DEADLINE / 4
    page = sound(visit("gaussian_mixture"))
    assert any(
        f"stopped after its budget of {runs.DEADLINE:g} seconds, at step" in text
        for text in warnings(page)
    )
    assert len(stage(page)["frames"]) > 1


def test_two_runs_have_no_more_time_than_one(clock):
    clock.step = runs.DEADLINE / 60
    link = {"kmeans.n_init": "10"}
    page = sound(visit("kmeans", pin="kmeans?kmeans.n_init=10&seed=1", **link))
    limits = {text for text in warnings(page) if "stopped after its budget" in text}
    assert len(limits) == 1
    assert f"budget of {runs.DEADLINE / 2:g} second," in limits.pop()
    assert picture(page)["pair"]["ends"][0] > 0


def test_a_run_that_was_stopped_is_continued_to_its_answer(clock):
    link = {"kmeans.n_init": "10"}
    usual = picture(sound(visit("kmeans", **link)))
    clock.step = runs.DEADLINE / 30
    page, stops = sound(visit("kmeans", **link)), []
    while any(button.key == "continue" for button in page.button):
        stops.append(int(re.search(r"budget of \d+ seconds, at step (\d+)", warnings(page)[0])[1]))
        page = sound(page.button(key="continue").click().run())
    assert len(stops) > 1
    assert stops == sorted(set(stops))  # each time it is farther
    assert warnings(page) == []
    clock.step = 0.0
    assert picture(sound(page.run())) == usual


@pytest.mark.parametrize(
    ("slug", "name"), [("graph_clustering", "a.edges"), ("apriori", "a.basket")]
)
def test_a_file_that_takes_too_much_is_refused_and_not_read_again(slug, name, monkeypatch):
    readings = []

    def bounded(*arguments):
        readings.append(arguments)
        return Reading(*arguments, memory=2**12)

    monkeypatch.setattr("ui.reading.Reading", bounded)
    page = visit(slug, source="upload")
    page.file_uploader[0].upload(
        name, b"".join(b"a%d,b%d\n" % (i, i) for i in range(300_000)), "text/csv"
    )
    (refusal,) = sentences_of(sound(page.run()))
    assert refusal.startswith("Reading the file takes more than")
    assert sentences_of(sound(page.run())) == [refusal]
    assert len(readings) == 1


def run_of(n_rows, n_columns):
    """Return a run of the nearest neighbours whose image of the plane is a draft."""
    X = np.random.default_rng(0).normal(size=(n_rows, n_columns))
    frame = pd.DataFrame(X).add_prefix("c").assign(g=np.where(X[:, 0] > 0, "a", "b"))
    problem = prepare(frame, list(frame.columns[:-1]), target="g", labelled=True)
    run = run_without_steps(KNeighborsClassifier(), problem)
    vars(run)["surface"] = SimpleNamespace()  # drawing takes a while, and its cost is known without
    return run


@pytest.mark.parametrize(
    ("n_rows", "n_columns", "finer"), [(150, 4, True), (2000, 10, True), (2000, 50, False)]
)
def test_an_image_gets_finer_by_what_it_costs(n_rows, n_columns, finer):
    assert run_of(n_rows, n_columns).can_be_finer == finer


def test_a_page_without_an_image_of_the_plane_has_no_draft():
    assert stage(visit("pca"))["draft"] is False
    assert stage(visit("knn"))["draft"] is True


@pytest.mark.parametrize(("share", "refused"), [(0.9, False), (1.1, True)])
@pytest.mark.parametrize(
    ("tab", "seconds"), [("Random data", runs.SWEEP), ("Silhouettes", runs.ANSWER)]
)
def test_a_sweep_may_take_longer_than_a_figure_and_not_without_end(
    tab, seconds, share, refused, clock, monkeypatch
):
    """``share`` is that of what the tab may take."""

    def works(*_):
        clock.step = share * seconds / 100
        for _look in range(100):
            look()
        clock.step = 0.0

    page = visit("cluster_validity")
    monkeypatch.setattr(ui.below, "_tab", works)
    sentences = warnings(sound(open_part(page, **{"cluster_validity.tab": tab})))
    assert (
        sentences
        == [f"What this tab shows takes more than {seconds:g} seconds here. {ADVICE}"] * refused
    )
