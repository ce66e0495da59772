"""Every page of the catalogue keeps its promises: as it opens, by any link, with any data."""

import ast
import csv
import io
import json
import re
import runpy
from functools import cache
from itertools import islice

import numpy as np
import pandas as pd
import pytest

from dmlib.datasets import GENERATORS, LIBRARY, encode_points
from dmlib.params import Choice, Flag, Integer, Number
from tests.pages.visit import (
    ROOT,
    again,
    open_part,
    picture,
    plain,
    sound,
    stage,
    technique,
    told,
    visit,
    warnings,
    watched_runs,
    widgets,
)
from ui.below import tabs
from ui.catalogue import CATALOGUE, FAMILIES
from ui.data_panel import TEST, tables
from ui.page import SHARED

SLUGS = tuple(CATALOGUE)
HOSTILE = ("", "nan", "inf", "1e308", "-1e308", "-1", "[]", "null", "1;2", "x" * 10_000, "<script>", "\x00", "٣")
PLACES = ("nan,nan", "1,nan", "1,2,3", "#x", "inf,1", "#-1", "#99999", ";;", "1e308,1e308", "1e40,0", "x" * 9999)
SOME = 4  # pages on which each table and generator is tried

POINTS = {
    "none": np.empty((0, 3)),
    "one": [[5, 5, 0]],
    "two": [[1, 1, 0], [9, 9, 1]],
    "equal": [[5, 5, 0]] * 12,
    "on a line": [[i / 2, 5, i % 3] for i in range(20)],
    "few": [[1, 2, 0], [2, 1, 0], [8, 9, 1]],
    "most": np.column_stack([np.random.default_rng(0).integers(0, 4001, (300, 2)) / 400, np.arange(300) % 64]),
}
FILES = {
    "usual.csv": "a,b,c\n1,2,x\n2,1,x\n1,1,x\n2,2,x\n8,9,y\n9,8,y\n8,8,y\n9,9,y\n",
    "text.csv": "outlook,play\nsunny,no\nrain,yes\nrain,yes\n",
    "constant.csv": "a,b,c\n1,5,1\n1,5,2\n1,5,4\n1,5,9\n",
    "all_equal.csv": "a,b\n1,5\n1,5\n1,5\n1,5\n",
    "one_row.csv": "a,b\n1,2\n",
    "one_column.csv": "a\n1\n2\n8\n9\n",
    "header_only.csv": "a,b\n",
    "empty.csv": "",
    "holes.csv": "a,b,c\n1,NA,3\n,2,\n4,5,6\n7,?,9\n2,2,-\n1,1,1\n",
    "no_whole_row.csv": "a,b\n1,\n,2\n3,\n,4\n",
    "huge.csv": "a,b\n1e308,-1e308\n-1e308,1e308\n1e307,0\n0,1e307\n1,1\n",
    "tiny.csv": "a,b\n1e-308,2e-308\n3e-308,1e-308\n9e-308,9e-308\n",
    "far.csv": "a,b\n1e15,1\n1000000000000001,2\n1000000000000009,8\n1000000000000008,9\n",
    "german.csv": "Länge;Breite\n1,5;2,5\n2,5;1,5\n9,5;8,5\n8,5;9,5\n",
    "hostile_names.csv": "![x](//example.org/x),$\\frac,:red[c],<img src=x onerror=f()>\n1,2,3,4\n4,3,2,1\n9,9,9,8\n",
    "wide.csv": pd.DataFrame(np.arange(6000).reshape(20, 300) % 17).add_prefix("c").to_csv(index=False),
    "binary.csv": "\x00\x01\x02PNG\x00\x00\xff",
}  # fmt: skip


def text_of(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def link_of(slug, settings):
    """Write settings as texts under the names that they have in a link."""
    return {
        name if "." in name or name in SHARED else f"{slug}.{name}": (
            list(map(text_of, value)) if isinstance(value, list | tuple) else text_of(value)
        )
        for name, value in settings.items()
    }


def share(things, slug):
    """Return this page's part of the things, so that each thing is tried on a few pages only."""
    stride = max(1, len(SLUGS) // SOME)
    return list(islice(things, SLUGS.index(slug) % stride, None, stride))


def ignored(page):
    """Return the names in the link of which the page says that it ignores them."""
    found = (re.match(r"The link's ([\w.-]+?)(?:=.*)? is ignored", text) for text in warnings(page))
    return {match[1] for match in found if match}


@pytest.fixture(params=SLUGS)
def slug(request):
    return request.param


@pytest.fixture
def usual(slug):
    """The picture of the page at its defaults."""
    return _usual(slug)


@cache
def _usual(slug):
    return picture(sound(visit(slug)))


# As it opens ----------------------------------------------------------------------------------------------------------


def test_catalogue_entry_is_complete(slug):
    entry = CATALOGUE[slug]
    assert entry.family in FAMILIES
    assert entry.summary.endswith(".")
    assert technique(slug).slug == slug
    assert (ROOT / "pages" / f"{slug}.py").is_file()
    assert (ROOT / "assets" / "lessons" / f"{slug}.md").is_file()


def test_every_page_file_is_in_the_catalogue():
    assert {path.stem for path in (ROOT / "pages").glob("*.py")} == {*SLUGS, "home"}


def test_opens_with_a_picture_a_lesson_and_no_warning(slug):
    page = sound(visit(slug))
    assert warnings(page) == []
    assert page.title[0].value == CATALOGUE[slug].title
    assert len(stage(page)["frames"]) > 1
    lesson = (ROOT / "assets" / "lessons" / f"{slug}.md").read_text("utf-8")
    assert lesson.strip() in {text.value.strip() for text in page.markdown}
    assert page.query_params == {}


def test_home_shows_every_page(slug):
    page = visit()
    assert [error.message for error in page.exception] == []
    assert CATALOGUE[slug].summary in {caption.value for caption in page.caption}


def test_every_tab_and_popover_opens(slug):
    page = visit(slug)
    for title in tabs(technique(slug)):
        sound(open_part(page, **{f"{slug}.tab": title}))
        assert warnings(page) == []
    sound(open_part(page, **{"bar.share": True, "bar.code": True, "bar.download": True}))
    assert len(page.get("download_button")) >= 4


def test_sections_open_with_their_controls(slug):
    closed = visit(slug)
    sections = {"columns.open": True} | {f"{slug}.more.{i}.open": True for i in range(len(technique(slug).groups))}
    page = sound(open_part(visit(slug), **sections))
    assert picture(page) == picture(closed)
    assert "scaling" in widgets(page)
    assert ("scaling" in widgets(closed)) == technique(slug).weighs_columns
    specs = technique(slug).specs(next(iter(technique(slug).algorithms)))
    assert {f"{slug}.{name}" for name in specs} <= widgets(page)


def test_plots_are_drawn(slug):
    page = visit(slug)
    for plot in technique(slug).plots:
        open_part(page, **{f"{slug}.tab": plot.title})
        (figure,) = page.get("plotly_chart")
        assert json.loads(figure.proto.spec)["data"], plot.title


def test_agrees_with_the_library(slug):
    for method, link in methods(slug).items():
        page = visit(slug, **link)
        open_part(page, **{f"{slug}.tab": "Checked against"})
        for table in page.table:
            assert (table.value["largest difference"].astype(float) < 1e-6).all(), (method, table.value)


def test_parts_can_be_hidden(slug, usual):
    page = visit(slug)
    keys = widgets(page)
    parameters = {name for method in technique(slug).algorithms for name in technique(slug).specs(method)}
    parameters |= set(technique(slug).options)
    everything = [
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
        *parameters,
    ]
    for part in everything:
        without = sound(visit(slug, hide=part))
        assert picture(without) == usual, part
        assert not any(key == part or key.endswith(f".{part}") for key in widgets(without)), part
    assert any(key.endswith(".presets") for key in keys) == bool(technique(slug).presets)
    bare = sound(visit(slug, hide=",".join(everything)))
    assert picture(bare) == usual
    assert f"{slug}.tab" not in widgets(bare)
    assert not {key for key in widgets(bare) if key.startswith(f"{slug}.")} - {f"{slug}.method", f"{slug}.restart"}


def test_projector_mode_shows_the_same_steps_and_less_beside_them(slug, usual):
    page = sound(visit(slug, projector="true"))
    scene = picture(page)
    assert scene["projector"] is True
    assert scene["frames"] == usual["frames"]
    assert f"{slug}.tab" not in widgets(page)


def test_a_selected_row_travels_in_the_link(slug):
    page = sound(visit(slug, point="3"))
    assert stage(page)["selected"] == 2
    assert warnings(page) == []
    assert stage(sound(visit(slug, point="9999999")))["selected"] is None


# Presets --------------------------------------------------------------------------------------------------------------


def test_presets_are_accepted_and_travel_in_the_link(slug):
    page = visit(slug, seed="7", step="2")
    for preset in technique(slug).presets:
        page.menu_button(key=f"{slug}.presets").click(preset.title)
        sound(page.run())
        assert warnings(page) == [], preset.title
        assert preset.look_for in {text.value for text in page.info}, preset.title
        for fresh in (again(page), visit(slug, **link_of(slug, preset.settings))):
            assert warnings(sound(fresh)) == [], preset.title
            assert picture(fresh) == picture(page), preset.title


# Links ----------------------------------------------------------------------------------------------------------------


def methods(slug):
    """Return the links that choose the methods of a page."""
    names = technique(slug).algorithms
    return {name: {f"{slug}.method": name} if len(names) > 1 else {} for name in names}


def extremes(slug):
    for method, base in methods(slug).items():
        specs, options = technique(slug).specs(method), technique(slug).options_of(method)
        for name, spec in (specs | {name: option.spec for name, option in options.items()}).items():
            for value in spec.extremes():
                yield base | link_of(slug, {name: value})
        for end in (0, 1):
            yield base | link_of(slug, {name: spec.extremes()[end] for name, spec in specs.items()})


def test_extremes_of_every_control_are_accepted(slug):
    for link in extremes(slug):
        page = sound(visit(slug, **link))
        assert ignored(page) == set(), link


def test_extremes_meet_three_points(slug):
    drawing = {"source": "draw", "points": encode_points(POINTS["few"])}
    for link in extremes(slug):
        page = sound(visit(slug, **drawing, **link))
        assert ignored(page) == set(), link
        assert told(page) or len(stage(page)["frames"]) > 1, link


def hostile_keys(slug):
    """Return every name of a link that this page reads at its defaults, with its specification."""
    page = technique(slug)
    method = next(iter(page.algorithms))
    named = {f"{slug}.{name}": spec for name, spec in page.specs(method).items()}
    if len(page.algorithms) > 1:
        named[f"{slug}.method"] = Choice(tuple(page.algorithms))
    named |= {f"{slug}.{name}": option.spec for name, option in page.options_of(method).items()}
    table = "generator" if page.start.get("source") == "generator" else "data"
    shared = {"source": Choice(()), table: Choice(()), "scaling": Choice(()), "projector": Flag()}
    shared |= {"test": TEST} if page.labelled else {}
    shared |= {"query": Choice(())} if page.query != "none" else {}
    numbers = {"seed": Integer(0, 9999), "step": Integer(0, 100_000), "point": Integer(1, 10_000_000)}
    return named | shared | numbers


def refused(spec, text):
    try:
        spec.parse(text)
    except (ValueError, OverflowError):
        return True
    return False


def test_hostile_links_open_the_defaults_and_say_so(slug, usual):
    specs = hostile_keys(slug)
    for text in HOSTILE:
        link = {key: text for key, spec in specs.items() if refused(spec, text)}
        assert len(link) > 3
        page = sound(visit(slug, **link))
        assert picture(page) == usual, text[:40]
        assert ignored(page) == set(link), text[:40]
        for sentence in warnings(page):
            assert len(sentence) < 500


def test_a_notice_comes_once(slug):
    page = visit(slug, seed="nan")
    assert ignored(page) == {"seed"}
    page.run()
    assert ignored(page) == set()


def test_repeated_and_unknown_names_in_a_link_do_no_harm(slug, usual):
    page = sound(visit(slug, seed=["1", "2"], data=["iris", "iris"], nobody="1", hide=["nobody", ""]))
    assert len(stage(page)["frames"]) > 1
    assert picture(sound(visit(slug, nobody="<b>"))) == usual


@pytest.mark.parametrize("text", ["!!!!!", "AAA", "_____", "A" * 5 * 301, "é" * 5, "<script>"])
def test_hostile_points_leave_the_first_drawing(text):
    page = sound(visit(SLUGS[0], source="draw", points=text))
    assert ignored(page) == {"points"}
    assert picture(page) == picture(visit(SLUGS[0], source="draw"))


@pytest.mark.parametrize("text", PLACES)
def test_hostile_places_are_refused_with_a_sentence(text):
    for slug in SLUGS:
        placing = technique(slug).placing
        if placing:
            page = sound(visit(slug, places=text, **{f"{slug}.{placing.parameter}": placing.option}))
            assert told(page), text


# Data -----------------------------------------------------------------------------------------------------------------


def test_opens_every_table(slug):
    for name in share(tables(technique(slug)), slug):
        page = sound(visit(slug, source="library", data=name))
        assert ignored(page) == set()
        assert plain(" ".join(text.value for text in page.caption)).count(LIBRARY[name].size), name
        # In large units all similarities can be 0 to the computer: then the page says what to do.
        assert len(stage(page)["frames"]) > 1 or "Scale the columns" in told(page)[0], (name, warnings(page))


def test_opens_every_generator(slug):
    for name in share(GENERATORS, slug):
        page = sound(visit(slug, source="generator", generator=name, seed="3"))
        assert ignored(page) == set(), name
        assert len(stage(page)["frames"]) > 1, (name, warnings(page))


@pytest.mark.parametrize("name", GENERATORS)
def test_extremes_of_every_generator(name):
    for parameter, spec in GENERATORS[name].params.items():
        for value in spec.extremes():
            link = {"source": "generator", "generator": name, f"{name}.{parameter}": text_of(value)}
            page = sound(visit(SLUGS[0], **link))
            assert ignored(page) == set(), (parameter, value)


@pytest.mark.parametrize("scaling", ["z-score", "min-max"])
@pytest.mark.parametrize("view", ["columns", "pca"])
def test_scaling_and_view_travel_in_the_link(slug, scaling, view):
    features = ["alcohol", "hue", "proline"]
    link = {"data": "wine", "source": "library", "scaling": scaling, "wine.view": view, "wine.features": features}
    page = sound(visit(slug, **link))
    assert warnings(page) == []
    assert picture(again(page)) == picture(page)
    if not technique(slug).plane:
        assert "wine.view" not in widgets(page)
        return
    labels = [stage(page)["panels"][0][axis]["label"] for axis in "xy"]
    assert all("component" in label for label in labels) if view == "pca" else labels[0] == f"alcohol ({scaling})"


@pytest.mark.parametrize("drawing", POINTS)
def test_drawn_points(slug, drawing):
    page = sound(visit(slug, source="draw", points=encode_points(POINTS[drawing])))
    assert ignored(page) == set()
    if technique(slug).plane:
        assert len(stage(page)["edit"]["points"]) == len(POINTS[drawing])
    else:
        assert stage(page)["edit"] is None
    assert told(page) or len(stage(page)["frames"]) > 1
    assert picture(again(page)) == picture(page)


def upload(slug, name, content):
    page = visit(slug, source="upload")
    page.file_uploader[0].upload(name, content.encode("latin-1" if name == "binary.csv" else "utf-8"), "text/csv")
    return page.run()


@pytest.mark.parametrize("name", FILES)
def test_uploads_load_or_are_refused_with_a_sentence(slug, name):
    page = sound(upload(slug, name, FILES[name]))
    assert told(page) or len(stage(page)["frames"]) > 1
    before = picture(page)
    assert picture(sound(page.run())) == before
    for text in [*page.markdown[1:], *page.caption, *page.warning]:
        assert not re.search(r"(?<!\\)!\[x|(?<!\\)<img|(?<!\\):red\[", text.value)


def test_a_file_is_asked_for_in_a_sentence(slug):
    (sentence,) = told(sound(visit(slug, source="upload")))
    assert "file" in sentence


# Code -----------------------------------------------------------------------------------------------------------------


def shown_code(page):
    open_part(page, **{"bar.code": True})
    (code,) = page.code
    return code.value


def openings(slug):
    """Yield pages whose code is tried: each method, each kind of data."""
    for link in methods(slug).values():
        yield visit(slug, **link)
    yield visit(slug, data="wine", source="library", scaling="z-score", seed="5")
    yield visit(slug, source="generator", generator="moons", seed="2")
    yield visit(slug, source="draw")
    yield upload(slug, "usual.csv", FILES["usual.csv"])
    placing = technique(slug).placing
    if placing:
        yield visit(slug, places="#3;#80", **{f"{slug}.{placing.parameter}": placing.option})


def test_code_gives_the_numbers_of_the_page(slug, tmp_path, monkeypatch, capsys):
    (tmp_path / "usual.csv").write_text(FILES["usual.csv"], "utf-8")
    monkeypatch.chdir(tmp_path)
    results = technique(slug).results
    with watched_runs() as seen:
        for i, page in enumerate(openings(slug)):
            sound(page)
            run = seen[-1]
            file = tmp_path / f"exported_{i}.py"
            file.write_text(shown_code(page), "utf-8")
            done = runpy.run_path(str(file))
            printed = capsys.readouterr().out
            pd.testing.assert_frame_equal(pd.DataFrame(done["X"]), pd.DataFrame(run.problem.training.data))
            for label, attribute in results.items():
                assert label in printed
                page_has = getattr(run.fitted, attribute)
                np.testing.assert_array_equal(getattr(done["model"], attribute), page_has)
                np.testing.assert_allclose(getattr(done["reference"], attribute), page_has, rtol=1e-6)


def test_code_is_short_and_imports_only_libraries(slug):
    source = shown_code(visit(slug))
    modules = {node.module.split(".")[0] for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)}
    assert modules <= {"dmlib", "sklearn", "scipy", "networkx", "statsmodels", "pathlib"}
    assert len(source.splitlines()) < 60


def test_notebook_is_the_script_in_cells(slug):
    from ui.export import notebook

    source = shown_code(visit(slug))
    book = json.loads(notebook(source))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    code = "\n".join("".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code")
    without_title = ast.parse(source).body[1:]
    assert [ast.dump(node) for node in ast.parse(code).body] == [ast.dump(node) for node in without_title]


def test_hand_check_sheet_is_a_table(slug):
    from dmlib.scene import ledger_csv

    with watched_runs() as seen:
        visit(slug)
    run = seen[-1]
    frames = technique(slug).scene(run).frames
    lines = list(csv.reader(io.StringIO(ledger_csv(frames))))
    assert {int(line[0]) for line in lines[1:]} == set(range(len(frames)))
    assert pd.notna(lines[0]).all()


def test_what_is_dragged_sets_a_control(slug):
    page = technique(slug)
    for method in page.algorithms:
        assert not set(page.options_of(method)) & set(page.specs(method))
    names = {name for method in page.algorithms for name in page.specs(method)} | set(page.options)
    assert set(page.handles.values()) <= names
    for option in page.options.values():
        assert option.label
        assert option.spec.check(option.default) == option.default


def test_labels_are_given_for_every_control(slug):
    page = technique(slug)
    for method in page.algorithms:
        for heading, labels in page.groups.items():
            assert heading
            for name, label in labels.items():
                assert label[:1].isupper() or label[:1].islower()
                assert any(name in page.algorithms[m].PARAMS for m in page.algorithms), name
        assert all(isinstance(spec, Integer | Number | Choice | Flag) for spec in page.specs(method).values())
