"""Networks in the formats of other programs: MatrixMarket, Pajek, METIS and DIMACS."""

import contextlib
import io

import networkx as nx
import pytest
from scipy import sparse
from scipy.io import mmwrite

from dmlib.datasets import TableError, read_graph
from dmlib.datasets.reading.others import LOST
from tests.datasets.test_reading_networks import edges, texts

# --- MatrixMarket ---------------------------------------------------------------------------------


def market(graph, **options):
    stream = io.BytesIO()
    mmwrite(stream, sparse.coo_array(nx.to_scipy_sparse_array(graph)), **options)
    return stream.getvalue()


@pytest.mark.parametrize("size", [5, 60])
@pytest.mark.parametrize("field", ["pattern", "integer", "real"])
@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
def test_matrix_market_as_scipy_writes_it(size, field, symmetry):
    graph = nx.gnm_random_graph(size, 2 * size - 3, seed=3)
    content = market(graph, field=field, symmetry=symmetry, comment="made up\n 1 2 3")
    data = read_graph(content, "g.mtx")
    assert edges(data) == {(*sorted((str(i + 1), str(j + 1))), None) for i, j in graph.edges}
    assert sorted(data.graph, key=int) == [str(i + 1) for i in range(size)]
    assert "MatrixMarket" in texts(data)


def test_matrix_market_tells_directions_and_weights():
    text = (
        b"%%MatrixMarket matrix coordinate real general\n% a remark\n3 3 3\n1 2 0.5\n2 1 0.5\n3 2"
        b" 1.5\n"
    )
    arrows = [("1", "2", 0.5), ("2", "1", 0.5), ("3", "2", 1.5)]
    assert sorted(read_graph(text, "g.mtx", directed=None).graph.edges(data="weight")) == arrows
    assert LOST in texts(read_graph(text, "g.mtx"))
    symmetric = (
        b"%%MatrixMarket MATRIX Coordinate Pattern Symmetric\r\n%\r\n4 4 3\r\n2 1\r\n3 2\r\n4 4\r\n"
    )
    assert edges(read_graph(symmetric, "g.mtx")) == {
        ("1", "2", None),
        ("2", "3", None),
        ("4", "4", None),
    }
    assert edges(read_graph(symmetric.lower(), "g.mtx")) == edges(read_graph(symmetric, "g.mtx"))
    dense = b"%%MatrixMarket matrix array integer general\n2 2\n0\n3\n3\n0\n"
    assert edges(read_graph(dense, "g.mtx")) == {("1", "2", 3.0)}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("%%MatrixMarket\n", "corrupt"),
        ("%%MatrixMarket matrix coordinate pattern general\n3 4 1\n1 2\n", "ragged"),
        ("%%MatrixMarket matrix coordinate pattern general\n3 3 999999999999\n1 2\n", "corrupt"),
        ("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n", "corrupt"),
        ("%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 x\n", "corrupt"),
        ("%%MatrixMarket matrix coordinate real general\n3 3 1\n1 9 1\n", "corrupt"),
        ("%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 nan\n", "not_a_table"),
        ("%%MatrixMarket matrix coordinate complex general\n3 3 1\n1 2 1 1\n", "not_a_table"),
        ("%%MatrixMarket matrix coordinate real general\n3 3 0\n", "no_rows"),
        (
            "%%MatrixMarket matrix coordinate real general\n999999999 999999999 1\n1 2 1\n",
            "too_large",
        ),
        ("%%MatrixMarket matrix array real general\n99999 99999\n1\n", "too_large"),
    ],
)
def test_a_matrix_that_is_none_is_refused(text, reason):
    with pytest.raises(TableError) as caught:
        read_graph(text.encode(), "g.mtx")
    assert caught.value.reason == reason


def test_pajek():
    text = (
        '*Network a\n% b\n*Vertices 4\n1 "Ann B" 0.1 0.2 ic Red\n2 "Bö"\n3 Cy\n*Edges\n1 2 3\n2'
        " 3 1\n"
    )
    data = read_graph(text.encode(), "g.net")
    assert edges(data) == {("Ann B", "Bö", 3.0), ("Bö", "Cy", 1.0)}
    assert list(data.graph) == ["Ann B", "Bö", "Cy", "4"]
    assert read_graph(
        text.replace("*Edges", "*Arcs").encode(), "g.net", directed=None
    ).graph.is_directed()
    lists = b"*vertices 3\r\n*edgeslist\r\n1 2 3\r\n*Partition x\r\n*vertices 3\r\n5\r\n5\r\n7\r\n"
    data = read_graph(lists, "g.paj")
    assert edges(data) == {("1", "2", None), ("1", "3", None)}
    assert dict(data.graph.nodes(data="class")) == {"1": "5", "2": "5", "3": "7"}
    matrix = b"*Vertices 3\n*Matrix\n0 1 0\n1 0 2\n0 2 0\n"
    assert edges(read_graph(matrix, "g.net")) == {("1", "2", 1.0), ("2", "3", 2.0)}
    assert LOST not in texts(read_graph(matrix, "g.net"))


def test_pajek_as_networkx_writes_it():
    graph = nx.relabel_nodes(nx.gnm_random_graph(30, 60, seed=1), lambda i: f"node {i}")
    data = read_graph("\n".join(nx.generate_pajek(graph)).encode(), "g.net")
    assert {frozenset(edge) for edge in data.graph.edges} == {
        frozenset(edge) for edge in graph.edges
    }


@pytest.mark.parametrize(
    "text",
    [
        "*Vertices x\n",
        "*Vertices 2\n*Edges\n1 3\n",
        "*Vertices 2\n*Edges\n1\n",
        "*Edges\n1 2\n",
        "*Vertices 9999999999\n",
        "*Vertices 2\n*Arcs\n1 2 x\n",
    ],
)
def test_pajek_that_is_damaged_names_the_line(text):
    with pytest.raises(TableError, match=r"Line \d does not fit"):
        read_graph(text.encode(), "g.net")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4 3\n2\n1 3\n2 4\n3\n", {("1", "2", None), ("2", "3", None), ("3", "4", None)}),
        ("% a\n4 2\n2\n1 3\n% b\n2\n\n", {("1", "2", None), ("2", "3", None)}),
        ("3 2 1\n2 7\n1 7 3 8\n2 8\n", {("1", "2", 7.0), ("2", "3", 8.0)}),
        ("3 2 011\r\n4 2 7\r\n4 1 7 3 8\r\n4 2 8\r\n", {("1", "2", 7.0), ("2", "3", 8.0)}),
        ("3 2 10 2\n9 9 2\n9 9 1 3\n9 9 2\n", {("1", "2", None), ("2", "3", None)}),
    ],
)
def test_metis(text, expected):
    data = read_graph(text.encode(), "g.graph")
    assert edges(data) == expected
    assert "METIS" in texts(data)


@pytest.mark.parametrize("text", ["3 3\n1 2\n2 3\n3 1\n", "4 3\n2\n1 3\n2 4\n2\n", "2 1 5\n2\n1\n"])
def test_what_only_looks_like_metis_is_none(text):
    with contextlib.suppress(TableError):
        assert "METIS" not in texts(read_graph(text.encode(), "g.graph"))


def test_dimacs():
    data = read_graph(b"c a remark\np edge 4 2\ne 1 2\ne 2 3\n", "g.col")
    assert edges(data) == {("1", "2", None), ("2", "3", None)}
    assert len(data.graph) == 4
    arrows = read_graph(b"p sp 3 2\na 1 2 7\na 2 3 4\n", "g.gr", directed=None).graph
    assert sorted(arrows.edges(data="weight")) == [("1", "2", 7.0), ("2", "3", 4.0)]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("digraph { a -> b }", "Graphviz"),
        ('strict graph "x y"\n{\na -- b\n}\n', "Graphviz"),
        ("dl n=3 format=fullmatrix\ndata:\n0 1 1\n1 0 1\n1 1 0\n", "UCINET"),
    ],
)
def test_formats_that_are_not_read_are_refused_by_name(text, title):
    with pytest.raises(TableError, match=title) as caught:
        read_graph(text.encode(), "g.txt")
    assert caught.value.reason == "unsupported"
