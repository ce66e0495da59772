"""Load a data set of the library by its name."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any, Literal

import pandas as pd

from dmlib.datasets._files import data_path
from dmlib.datasets.catalogue import LIBRARY, Entry
from dmlib.datasets.table import Baskets, GraphData, Kind, Table, infer_kinds


def names(kind: Literal["table", "baskets", "graph"] = "table") -> tuple[str, ...]:
    """Return the names of all data sets of one kind, in the order in which they are shown.

    Examples
    --------
    >>> names("baskets")
    ('planted_baskets',)
    """
    return tuple(name for name, entry in LIBRARY.items() if entry.kind == kind)


def load(name: str) -> Table | Baskets | GraphData:
    """Load a data set.

    Parameters
    ----------
    name : str
        A key of ``LIBRARY``.

    Returns
    -------
    Table, Baskets or GraphData
        A new object at each call, as the entry's ``kind`` says.

    Raises
    ------
    ValueError
        If there is no such data set.

    Examples
    --------
    >>> load("iris").frame.shape
    (150, 5)
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
    if entry.kind == "baskets":
        baskets: Baskets = _installed(entry.installed)()
        return replace(baskets, **about)
    if entry.kind == "graph":
        return GraphData(_installed(entry.installed)(), target=entry.target, **about)
    frame = _bunch(entry) if entry.installed else _file(name, entry)
    return Table(frame, _kinds(frame, entry), target=entry.target, **about)


def _installed(place: str) -> Any:
    module, function = place.split(":")
    return getattr(import_module(module), function)


def _bunch(entry: Entry) -> pd.DataFrame:
    """Read one of scikit-learn's tables, with column names and classes in words."""
    # The diabetes table comes standardised unless asked for otherwise.
    options = {"scaled": False} if entry.installed.endswith("load_diabetes") else {}
    bunch = _installed(entry.installed)(as_frame=True, **options)
    frame: pd.DataFrame = bunch.frame.rename(columns={"target": entry.target})
    frame.columns = [column.replace(" ", "_").replace("/", "_") for column in frame.columns]
    for column, levels in entry.levels.items():
        codes = frame[column].astype(int)
        frame[column] = pd.Categorical.from_codes(codes - codes.min(), list(levels))
    return frame


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


def _kinds(frame: pd.DataFrame, entry: Entry) -> dict[str, Kind]:
    return infer_kinds(frame) | dict.fromkeys(entry.ordinal, "ordinal")
