"""Graphs as matrices: adjacency matrices in tables, and the files of MatrixMarket."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dmlib.datasets.reading.edge_lists import Rows, names_edge_columns, number_of
from dmlib.datasets.reading.options import Limits
from dmlib.datasets.table import Note, TableError

if TYPE_CHECKING:
    import networkx as nx

_NO_EDGE = {
    "",
    ".",
    "-",
    "\u2013",
    "\u2014",
    "na",
    "n/a",
    "nan",
    "null",
    "inf",
    "infinity",
    "\u221e",
}
_EDGE = {"x", "\u2713", "\u2714", "yes", "true"}
MIN_NODES = 3
"""Nodes of a matrix without names on both sides: rows of two fields are edges."""
MAX_ROWS = 5000
"""Rows of a table that is looked at as a matrix: more nodes than can be drawn."""
_MIN_COLUMNS = 4
"""Columns of marks from which a table that is not square is no list of edges with weights."""
_SQUARE = "An adjacency matrix has a row and a column for each node, in the same order."


class Grid(NamedTuple):
    """The cells of a matrix, and the names beside and above them; None where it has none."""

    cells: list[list[str]]
    row_names: list[str] | None
    column_names: list[str] | None
    width: int


def adjacency_graph(
    rows: Rows, header: bool | int | None, directed: bool | None, *, certain: bool = False
) -> tuple[nx.MultiDiGraph, list[Note]] | None:
    """Read a table as an adjacency matrix, if it is one.

    Parameters
    ----------
    rows : list of (int, list of str)
        Lines and fields; a row of empty fields may be a node without edges.
    header : bool or int or None
        Whether the first row holds names; None for "find out".
    directed : bool or None
        Whether edges have directions; None for "as the matrix says": they have where it is not
        symmetric.
    certain : bool
        Whether somebody decided that it is a matrix.

    Returns
    -------
    tuple of (networkx.MultiDiGraph, list of Note) or None
        The edges with their weights, all nodes, and how the table was read. None if it is no
        matrix.

    Raises
    ------
    TableError
        If it is one that is not square.

    Notes
    -----
    A table is an adjacency matrix if all cells are numbers, marks or blank, and the names of its
    rows are those of its columns. Without names on both sides it is one if it has at least three
    rows, as many columns, and is symmetric, or has an empty diagonal, or no other numbers than 0
    and 1. Time is linear in the number of cells.
    """
    first = next((i for i, (_, fields) in enumerate(rows) if any(fields)), 0)
    table = [fields for _, fields in rows[first:]]
    if not certain and (len(table) > MAX_ROWS or max(map(len, table), default=0) < MIN_NODES):
        return None
    grids = [grid for grid in _grids(table, header) if _are_weights(grid)]
    for grid in grids:
        if _is_square(grid) and (certain or _has_evidence(grid)):
            return _graph(_in_order(grid), directed)
    if len(table) > MIN_NODES and len(table[0]) == 1 < len(table[1]):  # a title
        return adjacency_graph(rows[first + 1 :], header, directed, certain=certain)
    _refuse_incomplete(grids, certain)
    return None


def _refuse_incomplete(grids: Sequence[Grid], certain: bool) -> None:
    """Raise an error if a table is a matrix, by decision or by what it holds, but not square."""
    if certain and not grids:
        raise TableError(
            "not_a_table", "The cells of the matrix are no numbers. Read it as a list of edges."
        )
    for grid in grids:
        if certain or _is_incomplete(grid):
            raise TableError(
                "ragged",
                f"The matrix has {len(grid.cells):,} rows and {grid.width:,}"
                f" columns{_lonely(grid)}. {_SQUARE}",
            )


# --- where the names stand ------------------------------------------------------------------------


def _grids(rows: list[list[str]], header: bool | int | None) -> Iterator[Grid]:
    """Yield the ways in which names may stand around the cells of a matrix, the likeliest first."""
    if len(rows) < 2:
        return
    if header is not False:
        yield from _grids_below_names(_popped(rows[0]), rows[1:], decided=bool(header))
    if not header:
        named = [row for row in rows if any(row)]
        if all(row[0] and number_of(row[0]) is None for row in named):
            yield _grid([row[1:] for row in named], [row[0] for row in named], None)
        yield _grid(rows, None, None)


def _grids_below_names(head: list[str], body: list[list[str]], *, decided: bool) -> Iterator[Grid]:
    if names_edge_columns(head):
        return
    named = [row for row in body if any(row)]
    width = max((len(_popped(row)) for row in named), default=0)
    row_names, cells = [row[0] for row in named], [row[1:] for row in named]
    if len(head) > 1 and (decided or number_of(head[0]) is None) and width <= len(head):
        yield _grid(cells, row_names, head[1:])
    if width == len(head) + 1:  # R writes no name above those of the rows
        yield _grid(cells, row_names, head)
    if decided or all(number_of(name) is None for name in head):
        yield _grid(body, None, head)


def _grid(
    cells: list[list[str]], row_names: list[str] | None, column_names: list[str] | None
) -> Grid:
    """Return cells filled up to the same width.

    Without names, blank columns at the end count where there are rows.
    """
    width = max(len(_popped(row)) for row in cells) if cells else 0
    if column_names is not None:
        width = max(width, len(column_names))
    elif len(cells) <= max(map(len, cells)):
        width = max(width, len(cells))
    if row_names is None:
        while len(cells) > width and not any(cells[-1]):
            cells = cells[:-1]
    filled = [(row + [""] * width)[:width] for row in cells]
    return Grid(filled, row_names, column_names, width)


def _popped(row: Sequence[str]) -> list[str]:
    """Return the fields of a row without those that are empty at its end."""
    length = next((i for i in range(len(row), 0, -1) if row[i - 1]), 0)
    return list(row[:length])


# --- what speaks for a matrix ---------------------------------------------------------------------


def _weight(cell: str) -> float | None:
    """Return the weight that a cell stands for, 0 for no edge; None for another text."""
    text = cell.lower() if len(cell) < 10 else cell
    if text in _NO_EDGE:
        return 0.0
    return 1.0 if text in _EDGE else number_of(text)


def _are_weights(grid: Grid) -> bool:
    cells = {cell for row in grid.cells for cell in row}
    return grid.width > 1 and all(_weight(cell) is not None for cell in cells)


def _is_square(grid: Grid) -> bool:
    """Return whether rows and columns are as many, and have the same names, each of them once."""
    rows, columns = grid.row_names, grid.column_names
    if rows is not None and columns is not None:
        is_unique = len(set(rows)) == len(rows) == len(columns) == grid.width
        return is_unique and set(rows) == set(columns)
    names = rows or columns
    unique = names is None or (len(set(names)) == len(names) and all(names))
    return len(grid.cells) == grid.width and unique


def _has_evidence(grid: Grid) -> bool:
    """Return whether a square of numbers is a matrix: by equal names, or else by what it holds."""
    if grid.row_names is not None and grid.column_names is not None:
        return True
    return grid.width >= MIN_NODES and (_has_marks(grid) or _is_symmetric(grid))


def _has_marks(grid: Grid) -> bool:
    """Return whether cells are 0 and 1 alone, or no node has an edge to itself."""
    size = min(len(grid.cells), grid.width)
    is_hollow = not any(_weight(grid.cells[i][i]) for i in range(size))
    return is_hollow or _are_marks(grid)


def _are_marks(grid: Grid) -> bool:
    return {_weight(cell) for row in grid.cells for cell in row} <= {0.0, 1.0}


def _is_symmetric(grid: Grid) -> bool:
    weights = _weights(grid)
    return bool((weights == weights.T).all())


def _is_incomplete(grid: Grid) -> bool:
    """Return whether cells are those of a matrix that lacks rows or columns."""
    rows, columns = grid.row_names, grid.column_names
    if rows is None or columns is None:
        return _is_incomplete_without_names(grid)
    if len(set(rows)) < len(rows) or len(set(columns)) < len(columns):
        return set(rows) == set(columns)
    n_common = len(set(rows) & set(columns))
    if n_common > max(1, min(len(rows), len(columns)) / 2):
        return True
    has_words = all(number_of(name) is None for name in (*rows, *columns))
    return has_words and grid.width >= _MIN_COLUMNS - 1 and _are_marks(grid)


def _is_incomplete_without_names(grid: Grid) -> bool:
    """Return whether cells are marks of a matrix that is not square, with names on one side."""
    names = grid.row_names or grid.column_names or []
    is_large = min(len(grid.cells), grid.width) >= MIN_NODES and grid.width >= _MIN_COLUMNS
    is_square = len(grid.cells) == grid.width
    return is_large and not is_square and len(set(names)) == len(names) and _has_marks(grid)


def _lonely(grid: Grid) -> str:
    """Return which name stands on one side alone, or several times, for a sentence."""
    if grid.row_names is None or grid.column_names is None:
        return ""
    counts = Counter(grid.row_names) | Counter(grid.column_names)
    if max(counts.values()) > 1:
        return f"; {counts.most_common(1)[0][0][:40]!r} names several"
    names = sorted(set(grid.row_names) ^ set(grid.column_names))
    return f"; {names[0][:40]!r} names a row or a column alone" if names else ""


# --- matrix -> graph ------------------------------------------------------------------------------


def _in_order(grid: Grid) -> Grid:
    """Return a matrix whose columns stand in the order of its rows."""
    rows, columns = grid.row_names, grid.column_names
    if rows is None or columns is None or rows == columns:
        return grid
    place = {name: j for j, name in enumerate(columns)}
    cells = [[row[place[name]] for name in rows] for row in grid.cells]
    return grid._replace(cells=cells, column_names=rows)


def _weights(grid: Grid) -> np.ndarray[Any, np.dtype[np.float64]]:
    weight = {cell: _weight(cell) or 0.0 for cell in {cell for row in grid.cells for cell in row}}
    return np.array([[weight[cell] for cell in row] for row in grid.cells], float)


def _graph(grid: Grid, directed: bool | None) -> tuple[nx.MultiDiGraph, list[Note]]:
    from scipy import sparse

    weights = _weights(grid)
    blank = np.array([[not cell for cell in row] for row in grid.cells])
    if blank[np.tril_indices_from(blank, -1)].all() or blank[np.triu_indices_from(blank, 1)].all():
        weights = (
            np.maximum(weights, weights.T) if not directed else weights
        )  # one half was written
    names = grid.row_names or grid.column_names or [str(i + 1) for i in range(grid.width)]
    graph = matrix_graph(names, sparse.csr_array(weights), directed)
    arrows = "an arrow from its row to its column" if graph.graph["directed"] else "an edge"
    text = (
        f"The table was read as an adjacency matrix of {len(names):,} nodes: a cell that is not 0"
        f" is {arrows}."
    )
    notes = [Note("format_guessed", text)]
    if grid.row_names is None and grid.column_names is None:
        notes.append(Note("header_guessed", "The matrix names no nodes; they are numbered."))
    if any("," in cell for row in grid.cells for cell in row):
        notes.append(Note("decimal_comma", "The commas in the matrix were read as decimal points."))
    return graph, notes


def matrix_graph(names: Sequence[str], weights: Any, directed: bool | None) -> nx.MultiDiGraph:
    """Return the edges of an adjacency matrix.

    Those of a symmetric one are there once, unless directions are asked for.

    Parameters
    ----------
    names : sequence of str
        The nodes.
    weights : sparse array of shape (n_nodes, n_nodes)
        The weights of the edges from rows to columns; 0 is no edge.
    directed : bool or None
        Whether edges have directions; None for "as the matrix says".
    """
    import networkx as nx
    from scipy import sparse

    weights.eliminate_zeros()
    symmetric = (weights != weights.T).nnz == 0
    edges = sparse.coo_array(sparse.triu(weights) if symmetric and not directed else weights)
    graph = nx.MultiDiGraph(directed=not symmetric)
    graph.add_nodes_from(names)
    rows, columns = edges.coords
    for i, j, weight in zip(rows.tolist(), columns.tolist(), edges.data.tolist(), strict=True):
        graph.add_edge(names[i], names[j], weight=float(weight))
    return graph


# --- MatrixMarket ---------------------------------------------------------------------------------


def is_matrix_market(text: str) -> bool:
    """Return whether a text begins as MatrixMarket does.

    Examples
    --------
    >>> is_matrix_market("%%MatrixMarket matrix coordinate pattern symmetric")
    True
    >>> is_matrix_market("% sym")
    False
    """
    return text[:16].lstrip().lower().startswith(("%%matrixmarket", "%matrixmarket"))


def read_matrix_market(
    text: str, limits: Limits, directed: bool | None
) -> tuple[nx.MultiDiGraph, list[Note]]:
    """Read a matrix of MatrixMarket as a graph; its nodes are numbered from 1.

    Raises
    ------
    TableError
        If it is not square, not real, too large or damaged.
    """
    from scipy import sparse

    n_rows, n_columns, n_entries, form, field, _ = _market(_market_info, text)
    if n_rows != n_columns:
        raise TableError(
            "ragged", f"The matrix has {n_rows:,} rows and {n_columns:,} columns. {_SQUARE}"
        )
    if field == "complex":
        raise TableError(
            "not_a_table",
            "The matrix holds complex numbers, which are no weights. Save it as real.",
        )
    if n_rows > limits.n_rows or (form == "array" and n_rows * n_columns > limits.n_cells):
        raise TableError(
            "too_large", f"The matrix has {n_rows:,} rows, too many. Take a part of the graph."
        )
    if n_entries > len(text):  # the reader would make room for them
        raise TableError(
            "corrupt", "The matrix holds fewer entries than its size line says. Save it again."
        )
    weights = sparse.csr_array(_market(_market_matrix, text), dtype=float)
    if not np.isfinite(weights.data).all():
        raise TableError(
            "not_a_table", "The matrix holds weights that are infinite or no numbers. Correct them."
        )
    graph = matrix_graph([str(i + 1) for i in range(n_rows)], weights, directed)
    how = f"The file was read as a matrix of MatrixMarket: {n_rows:,} nodes, each entry an edge."
    return graph, [Note("format_guessed", how)]


def _market(read: Callable[[Any], Any], text: str) -> Any:
    """Read MatrixMarket with SciPy, which wants its name in capitals."""
    behind = text.lstrip("% \t\r\n")[len("MatrixMarket") :]
    try:
        return read(io.BytesIO(f"%%MatrixMarket{behind}".encode()))
    except (ValueError, OverflowError, TypeError, EOFError) as error:
        raise TableError(
            "corrupt", f"The matrix cannot be read: {str(error)[:100].rstrip('.')}. Save it again."
        ) from None


def _market_info(stream: Any) -> Any:
    from scipy.io import mminfo

    return mminfo(stream)


def _market_matrix(stream: Any) -> Any:
    from scipy.io import mmread

    return mmread(stream)
