"""The picture and the ledger of an ensemble."""

import numpy as np
import pandas as pd
import pytest

from dmlib.classification import BaggingClassifier, RandomForestClassifier
from dmlib.classification.ensembles.grid_scene import MAX_TILES
from dmlib.classification.ensembles.scene import ensembles_scene
from dmlib.classification.staged_scene import OUTSIDE, USUAL
from dmlib.datasets import make
from dmlib.pictures.marks import Line, Points, Raster, Rects, Segments
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.runs import stopped

SIX = pd.DataFrame({"x": np.arange(1.0, 7.0), "y": np.full(6, 5.0), "c": list("AABABB")})
THREE = BaggingClassifier(n_estimators=3, max_depth=1, random_state=0)


def run_of(model, frame=SIX, columns=("x", "y"), **how):
    query = how.pop("query", {})
    problem = prepare(frame, list(columns), target="c", labelled=True, **how)
    return Run.of(problem, model, query=problem.query(**query))


def marks(scene, kind, panel="data"):
    return [mark for mark in scene.marks if isinstance(mark, kind) and mark.panel == panel]


def formulas(frame):
    return " | ".join(block.text for block in frame.ledger if hasattr(block, "text"))


def tables(frame):
    return {block.title: block.rows for block in frame.ledger if hasattr(block, "rows")}


def test_a_row_is_as_large_as_it_is_often_in_the_bag():
    rings, rows = marks(ensembles_scene(run_of(THREE)), Points)
    sizes = [np.asarray(size) for size in rows.size.rows]
    assert sizes[0].tolist() == [USUAL] * 6
    np.testing.assert_allclose(
        sizes[1], USUAL * np.sqrt([2, OUTSIDE**2 / USUAL**2, 2, 1, 1, OUTSIDE**2 / USUAL**2])
    )
    assert [np.asarray(x).tolist() for x in rings.x.rows] == [[], [], [3.0], [3.0]]


def test_trees_stand_side_by_side_once_they_have_joined():
    scene = ensembles_scene(run_of(THREE))
    images = marks(scene, Raster, "grid")
    assert [
        [len(np.asarray(row)) > 0 for row in image.pixels.rows].index(True) for image in images
    ] == [1, 2, 3]
    bags, place = marks(scene, Points, "grid")
    assert [int(np.isfinite(np.asarray(x, float)).sum()) for x in bags.x.rows] == [0, 4, 8, 12]
    assert [int(np.isfinite(np.asarray(x, float)).sum()) for x in place.x.rows] == [0, 1, 2, 3]
    (lines,) = marks(scene, Segments)
    assert [np.asarray(x).tolist() for x in lines.x0.rows] == [[], [2.0], [4.5], [4.5]]


def test_of_many_trees_the_first_stand_side_by_side():
    scene = ensembles_scene(run_of(RandomForestClassifier(40, random_state=0)))
    panel = next(panel for panel in scene.panels if panel.name == "grid")
    assert panel.title == f"The first {MAX_TILES} of 40 trees, each with its bag"
    (frame,) = marks(scene, Line, "grid")
    assert [len(x) for x in frame.x.rows][-1] == 0


def test_the_votes_at_the_place_are_their_mean():
    run = run_of(THREE, query={"place": (3.0, 5.0)})
    scene = ensembles_scene(run)
    (bars,) = marks(scene, Rects, "votes")
    np.testing.assert_allclose(bars.y1.rows[3], [7 / 12, 5 / 12])
    assert "mean probability of A = (0.25 + 1 + 0.5) / 3 = 0.5833" in formulas(scene.frames[3])
    assert formulas(scene.frames[3]).count("the class is A") == 1
    assert [row[1] for row in tables(scene.frames[3])["Votes, tree by tree"]] == ["B", "A", "A"]


def test_the_ledger_counts_the_bag():
    frame = ensembles_scene(run_of(THREE)).frames[2]
    assert "(1 − 1/N)^n = (1 − 1/6)^6 = 0.3349" in formulas(frame)
    assert "left out: 2 of 6 rows = 0.3333" in formulas(frame)
    assert "out-of-bag error = 1 misclassified / 3 left out at least once = 0.3333" in formulas(
        frame
    )
    times = tables(frame)["The bag: 6 draws with replacement"]
    assert [row[1] for row in times] == [2, 2, 2, 0, 0]
    assert sum(row[2] for row in times) == pytest.approx(6, rel=1e-3)
    assert tables(frame)["Rows drawn most often"][0] == [1, "A", 2]


def test_without_replacement_the_probability_is_another():
    model = BaggingClassifier(n_estimators=2, bootstrap=False, max_samples=4, random_state=0)
    assert "1 − n/N = 1 − 4/6 = 0.3333" in formulas(ensembles_scene(run_of(model)).frames[1])


def test_a_row_is_judged_by_the_trees_that_were_grown_without_it():
    scene = ensembles_scene(run_of(THREE, query={"sample": 2}))
    assert "1 tree of 3 trained without the row: A 1" in formulas(scene.frames[3])
    assert "the row is in all 1 bags" in formulas(scene.frames[1])
    votes = tables(scene.frames[3])["Votes, tree by tree"]
    assert [row[3] for row in votes] == [2, 0, 1]


def test_equal_bags_are_said_to_be_equal():
    scene = ensembles_scene(
        run_of(BaggingClassifier(n_estimators=3, bootstrap=False, random_state=0))
    )
    assert any("All bags are the same" in note for note in scene.notes)
    assert "there is no out-of-bag error" in formulas(scene.frames[-1])
    assert "no row has been left out yet" in scene.frames[-1].caption


@pytest.mark.parametrize(
    "model", [BaggingClassifier(n_estimators=4, max_features=1), RandomForestClassifier(4)]
)
def test_other_views_and_some_columns(model):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"x": rng.normal(size=40), "y": rng.normal(size=40), "c": list("ABCD") * 10}
    )
    scene = ensembles_scene(
        run_of(model.set_params(random_state=0), frame, view="pca", scaling="z-score")
    )
    assert all(len(np.asarray(x)) == 0 for x in marks(scene, Segments)[0].x0.rows)
    assert any("not axis-parallel" in note for note in scene.notes)


def test_nominal_columns_have_pictures_too():
    frame = pd.DataFrame({"x": list("uuvvww"), "y": np.arange(6.0), "c": list("AABABB")})
    scene = ensembles_scene(run_of(RandomForestClassifier(3, random_state=0), frame))
    assert len(scene.frames) == 4


def test_the_errors_at_the_end_are_those_of_the_model():
    frame = make("moons", n_samples=90, noise=0.9, random_state=0).frame.rename(
        columns={"class": "c"}
    )
    run = run_of(RandomForestClassifier(5, random_state=0), frame, test_size=0.3)
    X, y = run.problem.testing.arguments
    rows = tables(ensembles_scene(run).frames[-1])["Errors"]
    assert [row[0] for row in rows] == ["training", "test"]
    assert rows[1][1:3] == (len(y), int((run.fitted.predict(X) != y).sum()))


def test_a_run_that_was_cut_off_says_so():
    assert [frame.caption for frame in ensembles_scene(stopped(run_of(THREE), 2)).frames] == [
        "You stopped."
    ]
