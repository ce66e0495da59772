"""Every scene keeps the promises of dmlib/pictures/scene.py, on easy and on awkward data."""

import re
from functools import cache

import numpy as np
import pandas as pd
import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.data import Table
from dashboard.estimators import new
from dashboard.tools import Ask
from dmlib.datasets import load, make
from dmlib.pictures.encode import decode, encode
from dmlib.pictures.ledger import Formula
from dmlib.pictures.marks import NO_CLASS, PerFrame
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.problem import prepare
from dmlib.trace import run
from tests.contract.asking import ask_all
from tests.visit import stage, takes_tables, technique, visit

HEAVIEST = 150_000  # bytes that one change may send
SENTENCE = re.compile(r"\S.*[.!?]")

REFUSED = {
    # nothing varies: no direction, no margin, one cluster; a class in which columns depend on each
    # other has no inverse
    "equal rows": {
        "pca",
        "svm",
        "kmeans",
        "kmeans_variants",
        "kernel_kmeans",
        "cluster_validity",
        "lda_classifier",
        "lda_projection",
    },
    # none of its class is left
    "two rows": {"classifier_metrics", "resampling", "roc", "lda_classifier", "lda_projection"},
    "very different units": {"spectral", "lda_classifier"},  # no two rows are similar
    # one of its methods takes no negative numbers
    "components": {"factorisation"},
    "far from zero": {"spectral", "lda_classifier", "factorisation"},
    "large": {"spectral", "gaussian_mixture", "lda_classifier", "factorisation"},
    "a constant column": {"lda_classifier"},
    "hardly apart": {"lda_classifier"},
    "tiny": {"lda_classifier", "factorisation"},
    # of its binary classifiers some take them, and of its metrics one; the sentence names these; no
    # regression does
    "nominal columns": {"kmedoids", "multiclass", "resampling"},
}


def plain(**columns):
    """Return a table of numbers with two classes, as far as there are rows for them."""
    frame = pd.DataFrame({name: np.asarray(values, float) for name, values in columns.items()})
    return frame.assign(group=["ab"[2 * i // len(frame)] for i in range(len(frame))])


@cache
def tables():
    """Return tables by name, with columns and preparation: easy ones and awkward ones."""
    iris = load("iris").frame
    names = list(iris.columns[:4])
    iris = iris.rename(columns={iris.columns[4]: "group"})
    groups = np.repeat([0.0, 10.0], 6) + np.tile(np.arange(6) / 10, 2)
    weather = load("weather_numeric").frame.rename(columns={"play": "group"})
    return {
        "two columns": (iris, names[2:], {}),
        "two of four columns": (iris, names, {"view": names[:2]}),
        "components": (iris, names, {"view": "pca", "scaling": "z-score"}),
        "one column": (iris, names[:1], {}),
        "equal rows": (plain(x=[3] * 8, y=[4] * 8), ["x", "y"], {}),
        "a constant column": (plain(x=groups, y=[5] * 12), ["x", "y"], {}),
        "very different units": (plain(x=groups * 1e6, y=groups[::-1] * 1e-6), ["x", "y"], {}),
        "far from zero": (plain(x=1.7e9 + groups, y=-1e12 + 1000 * groups), ["x", "y"], {}),
        "hardly apart": (plain(x=1 + groups * 1e-9, y=groups), ["x", "y"], {}),
        "large": (plain(x=groups * 1e28, y=-groups * 1e28), ["x", "y"], {}),
        "tiny": (plain(x=groups * 1e-40, y=-groups * 1e-40), ["x", "y"], {}),
        "two rows": (plain(x=[0, 1], y=[0, 1]), ["x", "y"], {}),
        "nominal columns": (weather, list(weather.columns[:4]), {}),
    }


def cases_of(slug):
    """Return a page with the name of each table that it can be shown."""
    return [
        (slug, name)
        for name in tables()
        if name != "nominal columns" or technique(slug).nominal(first_method(slug))
    ]


def first_method(slug):
    return next(iter(technique(slug).methods))


def problem_of(page, name):
    frame, features, how = tables()[name]
    if page.data.target == "number":
        frame = frame.assign(height=np.arange(len(frame)) * 5.0 % 7)
        return prepare(frame, features, target="height", numeric_target=True, test_size=0.3, **how)
    if page.data.labelled:
        positive = frame["group"].iloc[-1] if page.data.target == "one class" else None
        how = how | {"labelled": True, "test_size": 0.3, "positive": positive}
    holes = "keep" if page.holes(first_method(page.slug)) else "drop"
    return prepare(frame, features, target="group", holes=holes, **how)


def always_asks(page):
    return Ask(always=True) in page.tools


def run_of(page, method, problem, params, selected=None):
    """Return the run that the page would show, with its own settings of the picture."""
    algorithm, learned = page.methods[method], problem.training
    options = {
        name: s.default for name, s in page.settings.items() if not s.methods or method in s.methods
    }
    query = problem.query(sample=selected) if selected is not None or always_asks(page) else None
    trace = run(new(algorithm, params, 0), *learned.arguments, max_steps=500)
    return Run(problem, trace, selected, None, options, query)


def attempt(page, method, problem, params, selected=None):
    """Return the scene of a method, or the sentence with which it refuses the data."""
    try:
        return page.scene(run_of(page, method, problem, params, selected)), ""
    except ValueError as error:
        return None, str(error)


@cache
def attempts(slug, name, selected=None):
    """Return scenes of a page's methods, with few clusters for few rows, and their refusals."""
    page = technique(slug)
    problem = problem_of(page, name)
    n_rows = len(problem.training.X)
    scenes, refusals = [], []
    for method in of_tables(page):
        params = {
            name: feasible(name, page.defaults(method)[name], n_rows) for name in page.specs(method)
        }
        scene, refusal = attempt(page, method, problem, params, selected)
        scenes += [scene] if scene else []
        refusals += [refusal] if refusal else []
    return scenes, refusals


def of_tables(page):
    """Return the methods of a page that take the data of its first method."""
    return [method for method in page.methods if method not in page.data_by_method]


def scenes(*case):
    return attempts(*case)[0]


def feasible(name, value, n_samples):
    """Return a parameter's default, at most the number of rows where it counts clusters or rows."""
    counts = {"n_clusters", "max_clusters", "n_components", "n_neighbors", "min_samples"}
    return min(value, n_samples) if name in counts and isinstance(value, int) else value


def rows(channel):
    return list(channel.rows) if isinstance(channel, PerFrame) else [channel]


def values(channel):
    return np.concatenate([np.ravel(np.asarray(row, float)) for row in rows(channel)])


def by_page(check):
    """Make a test of a page of what is checked of a case: of the page with each table."""

    @pytest.mark.parametrize("slug", [*filter(takes_tables, CATALOGUE)])
    def test(slug, subtests):
        ask_all(subtests, lambda *case: check(case), cases_of(slug))

    return test


@by_page
def test_every_method_has_a_scene_or_refuses_what_it_cannot_use_in_a_sentence(case):
    slug, name = case
    scenes, refusals = attempts(*case)
    assert len(scenes) + len(refusals) == len(of_tables(technique(slug)))
    assert not refusals or slug in REFUSED.get(name, ()), refusals
    assert all(SENTENCE.fullmatch(refusal) for refusal in refusals)


@by_page
def test_marks_fit_their_panels_and_frames(case):
    for scene in scenes(*case):
        assert isinstance(scene, Scene)
        names = [panel.name for panel in scene.panels]
        assert len(set(names)) == len(names)
        assert scene.panels[0].name == "data"
        assert 1 <= [panel.side for panel in scene.panels].count(False) <= 2
        assert sum(getattr(mark, "data", False) for mark in scene.marks) == 1
        for mark in scene.marks:
            assert mark.panel in names
            for name in mark.CHANNELS:
                channel = getattr(mark, name)
                if isinstance(channel, PerFrame):
                    assert len(channel.rows) == len(scene.frames), (mark, name)


@by_page
def test_positions_of_one_mark_have_one_length(case):
    for scene in scenes(*case):
        for mark in scene.marks:
            places = [
                name
                for name in mark.CHANNELS
                if name[0] in "xyr" and getattr(mark, name) is not None
            ]
            for i in range(len(scene.frames)):
                each = [rows(getattr(mark, name)) for name in places]
                assert len({np.size(row[i if len(row) > 1 else 0]) for row in each}) <= 1, mark


@by_page
def test_axes_hold_the_data(case):
    for scene in scenes(*case):
        panels = {panel.name: panel for panel in scene.panels}
        for mark in scene.marks:
            for letter in "xy":
                axis = getattr(panels[mark.panel], letter)
                assert np.isfinite([axis.low, axis.high]).all()
                assert axis.low < axis.high
                if getattr(mark, "data", False):
                    places = values(getattr(mark, letter))
                    assert axis.low <= places.min() <= places.max() <= axis.high


@by_page
def test_classes_have_names(case):
    for scene in scenes(*case):
        for mark in scene.marks:
            colors = getattr(mark, "color", None)
            if getattr(mark, "classes", ()) and colors is not None:
                used = set(values(colors)) - {NO_CLASS}
                assert used <= set(range(len(mark.classes)))


@by_page
def test_every_frame_tells_one_sentence_and_its_arithmetic(case):
    for scene in scenes(*case):
        assert len(scene.frames) > 1
        for frame in scene.frames:
            assert SENTENCE.fullmatch(frame.caption), frame.caption
            assert "nan" not in frame.caption.split()
            assert frame.phase
            assert frame.ledger
            for block in frame.ledger:
                if isinstance(block, Formula):
                    assert block.text.strip()
                    continue
                assert all(len(row) == len(block.head) for row in block.rows), block
                assert all(0 <= i < len(block.rows) for i in block.emphasis)
                assert not any(
                    isinstance(cell, float) and np.isnan(cell) for row in block.rows for cell in row
                ), block


@by_page
def test_a_selected_row_gets_its_own_arithmetic(case):
    slug, name = case
    usual, selected = scenes(slug, name), scenes(slug, name, 1)
    if always_asks(technique(slug)):
        assert [scene.frames for scene in usual] != [
            scene.frames for scene in selected
        ] or not usual
        return
    for plain, detailed in zip(usual, selected, strict=True):
        assert [frame.caption for frame in plain.frames] == [
            frame.caption for frame in detailed.frames
        ]
        assert sum(len(frame.ledger) for frame in detailed.frames) > sum(
            len(frame.ledger) for frame in plain.frames
        )


@by_page
def test_packing_keeps_places_apart(case):
    """Places that differ on the screen still differ in the bytes that are sent."""
    for scene in scenes(*case):
        packed = decode(encode(scene))
        for panel, header in zip(scene.panels, packed["panels"], strict=True):
            for letter in "xy":
                axis = getattr(panel, letter)
                width = axis.high - axis.low
                assert header[letter]["low"] == pytest.approx(axis.low, abs=width / 1e4, rel=0)
                assert header[letter]["high"] == pytest.approx(axis.high, abs=width / 1e4, rel=0)
        panels = {panel.name: panel for panel in scene.panels}
        for mark, header in zip(scene.marks, packed["marks"], strict=True):
            for name in mark.CHANNELS:
                if name not in header or name[0] not in "xy":
                    continue
                axis = getattr(panels[mark.panel], name[0])
                sent = np.unique(packed["arrays"][header[name]["values"]])
                for value in values(getattr(mark, name))[:50]:
                    if np.isfinite(value):
                        assert np.nanmin(np.abs(sent - value)) <= (axis.high - axis.low) / 1e4, (
                            mark,
                            name,
                        )


@pytest.mark.parametrize("slug", [*filter(takes_tables, CATALOGUE)])
def test_scenes_are_light(slug):
    for scene in scenes(slug, "two of four columns"):
        assert len(encode(scene)) < HEAVIEST


@pytest.mark.parametrize("slug", CATALOGUE)
def test_numbered_rows_of_tables_have_marks_that_answer(slug):
    packed = stage(visit(slug))
    tables = [block for frame in packed["frames"] for block in frame["ledger"]]
    counted = {table["of"] for table in tables if "of" in table}
    answering = any(table.get("classes") or any(table.get("numbers", ())) for table in tables)
    # Polynomial regression opens on powers, and no mark stands for one.
    assert answering or slug == "polynomial_regression"
    # With a kernel, the matrix writes "row y" for the other row of a pair.
    assert {name.removesuffix(" y") for name in counted} <= {
        mark["of"] for mark in packed["marks"] if "numbers" in mark
    }


# --- extremes -------------------------------------------------------------------------------------


@cache
def large(name):
    """Return a table of very many columns or rows, with its features and its target."""
    if name == "digits":
        table = load("digits")
        return table.frame[::12], list(table.numeric), table.target
    frame = make("blobs", n_samples=2000, centers=5, random_state=0).frame
    return frame, list(frame.columns[:2]), frame.columns[2]


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["digits", "2000 rows"])
@pytest.mark.parametrize("slug", [*filter(takes_tables, CATALOGUE)])
def test_large_tables_make_light_scenes(slug, name):
    page = technique(slug)
    frame, features, target = large(name)
    how = {"labelled": True, "test_size": 0.3} if page.data.labelled else {}
    how |= {"positive": str(frame[target].iloc[0])} if page.data.target == "one class" else {}
    if page.data.target == "number":
        *features, target = features
        how = {"numeric_target": True, "test_size": 0.3}
    problem = prepare(frame, features, target=target, **how)
    for method in page.methods:
        kind = page.kind(method)
        if not isinstance(kind, Table) or (kind.target == "number") != problem.numeric_target:
            continue
        params = {parameter: page.defaults(method)[parameter] for parameter in page.specs(method)}
        scene, refusal = attempt(page, method, problem, params)
        # The classes are too unequal for the default; columns are constant in a class; few rows lie
        # far apart.
        accepted = ("nu is infeasible", "is not full rank", "No two rows are similar")
        assert not refusal or any(text in refusal for text in accepted)
        assert not scene or len(encode(scene)) < HEAVIEST, method
