"""The page of kernel k-means: its presets and its lesson say what is so."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score

from dmlib.clustering import FuzzyCMeans, KernelKMeans
from dmlib.clustering.kernel_kmeans.figures.relaxation import relaxation, relaxation_data
from dmlib.clustering.kernel_kmeans.figures.soft_sweep import soft_sweep_data
from dmlib.clustering.kernel_kmeans.reference import kernel_kmeans_reference
from dmlib.clustering.kernel_kmeans.scene import kernel_kmeans_scene
from dmlib.comparison import compare
from dmlib.pictures.marks import Line
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.contract.test_lessons import section, text_of
from tests.pictures.examples import PROBLEMS, at, marks
from tests.visit import open_preset, sound, visit, watched_runs

POINTS = np.array([(1, 0), (2, 0), (0, 1), (0, 2)], float)


def run_of(title, **link):
    """Open a preset as a link; return the run on the page, its frames and what to look for."""
    run, scene, look_for = open_preset("kernel_kmeans", title, **link)
    return run, scene["frames"], look_for


def refitted(run, **params):
    return clone(run.model).set_params(**params).fit(run.problem.X)


def agreement(run, model):
    return adjusted_rand_score(run.problem.y, model.labels_)


def test_two_rings():
    run, _, look_for = run_of("Two rings come apart")
    assert agreement(run, run.fitted) == 1
    assert f"{run.fitted.inertia_:.4g}" == "98.34"
    assert "98.34" in look_for
    assert agreement(run, refitted(run, kernel="linear")) < 0.1
    assert f"{run.fitted.inertia_:.4g}" == f"{run_of_start().fitted.inertia_:.4g}"


def run_of_start():
    with watched_runs() as runs:
        sound(visit("kernel_kmeans"))
    return runs[-1]


def test_four_points():
    run, frames, look_for = run_of("Four points by hand")
    assert_allclose(run.problem.X, POINTS)
    assert run.fitted.inertia_ == pytest.approx(9)
    text = next(part["text"] for part in frames[-1]["ledger"] if "text" in part)
    assert text.endswith("1 − 2 × 5 / 2 + 25 / 2² = 2.25")
    assert "1 − 2 × 5 / 2 + 25 / 2² = 2.25" in look_for
    second_run, _, _ = run_of("Four points by hand", seed="0")
    assert f"{second_run.fitted.inertia_:.4g}" == "9.333"
    assert "9.333" in look_for


def test_the_numbers_of_the_lesson():
    text = section(text_of("kernel_kmeans"), "By hand")
    space = KernelKMeans(kernel="poly", gamma=1.0, coef0=0.0).feature_space(POINTS)
    for name, row in zip("ABCD", space.K, strict=True):
        assert f"| {name} | " + " | ".join(f"{value:g}" for value in row) + " |" in text
    distances = space.distances(space.means(np.array([0, 0, 1, 1]), 2))
    assert_allclose(distances.within, 6.25)
    assert_allclose(distances.squared[:2], [[2.25, 7.25], [2.25, 22.25]])
    stuck = KernelKMeans(kernel="poly", gamma=1.0, coef0=0.0, init=[0, 1, 0, 0]).fit(POINTS)
    assert stuck.labels_.tolist() == [0, 1, 0, 0]
    assert stuck.inertia_ == pytest.approx(28 / 3)
    for number in ("**25**", "**6.25**", "**2.25**", "**7.25**", "**22.25**", "**9**", "**9.333**"):
        assert number in text


def test_two_moons():
    run, _, look_for = run_of("Two moons by the normalised cut")
    assert agreement(run, run.fitted) == 1
    assert f"{run.fitted.inertia_:.4g}" == "40.19"
    restarted = refitted(run, init="k-means++")
    assert f"{restarted.inertia_:.4g}" == "40.27"
    assert agreement(run, restarted) < 0.1
    assert "40.27, above 40.19" in look_for
    places = run.made["feature plane"][0][:, 0]
    codes = np.asarray(run.problem.y)
    assert (
        places[codes == 0].max() < places[codes == 1].min()
        or places[codes == 1].max() < places[codes == 0].min()
    )


def test_failures():
    run, _, look_for = run_of("A ring stays a ring")
    assert sorted(np.bincount(run.fitted.labels_)) == [40, 160]
    assert "40 and 160" in look_for
    run, _, look_for = run_of("Everybody alone")
    assert f"{run.fitted.inertia_:.4g}" == "195.6"
    assert sorted(np.bincount(run.fitted.labels_)) == [25, 175]
    assert "195.6" in look_for
    assert "175 and 25" in look_for


def test_fuzzy_presets():
    run, _, _ = run_of("Points between groups")
    assert refitted(run, m=1.05).partition_coefficient_ > 0.98
    assert refitted(run, m=6.0).partition_coefficient_ < 0.4
    run, frames, look_for = run_of("Irises, shared out")
    assert f"{run.fitted.partition_coefficient_:.4g}" == "0.7834"
    assert sorted(np.bincount(run.fitted.labels_)) == [40, 50, 60]
    assert "0.7834" in look_for
    assert run.problem.X.shape == (150, 4)
    assert any("Partition coefficient" in part.get("text", "") for part in frames[-1]["ledger"])


@pytest.mark.parametrize(
    "model",
    [
        KernelKMeans(3, gamma=0.5, random_state=0),
        KernelKMeans(3, kernel="poly", n_init=1, max_iter=2, random_state=0),
        KernelKMeans(3, weighting="degree", init="spectral", gamma=2.0, random_state=0),
        FuzzyCMeans(3, random_state=0),
    ],
)
def test_the_library_agrees(model):
    frame, features = three_groups()
    run = Run.of(prepare(frame, features), model)
    (row,) = compare(run.fitted, kernel_kmeans_reference(run).answer(run), ["inertia_"])
    assert row.agrees, row.difference


def three_groups():
    import pandas as pd

    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 2)) + np.repeat([[0, 0], [5, 0], [0, 5]], 20, axis=0)
    return pd.DataFrame(X, columns=["a", "b"]), ["a", "b"]


def test_the_selected_row_is_written_out():
    run, _, _ = run_of("Two rings come apart")
    table, formula = kernel_kmeans_scene(replace(run, selected=7)).frames[-1].ledger[:2]
    assert table.title.startswith("Row 8: ")
    squares = run.fitted.transform(run.problem.X[[7]])[0] ** 2
    assert_allclose([row[-1] for row in table.rows], squares, rtol=1e-3)
    assert f"{squares.min():.6g}" in formula.text


def test_the_curve_of_a_thinned_run_has_all_half_steps():
    run = Run.of(PROBLEMS["four columns"], FuzzyCMeans(5, tol=0, max_iter=40, random_state=0))
    scene = kernel_kmeans_scene(run)
    half_steps = [step for step in run.trace.steps if step.phase in ("assign", "update")]
    assert len(scene.frames) <= 32 < len(half_steps)
    (curve,) = marks(scene, Line, "sse")
    assert at(curve.x, -1).tolist() == list(range(1, len(half_steps) + 1))
    assert_allclose(at(curve.y, -1), [step.inertia for step in half_steps])


def test_eigenvalues_bound_what_is_reached():
    run = run_of_start()
    data = relaxation_data(run)
    assert 0 < data.bound < data.reached
    assert_allclose(data.total, len(run.problem.X))
    fuzzy, _, _ = run_of("Points between groups")
    with pytest.raises(ValueError, match="no kernel matrix"):
        relaxation(fuzzy)


def test_sweeps():
    frame, features = three_groups()
    X = frame[features].to_numpy()
    kernel = soft_sweep_data(KernelKMeans(2, gamma=0.1, random_state=0), X)
    assert (kernel.second <= kernel.objective + 1e-9).all()
    fuzzy = soft_sweep_data(FuzzyCMeans(2, random_state=0), X)
    assert int(fuzzy.k[np.nanargmax(fuzzy.second)]) == 3
