"""Load a data set of the library by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd

from dmlib.datasets._files import data_path
from dmlib.datasets.catalogue import LIBRARY, DataKind, Entry
from dmlib.datasets.containers import (
    Baskets,
    GraphData,
    ImageData,
    NetworkData,
    Patterns,
    SeriesData,
    Strings,
    SurfaceData,
)
from dmlib.datasets.table import Kind, Table, infer_kinds

Data = (
    Table
    | Baskets
    | GraphData
    | SeriesData
    | Strings
    | ImageData
    | SurfaceData
    | Patterns
    | NetworkData
)

TRUE, FALSE = frozenset({"1", "yes", "TRUE"}), frozenset({"0", "no", "FALSE"})


def names(kind: DataKind = "table", *, numeric_target: bool = False) -> tuple[str, ...]:
    """Return the names of all data sets of one kind, in the order in which they are shown.

    Parameters
    ----------
    kind : {"table", "baskets", "graph", "series", "strings", "image", "surface", ...}
        What they are.
    numeric_target : bool
        Whether only those that have a number to predict.

    Examples
    --------
    >>> names("surface")[:6]
    ('bowl', 'ravine', 'saddle', 'rosenbrock', 'himmelblau', 'ripples')
    """
    entries = ((name, entry) for name, entry in LIBRARY.items() if entry.kind == kind)
    return tuple(name for name, entry in entries if entry.response or not numeric_target)


def load(name: str) -> Data:
    """Load a data set.

    Parameters
    ----------
    name : str
        A key of ``LIBRARY``.

    Returns
    -------
    Table, Baskets, GraphData, SeriesData, Strings, ImageData, SurfaceData, Patterns or NetworkData
        A new object at each call, as the entry's ``kind`` says.

    Raises
    ------
    ValueError
        If there is no such data set.

    Examples
    --------
    >>> load("iris").frame.shape
    (150, 5)
    >>> load("nile_flow").names
    ('volume',)
    """
    if name not in LIBRARY:
        raise ValueError(f"There is no data set {name!r}. Choose one of {', '.join(LIBRARY)}.")
    entry = LIBRARY[name]
    about: dict[str, Any] = {
        "name": name,
        "title": entry.title,
        "description": entry.description,
        "source": entry.source,
        "licence": entry.licence,
    }
    return _LOADERS[entry.kind](name, entry, about)


def _table(name: str, entry: Entry, about: Mapping[str, Any]) -> Table:
    frame = _packaged(entry) if entry.installed else _file(name, entry)
    return Table(frame, infer_kinds(frame) | _ordinal(entry), target=entry.target, **about)


def _baskets(_: str, entry: Entry, about: Mapping[str, Any]) -> Baskets:
    if entry.installed:
        return Baskets(_installed(entry.installed).transactions, **about)
    transactions = entry.transactions or _transactions(_frame(entry.table), entry.items)
    return Baskets(tuple(map(frozenset, transactions)), **about)


def _graph(_: str, entry: Entry, about: Mapping[str, Any]) -> GraphData:
    return GraphData(_installed(entry.installed), target=entry.target, **about)


def _series(_: str, entry: Entry, about: Mapping[str, Any]) -> SeriesData:
    frame = _frame(entry.table)
    times = frame[entry.time].to_numpy(float) if entry.time else np.arange(len(frame), dtype=float)
    values = tuple(frame[column].to_numpy(float) for column in entry.values)
    return SeriesData(values, entry.values, (times,) * len(values), entry.time or "day", **about)


def _strings(name: str, entry: Entry, about: Mapping[str, Any]) -> Strings:
    if entry.installed:
        data = _installed(entry.installed)
        return Strings(data.texts, data.names, data.classes, **about)
    frame = _file(name, entry)
    classes = tuple(frame["class"]) if "class" in frame else ()
    return Strings(tuple(frame["text"]), tuple(frame["name"]), classes, **about)


def _image(_: str, entry: Entry, about: Mapping[str, Any]) -> ImageData:
    return ImageData(np.asarray(_installed(entry.installed), np.uint8), **about)


def _surface(_: str, entry: Entry, about: Mapping[str, Any]) -> SurfaceData:
    x0, x1, y0, y1 = map(float, entry.domain)
    if not entry.loss:
        return SurfaceData(entry.formula, (x0, x1, y0, y1), **about)
    frame = _frame(entry.table)[list(entry.values)].dropna()
    columns = []
    for name in entry.values:
        numeric = pd.api.types.is_numeric_dtype(frame[name])
        column = (
            frame[name] if numeric else frame[name] == sorted(frame[name].unique())[-1]
        ).to_numpy(float)
        columns.append(
            (column - column.mean()) / column.std() if entry.scaled and numeric else column
        )
    return SurfaceData("", (x0, x1, y0, y1), entry.loss, np.column_stack(columns), **about)


def _patterns(_: str, entry: Entry, about: Mapping[str, Any]) -> Patterns:
    return Patterns(*_installed(entry.installed), **about)


def _network(_: str, entry: Entry, about: Mapping[str, Any]) -> NetworkData:
    return NetworkData(_installed(entry.installed), str(entry.target), **about)


_LOADERS: Mapping[DataKind, Callable[[str, Entry, Mapping[str, Any]], Data]] = {
    "table": _table,
    "baskets": _baskets,
    "graph": _graph,
    "series": _series,
    "strings": _strings,
    "image": _image,
    "surface": _surface,
    "patterns": _patterns,
    "network": _network,
}


def _installed(place: str, **options: Any) -> Any:
    """Return what a function of an installed package returns; the place may hold its argument."""
    module, function, *arguments = place.split(":")
    return getattr(import_module(module), function)(*arguments, **options)


def _packaged(entry: Entry) -> pd.DataFrame:
    """Return a table that is drawn by this package, or that comes with another one."""
    if entry.installed.startswith("dmlib."):
        frame: pd.DataFrame = _installed(entry.installed)
        return frame
    return _bunch(entry)


def _bunch(entry: Entry) -> pd.DataFrame:
    """Read one of scikit-learn's tables, with column names and classes in words."""
    # The diabetes table comes standardised unless asked for otherwise.
    options = {"scaled": False} if entry.installed.endswith("load_diabetes") else {}
    bunch = _installed(entry.installed, as_frame=True, **options)
    frame: pd.DataFrame = bunch.frame.rename(columns={"target": entry.target})
    frame.columns = [column.replace(" ", "_").replace("/", "_") for column in frame.columns]
    for column, levels in entry.levels.items():
        codes = frame[column].astype(int)
        frame[column] = pd.Categorical.from_codes(codes - codes.min(), list(levels))
    return frame


def _frame(name: str) -> pd.DataFrame:
    """Return the table of another entry."""
    return _table(name, LIBRARY[name], {"name": name}).frame


def _file(name: str, entry: Entry) -> pd.DataFrame:
    # Only an empty cell is missing: "none" is a kind of lens.
    frame = pd.read_csv(
        data_path(f"{name}.csv"),
        dtype=dict.fromkeys(entry.levels, "str"),
        keep_default_na=False,
        na_values=[""],
        encoding="utf-8",
    )
    if entry.count:
        frame = frame.loc[frame.index.repeat(frame.pop(entry.count))].reset_index(drop=True)
    for column, levels in entry.levels.items():
        frame[column] = pd.Categorical(frame[column], list(levels), ordered=column in entry.ordinal)
    return frame


def _transactions(frame: pd.DataFrame, columns: tuple[str, ...]) -> list[list[str]]:
    """Return each row as its items: a trait that it has, or a column and its value."""
    baskets: list[list[str]] = [[] for _ in range(len(frame))]
    for column in columns or frame.columns:
        levels = frame[column].cat.categories
        binary = set(levels) <= TRUE | FALSE
        item = {
            level: ("" if level in FALSE else column) if binary else f"{column}={level}"
            for level in levels
        }
        for basket, value in zip(baskets, frame[column], strict=True):
            if item.get(value):
                basket.append(item[value])
    return baskets


def _ordinal(entry: Entry) -> dict[str, Kind]:
    return dict.fromkeys(entry.ordinal, "ordinal")
