"""The picture of Fisher's projection: its panels agree with each other and with SciPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import linalg

from dmlib.classification import LinearDiscriminantAnalysis
from dmlib.comparison import Incomparable
from dmlib.datasets import load, make
from dmlib.decomposition.lda_projection.figures.two_planes import planes_data, two_planes
from dmlib.decomposition.lda_projection.fisher import Scatter, angle_between, turning, unit
from dmlib.decomposition.lda_projection.reference import lda_projection_reference
from dmlib.decomposition.lda_projection.scene import lda_projection_scene
from dmlib.decomposition.lda_projection.stages import N_TURNS
from dmlib.pictures.axes import along
from dmlib.pictures.marks import Line, Points, Segments
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.pictures.examples import at, formulas, marks, result, tables
from tests.runs import stopped

IRIS = load("iris").frame
COLUMNS = list(IRIS.columns[:4])


def iris(columns=COLUMNS, angle=30.0, selected=None, model=None):
    problem = prepare(IRIS, columns, target="species", labelled=True)
    return Run.of(
        problem, model or LinearDiscriminantAnalysis(), selected=selected, options={"angle": angle}
    )


def scatter_of(run):
    return Scatter.of(run.trace.steps[-1])


def test_phases():
    phases = [frame.phase for frame in lda_projection_scene(iris()).frames]
    assert phases == [
        "mean",
        "within",
        "between",
        "try",
        "component",
        *["turn"] * (N_TURNS - 1),
        "axis",
        "axis",
        "done",
    ]
    run = iris(model=LinearDiscriminantAnalysis(n_components=1))
    phases = [frame.phase for frame in lda_projection_scene(run).frames]
    assert phases[-3:] == ["turn", "axis", "done"]


def test_scatter_adds_up_and_ratios_are_those_of_scipy():
    run = iris()
    scatter = scatter_of(run)
    assert_allclose(
        scatter.within + scatter.between, np.cov(run.problem.X.T, bias=True), rtol=1e-12
    )
    values, vectors = linalg.eigh(scatter.between, scatter.within)
    assert_allclose(run.fitted.eigenvalues_, values[::-1][:2])
    for j in (0, 1):
        assert angle_between(vectors[:, -1 - j], run.fitted.scalings_[:, j]) < 1e-4
        assert scatter.ratio(run.fitted.scalings_[:, j]) == pytest.approx(values[-1 - j])


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.floats(0.0, 180.0))
def test_no_axis_is_better_and_the_turn_never_falls_below_both_ends(seed, angle):
    frame = make("blobs", n_samples=60, centers=3, random_state=seed).frame
    problem = prepare(frame, list(frame.columns[:2]), target=frame.columns[2], labelled=True)
    run = Run.of(problem, LinearDiscriminantAnalysis())
    scatter, (own,) = scatter_of(run), along(problem, np.array([angle]))
    best = run.fitted.scalings_[:, 0]
    assert scatter.ratio(own) <= scatter.ratio(best) * (1 + 1e-9)
    turns = turning(scatter, own, best, 12)
    assert all(np.linalg.norm(axis) == pytest.approx(1) for axis in turns)
    assert_allclose([angle_between(own, turns[0]), angle_between(best, turns[-1])], 0, atol=1e-4)
    assert min(map(scatter.ratio, turns)) >= scatter.ratio(own) * (1 - 1e-6)


def test_feet_lie_on_the_axis_and_perpendicular_to_it():
    run = iris(COLUMNS[2:])
    scene = lda_projection_scene(run)
    (lines,) = marks(scene, Segments)
    (w,) = [unit(run.fitted.scalings_[:, 0])]
    starts = np.column_stack([at(lines.x0, -1), at(lines.y0, -1)])
    ends = np.column_stack([at(lines.x1, -1), at(lines.y1, -1)])
    assert_allclose((ends - starts) @ w, 0, atol=1e-9)
    middle = run.problem.points.mean(axis=0)
    assert_allclose((ends - middle) - np.outer((ends - middle) @ w, w), 0, atol=1e-9)
    assert [len(at(lines.x0, i)) for i in range(4)] == [0, 0, 0, len(starts)]


def test_strips_have_unit_variance_and_part_the_classes():
    run = iris()
    scene = lda_projection_scene(run)
    upper, lower = marks(scene, Points, panel="strips")
    assert_allclose(np.std(at(upper.x, 0)), 1, rtol=1e-9)
    assert_allclose([np.std(at(lower.x, i)) for i in (4, -1)], 1, rtol=1e-9)
    assert_allclose(at(lower.x, 4), at(upper.x, 4))
    ratios = []
    for i in (4, -1):
        groups = [at(lower.x, i)[run.problem.y == k] for k in range(3)]
        within = np.mean([group.var() for group in groups])
        ratios.append(np.var([group.mean() for group in groups]) / within)
    scatter = scatter_of(run)
    assert_allclose(ratios, [scatter.ratio(scatter.component[0]), run.fitted.eigenvalues_[0]])
    assert len(marks(scene, Line, panel="strips")) == 6


def test_the_curve_and_the_readers_axis():
    run = iris(COLUMNS[2:], angle=60.0)
    scene = lda_projection_scene(run)
    curve = next(mark for mark in marks(scene, Line, panel="ratio") if mark.color == "accent")
    scatter = scatter_of(run)
    assert np.max(at(curve.y, 0)) <= run.fitted.eigenvalues_[0] * (1 + 1e-9)
    own = marks(scene, Points, panel="ratio")[0]
    assert at(own.y, 0)[0] == pytest.approx(scatter.ratio(along(run.problem, np.array([60.0]))[0]))
    assert [handle.name for handle in scene.handles] == ["axis", "angle"]
    frame = scene.frames[3]
    assert frame.caption.startswith("Your axis at 60° has the ratio")
    assert result(formulas(frame)[1]) == pytest.approx(at(own.y, 0)[0], rel=1e-5)


def test_the_ledger_of_an_axis_is_its_eigen_equation():
    run = iris()
    frame = lda_projection_scene(run).frames[-2]
    rows = np.array([row[1:] for row in tables(frame)["Eigen equation: S_B w = λ S_W w"].rows])
    assert_allclose(rows[:, 1], rows[:, 2], atol=1e-9)
    assert result(formulas(frame)[1]) == pytest.approx(run.fitted.eigenvalues_[1], rel=1e-5)


def test_a_clicked_row_is_projected():
    run = iris(selected=70)
    frame = lda_projection_scene(run).frames[-1]
    w = unit(run.fitted.scalings_[:, 0])
    assert result(formulas(frame)[0]) == pytest.approx(
        (run.problem.X[70] - run.problem.X.mean(axis=0)) @ w, rel=1e-5
    )


def test_means_that_coincide_have_no_axis():
    frame = IRIS.iloc[:8].assign(sepal_length=[0.0, 2, 1, 1] * 2, sepal_width=[1.0, 1, 0, 2] * 2)
    frame = frame.assign(species=["a"] * 4 + ["b"] * 4)
    problem = prepare(frame, COLUMNS[:2], target="species", labelled=True)
    run = Run.of(problem, LinearDiscriminantAnalysis())
    assert lda_projection_scene(run).frames[-1].caption.startswith("The class means coincide")
    two_planes(run)
    with pytest.raises(Incomparable, match="equal or zero"):
        lda_projection_reference(run)
    frames = lda_projection_scene(stopped(run, 2)).frames
    assert [frame.caption for frame in frames] == ["You stopped."]


def test_both_planes_and_the_reference():
    run = iris()
    data = planes_data(run)
    scatter = scatter_of(run)
    assert data.ratios == pytest.approx(
        (run.fitted.eigenvalues_[0], scatter.ratio(scatter.component[0]))
    )
    assert data.discriminant.shape == data.components.shape == (150, 2)
    assert "32.19 along axis 1" in two_planes(run).layout.title.text.replace("<br>", " ")
    X = run.problem.X
    scope = {"X": X, "y": run.problem.y, "model": run.fitted}
    exec(lda_projection_reference(run).code, scope)
    for reference in (lda_projection_reference(run).answer(run), scope["reference"]):
        assert_allclose(reference.transform(X), run.fitted.transform(X), rtol=1e-7, atol=1e-9)
        assert_allclose(reference.eigenvalues_, run.fitted.eigenvalues_)
