"""The presets' numbers, and what the page says."""

import pytest

from dashboard.presets import link_of, presets
from dmlib.evaluation.bias_variance.families import FAMILIES
from tests.visit import panel, stage, visit


def frames(title="", **settings):
    link = {}
    if title:
        (preset,) = (preset for preset in presets("bias_variance") if preset.title == title)
        link = link_of("bias_variance", preset)
    return stage(visit("bias_variance", **{**link, **settings}))["frames"]


@pytest.mark.parametrize(
    ("title", "settings", "text"),
    [
        ("A polynomial of degree nine", {}, "bias² is 0.004816 and variance 0.4653"),
        ("A straight line", {}, "bias² is 1.815 and variance 0.06184: an error of 2.789, 2.526"),
        ("One neighbour or many", {}, "variance 0.8834: an error of 1.806, 0 on training rows"),
        ("A penalty against variance", {}, "variance 1.662: an error of 2.589"),
        ("A penalty against variance", {"bias_variance.log_penalty": "0"}, "an error of 1.235"),
        ("Right about the class", {}, "an error of 0.1126"),
    ],
)
def test_a_preset_shows_what_it_says(title, settings, text):
    assert text in frames(title, **settings)[-1]["caption"]


@pytest.mark.parametrize(
    ("title", "best"),
    [
        ("One neighbour or many", "k 4 "),
        ("A tree and a step", "depth 1 "),
        ("Right about the class", "degree 1 "),
    ],
)
def test_the_best_complexity_is_that_of_the_preset(title, best):
    assert f"{best}has the smallest error" in frames(title)[-2]["caption"]


def test_only_the_parameter_of_the_model_is_offered():
    for name, family in FAMILIES.items():
        controls = set(panel(visit("bias_variance", **{"bias_variance.model": name})))
        parameters = {f"bias_variance.{each.parameter}" for each in FAMILIES.values()}
        assert parameters & controls == {f"bias_variance.{family.parameter}"}


def test_each_model_has_its_handle():
    for name, family in FAMILIES.items():
        (handle,) = stage(visit("bias_variance", **{"bias_variance.model": name}))["handles"]
        assert handle["name"] == family.parameter
