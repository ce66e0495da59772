"""Ridge and lasso as a picture: the contours of the SSE meet the ball of the penalty, beside the coefficients by λ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.params import Choice, Integer
from dmlib.pictures.data.heights import heights_scene
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Texts
from dmlib.pictures.motion import with_before
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.plane import data_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene, bounds
from dmlib.regression.ridge_lasso.ledger import Picture, frame
from dmlib.regression.ridge_lasso.path import Path, path_of
from dmlib.regression.ridge_lasso.penalty import Penalised, PenaltyStep

MOST_FRAMES, EARLY = 40, 24
ROUND = np.linspace(0, 2 * np.pi, 73)
BALL = 96  # vertices of a ball
RINGS = (0.4, 1.0, 1.8)  # contours around the least squares, by the half axis of that through the origin
GAP = 0.11  # share of the small panel's height between two names
MOST_PLACES = 12_000  # rows times frames
MOST_PATHS = 12  # terms whose path is drawn
UNEQUAL = 4.0  # times as far as the other that a coefficient in its own unit may reach on equal axes
FAR = 20.0  # widths of the panel beyond which nothing is drawn

BESIDE = {"path": "Coefficients by λ", "bars": "Coefficients beside least squares"}
OPTIONS = {
    "beside": Option(Choice(tuple(BESIDE)), "path"),
    "across": Option(Integer(0, 1_000_000), 0),
    "up": Option(Integer(0, 1_000_000), 0),
}
"""What is beside the picture, and the columns whose coefficients span it; 0 for the one of the largest."""


def ridge_lasso_scene(run: Run) -> Scene:
    """Draw coordinate descent in the plane of two coefficients.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.regression.Ridge`, ``Lasso`` or ``ElasticNet``; see :data:`OPTIONS`.

    Returns
    -------
    Scene
        One frame for each step; of very many, some. Of a single column, the objective stands over its coefficient.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.regression import Lasso
    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 3.0, 2.0, 5.0]})
    >>> problem = prepare(frame, ["x"], target="y", numeric_target=True)
    >>> [frame.phase for frame in ridge_lasso_scene(Run.of(problem, Lasso(alpha=1.0))).frames]
    ['standardise', 'start', 'shrink', 'shrink', 'solve', 'done']
    """
    problem, trace = run.problem, run.trace
    if not trace.steps:
        return heights_scene(problem)
    learned = problem.training
    model = run.fitted if trace.complete else clone(run.model).fit(*learned.arguments)
    penalised = model.penalised(learned.data, np.asarray(learned.y))
    picture = Picture(problem, model, penalised, model.term_names(problem.features))
    options = chosen(run, OPTIONS)
    places = _shown(len(trace.steps))
    pairs = with_before(trace.steps, places)
    steps = [step for step, _ in pairs]
    frames = [frame(picture, *pair, run.selected) for pair in pairs]
    usual = _least_squares(penalised)
    axes = _axes(picture, usual, options["across"], options["up"])
    draw = _plane if len(axes) == 2 else _single
    panel, marks = draw(picture, steps, usual, *axes)
    side, side_marks, handles = _bars(picture, steps, usual) if options["beside"] == "bars" else _path(picture, steps)
    notes = list(problem.notes)
    if len(picture.terms) > len(axes) and len(axes) == 2:
        notes.append("The plane is a section: the other coefficients have their values of this step.")
    if len(places) < len(trace.steps):
        notes.append("Long run: of the later steps, only some are shown.")
    legend = [Key("SSE contours", 0), Key("constraint region", 1)] if len(axes) == 2 else []
    fit, fit_marks = _fit(picture, steps)
    return Scene((panel, side, fit), (*marks, *side_marks, *fit_marks), frames, notes, handles, legend)


def _shown(n: int) -> NDArray[np.intp]:
    if n <= MOST_FRAMES:
        return np.arange(n)
    later = np.geomspace(EARLY, n - 2, MOST_FRAMES - EARLY).round().astype(np.intp)
    return np.unique(np.concatenate([np.arange(EARLY), later, [n - 2, n - 1]]))


def _least_squares(problem: Penalised) -> Floats:
    return np.asarray(np.linalg.lstsq(problem.gram, problem.moments, rcond=1e-10)[0])


def _axes(picture: Picture, usual: Floats, across: int, up: int) -> tuple[int, ...]:
    """Return the terms that span the plane: those of the chosen columns, else those of the largest coefficients."""
    owners = picture.model.owners_
    order = [int(j) for j in np.argsort(-np.abs(usual), kind="stable")]
    found: list[int] = []
    for column in (across, up):
        mine = [j for j in order if owners[j] == column - 1 and j not in found]
        found.append(mine[0] if mine else -1)
    for place in range(2):
        if found[place] < 0:
            found[place] = next((j for j in order if j not in found), -1)
    return tuple(j for j in found if j >= 0)


# --- two coefficients -------------------------------------------------------------------------------------------------


def _plane(picture: Picture, steps: Sequence[PenaltyStep], usual: Floats, i: int, j: int) -> tuple[Panel, list[Mark]]:
    """Return the contours of the SSE around their middle, and the ball that goes through the point of each step."""
    problem = picture.penalised
    pair = [i, j]
    part = problem.gram[np.ix_(pair, pair)]
    places = np.array([step.standardized_coef[pair] for step in steps])
    middles = np.array([_middle(problem, part, step.standardized_coef, pair) for step in steps])
    widths = 1.25 * np.maximum(np.abs(np.vstack([places, middles, usual[pair]])).max(axis=0), 1e-12)
    reach = float(widths.max())
    # The coefficients of columns in their own units may differ by magnitudes: on equal axes one would be a line.
    equal = picture.model.standardize or reach < UNEQUAL * float(widths.min())
    wide, high = (reach, reach) if equal else (float(width) for width in widths)
    x, y = (Axis(_of(picture, k), -end, end) for k, end in zip(pair, (wide, high), strict=True))
    panel = Panel("data", x, y, equal=equal)
    values, vectors = np.linalg.eigh(part)
    halves = 1 / np.sqrt(np.maximum(values, 1e-9 * max(float(values.max()), 1e-300)))
    unit = (vectors * halves) @ np.array([np.cos(ROUND), np.sin(ROUND)])  # SSE one above the least
    rings = []
    for middle, place in zip(middles, places, strict=True):
        away = place - middle
        through = max(float(away @ part @ away), 0.0) ** 0.5
        base = max(float(middle @ part @ middle), 0.0) ** 0.5
        rings.append([middle[:, None] + unit * size for size in (*(share * base for share in RINGS), through)])
    limit = FAR * reach
    marks: list[Mark] = []
    for k in range(len(RINGS) + 1):
        mine = [np.clip(ring[k], -limit, limit) for ring in rings]
        strong = k == len(RINGS)
        marks.append(
            Line(
                panel="data",
                x=PerFrame([ring[0] for ring in mine]),
                y=PerFrame([ring[1] for ring in mine]),
                color=0 if strong else "muted",
                width=2.0 if strong else 1.0,
                tween=True,
            )
        )
    balls = [_ball(problem, place) for place in places]
    marks.append(
        Line(
            panel="data", x=PerFrame([ball[0] for ball in balls]), y=PerFrame([ball[1] for ball in balls]), color=1,
            width=2.5, tween=True,
        )
    )  # fmt: skip
    for ends in (([-wide, wide], [0.0, 0.0]), ([0.0, 0.0], [-high, high])):
        marks.append(Line(panel="data", x=ends[0], y=ends[1], color="muted", width=1.0, dash=True))
    way = [places[: n + 1] for n in range(len(places))]
    marks.append(
        Line(
            panel="data", x=PerFrame([part[:, 0] for part in way]), y=PerFrame([part[:, 1] for part in way]),
            color="accent", width=1.5,
        )
    )  # fmt: skip
    marks.append(_dots("data", middles, 0))
    marks.append(_dots("data", places, 1))
    return panel, marks


def _of(picture: Picture, k: int) -> str:
    return f"b of {picture.terms[k]}" + (" (standardised)" if picture.model.standardize else "")


def _dots(panel: str, places: Floats, color: int) -> Points:
    x, y = (PerFrame([[value] for value in column]) for column in places.T)
    return Points(panel=panel, x=x, y=y, color=[color], size=[6.0], emphasis=True, tween=True, of="")


def _middle(problem: Penalised, part: Floats, b: Floats, pair: list[int]) -> Floats:
    """Return where two coefficients are the least squares while the others stay."""
    others = b.copy()
    others[pair] = 0.0
    wanted = (problem.moments - problem.gram @ others)[pair]
    return np.asarray(np.linalg.lstsq(part, wanted, rcond=1e-10)[0])


def _ball(problem: Penalised, place: Floats) -> tuple[Floats, Floats]:
    """Return the coefficients that cost as much as two given ones; without a price, nothing."""
    l1, l2 = 2 * problem.l1, problem.l2
    price = l1 * np.abs(place).sum() + l2 * (place @ place)
    if not price > 0:
        return np.empty(0), np.empty(0)
    angles = np.linspace(0, 2 * np.pi, BALL + 1)
    way = np.array([np.cos(angles), np.sin(angles)]).round(15)
    size = np.abs(way).sum(axis=0) * l1
    radius = 2 * price / (size + np.sqrt(size**2 + 4 * l2 * price))  # l2 r² + size r = price
    return radius * way[0], radius * way[1]


# --- one coefficient --------------------------------------------------------------------------------------------------


def _single(picture: Picture, steps: Sequence[PenaltyStep], usual: Floats, j: int) -> tuple[Panel, list[Mark]]:
    """Return the SSE, the penalty and their sum over the only coefficient."""
    problem = picture.penalised
    reach = 1.6 * max(abs(float(usual[j])), *(abs(float(step.standardized_coef[j])) for step in steps), 1e-12)
    b = np.linspace(-reach / 3, reach, 81) * (1 if usual[j] >= 0 else -1)
    b = np.sort(np.append(b, 0.0))
    sse = problem.data.total - 2 * b * problem.moments[j] + b**2 * problem.gram[j, j]
    price = 2 * problem.l1 * np.abs(b) + problem.l2 * b**2
    top = 1.3 * max(float(sse.max()), 1e-300)
    panel = Panel("data", Axis(_of(picture, j), b[0], b[-1]), Axis("objective", 0.0, top))
    lines = ((sse, 0, 1.5), (price, 1, 1.5), (sse + price, "accent", 2.5))
    marks: list[Mark] = [
        Line(panel="data", x=b, y=np.minimum(values, 2 * top), color=color, width=width)
        for values, color, width in lines
    ]
    for text, values in (("SSE", sse), ("penalty", price), ("both", sse + price)):
        marks.append(Texts(panel="data", x=[b[70]], y=[min(float(values[70]), 0.95 * top)], text=[text], halo=True))
    places = np.array([[step.standardized_coef[j], step.objective] for step in steps])
    return panel, [*marks, _dots("data", places, 1)]


# --- beside -----------------------------------------------------------------------------------------------------------


def _path(picture: Picture, steps: Sequence[PenaltyStep]) -> tuple[Panel, list[Mark], list[Handle]]:
    """Return the coefficients over the logarithm of λ, with the knots and where λ is now."""
    problem, share = picture.penalised, picture.model.share
    path: Path = path_of(problem, share)
    order = np.argsort(-np.abs(path.coefs).max(axis=0), kind="stable")[:MOST_PATHS]
    across = np.log10(path.alphas)
    alpha = picture.model.alpha
    now = float(np.clip(np.log10(alpha) if alpha > 0 else across.min(), across.min(), across.max() + 0.3))
    x = Axis("log₁₀ λ", across.min() - 0.1, across.max() + 0.35)
    y = Axis("b", *bounds(path.coefs, 0.15))
    panel = Panel("beside", x, y, BESIDE["path"], True)
    marks: list[Mark] = [Line(panel="beside", x=[x.low, x.high], y=[0.0, 0.0], color="muted", width=1.0, dash=True)]
    for k, j in enumerate(order):
        way = Line(panel="beside", x=across, y=path.coefs[:, j], color=k % 8, width=1.8, numbers=[j + 1], of="term")
        marks.append(way)
    apart = GAP * (y.high - y.low)
    named: list[int] = []
    for j in order:  # a name that would cover another is left out
        if all(abs(path.coefs[-1, j] - path.coefs[-1, k]) > apart for k in named):
            named.append(int(j))
    at_left = np.full(len(named), x.low + 0.08 * (x.high - x.low))
    names = [picture.terms[j] for j in named]
    marks.append(Texts(panel="beside", x=at_left, y=path.coefs[-1, named], text=names, anchor="start", halo=True))
    if path.knots:
        places = np.log10([knot[0] for knot in path.knots])
        told = [
            f"{picture.terms[j]} {'enters' if comes else 'leaves'} at λ = {value:.4g}" for value, j, comes in path.knots
        ]
        marks.append(
            Points(
                panel="beside", x=places, y=np.zeros(len(places)), color=[NO_CLASS], size=[2.5],
                labels=told, numbers=[j + 1 for _, j, _ in path.knots], of="term",
            )
        )  # fmt: skip
    heights = PerFrame([step.standardized_coef[order] for step in steps])
    marks.append(
        Points(
            panel="beside", x=np.full(len(order), now), y=heights, color=np.arange(len(order)) % 8, symbol=[0],
            size=[3.5], tween=True, numbers=order + 1, of="term",
        )
    )  # fmt: skip
    return panel, marks, [Handle("alpha", "beside", f"λ {alpha:.4g}", "x", now)]


def _fit(picture: Picture, steps: Sequence[PenaltyStep]) -> tuple[Panel, list[Mark]]:
    """Return the rows by their fitted and observed numbers: the higher λ, the nearer to the mean the fitted ones."""
    problem, model = picture.problem, picture.model
    y = np.asarray(problem.y, float)
    axis = Axis("fitted", *bounds(y))
    panel = Panel("fit", axis, Axis("observed", axis.low, axis.high), "Observed against fitted", True)
    terms, data = model.design(problem.data), picture.penalised.data
    places = []
    moving = len(y) * len(steps) <= MOST_PLACES  # of more rows, only the answer is drawn
    for step in steps if moving else steps[-1:]:
        coef = picture.penalised.original(step.standardized_coef)
        places.append(np.clip(terms @ coef + data.intercept(coef), axis.low, axis.high))
    size = np.array([2.5])
    points = replace(
        data_points(problem), panel="fit", x=PerFrame(places) if moving else places[0], y=y, size=size, tween=True
    )
    ends = [axis.low, axis.high]
    return panel, [Line(panel="fit", x=ends, y=ends, color="muted", width=1.0, dash=True), points]


def _bars(picture: Picture, steps: Sequence[PenaltyStep], usual: Floats) -> tuple[Panel, list[Mark], list[Handle]]:
    """Return the coefficients of each step over those of least squares."""
    order = np.argsort(-np.abs(usual), kind="stable")[:MOST_PATHS]
    names = [picture.terms[j] for j in order]
    places = np.arange(len(order), dtype=float)
    y = Axis("b", *bounds(np.append(np.concatenate([step.standardized_coef for step in steps]), [*usual, 0.0])))
    panel = Panel("beside", Axis("", -0.5, len(order) - 0.5, ticks=names), y, BESIDE["bars"], True)
    zero = Line(panel="beside", x=[-0.5, len(order) - 0.5], y=[0.0, 0.0], color="muted", width=1.0, dash=True)
    hollow = Points(
        panel="beside", x=places, y=usual[order], color=[0], symbol=[0], size=[5.0], hollow=[1],
        labels=[f"{name}: least squares" for name in names], numbers=order + 1, of="term",
    )  # fmt: skip
    now = Points(
        panel="beside", x=places, y=PerFrame([step.standardized_coef[order] for step in steps]), color=[1], symbol=[0],
        size=[4.0], tween=True, numbers=order + 1, of="term",
    )  # fmt: skip
    return panel, [zero, hollow, now], []
