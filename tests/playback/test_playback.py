"""Runs that play: the pictures of the pages, data of all kinds, and the notebooks in examples/."""

import base64
import html
import re
from pathlib import Path

import nbformat
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from nbclient import NotebookClient
from sklearn.cluster import KMeans as OtherKMeans

from dashboard.export import notebook, source_of
from dashboard.rounds import view_of
from dashboard.settings import Settings
from dmlib import play
from dmlib.association import Apriori
from dmlib.classification import KNeighborsClassifier, LabelPropagation, NaiveBayes
from dmlib.clustering import LVQ, KMeans, ThresholdGraphClustering
from dmlib.neural import GradientDescent
from dmlib.pictures.encode import decode, encode
from dmlib.playback import page
from dmlib.regression import LinearRegression
from dmlib.similarity import GraphEditDistance, StringAlignment
from tests.visit import technique

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def test_arrays_frames_and_targets():
    X = np.array([[0.0, 1.0], [1.0, 0.0], [8.0, 9.0], [9.0, 8.0]])
    assert play(KMeans(2, random_state=0), X).run.problem.features == ("x1", "x2")
    classes = ["no", "no", "yes", "yes"]
    playback = play(KNeighborsClassifier(1), pd.DataFrame(X, columns=["a", "b"]), classes)
    assert playback.run.problem.classes == ("no", "yes")
    assert playback.run.problem.features == ("a", "b")
    y = pd.Series([1.0, 2.0, 3.0, 5.0], name="price")
    line = play(LinearRegression(), X[:, :1], y)
    slope = np.polyfit(X[:, 0], y, 1)[0]
    assert line.run.fitted.coef_[0] == pytest.approx(slope)


def test_names_holes_and_held_out_rows():
    frame = pd.DataFrame({"sky": ["sun", "rain", "sun", "rain"] * 5, "wind": [True, False] * 10})
    playback = play(NaiveBayes(), frame, ["go", "stay"] * 10, test_size=0.25)
    assert playback.run.problem.testing is not None
    assert len(playback.run.problem.training.rows) < 20


def test_baskets_texts_and_graphs():
    baskets = play(Apriori(min_support=0.5), [["a", "b"], ["a"], ["b", "a"]])
    assert baskets.run.problem.transactions == (("a", "b"), ("a",), ("a", "b"))
    table = pd.DataFrame({"a": [True, True, True], "b": [True, False, True]})
    assert play(Apriori(), table).run.problem.transactions == baskets.run.problem.transactions
    numbers = play(Apriori(min_support=0.5), [[7, 2], [7, 3]]).run.problem
    assert numbers.transactions == (("2", "7"), ("3", "7"))
    assert "3 edits" in play(StringAlignment(), ["kitten", "sitting"]).frames[-1].caption
    graph = play(ThresholdGraphClustering(threshold=1.0), nx.path_graph(4))
    assert graph.frames[-1].caption


def test_two_graphs_of_the_same_nodes_are_parts_of_one():
    pair = [nx.path_graph(3), nx.cycle_graph(3)]
    assert play(GraphEditDistance(), pair).run.fitted.value_ == 1.0
    assert [*pair[0].nodes(data=True)] == [(0, {}), (1, {}), (2, {})]


def test_rows_without_a_class_are_unlabelled_where_the_method_learns_from_them():
    X, y = [[0.0], [1.0], [9.0], [10.0]], [0, -1, -1, 1]
    model = LabelPropagation(gamma=1.0, n_labeled=None)
    problem = play(model, X, y).run.problem
    assert problem.y.tolist() == y
    assert problem.classes == ("0", "1")
    assert play(KNeighborsClassifier(1), X, [1, -1, -1, 1]).run.problem.classes == ("-1", "1")


def test_an_image_has_no_target():
    with pytest.raises(ValueError, match=r"The picture of LVQ has no target\. Leave y out"):
        play(LVQ(1, max_iter=5), np.eye(4), [0, 0, 1, 1])


def test_a_surface_is_its_formula():
    assert play(GradientDescent(), "x^2 + y^2").run.problem.formula == "x^2 + y^2"


def test_the_arithmetic_is_a_table():
    ledger = play(KMeans(2, random_state=0), [[0.0], [1.0], [9.0], [10.0]]).ledger
    assert {"step", "phase", "caption"} <= set(ledger)
    assert "done" in set(ledger["phase"])


def test_what_has_no_picture_says_so():
    with pytest.raises(TypeError, match="KMeans has no picture"):
        play(OtherKMeans(2), np.eye(3))


def test_what_an_estimator_refuses_is_said():
    with pytest.raises(ValueError, match="n_clusters"):
        play(KMeans(9), np.eye(3))


def test_names_of_the_reader_are_no_markup(tmp_path):
    frame = pd.DataFrame({"</script><b>": [0.0, 1.0, 9.0, 10.0]})
    playback = play(KMeans(2, random_state=0), frame)
    playback.save(tmp_path / "run.html")
    text = (tmp_path / "run.html").read_text("utf-8")
    assert text.count("</script>") == text.count("<script ") == 2
    assert "<b>" not in text
    assert page(encode(playback.scene), "<i>").count("<i>") == 0
    assert playback._repr_html_().endswith(
        "once the notebook is trusted, or its cells are run.</iframe>"
    )
    assert '"' not in playback._repr_html_().split('srcdoc="')[1].split('" width')[0]


def test_a_scene_of_a_notebook_is_complete():
    playback = play(KMeans(2, random_state=0), [[0.0], [1.0], [9.0], [10.0]])
    assert playback.frame == len(playback.frames) - 1
    assert len(decode(encode(playback.scene))["frames"]) == len(playback.frames)


# A table, baskets, a graph, texts, patterns, sequences, and a picture that is named.
EXPORTED = (
    "kmeans",
    "decision_tree",
    "apriori",
    "graph_clustering",
    "strings",
    "hopfield",
    "rnn",
    "lda_projection",
)


@pytest.mark.parametrize("slug", EXPORTED)
def test_an_exported_notebook_shows_the_picture_of_its_page(slug, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    page_view = view_of(technique(slug), Settings.from_query({}))
    book = nbformat.reads(notebook(source_of(page_view)), as_version=4)
    nbformat.validate(book)
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(book, timeout=120, resources=resources).execute()
    (output,) = book.cells[-1].outputs
    assert captions(output.data["text/html"]) == [frame.caption for frame in page_view.scene.frames]


def captions(text):
    """Return the captions of the run in an output of a notebook, which asks for no other file."""
    document = html.unescape(text.split('srcdoc="')[1].split('" width')[0])
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?!data:)\w+:""", document)
    scene = base64.b64decode(document.split('atob("')[1].split('"')[0])
    return [frame["caption"] for frame in decode(scene)["frames"]]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_the_run(path, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=120, resources=resources).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert not [output for output in outputs if output.output_type == "error"]
    texts = [output.get("data", {}).get("text/html", "") for output in outputs]
    assert any("<iframe srcdoc=" in text for text in texts)
