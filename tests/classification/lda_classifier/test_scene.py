"""The picture of discriminant analysis: arithmetic, ellipses, and lines where classes tie."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from dmlib.classification import (
    DiagonalDiscriminantAnalysis,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)
from dmlib.classification.lda_classifier.figures.assumptions import assumptions, assumptions_data
from dmlib.classification.lda_classifier.figures.logistic_rival import logistic_rival, rival_data
from dmlib.classification.lda_classifier.scene import lda_scene
from dmlib.datasets import drawn_table, load
from dmlib.pictures.marks import Ellipses, Line, Rects
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.pictures.examples import at, formulas, marks, result, tables
from tests.runs import stopped

HAND = drawn_table(
    [[1, 1, 0], [3, 3, 0], [2, 1, 0], [2, 3, 0], [5, 2, 1], [7, 4, 1], [6, 2, 1], [6, 4, 1]]
)
PENGUINS = load("penguins").frame


def hand(model=None, **options):
    problem = prepare(HAND.frame, ["x", "y"], target=HAND.target, labelled=True)
    return Run.of(
        problem, model or LinearDiscriminantAnalysis(), query=problem.query((4.0, 2.0)), **options
    )


def penguins(model, **how):
    columns = ["flipper_length_mm", "bill_length_mm"]
    return Run.of(prepare(PENGUINS, columns, target="species", labelled=True, **how), model)


def test_phases():
    def phases(model):
        return [frame.phase for frame in lda_scene(hand(model)).frames]

    each = ["mean", "covariance", "covariance"]
    ends = ["discriminant", "discriminant", "done"]
    assert phases(LinearDiscriminantAnalysis()) == [*each, "pool", *ends]
    assert phases(QuadraticDiscriminantAnalysis()) == [*each, *ends]
    assert phases(QuadraticDiscriminantAnalysis(reg_param=0.5)) == [*each, "regularise", *ends]
    assert phases(RegularizedDiscriminantAnalysis()) == [*each, "pool", "regularise", *ends]
    assert phases(DiagonalDiscriminantAnalysis(pooled=False)) == [*each, "regularise", *ends]


def test_the_ledger_by_hand():
    frames = lda_scene(hand()).frames
    assert formulas(frames[1])[0] == "s(x, y) = Σ (x − 2)(y − 2) / n = 2 / 4 = 0.5"
    assert formulas(frames[3])[0] == "s(x, y) = 4 / 8 · 0.5 + 4 / 8 · 0.5 = 0.5"
    b = frames[5]
    assert_allclose([row[1:] for row in tables(b)["Inverse matrix Σ⁻¹"].rows], [[4, -2], [-2, 2]])
    assert [result(line) for line in formulas(b)] == pytest.approx(
        [18, -45.6931, 14.3069], rel=1e-5
    )
    assert "w = (18, −6) and b = −45.69." in b.caption
    done = frames[-1]
    assert "with probability 0.9526; the boundaries are straight." in done.caption
    assert "B and A tie where 14 · x + (−6) · y + (−41) = 0" in formulas(done)[2]
    assert result(formulas(done)[0]) == pytest.approx(3)
    assert result(formulas(done)[1]) == pytest.approx(1 / (1 + np.exp(-3)), rel=1e-5)


@pytest.mark.parametrize(
    "model",
    [
        QuadraticDiscriminantAnalysis(),
        RegularizedDiscriminantAnalysis(),
        DiagonalDiscriminantAnalysis(pooled=False),
        DiagonalDiscriminantAnalysis(),
    ],
    ids=str,
)
def test_scores_of_the_ledger_give_the_posterior(model):
    run = penguins(model)
    done = lda_scene(run).frames[-1]
    (scores, posterior) = np.array(
        [row[1:] for row in tables(done)["Posterior of the place"].rows]
    ).T
    shares = np.exp(scores - scores.max())
    assert_allclose(shares / shares.sum(), posterior, rtol=1e-6)
    assert_allclose(posterior, run.fitted.predict_proba(run.current_query.x[None])[0])
    curved = "curved" in done.caption
    assert curved == (not isinstance(model, DiagonalDiscriminantAnalysis) or not model.pooled)
    assert any("a conic" in line for line in formulas(done)) == curved


def test_ellipses_take_one_shape_when_pooled():
    scene = lda_scene(penguins(LinearDiscriminantAnalysis()))
    (mark,) = marks(scene, Ellipses)
    pool = next(i for i, frame in enumerate(scene.frames) if frame.phase == "pool")
    assert [len(at(mark.rx, i)) for i in range(pool + 1)] == [0, 1, 2, 3, 3]
    assert np.ptp(at(mark.rx, pool - 1)) > 1
    assert np.ptp(at(mark.rx, pool)) == 0
    # The outline of a class lies two standard deviations from its mean.
    line = marks(scene, Line, color=0)[0]
    run = penguins(LinearDiscriminantAnalysis())
    rows = run.problem.X[run.problem.y == 0]
    places = np.column_stack([at(line.x, pool), at(line.y, pool)]) - rows.mean(axis=0)
    inverse = np.linalg.inv(np.cov(rows.T, bias=True))
    assert_allclose(np.einsum("ij,jk,ik->i", places, inverse, places), 4)


def test_boundaries_lie_where_the_predicted_class_changes():
    run = penguins(QuadraticDiscriminantAnalysis())
    ties, border = [mark for mark in marks(lda_scene(run), Line) if mark.color in {"muted", "ink"}][
        -2:
    ]
    for mark, max_lead in ((border, 0.3), (ties, 0.0)):
        places = np.column_stack([at(mark.x, -1), at(mark.y, -1)])
        shares = np.sort(run.fitted.predict_proba(places[~np.isnan(places).any(axis=1)]), axis=1)
        assert max_lead == 0 or (shares[:, -1] - shares[:, -2]).max() < 0.1
        assert len(places) > 10
    assert [np.isfinite(at(ties.x, i)).any() for i in (-4, -3, -2)] == [False, True, True]


def test_bars_end_as_the_posterior():
    run = hand()
    (bars,) = marks(lda_scene(run), Rects, panel="shares")
    assert at(bars.y1, 0).tolist() == [0.5, 0.5]
    assert_allclose(at(bars.y1, -1), run.fitted.predict_proba([[4.0, 2.0]])[0])


def test_a_run_that_was_stopped_shows_the_data():
    scene = lda_scene(stopped(hand(), 2))
    assert [frame.caption for frame in scene.frames] == ["You stopped."]


def test_an_asked_row_of_many_columns():
    iris = load("iris").frame
    problem = prepare(iris, list(iris.columns[:4]), target="species", labelled=True, view="pca")
    run = Run.of(problem, LinearDiscriminantAnalysis(), query=problem.query(sample=70))
    done = lda_scene(run).frames[-1]
    assert re.match(
        "Row 71 is predicted virginica, with probability 0.7509", done.caption
    )  # R: see test_algorithm


def test_logistic_regression_beside():
    run = penguins(LinearDiscriminantAnalysis(), test_size=0.3)
    data = rival_data(run)
    assert set(data.errors) == {"training", "cross-validation", "test"}
    training = run.problem.training
    assert data.errors["training"][0] == (run.fitted.predict(training.X) != training.y).mean()
    assert all(len(line) > 10 for line in data.boundaries)
    assert "differently" in logistic_rival(run).layout.title.text


def test_assumptions_of_normal_and_of_singular_classes():
    rng = np.random.default_rng(0)
    frame = PENGUINS.iloc[:0].reindex(range(400))[["bill_length_mm", "bill_depth_mm", "species"]]
    frame["bill_length_mm"], frame["bill_depth_mm"] = rng.normal(size=(2, 400))
    frame["species"] = np.repeat(["a", "b"], 200)
    problem = prepare(frame, ["bill_length_mm", "bill_depth_mm"], target="species", labelled=True)
    data = assumptions_data(problem)
    assert data.test.p > 0.01
    for expected, distances in zip(data.expected, data.distances, strict=True):
        assert_allclose(distances[:180], expected[:180], atol=1.0)
    flat = prepare(
        frame.assign(bill_depth_mm=1.0), list(frame.columns[:2]), target="species", labelled=True
    )
    figure = assumptions(Run.of(flat, LinearDiscriminantAnalysis()))
    assert "no test of equality" in figure.layout.title.text.replace("<br>", " ")
