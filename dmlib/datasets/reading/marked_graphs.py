"""Graphs in formats that name the attributes of their nodes: GraphML and GML."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import ParseError
from xml.parsers import expat

from dmlib.datasets.reading.encoding import decode
from dmlib.datasets.table import TableError

if TYPE_CHECKING:
    import networkx as nx

MAX_BYTES = 4 * 2**20
"""The largest file: of more, more than can be drawn."""

USUAL = ("class", "label", "club", "group", "community", "category", "type", "party", "value")
"""Names that the attribute with the classes often has, the likeliest first."""

_HEAD = 2**16  # bytes in which the first element of XML, or the word "graph" of GML, has to begin
_ABOVE_GML = ("#", "creator", "version", "comment")  # begin lines that may stand above the graph
_XML_STARTS = (b"<?xml", b"<!--")
_DECLARED = re.compile(rb"""<\?xml [^>]{0,80}encoding=["']([A-Za-z0-9._-]{1,40})["']""")
_UTF8_MARK = b"\xef\xbb\xbf"
MAX_DEPTH = 50
"""The deepest nesting of XML elements that is read."""
MAX_ELEMENTS = 500_000
"""The largest number of XML elements that is read."""

_WEIGHTS = ("weight", "value", "count")


class _FirstElementError(Exception):
    """Ends the parser of XML where the first element begins; its text is the name."""


def is_marked(data: bytes) -> bool:
    """Return whether a file is GraphML or GML.

    Raises
    ------
    TableError
        If it is XML of another kind.

    Notes
    -----
    Time is linear in the first 64 kB, which alone are looked at: XML is parsed up to its first
    element.

    Examples
    --------
    >>> is_marked(b"graph [ node [ id 1 ] ]"), is_marked(b"<graphml></graphml>")
    (True, True)
    >>> is_marked(b"graph,edge")
    False
    """
    head = _head(data)
    root = _root(head)
    if root != "graphml" and head[:5].lower().startswith(_XML_STARTS):
        what = f"holds <{root[:40]}>, no <graphml>" if root else "holds no <graphml>"
        raise TableError(
            "wrong_format",
            f"The file is XML that {what}. Save the graph as GraphML, GML, or a list of edges.",
        )
    return root == "graphml" or _is_gml(head)


def _head(data: bytes) -> bytes:
    return data[:_HEAD].removeprefix(_UTF8_MARK).lstrip()


def _root(head: bytes) -> str:
    """Return the name of the first element of XML, without its namespace; empty where it has none.

    A document type counts as GraphML, unless it is that of a web page: it is refused there, and
    never parsed.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = _end_at_element
    parser.StartDoctypeDeclHandler = _end_at_document_type
    try:
        parser.Parse(head, False)
    except _FirstElementError as first:
        return str(first).rsplit(" ", maxsplit=1)[-1]
    except (expat.ExpatError, ValueError, LookupError):  # no XML, or of an unknown encoding
        pass
    return ""


def _end_at_element(name: str, _: dict[str, str]) -> None:
    raise _FirstElementError(name)


def _end_at_document_type(name: str, *_: Any) -> None:
    raise _FirstElementError("html" if name.lower() == "html" else "graphml")


def _is_gml(head: bytes) -> bool:
    """Return whether the first line that is no remark is "graph [", perhaps on two lines."""
    lines = head.decode("latin-1").lower().splitlines()
    for i, line in enumerate(lines):
        text = line.strip()
        if text and not text.startswith(_ABOVE_GML):
            behind = "\n".join([text, *lines[i + 1 :]]).removeprefix("graph")
            return text.startswith("graph") and behind.lstrip().startswith("[")
    return False


def read_marked(data: bytes) -> nx.MultiDiGraph:
    """Return the edges of a GraphML or GML file, each from its first node.

    Nodes are called by their labels; attributes are texts.

    Raises
    ------
    TableError
        If the file is too large or damaged, or defines entities of its own.
    """
    import networkx as nx

    if len(data) > MAX_BYTES:
        raise TableError(
            "too_large",
            "The file has more than 4 MB, more than can be drawn. Take a part of the graph.",
        )
    text = _text(data)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise TableError(
            "unsafe_xml",
            "The file defines entities of its own. Save it as GraphML without a DOCTYPE.",
        )
    try:
        if text.startswith("<"):
            _check_extent(text)
            graph = nx.parse_graphml(text, node_type=str)
        else:
            graph = nx.parse_gml(_ascii(text.splitlines()), label="id")
    except TableError:
        raise
    except (
        *(nx.NetworkXException, ParseError, expat.ExpatError, RecursionError),
        *(ValueError, LookupError, TypeError, AttributeError),
    ) as error:
        raise TableError(
            "not_a_table",
            f"The graph cannot be read: {str(error)[:120] or 'it is damaged'}. Save it again as"
            " GraphML.",
        ) from None
    return _plain(graph)


def _text(data: bytes) -> str:
    """Return a file as text, in the encoding that XML declares if that can be."""
    declared = _DECLARED.match(_head(data))
    try:
        text, _ = decode(data, declared[1].decode() if declared else None)
    except TableError:
        text, _ = decode(data)
    return text.removeprefix("\ufeff").strip()


def _check_extent(text: str) -> None:
    """Refuse XML of too many or too deeply nested elements, before it is held as a tree."""
    depth = n_elements = 0

    def open_element(*_: Any) -> None:
        nonlocal depth, n_elements
        depth += 1
        n_elements += 1
        if depth > MAX_DEPTH or n_elements > MAX_ELEMENTS:
            raise TableError(
                "too_large",
                "The XML has too many elements, or too deep ones. Take a part of the graph.",
            )

    def close_element(_: str) -> None:
        nonlocal depth
        depth -= 1

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = open_element, close_element
    parser.Parse(text, True)


def _ascii(lines: Iterable[str]) -> list[str]:
    """Return lines of GML, in which other letters are written as numbers."""
    return [line.encode("ascii", "xmlcharrefreplace").decode() for line in lines]


def _plain(graph: Any) -> nx.MultiDiGraph:
    """Return a graph with the names of nodes and their attributes as texts."""
    import networkx as nx

    labels, has_own_labels = _labels(graph)
    out = nx.MultiDiGraph(directed=graph.is_directed())
    for node, attributes in graph.nodes(data=True):
        out.add_node(labels[node])
        texts = _texts(attributes)
        if has_own_labels:
            texts.pop("label", None)
        out.nodes[labels[node]].update(texts)
    for source, target, attributes in graph.edges(data=True):
        weight = next((attributes[name] for name in _WEIGHTS if name in attributes), 1.0)
        try:
            out.add_edge(labels[source], labels[target], weight=float(weight))
        except (TypeError, ValueError):
            raise TableError(
                "not_a_table",
                f"The weight of the edge from {labels[source]} to {labels[target]} is no number:"
                f" {str(weight)[:40]!r}. Correct it.",
            ) from None
    return out


def _labels(graph: Any) -> tuple[dict[Any, str], bool]:
    """Return the name of each node, and whether the names are labels other than its identifiers."""
    identifiers = {node: str(node) for node in graph}
    labels = {
        node: str(attributes.get("label", node)).strip()
        for node, attributes in graph.nodes(data=True)
    }
    if len(set(labels.values())) < len(labels) or not all(labels.values()):
        return identifiers, False
    is_labelled = all("label" in attributes for _, attributes in graph.nodes(data=True))
    return labels, is_labelled and labels != identifiers


def _texts(attributes: dict[Any, Any]) -> dict[str, str]:
    """Return the attributes of a node that are texts or numbers, as texts that are not blank."""
    texts = {
        str(name): str(value).strip()
        for name, value in attributes.items()
        if isinstance(value, str | int | float)
    }
    return {name: text for name, text in texts.items() if text}


def class_attributes(graph: nx.Graph) -> tuple[str, ...]:
    """Return the attributes of nodes that can be classes, the likeliest first.

    They have at least two values, and some value twice.

    Examples
    --------
    >>> import networkx as nx
    >>> class_attributes(nx.karate_club_graph()), class_attributes(nx.path_graph(3))
    (('club',), ())
    """
    values: dict[str, list[Any]] = {}
    for _, attributes in graph.nodes(data=True):
        for name, value in attributes.items():
            if name != "pos" and isinstance(value, str | int | float) and str(value) != "nan":
                values.setdefault(str(name), []).append(value)
    repeated = [name for name, each in values.items() if 2 <= len(set(each)) < len(each)]
    usual = {name: i for i, name in enumerate(USUAL)}

    def order(name: str) -> tuple[int, int]:
        return usual.get(name.lower(), len(usual)), len(set(values[name]))

    return tuple(sorted(repeated, key=order))
