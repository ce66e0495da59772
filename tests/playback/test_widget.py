"""A run as a widget of a notebook."""

import json

import nbformat
from nbclient import NotebookClient

from dmlib import play
from dmlib.clustering import KMeans
from dmlib.pictures.encode import decode
from tests.playback.test_playback import ROOT

ROWS = [[0.0, 1.0], [1.0, 0.0], [9.0, 9.0], [10.0, 8.0]]
CELLS = (
    "from dmlib import play\nfrom dmlib.clustering import KMeans",
    f"widget = play(KMeans(2, random_state=0), {ROWS}).widget()\nwidget",
    "widget.selected = 2\nprint(widget.playback.run.selected, widget.frame > 2)",
)
VIEW = "application/vnd.jupyter.widget-view+json"


def test_a_notebook_has_the_widget_and_its_values(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    book = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(book, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert VIEW in book.cells[1].outputs[0].data
    assert book.cells[2].outputs[0].text == "2 True\n"


def test_a_selected_row_adds_its_arithmetic():
    widget = play(KMeans(2, random_state=0), ROWS).widget()
    before = decode(widget.scene)
    widget.selected = 1
    after = decode(widget.scene)
    assert after["selected"] == 1
    assert json.dumps(after["frames"][-1]["ledger"]) != json.dumps(before["frames"][-1]["ledger"])
    widget.selected = None
    assert decode(widget.scene)["selected"] is None


def test_another_run_takes_the_place():
    widget = play(KMeans(2, random_state=0), ROWS).widget()
    widget.playback = play(KMeans(3, random_state=0), ROWS)
    assert widget.frame == len(widget.playback.frames) - 1
    assert len(decode(widget.scene)["frames"]) == len(widget.playback.frames)
