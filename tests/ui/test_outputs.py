"""Results of a reader's own messy file, as its page offers them."""

import io

import pandas as pd
import pytest

import dashboard.runs
import ui.outputs
from dmlib.datasets import load, read_network
from tests.visit import open_part, sound, visit

MESSY = "=na me;b;class\n1,5;2;x\n;3;y\n9,5;8;</script>\n8,5;9;x\n1;1;y\n"


@pytest.fixture
def files(monkeypatch):
    """Collect the files that are offered, by the label of their button."""
    offered = {}
    button = ui.outputs._button

    def collect(label, data, name, mime):
        offered[label] = name, data() if callable(data) else data
        button(label, data, name, mime)

    monkeypatch.setattr(ui.outputs, "_button", collect)
    return offered


def page_with_file(slug):
    page = visit(slug, source="upload")
    page.file_uploader[0].upload("../messy.csv", MESSY.encode(), "text/csv")
    return sound(open_part(sound(page.run()), **{"bar.download": True}))


def test_results_of_a_messy_file(files):
    page = page_with_file("kmeans")
    assert not files  # nothing is computed before it is asked for
    sound(page.button(key="outputs.rows").click().run())
    assert set(files) == {"CSV", "Excel", "Parquet", "Settings (CSV)"}
    frame = pd.read_csv(io.StringIO(files["CSV"][1]))
    assert frame.columns[0] == "'=na me"
    assert len(frame) == 5
    assert frame["cluster"].isna().tolist() == [False, True, False, False, False]
    sheets = pd.read_excel(io.BytesIO(files["Excel"][1]), sheet_name=None, engine="calamine")
    assert sheets["Data"].columns[0] == "=na me"
    settings = dict(sheets["Settings"].itertuples(index=False))
    assert settings["Rows"] == "4 of 5 rows have a result; 1 row has a missing value."
    assert pd.read_parquet(io.BytesIO(files["Parquet"][1]))["class"].tolist()[2] == "</script>"


def test_a_model_of_a_messy_file(files):
    page = page_with_file("decision_tree")
    sound(page.button(key="outputs.model").click().run())
    assert set(files) == {"JSON", "Python", "Rules (text)"}
    namespace = {}
    exec(files["Python"][1], namespace)
    assert namespace["predict"]({"=na me": 9.5, "b": None}) in {"x", "y", "</script>"}


def test_a_network_is_downloaded_as_a_file_that_the_page_reads(files):
    link = {"bayesian_network.method": "Query a network", "data": "asia"}
    page = sound(visit("bayesian_network", {"bar.download": True}, **link))
    sound(page.button(key="outputs.model").click().run())
    assert set(files) == {"JSON", "Network (BIF)"}
    nodes = read_network(files["Network (BIF)"][1].encode(), "asia.bif").nodes
    assert [node.name for node in nodes] == [node.name for node in load("asia").nodes]


def test_a_run_that_was_stopped_has_no_results(monkeypatch):
    monkeypatch.setattr(dashboard.runs, "MAX_STEPS", 3)
    page = sound(visit("kmeans", {"bar.download": True}))
    assert "outputs.rows" not in [button.key for button in page.button]
    assert any("stopped early" in caption.value for caption in page.caption)
