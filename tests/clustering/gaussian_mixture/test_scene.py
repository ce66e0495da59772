import numpy as np
import pytest
from scipy.stats import multivariate_normal

from dmlib.clustering import GaussianMixture
from dmlib.clustering.gaussian_mixture.gaussians import COVARIANCE_TYPES
from dmlib.clustering.gaussian_mixture.scene import MANY, gaussian_mixture_scene
from dmlib.pictures.encode import encode
from dmlib.pictures.marks import NO_CLASS, Ellipses, Line, Points, Segments
from dmlib.pictures.run import Run
from dmlib.trace import run
from tests.pictures.examples import BLOBS, PROBLEMS, at, formulas, marks, problem, result, tables
from tests.runs import stopped

each_problem = pytest.mark.parametrize("name", PROBLEMS)
each_type = pytest.mark.parametrize("covariance_type", COVARIANCE_TYPES)
OUTLIER = problem([*BLOBS[:40].tolist(), [30, 30]])


def scene_and_steps(data, k=3, selected=None, restart=None, **params):
    run = Run.of(
        data, GaussianMixture(k, random_state=0, **params), selected=selected, restart=restart
    )
    return gaussian_mixture_scene(run), [step for step in run.trace.steps if step.phase != "best"]


def density(step, X):
    """Weight times density of each component at each row, by SciPy."""
    mixture = step.mixture
    return np.column_stack(
        [
            weight * multivariate_normal(mean, matrix).pdf(X).reshape(len(X))
            for weight, mean, matrix in zip(
                mixture.weights, mixture.means, mixture.matrices(), strict=True
            )
        ]
    )


def frames_of(scene, steps, phase):
    return [
        (i, frame, step)
        for i, (frame, step) in enumerate(zip(scene.frames, steps, strict=True))
        if step.phase == phase
    ]


@each_problem
@each_type
@pytest.mark.parametrize("init", ["kmeans", "random_from_data"])
def test_a_frame_for_every_step(name, covariance_type, init):
    scene, steps = scene_and_steps(
        PROBLEMS[name], 2, covariance_type=covariance_type, init=init, selected=1
    )
    assert [frame.phase for frame in scene.frames] == [step.phase for step in steps]
    assert encode(scene)


def test_any_part_of_a_trace_can_be_drawn():
    data = PROBLEMS["blobs"]
    run = Run.of(
        data, GaussianMixture(4, n_init=2, random_state=0, init="random", max_iter=4), selected=1
    )
    steps = run.trace.steps
    for n in range(len(steps) + 1):
        scene = gaussian_mixture_scene(stopped(run, n))
        scenes = [
            step
            for step in steps[:n]
            if step.restart == steps[max(n - 1, 0)].restart and step.phase != "best"
        ]
        assert len(scene.frames) == (len(scenes) or 1)
        assert encode(scene)


@each_type
def test_expectations_are_recomputed_from_the_densities(covariance_type):
    data = PROBLEMS["four columns"]
    scene, steps = scene_and_steps(data, covariance_type=covariance_type)
    for _, frame, step in frames_of(scene, steps, "expectation"):
        joint = density(step, data.X)
        shares = joint / joint.sum(axis=1, keepdims=True)
        table = tables(frame)["Sums of responsibilities"]
        np.testing.assert_allclose([row[0] for row in table.rows], shares.sum(axis=0), rtol=1e-6)
        assert sum(row[1] for row in table.rows) == pytest.approx(0, abs=1e-6)
        formula = formulas(frame)[-1].split("; ")[0]
        assert result(formula) == pytest.approx(np.log(joint.sum(axis=1)).sum(), rel=1e-5)


def test_maximisations_are_written_as_sums_over_shares():
    data = PROBLEMS["blobs"]
    scene, steps = scene_and_steps(data, init="random")
    for _, frame, step in frames_of(scene, steps, "maximization"):
        shares, table = step.responsibilities, tables(frame)
        for j, (weight, mean, spread) in enumerate(
            zip(
                table["Weight = Σ r / Σ of all"].rows,
                table["Mean = Σ r x / Σ r"].rows,
                table["Covariance = Σ r"].rows,
                strict=True,
            )
        ):
            r = shares[:, j]
            assert weight == (f"{r.sum():.5g} / {len(r)} = {r.mean():.4g}",)
            for x, cell in zip(data.X.T, mean, strict=True):
                assert cell == f"{r @ x:.5g} / {r.sum():.5g} = {r @ x / r.sum():.5g}"
            covariance = np.cov(data.X.T, aweights=r, ddof=0) + 1e-6 * np.eye(2)
            np.testing.assert_allclose(
                spread, [covariance[0, 0], covariance[1, 1], covariance[0, 1]], rtol=1e-6
            )


def test_a_selected_row_gets_its_shares():
    data = PROBLEMS["four columns"]
    scene, steps = scene_and_steps(data, selected=7)
    for _, frame, step in frames_of(scene, steps, "expectation"):
        joint = density(step, data.X[[7]])[0]
        table = tables(frame)["Row 8: r = π N(x) / p(x)"]
        np.testing.assert_allclose([row[2] for row in table.rows], joint, rtol=1e-6)
        np.testing.assert_allclose([row[3] for row in table.rows], joint / joint.sum(), rtol=1e-6)
        assert result(formulas(frame)[0]) == pytest.approx(np.log(joint.sum()), rel=1e-5)
    for _, frame, step in frames_of(scene, steps, "maximization"):
        counted = tables(frame)["Row 8: its terms in the sums"].rows
        share = step.responsibilities[7]
        np.testing.assert_allclose([row[1] for row in counted], share * data.X[7, 0])


def test_criteria_at_the_end_are_those_of_the_model():
    data = PROBLEMS["blobs"]
    model = GaussianMixture(3, random_state=0).fit(data.X)
    *_, count, bic, aic = formulas(scene_and_steps(data)[0].frames[-1])
    assert result(bic) == pytest.approx(model.bic(data.X), rel=1e-5)
    assert result(aic) == pytest.approx(model.aic(data.X), rel=1e-5)
    assert count == "parameters: 2 weights + 3 × 2 means + 3 × 2 × 3 / 2 (co)variances = 17"


@each_type
@pytest.mark.parametrize("init", ["kmeans", "random"])
def test_the_curve_never_falls_and_meets_the_bound_of_the_shares(covariance_type, init):
    data = PROBLEMS["four columns"]
    scene, steps = scene_and_steps(data, covariance_type=covariance_type, init=init, reg_covar=0)
    curve = at(marks(scene, Line, "curve", color="muted")[0].y, 0)
    assert (np.diff(curve) >= -1e-9 * np.abs(curve[1:])).all()
    later_steps = [step for step in steps if step.phase != "start"]
    for height, step in zip(curve, later_steps, strict=True):
        shares, joint = step.responsibilities, density(step, data.X)
        terms = np.where(shares > 0, shares * np.log(joint / np.where(shares > 0, shares, 1)), 0)
        assert height == pytest.approx(terms.sum(), rel=1e-8)


def test_a_start_from_single_rows_does_not_flatten_the_curve():
    scene, _ = scene_and_steps(PROBLEMS["blobs"], init="random_from_data")
    curve = at(marks(scene, Line, "curve", color="muted")[0].y, 0)
    panel = next(panel for panel in scene.panels if panel.name == "curve")
    assert np.isnan(curve[:2]).all()
    assert np.isfinite(curve[2:]).all()
    assert panel.y.high - panel.y.low < 1000
    text = scene.frames[1].caption
    axis = (
        "Most of the smallest variance of components 1, "
        "2 and 3 is reg_covar, 1e−06; without that they could collapse."
    )
    assert axis in text


@each_type
def test_ellipses_lie_one_and_two_deviations_away(covariance_type):
    data = PROBLEMS["blobs"]
    scene, steps = scene_and_steps(data, covariance_type=covariance_type)
    outer, inner = marks(scene, Ellipses)
    last = len(steps) - 1
    for j, (mean, matrix) in enumerate(
        zip(steps[-1].means, steps[-1].mixture.matrices(), strict=True)
    ):
        for mark, sigmas in ((inner, 1), (outer, 2)):
            turn = at(mark.angle, last)[j]
            for t in np.linspace(0, 6, 9):
                u, v = at(mark.rx, last)[j] * np.cos(t), at(mark.ry, last)[j] * np.sin(t)
                off = np.array(
                    [u * np.cos(turn) - v * np.sin(turn), u * np.sin(turn) + v * np.cos(turn)]
                )
                assert off @ np.linalg.solve(matrix, off) == pytest.approx(sigmas**2)
            assert [at(mark.x, last)[j], at(mark.y, last)[j]] == pytest.approx(mean.tolist())


def test_marks_are_shared_out_as_the_rows_are():
    data = PROBLEMS["blobs"]
    scene, steps = scene_and_steps(data, init="random")
    (inner_mark,) = marks(scene, Points, opacity=[0.75])
    (part,) = marks(scene, Points, data=True)
    for i, step in enumerate(steps):
        order = np.argsort(-step.responsibilities, axis=1)
        largest = step.responsibilities.max(axis=1)
        unsure = largest < 0.995
        np.testing.assert_array_equal(at(part.color, i), order[:, 0])
        np.testing.assert_array_equal(at(inner_mark.color, i)[unsure], order[unsure, 1])
        areas = at(part.size, i)[unsure] ** 2 / at(inner_mark.size, i)[unsure] ** 2
        np.testing.assert_allclose(areas, largest[unsure], atol=0.005)
        assert not at(inner_mark.size, i)[~unsure].any()


def test_rows_that_wait_have_no_component():
    scene, _ = scene_and_steps(PROBLEMS["blobs"], init="k-means++")
    (part,) = marks(scene, Points, data=True)
    assert (at(part.color, 0) == NO_CLASS).sum() == len(BLOBS) - 3
    assert (
        scene.frames[0].caption
        == "Start: one row represents each component; the others have no component yet."
    )


def test_of_many_rows_only_the_likeliest_component_is_drawn():
    data = problem(np.random.default_rng(0).normal(size=(MANY + 1, 2)))
    scene, steps = scene_and_steps(data)
    (part,) = marks(scene, Points, data=True)
    assert not marks(scene, Points, opacity=[0.75])
    np.testing.assert_array_equal(at(part.color, 2), steps[2].responsibilities.argmax(axis=1))
    assert any("click it to see its responsibilities" in note for note in scene.notes)


def test_arrows_lead_from_the_old_to_the_new_means():
    scene, steps = scene_and_steps(PROBLEMS["blobs"], init="random")
    (arrows,) = marks(scene, Segments)
    for i in range(1, len(steps)):
        if steps[i].phase == "maximization" and steps[i - 1].mixture is not None:
            np.testing.assert_allclose(
                at(arrows.x1, i) - at(arrows.x0, i), (steps[i].means - steps[i - 1].means)[:, 0]
            )
        else:
            assert at(arrows.x0, i).size == 0


def test_what_the_variance_is_held_by_is_told():
    scene, _ = scene_and_steps(OUTLIER)
    assert scene.frames[-1].caption.endswith(
        " is reg_covar, 1e−06; without that it could collapse."
    )


def test_a_collapse_is_told():
    scene, steps = scene_and_steps(OUTLIER, reg_covar=0)
    captions = [frame.caption for _, frame, _ in frames_of(scene, steps, "reset")]
    assert captions[0].startswith(
        "A covariance became singular: the log-likelihood would grow without limit. Component"
    )
    assert (
        "had collapsed, and starts anew where the mean was, with the covariance of all rows."
        in captions[0]
    )
    assert all("starts anew at row " in caption for caption in captions[1:])


def test_the_kept_restart_is_drawn_unless_another_is_asked_for():
    scene, steps = scene_and_steps(PROBLEMS["blobs"], init="random", n_init=4)
    best_restart = (
        run(GaussianMixture(3, random_state=0, init="random", n_init=4), PROBLEMS["blobs"].X)
        .steps[-1]
        .restart
    )
    assert len(scene.frames) == sum(step.restart == best_restart for step in steps)
    restart = (best_restart + 1) % 4
    second, _ = scene_and_steps(PROBLEMS["blobs"], init="random", n_init=4, restart=restart)
    assert [frame.caption for frame in second.frames] != [frame.caption for frame in scene.frames]


def test_the_picture_holds_the_ellipses_that_are_near_the_rows():
    scene, steps = scene_and_steps(PROBLEMS["blobs"], 1)
    x, half = scene.panels[0].x, 2 * np.sqrt(steps[-1].mixture.matrices()[0, 0, 0])
    assert x.low <= steps[-1].means[0, 0] - half
    assert x.high >= steps[-1].means[0, 0] + half
    wide = BLOBS * [1, 1000]
    scene, _ = scene_and_steps(problem(wide), 1, covariance_type="spherical")
    x = scene.panels[0].x
    assert x.high - x.low < 2 * np.ptp(wide[:, 0])
