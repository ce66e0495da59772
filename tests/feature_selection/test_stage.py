"""The stage of feature selection: pictures, captions and ledgers."""

import re
from itertools import pairwise

import numpy as np
import pytest

from dmlib import engine
from dmlib.engine import places
from dmlib.evaluation import models
from dmlib.feature_selection import (
    L0SVM,
    CoverageSelector,
    FilterSelector,
    ProbeSelector,
    RegressorSearch,
    SubsetSearch,
    WrapperSearch,
)
from dmlib.feature_selection.filters import METHODS
from dmlib.feature_selection.scene import feature_selection_scene
from dmlib.pictures.ledger import Formula, LedgerTable
from dmlib.pictures.motion import computed
from dmlib.pictures.words import num
from tests.feature_selection.problems import FIVE, TEN, cars, iris
from tests.pictures.examples import at
from tests.runs import stopped
from tests.visit import sound, stage, visit


def caption_and_text(scene, i=-1):
    frame = scene.frames[i]
    blocks = [b.text if isinstance(b, Formula) else f"{b.title} {b.rows}" for b in frame.ledger]
    return frame.caption, " | ".join(blocks)


def test_the_ledger_has_every_candidate_and_the_formula():
    caption, ledger = caption_and_text(feature_selection_scene(cars(SubsetSearch())), 2)
    assert caption == "cyl joins: AIC falls from 73.22 to 63.2, the best of 4 sets."
    assert all(f"+ {name}" in ledger for name in ("cyl", "hp", "qsec", "am"))
    assert "32 ln(191.172/32) + 2·3 = 63.198" in ledger
    for scoring, formula in (
        ("bic", "ln(32)·4"),
        ("cp", "2·4 ="),
        ("adjusted_r2", "1 − (SSE"),
        ("cv", "fold by fold"),
    ):
        run = cars(SubsetSearch(scoring=scoring, n_features_to_select=3, random_state=0))
        assert formula in caption_and_text(feature_selection_scene(run))[1]


def test_the_best_of_all_sets_is_ringed_if_it_is_asked_for():
    rings = [
        [
            mark
            for mark in feature_selection_scene(cars(SubsetSearch(), options={"all": on})).marks
            if getattr(mark, "hollow", None) is not None
        ]
        for on in (True, False)
    ]
    assert [len(marks) for marks in rings] == [1, 0]
    (ring,) = rings[0]
    assert at(ring.y, -1).tolist() == [3.0]


def test_more_columns_have_a_line_each():
    scene = feature_selection_scene(cars(SubsetSearch(search="backward"), TEN))
    assert scene.panels[0].y.ticks == tuple(TEN[::-1])
    bars = scene.marks[0]
    assert len(at(bars.y0, -1)) == 10
    assert all(np.all(np.asarray(a) <= np.asarray(b)) for a, b in pairwise(bars.x1.rows))


@pytest.mark.parametrize("method", METHODS)
def test_every_filter_writes_out_its_score(method):
    run = cars(FilterSelector(score_func=method))
    scene = feature_selection_scene(run)
    for j in range(5):
        caption, ledger = caption_and_text(scene, j)
        assert FIVE[j] in caption
        (value,) = re.findall(rf"{FIVE[j]}: ([\d.e+−]+?)\.$", caption)
        assert float(value.replace("−", "-")) == pytest.approx(
            run.fitted.scores_[j], rel=1e-3, abs=1e-9
        )
        assert "=" in ledger


@pytest.mark.parametrize(
    "model", [SubsetSearch(), FilterSelector(), ProbeSelector(random_state=0), CoverageSelector()]
)
def test_a_row_that_is_selected_is_told(model):
    usual, chosen = (
        feature_selection_scene(cars(model)),
        feature_selection_scene(cars(model, selected=3)),
    )
    assert "row 4" in caption_and_text(chosen)[1].lower()
    assert "row 4" not in caption_and_text(usual)[1].lower()


def test_a_stopped_run_still_shows_its_data():
    run = cars(SubsetSearch())
    assert len(feature_selection_scene(stopped(run, 0)).frames) == 1
    assert len(feature_selection_scene(stopped(run, 2)).frames) == 2
    search = cars(SubsetSearch(search="best"))
    assert len(feature_selection_scene(stopped(search, 4)).frames) == 4


def test_tables_of_the_ledger_are_narrow():
    for run in (
        cars(SubsetSearch(search="best")),
        cars(ProbeSelector(random_state=0)),
        iris(L0SVM()),
    ):
        for frame in feature_selection_scene(run).frames:
            assert all(
                len(block.head) <= 3 for block in frame.ledger if isinstance(block, LedgerTable)
            )


def test_a_search_with_any_model_tells_its_folds():
    run = cars(RegressorSearch(cv=4, random_state=0))
    caption, ledger = caption_and_text(feature_selection_scene(run), 1)
    assert "joins: cross-validated MSE falls from" in caption
    assert "MSE = (" in ledger
    run = iris(WrapperSearch(classifier="decision_tree", random_state=0))
    caption, ledger = caption_and_text(feature_selection_scene(run), 1)
    assert "joins: cross-validated accuracy rises from" in caption
    assert "accuracy = (" in ledger


# --- slow models ----------------------------------------------------------------------------------


@pytest.fixture
def fits(monkeypatch):
    """Count the fits of models to folds."""
    fits, fit = [], models.predictions

    def counted(*arguments):
        fits.append(arguments)
        return fit(*arguments)

    monkeypatch.setattr(models, "predictions", counted)
    return fits


@pytest.mark.parametrize("classifier", ["random_forest", "decision_tree"])
def test_the_picture_of_a_search_fits_no_more_than_it_can_afford(classifier, fits):
    with engine.brief():
        run = iris(WrapperSearch(classifier=classifier, random_state=0))
    n_scored = run.trace.steps[-1].n_evaluated
    assert len(fits) == 5 * (n_scored - 1)  # without any column nothing is fitted
    fits.clear()
    scene = computed(feature_selection_scene(run))
    slow = classifier == "random_forest"
    assert len(fits) == (0 if slow else 5 * (2**4 - n_scored))
    assert any("too long for all" in note for note in scene.notes) == slow
    accuracy = run.trace.steps[-1].value
    assert f"/ 150 = {num(accuracy)}" in caption_and_text(scene)[1]


def test_a_run_of_a_page_starts_no_processes(monkeypatch):
    """They take as long to start as a run may take."""
    monkeypatch.setattr(places, "_to_a_process", None)
    link = {"method": "Search, classifier", "classifier": "random_forest"}
    page = sound(
        visit(
            "feature_selection",
            **{f"feature_selection.{name}": text for name, text in link.items()},
        )
    )
    assert len(stage(page)["frames"]) > 1
