"""Tests of the library's data that are no tables: baskets, series, strings, images, surfaces."""

import numpy as np
import pytest

from dmlib.datasets import (
    LIBRARY,
    Baskets,
    GraphData,
    ImageData,
    NetworkData,
    Patterns,
    SeriesData,
    Strings,
    SurfaceData,
    Table,
    load,
    names,
)
from dmlib.problem import prepare_surface

KINDS = {
    "table": Table,
    "baskets": Baskets,
    "graph": GraphData,
    "series": SeriesData,
    "strings": Strings,
    "image": ImageData,
    "surface": SurfaceData,
    "patterns": Patterns,
    "network": NetworkData,
}


@pytest.mark.parametrize("kind", KINDS)
def test_there_are_real_sets_of_every_kind(kind):
    assert len(names(kind)) >= 3
    assert all(type(load(name)) is KINDS[kind] for name in names(kind))
    assert len(names(numeric_target=True)) >= 10


@pytest.mark.parametrize(
    "name", [name for name, entry in LIBRARY.items() if entry.kind not in ("table", "graph")]
)
def test_data_that_are_no_table_are_as_their_entry_says(name):
    entry, data = LIBRARY[name], load(name)
    assert (data.name, data.title, data.description) == (name, entry.title, entry.description)
    assert (data.source, data.licence) == (entry.source, entry.licence)
    assert data.digest == load(name).digest
    sizes = {
        "baskets": lambda: (len(data.transactions), len(data.items)),
        "series": lambda: (max(map(len, data.values)), len(data.values)),
        "strings": lambda: (len(data.texts), len(set(data.classes))),
        "image": lambda: data.pixels.shape[:2],
        "surface": lambda: (2, 1),
        "network": lambda: (len(data.nodes), sum(len(node.parents) for node in data.nodes)),
        "patterns": lambda: data.patterns.reshape(len(data.patterns), -1).shape,
    }
    assert sizes[entry.kind]() == (entry.rows, entry.columns)


@pytest.mark.parametrize("name", names(numeric_target=True))
def test_a_response_is_a_column_of_numbers(name):
    entry, table = LIBRARY[name], load(name)
    assert entry.response in table.numeric
    assert not entry.numeric_target or entry.response == entry.target


def test_rows_become_baskets_of_their_traits():
    zoo, frog = (
        load("zoo_baskets"),
        {"eggs", "aquatic", "predator", "toothed", "backbone", "breathes", "type=amphibian"},
    )
    assert frog in zoo.transactions
    assert load("weather_baskets").transactions[0] == {
        "outlook=sunny",
        "temperature=hot",
        "humidity=high",
    }
    assert sum("survived" in person for person in load("titanic_baskets").transactions) == 711


def test_series_follow_their_tables():
    nile = load("nile_flow")
    assert (nile.times[0][0], nile.values[0][0], nile.time) == (1871, 1120, "year")
    air = load("new_york_air")
    assert [int(np.isnan(values).sum()) for values in air.values] == [0, 37]


def test_strings_are_what_they_say():
    words = load("number_words")
    assert all(len(text.split()) == 10 for text in words.texts)
    assert words.texts[words.names.index("English")].startswith("one two three")
    insulin = dict(zip(load("insulin").names, load("insulin").texts, strict=True))
    assert {len(text) for text in insulin.values()} == {51}
    # The pig's insulin differs from ours in the last amino acid, the cow's in two more.
    for name, differences in (("pig", 1), ("cow", 3), ("rabbit", 1)):
        assert (
            sum(a != b for a, b in zip(insulin["human"], insulin[name], strict=True)) == differences
        )
    # Pieces of one virus, called by their places: where two overlap, they have the same letters.
    promoters, virus = load("promoters"), {}
    for name, text in zip(promoters.names[53:], promoters.texts[53:], strict=True):
        for i, letter in enumerate(text, int(name.removeprefix("T7 "))):
            assert virus.setdefault(i, letter) == letter
    assert (len(promoters.texts), {len(text) for text in promoters.texts}, len(virus)) == (
        106,
        {57},
        1302,
    )
    assert set(load("state_of_the_union").classes) == {"Democratic", "Republican"}
    assert load("moby_dick").texts[0].startswith("Call me Ishmael.")


def test_images_are_dark_ink_on_white_or_in_colour():
    assert load("china").pixels.shape == (427, 640, 3)
    sheet = load("digit_sheet").pixels
    assert (sheet.dtype, sheet.min(), sheet.max()) == (np.uint8, 0, 255)
    three = load("digit_three").pixels
    assert any((sheet[24:32, left : left + 8] == three).all() for left in range(0, 80, 8))


@pytest.mark.parametrize(
    ("name", "minima"),
    [
        ("bowl", [(0, 0)]),
        ("ravine", [(0, 0)]),
        ("rosenbrock", [(1, 1)]),
        (
            "himmelblau",
            [(3, 2), (-2.805118, 3.131312), (-3.779310, -3.283186), (3.584428, -1.848126)],
        ),
        ("ripples", [(0, 0)]),
    ],
)
def test_surfaces_have_their_minima(name, minima):
    data = load(name)
    surface = prepare_surface(data.formula, data.domain)
    np.testing.assert_allclose(surface.value(minima), 0, atol=1e-9)
    np.testing.assert_allclose(surface.gradient(minima), 0, atol=1e-4)
    assert np.nanmin(surface.grid(81)[2]) >= 0
