"""Text formats of networks with a signature: Pajek, METIS, DIMACS; others are refused by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dmlib.datasets.reading.edge_lists import number_of
from dmlib.datasets.reading.matrix_graphs import is_matrix_market, read_matrix_market
from dmlib.datasets.reading.options import Limits
from dmlib.datasets.table import Note, TableError
from dmlib.trace import look

if TYPE_CHECKING:
    import networkx as nx

Network = tuple["nx.MultiDiGraph", list[Note]]

_SAMPLE = 100_000  # letters in which a format has to show itself
_PAJEK = ("*vertices", "*network", "*arcs", "*edges", "*arcslist", "*edgeslist", "*matrix")
_CLASSES = "classes of vertices"
_DIMACS_EDGES = {"e": False, "a": True}
"""By which letter an edge begins, and whether it has a direction."""
_DOT = re.compile(r"(?:strict\s+)?(?:di)?graph\b[\w\s\"]{0,100}\{", re.IGNORECASE)


class NetworkFormat(NamedTuple):
    """A format: whether a text is of it, and its reader."""

    fits: Callable[[str], bool]
    read: Callable[[str, Limits, bool | None], Network]


def network_of(text: str, limits: Limits, directed: bool | None) -> Network | None:
    r"""Return the graph of a text in one of the formats, with notes; None for another text.

    Parameters
    ----------
    text : str
        The content of a file.
    limits : Limits
        How large it may be.
    directed : bool or None
        Whether edges have directions; None for "as the file says".

    Raises
    ------
    TableError
        If the text is damaged, or of a format that is not read.

    Notes
    -----
    Time is linear in the length of the text.

    Examples
    --------
    >>> graph, _ = network_of("*Vertices 2\n1 Ann\n2 Bob\n*Edges\n1 2 3\n", Limits(), None)
    >>> list(graph.edges(data="weight"))
    [('Ann', 'Bob', 3.0)]
    """
    found_format = next((each for each in FORMATS if each.fits(text)), None)
    return found_format.read(text, limits, directed) if found_format else None


def _first_lines(text: str) -> list[str]:
    """Return the first lines that hold something and are no remark of Pajek or METIS."""
    lines = (line.strip() for line in text[:_SAMPLE].splitlines())
    return [line for line in lines if line and not line.startswith(("%", "#"))]


# --- Pajek ----------------------------------------------------------------------------------------


def _is_pajek(text: str) -> bool:
    first = next(iter(_first_lines(text)), "")
    return first.lower().startswith(_PAJEK)


class _Pajek:
    """A network of Pajek that grows line by line."""

    def __init__(self, limits: Limits, directed: bool | None) -> None:
        import networkx as nx

        self.graph = nx.MultiDiGraph(directed=False)
        self.section = ""
        self.names: list[str] = []
        self.classes: list[str] = []
        self._matrix: dict[tuple[int, int], float] = {}
        self._n_rows = 0  # of the matrix
        self._limits = limits
        self._both_ways = bool(directed)

    def begin(self, words: Sequence[str]) -> None:
        """Begin a section."""
        of_partition = self.section == "*partition"
        self.section = words[0].lower()
        if self.section == "*vertices" and of_partition:
            self.section = _CLASSES
        elif self.section == "*vertices":
            size = _integer(words[1]) if len(words) > 1 else -1
            if not 0 <= size <= self._limits.n_rows:
                raise ValueError
            self.names = [str(i + 1) for i in range(size)]

    def add(self, line: str) -> None:
        """Add what a line of the section says."""
        words = line.split()
        if self.section == "*vertices":
            self.names[self._index(words[0])] = _label(line) or words[0]
        elif self.section == _CLASSES:
            self.classes.append(words[0])
        elif self.section in ("*arcs", "*edges"):
            weight = number_of(words[2]) if len(words) > 2 and not words[2].startswith("[") else 1.0
            self._join(words[0], words[1], weight, arrow=self.section == "*arcs")
        elif self.section in ("*arcslist", "*edgeslist"):
            for word in words[1:]:
                self._join(words[0], word, 1.0, arrow=self.section == "*arcslist")
        elif self.section == "*matrix":
            self._n_rows += 1
            for j, word in enumerate(words, 1):
                self._matrix[self._index(str(self._n_rows)), self._index(str(j))] = _weight(
                    number_of(word)
                )

    def add_matrix(self) -> None:
        """Add the edges of the matrix, of a symmetric one once unless it is to be directed."""
        symmetric = all(
            self._matrix.get((j, i)) == weight for (i, j), weight in self._matrix.items()
        )
        self.graph.graph["directed"] |= not symmetric
        for (i, j), weight in self._matrix.items():
            if weight and (i <= j or not symmetric or self._both_ways):
                self.graph.add_edge(i, j, weight=weight)

    def _join(self, source: str, target: str, weight: float | None, *, arrow: bool) -> None:
        i, j = self._index(source), self._index(target)
        self.graph.add_edge(i, j, weight=_weight(weight))
        self.graph.graph["directed"] |= arrow
        if self._both_ways and not arrow and i != j:
            self.graph.add_edge(j, i, weight=weight)

    def _index(self, word: str) -> int:
        index = _integer(word) - 1
        if not 0 <= index < len(self.names):
            raise ValueError
        return index


def _weight(number: float | None) -> float:
    if number is None:
        raise ValueError
    return number


def _label(line: str) -> str:
    """Return the name of a vertex behind its number, which may stand in quotes."""
    parts = line.strip().split(maxsplit=1)
    behind = parts[1] if len(parts) > 1 else ""
    return (
        behind[1:].partition('"')[0].strip() if behind.startswith('"') else behind.partition(" ")[0]
    )


def _read_pajek(text: str, limits: Limits, directed: bool | None) -> Network:
    import networkx as nx

    network = _Pajek(limits, directed)
    ignored: dict[str, None] = {}
    for number, line in enumerate(text.splitlines(), 1):
        look()
        words = line.split()
        if not words or words[0].startswith(("%", "/*")):
            continue
        try:
            if words[0].startswith("*"):
                network.begin(words)
                if network.section not in (*_PAJEK, "*partition", _CLASSES):
                    ignored[words[0]] = None
            else:
                network.add(line)
        except (ValueError, IndexError):
            raise TableError(
                "corrupt",
                f"Line {number} does not fit Pajek's section {network.section or '(none)'}."
                " Correct it.",
            ) from None
    network.add_matrix()
    names = network.names
    if len(set(names)) < len(names):
        names = [str(i + 1) for i in range(len(names))]
    graph = nx.MultiDiGraph(directed=network.graph.graph["directed"])
    graph.add_nodes_from(names)
    if len(network.classes) == len(names):
        nx.set_node_attributes(graph, dict(zip(names, network.classes, strict=True)), "class")
    for i, j, weight in network.graph.edges(data="weight"):
        graph.add_edge(names[i], names[j], weight=weight)
    notes = [
        Note(
            "format_guessed",
            f"The file was read as a network of Pajek with {len(names):,} vertices.",
        )
    ]
    if ignored:
        notes.append(
            Note("extra_ignored", f"The sections {', '.join(ignored)[:100]} are left out.")
        )
    return graph, notes


def _integer(word: str) -> int:
    """Return a whole number; -1 for another text."""
    return int(word) if len(word) < 15 and word.isascii() and word.isdigit() else -1


# --- METIS ----------------------------------------------------------------------------------------


class _MetisHeader(NamedTuple):
    """The first line of METIS: numbers of nodes and edges, and which weights there are."""

    n_nodes: int
    n_edges: int
    n_before: int  # numbers in front of the neighbours of a node
    weighted: bool  # whether the weight of its edge stands behind each neighbour


def _metis_header(text: str) -> _MetisHeader:
    words = next(iter(_first_lines(text)), "").split()
    numbers = [_integer(word) for word in words]
    flags = words[2].zfill(3) if len(words) > 2 else "000"
    n_weights = numbers[3] if len(words) > 3 else 1
    if (
        not 2 <= len(words) <= 4
        or min(numbers) < 0
        or not numbers[0]
        or not re.fullmatch("[01]{3}", flags)
    ):
        raise ValueError
    n_before = (flags[0] == "1") + (n_weights if flags[1] == "1" else 0)
    return _MetisHeader(numbers[0], numbers[1], n_before, flags[2] == "1")


def _is_metis(text: str) -> bool:
    """Return whether the first line counts the lines below it, and the edges in them."""
    try:
        return bool(_metis_edges(text, _metis_header(text)))
    except (ValueError, IndexError):
        return False


def _metis_edges(text: str, header: _MetisHeader) -> dict[tuple[int, int], float]:
    """Return the weight of each edge of METIS, both ways.

    Raises
    ------
    ValueError
        If the text is not of this form: each edge stands in the lines of both of its nodes.
    """
    edges: dict[tuple[int, int], float] = {}
    for i, line in enumerate(_metis_lines(text, header), 1):
        look()
        words = line.split()[header.n_before :]
        neighbours, weights = words, ["1"] * len(words)
        if header.weighted:
            neighbours, weights = words[::2], words[1::2]
        for word, weight in zip(neighbours, weights, strict=True):
            j = _integer(word)
            if not 1 <= j <= header.n_nodes or j == i:
                raise ValueError
            edges[i, j] = _weight(number_of(weight))
    if len(edges) != 2 * header.n_edges or any((j, i) not in edges for i, j in edges):
        raise ValueError
    return edges


def _metis_lines(text: str, header: _MetisHeader) -> list[str]:
    """Return the lines of the nodes, which are empty where a node has no edge."""
    lines = [
        line.strip()
        for line in text.strip("\r\n").splitlines()
        if not line.lstrip().startswith("%")
    ]
    first = next(i for i, line in enumerate(lines) if line)
    body = lines[first + 1 :]
    n_missing = header.n_nodes - len(body)  # empty lines at the end, which may have been stripped
    if not 0 <= n_missing <= header.n_nodes / 2:
        raise ValueError
    return body + [""] * n_missing


def _read_metis(text: str, limits: Limits, directed: bool | None) -> Network:
    import networkx as nx

    header = _metis_header(text)
    graph = nx.MultiDiGraph(directed=False)
    graph.add_nodes_from(str(i + 1) for i in range(header.n_nodes))
    for (i, j), weight in _metis_edges(text, header).items():
        if i < j or directed:
            graph.add_edge(str(i), str(j), weight=weight)
    text = (
        f"The file was read as a graph of METIS: line i of {header.n_nodes:,} names the neighbours"
        " of node i."
    )
    return graph, [Note("format_guessed", text)]


# --- DIMACS ---------------------------------------------------------------------------------------


def _is_dimacs(text: str) -> bool:
    """Return whether the first line that is no remark is a problem line, "p kind n m"."""
    lines = (line.split() for line in _first_lines(text))
    words = next((words for words in lines if words[0] != "c"), [])
    return words[:1] == ["p"] and len(words) == 4 and min(map(_integer, words[2:])) >= 0


def _read_dimacs(text: str, limits: Limits, directed: bool | None) -> Network:
    import networkx as nx

    graph = nx.MultiDiGraph(directed=False)
    for number, line in enumerate(text.splitlines(), 1):
        look()
        words = line.split()
        if words[:1] == ["p"]:
            graph.add_nodes_from(str(i + 1) for i in range(min(_integer(words[2]), limits.n_rows)))
        elif words and words[0] in _DIMACS_EDGES:
            weight = number_of(words[3]) if len(words) > 3 else 1.0
            if len(words) < 3 or weight is None:
                raise TableError("corrupt", f"Line {number} holds no edge of DIMACS. Correct it.")
            graph.add_edge(words[1], words[2], weight=weight)
            graph.graph["directed"] |= _DIMACS_EDGES[words[0]]
            if directed and words[0] == "e" and words[1] != words[2]:
                graph.add_edge(words[2], words[1], weight=weight)
    return graph, [Note("format_guessed", "The file was read as a graph of DIMACS.")]


# --- formats that are refused ---------------------------------------------------------------------


def _is_dot(text: str) -> bool:
    return _DOT.match(text.lstrip()[:1000]) is not None


def _is_ucinet(text: str) -> bool:
    first = next(iter(_first_lines(text)), "").lower()
    return first.startswith(("dl ", "dl\t")) and "=" in first


def _refused(title: str) -> Callable[[str, Limits, bool | None], Network]:
    def refuse(text: str, limits: Limits, directed: bool | None) -> Network:
        raise TableError(
            "unsupported",
            f"The file is {title}, which is not read. Save the graph as GraphML, or as a list of"
            " edges.",
        )

    return refuse


FORMATS = (
    NetworkFormat(is_matrix_market, read_matrix_market),
    NetworkFormat(_is_pajek, _read_pajek),
    NetworkFormat(_is_dimacs, _read_dimacs),
    NetworkFormat(_is_dot, _refused("a graph of Graphviz (DOT)")),
    NetworkFormat(_is_ucinet, _refused("a network of UCINET (DL)")),
    NetworkFormat(_is_metis, _read_metis),
)
"""The formats, in the order in which they are tried."""
