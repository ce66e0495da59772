"""Graphs in formats that name the attributes of their nodes: GraphML and GML."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import ParseError

from dmlib.datasets.reading.encoding import decode
from dmlib.datasets.table import TableError

if TYPE_CHECKING:
    import networkx as nx

MOST_BYTES = 4 * 2**20
"""The largest file: of more, more than can be drawn."""

USUAL = ("class", "label", "club", "group", "community", "category", "type", "party", "value")
"""What the attribute with the classes is often called."""

_GML = re.compile(rb"(\s*(#[^\n]*|creator\s[^\n]*|version\s[^\n]*|comment\s[^\n]*)\n)*\s*graph\s*\[", re.IGNORECASE)
_XML = re.compile(rb"\s*(<\?xml[^>]*>|<!--.*?-->|\s)*<graphml\b", re.DOTALL)
_WEIGHTS = ("weight", "value", "count")


def is_marked(data: bytes) -> bool:
    """Return whether a file is GraphML or GML.

    Examples
    --------
    >>> is_marked(b"graph [ node [ id 1 ] ]"), is_marked(b"<graphml></graphml>"), is_marked(b"graph,edge")
    (True, True, False)
    """
    head = data[:4096].removeprefix(b"\xef\xbb\xbf")
    return bool(_GML.match(head) or _XML.match(head))


def read_marked(data: bytes) -> nx.MultiDiGraph:
    """Return the edges of a GraphML or GML file, each from its first node; nodes by their labels, attributes as texts.

    Raises
    ------
    TableError
        If the file is too large or damaged.
    """
    import networkx as nx

    if len(data) > MOST_BYTES:
        raise TableError("too_large", "The file has more than 4 MB, more than can be drawn. Take a part of the graph.")
    if re.search(rb"<!(DOCTYPE|ENTITY)", data):
        raise TableError("wrong_format", "The file defines entities of its own. Save it as GraphML without a DOCTYPE.")
    text, _ = decode(data, None)
    try:
        if _XML.match(data[:4096].removeprefix(b"\xef\xbb\xbf")):
            graph = nx.parse_graphml(re.sub(r"^\s*<\?xml[^>]*>", "", text.removeprefix("\ufeff")), node_type=str)
        else:
            graph = nx.parse_gml(_ascii(text.splitlines()), label="id")
    except (nx.NetworkXException, ParseError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise TableError(
            "not_a_table", f"The graph cannot be read: {str(error)[:120] or 'it is damaged'}. Save it again as GraphML."
        ) from None
    return _plain(graph)


def _ascii(lines: Iterable[str]) -> list[str]:
    """Return lines of GML, in which other letters are written as numbers."""
    return [line.encode("ascii", "xmlcharrefreplace").decode() for line in lines]


def _plain(graph: Any) -> nx.MultiDiGraph:
    """Return a graph with the names of nodes and their attributes as texts."""
    import networkx as nx

    labels = {node: str(attributes.get("label", node)).strip() for node, attributes in graph.nodes(data=True)}
    if len(set(labels.values())) < len(labels) or not all(labels.values()):
        labels = {node: str(node) for node in graph}
    named = len(graph) > 0 and all("label" in attributes for _, attributes in graph.nodes(data=True))
    unique = named and labels != {node: str(node) for node in graph}
    out = nx.MultiDiGraph(directed=graph.is_directed())
    for node, attributes in graph.nodes(data=True):
        kept = {
            str(name): str(value).strip()
            for name, value in attributes.items()
            if isinstance(value, str | int | float) and str(value).strip() and not (unique and name == "label")
        }
        out.add_node(labels[node])
        out.nodes[labels[node]].update(kept)
    for one, other, attributes in graph.edges(data=True):
        weight = next((attributes[name] for name in _WEIGHTS if name in attributes), 1.0)
        try:
            out.add_edge(labels[one], labels[other], weight=float(weight))
        except (TypeError, ValueError):
            raise TableError(
                "not_a_table",
                f"The weight of the edge from {labels[one]} to {labels[other]} is no number: {str(weight)[:40]!r}. "
                "Correct it.",
            ) from None
    return out


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
    found = [name for name, some in values.items() if 2 <= len(set(some)) < len(some)]
    usual = {name: i for i, name in enumerate(USUAL)}
    return tuple(sorted(found, key=lambda name: (usual.get(name.lower(), len(usual)), len(set(values[name])))))
