"""Baskets, graphs and texts from files."""

import contextlib
import io

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.datasets import TableError, class_attributes, read_baskets, read_graph, read_strings
from dmlib.datasets.reading.others import LOST


@pytest.mark.parametrize(
    "text",
    [
        "tea,milk\ntea\nbread,milk,tea\n",
        "tea;milk\n\ntea;;\nbread;milk;tea;\n",
        "id,item\n7,tea\n7,milk\n8,tea\n9,bread\n9,milk\n9,tea\n",
        "7\ttea\n7\tmilk\n8\ttea\n9\tbread\n9\tmilk\n9\ttea\n9\ttea\n",
    ],
    ids=["lines", "semicolons", "long", "long without names"],
)
def test_baskets(text):
    baskets = read_baskets(text.encode(), "shop.csv")
    assert sorted(map(sorted, baskets.transactions)) == [
        ["bread", "milk", "tea"],
        ["milk", "tea"],
        ["tea"],
    ]
    assert baskets.title == "shop.csv"


def test_the_reader_says_whether_there_are_names():
    assert len(read_baskets(b"a,b\nc,d\n", "x").transactions) == 2
    assert len(read_baskets(b"a,b\nc,d\n", "x", options={"header": True}).transactions) == 1


@pytest.mark.parametrize(
    "text", ["a b\nb c\n", "a,b\nb,c\n", "from;to\na;b\nb;c\n", "# made up\na\tb\nb\tc\n"]
)
def test_edges(text):
    graph = read_graph(text.encode(), "g.txt").graph
    assert sorted(map(sorted, graph.edges)) == [["a", "b"], ["b", "c"]]
    assert all(not attributes for *_, attributes in graph.edges(data=True))


def test_weights_of_repeated_edges_are_added():
    data = read_graph(b"source,target,weight\na,b,2\nb,a,3\nc,c,1\n", "g.csv")
    assert data.graph.edges["a", "b"]["weight"] == 5
    assert [note.kind for note in data.notes] == ["duplicate_rows", "format_guessed"]


def test_a_node_nothing_and_a_class():
    data = read_graph(b"from,to\na,b\nb,c\nd,,red\na,,red\nc,,blue\n", "g.csv")
    assert data.target == "class"
    assert dict(data.graph.nodes(data="class")) == {"a": "red", "b": None, "c": "blue", "d": "red"}
    assert sorted(map(sorted, data.graph.edges)) == [["a", "b"], ["b", "c"]]
    assert read_graph(b"a,,red\na,b\n", "g.csv").graph.nodes["a"] == {"class": "red"}
    assert read_graph(b"a,b\n", "g.csv").target is None
    assert sorted(map(sorted, read_graph(b"a  b\nb  c\n", "g.txt").graph.edges)) == [
        ["a", "b"],
        ["b", "c"],
    ]


def test_texts():
    strings = read_strings("Zürich\n\n Bern \n".encode(), "towns.txt")
    assert strings.texts == ("Zürich", "Bern")
    assert strings.digest != read_strings(b"Bern\n", "towns.txt").digest
    assert read_strings(b"name\nBern\n", "t", options={"header": True}).texts == ("Bern",)


@pytest.mark.parametrize("read", [read_baskets, read_graph, read_strings])
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty_file"),
        (b" \n", "empty_file"),
        (b"PAR1....", "wrong_format"),
        (b"\x89PNG", "binary"),
    ],
)
def test_other_files_are_refused(read, data, reason):
    with pytest.raises(TableError) as caught:
        read(data, "x")
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"a,b\nc\n", "ragged"), (b"a,b,1\nb,c,x\n", "not_a_table"), (b'a,b\n"c,d\n', "bad_quotes")],
)
def test_edges_that_are_none_are_refused(data, reason):
    with pytest.raises(TableError) as caught:
        read_graph(data, "x")
    assert caught.value.reason == reason


@given(st.text(alphabet=",;\t ab1\n\"'#", max_size=60))
def test_any_text_is_read_or_refused(text):
    for read in (read_baskets, read_graph, read_strings):
        with contextlib.suppress(TableError):
            assert read(text.encode(), "x").digest


def test_two_graphs_with_nodes_of_the_same_names():
    found = read_graph(b"graph;u;v;w\nA;1;2;3\nA;2;2\nB;1;2\nB;1;;red\n", "two.csv")
    assert sorted(found.graph.edges) == [("A: 1", "A: 2"), ("A: 2", "A: 2"), ("B: 1", "B: 2")]
    assert found.graph.edges["A: 1", "A: 2"]["weight"] == 3
    assert dict(found.graph.nodes(data="graph")) == {
        "A: 1": "A",
        "A: 2": "A",
        "B: 1": "B",
        "B: 2": "B",
    }
    assert found.graph.nodes["B: 1"]["class"] == "red"
    with pytest.raises(TableError, match="Line 3 has not two nodes"):
        read_graph(b"graph,u,v\nA,1,2\nA,1\n", "two.csv")


def test_edges_with_directions():
    graph = read_graph(b"from,to,w\nb,a,2\na,c,-1\na,b,1\n", "arrows.csv", directed=True).graph
    assert sorted(graph.edges(data="weight")) == [
        ("a", "b", 1.0),
        ("a", "c", -1.0),
        ("b", "a", 2.0),
    ]


def marked(graph, write):
    file = io.BytesIO()
    write(graph, file)
    return file.getvalue()


@pytest.mark.parametrize("write", [nx.write_graphml, nx.write_gml])
def test_graphml_and_gml_bring_the_attributes_of_the_nodes(write):
    graph = nx.karate_club_graph()
    for node, attributes in graph.nodes(data=True):
        attributes["side"] = "left" if node % 3 else "right"
        attributes["age"] = 20 + node
    data = read_graph(marked(graph, write), "club.xml")
    assert data.target == "club"
    assert class_attributes(data.graph) == ("club", "side")
    assert [data.graph.nodes[str(node)]["club"] for node in graph] == [
        club for _, club in graph.nodes(data="club")
    ]
    assert {frozenset(edge[:2]): edge[2] for edge in data.graph.edges(data="weight")} == {
        frozenset(map(str, edge[:2])): float(edge[2]) for edge in graph.edges(data="weight")
    }


def test_labels_name_the_nodes_and_directions_are_left_out():
    gml = (
        b'graph [ directed 1 node [ id 7 label "A" value "x" ] node [ id 8 label "B" ] edge ['
        b" source 7 target 8 ] ]"
    )
    data = read_graph(gml, "g.gml")
    assert dict(data.graph.nodes(data=True)) == {"A": {"value": "x"}, "B": {}}
    assert [note.text for note in data.notes] == [LOST]
    backwards = read_graph(
        gml.replace(b"source 7 target 8", b"source 8 target 7"), "g.gml", directed=True
    )
    assert list(backwards.graph.edges) == [("B", "A")]
    assert not backwards.notes
    assert data.target is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"graph [", "cannot be read"),
        (b"graph [ node [ id 1 ] edge [ source 1 target 9 ] ]", "undefined target"),
        (b"<graphml><graph><node/></graph></graphml>", "no edge"),
        (b"<graphml><graph", "cannot be read"),
        (
            b"<?xml version='1.0'?><!-- a --><graphml><!DOCTYPE a [<!ENTITY x 'y'>]></graphml>",
            "DOCTYPE",
        ),
        (
            b'graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 weight "w" ] ]',
            "no number",
        ),
        (b"graph [ comment " + b"x" * 5 * 2**20, "4 MB"),
    ],
)
def test_a_damaged_graph_is_refused_with_a_sentence(content, message):
    with pytest.raises(TableError, match=message):
        read_graph(content, "g.gml")


EDGE = (
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
    '<node id="ä"/><node id="b"/><edge source="ä" target="b"/></graph></graphml>'
)
REMARKS = {
    "empty remarks": "<!---->" * 60,
    "many remarks": "<!-- a -->" * 5000,
    "instructions": "<?xml version='1.0'?>" + "<?style a='b'?>" * 60,
    "white space": "\n \t\r\n" * 2000,
    "remarks between blanks": "<!----> \n" * 60,
    "a long remark": f"<!-- {'<graph ' * 5000} -->",
}


@pytest.mark.parametrize("above", REMARKS.values(), ids=REMARKS)
def test_what_stands_above_the_first_element_is_passed_over(above):
    graph = read_graph((above + EDGE).encode(), "g.graphml").graph
    assert [set(edge) for edge in graph.edges] == [{"ä", "b"}]


@pytest.mark.parametrize(
    "above", [*REMARKS.values(), "<!-", "<!--" * 9000, "<?xml" * 9000, "<!-- -" * 9000]
)
def test_remarks_without_a_graph_are_refused(above):
    with pytest.raises(TableError) as caught:
        read_graph(above.encode(), "g.graphml")
    assert caught.value.reason in {"wrong_format", "ragged", "empty_file", "not_a_table"}


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("<?xml version='1.0' encoding='ISO-8859-1'?>", "latin-1"),
        ('<?xml version="1.0" encoding="UTF-16"?>', "utf-16"),
        ('<?xml version="1.0" encoding="UTF-8"?>', "utf-8-sig"),
        ('<?xml version="1.0" encoding="UTF-8"?>', "cp1252"),
    ],
)
def test_graphml_in_its_encoding(declared, encoding):
    graph = read_graph((declared + EDGE).encode(encoding), "g.graphml").graph
    assert set(graph) == {"ä", "b"}


LAUGHS = "<!ENTITY a 'haha'>" + "".join(
    f"<!ENTITY {chr(i + 1)} '{f'&{chr(i)};' * 10}'>" for i in range(97, 107)
)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (f"<?xml version='1.0'?><!DOCTYPE l [{LAUGHS}]>{EDGE.replace('ä', '&k;')}", "unsafe_xml"),
        (f'<!DOCTYPE graphml [<!ENTITY ä SYSTEM "file:///etc/passwd">]>{EDGE}', "unsafe_xml"),
        (f"<!DOCTYPE g [<!ENTITY % p '<!ENTITY q \"%p;\">'> %p;]>{EDGE}", "unsafe_xml"),
        (EDGE.replace("<node", "<a>" * 1000 + "<node", 1), "too_large"),
        (EDGE.replace("<node", "<a/>" * 600_000 + "<node", 1), "too_large"),
        ("<?xml version='1.0'?><gexf><graph/></gexf>", "wrong_format"),
        ("<!-- a --><svg></svg>", "wrong_format"),
        ("<!DOCTYPE html><html></html>", "wrong_format"),
        ("<?xml version='1.0' encoding='no-such'?><a/>", "wrong_format"),
        ("graph [ " + "a [ " * 5000, "not_a_table"),
        ('graph [\nlabel "x\n\n\n', "not_a_table"),
        ("graph [ id " + "1" * 100_000, "not_a_table"),
    ],
)
def test_marks_that_are_unsafe_or_no_graph_are_refused(content, reason):
    with pytest.raises(TableError) as caught:
        read_graph(content.encode(), "g.graphml")
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    "above", ["# a\n", 'Creator "x"\nVersion 1\n', "\n" * 3000, 'comment "a"\n' * 300]
)
@pytest.mark.parametrize("graph", ["graph [", "graph\n[", "graph\t  \n\n["])
def test_gml_below_remarks(above, graph):
    inside = " node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]"
    assert list(read_graph((above + graph + inside).encode(), "g.gml").graph.edges) == [("1", "2")]
