"""The exported code, the notebook and the ledger say what the page says; labels and handles fit."""

import ast
import csv
import dataclasses
import io
import json
import runpy
from functools import cache

import numpy as np
import pandas as pd
import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.tools import Drag, PlaceCenters
from dmlib.params import Choice, Flag, Integer, Number
from tests.contract.test_public_api import assert_same
from tests.visit import (
    methods,
    open_part,
    sound,
    takes_tables,
    technique,
    upload,
    visit,
    watched_runs,
)

USUAL = "a,b,c\n1,2,x\n2,1,x\n1,1,x\n2,2,x\n8,9,y\n9,8,y\n8,8,y\n9,9,y\n"

# Every source is tried here: a page without classes, one with them.
EVERY_SOURCE = ("kmeans", "decision_tree")
LIBRARIES = {"dmlib", "sklearn", "scipy", "networkx", "statsmodels", "mlxtend", "pathlib", "types"}


@pytest.fixture(params=tuple(CATALOGUE))
def slug(request):
    return request.param


WITH_CODE = {"bar.code": True}  # the popover is open


def shown_code(page):
    (code,) = page.code
    return code.value


@cache
def usual_code(slug):
    """Return the code of a page at its defaults, and the run that it shows."""
    with watched_runs() as runs:
        return shown_code(sound(visit(slug, WITH_CODE))), runs[-1]


def links(slug):
    """Yield what is opened for its code: each other method, and data of several sources."""
    yield from list(methods(slug).values())[1:]
    if not takes_tables(slug):
        yield from (
            {"source": source} for source in technique(slug).data.sources if source != "upload"
        )
        return
    sources = [
        {"data": "wine", "source": "library", "scaling": "z-score", "seed": "5"},
        {"source": "generator", "generator": "moons", "seed": "2"},
        {"source": "draw"},
    ]
    yield from (
        sources if slug in EVERY_SOURCE else [sources[list(CATALOGUE).index(slug) % len(sources)]]
    )
    placing = next((tool for tool in technique(slug).tools if isinstance(tool, PlaceCenters)), None)
    if placing:
        yield {"places": "#3;#80", f"{slug}.{placing.parameter}": placing.option}


def other_code(slug):
    """Yield code and runs of other methods and data than the page opens with."""
    with watched_runs() as runs:
        for link in links(slug):
            yield shown_code(sound(visit(slug, WITH_CODE, **link))), runs[-1]
        if takes_tables(slug):
            page = upload(slug, "usual.csv", USUAL)
            yield shown_code(open_part(page, **WITH_CODE)), runs[-1]


def assert_same_data(first, second):
    if dataclasses.is_dataclass(first):
        assert_same(first, second)
    elif isinstance(second, np.ndarray):
        np.testing.assert_array_equal(first, second)
    else:
        pd.testing.assert_frame_equal(pd.DataFrame(first), pd.DataFrame(second))


@pytest.fixture
def check_code(slug, tmp_path, monkeypatch, capsys):
    """Return a function that runs a page's code and compares its numbers with the page's run."""
    (tmp_path / "usual.csv").write_text(USUAL, "utf-8")
    monkeypatch.chdir(tmp_path)

    def check(code, run):
        file = tmp_path / "exported.py"
        file.write_text(code, "utf-8")
        capsys.readouterr()
        done = runpy.run_path(str(file))
        printed = capsys.readouterr().out
        assert_same_data(done["X"], run.problem.training.data)
        for label, result in technique(slug).headline_numbers(run).items():
            attribute = result.attribute
            assert label in printed
            page_has = getattr(run.fitted, attribute)
            np.testing.assert_array_equal(getattr(done["model"], attribute), page_has)
            if attribute in technique(slug).check.compare or hasattr(done["reference"], attribute):
                np.testing.assert_allclose(
                    getattr(done["reference"], attribute), page_has, rtol=1e-6, atol=1e-9
                )

    return check


def test_code_gives_the_numbers_of_the_page(slug, check_code):
    check_code(*usual_code(slug))


@pytest.mark.sweep
def test_so_does_the_code_of_each_method_and_source(slug, check_code):
    for code, run in other_code(slug):
        check_code(code, run)


def test_code_is_short_and_imports_only_libraries(slug):
    source, _ = usual_code(slug)
    modules = {
        node.module.split(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom)
    }
    assert modules <= LIBRARIES
    assert len(source.splitlines()) <= 85


def test_notebook_is_the_script_in_cells(slug):
    from dashboard.export import notebook

    source, _ = usual_code(slug)
    book = json.loads(notebook(source))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    code = "\n".join(
        "".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"
    )
    without_title = ast.parse(source.replace(f'.save("{slug}.html")', "")).body[1:]
    assert [ast.dump(node) for node in ast.parse(code).body] == [
        ast.dump(node) for node in without_title
    ]


def test_hand_check_sheet_is_a_table(slug):
    from dmlib.pictures.encode import ledger_csv

    _, run = usual_code(slug)
    frames = technique(slug).scene(run).frames
    lines = list(csv.reader(io.StringIO(ledger_csv(frames))))
    assert {int(line[0]) for line in lines[1:]} == set(range(len(frames)))
    assert len({len(line) for line in lines}) == 1
    assert len(set(lines[0])) == len(lines[0])
    assert pd.notna(lines[0]).all()


def test_what_is_dragged_sets_a_control(slug):
    page = technique(slug)
    for method in page.methods:
        assert not set(page.settings) & set(page.specs(method))
    names = {name for method in page.methods for name in page.specs(method)} | set(page.settings)
    assert {tool.sets or tool.handle for tool in page.tools if isinstance(tool, Drag)} <= names
    for setting in page.settings.values():
        assert setting.label
        assert setting.spec.check(setting.default) == setting.default


def test_labels_are_short_and_given_for_every_control(slug):
    page = technique(slug)
    for method in page.methods:
        for heading, labels in page.labels.items():
            assert heading
            for name, label in labels.items():
                assert label[:1].isupper() or label[:1].islower()
                assert any(name in page.methods[m].PARAMS for m in page.methods), name
        assert all(
            isinstance(spec, Integer | Number | Choice | Flag)
            for spec in page.specs(method).values()
        )
