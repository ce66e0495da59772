"""Every page of the catalogue keeps its promises: as it opens, what is below it, its presets."""

import json
import re

import pytest

from dashboard.catalogue import CATALOGUE, CONCEPTS, FAMILIES
from dashboard.presets import TAGS, link_of
from dashboard.pseudocode import listings
from dashboard.technique import Plot
from tests.gestures import page_of
from tests.visit import (
    ROOT,
    linked,
    methods,
    one_of_each,
    open_part,
    open_preset,
    picture,
    plain,
    reopened,
    session_of,
    sound,
    stage,
    technique,
    usual,
    visit,
    warnings,
    widgets,
)
from ui.below import tabs
from ui.leaderboard import NAME as LEADERBOARD

SLUGS = tuple(CATALOGUE)
CHECK = "Checked against"


@pytest.fixture(params=SLUGS)
def slug(request):
    return request.param


def test_catalogue_entry_is_complete(slug):
    entry = CATALOGUE[slug]
    assert entry.family in FAMILIES
    assert entry.summary.endswith(".")
    assert len(entry.summary) <= 127  # one line, under the title of the page
    assert technique(slug).slug == slug
    assert (ROOT / "pages" / f"{slug}.py").is_file()
    for name in ("lesson.md", "presets.toml", "pseudocode.toml", "picture.png", "picture_dark.png"):
        assert (ROOT / "assets" / "pages" / slug / name).is_file()


@pytest.mark.parametrize("page", sorted(path.stem for path in (ROOT / "pages").glob("*.py")))
def test_a_page_file_is_in_the_catalogue(page):
    assert page in {*SLUGS, *CONCEPTS, "home", "courses", "failures", "marks"}, (
        f"add {page} to [catalogue] and to a lecture in assets/courses.toml"
    )


def test_a_page_is_a_declaration(slug):
    source = (ROOT / "pages" / f"{slug}.py").read_text("utf-8")
    declaration, entry, _ = source.partition('\nif __name__ == "__main__":\n')
    assert entry, "it is shown when Streamlit runs it"
    assert not re.search(r"^(def|class|for|if) |lambda|numpy|streamlit", declaration, re.M)
    assert len(source.splitlines()) <= 90


def test_opens_with_a_picture_and_no_warning(slug):
    page = sound(visit(slug))
    assert warnings(page) == []
    assert page.title[0].value == CATALOGUE[slug].title
    scene = stage(page)
    assert len(scene["frames"]) > 1
    # It opens on its answer, ROC at the best threshold.
    assert scene["frame"]["at"] >= len(scene["frames"]) - 1 or slug == "roc"
    declared = list(technique(slug).results)
    assert len(scene["results"]) == len(scene["frames"])
    # cnn opens on a filter, which has no numbers of the network.
    assert slug != "cnn" or not any(scene["results"])
    for numbers in scene["results"] if slug != "cnn" else ():
        headline = [number["label"] for number in numbers]
        assert [label for label in headline if label in declared] == declared
        others = [label for label in headline if label not in declared]
        assert all(label.endswith((" error", " RMSE", " MAE")) for label in others)
        assert numbers
    assert "at the end" not in {number["note"] for number in scene["results"][-1]}
    assert page.query_params == {}
    method = next(iter(technique(slug).methods))
    view = page_of(technique(slug), method)
    specs = [name for name in technique(slug).specs(method) if view.applies(name)]
    decided = {"choices", "column", "positive"}
    # Where all that applies is there.
    page = visit(slug, opening="defaults") if technique(slug).opening else page
    assert {f"{slug}.{name}" for name in specs if name not in decided} <= widgets(page)
    settings = [
        name for name, s in technique(slug).settings.items() if not s.methods and view.applies(name)
    ]
    assert {f"{slug}.{name}" for name in settings} <= widgets(page)


def test_home_shows_every_page():
    page = visit()
    assert [error.message for error in page.exception] == []
    assert {entry.summary for entry in CATALOGUE.values()} <= {
        caption.value for caption in page.caption
    }


def test_every_tab_and_popover_opens(slug):
    page = visit(slug)
    # Its rows take seconds of work on each page; tests/ui/test_leaderboard.py has them.
    session_of(page).stopped_sweeps.add(LEADERBOARD)
    for title in tabs(technique(slug)):
        if title == CHECK:  # opened for each method below
            continue
        sound(open_part(page, **{f"{slug}.tab": title}))
        assert warnings(page) == []
        if any(isinstance(part, Plot) and part.title == title for part in technique(slug).figures):
            (figure,) = page.get("plotly_chart")
            assert json.loads(figure.proto.spec)["data"], title
    sound(open_part(page, **{"bar.share": True, "bar.code": True, "bar.download": True}))
    assert len(page.get("download_button")) >= 4


def test_agrees_with_the_library(slug):
    compared = set()
    for method, link in methods(slug).items():
        page = sound(visit(slug, states={f"{slug}.tab": CHECK}, **link))
        assert warnings(page) == []
        (table,) = page.table
        assert len(table.value), method
        compared.update(table.value["attribute"])
        assert (table.value["largest difference"].astype(float) < 1e-6).all(), (method, table.value)
    assert compared == set(technique(slug).check.compare)


def test_parts_can_be_hidden(slug):
    parameters = {
        name for method in technique(slug).methods for name in technique(slug).specs(method)
    }
    parameters |= set(technique(slug).settings)
    parts = [
        "presets",
        "data",
        "about",
        "types",
        "columns",
        "seed",
        "more",
        "code",
        "download",
        "bar",
        "below",
        "options",
    ]
    bare = sound(visit(slug, hide=",".join([*parts, *parameters])))
    assert picture(bare) == usual(slug)
    remaining = {key for key in widgets(bare) if key.startswith(f"{slug}.")} - {
        f"{slug}.method",
        f"{slug}.restart",
    }
    assert not {key for key in remaining if not key.endswith(".open")}


def test_projector_mode_shows_the_same_steps_and_less_beside_them(slug):
    page = sound(visit(slug, projector="true"))
    scene = picture(page)
    assert scene["projector"] is True
    assert scene["frames"] == usual(slug)["frames"]
    assert f"{slug}.tab" not in widgets(page)


def test_a_selected_row_and_a_step_travel_in_the_link(slug):
    scene = stage(sound(visit(slug, point="3", step="0")))
    assert scene["selected"] == 2
    assert scene["frame"]["at"] == 0  # step 0 is step 0, not the answer


def test_a_step_below_the_end_is_kept_and_a_row_that_is_not_there_is_none():
    scene = stage(sound(visit(SLUGS[0], point="9999999", step="2")))
    assert scene["selected"] is None
    assert scene["frame"]["at"] == 2


def test_presets_are_data_with_something_to_look_for(slug):
    presets = technique(slug).presets
    assert len(presets) >= 3
    assert len({preset.slug for preset in presets}) == len(presets)
    assert [preset for preset in presets if "start" in preset.tags] == [presets[0]]
    for preset in presets:
        assert preset.tags <= TAGS
        assert preset.look_for.endswith((".", "?"))


def test_presets_name_the_source_of_their_data(slug):
    """Where a page opens with a generator, a preset with a table has to name the library."""
    page = technique(slug)
    for preset in page.presets:
        usual = getattr(page.data, "start", None) or {}
        source = preset.settings.get("source", usual.get("source", "library"))
        if source == "points":  # that become a graph
            source = preset.settings.get("points.source", "generator")
        for name, its in {
            "data": ("library", "table", "texts"),
            "generator": ("generator",),
            "points": ("draw",),
        }.items():
            assert name not in preset.settings or source in its, preset.title


def phases(scene):
    """Return the phases of the steps, each of which has its line in the pseudocode."""
    if scene["pseudocode"] is None:
        return set()
    assert None not in scene["pseudocode"]["current"]
    return {frame["phase"] for frame in scene["frames"]}


@pytest.mark.sweep
def test_presets_open_by_their_links_and_reach_every_line_of_the_algorithm(slug):
    reached = phases(stage(visit(slug)))
    for preset in technique(slug).presets:
        reached |= phases(open_preset(slug, preset.title).scene)
    for _, lines in listings(slug).values():
        assert [
            line.text for line in lines if line.phases and reached.isdisjoint(line.phases)
        ] == []


@pytest.mark.parametrize("slug", one_of_each())
def test_a_preset_leaves_nothing_of_what_was_before_and_travels_in_the_link(slug):
    preset = technique(slug).presets[-1]
    page = visit(slug, seed="7", step="2")
    page.menu_button(key=f"{slug}.presets").click(preset.title)
    sound(page.run())
    assert any(preset.title in plain(caption.value) for caption in page.caption)
    fresh = visit(slug, **link_of(slug, preset))
    assert picture(reopened(page)) == picture(fresh) == picture(page)


@pytest.mark.sweep
def test_a_preset_opens_at_the_end_or_at_the_step_that_it_names(slug):
    for preset in technique(slug).presets:
        if "step" not in preset.settings:
            continue
        page = visit(slug, seed="7")
        page.menu_button(key=f"{slug}.presets").click(preset.title)
        for each in (
            sound(page.run()),
            visit(slug, **linked(slug, preset.settings)),
            reopened(page),
        ):
            scene = stage(each)
            assert scene["frame"]["at"] == preset.settings["step"] < len(scene["frames"]) - 1
            is_opening = preset.slug == technique(slug).opening  # which no link names
            step = each.query_params.get("step")
            assert step == str(preset.settings["step"]) or (is_opening and step is None)
