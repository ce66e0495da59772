"""Files that hold no table of rows and columns: the edges of a graph, a list of texts; baskets are read beside."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from dmlib.datasets.containers import GraphData, Strings
from dmlib.datasets.reading.delimited import rows_of
from dmlib.datasets.reading.dialect import Dialect, detect
from dmlib.datasets.reading.encoding import decode
from dmlib.datasets.reading.formats import Content, identify
from dmlib.datasets.reading.marked_graphs import class_attributes, is_marked, read_marked
from dmlib.datasets.reading.numbers import PLAIN
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.reading.workbook import sheet_rows
from dmlib.datasets.table import Note, TableError
from dmlib.trace import look

if TYPE_CHECKING:
    import networkx as nx

OWN: dict[str, Any] = {"description": "A file that you brought.", "source": "Your file.", "licence": "Yours."}
_WEIGHTS = {"weight", "value", "count", "capacity", "length", "distance", "w"}
LOST = "The edges of the file have a direction, which is left out."
Rows = list[tuple[int, list[str]]]


def read_graph(
    data: bytes, name: str, *, options: ReadOptions | Mapping[str, Any] | None = None, directed: bool = False
) -> GraphData:
    r"""Read the edges of a graph: two nodes on each line, and perhaps a weight.

    A line of a node, nothing, and a third cell gives the class of the node. If the first line begins with ``graph``,
    the first cell of each line names a graph, and the others follow: so two graphs may have nodes of the same names.
    GraphML and GML are read too, with the attributes of the nodes.

    Parameters
    ----------
    data : bytes
        The content of a file of delimited text, or of GraphML or GML.
    name : str
        The name under which it was sent; only shown.
    options : ReadOptions or mapping, optional
        What is decided and not found out. ``header`` says whether the first line holds names.
    directed : bool
        Whether an edge leads from its first node to its second.

    Returns
    -------
    GraphData
        The graph; an edge that comes again adds its weight. Classes are the node attribute ``class``; of GraphML and
        GML, the attribute that is likeliest to be one (:func:`dmlib.datasets.class_attributes`). Names of graphs are
        the attribute ``graph``; with these a node is called by both.

    Raises
    ------
    TableError
        If a line has not two nodes, or a weight is no number.

    Examples
    --------
    >>> graph = read_graph(b"from,to,weight\na,b,2\nb,c,1\n", "friends.csv").graph
    >>> sorted(graph.edges(data="weight"))
    [('a', 'b', 2.0), ('b', 'c', 1.0)]
    >>> dict(read_graph(b"a,b\na,,red\nb,,blue\n", "friends.csv").graph.nodes(data="class"))
    {'a': 'red', 'b': 'blue'}
    >>> read_graph(b"graph,from,to\n1,a,b\n2,a,b\n", "pair.csv").graph.edges
    EdgeView([('1: a', '1: b'), ('2: a', '2: b')])
    """
    import networkx as nx

    options = ReadOptions.of(options)
    found, notes = _marked(data, directed) if is_marked(data) else _listed(data, name, options)
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(found.nodes(data=True))
    n_again = n_loops = 0
    for one, other, weight in found.edges(data="weight"):
        n_loops += one == other
        n_again += graph.has_edge(one, other)
        before = graph.edges[one, other]["weight"] if graph.has_edge(one, other) else 0.0
        graph.add_edge(one, other, weight=before + weight)
    if not graph.number_of_edges():
        raise TableError("no_rows", "The file holds no edge. Put the two nodes of an edge on each line.")
    if n_again:
        notes.append(Note("duplicate_rows", f"{n_again} edges come again; their weights are added."))
    if n_loops:
        notes.append(Note("format_guessed", f"{n_loops} edges join a node to itself."))
    _drop_equal_weights(graph)
    given = any("class" in attributes for _, attributes in graph.nodes(data=True))
    target = "class" if given else next(iter(class_attributes(graph)), None)
    return GraphData(graph, target, name="upload", title=title_of(name), notes=tuple(notes), **OWN)


def _marked(data: bytes, directed: bool) -> tuple[nx.MultiDiGraph, list[Note]]:
    found = read_marked(data)
    return found, [Note("format_guessed", LOST)] if found.graph["directed"] and not directed else []


def _listed(data: bytes, name: str, options: ReadOptions) -> tuple[nx.MultiDiGraph, list[Note]]:
    """Return what the lines of a table say, edge by edge."""
    import networkx as nx

    rows, notes = delimited_rows(data, name, options)
    graphs: dict[str, str] = {}
    if _names_graphs(rows[0][1]) and options.header is not False:
        rows, graphs = _apart(rows[1:])
    elif _is_edge_head(rows) if options.header is None else options.header:
        rows = rows[1:]
    found = nx.MultiDiGraph()
    for line, row in rows:
        look()
        if _gives_class(row):
            found.add_node(row[0], **{"class": row[2]})
        else:
            one, other, weight = _edge(line, row)
            found.add_edge(one, other, weight=weight)
    nx.set_node_attributes(found, graphs, "graph")
    return found, notes


def read_strings(data: bytes, name: str, *, options: ReadOptions | Mapping[str, Any] | None = None) -> Strings:
    r"""Read a list of texts, one on each line.

    Parameters
    ----------
    data : bytes
        The content of a file.
    name : str
        The name under which it was sent; only shown.
    options : ReadOptions or mapping, optional
        What is decided and not found out. ``header=True`` leaves out the first line.

    Returns
    -------
    Strings
        The texts that are not empty.

    Raises
    ------
    TableError
        If there is no text.

    Examples
    --------
    >>> read_strings(b"GATTACA\nCATTAG\n", "dna.txt").texts
    ('GATTACA', 'CATTAG')
    """
    options = ReadOptions.of(options)
    text, notes = _text(identify(data, name, options.limits), options)
    lines = [line.strip() for line in text.splitlines()]
    texts = [line for line in lines if line][1 if options.header else 0 :]
    if not texts:
        raise TableError("no_rows", "The file holds no text. Put one text on each line.")
    _check_number(len(texts), options)
    return Strings(tuple(texts), name="upload", title=title_of(name), notes=tuple(notes), **OWN)


def _text(content: Content, options: ReadOptions) -> tuple[str, list[Note]]:
    if content.format != "text":
        raise TableError("wrong_format", "The file is no plain text. Save it as CSV, with one entry on each line.")
    text, notes = decode(content.data, options.encoding)
    return text, [*content.notes, *notes]


def delimited_rows(data: bytes, name: str, options: ReadOptions) -> tuple[Rows, list[Note]]:
    """Return the rows of a text or workbook that are not blank, their fields without white space around them."""
    content = identify(data, name, options.limits)
    if content.format == "workbook":
        cells, notes = sheet_rows(content.data, options)
        return _filled(cells, options), [*content.notes, *notes]
    text, notes = _text(content, options)
    text, dialect, more = detect(text, options)
    if dialect.delimiter not in text and options.delimiter is None and re.search(r"\S[ \t]+\S", text):
        dialect = Dialect(" ")
    try:
        return _filled(rows_of(text, dialect), options), [*notes, *more]
    except csv.Error as error:
        raise TableError("bad_quotes", f"The quotes are wrong {error}. Correct them and try again.") from None


def _filled(lines: Iterable[tuple[int, list[str]]], options: ReadOptions) -> Rows:
    """Return the rows that hold something and are no comment, without what is empty at their ends."""
    rows: Rows = []
    for line, row in lines:
        look()
        fields = [field.strip() for field in row]
        while fields and not fields[-1]:
            fields.pop()
        if fields and not fields[0].startswith("#"):
            rows.append((line, fields))
            _check_number(len(rows), options)
    if not rows:
        raise TableError("empty_file", "The file holds nothing but white space. Choose another file.")
    return rows


def _check_number(n_rows: int, options: ReadOptions) -> None:
    if n_rows > options.limits.n_rows:
        raise TableError(
            "too_many_rows", f"The file has more than {options.limits.n_rows:,} rows, the limit. Take a sample of them."
        )


def _is_edge_head(rows: Rows) -> bool:
    """Return whether the first row names the columns of an edge list: nodes that never come again, or a weight."""
    first = rows[0][1]
    if _gives_class(first):
        return False
    if len(first) > 2 and (first[2].lower() in _WEIGHTS or not re.fullmatch(PLAIN, first[2])):
        return True
    nodes = {node for _, row in rows[1:] for node in row[:2]}
    return len(rows) > 1 and not nodes & set(first[:2]) and {*map(str.lower, first[:2])} <= _NODES


def _names_graphs(first: list[str]) -> bool:
    """Return whether the first row says that its column holds the names of graphs."""
    return len(first) > 2 and first[0].lower() == "graph"


def _apart(rows: Rows) -> tuple[Rows, dict[str, str]]:
    """Put the name of its graph before each node; return also the graph of each node."""
    found: Rows = []
    graphs: dict[str, str] = {}
    for line, (graph, *row) in rows:
        nodes = [f"{graph}: {node}" if node else "" for node in row[:2]]
        graphs |= dict.fromkeys(filter(None, nodes), graph)
        found.append((line, [*nodes, *row[2:]]))
    return found, graphs


_NODES = {"source", "target", "from", "to", "node1", "node2", "node_1", "node_2", "a", "b", "u", "v", "i", "j"}


def _gives_class(row: list[str]) -> bool:
    """Return whether a row is a node, nothing, and its class."""
    return len(row) == 3 and bool(row[0]) and not row[1]


def _edge(line: int, row: list[str]) -> tuple[str, str, float]:
    """Return the nodes and the weight of a row."""
    if len(row) < 2 or not row[0] or not row[1]:
        raise TableError("ragged", f"Line {line} has not two nodes. Put the two nodes of an edge on each line.")
    try:
        return row[0], row[1], float(row[2]) if len(row) > 2 else 1.0
    except ValueError:
        raise TableError(
            "not_a_table", f"The weight in line {line} is no number: {row[2][:40]!r}. Correct it."
        ) from None


def _drop_equal_weights(graph: nx.Graph) -> None:
    """Leave out weights that are all 1: then the edges have none."""
    if all(weight == 1 for *_, weight in graph.edges(data="weight")):
        for *_, attributes in graph.edges(data=True):
            attributes.pop("weight")


def title_of(name: str) -> str:
    """Return the name of a file as a title, without its folders."""
    return re.split(r"[\\/]", name)[-1][:100] or "Your file"
