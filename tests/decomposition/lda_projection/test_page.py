"""The page of Fisher's projection: its presets show what they say."""

from dmlib.decomposition.lda_projection.fisher import Scatter
from tests.gestures import move
from tests.visit import open_preset, technique

SLUG = "lda_projection"


def run_of(title, **settings):
    """Open a preset as a link; return the run on the page, its captions, and what to look for."""
    run, scene, look_for = open_preset(SLUG, title, **settings)
    return run, [frame["caption"] for frame in scene["frames"]], look_for


def ratios(run):
    """Fisher's ratio along the first principal component, and the eigenvalues."""
    scatter = Scatter.of(run.trace.steps[-1])
    return scatter.ratio(scatter.component[0]), run.fitted.eigenvalues_


def n_misclassified(run, part):
    """Return how many samples of a part are misclassified."""
    samples = getattr(run.problem, part)
    return int((run.fitted.predict(samples.data) != samples.y).sum())


def test_pca_hides_what_fisher_sees():
    run, captions, _ = run_of("Groups across the main axis")
    component, (best,) = ratios(run)
    assert component < 0.01
    assert best > 5
    assert captions[-1].endswith("90° away.")


def test_by_hand():
    run, captions, look_for = run_of("Eight points, by hand", **{f"{SLUG}.angle": "14"})
    component, (best,) = ratios(run)
    assert (round(component, 3), round(best, 6)) == (4.618, 12.5)
    assert "4.618" in look_for
    assert "625 / 50 = 12.5" in look_for
    assert captions[3].startswith("Your axis at 14° has the ratio 5.563")
    assert "5.563" in look_for


def test_equal_means():
    run, _, look_for = run_of("Equal means")
    assert f"{ratios(run)[1][0]:.4f}" == "0.0136"
    assert "is 0.0136" in look_for


def test_iris_and_wine():
    run, _, look_for = run_of("Four columns of iris, two axes")
    assert [f"{value:.4g}" in look_for for value in ratios(run)[1]] == [True, True]
    run, _, look_for = run_of("Thirteen columns of wine")
    component, values = ratios(run)
    assert run.problem.X.shape == (178, 13)
    assert [f"{value:.4g}" in look_for for value in (component, *values)] == [True] * 3
    assert n_misclassified(run, "training") == 0


def test_noise():
    run, _, look_for = run_of("Noise, separated")
    assert run.problem.training.X.shape == (42, 40)
    assert f"ratio {ratios(run)[1][0]:.4g}" in look_for
    assert n_misclassified(run, "training") == 0
    assert (n_misclassified(run, "testing"), len(run.problem.testing.X)) == (7, 18)
    assert "18 test rows, which are hollow, 7 are misclassified" in look_for


def test_the_axis_is_dragged():
    link = move({"name": "axis", "x": 77.0}, technique(SLUG))
    assert link == {f"{SLUG}.angle": ["77.0"]}
