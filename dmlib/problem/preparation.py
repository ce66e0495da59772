"""From a table and the choices of its reader to the problem of an algorithm."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.problem.columns import (
    SENTENCES,
    Holes,
    Scaling,
    check_size,
    constant_notes,
    filled_note,
    missing_notes,
    numbers,
    scale,
    typical,
)
from dmlib.problem.table import Problem
from dmlib.problem.target import held_out, known_target, learned_target
from dmlib.problem.view import plane


def prepare(
    frame: pd.DataFrame,
    features: Sequence[str],
    *,
    scaling: Scaling = "none",
    view: Sequence[str] | Literal["pca"] | None = None,
    target: str | None = None,
    labelled: bool = False,
    numeric_target: bool = False,
    positive: str | None = None,
    test_size: float = 0.0,
    random_state: int = 0,
    holes: Holes = "drop",
) -> Problem:
    """Choose columns, drop rows with holes, scale, and choose the plane to look at.

    Parameters
    ----------
    frame : DataFrame
        The table.
    features : sequence of str
        The columns that the algorithm uses. A column that does not hold numbers is nominal.
    scaling : {"none", "z-score", "min-max"}
        ``z-score`` divides by the standard deviation with n - 1, as R's ``scale``. Only the samples
        that are learned from say how, and nominal columns and the target stay as they are.
    view : pair of str or "pca", optional
        Two of the features, or the first two principal components; by default the first two
        features.
    target : str, optional
        A column of known classes, or of numbers to predict.
    labelled : bool
        Whether the classes are learned: a row without a class is then left out.
    numeric_target : bool
        Whether the target is a number, which is then learned: a row without it is left out. Over a
        single feature it is the height of the points.
    positive : str, optional
        The class that is told from all the others: it gets the code 1, they get 0.
    test_size : float
        The share that is held out: of each class, at most so many that one sample of it is left; of
        numbers, at most so many that two are left.
    random_state : int
        Seed of the choice of those.
    holes : {"drop", "fill", "keep"}
        What becomes of missing values: ``drop`` leaves out their rows, ``fill`` puts the mean of
        the column in their place (of the training rows; in a nominal column the most frequent
        category), ``keep`` leaves them to an algorithm that skips them.

    Returns
    -------
    Problem
        What the algorithm gets, with notes on what was done.

    Raises
    ------
    ValueError
        If nothing is left to work on; the sentence says why and what to do.

    Examples
    --------
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [3.0, None, 5.0]})
    >>> problem = prepare(frame, ["a", "b"], scaling="min-max")
    >>> problem.X.tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    >>> problem.notes[0]
    '1 of 3 rows has a missing value in the chosen columns and is left out.'

    Nominal columns become codes, and a data frame again for the algorithms that can use them:

    >>> frame = pd.DataFrame({"sky": ["sun", "rain", "sun"], "play": ["yes", "no", "yes"]})
    >>> problem = prepare(frame, ["sky"], target="play", labelled=True)
    >>> problem.X.ravel().tolist(), problem.categories, problem.y.tolist()
    ([1.0, 0.0, 1.0], {0: ('rain', 'sun')}, [1, 0, 1])

    A number that is predicted from a single column is the height of its point:

    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [5.0, None, 9.0]})
    >>> problem = prepare(frame, ["x"], target="y", numeric_target=True)
    >>> problem.points.tolist(), problem.plane.labels
    ([[1.0, 5.0], [3.0, 9.0]], ('x', 'y'))
    """
    if not features:
        raise ValueError("No column is chosen. Choose at least one, or another data set.")
    learned = labelled or numeric_target
    has_target, notes = known_target(frame, target if learned else None, numeric_target)
    raw, categories = numbers(frame, features)
    rows = _rows(raw, has_target, holes)
    X = raw[rows]
    if holes != "fill":
        notes += missing_notes(int(has_target.sum()), X)
    check_size(features, X)
    notes += constant_notes(features, X)
    y, classes = learned_target(
        frame, target, rows, labelled=labelled, numeric_target=numeric_target, positive=positive
    )
    test = _test_rows(y, test_size, random_state)
    training = np.ones(len(X), bool) if test is None else ~test
    if holes == "fill" and np.isnan(X).any():
        notes.append(filled_note(X))
        X = np.where(np.isnan(X), typical(X[training], categories), X)
    numeric = [j for j in range(len(features)) if j not in categories]
    shift = unit = None
    if numeric:
        notes.append(SENTENCES[scaling])
        shift, unit = _scale_of(X[training], scaling, numeric)
    if shift is not None and unit is not None:
        X = (X - shift) / unit
    if test is not None:
        notes.append(f"{training.sum()} rows are training rows and {test.sum()} are test rows.")
    problem = Problem(
        X,
        tuple(features),
        plane(X, features, view, scaling, categories),
        rows,
        y,
        classes,
        tuple(notes),
        None,
        categories,
        test,
        shift,
        unit,
        labelled=learned,
        target=target or "",
        ordered=_ordered(frame, features, categories),
        source=frame,
    )
    return _upright(problem)


def _scale_of(
    X: NDArray[np.float64], scaling: Scaling, numeric: list[int]
) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]:
    """Return shift and unit of each column; None without scaling."""
    return (None, None) if scaling == "none" else scale(X, scaling, numeric)


def _test_rows(
    y: NDArray[Any] | None, test_size: float, random_state: int
) -> NDArray[np.bool_] | None:
    """Return a mask of the test rows; None if there are none."""
    return None if y is None or not test_size else held_out(y, test_size, random_state)


def _ordered(
    frame: pd.DataFrame, features: Sequence[str], categories: Iterable[int]
) -> tuple[int, ...]:
    """Return the nominal columns whose categories are levels in their order."""
    dtypes = {j: frame[features[j]].dtype for j in categories}
    return tuple(
        j
        for j, dtype in dtypes.items()
        if isinstance(dtype, pd.CategoricalDtype) and bool(dtype.ordered)
    )


def _upright(problem: Problem) -> Problem:
    """Return the problem, whose plane has the target as its second axis where it is upright."""
    if not problem.upright:
        return problem
    labels = (problem.plane.labels[0], problem.target)
    return replace(problem, plane=replace(problem.plane, labels=labels))


def _rows(
    raw: NDArray[np.float64], has_target: NDArray[np.bool_], holes: Holes
) -> NDArray[np.intp]:
    """Return the rows with a target and, unless holes are handled, without missing values."""
    is_usable = has_target & np.isfinite(raw).all(axis=1) if holes == "drop" else has_target
    rows = np.flatnonzero(is_usable)
    if len(rows) < 2:
        unit = "row" if len(raw) == 1 else "rows"
        are = "is" if len(rows) == 1 else "are"
        raise ValueError(
            f"Of {len(raw)} {unit}, {len(rows)} {are} complete in the chosen columns; at least 2"
            " are needed. Choose columns with fewer missing values."
        )
    return rows
