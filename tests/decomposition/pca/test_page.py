"""The page of principal components: scaling in view, the axis that is turned, noise."""

from functools import partial

import numpy as np
from sklearn.base import clone

from dmlib.decomposition import PCA
from dmlib.decomposition.pca.figures.reconstruction import reconstruction_data
from dmlib.pictures.words import percent
from tests.visit import (
    open_part,
    open_preset,
    picture,
    sentences_of,
    sound,
    stage,
    technique,
    visit,
    widgets,
)

ARRESTS = {"data": "us_arrests", "us_arrests.features": ["murder", "assault", "urban_pop", "rape"]}


def shares(page):
    """Return the column of shares in the ledger of the last frame."""
    tables = [
        block
        for block in stage(page)["frames"][-1]["ledger"]
        if block.get("title") == "Variance explained"
    ]
    return [row[2] for row in tables[0]["rows"]]


def test_standardising_is_one_choice_and_in_view():
    page = visit("pca")
    assert "scaling" in widgets(page)
    assert not any("scale" in key for key in widgets(page))
    assert shares(visit("pca", **ARRESTS))[0] == 0.9655
    assert shares(visit("pca", **ARRESTS, scaling="z-score"))[:2] == [0.6201, 0.2474]


def test_the_angle_travels_in_the_link_and_moves_nothing_else():
    pages = [sound(visit("pca", **{"pca.angle": angle})) for angle in ("10", "100")]
    first, second = map(stage, pages)
    assert [handle["name"] for handle in first["handles"]] == ["axis", "angle"]
    assert first["handles"][1]["x"] == 10
    assert len(first["frames"]) == len(second["frames"])
    assert "lost" in first["handles"][0]["label"]


def test_more_components_than_columns_is_a_sentence():
    (sentence,) = sentences_of(sound(visit("pca", **{"pca.n_components": "13"})))
    assert sentence.startswith("n_components=13 must be between")


def test_noise_is_for_the_figures_only():
    quiet, noisy = visit("pca"), visit("pca", **{"pca.noise": "1.0"})
    assert picture(quiet) == picture(noisy)
    open_part(noisy, **{"pca.tab": "Rows rebuilt"})
    assert "with noise" in noisy.get("plotly_chart")[0].proto.spec


def test_presets_on_digits_show_pictures():
    page = visit("pca")
    presets = [
        preset for preset in technique("pca").presets if preset.settings.get("data") == "digits"
    ]
    assert presets
    for preset in presets:
        page.menu_button(key="pca.presets").click(preset.title)
        scene = stage(sound(page.run()))
        assert [panel["name"] for panel in scene["panels"]] == ["data", "variance", "picture"]


def test_the_data_come_with_their_scores():
    page = open_part(visit("pca"), **{"pca.tab": "Data"})
    table = page.dataframe[0].value
    months, scores = table.loc[:, "jan":"dec"], [f"pca{i}" for i in range(12)]
    np.testing.assert_allclose(table[scores], PCA().fit_transform(months), atol=1e-9)


# --- numbers of the presets -----------------------------------------------------------------------

run_of = partial(open_preset, "pca")


def test_scaling_decides_the_arrests():
    run, _, look_for = run_of("Standardise or not")
    scaled = run_of("Standardise or not", scaling="z-score").run
    assert np.abs(run.fitted.components_[0]).round(1).tolist() == [0, 1, 0, 0.1]
    assert percent(run.fitted.explained_variance_ratio_[0]) in look_for
    assert percent(scaled.fitted.explained_variance_ratio_[0]) in look_for
    run, _, look_for = run_of("Four columns in a plane")
    assert percent(run.fitted.explained_variance_ratio_[:2].sum()) in look_for


def test_months():
    run, _, look_for = run_of("Twelve months, two stories")
    first, second = run.fitted.components_
    assert (first > 0.1).all()
    assert (second[:6] < 0).all()
    assert (second[6:] > 0).all()
    shares = run.fitted.explained_variance_ratio_
    assert all(f"({100 * share:.0f} %)" in look_for for share in shares)


def test_noise_on_digits():
    run, _, look_for = run_of("Noise is left out")
    data = reconstruction_data(clone(run.model), run.problem, run.options["noise"], run.seed)
    assert f"{data.best} of 64 components" in look_for
    assert run.model.n_components == data.best
    assert data.clean[data.best] < data.clean[-1] / 2


def test_groups_across_the_axis():
    run = run_of("Groups across the axis").run
    assert run.fitted.explained_variance_ratio_.round(2).tolist() == [0.8, 0.2]
    scores = run.fitted.transform(run.problem.X)
    groups = [scores[run.problem.y == code] for code in (0, 1)]
    gaps = np.abs(groups[0].mean(axis=0) - groups[1].mean(axis=0)) / groups[0].std(axis=0)
    assert gaps[0] < 0.2
    assert gaps[1] > 4


def test_a_ring_takes_many_turns():
    run, _, look_for = run_of("A ring has no axis")
    accepted = next(step for step in run.trace.steps if step.phase == "found")
    assert f"{accepted.iteration} iterations" in look_for
    assert run.fitted.explained_variance_ratio_.round(1).tolist() == [0.5, 0.5]


def test_one_far_point():
    run, _, look_for = run_of("One point turns the axis")
    cloud = run.problem.X[run.problem.X[:, 1] < 5]
    for X in (cloud, run.problem.X):
        x, y = PCA(1).fit(X).components_[0]
        assert f"{np.rad2deg(np.arctan2(y, x)) % 180:.0f}°" in look_for
    assert len(cloud) == len(run.problem.X) - 1
