"""The large panel of linear regression: line, fitted against observed, or partial residuals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.data.heights import heights_panel
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Rects, Segments
from dmlib.pictures.places import NOWHERE, visible_if
from dmlib.pictures.plane import data_points
from dmlib.pictures.regions import query_handle
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Panel, bounds
from dmlib.pictures.story import Moment, Plot
from dmlib.problem import Problem, Query
from dmlib.regression.linear_regression.fit_ledger import Fit
from dmlib.regression.linear_regression.solvers import LinearRegressionStep

GRID = 61  # vertices of a band
VERTICES = 121  # of the line of least squares
MAX_REACH = 5.0  # heights of the panel beyond which nothing is drawn
STEP = 0.35  # half the width of a category's line
GOLDEN = 0.61803398875  # rows of one level are spread by its multiples
MAX_RESIDUALS = 400  # rows up to which residuals are drawn
DOT, SMALL_DOT = 3.0, 2.0  # radius in the small panel
USUAL_DOT, DOTS = 5.0, (1.5, 12.0)  # radius of a row of average weight; smallest and largest
MANY_ROWS = 200  # from which dots are small
ASPECT = 1.6  # width of the stage's panel over its height: squares look square
SQUARES = 0.18  # opacity of a squared residual
EXPLAINED, UNEXPLAINED = 0, 1  # the colours of the parts of a selected row
PART_WIDTH = 5.0


@dataclass(frozen=True)
class Places:
    """The places of the rows at a step.

    Attributes
    ----------
    x, y, base : ndarray of shape (n_samples,)
        Places and heights, and the heights that their residuals start from.
    """

    x: Floats
    y: Floats
    base: Floats


@dataclass(frozen=True)
class View:
    """A large panel, and what is drawn in it at a step.

    Attributes
    ----------
    panel : Panel
        The panel.
    places : callable
        Returns the :class:`Places` of the rows at a step.
    lines : callable
        Returns the lines at a step, as marks.
    notes : tuple of str
        What the lines are.
    """

    panel: Panel
    places: Callable[[LinearRegressionStep], Places]
    lines: Callable[[LinearRegressionStep], list[Mark]]
    notes: tuple[str, ...]


def view_of(fit: Fit, last: LinearRegressionStep, bands: bool) -> View:
    """Return the view of a fit; its panel is made for the last step."""
    if fit.problem.upright:
        return _upright(fit, last, bands)
    return _partial(fit, last, fit.line - 1) if fit.line else _fitted(fit, last)


def clipped(values: Floats, axis: Axis, reach: float = MAX_REACH) -> Floats:
    """Return heights that can be drawn: those that diverge stay a few heights outside the panel.

    Examples
    --------
    >>> clipped(np.array([0.5, 99.0, np.nan]), Axis("y", 0.0, 1.0)).tolist()
    [0.5, 6.0, 6.0]
    """
    far = reach * (axis.high - axis.low)
    return np.clip(np.nan_to_num(values, nan=axis.high + far), axis.low - far, axis.high + far)


def _line(fit: Fit, x: Floats, y: Floats, **attributes: Any) -> Line:
    """Return the line of the current column."""
    return Line(x=x, y=y, color="accent", width=2.5, numbers=[fit.line], of="column", **attributes)


def _level_lines(levels: Floats) -> Floats:
    """Return the ends of a short line at each level, with gaps between them."""
    return np.column_stack([levels - STEP, levels + STEP, np.full(len(levels), np.nan)]).ravel()


# --- over one column ------------------------------------------------------------------------------


class _Vertices:
    """Vertices of a line over one column, at which a fit predicts; a NaN is a gap.

    Parameters
    ----------
    fit : Fit
        The fit.
    x : ndarray of shape (n_vertices,)
        Their places.
    values : ndarray of shape (n_vertices,), optional
        The values of the column there, if not the places themselves.
    """

    def __init__(self, fit: Fit, x: Floats, values: Floats | None = None) -> None:
        self.x = x
        self.rows = fit.problem.table(np.nan_to_num(x if values is None else values)[:, None])
        self._terms = fit.model.design(self.rows)

    def heights(self, step: LinearRegressionStep, axis: Axis) -> Floats:
        """Return the predictions of a step, as far as they can be drawn."""
        return self.drawable(self._terms @ step.coef + step.intercept, axis)

    def drawable(self, heights: Floats, axis: Axis) -> Floats:
        """Return heights at the vertices, with the gaps, as far as they can be drawn."""
        return np.where(np.isnan(self.x), np.nan, clipped(heights, axis))


def _upright(fit: Fit, last: LinearRegressionStep, bands: bool) -> View:
    """Return the rows at their heights with the line."""
    x, y = fit.problem.points.T
    ends = NOWHERE
    if last.converged:
        ends = np.column_stack([x, fit.fitted(last)])[[x.argmin(), x.argmax()]]
    panel = heights_panel(fit.problem, ends)
    pieces, grid = _vertices(fit, panel)
    limits = _limits(fit, grid, panel.y) if bands and last.inference is not None else []

    def places(step: LinearRegressionStep) -> Places:
        return Places(x, y, clipped(fit.fitted(step), panel.y))

    def lines(step: LinearRegressionStep) -> list[Mark]:
        marks: list[Mark] = [visible_if(step.phase == "done", limit) for limit in limits]
        for vertices, dash in zip(pieces, (False, True), strict=False):
            heights = vertices.heights(step, panel.y)
            marks.append(_line(fit, vertices.x, heights, dash=dash))
        return marks

    level = f"{100 * fit.model.confidence_level:g} %"
    note = (
        f"Thin lines: {level} limits of the mean; dashed lines: {level} limits of a new"
        " observation."
    )
    return View(panel, places, lines, (note,) if limits else ())


def _vertices(fit: Fit, panel: Panel) -> tuple[list[_Vertices], _Vertices]:
    """Return the vertices of the line, among the rows and beyond them, and those of its bands."""
    if fit.problem.categories:
        codes = np.arange(len(fit.problem.categories[0]), dtype=float)
        levels = _Vertices(fit, _level_lines(codes), np.repeat(codes, 3))
        return [levels], levels
    first, last = np.sort(fit.problem.points[:, 0])[[0, -1]]
    low, high = panel.x.low, panel.x.high
    inside = _Vertices(fit, np.array([first, last]))
    outside = _Vertices(fit, np.array([low, first, np.nan, last, high]))
    return [inside, outside], _Vertices(fit, np.linspace(low, high, GRID))


def _limits(fit: Fit, grid: _Vertices, axis: Axis) -> list[Line]:
    """Return confidence and prediction limits, which the last step has."""
    lines = []
    for observation, color, name in ((False, "accent", "mean"), (True, "muted", "new observation")):
        lower, upper = fit.model.intervals(grid.rows, observation=observation).T
        line = Line(
            x=grid.x, y=grid.drawable(lower, axis), color=color, width=1.2, dash=observation
        )
        lines += [line, replace(line, y=grid.drawable(upper, axis), label=name)]
    return lines


# --- over several columns -------------------------------------------------------------------------


def _fitted(fit: Fit, last: LinearRegressionStep) -> View:
    """Return observed against fitted numbers."""
    target = fit.problem.target
    y = np.asarray(fit.problem.y, float)
    ends = bounds(np.concatenate([y, fit.fitted(last) if last.converged else y]))
    axis = Axis(f"fitted {target}", *ends)
    panel = Panel("data", axis, Axis(f"observed {target}", *ends), equal=True)
    line = Line(x=ends, y=ends, color="accent", width=2.0)

    def places(step: LinearRegressionStep) -> Places:
        x = clipped(fit.fitted(step), axis, 0.0)
        return Places(x, y, x)

    note = (
        "On the line, observed and fitted numbers are equal; residuals are the vertical distances"
        " to it."
    )
    return View(panel, places, lambda step: [line], (note,))


def _partial(fit: Fit, last: LinearRegressionStep, j: int) -> View:
    """Return the residuals plus what a column adds to the prediction, over the column."""
    problem = fit.problem
    name = problem.features[j]
    names = problem.categories.get(j, ())
    x = problem.X[:, j]
    y = np.asarray(problem.y, float)
    part = _part_of(fit, j)

    def partial_residuals(step: LinearRegressionStep) -> Floats:
        with np.errstate(over="ignore", invalid="ignore"):
            return y - fit.fitted(step) + part(step)

    ends = y - y.mean()
    if last.converged:
        ends = np.concatenate([partial_residuals(last), part(last)])
    axis = Axis(f"residual + part of {name}", *bounds(ends))
    across = (-0.5, len(names) - 0.5) if names else bounds(x)
    jitter = 0.5 * (np.arange(1, len(x) + 1) * GOLDEN % 1 - 0.5) if names else 0.0
    vertices, of_rows = _part_vertices(x, bool(names))

    def places(step: LinearRegressionStep) -> Places:
        heights = clipped(partial_residuals(step), axis, 0.0)
        return Places(x + jitter, heights, clipped(part(step), axis))

    def lines(step: LinearRegressionStep) -> list[Mark]:
        return [_line(fit, vertices, clipped(part(step)[of_rows], axis), tween=not names)]

    panel = Panel("data", Axis(name, *across, ticks=names), axis)
    note = f"Partial residuals: {problem.target} minus the fitted parts of the other columns."
    return View(panel, places, lines, (note,))


def _part_of(fit: Fit, j: int) -> Callable[[LinearRegressionStep], Floats]:
    """Return what a column adds to the predictions for the rows at a step, around its mean."""
    terms = np.asarray(fit.model.owners_) == j
    Z = fit.Z[:, terms]
    Z = Z - Z.mean(axis=0)
    return lambda step: Z @ step.coef[terms]


def _part_vertices(x: Floats, nominal: bool) -> tuple[Floats, NDArray[np.intp]]:
    """Return the vertices of the line of a column's part, and a row that has each one's height."""
    if not nominal:
        ends = np.array([x.argmin(), x.argmax()])
        return x[ends], ends
    levels, first = np.unique(x, return_index=True)
    return _level_lines(levels), np.repeat(first, 3)


def least_squares_line(fit: Fit, panel: Panel) -> tuple[Line, ...]:
    """Return the line of least squares, as far as it is in the panel."""
    x = np.linspace(panel.x.low, panel.x.high, VERTICES)
    heights = fit.model.intercept_ + fit.model.coef_[0] * x
    inside = (heights >= panel.y.low) & (heights <= panel.y.high)
    x, heights = x[inside], heights[inside]
    return (Line(x=x, y=heights, color="muted", width=1.6, dash=True, label="least squares"),)


# --- rows and their residuals ---------------------------------------------------------------------


def weighted_points(fit: Fit) -> Points:
    """Return the points of the data; with weights, the area of each is its weight."""
    points = data_points(fit.problem)
    if fit.data.weights is None:
        return points
    weights = fit.model.row_weights(fit.problem.data)
    return replace(points, size=np.clip(USUAL_DOT * np.sqrt(weights / weights.mean()), *DOTS))


def visible_query(run: Run[Problem, Any]) -> Query | None:
    """Return the query; none where it is a place of a plane that is not drawn."""
    query = run.query
    is_place = query is not None and query.sample is None
    return None if is_place and not run.problem.upright else query


def query_handles(
    fit: Fit, view: View, last: LinearRegressionStep, query: Query | None
) -> list[Handle]:
    """Return the handle of the query, at the height of the line."""
    if query is None or not fit.problem.upright:
        return []
    terms = fit.model.design(fit.problem.table(query.x[None]))[0]
    height = np.clip(terms @ last.coef + last.intercept, view.panel.y.low, view.panel.y.high)
    return [replace(query_handle(query), y=float(height))]


def residual_marks(panel: Panel, places: Places, rows: NDArray[np.intp], kind: str) -> list[Mark]:
    """Return the residuals of the training rows, if these are few, as segments or squares."""
    kind = kind if len(places.x) <= MAX_RESIDUALS else "none"
    x, y, base = places.x[rows], places.y[rows], places.base[rows]
    if kind == "segments":
        return [Segments(x0=x, y0=y, x1=x, y1=base)]
    if kind != "squares":
        return []
    width, height = panel.size
    unit = width / height / (1 if panel.equal else ASPECT)
    middle = (panel.x.low + panel.x.high) / 2
    corner = x + np.where(x > middle, -unit, unit) * np.abs(y - base)
    return [Rects(x0=x, y0=y, x1=corner, y1=base, opacity=[SQUARES])]


def row_parts(fit: Fit, view: View, step: LinearRegressionStep, query: Query | None) -> list[Mark]:
    """Return the explained part of a selected row, from the mean to the line, and the rest."""
    if query is None or query.sample is None or not fit.is_line:
        return []
    places, mean = view.places(step), fit.data.y_mean
    x, y, base = (float(values[query.sample]) for values in (places.x, places.y, places.base))
    ends = [view.panel.x.low, view.panel.x.high]
    return [
        Line(x=ends, y=[mean, mean], color="muted", width=1.2, dash=True, label="mean"),
        Line(x=[x, x], y=[base, mean], color=EXPLAINED, width=PART_WIDTH, label="explained"),
        Line(x=[x, x], y=[base, y], color=UNEXPLAINED, width=PART_WIDTH, label="unexplained"),
    ]


def residual_plot(fit: Fit, last: LinearRegressionStep) -> Plot:
    """Return the residuals over the fitted numbers."""
    data = fit.data
    rows = fit.problem.trained
    fitted, residuals = data.y, data.t
    if last.converged:
        fitted, residuals = fit.fitted(last)[rows], data.residuals(last.coef, last.intercept)
    x = Axis("fitted", *bounds(fitted))
    label = "residual" if data.weights is None else "√w · residual"
    y = Axis(label, *bounds(np.concatenate([residuals, -residuals])))
    zero = Line(
        panel="beside", x=[x.low, x.high], y=[0.0, 0.0], color="muted", width=1.0, dash=True
    )
    dots = Points(
        panel="beside",
        x=[],
        y=[],
        color=[NO_CLASS],
        symbol=[0],
        size=[DOT if len(rows) < MANY_ROWS else SMALL_DOT],
    )

    def marks(moment: Moment) -> list[Mark]:
        step: LinearRegressionStep = moment.step
        with np.errstate(over="ignore", invalid="ignore"):
            errors = data.residuals(step.coef, step.intercept)
        return [zero, replace(dots, x=clipped(fit.fitted(step)[rows], x), y=clipped(errors, y))]

    return Plot(Panel("beside", x, y, "Residuals against fitted", side=True), marks)
