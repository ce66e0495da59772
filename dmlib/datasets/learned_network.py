"""A Bayesian network whose edges are given, with tables that are counted in the rows of a table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.datasets.containers import NetworkData
from dmlib.datasets.networks import MAX_VALUES, NetworkNode, in_order
from dmlib.datasets.table import Note, TableError
from dmlib.trace import look

MAX_EDGES_TEXT = 2000
"""Characters of the edges that are typed."""

MAX_COLUMNS = 20
"""Columns of a table between which edges are drawn."""
EXAMPLE = "A -> B; C -> B"
_MAX_LISTED = 12
MAX_KEPT = 5
"""Different numbers of a column that are its values; of more, intervals are."""
_ARROW = re.compile("->|→")
_END = re.compile("[;\n]")
_SIGN = re.compile("->|[→;\n]")


def learn_network(
    frame: pd.DataFrame, edges: str, *, laplace: float = 1.0, n_bins: int = 3
) -> NetworkData:
    """Count the tables of a network, given its edges, in the rows of a table.

    Parameters
    ----------
    frame : DataFrame
        The rows. A column of numbers is cut into intervals, if they are more than five.
    edges : str
        Edges such as ``A -> B; C -> B``, also in chains, ``A -> B -> C``; a name alone is a node
        without edges. Columns that are not named are left out.
    laplace : float
        Added to each count. A state of the parents that no row has gets equal probabilities if it
        is 0.
    n_bins : int
        The number of equal-frequency intervals of a column of numbers, at most.

    Returns
    -------
    NetworkData
        The network; the last node is asked about first.

    Raises
    ------
    TableError
        If an edge names no column, edges make a cycle, a column has a single value, or the network
        is too large.

    Notes
    -----
    Of each table, rows are left out in which the column or one of its parents is missing. Without
    smoothing these are the probabilities with the largest likelihood; ``laplace`` makes them the
    mean of the posterior under a Dirichlet prior.

    References
    ----------
    D. J. Spiegelhalter and S. L. Lauritzen (1990), Sequential updating of conditional probabilities
    on directed graphical structures. Networks 20.

    Examples
    --------
    >>> frame = pd.DataFrame({"rain": list("yyn"), "grass": list("wwd")})
    >>> rain, grass = learn_network(frame, "rain -> grass", laplace=1).nodes
    >>> rain.values, rain.table.round(2).tolist(), grass.table.round(2).tolist()
    (('n', 'y'), [0.4, 0.6], [[0.67, 0.33], [0.25, 0.75]])
    """
    names = [str(name) for name in frame.columns]
    parents = parse_edges(edges, names)
    if len(set(names)) < len(names):
        raise TableError("same_names", "Two columns have the same name. Rename one.")
    read = {name: _read(frame.iloc[:, names.index(name)], n_bins) for name in parents}
    _check_values({name: values for name, (values, _) in read.items()})
    nodes, n_unseen = [], 0
    for name, above in parents.items():
        look()
        shape = tuple(len(read[each][0]) for each in (*above, name))
        places = np.array([read[each][1] for each in (*above, name)])
        counts = np.zeros(shape)
        np.add.at(counts, tuple(places[:, (places >= 0).all(axis=0)]), 1.0)
        totals = counts.sum(axis=-1, keepdims=True) + laplace * shape[-1]
        n_unseen += int((totals == 0).sum())
        shares = np.divide(
            counts + laplace, totals, out=np.full(shape, 1 / shape[-1]), where=totals > 0
        )
        nodes.append(NetworkNode(name, read[name][0], above, shares))
    text = f"{n_unseen} states of parents have no rows: their probabilities are equal."
    notes = (Note("no_rows", text),) if n_unseen else ()
    ordered = in_order(nodes)
    return NetworkData(
        ordered,
        ordered[-1].name,
        node_columns(frame, n_bins),
        name="learned_network",
        title="Learned network",
        description="Edges that you gave, and tables that were counted.",
        source="Your edges.",
        licence="Yours.",
        notes=notes,
    )


def node_columns(frame: pd.DataFrame, n_bins: int = 3) -> tuple[str, ...]:
    """Return the names of the columns that can be nodes; of a broad table none.

    They have from 2 to 100 values, or intervals, and names that can be typed.

    Examples
    --------
    >>> node_columns(pd.DataFrame({"rain": list("yyn"), "year": [2024] * 3, "a -> b": list("xyx")}))
    ('rain',)
    """
    names = [str(name) for name in frame.columns]
    if len(names) > MAX_COLUMNS:
        return ()
    read = {name: _read(frame.iloc[:, i], n_bins)[0] for i, name in enumerate(names)}
    return tuple(
        name
        for name, values in read.items()
        if 1 < len(values) == len(set(values)) <= MAX_VALUES and _can_be_typed(name)
    )


def _read(column: pd.Series, n_bins: int) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """Return the values of a column, or its intervals, and their numbers; -1 where one is missing.

    Examples
    --------
    >>> values, codes = _read(pd.Series([1.0, 2.0, 4.0, 8.0, 16.0, None, 32.0]), 2)
    >>> values, codes.tolist()
    (('up to 6', 'above 6'), [0, 0, 0, 1, 1, -1, 1])
    """
    is_number = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    if is_number:
        numbers = column.where(np.isfinite(column.to_numpy(float, na_value=np.nan)))
        if numbers.nunique() > MAX_KEPT:
            codes, cuts = pd.qcut(numbers, n_bins, labels=False, retbins=True, duplicates="drop")
            texts = [f"{cut:.12g}" for cut in cuts]
            inner = [f"{low} to {high}" for low, high in pairwise(texts[1:-1])]
            values = (f"up to {texts[1]}", *inner, f"above {texts[-2]}") if len(texts) > 2 else ()
            return values, codes.fillna(-1).to_numpy(np.intp)
        column = numbers.map(lambda number: f"{number:.12g}", na_action="ignore").astype(object)
    categories = pd.Categorical(column).remove_unused_categories()
    return tuple(map(str, categories.categories)), categories.codes.astype(np.intp)


def _check_values(values: Mapping[str, Sequence[str]]) -> None:
    from dmlib.problem.network import check_states  # it loads SciPy

    for name, own in values.items():
        if len(own) < 2:
            raise TableError(
                "values", f"{name} has a single value, or interval. Leave it out of the edges."
            )
        if len(own) > MAX_VALUES:
            raise TableError(
                "values",
                f"{name} has {len(own):,} values; a node has at most {MAX_VALUES}. Leave it out.",
            )
        if len(set(own)) < len(own):
            raise TableError("values", f"Two values of {name} look alike. Rename one.")
    try:
        check_states(values)
    except ValueError as error:
        raise TableError("too_large", str(error)) from None


def parse_edges(text: str, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the parents of each node that edges name, in the order in which they are named.

    Raises
    ------
    TableError
        If there is no edge, a name is none of the ``names``, or one node is its own parent.

    Examples
    --------
    >>> parse_edges("A -> B; C -> B", ["A", "B", "C"])
    {'A': (), 'B': ('A', 'C'), 'C': ()}
    """
    listed = ", ".join(names[:_MAX_LISTED]) + (", …" if len(names) > _MAX_LISTED else "")
    if len(text) > MAX_EDGES_TEXT:
        raise TableError(
            "too_large", f"The edges have more than {MAX_EDGES_TEXT:,} characters. Name fewer."
        )
    parents: dict[str, tuple[str, ...]] = {}
    for chain in filter(None, map(str.strip, _END.split(text))):
        last = ""
        for node in map(str.strip, _ARROW.split(chain)):
            if node not in names:
                raise TableError(
                    "unknown_variable",
                    f"The table has no column {node[:60]!r}. Type edges such as “{EXAMPLE}”"
                    f" between these: {listed}.",
                )
            if node == last:
                raise TableError("cycle", f"{node} is its own parent. Remove this edge.")
            above = parents.setdefault(node, ())
            if last and last not in above:
                parents[node] = (*above, last)
            last = node
    if not parents:
        raise TableError(
            "no_rows", f"Type edges such as “{EXAMPLE}” between these columns: {listed}."
        )
    return parents


def edges_text(parents: Mapping[str, Sequence[str]]) -> str:
    """Return edges as they are typed, the inverse of :func:`parse_edges`.

    Parameters
    ----------
    parents : mapping of str to sequence of str
        The parents of each node.

    Examples
    --------
    >>> edges_text({"A": (), "B": ("A", "C"), "C": (), "D": ()})
    'A -> B; C -> B; D'
    """
    edges = [(parent, node) for node, above in parents.items() for parent in above]
    ends = {name for edge in edges for name in edge}
    return "; ".join([*map(" -> ".join, edges), *(name for name in parents if name not in ends)])


def _can_be_typed(name: str) -> bool:
    """Return whether a text of edges can have the name of a column.

    Examples
    --------
    >>> _can_be_typed("chest pain"), _can_be_typed("dose -> 1 h")
    (True, False)
    """
    return name == name.strip() != "" and not _SIGN.search(name)
