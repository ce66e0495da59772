"""What is special on the page of kernels: its presets show what they say."""

from tests.visit import linked, sound, stage, technique, visit, warnings, watched_runs

SLUG = "kernels"
PRESETS = {preset.title: preset for preset in technique(SLUG).presets}


def run_of(title):
    """Open a preset as a link; return the fitted answer, the frames, and what to look for."""
    with watched_runs() as seen:
        page = sound(visit(SLUG, **linked(SLUG, PRESETS[title].settings)))
    assert warnings(page) == []
    return seen[-1].fitted, stage(page)["frames"], PRESETS[title].look_for


def test_rings_and_points():
    fitted, _, told = run_of("Two rings become a line apart")
    assert fitted.rank_ == 3
    assert "rank 3" in told
    fitted, _, told = run_of("Four points, by hand")
    assert (fitted.rank_, fitted.kernel_matrix_[3, 2]) == (3, 36)
    assert "36" in told


def test_what_is_no_kernel():
    fitted, frames, told = run_of("The sigmoid is no kernel")
    assert (fitted.eigenvalues_ < 0).sum() == 2
    assert f"{fitted.smallest_eigenvalue_:.4f}".replace("-", "−") in told
    assert f"{fitted.kernel_matrix_[0, 1]:.4f}" in told
    assert fitted.kernel_matrix_[0, 0] == 0
    assert "Mercer's condition fails" in frames[-1]["caption"]
    fitted, _, told = run_of("Taken minus one times")
    assert f"{fitted.smallest_eigenvalue_:.1f}".replace("-", "−") in told


def test_closure():
    fitted, _, told = run_of("A sum fills the space")
    assert f"{fitted.smallest_eigenvalue_:.4f}" in told
    assert fitted.rank_ == 4
    fitted, _, _ = run_of("Kept on one side")
    assert not fitted.kernel_matrix_[2].any()
    assert (fitted.rank_, fitted.positive_semidefinite_) == (3, True)


def test_species():
    fitted, _, _ = run_of("Species in the matrix")
    K = fitted.kernel_matrix_
    assert K.shape == (150, 150)
    assert K[:50, 50:].max() < 0.5 < K[:50, :50].mean()
