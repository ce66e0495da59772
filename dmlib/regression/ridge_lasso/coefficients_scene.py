"""The space of coefficients: contours of the SSE and the constraint region of the penalty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.marks import Line, Mark, Points
from dmlib.pictures.places import NOWHERE, line_through, points_at
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.story import Moment, Plot
from dmlib.regression.ridge_lasso.ledger import Fit
from dmlib.regression.ridge_lasso.penalty import Penalised, PenaltyStep

CONTOUR, BALL = 0, 1  # colours
RINGS = (0.4, 1.0, 1.8)  # contours by their half axes, that through the origin having 1
CONTOUR_ANGLES = np.linspace(0, 2 * np.pi, 73)
BALL_ANGLES = np.linspace(0, 2 * np.pi, 97)
MAX_RATIO = 4.0  # of the ranges of two coefficients in their own units, on equal axes
MAX_REACH = 20.0  # widths of the panel beyond which nothing is drawn


def spanning_terms(fit: Fit, least_squares: Floats, across: int, up: int) -> list[int]:
    """Return the terms of the axes: of the chosen columns, else of the largest coefficients."""
    order = np.argsort(-np.abs(least_squares), kind="stable").tolist()
    chosen: list[int | None] = []
    for column in (across, up):
        terms = (j for j in order if fit.model.owners_[j] == column - 1 and j not in chosen)
        chosen.append(next(terms, None))
    for place in range(2):
        if chosen[place] is None:
            chosen[place] = next((j for j in order if j not in chosen), None)
    return [j for j in chosen if j is not None]


def _name(fit: Fit, term: int) -> str:
    return f"b of {fit.terms[term]}" + (" (standardised)" if fit.model.standardize else "")


def _dot(place: Floats, color: int) -> Points:
    return points_at(place, color=[color], size=[6.0], emphasis=True, of="")


# --- two coefficients -----------------------------------------------------------------------------


def plane_plot(
    fit: Fit, steps: Sequence[PenaltyStep], least_squares: Floats, pair: list[int]
) -> Plot:
    """Return the contours of the SSE, and the constraint region of the current penalty."""
    problem = fit.penalised
    places = np.array([step.standardized_coef[pair] for step in steps])
    minima = np.array([_minimum(problem, step.standardized_coef, pair) for step in steps])
    panel, limit = _plane_panel(fit, np.vstack([places, minima, least_squares[pair]]), pair)
    unit = _unit_contour(_part(problem, pair))
    axes = _zero_lines(panel)

    def marks(moment: Moment) -> list[Mark]:
        place = moment.step.standardized_coef[pair]
        minimum = _minimum(problem, moment.step.standardized_coef, pair)
        radii = _radii(problem, pair, minimum, place)
        rings = [np.clip(minimum + radius * unit, -limit, limit) for radius in radii]
        n_passed = 1 + next(i for i, step in enumerate(steps) if step is moment.step)
        return [
            *(line_through(ring, color=CONTOUR, width=0.8) for ring in rings[:-1]),
            line_through(rings[-1], color=CONTOUR),
            line_through(_ball(problem, place), color=BALL, width=2.5),
            *axes,
            line_through(places[:n_passed], width=1.5),
            _dot(minimum, CONTOUR),
            _dot(place, BALL),
        ]

    return Plot(panel, marks)


def _plane_panel(fit: Fit, places: Floats, pair: list[int]) -> tuple[Panel, float]:
    """Return the panel with places in view, and how far from the origin a mark may lie."""
    widths = 1.25 * np.maximum(np.abs(places).max(axis=0), 1e-12)
    reach = float(widths.max())
    # Coefficients of columns in their own units may differ by magnitudes: on equal axes one would
    # be a line.
    equal = fit.model.standardize or reach < MAX_RATIO * float(widths.min())
    ends = [reach, reach] if equal else widths.tolist()
    x, y = (Axis(_name(fit, term), -end, end) for term, end in zip(pair, ends, strict=True))
    return Panel("data", x, y, equal=equal), MAX_REACH * reach


def _zero_lines(panel: Panel) -> list[Line]:
    """Return the lines on which a coefficient is 0."""
    zero = [0.0, 0.0]
    across = Line(x=[panel.x.low, panel.x.high], y=zero, color="muted", width=1.0, dash=True)
    return [across, replace(across, x=zero, y=[panel.y.low, panel.y.high])]


def _part(problem: Penalised, pair: list[int]) -> Floats:
    return problem.gram[np.ix_(pair, pair)]


def _minimum(problem: Penalised, coef: Floats, pair: list[int]) -> Floats:
    """Return the minimum of the SSE over two coefficients while the others stay."""
    fixed = coef.copy()
    fixed[pair] = 0.0
    moments = (problem.moments - problem.gram @ fixed)[pair]
    return np.asarray(np.linalg.lstsq(_part(problem, pair), moments, rcond=1e-10)[0])


def _unit_contour(part: Floats) -> Floats:
    """Return the contour on which the SSE is 1 above its minimum, shape (n_angles, 2)."""
    values, vectors = np.linalg.eigh(part)
    half_axes = 1 / np.sqrt(np.maximum(values, 1e-9 * max(float(values.max()), 1e-300)))
    return np.asarray(((vectors * half_axes) @ [np.cos(CONTOUR_ANGLES), np.sin(CONTOUR_ANGLES)]).T)


def _radii(problem: Penalised, pair: list[int], minimum: Floats, place: Floats) -> list[float]:
    """Return the sizes of the contours; the last goes through a place."""
    part = _part(problem, pair)
    base = max(float(minimum @ part @ minimum), 0.0) ** 0.5
    difference = place - minimum
    return [*(r * base for r in RINGS), max(float(difference @ part @ difference), 0.0) ** 0.5]


def _ball(problem: Penalised, place: Floats) -> Floats:
    """Return the outline of the coefficients with at most this penalty, shape (n_angles, 2)."""
    l1, l2 = 2 * problem.l1, problem.l2
    penalty = l1 * np.abs(place).sum() + l2 * (place @ place)
    if not penalty > 0:
        return NOWHERE
    directions = np.column_stack([np.cos(BALL_ANGLES), np.sin(BALL_ANGLES)]).round(15)
    size = np.abs(directions).sum(axis=1) * l1
    radius = 2 * penalty / (size + np.sqrt(size**2 + 4 * l2 * penalty))  # l2 r² + size r = penalty
    return np.asarray(radius[:, None] * directions)


# --- one coefficient ------------------------------------------------------------------------------


def objective_plot(
    fit: Fit, steps: Sequence[PenaltyStep], least_squares: Floats, term: int
) -> Plot:
    """Return the SSE, the penalty and their sum over the only coefficient."""
    problem = fit.penalised
    minimum = float(least_squares[term])
    values = [minimum, *(float(step.standardized_coef[term]) for step in steps), 1e-12]
    largest = max(map(abs, values))
    b = np.linspace(-1.6 * largest / 3, 1.6 * largest, 81) * (1 if minimum >= 0 else -1)
    b = np.sort(np.append(b, 0.0))
    sse = problem.data.total - 2 * b * problem.moments[term] + b**2 * problem.gram[term, term]
    penalty = 2 * problem.l1 * np.abs(b) + problem.l2 * b**2
    top = 1.3 * max(float(sse.max()), 1e-300)
    styled = (
        ("SSE", sse, CONTOUR, 1.5),
        ("penalty", penalty, BALL, 1.5),
        ("both", sse + penalty, "accent", 2.5),
    )
    curves: list[Mark] = [
        Line(x=b, y=np.minimum(heights, 2 * top), color=color, width=width, label=name)
        for name, heights, color, width in styled
    ]

    def marks(moment: Moment) -> list[Mark]:
        place = np.array([moment.step.standardized_coef[term], moment.step.objective])
        return [*curves, _dot(place, BALL)]

    across = Axis(_name(fit, term), b[0], b[-1])
    return Plot(Panel("data", across, Axis("objective", 0.0, top)), marks)
