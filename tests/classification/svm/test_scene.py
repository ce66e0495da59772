"""Support vector machines as pictures: what is drawn and told is what the machine computes."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning

from dmlib.classification import SVC, NuSVC
from dmlib.classification.svm.ledger import formula_of
from dmlib.classification.svm.scene import MAX_FRAMES, max_frames, svm_scene
from dmlib.pictures.encode import encode
from dmlib.pictures.marks import Line, Points, Raster, Segments, Texts
from dmlib.pictures.motion import thin
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.pictures.examples import at, formulas, marks, result, tables
from tests.runs import stopped

MACHINES = {
    "rbf": SVC(),
    "linear": SVC(kernel="linear", C=10.0),
    "hard": SVC(gamma=4.0, C=np.inf),
    "poly": SVC(kernel="poly", degree=2, coef0=1.0, gamma=0.5),
    "sigmoid": SVC(kernel="sigmoid", gamma=0.5),
    "nu": NuSVC(nu=0.3),
}


def moons(n=60, test_size=0.0, noise=0.2):
    X, y = make_moons(n, noise=noise, random_state=0)
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": np.where(y, "yes", "no")})
    return prepare(
        frame, ["a", "b"], target="c", labelled=True, positive="yes", test_size=test_size
    )


@pytest.fixture(params=MACHINES)
def name(request):
    return request.param


def drawing_of(name, problem=None, query=None):
    """Return problem, trace, fitted model and scene."""
    problem = problem or moons()
    run = Run.of(problem, MACHINES[name], query=query, size=30)
    return problem, run.trace, run.fitted, svm_scene(run)


def numbers_of_frames(steps):
    """Return the number of the step of each frame."""
    return thin(len(steps), max_frames(steps))


def numbers(text):
    numbers = re.findall(r"−?\d+\.?\d*(?:e[−+]?\d+)?|−?∞", text)
    return [float(number.replace("−", "-").replace("∞", "inf")) for number in numbers]


def test_every_pair_is_told_with_its_numbers(name):
    problem, trace, _, scene = drawing_of(name)
    for n, frame in zip(numbers_of_frames(trace.steps)[1:16], scene.frames[1:], strict=False):
        step, before = trace.steps[n], trace.steps[n - 1]
        if step.move is None:
            continue
        i, j = step.move.i, step.move.j
        y, X = step.sign, problem.X[step.rows]
        K = step.kernel(X, X)
        f = K @ (y * before.alpha) + before.b
        rows = tables(frame)["The maximal violating pair"].rows
        assert [row[1] for row in rows] == (step.rows[[i, j]] + 1).tolist()
        np.testing.assert_allclose([row[5] for row in rows], (y * f)[[i, j]], atol=1e-9)
        np.testing.assert_allclose([row[4] for row in rows], before.alpha[[i, j]])
        curvature, error, top, box, clipped, alpha_i, *_ = formulas(frame)
        assert result(curvature) == pytest.approx(step.move.eta, rel=1e-4)
        E = f - y
        assert numbers(error)[-2:] == pytest.approx([E[i], E[j]], rel=1e-4, abs=1e-9)
        assert result(top) == pytest.approx(
            before.alpha[j] + y[j] * (E[i] - E[j]) / step.move.eta, rel=1e-4
        )
        low, high = (max(numbers(box)[-2 + k], 0) for k in (0, 1))
        assert low <= step.alpha[j] * (1 + 1e-5) + 1e-9
        assert step.alpha[j] <= high * (1 + 1e-5) + 1e-9
        assert numbers(clipped)[-1] == pytest.approx(step.alpha[j], rel=1e-5)
        assert result(alpha_i) == pytest.approx(step.alpha[i], rel=1e-5, abs=1e-9)


def test_the_box_is_that_of_the_textbook(name):
    _, trace, _, _ = drawing_of(name)
    for step, before in zip(trace.steps[1:], trace.steps, strict=False):
        if step.move is None:
            continue
        i, j = step.move.i, step.move.j
        first, second, bound = before.alpha[i], before.alpha[j], step.bound[j]
        if step.sign[i] == step.sign[j]:
            low, high = max(0, first + second - bound), min(bound, first + second)
        else:
            low, high = max(0, second - first), min(bound, bound + second - first)
        np.testing.assert_allclose(step.box, (low, high), rtol=1e-9, atol=1e-9 * min(bound, 1))


def test_the_answer_is_told(name):
    problem, trace, model, scene = drawing_of(name)
    step, frame = trace.steps[-1], scene.frames[-1]
    assert f"{len(model.support_)} support vectors" in frame.caption
    assert tables(frame)["Errors"].rows[0][2] == (model.predict(problem.X) != problem.y).sum()
    counts = [row[1] for row in tables(frame)["Rows by their multiplier"].rows]
    assert sum(counts) == len(step.alpha)
    assert counts[0] == (step.alpha == 0).sum()


@pytest.mark.parametrize("name", ["rbf", "linear", "poly"])
def test_primal_and_dual_agree_at_the_end(name):
    problem, _, model, scene = drawing_of(name)
    results = {
        text.split(" = ")[0]: result(text) for text in formulas(scene.frames[-1]) if " = " in text
    }
    assert results["½‖w‖² + C Σξ"] == pytest.approx(results["dual: Σα − ½ ΣΣ α α y y K"], rel=1e-4)
    slack = np.maximum(0, 1 - np.where(problem.y == 1, 1, -1) * model.decision_function(problem.X))
    alpha = np.abs(model.dual_coef_[0])
    assert results["dual: Σα − ½ ΣΣ α α y y K"] == pytest.approx(
        alpha.sum() - (alpha.sum() - model.C * slack.sum()) / 2, rel=1e-4
    )
    length = 2 * (results["½‖w‖² + C Σξ"] - model.C * slack.sum())
    assert results["margin: 2 / ‖w‖"] == pytest.approx(2 / length**0.5, rel=1e-3)


def test_the_weights_of_a_linear_machine_are_listed():
    _, _, model, scene = drawing_of("linear")
    rows = tables(scene.frames[-1])["w = Σ y α x"].rows
    np.testing.assert_allclose([row[1] for row in rows], [*model.coef_[0], model.intercept_[0]])


def test_nu_lies_between_the_shares():
    _, _, model, scene = drawing_of("nu")
    (text,) = (text for text in formulas(scene.frames[-1]) if text.startswith("inside the margin"))
    inside, _, share, nu, used, _, support = numbers(text)
    assert share <= nu <= support
    assert (inside / 60, used) == (pytest.approx(share, rel=1e-5), len(model.support_))
    (text,) = (text for text in formulas(scene.frames[-1]) if text.startswith("ρ"))
    assert result(text) == pytest.approx(np.abs(model.dual_coef_).max(), rel=1e-5)


def test_what_is_asked_about_is_added_up(name):
    problem = moons()
    query = problem.query((0.5, 0.25))
    _, trace, model, scene = drawing_of(name, problem, query)
    text = next(text for text in formulas(scene.frames[-1]) if text.startswith("f(x) ="))
    value = numbers(text)[-1]
    expected = model.decision_function(query.x[None])[0] * trace.steps[-1].margin
    assert value == pytest.approx(expected, rel=1e-3, abs=1e-5)
    assert problem.classes[int(expected >= 0)] in text
    rows = tables(scene.frames[-1])["f(x) = Σ y α K(row, x) + b"].rows
    assert sum(row[3] for row in rows) + trace.steps[-1].b == pytest.approx(
        expected, rel=1e-6, abs=1e-9
    )


def test_without_a_question_the_page_says_how_to_ask():
    assert any("Click" in note for note in drawing_of("rbf")[3].notes)
    assert not any("Click" in note for note in drawing_of("rbf", moons(), moons().query())[3].notes)


# --- marks ----------------------------------------------------------------------------------------


def test_lines_are_where_the_decision_value_is_zero_and_one(name):
    problem, trace, _, scene = drawing_of(name)
    negative, positive, middle = marks(scene, Line)
    for frame in (len(scene.frames) // 2, len(scene.frames) - 1):
        step = trace.steps[numbers_of_frames(trace.steps)[frame]]
        for line, level in ((negative, -step.margin), (positive, step.margin), (middle, 0.0)):
            places = np.column_stack([at(line.x, frame), at(line.y, frame)])
            places = places[np.isfinite(places).all(axis=1)]
            f = step.kernel(places, problem.X[step.rows]) @ (step.sign * step.alpha) + step.b
            spread = np.ptp(step.kernel(problem.X, problem.X[step.rows]) @ (step.sign * step.alpha))
            assert np.abs(f - level).max(initial=0) < 0.06 * spread


def test_rings_are_the_support_vectors(name):
    problem, trace, model, scene = drawing_of(name)
    (rings,) = (mark for mark in marks(scene, Points) if not (mark.data or mark.emphasis))
    last = len(scene.frames) - 1
    ringed = {tuple(place) for place in np.column_stack([at(rings.x, last), at(rings.y, last)])}
    assert ringed == {tuple(place) for place in problem.points[model.support_]}
    assert at(rings.x, 0).size == (trace.steps[0].alpha > 0).sum()


def test_slacks_lead_to_the_edge_of_the_margin():
    _, _, model, scene = drawing_of("rbf")
    (lines,) = marks(scene, Segments)
    last = len(scene.frames) - 1
    start, end = (
        np.column_stack([at(getattr(lines, f"x{k}"), last), at(getattr(lines, f"y{k}"), last)])
        for k in (0, 1)
    )
    assert len(start) > 3
    classes = np.where(at(lines.color, last) == 1, 1.0, -1.0)
    np.testing.assert_allclose(classes * model.decision_function(end), 1, atol=0.03)
    assert (classes * model.decision_function(start) <= 1 + 1e-6).all()
    assert at(lines.x0, last - 1).size == 0


def test_the_image_is_the_class_in_every_frame(name):
    problem, trace, _, scene = drawing_of(name)
    coarse, fine = marks(scene, Raster)
    for frame in range(1, min(len(scene.frames) - 1, 16), 5):
        step = trace.steps[numbers_of_frames(trace.steps)[frame]]
        x0, x1, y0, y1 = coarse.extent
        n = coarse.width
        x, y = (
            x0 + (x1 - x0) * (np.arange(n) + 0.5) / n,
            y1 + (y0 - y1) * (np.arange(n) + 0.5) / n,
        )
        places = np.column_stack([np.tile(x, n), np.repeat(y, n)])
        f = step.kernel(places, problem.X[step.rows]) @ (step.sign * step.alpha) + step.b
        clear = np.abs(f) > 1e-9 * np.abs(f).max()
        assert (at(coarse.pixels, frame).ravel()[clear] == (f > 0)[clear]).all()
    assert at(coarse.pixels, len(scene.frames) - 1).size == 0
    assert at(fine.pixels, 0).size == 0
    assert at(fine.pixels, len(scene.frames) - 1).size == 900


def test_the_pair_moves_inside_its_box(name):
    _, trace, _, scene = drawing_of(name)
    was, went = marks(scene, Points, "box")
    for frame, n in enumerate(numbers_of_frames(trace.steps)[:10]):
        step = trace.steps[n]
        if step.move is None:
            assert at(was.x, frame).size == 0
            continue
        before = trace.steps[n - 1]
        pair = [step.move.i, step.move.j]
        assert [at(was.x, frame).item(), at(was.y, frame).item()] == before.alpha[pair].tolist()
        assert [at(went.x, frame).item(), at(went.y, frame).item()] == step.alpha[pair].tolist()


# --- runs that are long, or cut off ---------------------------------------------------------------


def test_long_runs_are_thinned_and_say_so():
    problem = moons(200, noise=0.5)
    model = SVC(kernel="linear", C=100.0)
    run = Run.of(problem, model)
    scene, trace = svm_scene(run), run.trace
    assert len(scene.frames) <= MAX_FRAMES < len(trace.steps)
    assert any(note.startswith("Long run: every") for note in scene.notes)
    assert [frame.phase for frame in scene.frames][:2] == ["start", "pair"]
    assert scene.frames[-1].phase == "done"
    assert len(encode(scene)) < 150_000


def test_the_objective_and_the_last_pair_are_those_of_all_steps():
    run = Run.of(moons(200, noise=0.5), SVC(kernel="linear", C=100.0))
    steps, scene = run.trace.steps, svm_scene(run)
    curve = marks(scene, Line, "objective")[0]
    vertices = np.column_stack([at(curve.x, -1), at(curve.y, -1)])
    assert len(scene.frames) < len(vertices) <= len(steps)
    assert vertices[:, 1].tolist() == [steps[int(number)].objective for number in vertices[:, 0]]
    last = [step for step in steps if step.move][-1]
    _, end = marks(scene, Points, "box")
    assert [at(end.x, -1)[0], at(end.y, -1)[0]] == last.alpha[[last.move.i, last.move.j]].tolist()


def test_a_run_that_was_cut_off_needs_no_fitted_model():
    problem = moons()
    run = Run.of(problem, SVC(), query=problem.query())
    short = stopped(run, 4)
    assert [frame.phase for frame in svm_scene(short).frames] == ["start", "pair", "pair", "pair"]
    assert "fitted" not in vars(short)
    assert svm_scene(stopped(run, 0)).frames[0].caption == "You stopped."


def test_held_out_rows_keep_their_places():
    problem, trace, model, scene = drawing_of("rbf", moons(test_size=0.3))
    (rings,) = (mark for mark in marks(scene, Points) if not (mark.data or mark.emphasis))
    last = len(scene.frames) - 1
    ringed = {tuple(place) for place in np.column_stack([at(rings.x, last), at(rings.y, last)])}
    assert ringed == {tuple(place) for place in problem.training.points[model.support_]}
    pair = next(step for step in trace.steps if step.move)
    row = tables(scene.frames[1])["The maximal violating pair"].rows[0][1]
    assert row == problem.training.rows[pair.rows[pair.move.i]] + 1


def test_more_columns_are_held_and_say_so():
    X, y = make_moons(40, noise=0.2, random_state=0)
    frame = pd.DataFrame(np.hstack([X, X[:, ::-1] ** 2]), columns=list("abcd")).assign(
        k=np.where(y, "yes", "no")
    )
    problem = prepare(frame, list("abcd"), target="k", labelled=True, positive="yes")
    scene = drawing_of("rbf", problem)[3]
    assert any("hold the other columns" in note for note in scene.notes)
    assert marks(scene, Segments) == []


def test_words():
    assert formula_of(SVC().fit([[0.0], [1.0]], [0, 1]).kernel_) == "K(x, z) = exp(−4 · ‖x − z‖²)"


def test_a_plateau_has_no_lines():
    frame = pd.DataFrame(
        {"a": [0.0, 1.0] * 6, "b": [0.0, 0.0, 1.0, 1.0] * 3, "c": list("xxxxyyyyxyxy")}
    )
    frame = pd.concat(
        [frame, frame.assign(c=frame["c"].map({"x": "y", "y": "x"}))], ignore_index=True
    )
    problem = prepare(frame, ["a", "b"], target="c", labelled=True, positive="y")
    *_, scene = drawing_of(
        "rbf", problem
    )  # each place is of both classes as often: the decision value is 0 everywhere
    assert all(at(line.x, len(scene.frames) - 1).size == 0 for line in marks(scene, Line))


def test_numbers_that_mean_nothing_are_not_told():
    problem = moons(noise=0.5)
    hard = SVC(kernel="linear", C=np.inf)
    with pytest.warns(ConvergenceWarning, match="grows without end"):
        hard.fit(problem.X, problem.y)
    scene = svm_scene(Run.of(problem, hard))
    assert "grows without end" in scene.frames[-1].caption
    texts = formulas(scene.frames[-1])
    assert any("set C to a finite value" in text for text in texts)
    assert not any("margin: 2" in text for text in texts)
    twisted = SVC(kernel="sigmoid", gamma=2.0)
    scene = svm_scene(Run.of(problem, twisted))
    assert any("there is no w" in text for text in formulas(scene.frames[-1]))


def test_nothing_is_of_a_class_before_the_first_pair():
    *_, scene = drawing_of("rbf")
    coarse, _ = marks(scene, Raster)
    assert at(coarse.pixels, 0).size == 0
    assert at(coarse.pixels, 1).size == coarse.width**2


def arrow_ends(scene, frame=-1):
    """Return both ends of the arrow across the margin, and what is written beside it."""
    (arrow,) = (mark for mark in marks(scene, Segments, "data") if mark.arrow)
    (text,) = (mark for mark in marks(scene, Texts, "data") if "margin" in "".join(mark.text))
    return np.column_stack([at(arrow.x1, frame), at(arrow.y1, frame)]), text.text


def test_an_arrow_across_a_straight_margin_has_its_width():
    _, _, model, scene = drawing_of("linear")
    ends, text = arrow_ends(scene)
    width = 2 / np.linalg.norm(model.coef_)
    assert np.linalg.norm(np.subtract(*ends)) == pytest.approx(width, rel=1e-4)
    assert [*text] == [f"margin {width:.4g}"]
    np.testing.assert_allclose(np.sort(model.decision_function(ends)), [-1, 1], atol=1e-4)
    assert len(arrow_ends(scene, 0)[0]) == 0
