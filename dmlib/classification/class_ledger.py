"""Tables with a row for each class of the data, those without training rows included."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from numpy.typing import NDArray

from dmlib.pictures.ledger import Cell, LedgerTable, class_table
from dmlib.problem import Problem


def table_by_class(
    problem: Problem,
    codes: NDArray[Any],
    columns: Mapping[str, Iterable[Any]],
    title: str,
    *,
    absent: Cell = None,
    best: int | None = None,
) -> LedgerTable:
    """Return a table with a row for each class.

    Parameters
    ----------
    problem : Problem
        The data.
    codes : array of int
        The classes that a classifier was trained on, ``classes_``.
    columns : mapping of str to iterable
        A cell for each of these classes, by heading.
    title : str
        The title.
    absent : str, int, float or None
        The cells of a class without training rows.
    best : int or None
        The place among ``codes`` of the class that is emphasised.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "c": list("xyz")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> table_by_class(problem, np.array([0, 2]), {"rows": [5, 3]}, "Classes", absent=0).rows
    [['x', 5], ['y', 0], ['z', 3]]
    """
    rows: list[list[Cell]] = [[name, *[absent] * len(columns)] for name in problem.classes]
    for code, *cells in zip(codes, *columns.values(), strict=True):
        rows[code][1:] = cells
    emphasis = [] if best is None else [int(codes[best])]
    return class_table(("class", *columns), rows, title, emphasis)
