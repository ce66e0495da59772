"""What is special on the page of principal components: scaling in view, the axis that is turned, noise."""

import numpy as np

from dmlib.decomposition import PCA
from tests.pages.visit import open_part, picture, sound, stage, technique, visit, warnings, widgets

ARRESTS = {"data": "us_arrests", "us_arrests.features": ["murder", "assault", "urban_pop", "rape"]}


def shares(page):
    """Return the column of shares in the ledger of the last frame."""
    tables = [block for block in stage(page)["frames"][-1]["ledger"] if block.get("title") == "Variance explained"]
    return [row[2] for row in tables[0]["rows"]]


def test_standardising_is_one_choice_and_in_view():
    page = visit("pca")
    assert "scaling" in widgets(page)
    assert not any("scale" in key for key in widgets(page))
    assert shares(visit("pca", **ARRESTS))[0] == 0.965534
    assert shares(visit("pca", **ARRESTS, scaling="z-score"))[:2] == [0.62006, 0.247441]


def test_the_angle_travels_in_the_link_and_moves_nothing_else():
    one, other = (sound(visit("pca", **{"pca.angle": angle})) for angle in ("10", "100"))
    assert [h["name"] for h in stage(one)["handles"]] == ["axis", "angle"]
    assert stage(one)["handles"][1]["x"] == 10
    assert len(stage(one)["frames"]) == len(stage(other)["frames"])
    assert "lost" in stage(one)["handles"][0]["label"]


def test_more_components_than_columns_is_a_sentence():
    (sentence,) = warnings(sound(visit("pca", **{"pca.n_components": "5"})))
    assert sentence.startswith("n_components=5 must be between")


def test_noise_is_for_the_figures_only():
    quiet, noisy = visit("pca"), visit("pca", **{"pca.noise": "1.0"})
    assert picture(quiet) == picture(noisy)
    open_part(noisy, **{"pca.tab": "Rows rebuilt"})
    assert "with noise" in noisy.get("plotly_chart")[0].proto.spec


def test_presets_on_digits_show_pictures():
    page = visit("pca")
    for preset in technique("pca").presets:
        if preset.settings.get("data") == "digits":
            page.menu_button(key="pca.presets").click(preset.title)
            scene = stage(sound(page.run()))
            assert [panel["name"] for panel in scene["panels"]] == ["data", "variance", "picture"]


def test_the_data_come_with_their_scores():
    page = open_part(visit("pca"), **{"pca.tab": "Data"})
    table = page.dataframe[0].value
    model = PCA().fit(table[["jan", "jul"]])
    np.testing.assert_allclose(table[["component 1", "component 2"]], model.transform(table[["jan", "jul"]]))
