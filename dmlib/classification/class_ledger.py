"""Tables with a row for each class of the data, those without training rows included."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.class_weight import compute_class_weight

from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, class_table
from dmlib.pictures.words import num
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


def prior_text(name: str, n: float, total: float, prior: float, *, is_set: bool) -> str:
    """Return the prior of a class as the share that it is, or as set.

    Examples
    --------
    >>> prior_text("prior", 3, 4, 0.75, is_set=False), prior_text("prior", 3, 4, 0.5, is_set=True)
    ('prior = 3 / 4 = 0.75', 'prior = 0.5 as set (share of the rows: 3 / 4 = 0.75)')
    """
    share = f"{n:g} / {total:g} = {num(n / total)}"
    return (
        f"{name} = {num(prior)} as set (share of the rows: {share})"
        if is_set
        else f"{name} = {share}"
    )


def class_weight_blocks(
    class_weight: Any, problem: Problem, meaning: str, cases: NDArray[Any] | None = None
) -> Blocks:
    """Return what a row of each class weighs; nothing where all weigh the same.

    Parameters
    ----------
    class_weight : mapping, "balanced" or None
        The parameter of a classifier.
    problem : Problem
        The data.
    meaning : str
        What the weights change.
    cases : ndarray of shape (n_samples,), optional
        How many rows each training row stands for, if not one.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "c": list("xxy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> table, _ = class_weight_blocks("balanced", problem, "The weights count in the error.")
    >>> table.rows
    [['x', 2, '3 / (2 · 2)', 0.75], ['y', 1, '3 / (2 · 1)', 1.5]]
    """
    if class_weight is None:
        return []
    y = problem.training.y
    assert y is not None
    codes, counts = np.unique(y, return_counts=True)
    if cases is not None:
        counts = np.array([cases[y == code].sum() for code in codes])
    n = int(counts.sum())
    weights = compute_class_weight(class_weight, classes=codes, y=y)
    if cases is not None and class_weight == "balanced":
        weights = n / (len(codes) * counts)
    columns: dict[str, Iterable[Any]] = {"rows": counts.tolist()}
    if class_weight == "balanced":
        columns["n / (classes · rows)"] = [f"{n} / ({len(codes)} · {m:g})" for m in counts]
    columns["weight"] = map(float, weights)
    return [table_by_class(problem, codes, columns, "Class weights"), Formula(meaning)]
