"""The picture of principal components: its arithmetic; axis, feet and curve agree."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from dmlib.datasets import load
from dmlib.decomposition import PCA
from dmlib.decomposition.pca.ledger import own_axis
from dmlib.decomposition.pca.plane_scene import MAX_FEET
from dmlib.decomposition.pca.scene import MAX_TURNS, pca_scene
from dmlib.pictures.axes import along
from dmlib.pictures.encode import encode
from dmlib.pictures.marks import Line, Points, Raster, Rects, Segments, Texts
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.trace import run
from tests.pictures.examples import PROBLEMS, at, formulas, marks, result, tables
from tests.runs import stopped

POINTS = np.array([(9, 7), (1, 1), (3.5, 6), (6.5, 2), (5, 4)])
HAND = prepare(pd.DataFrame(POINTS, columns=["a", "b"]), ["a", "b"])
ARRESTS = load("us_arrests").frame
COLUMNS = ["murder", "assault", "urban_pop", "rape"]
DIGITS = load("digits").frame
PIXELS = [f"pixel_{i}_{j}" for i in range(8) for j in range(8)]


def scene_of(problem, angle=30.0, selected=None, **params):
    model = PCA(**{"random_state": 0} | params)
    return pca_scene(Run.of(problem, model, selected=selected, options={"angle": angle}))


def arrests(**options):
    return prepare(ARRESTS, COLUMNS, **options)


def phases(scene):
    return [frame.phase for frame in scene.frames]


def numbers(text):
    return [float(n.replace("−", "-")) for n in re.findall(r"[−-]?\d+\.?\d*(?:e[+-]?\d+)?", text)]


# --- the ledger -----------------------------------------------------------------------------------


def test_ledger_of_the_example_by_hand():
    scene = scene_of(HAND, angle=0.0)
    centre, covariance, own = scene.frames[:3]
    assert formulas(centre)[0] == "row 1, a: 9 − 5 = 4"
    assert tables(covariance)["Covariance matrix S"].rows == [("a", 9.125, 4.5), ("b", 4.5, 6.5)]
    assert formulas(covariance)[0] == "s(a, b) = Σ (x − 5)(y − 4) / (n − 1) = 18 / 4 = 4.5"
    assert result(formulas(covariance)[1]) == 15.625
    assert formulas(own)[1] == "u′Su = 1² · 9.125 + 2 · 1 · 0 · 4.5 + 0² · 6.5 = 9.125"
    sentence = "Your axis, 0°: 9.125 of the largest variance 12.5; 3.375 = 27 % is lost."
    assert formulas(own)[2] == sentence
    first, second = (frame for frame in scene.frames if frame.phase == "found")
    assert "λ = 12.5, 80 % of the variance" in first.caption
    assert "λ = 3.125, 20 % of the variance" in second.caption
    equation = np.array([row[1:] for row in tables(first)["Eigen equation: S w = λ w"].rows])
    assert_allclose(equation, [[0.8, 10, 10], [0.6, 7.5, 7.5]], rtol=1e-6)
    caption = "Done: 2 components hold 100 % of the variance of 2 columns."
    assert scene.frames[-1].caption == caption


@pytest.mark.parametrize("angle", [0, 17, 45, 90, 135, 179])
@pytest.mark.parametrize(
    "view", [None, "pca", ["rape", "murder"]], ids=["first", "components", "others"]
)
def test_the_readers_axis_has_the_variance_of_its_feet(angle, view):
    problem = arrests(scaling="z-score", view=view)
    own = own_axis(problem, np.cov(problem.X.T), float(angle))
    assert np.linalg.norm(own.direction) == pytest.approx(1)
    assert own.variance == pytest.approx((problem.X @ own.direction).var(ddof=1))
    assert own.best == pytest.approx(2.480241579)
    assert own.lost == pytest.approx(1 - own.variance / own.best)
    frame = scene_of(problem, angle=float(angle)).frames[2]
    assert result(formulas(frame)[1]) == pytest.approx(own.variance, rel=1e-5)


def test_turns_are_the_power_iteration():
    scene = scene_of(arrests(scaling="z-score"))
    S = np.corrcoef(ARRESTS[COLUMNS].to_numpy(float).T)
    turns = [frame for frame in scene.frames if frame.phase == "turn"][:5]
    for frame in turns:
        before, image, after = np.array(
            [row[1:] for row in tables(frame)["New w = S w / ‖S w‖"].rows]
        ).T
        assert_allclose(image, S @ before, atol=1e-9)
        assert_allclose(after, image / np.linalg.norm(image), atol=1e-9)
        length, variance = (
            line for line in formulas(frame) if line.startswith(("‖S w‖", "variance along"))
        )
        assert result(length) == pytest.approx(np.linalg.norm(image), rel=1e-5)
        assert result(variance) == pytest.approx(after @ S @ after, rel=1e-5)


def test_deflation_takes_the_component_out():
    scene = scene_of(HAND)
    first, second = (frame for frame in scene.frames if frame.phase == "found")
    start = scene.frames[scene.frames.index(first) + 1]
    deflated = np.array([row[1:] for row in tables(start)["S after deflation"].rows])
    assert_allclose(deflated, 3.125 * np.outer([-0.6, 0.8], [-0.6, 0.8]), atol=1e-6)
    assert result(formulas(first)[1]) == pytest.approx(deflated[0, 0], abs=1e-5)
    assert "No variance is left" not in second.caption


def test_standardising_is_written_out():
    for scaling, expected in (
        ("none", "row 5, murder: 9 − 7.788 = 1.212"),
        ("z-score", "row 5, murder: (9 − 7.788) / 4.35551 = 0.278268"),
    ):
        scene = scene_of(arrests(scaling=scaling), selected=4)
        assert expected in formulas(scene.frames[0])
    lines = formulas(scene_of(arrests(scaling="min-max"), selected=4).frames[0])
    line = next(line for line in lines if "row 5" in line)
    x, low, spread, scaled, minuend, mean, centred = numbers(line.split(": ")[1])
    assert scaled == minuend == pytest.approx((x - low) / spread, rel=1e-5)
    assert centred == pytest.approx(abs(scaled) - abs(mean), rel=1e-3)


def test_a_clicked_row_is_projected_and_rebuilt():
    problem = arrests(scaling="z-score")
    scene = scene_of(problem, selected=4, n_components=2)
    frame = next(frame for frame in scene.frames if frame.phase == "found")
    rows = tables(frame)["Row 5: its score on the axis"].rows
    x, w, product = np.array([row[1:] for row in rows]).T
    assert_allclose(x, problem.X[4], atol=1e-9)
    t, distance = map(result, formulas(frame)[:2])
    assert t == pytest.approx(product.sum(), rel=1e-5)
    assert distance == pytest.approx(np.linalg.norm(x - t * w), rel=1e-4)
    done = tables(scene.frames[-1])
    model = PCA(2).fit(problem.X)
    assert_allclose(
        [row[1] for row in done["Row 5: scores"].rows], model.transform(problem.X[4:5])[0]
    )
    values, back, lost = np.array([row[1:] for row in done["Row 5: mean + Σ t w"].rows]).T
    assert_allclose(values, ARRESTS[COLUMNS].iloc[4].to_numpy(float))
    raw = ARRESTS[COLUMNS].to_numpy(float)
    scaled = PCA(2, scale=True).fit(raw)
    assert_allclose(back, scaled.inverse_transform(scaled.transform(raw))[4])
    assert_allclose(values - back, lost)


def test_shares_are_those_of_the_fitted_model():
    rows = tables(scene_of(arrests(scaling="z-score")).frames[-1])["Variance explained"].rows
    model = PCA().fit(arrests(scaling="z-score").X)
    assert_allclose([row[1] for row in rows], model.explained_variance_, rtol=5e-4)
    shares = model.explained_variance_ratio_.cumsum()
    assert_allclose([row[3] for row in rows], shares, rtol=5e-4)


# --- the marks ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROBLEMS)
def test_feet_lie_on_the_axis(name):
    problem = PROBLEMS[name]
    scene = scene_of(problem)
    (feet,) = marks(scene, Segments)
    mean = problem.points.mean(axis=0)
    steps = run(PCA(random_state=0), problem.X).steps
    i = phases(scene).index("found")
    axis = next(step for step in steps if step.phase == "found").axis
    ends = np.column_stack([at(feet.x1, i), at(feet.y1, i)])
    starts = np.column_stack([at(feet.x0, i), at(feet.y0, i)])
    assert_allclose(starts, problem.points)
    scores = (problem.X - problem.X.mean(axis=0)) @ axis
    assert_allclose(ends, mean + np.outer(scores, problem.plane.basis @ axis), atol=1e-9)
    *_, line = marks(scene, Line, color="accent")
    ends_of_line = np.column_stack([at(line.x, i), at(line.y, i)])
    assert_allclose(ends_of_line.mean(axis=0), mean, atol=1e-9)


def test_the_curve_is_the_variance_of_every_angle():
    problem = arrests(scaling="z-score")
    scene = scene_of(problem)
    curve = next(line for line in marks(scene, Line, "variance") if line.color == "accent")
    variances = (problem.X @ along(problem, at(curve.x, 0)).T).var(axis=0, ddof=1)
    assert_allclose(at(curve.y, 0), variances)
    second = phases(scene).index("found") + 1
    assert (at(curve.y, second) <= variances + 1e-9).all()
    assert_allclose(at(curve.y, len(scene.frames) - 1), variances)


def test_the_axis_is_where_it_points_on_the_curve():
    scene = scene_of(HAND)
    axis = next(mark for mark in marks(scene, Points, "variance") if mark.emphasis)
    first, second = (i for i, phase in enumerate(phases(scene)) if phase == "found")
    assert at(axis.x, first) == pytest.approx([np.rad2deg(np.arctan2(0.6, 0.8))])
    assert at(axis.y, first) == pytest.approx([12.5])
    assert at(axis.x, second) == pytest.approx([np.rad2deg(np.arctan2(0.8, -0.6))])
    assert at(axis.x, 0).size == at(axis.x, len(scene.frames) - 1).size == 0


def test_handles_stand_on_the_readers_axis():
    for angle in (0.0, 20.0, 90.0, 150.0, 180.0):
        scene = scene_of(HAND, angle=angle)
        turn, line = scene.handles
        assert (turn.kind, line.kind, line.x) == ("turn", "x", angle)
        assert turn.around == (5.0, 4.0)
        assert np.rad2deg(np.arctan2(turn.y - 4, turn.x - 5)) == pytest.approx(angle)
        plane = scene.panels[0]
        assert plane.x.low < turn.x < plane.x.high
        assert plane.y.low < turn.y < plane.y.high


def test_one_column_has_nothing_to_turn():
    scene = scene_of(PROBLEMS["one column"], angle=70.0)
    assert scene.handles == ()
    assert "0 % is lost" in formulas(scene.frames[-1])[-1]


def test_found_components_reach_two_standard_deviations_to_each_side():
    scene = scene_of(HAND)
    line = marks(scene, Line, color="accent")[0]
    last = len(scene.frames) - 1
    ends = np.column_stack([at(line.x, last), at(line.y, last)])
    assert_allclose(ends[1] - [5, 4], 2 * np.sqrt(12.5) * np.array([0.8, 0.6]))
    assert np.isnan(ends[2]).all()
    (bars,) = marks(scene, Rects, "scree")
    assert_allclose(at(bars.y1, last), [12.5, 3.125])
    assert at(bars.y1, 0).max() == 0


def test_the_axis_does_not_flip_from_frame_to_frame():
    scene = scene_of(arrests(scaling="z-score", view="pca"))
    *_, line = marks(scene, Line, color="accent")
    ends = [np.column_stack([at(line.x, i), at(line.y, i)]) for i in range(len(scene.frames))]
    directions = [end[1] - end[0] for end in ends if len(end)]
    assert all(before @ after >= 0 for before, after in itertools.pairwise(directions))


# --- many rows, columns, turns --------------------------------------------------------------------


def test_pictures_come_back_with_every_component():
    problem = prepare(DIGITS, PIXELS, view="pca", target="digit")
    scene = scene_of(problem, n_components=5, tol=0.001, selected=3)
    original, rebuilt, axis, mean, *components = marks(scene, Raster, "picture")
    assert_allclose(at(mean.pixels, 0), (255 * problem.X.mean(axis=0) / 16).astype(int))
    assert_allclose(at(rebuilt.pixels, 0), at(mean.pixels, 0))
    assert_allclose(at(original.pixels, 0), (255 * problem.X[3] / 16).astype(int))
    ends = [i for i, phase in enumerate(phases(scene)) if phase == "found"]
    lost = [
        np.abs(at(rebuilt.pixels, i).astype(float) - at(original.pixels, i)).sum()
        for i in (0, ends[0], ends[-1])
    ]
    assert lost[0] > lost[-1]
    assert at(axis.pixels, 0).size == 0
    assert at(axis.pixels, ends[0]).size == 64
    sizes = [[at(each.pixels, i).size for each in components] for i in (0, ends[1], ends[-1])]
    assert sizes == [[0, 0, 0, 0], [64, 64, 0, 0], [64, 64, 64, 64]]
    assert_allclose(at(components[1].pixels, ends[-1]), at(axis.pixels, ends[1]))
    assert "row 4" in marks(scene, Texts, "picture")[0].text
    assert len(encode(scene)) < 150_000


def test_all_components_of_large_pictures_fit_into_a_scene():
    table = load("faces")
    problem = prepare(table.frame, list(table.numeric), view="pca", target="person")
    scene = scene_of(problem, tol=0.001)
    assert phases(scene).count("found") == len(problem.X)
    assert len(encode(scene)) < 150_000


def test_many_rows_and_turns_are_thinned_and_it_is_said():
    problem = prepare(DIGITS, PIXELS, view="pca")
    scene = scene_of(problem, n_components=10)
    assert phases(scene).count("turn") <= MAX_TURNS
    assert phases(scene).count("found") == 10
    (feet,) = marks(scene, Segments)
    assert sum(len(row) for row in feet.x1.rows) <= MAX_FEET + len(scene.frames)
    assert any(note.startswith("Perpendiculars are drawn for") for note in scene.notes)


def test_a_view_of_more_columns_says_what_it_shows():
    assert any("its projection" in note for note in scene_of(arrests()).notes)
    assert not any("its projection" in note for note in scene_of(HAND).notes)
    flat = prepare(ARRESTS, COLUMNS[:2])
    assert any("right angles" in note for note in scene_of(flat).notes)
    assert not any("right angles" in note for note in scene_of(HAND).notes)


def test_a_run_that_was_stopped_is_drawn_as_far_as_it_went():
    problem = arrests(scaling="z-score")
    run = Run.of(problem, PCA(random_state=0))
    begin = ["centre", "covariance", "try", "start"]
    assert phases(pca_scene(stopped(run, 7))) == [*begin, *["turn"] * 6]
    assert len(pca_scene(stopped(run, 0)).frames) == 1


def test_above_the_curve_there_is_room_for_two_names():
    scene = scene_of(HAND)
    panel = next(panel for panel in scene.panels if panel.name == "variance")
    curves = [m for m in scene.marks if isinstance(m, Line) and m.panel == "variance"]
    top = max(np.nanmax(at(curve.y, -1)) for curve in curves)
    assert top <= panel.y.low + 0.6 * panel.size[1]
