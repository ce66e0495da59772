"""Exports of a hostile file are inert, and run."""

import ast
import csv
import io
import json
import runpy

import numpy as np
import pandas as pd
import pytest

from dashboard.export import notebook
from dmlib.pictures.encode import ledger_csv
from dmlib.spreadsheet import to_csv
from tests.visit import open_part, sound, technique, visit, watched_runs

NAMES = (
    "a'b\"c\\",
    "</script><script>alert(1)</script>",
    "x\n# print('run')\nimport os",
    "=cmd|' /C calc'!A0",
    "\"\"\"'''{0}%s${x}",
)
CLASS = "class\u2028\"'\\N{BULLET}"
FILE = 'it\'s """ <script> {0}\\n # x.csv'
# Without classes, with them, with names as columns.
SLUGS = ("kmeans", "decision_tree", "data_overview")


def hostile():
    X = np.random.default_rng(0).normal(size=(40, len(NAMES))).round(2)
    labels = np.where(X[:, 0] > 0, "@SUM(A1)", "</script>\n'''\"\"\"\\")
    return pd.DataFrame(X, columns=list(NAMES)).assign(**{CLASS: labels})


def page_with_file(slug):
    page = visit(slug, source="upload")
    page.file_uploader[0].upload(
        f"../../etc/{FILE}", hostile().to_csv(index=False).encode(), "text/csv"
    )
    return sound(page.run())


@pytest.mark.parametrize("slug", SLUGS)
def test_scripts_and_notebooks_run_and_give_the_numbers_of_the_page(slug, tmp_path, monkeypatch):
    (tmp_path / FILE).write_bytes(hostile().to_csv(index=False).encode())
    monkeypatch.chdir(tmp_path)
    with watched_runs() as runs:
        page = page_with_file(slug)
    run = runs[-1]
    assert set(run.problem.training.features) <= {*NAMES, CLASS}
    open_part(page, **{"bar.code": True})
    (code,) = page.code
    imports = [node for node in ast.walk(ast.parse(code.value)) if isinstance(node, ast.Import)]
    assert "os" not in {alias.name for node in imports for alias in node.names}
    cells = json.loads(notebook(code.value))["cells"]
    in_cells = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    for i, source in enumerate((code.value, in_cells)):
        (tmp_path / f"exported_{i}.py").write_text(source, "utf-8")
        done = runpy.run_path(str(tmp_path / f"exported_{i}.py"))
        pd.testing.assert_frame_equal(
            pd.DataFrame(done["X"]), pd.DataFrame(run.problem.training.data)
        )


@pytest.mark.parametrize("slug", SLUGS)
def test_no_cell_of_an_exported_sheet_is_a_formula(slug):
    with watched_runs() as runs:
        page_with_file(slug)
    texts = [ledger_csv(technique(slug).scene(runs[-1]).frames), to_csv(hostile())]
    rows = list(csv.reader(io.StringIO("".join(texts))))
    assert any("cmd|" in cell for row in rows for cell in row)
    for row in rows:
        for cell in row:
            assert not cell.startswith(("=", "@", "\t", "\r"))
            assert not cell.startswith(("+", "-")) or pd.notna(
                pd.to_numeric(cell, errors="coerce")
            ), cell
