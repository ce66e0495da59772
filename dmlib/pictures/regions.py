"""Decision regions, samples in their classes, errors and the query, for scenes of classifiers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.estimator import (
    HasCosts,
    HasGroups,
    HasTransduction,
    HidesLabels,
    SupportsCertainty,
    SupportsCuts,
)
from dmlib.pictures.ledger import LedgerTable
from dmlib.pictures.marks import Points, Raster
from dmlib.pictures.plane import data_panel, data_points
from dmlib.pictures.scene import Handle, Key, Panel
from dmlib.pictures.words import num
from dmlib.problem import Problem, Query

DRAFT = 100  # pixels along each side of an image of the plane while a control moves
FINE = 200  # and at rest
COARSEST = 48  # at least so many, while it moves
QUICK = 750_000  # numbers compared for such an image, at most
FAINT = 70  # shade of a pixel where the classes are even
STRONG = 255  # and where the classifier is sure
MAX_NAMED = 3  # columns whose fixed values are named
MIN_SIZE = 2.0  # radius of a row that stands for no case
MAX_GROWTH = 13.0  # by how much the radius of the largest is longer


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
    x, column = _distinct_places(_middles(panel.x.low, panel.x.high, size), problem, model, 0)
    y, row = _distinct_places(_middles(panel.y.high, panel.y.low, size), problem, model, 1)
    return problem.table(problem.plane.lift_grid(x, y)), (row[:, None] * len(x) + column).ravel()


def step_surfaces(
    image: tuple[NDArray[np.uint8], NDArray[np.uint8]] | None,
    size: int,
    final: Raster | None,
    panel: Panel,
) -> tuple[Raster, ...]:
    """Return the coarse image of a step and, if there is one, the finer one of the end.

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
    empty = np.empty(0, np.uint8)
    pixels, shade = (empty, empty) if image is None else image
    coarse = Raster(pixels=pixels, shade=shade, width=size, height=size, extent=panel.extent)
    if final is None:
        return (coarse,)
    return coarse, final if image is None else replace(final, pixels=empty, shade=empty)


def work(problem: Problem, model: Any, size: int) -> int:
    """Return how many numbers are compared for an image of the plane, as a measure of its cost.

    It is the same on all machines.

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
    >>> problem = prepare(load("iris").frame, ["sepal_length", "petal_length"])
    >>> work(problem, SimpleNamespace(n_samples_fit_=5), 10), work(problem, SimpleNamespace(), 10)
    (1000, 200)
    >>> tree = SimpleNamespace(tree_=SimpleNamespace(max_depth=4))
    >>> work(problem, SimpleNamespace(estimators_=[tree] * 50), 10)
    20000
    """
    n_rows = getattr(model, "n_samples_fit_", 0) or len(getattr(model, "support_", ()))
    n_weights = sum(np.size(W) for W in getattr(model, "coefs_", ()))
    trees = (getattr(each, "tree_", None) for each in getattr(model, "estimators_", ()))
    n_levels: int = sum(tree.max_depth for tree in trees if tree is not None)
    return size * size * max(n_weights, n_levels, max(1, n_rows) * len(problem.features))


def affordable(problem: Problem, model: Any, size: int) -> int:
    """Return how many pixels along each side, at most ``size``, a passing image may have.

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
    """Return the winning class of each row, and its lead over the second class, from 0 to 1.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> model = GaussianNB().fit([[0.0], [1.0], [9.0], [10.0]], [0, 0, 1, 1])
    >>> winner, sure = decide(model, [[0.5], [5.0]])
    >>> winner.tolist(), sure.round(3).tolist()
    ([0, 0], [1.0, 0.0])
    """
    if isinstance(model, SupportsCertainty):
        winner, sure = model.certainty(X)
        return winner.astype(np.uint8), sure
    classes = np.asarray(model.classes_)
    if hasattr(model, "predict_proba"):  # which scikit-learn may hide from an instance
        winner, sure = surest(np.nan_to_num(model.predict_proba(X)))
        if isinstance(model, HasCosts) and model.costs is not None:  # the cheapest class wins
            return np.asarray(model.predict(X), np.uint8), sure
        return classes[winner].astype(np.uint8), sure
    decision = np.nan_to_num(model.decision_function(X))
    return classes[(decision > 0).astype(int)].astype(np.uint8), np.clip(np.abs(decision), 0.0, 1.0)


def surest(shares: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the place of the largest share of each row, and its lead over the second.

    Examples
    --------
    >>> winner, sure = surest(np.array([[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]]))
    >>> winner.tolist(), sure.tolist()
    ([0, 1], [0.25, 0.0])
    """
    second, first = np.sort(np.column_stack([shares, np.zeros(len(shares))]), axis=1)[:, -2:].T
    return shares.argmax(axis=1), np.clip(first - second, 0.0, 1.0)


def shade_of(sure: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Map certainty to the opacity of a pixel."""
    return (FAINT + (STRONG - FAINT) * sure).astype(np.uint8)


def _middles(start: float, end: float, n: int) -> NDArray[np.float64]:
    edges = np.linspace(start, end, n + 1)
    return (edges[:-1] + edges[1:]) / 2


def _distinct_places(
    middles: NDArray[np.float64], problem: Problem, model: Any, axis: int
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return the places along an axis that can get different answers, and that of each pixel."""
    direction, names = problem.plane.basis[axis], problem.plane.ticks[axis]
    if not direction.any():
        return middles[:1], np.zeros(len(middles), np.intp)
    if names:
        return np.unique(middles.round().clip(0, len(names) - 1), return_inverse=True)
    columns, tree = np.flatnonzero(direction).tolist(), getattr(model, "tree_", model)
    if len(columns) > 1 or not isinstance(tree, SupportsCuts):
        return middles, np.arange(len(middles))
    cuts = tree.cuts(columns[0])
    if cuts is None:
        return middles, np.arange(len(middles))
    values = problem.plane.base[columns[0]] + middles * direction[columns[0]]
    _, first, place = np.unique(
        np.sort(cuts).searchsorted(values), return_index=True, return_inverse=True
    )
    return middles[first], place


def class_points(problem: Problem, **attributes: Any) -> Points:
    """Return the samples as points in the colours of their classes, test rows hollow."""
    return data_points(problem, color=problem.y, classes=problem.classes, **attributes)


def case_points(problem: Problem, model: Any, panel: Panel) -> Points:
    """Return the samples as points; the area of a group is its cases, and those of a place abreast.

    A model that counts the cases of rows says so by ``grouped``.
    """
    if not _is_grouped(model):
        return class_points(problem)
    counts = problem.X[:, -1]
    growth = MAX_GROWTH * np.sqrt(counts / max(float(counts.max()), 1e-300))
    points = class_points(problem, size=MIN_SIZE + growth)
    side = np.where(np.asarray(problem.y) == 1, 0.03, -0.03) * panel.size[0]
    return replace(points, x=np.clip(np.asarray(points.x) + side, panel.x.low, panel.x.high))


def class_legend(problem: Problem, *mark_keys: Key) -> tuple[Key, ...]:
    """Return the legend of the classes, of the samples that are held out, and of other marks."""
    keys = tuple(Key(name, code) for code, name in enumerate(problem.classes))
    held_out = () if problem.test is None else (Key("held out", hollow=True),)
    return (*keys, *held_out, *mark_keys)


def query_handle(query: Query | None) -> Handle:
    """Return the handle of a query; without one, the panel waits for a click."""
    x, y = query.place if query else (None, None)
    is_sample = query is not None and query.sample is not None
    return Handle("query", "data", "" if is_sample else "query", "point", x, y)


def query_table(problem: Problem, query: Query) -> LedgerTable:
    """Return the values of the query, column by column."""
    values = [problem.value(j, x) for j, x in enumerate(query.x)]
    rows = [
        (name, "missing" if value is None else value)
        for name, value in zip(problem.features, values, strict=True)
    ]
    return LedgerTable(("column", "value"), rows, f"Asked about: {problem.name(query)}")


def errors(problem: Problem, model: Any) -> list[tuple[str, float, float]]:
    """Return the name, the size and the number of misclassified rows of training and test set.

    Grouped data are counted as often as their last column says.
    """
    return [
        (name, *misclassified(model, part, model.predict(part.data)))
        for name, part in evaluated(problem, model).items()
    ]


def misclassified(model: Any, part: Any, predicted: NDArray[Any]) -> tuple[float, float]:
    """Return the size of a set of rows, and how many of them have another class than predicted."""
    counts = cases_of(model, part)
    wrong = (predicted != part.y) & (part.y >= 0)
    return counts.sum().item(), counts[wrong].sum().item()


def cases_of(model: Any, part: Any) -> NDArray[Any]:
    """Return how many rows each row of a set stands for; 0 for one without a class."""
    cases: NDArray[Any] = part.X[:, -1] if _is_grouped(model) else (part.y >= 0).astype(int)
    return cases


def _is_grouped(model: Any) -> bool:
    return isinstance(model, HasGroups) and model.grouped


def evaluated(problem: Any, model: Any) -> dict[str, Any]:
    """Return the training set and, where there is one, the test set, by name.

    A transductive classifier keeps the labels that it is given: where some are held out, only those
    are evaluated. One that hides labels of the training set measures its own error there.
    """
    testing = {} if problem.testing is None else {"test": problem.testing}
    if isinstance(model, HidesLabels) or (testing and isinstance(model, HasTransduction)):
        return testing
    return {"training": problem.training} | testing


def error_table(problem: Problem, model: Any) -> LedgerTable:
    """Return the errors of a fitted classifier on the training set and on the test set."""
    rows = [(name, size, wrong, wrong / size) for name, size, wrong in errors(problem, model)]
    unit = "cases" if _is_grouped(model) else "rows"
    return LedgerTable(("samples", unit, "misclassified", "error"), rows, "Errors")


def held_note(problem: Problem) -> tuple[str, ...]:
    """Return the sentence on the values of the columns that the plane does not show."""
    if problem.plane.exact or len(problem.features) < 2:
        return ()
    if any(label.startswith("component ") for label in problem.plane.labels):
        sentence = (
            "Regions and places are those in the plane of the two components, through the mean"
            " of the columns."
        )
        return (sentence,)
    fixed = np.flatnonzero(~problem.plane.basis.any(axis=0)).tolist()
    values = ", ".join(_fixed_value(problem, j) for j in fixed[:MAX_NAMED])
    n_unnamed = len(fixed) - MAX_NAMED
    values += f" and {n_unnamed} more" if n_unnamed > 0 else ""
    sentence = "Regions and places hold the other columns at their mean or most frequent value"
    return (f"{sentence}: {values}.",)


def case_notes(problem: Problem, model: Any) -> tuple[str, ...]:
    """Return the sentences on columns that the plane does not show, and on the one that counts."""
    if not _is_grouped(model):
        return held_note(problem)
    *features, column = problem.features
    base, basis = problem.plane.base[:-1], problem.plane.basis[:, :-1]
    plane = replace(problem.plane, base=base, basis=basis, exact=len(base) < 3)
    held = held_note(replace(problem, features=tuple(features), plane=plane))
    size = f"The column {column} says how often each row counts; the symbols are as large."
    return (*held, size)


def _fixed_value(problem: Problem, j: int) -> str:
    value = problem.value(j, problem.plane.base[j])
    return f"{problem.features[j]} = {num(value) if isinstance(value, float) else value}"
