"""Files that hold no table of rows and columns: the edges of a graph, and a list of texts."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dmlib.datasets.containers import GraphData, Strings
from dmlib.datasets.reading.delimited import rows_of
from dmlib.datasets.reading.dialect import Dialect, detect
from dmlib.datasets.reading.edge_lists import Rows, edge_graph, is_size_line, konect_form, number_of
from dmlib.datasets.reading.encoding import decode
from dmlib.datasets.reading.formats import Content, identify
from dmlib.datasets.reading.marked_graphs import class_attributes, is_marked, read_marked
from dmlib.datasets.reading.matrix_graphs import adjacency_graph
from dmlib.datasets.reading.network_formats import network_of
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.reading.workbook import sheet_rows
from dmlib.datasets.table import Note, TableError
from dmlib.trace import look

if TYPE_CHECKING:
    import networkx as nx

OWN: dict[str, Any] = {
    "description": "A file that you brought.",
    "source": "Your file.",
    "licence": "Yours.",
}
LOST = "The edges of the file have a direction, which is left out."
GRAPH_FORMS = ("edges", "matrix")
GRAPH_WORDS = {"edges": "an edge on each line", "matrix": "an adjacency matrix"}
"""The forms of graphs, for people."""
_REMARKS = ("#", "%")
_TWO_WORDS = re.compile(r"\S[ \t]+\S")


@dataclass(frozen=True)
class GraphOptions(ReadOptions):
    """Options of a file of a graph; None stands for "find out".

    Parameters
    ----------
    form : {"edges", "matrix"}, optional
        Two nodes on each line; or an adjacency matrix, with or without the names of the nodes.

    Raises
    ------
    ValueError
        If an option is none of these.
    """

    form: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.form not in (None, *GRAPH_FORMS):
            raise ValueError(
                f"The form must be one of {', '.join(GRAPH_FORMS)}; it was {self.form!r}."
            )


def read_graph(
    data: bytes,
    name: str,
    *,
    options: ReadOptions | Mapping[str, Any] | None = None,
    directed: bool | None = False,
) -> GraphData:
    r"""Read the edges of a graph, two nodes on each line; or an adjacency matrix.

    An edge may have a weight behind its nodes.

    A line of a node, nothing, and a third cell gives the class of the node. If the first line
    begins with ``graph``, the first cell of each line names a graph, and the others follow: so two
    graphs may have nodes of the same names. GraphML and GML are read too, with the attributes of
    the nodes; and Pajek, METIS, DIMACS, MatrixMarket, and the edge lists of KONECT and SNAP.

    Parameters
    ----------
    data : bytes
        The content of a file of delimited text, a workbook, or one of these formats.
    name : str
        The name under which it was sent; only shown.
    options : ReadOptions or mapping, optional
        What is decided and not found out. ``header`` says whether the first line holds names,
        ``form`` whether the lines are "edges" or a "matrix".
    directed : bool or None
        Whether an edge leads from its first node to its second, or from its row to its column; None
        for "as the file says". Where nothing says that edges have directions, they have none.

    Returns
    -------
    GraphData
        The graph; an edge that comes again adds its weight. Classes are the node attribute
        ``class``; of GraphML and GML, the attribute that is likeliest to be one
        (:func:`dmlib.datasets.class_attributes`). Names of graphs are the attribute ``graph``; with
        these a node is called by both.

    Raises
    ------
    TableError
        If a line has not two nodes, a weight is no number, or a matrix is not square.
    ValueError
        If an option is none.

    Notes
    -----
    A table is an adjacency matrix if its rows and columns have the same names and its cells are
    numbers, marks or blank; 0, a blank cell, a point and a dash are no edge. Without names on both
    sides it also has to be symmetric, to have nothing on its diagonal, or to hold nothing but 0 and
    1. Lines that begin with # or % are remarks.

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

    if not isinstance(options, GraphOptions):
        options = GraphOptions.of(vars(options) if isinstance(options, ReadOptions) else options)
    assert isinstance(options, GraphOptions)
    edges, notes = _edges(data, name, options, directed)
    has_directions = edges.graph["directed"]
    if has_directions and directed is False:
        notes.append(Note("format_guessed", LOST))
    graph = nx.DiGraph() if directed or (directed is None and has_directions) else nx.Graph()
    notes += _add_edges(graph, edges)
    if not graph.number_of_edges():
        raise TableError(
            "no_rows", "The file holds no edge. Put the two nodes of an edge on each line."
        )
    _drop_equal_weights(graph)
    has_classes = any("class" in attributes for _, attributes in graph.nodes(data=True))
    target = "class" if has_classes else next(iter(class_attributes(graph)), None)
    return GraphData(graph, target, name="upload", title=title_of(name), notes=tuple(notes), **OWN)


def _add_edges(graph: nx.Graph, edges: nx.MultiDiGraph) -> list[Note]:
    """Add nodes and edges to a graph, the weights of parallel edges as their sum."""
    graph.add_nodes_from(edges.nodes(data=True))
    n_parallel = n_loops = 0
    for source, target, weight in edges.edges(data="weight"):
        n_loops += source == target
        is_parallel = graph.has_edge(source, target)
        n_parallel += is_parallel
        before = graph.edges[source, target]["weight"] if is_parallel else 0.0
        graph.add_edge(source, target, weight=before + weight)
    notes = []
    if n_parallel:
        text = f"{n_parallel} edges come again; their weights are added."
        notes.append(Note("duplicate_rows", text))
    if n_loops:
        notes.append(Note("format_guessed", f"{n_loops} edges join a node to itself."))
    return notes


def _edges(
    data: bytes, name: str, options: GraphOptions, directed: bool | None
) -> tuple[nx.MultiDiGraph, list[Note]]:
    """Return the edges of a file, each from its first node, and whether they have directions."""
    if is_marked(data):
        return read_marked(data), []
    content = identify(data, name, options.limits)
    remarks: list[str] = []
    if content.format == "workbook":
        rows, notes = _sheet_rows(content, options)
    else:
        text, notes = _text(content, options)
        network = network_of(text, options.limits, directed) if options.form is None else None
        if network:
            return network[0], [*notes, *network[1]]
        text, remarks = _without_remarks(text)
        rows, text_notes = _text_rows(text, _konect_options(text, remarks, options))
        notes += text_notes
    remarks += [row[0] for _, row in rows if row[0].startswith(_REMARKS)]
    rows = [(line, row) for line, row in rows if not row[0].startswith(_REMARKS)]
    notes += _remark_notes(len(remarks), "# or %")
    if options.form != "edges":
        matrix = adjacency_graph(rows, options.header, directed, certain=options.form == "matrix")
        if matrix:
            return matrix[0], [*notes, *matrix[1]]
    return _listed_edges(_filled(rows), remarks, options, notes)


def _konect_options(text: str, remarks: list[str], options: GraphOptions) -> GraphOptions:
    """Return the options with a blank as the delimiter where the remarks are those of KONECT."""
    has_blanks = options.delimiter is None and not {",", ";"} & set(text)
    return replace(options, delimiter=" ") if has_blanks and konect_form(remarks) else options


def _listed_edges(
    rows: Rows, remarks: list[str], options: GraphOptions, notes: list[Note]
) -> tuple[nx.MultiDiGraph, list[Note]]:
    """Return the edges of rows of two nodes, perhaps with a weight."""
    if options.header is None and is_size_line(rows):
        text = f"The first line ({' '.join(rows[0][1])}) counts nodes and edges, and is no edge."
        notes.append(Note("format_guessed", text))
        rows = rows[1:]
    weights = [row[2] for _, row in rows if len(row) > 2]
    if any("," in weight and number_of(weight) is not None for weight in weights):
        text = "The commas in the weights were read as decimal points."
        notes.append(Note("decimal_comma", text))
    if konect_form(remarks) == "bip":
        text = (
            "By its first line, the file joins nodes of two sets, which are called left and right."
        )
        notes.append(Note("format_guessed", text))
    return edge_graph(rows, options.header, remarks), notes


def _remark_notes(n_remarks: int, marks: str) -> list[Note]:
    lines = "line that begins" if n_remarks == 1 else "lines that begin"
    verb = "is" if n_remarks == 1 else "are"
    text = f"{n_remarks:,} {lines} with {marks} {verb} left out as remarks."
    return [Note("comments", text)] if n_remarks else []


def _without_remarks(text: str) -> tuple[str, list[str]]:
    """Return a text with empty lines in the place of remarks, and these."""
    lines = text.splitlines(keepends=True)
    remarks = [line.strip() for line in lines if line.lstrip().startswith(_REMARKS)]
    if not remarks:
        return text, []
    plain = ("\n" if line.lstrip().startswith(_REMARKS) else line for line in lines)
    return "".join(plain), remarks


def read_strings(
    data: bytes, name: str, *, options: ReadOptions | Mapping[str, Any] | None = None
) -> Strings:
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
        raise TableError(
            "wrong_format",
            "The file is no plain text. Save it as CSV, with one entry on each line.",
        )
    text, notes = decode(content.data, options.encoding)
    return text, [*content.notes, *notes]


def content_rows(content: Content, options: ReadOptions) -> tuple[Rows, list[Note]]:
    """Return the rows of a text or workbook that are not blank, their fields stripped."""
    if content.format == "workbook":
        rows, notes = _sheet_rows(content, options)
    else:
        text, notes = _text(content, options)
        rows, text_notes = _text_rows(text, options)
        notes += text_notes
    n_remarks = sum(row[0].startswith("#") for _, row in rows)
    return _filled(rows), [*notes, *_remark_notes(n_remarks, "#")]


def _sheet_rows(content: Content, options: ReadOptions) -> tuple[Rows, list[Note]]:
    """Return the rows of a workbook, their fields without white space around them."""
    cells, notes = sheet_rows(content.data, options)
    return list(_stripped(cells, options)), [*content.notes, *notes]


def _text_rows(text: str, options: ReadOptions) -> tuple[Rows, list[Note]]:
    """Return the rows of delimited text, their fields without white space around them."""
    text, dialect, notes = detect(text, options)
    if dialect.delimiter not in text and options.delimiter is None and _TWO_WORDS.search(text):
        dialect = Dialect(" ")
    try:
        return list(_stripped(rows_of(text, dialect), options)), notes
    except csv.Error as error:
        raise TableError(
            "bad_quotes", f"The quotes are wrong {error}. Correct them and try again."
        ) from None


def _stripped(
    lines: Iterable[tuple[int, list[str]]], options: ReadOptions
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that have fields, which may all be empty; refuse too many."""
    n_rows = 0
    for line, row in lines:
        look()
        fields = [field.strip() for field in row]
        if fields and fields != [""]:
            n_rows += 1
            _check_number(n_rows, options)
            yield line, fields


def _filled(lines: Rows) -> Rows:
    """Return the rows that are not blank and no comment, without blank fields at their ends."""
    rows: Rows = []
    for line, fields in lines:
        filled = list(fields)
        while filled and not filled[-1]:
            filled.pop()
        if filled and not filled[0].startswith("#"):
            rows.append((line, filled))
    if not rows:
        raise TableError(
            "empty_file", "The file holds nothing but white space. Choose another file."
        )
    return rows


def _check_number(n_rows: int, options: ReadOptions) -> None:
    if n_rows > options.limits.n_rows:
        raise TableError(
            "too_many_rows",
            f"The file has more than {options.limits.n_rows:,} rows, the limit. Take a sample of"
            " them.",
        )


def _drop_equal_weights(graph: nx.Graph) -> None:
    """Leave out weights that are all 1: then the edges have none."""
    if all(weight == 1 for *_, weight in graph.edges(data="weight")):
        for *_, attributes in graph.edges(data=True):
            attributes.pop("weight")


def title_of(name: str) -> str:
    """Return the name of a file as a title, without its folders."""
    return re.split(r"[\\/]", name)[-1][:100] or "Your file"
