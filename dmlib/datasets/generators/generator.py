"""A generator of data, and what a page needs to offer it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dmlib.datasets.catalogue import DataKind
from dmlib.params import Param


@dataclass(frozen=True)
class Generator:
    """A function that makes data, and what a page needs to offer it.

    Attributes
    ----------
    title : str
        A few words.
    function : callable
        Returns the data; its signature holds the defaults, its docstring the help texts.
    params : mapping of str to Param
        The bounds of its parameters, without ``random_state``.
    description : str
        One sentence: what the data show.
    kind : {"table", "baskets", "graph", "series", "strings", "patterns"}
        What it makes.
    numeric_target : bool
        Whether that is a table whose target is a number, not a class.
    purpose : str
        What the data are for, where they mean something to few techniques only.
    """

    title: str
    function: Callable[..., Any]
    params: Mapping[str, Param]
    description: str
    kind: DataKind = "table"
    numeric_target: bool = False
    purpose: str = ""
