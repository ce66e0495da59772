"""Rows of two nodes, and perhaps a weight -> the edges of a graph."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dmlib.datasets.table import TableError
from dmlib.trace import look

if TYPE_CHECKING:
    import networkx as nx

Rows = list[tuple[int, list[str]]]
"""The line in which each row starts, and its fields."""

_WEIGHTS = {"weight", "value", "count", "capacity", "length", "distance", "w"}
_NODES = {
    "source",
    "target",
    "from",
    "to",
    "node1",
    "node2",
    "node_1",
    "node_2",
    "a",
    "b",
    "u",
    "v",
    "i",
    "j",
}
# Each text fits in one way alone, so that time is linear in its length.
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
MAX_DIGITS = 100
"""Letters of a number; longer texts are none."""
MIN_COUNTED = 5
"""Edges from which a first line may count them: in a shorter list it is as likely an edge."""
_KONECT = {"sym": False, "asym": True, "bip": False}
"""The words by which KONECT's first remark begins, and whether edges have directions."""


def number_of(text: str) -> float | None:
    """Return a number, whose decimal mark is a point or a comma; None for another text.

    Examples
    --------
    >>> number_of("0,5"), number_of("-2e3"), number_of("2 kg")
    (0.5, -2000.0, None)
    """
    if len(text) > MAX_DIGITS or not _NUMBER.fullmatch(text):
        return None
    return float(text.replace(",", "."))


def konect_form(remarks: Sequence[str]) -> str:
    """Return the form in KONECT's first remark, "sym", "asym" or "bip"; empty for other files.

    Examples
    --------
    >>> konect_form(["% asym unweighted", "% 78 34 34"]), konect_form(["% made up"])
    ('asym', '')
    """
    words = remarks[0].lstrip("% \t").lower().split(maxsplit=1) if remarks else []
    return words[0] if len(words) > 1 and words[0] in _KONECT else ""


def has_directions(remarks: Sequence[str]) -> bool:
    """Return whether remarks say that edges have directions, as KONECT and SNAP write them."""
    words = " ".join(remarks[:20]).lower()
    return _KONECT.get(
        konect_form(remarks), "directed graph" in words and "undirected" not in words
    )


def edge_graph(rows: Rows, header: bool | int | None, remarks: Sequence[str]) -> nx.MultiDiGraph:
    """Return a graph of the edges in rows.

    Parameters
    ----------
    rows : list of (int, list of str)
        Lines and fields; none is blank.
    header : bool or int or None
        Whether the first row holds names; None for "find out".
    remarks : sequence of str
        The remarks of the file, which may say whether edges have directions.

    Raises
    ------
    TableError
        If a row has not two nodes, or a weight is no number.
    """
    import networkx as nx

    graph_of: dict[str, str] = {}
    if header is not False and _names_graphs(rows[0][1]):
        rows, graph_of = _with_graph_names(rows[1:])
    elif header or (header is None and _is_edge_head(rows)):
        rows = _in_usual_order(rows)
    sides = ("left ", "right ") if konect_form(remarks) == "bip" else ("", "")
    graph = nx.MultiDiGraph(directed=has_directions(remarks))
    for line, row in rows:
        look()
        if _gives_class(row):
            graph.add_node(row[0], **{"class": row[2]})
        else:
            source, target, weight = _edge(line, row)
            graph.add_edge(sides[0] + source, sides[1] + target, weight=weight)
    nx.set_node_attributes(graph, graph_of, "graph")
    return graph


def is_size_line(rows: Rows) -> bool:
    """Return whether the first row counts nodes and edges of a list of numbered nodes.

    Examples
    --------
    >>> path = [(line, [str(line), str(line + 1)]) for line in range(1, 9)]
    >>> is_size_line([(1, ["9", "9", "8"]), *path]), is_size_line([(1, ["9", "8"]), *path])
    (True, True)
    >>> is_size_line(path)
    False
    """
    first, body = rows[0][1], rows[1:]
    n_numbers = [int(field) if field.isdecimal() and len(field) < 10 else -1 for field in first]
    if (
        len(body) < MIN_COUNTED
        or len(first) not in (2, 3)
        or n_numbers[-1] != len(body)
        or min(n_numbers) < 0
    ):
        return False
    nodes = [node for _, row in body for node in row[:2]]
    return all(
        len(node) < 10 and node.isdecimal() and int(node) <= max(n_numbers[:-1]) for node in nodes
    )


def names_edge_columns(head: Sequence[str]) -> bool:
    """Return whether names are usual ones of the columns of an edge list, and no nodes."""
    words = [name.lower() for name in head[:3]]
    are_ends = {*words[:2]} <= _NODES and all(len(word) > 1 for word in words[:2])
    return are_ends or words[:1] == ["graph"] or (len(words) > 2 and words[2] in _WEIGHTS)


def _is_edge_head(rows: Rows) -> bool:
    """Return whether the first row names columns: nodes that never recur, or a weight."""
    first = rows[0][1]
    if _gives_class(first):
        return False
    if len(first) > 2 and (first[2].lower() in _WEIGHTS or number_of(first[2]) is None):
        return True
    nodes = {node for _, row in rows[1:] for node in row[:2]}
    return len(rows) > 1 and not nodes & set(first[:2]) and {*map(str.lower, first[:2])} <= _NODES


def _in_usual_order(rows: Rows) -> Rows:
    """Return nodes and weight of the rows below names, among further columns as Gephi writes."""
    names = [name.lower() for name in rows[0][1]]
    if len(names) <= 3 or not {"source", "target"} <= set(names):
        return rows[1:]
    places = [names.index(name) for name in ("source", "target", "weight") if name in names]
    ordered: Rows = []
    for line, row in rows[1:]:
        cells = [row[j] if j < len(row) else "" for j in places]
        ordered.append((line, cells if all(cells) else cells[:2]))
    return ordered


def _names_graphs(first: Sequence[str]) -> bool:
    """Return whether the first row says that its column holds the names of graphs."""
    return len(first) > 2 and first[0].lower() == "graph"


def _with_graph_names(rows: Rows) -> tuple[Rows, dict[str, str]]:
    """Put the name of its graph before each node; return also the graph of each node."""
    named: Rows = []
    graph_of: dict[str, str] = {}
    for line, (graph, *row) in rows:
        nodes = [f"{graph}: {node}" if node else "" for node in row[:2]]
        graph_of |= dict.fromkeys(filter(None, nodes), graph)
        named.append((line, [*nodes, *row[2:]]))
    return named, graph_of


def _gives_class(row: Sequence[str]) -> bool:
    """Return whether a row is a node, nothing, and its class."""
    return len(row) == 3 and bool(row[0]) and not row[1]


def _edge(line: int, row: Sequence[str]) -> tuple[str, str, float]:
    """Return the nodes and the weight of a row."""
    if len(row) < 2 or not row[0] or not row[1]:
        raise TableError(
            "ragged", f"Line {line} has not two nodes. Put the two nodes of an edge on each line."
        )
    weight = number_of(row[2]) if len(row) > 2 else 1.0
    if weight is None:
        raise TableError(
            "not_a_table", f"The weight in line {line} is no number: {row[2][:40]!r}. Correct it."
        )
    return row[0], row[1], weight
