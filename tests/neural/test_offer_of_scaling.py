"""Large columns are offered to be scaled wherever a network would suffer from them."""

import pytest

from tests.visit import panel, reopened, sound, turn, visit


@pytest.mark.parametrize("slug", ["perceptron", "mlp", "vanishing_gradients"])
def test_large_columns_are_scaled_by_a_button(slug):
    page = sound(visit(slug, source="library", data="penguins", scaling="none"))
    assert f"{slug}.scale" in panel(page)
    page = sound(turn(page, f"{slug}.scale"))
    assert f"{slug}.scale" not in panel(page)
    # On the data that a page opens with, z-scores may be the default, which no link contains.
    assert page.query_params.get("scaling", "z-score") == "z-score"
    assert f"{slug}.scale" not in panel(sound(reopened(page)))


def test_a_choice_of_one_name_is_no_control():
    link = {"boltzmann.method": "Boltzmann machine"}
    assert "boltzmann.init" not in panel(sound(visit("boltzmann", **link)))
