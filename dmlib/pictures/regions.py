"""What the scenes of classifiers share: decision regions, the samples in their classes, errors, and the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.estimator import SupportsCertainty
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import LedgerTable
from dmlib.pictures.marks import PerFrame, Points, Raster
from dmlib.pictures.motion import at_last
from dmlib.pictures.plane import data_panel, data_points
from dmlib.pictures.scene import Handle, Key, Panel
from dmlib.pictures.words import num
from dmlib.problem import Problem, Query

DRAFT, FINE = (
    100,
    200,
)  # pixels along each side of an image of the plane: while a control moves, and at rest
COARSEST, QUICK = (
    48,
    750_000,
)  # pixels along each side of one that moves, at least; numbers compared for it, at most
FAINT, STRONG = (
    70,
    255,
)  # shade of a pixel where the classes are even, and where the classifier is sure
MOST_HELD = 3  # columns whose held values are named


def region_panel(problem: Problem) -> Panel:
    """Return the panel of the plane, filled: the regions go to its edges."""
    return data_panel(problem, equal=False)


def surface(problem: Problem, model: Any, size: int = DRAFT) -> Raster:
    """Classify every pixel of the plane.

    Parameters
    ----------
    problem : Problem
        Where the plane is.
    model : classifier
        Fitted; with ``certainty`` (classes and how sure it is), with ``predict_proba``, or of two
        classes with ``decision_function``.
    size : int
        Pixels along each side.

    Returns
    -------
    Raster
        In each pixel the winning class, the stronger the surer.
    """
    samples, pixel = image_samples(problem, model, size)
    winner, sure = decide(model, samples)
    return Raster(
        pixels=winner[pixel],
        shade=shade_of(sure)[pixel],
        width=size,
        height=size,
        extent=region_panel(problem).extent,
    )


def image_samples(problem: Problem, model: Any, size: int) -> tuple[Any, NDArray[np.intp]]:
    """Return the samples that a model is asked about for an image of the plane.

    Pixels whose answers are the same, between two thresholds of a tree or at one category, are
    asked about once.

    Returns
    -------
    samples : ndarray or DataFrame
        As the model gets them.
    pixel : ndarray of shape (size * size,)
        The sample of each pixel, row by row from the top left.
    """
    panel = region_panel(problem)
    x, column = _apart(_middles(panel.x.low, panel.x.high, size), problem, model, 0)
    y, row = _apart(_middles(panel.y.high, panel.y.low, size), problem, model, 1)
    return problem.table(problem.plane.lift_grid(x, y)), (row[:, None] * len(x) + column).ravel()


def coarse_surfaces(
    winner: Sequence[NDArray[np.uint8]],
    shade: Sequence[NDArray[np.uint8]],
    size: int,
    last: Raster | None,
    panel: Panel,
) -> list[Raster]:
    """Return the image of each frame, ``size`` pixels wide and high; where the last frame has a finer one, that too.

    ``winner`` and ``shade`` are, for each frame, the class of each pixel and how sure it is; empty
    for no image.
    """
    if last is not None:
        nothing, final = np.empty(0, np.uint8), len(winner) - 1
        frames = range(len(winner))
        winner, shade = (
            Deferred(lambda i, rows=rows: nothing if i == final else rows[i], frames)
            for rows in (winner, shade)
        )
    coarse = Raster(
        pixels=PerFrame(winner), shade=PerFrame(shade), width=size, height=size, extent=panel.extent
    )
    return [coarse, *last_surface(last, len(winner))]


def step_surfaces(
    image: tuple[NDArray[np.uint8], NDArray[np.uint8]] | None,
    size: int,
    final: Raster | None,
    panel: Panel,
) -> tuple[Raster, ...]:
    """Return the coarse image of a step and, if there is one, the finer image that takes its place at the end.

    Parameters
    ----------
    image : (ndarray of uint8, ndarray of uint8) or None
        The class of each pixel and how sure it is, both empty for no image; None at the end.
    size : int
        Its pixels along each side.
    final : Raster or None
        The image of the fitted classifier.
    panel : Panel
        The panel of the plane.

    Examples
    --------
    >>> from dmlib.pictures.scene import Axis
    >>> panel = Panel("data", Axis("x", 0, 2), Axis("y", 0, 2))
    >>> final = Raster(pixels=[0, 1, 0, 1], shade=[255] * 4, width=2, height=2, extent=panel.extent)
    >>> pixel = np.zeros(1, np.uint8)
    >>> [len(each.pixels) for each in step_surfaces((pixel, pixel), 1, final, panel)]
    [1, 0]
    >>> [len(each.pixels) for each in step_surfaces(None, 1, final, panel)]
    [0, 4]
    """
    nothing = np.empty(0, np.uint8)
    pixels, shade = (nothing, nothing) if image is None else image
    coarse = Raster(pixels=pixels, shade=shade, width=size, height=size, extent=panel.extent)
    if final is None:
        return (coarse,)
    return coarse, final if image is None else replace(final, pixels=nothing, shade=nothing)


def last_surface(last: Raster | None, frames: int) -> list[Raster]:
    """Return an image, if there is one, that is drawn in the last frame only."""
    if last is None:
        return []
    return [replace(last, pixels=at_last(last.pixels, frames), shade=at_last(last.shade, frames))]


def work(problem: Problem, model: Any, size: int) -> int:
    """Return how many numbers are compared for an image of the plane: a measure of its cost that no machine changes.

    Parameters
    ----------
    problem : Problem
        Where the plane is.
    model : classifier
        Fitted. Those that keep rows compare each place with all of them; networks send it through
        all their weights, and many trees down all their levels; the others look at its columns
        once.
    size : int
        Pixels along each side.

    Returns
    -------
    int
        Pixels x rows x columns, pixels x weights, or pixels x levels.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from dmlib.datasets import load
    >>> from dmlib.problem import prepare
    >>> problem = prepare(load("iris").frame, ["sepal_length", "petal_length"], target="species", labelled=True)
    >>> work(problem, SimpleNamespace(n_samples_fit_=5), 10), work(problem, SimpleNamespace(), 10)
    (1000, 200)
    >>> work(problem, SimpleNamespace(estimators_=[SimpleNamespace(tree_=SimpleNamespace(max_depth=4))] * 50), 10)
    20000
    """
    kept = getattr(model, "n_samples_fit_", 0) or len(getattr(model, "support_", ()))
    n_weights = sum(np.size(W) for W in getattr(model, "coefs_", ()))
    trees = (getattr(each, "tree_", None) for each in getattr(model, "estimators_", ()))
    n_levels: int = sum(tree.max_depth for tree in trees if tree is not None)
    return size * size * max(n_weights, n_levels, max(1, kept) * len(problem.features))


def affordable(problem: Problem, model: Any, size: int) -> int:
    """Return how many pixels along each side, at most ``size``, an image may have that another one soon replaces.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> problem = SimpleNamespace(features=("a", "b"))
    >>> [affordable(problem, SimpleNamespace(n_samples_fit_=n), 100) for n in (10, 100, 1000)]
    [100, 61, 48]
    """
    pixels = QUICK / work(problem, model, 1)
    return min(size, max(COARSEST, int(pixels**0.5)))


def decide(model: Any, X: Any) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Return the winning class of each row, and how sure the model is: 0 where the best two are even, up to 1.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> winner, sure = decide(GaussianNB().fit([[0.0], [1.0], [9.0], [10.0]], [0, 0, 1, 1]), [[0.5], [5.0]])
    >>> winner.tolist(), sure.round(3).tolist()
    ([0, 0], [1.0, 0.0])
    """
    if isinstance(model, SupportsCertainty):
        winner, sure = model.certainty(X)
        return winner.astype(np.uint8), sure
    classes = np.asarray(model.classes_)
    if hasattr(model, "predict_proba"):
        winner, sure = surest(np.nan_to_num(model.predict_proba(X)))
        return classes[winner].astype(np.uint8), sure
    decision = np.nan_to_num(model.decision_function(X))
    return classes[(decision > 0).astype(int)].astype(np.uint8), np.clip(np.abs(decision), 0.0, 1.0)


def surest(shares: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the class of each row with the largest share, by its place, and by how much that is the largest.

    Examples
    --------
    >>> winner, sure = surest(np.array([[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]]))
    >>> winner.tolist(), sure.tolist()
    ([0, 1], [0.25, 0.0])
    """
    second, first = np.sort(np.column_stack([shares, np.zeros(len(shares))]), axis=1)[:, -2:].T
    return shares.argmax(axis=1), np.clip(first - second, 0.0, 1.0)


def shade_of(sure: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return how strong a pixel is whose answer is so sure: the surer, the stronger."""
    return (FAINT + (STRONG - FAINT) * sure).astype(np.uint8)


def _middles(start: float, end: float, n: int) -> NDArray[np.float64]:
    edges = np.linspace(start, end, n + 1)
    return (edges[:-1] + edges[1:]) / 2


def _apart(
    middles: NDArray[np.float64], problem: Problem, model: Any, axis: int
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return the places along an axis that can get different answers, and which of them each pixel is at."""
    direction, names = problem.plane.basis[axis], problem.plane.ticks[axis]
    if not direction.any():
        return middles[:1], np.zeros(len(middles), np.intp)
    if names:
        return np.unique(middles.round().clip(0, len(names) - 1), return_inverse=True)
    columns, asked = np.flatnonzero(direction).tolist(), getattr(model, "tree_", model)
    cuts = asked.cuts(columns[0]) if len(columns) == 1 and hasattr(asked, "cuts") else None
    if cuts is None:
        return middles, np.arange(len(middles))
    values = problem.plane.base[columns[0]] + middles * direction[columns[0]]
    _, first, place = np.unique(
        np.sort(cuts).searchsorted(values), return_index=True, return_inverse=True
    )
    return middles[first], place


def class_points(problem: Problem, **more: Any) -> Points:
    """Return the mark of the samples in the colours of their classes; those that are held out are hollow."""
    return data_points(problem, color=problem.y, classes=problem.classes, **more)


def class_legend(problem: Problem) -> tuple[Key, ...]:
    """Return the legend of the classes, and of the samples that are held out."""
    keys = tuple(Key(name, code) for code, name in enumerate(problem.classes))
    return keys if problem.test is None else (*keys, Key("held out", hollow=True))


def query_handle(query: Query | None) -> Handle:
    """Return the handle of the place that is asked about; without one, the panel waits for a click."""
    x, y = query.place if query else (None, None)
    return Handle(
        "query", "data", "query" if query is None or query.sample is None else "", "point", x, y
    )


def query_table(problem: Problem, query: Query) -> LedgerTable:
    """Return the values of the query, column by column."""
    values = [problem.value(j, x) for j, x in enumerate(query.x)]
    rows = [
        (name, "missing" if value is None else value)
        for name, value in zip(problem.features, values, strict=True)
    ]
    return LedgerTable(("column", "value"), rows, f"Asked about: {problem.name(query)}")


def errors(problem: Problem, model: Any) -> list[tuple[str, float, float]]:
    """Return the name of the training set and of the test set, their size, and how much of it a classifier gets wrong.

    Grouped data are counted as often as their last column says.
    """
    found = []
    for name, part in evaluated(problem, model).items():
        counts = part.X[:, -1] if getattr(model, "grouped", False) else (part.y >= 0).astype(int)
        wrong = (model.predict(part.data) != part.y) & (part.y >= 0)
        found.append((name, counts.sum().item(), counts[wrong].sum().item()))
    return found


def evaluated(problem: Any, model: Any) -> dict[str, Any]:
    """Return the training set and, where there is one, the test set, by name.

    A transductive classifier keeps the labels that it is given: where some are held out, only those
    are evaluated.
    """
    testing = {} if problem.testing is None else {"test": problem.testing}
    if testing and hasattr(model, "transduction_"):
        return testing
    return {"training": problem.training} | testing


def error_table(problem: Problem, model: Any) -> LedgerTable:
    """Return the errors of a fitted classifier on the training set and on the test set."""
    rows = [(name, size, wrong, wrong / size) for name, size, wrong in errors(problem, model)]
    counted = "cases" if getattr(model, "grouped", False) else "rows"
    return LedgerTable(("samples", counted, "wrong", "error"), rows, "Errors")


def held_note(problem: Problem) -> tuple[str, ...]:
    """Return the sentence that says how the columns that are not shown are held."""
    if problem.plane.exact or len(problem.features) < 2:
        return ()
    shown = np.abs(problem.plane.basis).sum(axis=0) > 0
    if any(label.startswith("component ") for label in problem.plane.labels):
        return (
            (
                "Regions and places are those in the plane of the two components, through the mean"
                " of the columns."
            ),
        )
    held = [j for j in range(len(problem.features)) if not shown[j]]
    values = [_held(problem, j) for j in held[:MOST_HELD]]
    more = f" and {len(held) - MOST_HELD} more" if len(held) > MOST_HELD else ""
    return (
        (
            "Regions and places hold the other columns at their mean or most frequent value:"
            f" {', '.join(values)}{more}."
        ),
    )


def _held(problem: Problem, j: int) -> str:
    value = problem.value(j, problem.plane.base[j])
    return f"{problem.features[j]} = {num(value) if isinstance(value, float) else value}"
