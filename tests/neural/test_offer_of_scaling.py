"""Large columns are offered to be scaled wherever a network would suffer from them."""

import pytest

from tests.visit import panel, sound, turn, visit


@pytest.mark.parametrize("slug", ["perceptron", "mlp", "vanishing_gradients"])
def test_large_columns_are_scaled_by_a_button(slug):
    page = sound(visit(slug, source="library", data="penguins", scaling="none"))
    assert f"{slug}.scale" in panel(page)
    page = sound(turn(page, f"{slug}.scale"))
    assert page.query_params["scaling"] == "z-score"
    assert f"{slug}.scale" not in panel(page)


def test_a_choice_of_one_name_is_no_control():
    link = {"boltzmann.method": "Boltzmann machine"}
    assert "boltzmann.init" not in panel(sound(visit("boltzmann", **link)))
