"""The page of kernels: its presets show what they promise."""

import numpy as np

from tests.visit import linked, open_preset, sound, stage, technique, visit, warnings, watched_runs

SLUG = "kernels"
PRESETS = {preset.title: preset for preset in technique(SLUG).presets}


def run_of(title):
    """Open a preset as a link; return the fitted answer, the frames, and what to look for."""
    run, scene, look_for = open_preset(SLUG, title)
    return run.fitted, scene["frames"], look_for


def test_rings_and_points():
    fitted, _, look_for = run_of("Two rings become a line apart")
    assert fitted.rank_ == 3
    assert "rank 3" in look_for
    fitted, _, look_for = run_of("Four points, by hand")
    assert (fitted.rank_, fitted.kernel_matrix_[3, 2]) == (3, 36)
    assert "36" in look_for


def test_what_is_no_kernel():
    fitted, frames, look_for = run_of("The sigmoid is no kernel")
    assert (fitted.eigenvalues_ < 0).sum() == 2
    assert f"{fitted.smallest_eigenvalue_:.4f}".replace("-", "−") in look_for
    assert f"{fitted.kernel_matrix_[0, 1]:.4f}" in look_for
    assert fitted.kernel_matrix_[0, 0] == 0
    assert "Mercer's condition fails" in frames[-1]["caption"]
    fitted, _, look_for = run_of("Taken minus one times")
    assert f"{fitted.smallest_eigenvalue_:.1f}".replace("-", "−") in look_for


def test_closure():
    fitted, _, look_for = run_of("A sum fills the space")
    assert f"{fitted.smallest_eigenvalue_:.4f}" in look_for
    assert fitted.rank_ == 4
    fitted, _, _ = run_of("Kept on one side")
    assert not fitted.kernel_matrix_[2].any()
    assert (fitted.rank_, fitted.positive_semidefinite_) == (3, True)


def test_species():
    fitted, _, _ = run_of("Species in the matrix")
    K = fitted.kernel_matrix_
    assert K.shape == (150, 150)
    assert K[:50, 50:].max() < 0.5 < K[:50, :50].mean()


# --- a pair, and strings --------------------------------------------------------------------------


def test_a_click_on_a_cell_of_the_matrix_shows_its_pair():
    settings = linked(SLUG, PRESETS["Four points, by hand"].settings)
    with watched_runs() as runs:
        frame = stage(sound(visit(SLUG, pair="1,0", **settings)))["frames"][-1]
    run = runs[-1]
    order = np.lexsort((run.problem.X[:, 0], run.problem.y))
    i, j = order[3], order[1]
    formulas = " ".join(block["text"] for block in frame["ledger"] if "text" in block)
    assert f"= {run.fitted.kernel_matrix_[i, j]:.6g}" in formulas
    spec = stage(sound(visit(SLUG, pair="1,0", **settings)))
    (handle,) = spec["handles"]
    assert (handle["name"], handle["panel"], handle["x"], handle["y"]) == (
        "pair",
        "matrix",
        1.0,
        0.0,
    )


def test_a_cell_beyond_the_matrix_is_at_its_edge_and_nonsense_is_ignored():
    (handle,) = stage(
        sound(
            visit(SLUG, pair="9999,9999", **linked(SLUG, PRESETS["Four points, by hand"].settings))
        )
    )["handles"]
    assert (handle["x"], handle["y"]) == (3.0, 3.0)
    for text in ("1", "a,b", "-1,2", "1,2,3", "999999,1"):
        assert any("ignored" in warning for warning in warnings(visit(SLUG, pair=text))), text


def test_strings_have_a_tab_of_their_own():
    page = sound(visit(SLUG, states={f"{SLUG}.tab": "Strings"}))
    assert any("k = 2 · 1 = 2" in each.value for each in page.markdown)
    page.text_area(key="kernels.strings").set_value("<b>x</b>\n*x*").run()
    sound(page)
    page.text_area(key="kernels.strings").set_value("one").run()
    assert any("at least two strings" in each.value for each in sound(page).info)


def test_the_reader_says_how_many_rows_a_zero_extension_leaves_out():
    settings = linked(SLUG, PRESETS["Kept on one side"].settings)
    ranks = []
    for share in ("0.0", "0.5", "0.75"):
        with watched_runs() as runs:
            frame = stage(sound(visit(SLUG, **settings, **{f"{SLUG}.outside": share})))["frames"][
                -1
            ]
        ranks.append(runs[-1].fitted.rank_)
        assert any(
            f"≥ {runs[-1].problem.X[:, 0].min():g}" in str(each) for each in frame["ledger"]
        ) == (share == "0.0")
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[0] > ranks[-1]
