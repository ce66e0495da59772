"""Catalogue of the library: facts about each data set, readable without loading any of it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from dmlib.datasets._files import data_path

DataKind = Literal[
    "table", "baskets", "graph", "series", "strings", "image", "surface", "patterns", "network"
]
"""What a data set is."""

_SIZES: Mapping[DataKind, tuple[str, str]] = {
    "table": ("rows", "columns"),
    "baskets": ("baskets", "items"),
    "graph": ("nodes", "edges"),
    "series": ("values", "series"),
    "strings": ("texts", "classes"),
    "image": ("rows", "columns of pixels"),
    "surface": ("variables", "value"),
    "patterns": ("patterns", "cells"),
    "network": ("nodes", "edges"),
}


@dataclass(frozen=True)
class Entry:
    """One data set of the library.

    Attributes
    ----------
    title, description : str
        A few words, and one sentence.
    rows, columns : int
        The size: of a table its rows and columns, of baskets their number and the number of items,
        of a graph or a network nodes and edges, of series the length of the longest and how many
        there are, of strings texts and classes, of an image rows and columns of pixels, of patterns
        their number and their cells.
    source, licence : str
        Who made it, and on what terms it is passed on.
    kind : {"table", "baskets", "graph", "series", "strings", "image", "surface", ...}
        What `load` returns: `Table`, `Baskets`, `GraphData`, `SeriesData`, `Strings`, `ImageData`,
        `SurfaceData`; of "patterns" `Patterns`, of "network" `NetworkData`.
    target : str or None
        The column (of a graph: the node attribute) that is predicted or holds the known groups; of
        a network, the node that is asked about first.
    response : str or None
        The column of numbers that a regression predicts; the target, if that holds numbers.
    features : tuple of (str, str)
        Two numeric columns for a first look in the plane; empty where there are none.
    levels : mapping of str to tuple of str
        The values of nominal columns, in the order in which they are declared and shown.
    ordinal : tuple of str
        The columns whose levels, or numbers, are ordered.
    installed : str
        Where an installed package has it, as "module:function" or "module:function:argument".
    count : str
        The column of the file that says how often a row occurs; empty where each row stands for
        itself.
    numeric_target : bool
        Whether the target is a number to predict, not a class.
    table : str
        The table of the library that baskets, series or a loss are made from.
    items : tuple of str
        The columns of that table that become items; empty for all nominal ones.
    values, time : tuple of str, and str
        The columns of that table that are the series (of a loss: input and target), and the one
        that holds the times; empty for 0, 1, 2, ...
    transactions : tuple of tuple of str
        The baskets, where they are so few that they stand here.
    formula, domain : str, and tuple of (float, float, float, float)
        Of a surface: what is computed of x and y, and where it is shown.
    loss : str
        Of a surface: the loss of a model whose input and target are the two ``values`` of
        ``table``.
    scaled : bool
        Whether the numbers of these columns are standardised first.
    """

    title: str
    description: str
    rows: int
    columns: int
    source: str
    licence: str
    kind: DataKind = "table"
    target: str | None = None
    response: str | None = None
    features: tuple[str, ...] = ()
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ordinal: tuple[str, ...] = ()
    installed: str = ""
    count: str = ""
    numeric_target: bool = False
    table: str = ""
    items: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    time: str = ""
    transactions: tuple[tuple[str, ...], ...] = ()
    formula: str = ""
    domain: tuple[float, ...] = ()
    loss: str = ""
    scaled: bool = False

    @property
    def size(self) -> str:
        """The size in words."""
        rows, columns = _SIZES[self.kind]
        return f"{self.rows} {rows}, {self.columns} {columns}"

    @property
    def stored(self) -> bool:
        """Whether it is a file of its own in assets/data."""
        return not (self.installed or self.table or self.transactions or self.formula)


def _entry(kind: DataKind, fields: Mapping[str, Any]) -> Entry:
    facts = {name: _frozen(value) for name, value in fields.items()}
    if facts.get("numeric_target"):
        facts.setdefault("response", facts["target"])
    return Entry(kind=kind, **facts)


def _frozen(value: Any) -> Any:
    """Return lists as tuples, all the way down."""
    if isinstance(value, dict):
        return {name: _frozen(part) for name, part in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _library() -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    for kind in get_args(DataKind):
        text = data_path(f"catalogue/{kind}.toml").read_text(encoding="utf-8")
        entries |= {name: _entry(kind, fields) for name, fields in tomllib.loads(text).items()}
    return entries


LIBRARY: Mapping[str, Entry] = _library()
"""The data sets by name, kind by kind, in the order in which they are shown."""
