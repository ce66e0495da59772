"""Colours of .streamlit/config.toml have contrast and differ, for colour-blind people too."""

import itertools
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

THEME = tomllib.loads((Path(__file__).parents[2] / ".streamlit/config.toml").read_text("utf-8"))[
    "theme"
]
MODES = ("light", "dark")

# G. M. Machado, M. M. Oliveira and L. A. F. Fernandes (2009), A physiologically-based model for
# simulation of color vision deficiency, severity 1.0, on linear RGB.
VISION = {
    "usual": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
# B. Ottosson (2020), A perceptual color space for image processing: linear RGB -> cone responses ->
# Oklab.
CONES = [
    [0.41222147, 0.53633254, 0.05144599],
    [0.21190350, 0.68069955, 0.10739696],
    [0.08830246, 0.28171884, 0.62997870],
]
OKLAB = [
    [0.21045426, 0.79361779, -0.00407205],
    [1.97799850, -2.42859221, 0.45059371],
    [0.02590404, 0.78277177, -0.80867577],
]


def linear(colour):
    """Linear RGB of "#rrggbb" (IEC 61966-2-1)."""
    c = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def contrast(first, second):
    """The contrast ratio of WCAG 2.2."""
    low, high = sorted(linear(colour) @ [0.2126, 0.7152, 0.0722] for colour in (first, second))
    return (high + 0.05) / (low + 0.05)


def oklab(colour, vision):
    return np.asarray(OKLAB) @ np.cbrt(
        np.asarray(CONES) @ np.clip(np.asarray(vision) @ linear(colour), 0, 1)
    )


def test_contrast_of_black_on_white():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("mode", MODES)
def test_text_and_links_can_be_read_on_every_surface(mode):
    colours = THEME[mode]
    for surface in ("backgroundColor", "secondaryBackgroundColor"):
        for text in ("textColor", "linkColor"):
            assert contrast(colours[text], colours[surface]) >= 4.5, (text, surface)
    assert contrast("#ffffff", colours["primaryColor"]) >= 4.5, "the label of a primary button"
    assert contrast(colours["primaryColor"], colours["backgroundColor"]) >= 3, "a slider"


@pytest.mark.parametrize("mode", MODES)
def test_eight_classes_stand_out_from_the_page(mode):
    colours = THEME[mode]["chartCategoricalColors"]
    assert len(set(colours)) == 8
    assert all(contrast(colour, THEME[mode]["backgroundColor"]) >= 3 for colour in colours)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("vision", VISION)
def test_eight_classes_can_be_told_apart(mode, vision):
    places = [oklab(colour, VISION[vision]) for colour in THEME[mode]["chartCategoricalColors"]]
    # 0.02 is about the least difference that is seen side by side; dots lie apart, and have a
    # symbol too.
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(places, 2)) >= 0.1


def test_no_font_or_theme_is_fetched():
    assert "://" not in str(THEME)


@pytest.mark.parametrize("file", ["assets/home.css", "ui/introduction.py"])
def test_colours_outside_streamlit_are_the_themes(file):
    text = (Path(__file__).parents[2] / file).read_text("utf-8")
    pairs = re.findall(r"light-dark\((#\w{6}), (#\w{6})\)", text)
    themed = set(zip(*(list(map(str, THEME[mode].values())) for mode in MODES), strict=True))
    assert pairs
    # What lies over the page has the darker theme's second surface.
    surface = (THEME["light"]["backgroundColor"], THEME["dark"]["secondaryBackgroundColor"])
    assert set(pairs) <= themed | {surface}
