"""The lesson's and the presets' numbers, and what the page says."""

import pytest

from dashboard.presets import link_of, presets
from tests.visit import panel, sentences_of, sound, stage, upload, visit


def last(**link):
    return stage(visit("resampling", **link))["frames"][-1]


def adopted(title, **settings):
    (preset,) = (preset for preset in presets("resampling") if preset.title == title)
    return last(**{**link_of("resampling", preset), **settings})["caption"]


@pytest.mark.parametrize(
    ("title", "settings", "text"),
    [
        ("Five stratified folds", {}, "is 0.15; on the training rows, 0."),
        ("A holdout and its luck", {}, "is 0.2083;"),
        ("A holdout and its luck", {"seed": "3"}, "is 0.04167;"),
        ("Too kind to a tree", {}, "is 0.273;"),
        ("Too kind to a tree", {"resampling.scheme": "bootstrap_632_plus"}, "is 0.3869"),
        ("A species never seen", {}, "is 1;"),
        ("A species never seen", {"resampling.scheme": "stratified"}, "is 0.06;"),
        ("Penguins of another island", {}, "is 0.4629;"),
        ("Penguins of another island", {"resampling.scheme": "stratified"}, "is 0.02319;"),
        ("Numbers by the bootstrap", {}, "is 0.7468; on the training rows, 0."),
    ],
)
def test_a_preset_shows_what_it_says(title, settings, text):
    assert text in adopted(title, **settings)


def test_folds_of_the_first_preset_scatter_as_told():
    (table,) = (block for block in last()["ledger"] if block.get("title") == "Splits")
    errors = [row[-1] for row in table["rows"]]
    assert (min(errors), max(errors)) == (0.0625, 0.25)


def test_another_model_is_compared_with_its_numbers():
    blocks = last(**{"resampling.rival": "knn"})["ledger"]
    assert any(block.get("title") == "Tests of the difference" for block in blocks)
    blocks = last(**{"resampling.rival": "none"})["ledger"]
    assert not any(block.get("title") == "Tests of the difference" for block in blocks)


def test_groups_that_are_too_few_are_told():
    page = visit("resampling", **{"resampling.scheme": "grouped", "resampling.group_size": "40"})
    assert any(
        "2 groups, fewer than 5 folds" in text for text in sentences_of(page)
    ) or "2 groups" in str(stage(page))


def test_only_what_a_method_has_is_offered():
    def active_controls(**link):
        controls = panel(visit("resampling", **link))
        return {name for name, control in controls.items() if not control.get("idle")}

    assert "resampling.folds" in active_controls()
    assert "resampling.n_repeats" not in active_controls()
    assert "resampling.test_size" in active_controls(**{"resampling.scheme": "holdout"})


def test_groups_are_told_by_a_column_or_by_their_size():
    grouped = {
        "source": "library",
        "data": "penguins",
        "resampling.scheme": "grouped",
        "resampling.folds": "3",
    }

    def controls(**link):
        return panel(visit("resampling", **grouped, **link))

    names = [name for _, name in controls()["resampling.group_column"]["options"]]
    assert names[0] == "rows in a row"
    assert "resampling.group_size" in controls()
    assert "resampling.group_size" not in controls(**{"resampling.group_column": names[1]})
    page = visit(
        "resampling",
        **grouped,
        **{"resampling.group_column": names[1], "resampling.tab": "Checked against"},
    )
    assert sentences_of(page) == []


def test_the_column_with_holes_is_named():
    rows = "\n".join(f"{i},{'' if i == 3 else i % 5},{i * 2}" for i in range(20))
    page = sound(
        upload(
            "resampling",
            "own.csv",
            f"first,second,y\n{rows}\n",
            **{"resampling.method": "Regression"},
        )
    )
    assert "the column 'second' has missing values" in " ".join(sentences_of(page))
