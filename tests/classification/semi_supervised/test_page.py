"""The page of semi-supervised learning: its presets and its lesson say what is so."""

import re

import numpy as np
import pytest
from sklearn.base import clone

from dashboard.tools.ask_labels import parse_rows
from dmlib.classification import ActiveLearner, LabelPropagation, SelfTrainingClassifier
from dmlib.classification.semi_supervised.figures.methods_by_labels import (
    ALONE,
    methods_by_labels_data,
    plot_methods_by_labels,
)
from dmlib.classification.semi_supervised.figures.strategies_by_labels import (
    plot_strategies_by_labels,
    strategies_by_labels_data,
)
from dmlib.classification.semi_supervised.random_order_scene import random_order_errors
from dmlib.classification.semi_supervised.reference import semi_supervised_reference
from dmlib.classification.semi_supervised.scene import semi_supervised_scene
from dmlib.comparison import Incomparable
from dmlib.pictures.marks import Line, Points, Raster
from dmlib.pictures.run import Run
from tests.contract.test_lessons import section, text_of
from tests.pictures.examples import at, formulas, marks, tables
from tests.runs import stopped
from tests.visit import open_preset, panel, sound, stage, turn, visit

SLUG = "semi_supervised"


def run_of_preset(title):
    """Return the run of a preset, and what there is to look for."""
    run, _, look_for = open_preset(SLUG, title)
    return run, look_for


def error(run, **changed):
    """Return the misclassified rows of a run with other settings."""
    model = clone(run.model).set_params(**changed)
    return model.fit(*run.problem.training.arguments).error_.tolist()


# Presets and lesson
# ---------------------------------------------------------------------------------------------


def test_two_moons():
    run, look_for = run_of_preset("Two moons, one label each")
    assert run.fitted.error_.tolist() == [0, 98]
    assert run.fitted.n_labels_ == 2
    assert "all 98 others are right" in look_for


def test_six_points_by_hand():
    run, look_for = run_of_preset("Six points by hand")
    start, first, second, _ = semi_supervised_scene(run).frames
    text = section(text_of(SLUG), "By hand")
    assert formulas(first)[0] == "P(A | row 2) = 1 / 1.143 = 0.875"
    assert formulas(second)[0] == "P(A | row 3) = (1 + 0.5) / 1.7 = 0.8824"
    new = tables(second)["New labels"].rows
    assert [(row, p, label, truth) for row, p, label, truth in new] == [
        (3, 0.8824, "A", "A"),
        (4, 0.7692, "B", "A"),
    ]
    for number in ("0.875", "0.8824", "0.7692"):
        assert f"**{number}**" in text
    assert "P = 0.7692" in look_for
    assert run.fitted.error_.tolist() == [1, 4]
    assert start.phase == "start"


def test_labels_along_the_edges():
    run, look_for = run_of_preset("Labels along the edges")
    _, first, second = run.trace.steps[:3]
    numbers = [f"{first.mass[1, 0]:.4g}", f"{second.mass[1, 0]:.4g}", f"{second.mass[2, 0]:.4g}"]
    assert numbers == re.findall(r"0\.\d+", look_for) == ["0.3536", "0.1768", "0.125"]
    text = section(text_of(SLUG), "By hand")
    for step in (first, second):
        cells = " | ".join(f"{mass:.4g}" for mass in step.mass[:3, 0])
        assert f"| iteration {step.iteration} | {cells} |" in text
    selected = Run(run.problem, run.trace, selected=1)
    assert formulas(semi_supervised_scene(selected).frames[1])[0] == (
        "F(A | row 2) = 0.5·(0.7071·1 + 0.7071·0) + 0.5·0 = 0.3536"
    )


def test_self_training_cuts_the_moons():
    run, look_for = run_of_preset("Self-training cuts the moons")
    assert run.fitted.error_.tolist() == [21, 98]
    assert look_for.startswith("The same two labels: 21 of 98")
    spread, _ = run_of_preset("Two moons, one label each")
    assert (run.fitted.hidden_ == spread.fitted.hidden_).all()


def test_clusters_that_are_not_the_classes():
    run, look_for = run_of_preset("Clusters that are not the classes")
    assert run.fitted.error_.tolist() == [14, 26]
    alone = SelfTrainingClassifier(max_iter=0, n_labeled=0, queries=run.model.queries)
    assert alone.fit(*run.problem.training.arguments).error_.tolist() == [5, 26]
    assert "3-NN on the two labels alone misclassifies 5" in look_for


def test_bad_first_labels():
    run, look_for = run_of_preset("Bad first labels")
    assert run.fitted.error_.tolist() == [47, 98]
    assert error(run, queries=(50,)) == [22, 97]
    assert "row 51 and ask for its label: 22 of 97" in look_for


def test_corners_without_a_label():
    run, look_for = run_of_preset("Corners without a label")
    assert (~run.fitted.label_distributions_.any(axis=1)).sum() == 44
    assert "44 rows" in look_for
    few = clone(run.model).set_params(n_neighbors=6).fit(*run.problem.training.arguments)
    assert few.label_distributions_.any(axis=1).all()


def test_twelve_good_questions():
    run, look_for = run_of_preset("Twelve good questions")
    assert run.fitted.error_.tolist() == [0, 148]
    wrong, hidden = error(run, strategy="random")
    assert f"{100 * wrong / hidden:.1f} %" in look_for


def test_questions_in_the_wrong_place():
    run, _ = run_of_preset("Questions in the wrong place")
    assert run.fitted.error_.tolist() == [40, 148]
    assert random_order_errors(run)[-1, 1] < 40 / 148


def test_three_labels_of_iris():
    run, look_for = run_of_preset("Three labels of Iris")
    assert run.fitted.error_.tolist() == [4, 147]
    assert "4 of 147" in look_for
    assert max(error(run, random_state=seed)[0] for seed in range(6)) == 14


# The picture
# ---------------------------------------------------------------------------------------------


def test_rows_have_the_colour_of_their_label_and_grey_ones_have_none():
    run, _ = run_of_preset("Six points by hand")
    scene = semi_supervised_scene(run)
    (rows,) = (mark for mark in marks(scene, Points) if mark.data)
    for i, step in enumerate(run.trace.steps):
        assert at(rows.color, i).tolist() == np.where(step.labels < 0, 255, step.labels).tolist()


def test_a_cross_is_behind_every_wrong_label():
    run, _ = run_of_preset("Six points by hand")
    (mark,) = marks(semi_supervised_scene(run), Points, symbol=[4])
    assert at(mark.x, 1).tolist() == []
    assert at(mark.x, 2).tolist() == [6.0]


def test_the_error_is_drawn_against_the_number_of_labels():
    run, _ = run_of_preset("Twelve good questions")
    scene = semi_supervised_scene(run)
    (curve,) = marks(scene, Line, panel="error", color="accent")
    last = len(run.trace.steps) - 1
    assert at(curve.x, last)[[0, -1]].tolist() == [2, 14]
    assert at(curve.y, last)[-1] == 0
    (dashed,) = marks(scene, Line, panel="error", dash=True)
    assert len(at(dashed.x, 0)) == 13


def test_regions_are_those_of_the_classifier_of_the_step():
    run, _ = run_of_preset("Twelve good questions")
    coarse, _ = marks(semi_supervised_scene(run), Raster)
    x0, x1, y0, y1 = coarse.extent
    for i in (0, 6):
        column, row = 14, 33
        x, y = x0 + (x1 - x0) * (column + 0.5) / 48, y1 - (y1 - y0) * (row + 0.5) / 48
        predicted = run.model.classifier(run.problem.X, run.trace.steps[i].labels).predict(
            [[x, y]]
        )[0]
        assert at(coarse.pixels, i)[row * 48 + column] == predicted


@pytest.mark.parametrize("title", ["Six points by hand", "Corners without a label"])
def test_any_part_of_a_run_can_be_drawn(title):
    run, _ = run_of_preset(title)
    for n in (0, 1, 2, 3):
        assert semi_supervised_scene(stopped(run, n)).frames[0].caption


def test_a_click_asks_for_a_label_and_takes_it_back():
    page = sound(visit(SLUG, point="12"))
    before = len(stage(page)["frames"])
    turn(page, f"{SLUG}.queries.ask", None)
    assert page.query_params[f"{SLUG}.queries"] == "12"
    assert stage(page)["results"][-1][1]["text"] == "3"
    assert panel(page)[f"{SLUG}.queries.ask"]["label"] == "Forget the label of row 12"
    turn(page, f"{SLUG}.queries.undo", None)
    assert f"{SLUG}.queries" not in page.query_params
    assert len(stage(page)["frames"]) == before


def test_a_known_label_cannot_be_asked_for():
    run, _ = run_of_preset("Two moons, one label each")
    row = int(np.flatnonzero(~run.fitted.hidden_)[0]) + 1
    assert f"{SLUG}.queries.ask" not in panel(visit(SLUG, point=str(row)))


@pytest.mark.parametrize("text", ["", "x", "1.", "-3", "1,2", "9" * 30])
def test_links_with_other_rows_are_refused(text):
    with pytest.raises(ValueError, match="numbers of rows such as"):
        parse_rows(text)


def test_rows_that_are_not_there_are_not_asked_for():
    page = sound(visit(SLUG, **{f"{SLUG}.queries": "99999"}))
    assert stage(page)["results"][-1][1]["text"] == "2"


# Figures and reference
# ---------------------------------------------------------------------------------------------


def test_the_methods_are_measured_on_the_same_labels():
    run, _ = run_of_preset("Two moons, one label each")
    data = methods_by_labels_data(run)
    X, y = run.problem.training.arguments
    for name, model in {
        ALONE: SelfTrainingClassifier(max_iter=0),
        "label propagation": LabelPropagation(),
    }.items():
        errors = [
            np.divide(*clone(model).set_params(n_labeled=3, random_state=seed).fit(X, y).error_)
            for seed in range(10)
        ]
        place = data.numbers.tolist().index(3)
        assert data.errors[name][place] == pytest.approx(np.mean(errors))
    assert "best" in plot_methods_by_labels(data).layout.title.text


def test_the_strategies_start_from_the_same_labels():
    run, _ = run_of_preset("Twelve good questions")
    data = strategies_by_labels_data(run)
    assert len({errors[0] for errors in data.errors.values()}) == 1
    assert data.errors["margin"] == pytest.approx(data.errors["least_confident"])
    title = plot_strategies_by_labels(data).layout.title.text
    assert "random order" in title


def test_a_class_without_a_label_has_no_reference():
    run, _ = run_of_preset("Six points by hand")
    model = ActiveLearner(n_labeled=0, queries=(0,), n_queries=0)
    with pytest.raises(Incomparable, match="does not know a class"):
        semi_supervised_reference(Run.of(run.problem, model))
