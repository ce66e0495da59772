"""Adjacency matrices and text formats of networks are detected, noted, and overruled."""

import contextlib
import random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.datasets import TableError, read_graph
from dmlib.datasets.reading.others import LOST
from tests.datasets.messy.office import ods, xlsx

SQUARE = {("A", "B", 1.0), ("A", "D", 2.0), ("B", "C", 1.0)}
MATRICES = {
    "names on both sides": ",A,B,C,D\nA,0,1,0,2\nB,1,0,1,0\nC,0,1,0,0\nD,2,0,0,0\n",
    "a corner": "node;A;B;C;D\nA;0;1;0;2\nB;1;0;1;0\nC;0;1;0;0\nD;2;0;0;0\n",
    "R's names": '"A" "B" "C" "D"\n"A" 0 1 0 2\n"B" 1 0 1 0\n"C" 0 1 0 0\n"D" 2 0 0 0\n',
    "blanks": "\tA\tB\tC\tD\nA\t\t1\t\t2\nB\t1\t\t1\t\nC\t\t1\t\t\nD\t2\t\t\t\n",
    "points and dashes": "x,A,B,C,D\nA,.,1,-,2\nB,1,.,1,–\nC,-,1,.,-\nD,2,.,.,.\n",
    "one half": ",A,B,C,D\nA,,1,,2\nB,,,1,\nC,,,,\nD,,,,\n",
    "the lower half": ",A,B,C,D\nA\nB,1\nC,0,1\nD,2,0,0\n",
    "another order": ",D,C,B,A\nA,2,0,1,0\nB,0,1,0,1\nC,0,0,1,0\nD,0,0,0,2\n",
    "names above": "A,B,C,D\n0,1,0,2\n1,0,1,0\n0,1,0,0\n2,0,0,0\n",
    "names beside": "A\t0\t1\t0\t2\nB\t1\t0\t1\t0\nC\t0\t1\t0\t0\nD\t2\t0\t0\t0\n",
    "decimal commas": ";A;B;C;D\nA;0;1,0;0;2,0\nB;1,0;0;1;0\nC;0;1;0;0\nD;2,0;0;0;0\n",
    "rows of blanks at the end": (
        ",A,B,C,D,\nA,0,1,0,2,\nB,1,0,1,0,\nC,0,1,0,0,\nD,2,0,0,0,\n,,,,,\n"
    ),
    "a title": "Friends\n\n,A,B,C,D\nA,0,1,0,2\nB,1,0,1,0\nC,0,1,0,0\nD,2,0,0,0\n",
    "remarks": "# friends\n,A,B,C,D\nA,0,1,0,2\n% half\nB,1,0,1,0\nC,0,1,0,0\nD,2,0,0,0\n",
}


def edges(data):
    return {
        (*sorted((source, target)), weight)
        for source, target, weight in data.graph.edges(data="weight")
    }


def texts(data):
    return " ".join(note.text for note in data.notes)


@pytest.mark.parametrize("text", MATRICES.values(), ids=MATRICES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_an_adjacency_matrix_is_a_graph_and_told(text, encoding):
    data = read_graph(text.encode(encoding), "adjacency.csv")
    assert edges(data) == SQUARE
    assert sorted(data.graph) == ["A", "B", "C", "D"]
    assert "adjacency matrix of 4 nodes" in texts(data)
    assert LOST not in texts(data)


@pytest.mark.parametrize("write", [xlsx, ods])
def test_an_adjacency_matrix_in_a_workbook(write):
    rows = [
        ["", "A", "B", "C", "D"],
        ["A", "", 1, "", 2],
        ["B", 1, "", 1, ""],
        ["C", "", 1, "", ""],
        ["D", 2, 0, 0, 0],
    ]
    assert edges(read_graph(write({"S": rows}), "a.xlsx")) == SQUARE


@pytest.mark.parametrize("delimiter", [",", ";", " ", "\t"])
@pytest.mark.parametrize("size", [3, 7, 40])
def test_a_matrix_without_names_is_numbered(delimiter, size):
    matrix = nx.to_numpy_array(nx.cycle_graph(size), dtype=int)
    text = "\n".join(delimiter.join(map(str, row)) for row in matrix)
    data = read_graph(text.encode(), "m.txt")
    assert nx.is_isomorphic(data.graph, nx.cycle_graph(size))
    assert list(data.graph) == [str(i + 1) for i in range(size)]
    assert "numbered" in texts(data)


def test_a_matrix_whose_names_are_numbers():
    data = read_graph(b",10,20,30\n10,0,1,0\n20,1,0,1\n30,0,1,0\n", "m.csv")
    assert edges(data) == {("10", "20", None), ("20", "30", None)}


ASYMMETRIC = b",A,B,C\nA,0,1,0\nB,0,0,3\nC,0,5,0\n"


def test_a_matrix_that_is_not_symmetric_has_directions():
    arrows = [("A", "B", 1.0), ("B", "C", 3.0), ("C", "B", 5.0)]
    for directed in (True, None):
        assert (
            sorted(read_graph(ASYMMETRIC, "m", directed=directed).graph.edges(data="weight"))
            == arrows
        )
    data = read_graph(ASYMMETRIC, "m")
    assert edges(data) == {("A", "B", 1.0), ("B", "C", 8.0)}
    assert LOST in texts(data)
    assert not read_graph(MATRICES["a corner"].encode(), "m", directed=None).graph.is_directed()
    both = read_graph(MATRICES["a corner"].encode(), "m", directed=True).graph
    assert both.is_directed()
    assert both.number_of_edges() == 6


@pytest.mark.parametrize(
    "text",
    [
        ",A,B,C,D\nA,0,1,0,2\nB,1,0,1,0\nC,0,1,0,0\n",
        ",A,B,C\nA,0,1,0\nB,1,0,1\nC,0,1,0\nD,0,0,2\n",
        ",A,B,C\nA,0,1,0\nB,1,0,1\nE,0,1,0\n",
        "0 1 0 1\n1 0 1 0\n0 1 0 0\n",
        "A;B;C;D\n0;2;0;1\n2;0;1;0\n0;1;0;0\n",
        "name,Mon,Tue,Wed\nAnn,1,0,1\nBob,0,1,1\nCy,1,1,1\nDi,1,0,0\n",
        "node,A,A,B\nA,0,1,1\nA,1,0,0\nB,1,0,0\n",
    ],
)
def test_a_matrix_that_is_not_square_is_refused_with_its_size(text):
    with pytest.raises(TableError, match=r"The matrix has \d rows and \d columns") as caught:
        read_graph(text.encode(), "m.csv")
    assert caught.value.reason == "ragged"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 2 5\n2 3 1\n3 1 2\n", {("1", "2", 5.0), ("2", "3", 1.0), ("1", "3", 2.0)}),
        (
            "id1,id2,strength\n1,2,5\n2,3,1\n3,1,2\n",
            {("1", "2", 5.0), ("2", "3", 1.0), ("1", "3", 2.0)},
        ),
        (
            "1,2,1,1083\n2,3,1,1084\n3,4,1,1085\n4,1,1,1086\n",
            {("1", "2"), ("2", "3"), ("3", "4"), ("1", "4")},
        ),
        (
            "source,target,weight\n0,1,2\n1,2,2\n2,0,2\n",
            {("0", "1", 2.0), ("1", "2", 2.0), ("0", "2", 2.0)},
        ),
        ("0 1\n1 2\n", {("0", "1"), ("1", "2")}),
    ],
)
def test_edges_of_numbers_are_no_matrix(text, expected):
    found = edges(read_graph(text.encode(), "e.csv"))
    assert {edge if edge[2] is not None else edge[:2] for edge in found} == expected


def test_the_form_can_be_decided():
    text = b"0 1 2\n1 0 1\n2 1 0\n"
    assert len(read_graph(text, "m", options={"form": "edges"}).graph) == 3
    assert sorted(read_graph(text, "m", options={"form": "edges"}).graph) == ["0", "1", "2"]
    assert list(read_graph(b"0 1\n1 0\n", "m", options={"form": "matrix"}).graph) == ["1", "2"]
    assert list(
        read_graph(b"0,1\n1,0\n1,1\n", "m", options={"form": "matrix", "header": True}).graph
    ) == ["0", "1"]
    for wrong in (b"a,b\nb,c\n", b"0 1 1\n1 0 1\n"):
        with pytest.raises(
            TableError, match=r"The cells of the matrix are no numbers|2 rows and 3 columns"
        ):
            read_graph(wrong, "m", options={"form": "matrix"})
    with pytest.raises(ValueError, match="The form must be one of edges, matrix"):
        read_graph(text, "m", options={"form": "cube"})


def test_columns_are_found_by_their_names_where_there_are_further_ones():
    text = "Id;Source;Target;Type;Label;Weight\n0;a;b;Undirected;;1,5\n1;b;c;Undirected;;\n"
    assert edges(read_graph(text.encode(), "gephi.csv")) == {("a", "b", 1.5), ("b", "c", 1.0)}


def test_weights_with_decimal_commas():
    data = read_graph("von;nach;Gewicht\nä;b;0,5\nb;c;1\n".encode("cp1252"), "e.csv")
    assert edges(data) == {("b", "ä", 0.5), ("b", "c", 1.0)}
    assert "decimal points" in texts(data)


# --- KONECT and SNAP ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected", "has_directions"),
    [
        (
            "% sym unweighted\n% 3 3 3\n1 2\n1 3\n2 3\n",
            {("1", "2", None), ("1", "3", None), ("2", "3", None)},
            False,
        ),
        ("% sym positive\n1 2 4\n1\t3 1\n", {("1", "2", 4.0), ("1", "3", 1.0)}, False),
        ("% sym unweighted\n1,2\n1,3\n", {("1", "2", None), ("1", "3", None)}, False),
        (
            "% asym posweighted\n% 2 3\n1\t2\t5\t1083720000\n1\t3\t2\t1083720001\n",
            {("1", "2", 5.0), ("1", "3", 2.0)},
            True,
        ),
        (
            "# Directed graph: web.txt\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n",
            {("0", "1", None), ("1", "2", None)},
            True,
        ),
        (
            "# Undirected graph: ca.txt\r\n0\t1\r\n# more\r\n1\t2\r\n",
            {("0", "1", None), ("1", "2", None)},
            False,
        ),
        ("%\n% made up, 2024\na b 2\n%c d\nb c 3\n", {("a", "b", 2.0), ("b", "c", 3.0)}, False),
    ],
)
def test_remarks_are_no_edges_and_may_tell_directions(text, expected, has_directions):
    data = read_graph(text.encode(), "out.txt")
    assert edges(data) == expected
    assert (LOST in texts(data)) == has_directions
    assert read_graph(text.encode(), "out.txt", directed=None).graph.is_directed() == has_directions
    assert "comments" in [note.kind for note in data.notes]


def test_the_two_sets_of_a_bipartite_graph_have_names_of_their_own():
    data = read_graph(b"% bip unweighted\n% 3 2 2\n1 1\n1 2\n2 1\n", "out.txt")
    assert edges(data) == {
        ("left 1", "right 1", None),
        ("left 1", "right 2", None),
        ("left 2", "right 1", None),
    }
    assert "two sets" in texts(data)


PATH = "".join(f"{i} {i + 1}\n" for i in range(1, 9))


@pytest.mark.parametrize("first", ["9 9 8\n", "9 8\n", "% a remark\n9 9 8\n", "9,8\n"])
def test_a_first_line_that_counts_nodes_and_edges_is_no_edge(first):
    text = first + (PATH.replace(" ", ",") if "," in first else PATH)
    data = read_graph(text.encode(), "g.txt")
    assert edges(data) == {(str(i), str(i + 1), None) for i in range(1, 9)}
    assert "counts nodes and edges" in texts(data)
    as_edge = read_graph(text.encode(), "g.txt", options={"header": False}, directed=True)
    assert as_edge.graph.number_of_edges() == 9


@pytest.mark.parametrize(
    "text", ["3 2\n1 2\n2 3\n", PATH, "9 7\n" + PATH, "5 8\n" + PATH, "a 8\n" + PATH]
)
def test_a_first_edge_stays_one(text):
    data = read_graph(text.encode(), "g.txt", directed=True)
    assert data.graph.number_of_edges() == text.count("\n")


PARTS = [
    "0",
    "1",
    "2",
    "A",
    "B",
    "",
    ".",
    "-",
    "0,5",
    "x",
    "%",
    "#",
    "*Vertices",
    "*Edges",
    "*Matrix",
    "p",
    "e",
    "%%MatrixMarket",
    "matrix",
    "coordinate",
    "real",
    "general",
    "% sym",
    "weight",
    "from",
    "to",
    "graph",
]


@given(
    st.lists(st.lists(st.sampled_from(PARTS), max_size=5), max_size=6),
    st.sampled_from(",; \t"),
    st.sampled_from([None, "edges", "matrix"]),
    st.sampled_from([None, True, False]),
)
def test_any_rows_are_read_or_refused(rows, delimiter, form, header):
    text = "\n".join(delimiter.join(row) for row in rows)
    with contextlib.suppress(TableError):
        assert read_graph(
            text.encode(), "x", options={"form": form, "header": header}, directed=None
        ).digest


@pytest.mark.parametrize("n_nodes", [2, 5, 12])
@pytest.mark.parametrize("seed", range(4))
def test_a_matrix_and_its_edges_are_the_same_graph(n_nodes, seed):
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.integers(0, 4, (n_nodes, n_nodes)), 1)
    weights[0, -1] = 3
    names = [f"n{i}" for i in range(n_nodes)]
    random.Random(seed).shuffle(names)
    both = weights + weights.T
    matrix = "\n".join(
        [
            ";".join(["", *names]),
            *(f"{name};" + ";".join(map(str, row)) for name, row in zip(names, both, strict=True)),
        ]
    )
    listed = "\n".join(
        f"{names[i]};{names[j]};{weights[i, j]}" for i, j in zip(*np.nonzero(weights), strict=True)
    )
    assert edges(read_graph(matrix.encode(), "m")) == edges(read_graph(listed.encode(), "e"))
