"""Ridge and lasso as a picture: contours of the SSE, constraint region, coefficients by λ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.params import Choice, Integer
from dmlib.pictures.ledger import Blocks
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Texts
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.plane import data_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene, bounds
from dmlib.pictures.story import Moment, Plot, draw_plots, needs_steps, story
from dmlib.problem import Problem
from dmlib.regression.ridge_lasso.coefficients_scene import (
    objective_plot,
    plane_plot,
    spanning_terms,
)
from dmlib.regression.ridge_lasso.ledger import Fit, caption_and_ledger
from dmlib.regression.ridge_lasso.path import Path, path_of
from dmlib.regression.ridge_lasso.penalty import PenaltyStep

MAX_FRAMES = 40
N_EARLY = 24  # steps at the start that have a frame
NAME_GAP = 0.11  # share of the small panel's height between two names
MAX_PLACES = 12_000  # rows times frames
MAX_PATHS = 12  # terms whose path is drawn
N_COLORS = 8

LEGEND = (
    Key("SSE contours", 0, kind="line"),
    Key("constraint", 1, kind="line"),
    Key("steps", kind="line"),
    Key("minimum of the SSE", 0),
    Key("solution", 1),
)
SIDE_PICTURES = {"path": "Coefficients by λ", "bars": "Coefficients beside least squares"}
OPTIONS = {
    "beside": Option(Choice(tuple(SIDE_PICTURES)), "path"),
    "across": Option(Integer(0, 1_000_000), 0),
    "up": Option(Integer(0, 1_000_000), 0),
}
"""The small picture, and the columns whose coefficients span the large one; 0 for the largest."""


@needs_steps
def ridge_lasso_scene(run: Run[Problem, Any]) -> Scene:
    """Draw coordinate descent in the plane of two coefficients.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.regression.Ridge`, ``Lasso`` or ``ElasticNet``; see :data:`OPTIONS`.

    Returns
    -------
    Scene
        One frame for each step; of very many, some. Of a single column, the objective stands over
        its coefficient.

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
    options = chosen(run, OPTIONS)
    numbers = frame_numbers(len(run.trace.steps))
    steps = [run.trace.steps[i] for i in numbers]
    fit = Fit.of(run)
    gram, moments = fit.penalised.gram, fit.penalised.moments
    least_squares = np.asarray(np.linalg.lstsq(gram, moments, rcond=1e-10)[0], float)
    axes = spanning_terms(fit, least_squares, options["across"], options["up"])
    if len(axes) == 2:
        large = plane_plot(fit, steps, least_squares, axes)
    else:
        large = objective_plot(fit, steps, least_squares, axes[0])
    side = _bars(fit, steps, least_squares) if options["beside"] == "bars" else _paths(fit)
    plots = (large, side, _fitted(fit, steps))

    def words(moment: Moment) -> tuple[str, Blocks]:
        return caption_and_ledger(fit, moment, run.selected)

    return story(
        run,
        draw_plots(plots, words),
        panels=[plot.panel for plot in plots],
        numbers=numbers,
        notes=_notes(len(axes), len(fit.terms), len(numbers) < len(run.trace.steps)),
        handles=side.handles,
        legend=LEGEND if len(axes) == 2 else (),
    )


def frame_numbers(n_steps: int) -> list[int]:
    """Return the numbers of the steps that have a frame: the early ones, later ones more sparsely.

    Examples
    --------
    >>> frame_numbers(3), len(frame_numbers(1000)), frame_numbers(1000)[-3:]
    ([0, 1, 2], 41, [778, 998, 999])
    """
    if n_steps <= MAX_FRAMES:
        return list(range(n_steps))
    later = np.geomspace(N_EARLY, n_steps - 2, MAX_FRAMES - N_EARLY).round().astype(int)
    return sorted({*range(N_EARLY), *later.tolist(), n_steps - 2, n_steps - 1})


def _notes(n_axes: int, n_terms: int, is_thinned: bool) -> list[str]:
    notes = []
    if n_terms > n_axes and n_axes == 2:
        notes.append(
            "The plane is a section: the other coefficients have their values of this step."
        )
    if is_thinned:
        notes.append("Long run: of the later steps, only some are shown.")
    return notes


# --- coefficients by λ ----------------------------------------------------------------------------


def _paths(fit: Fit) -> Plot:
    """Return the coefficients over the logarithm of λ, with the knots and the current λ."""
    path: Path = path_of(fit.penalised, fit.model.share)
    terms = np.argsort(-np.abs(path.coefs).max(axis=0), kind="stable")[:MAX_PATHS]
    across = np.log10(path.alphas)
    low, high = across.min(), across.max()
    alpha, place = fit.model.alpha, float(low)
    if alpha > 0:
        place = float(np.clip(np.log10(alpha), low, high + 0.3))
    bottom, top = bounds(path.coefs, 0.15)  # above the lines the name of λ has room
    x, y = Axis("log₁₀ λ", low - 0.1, high + 0.35), Axis("b", bottom, 1.2 * top - 0.2 * bottom)
    panel = Panel("beside", x, y, SIDE_PICTURES["path"], True)
    names = _names(fit, path.coefs[-1], terms, panel)
    fixed = [_zero_line(panel), *_path_lines(path, terms), names, *_knots(fit, path)]
    dots = _dots(np.full(len(terms), place), terms)

    def marks(moment: Moment) -> list[Mark]:
        return [*fixed, replace(dots, y=moment.step.standardized_coef[terms])]

    return Plot(panel, marks, [Handle("alpha", "beside", f"λ {alpha:.4g}", "x", place)])


def _path_lines(path: Path, terms: NDArray[np.intp]) -> list[Line]:
    """Return the coefficient of each term over the logarithm of λ."""
    x = np.log10(path.alphas)
    return [
        Line(
            panel="beside",
            x=x,
            y=path.coefs[:, term],
            color=number % N_COLORS,
            width=1.8,
            numbers=[term + 1],
            of="term",
        )
        for number, term in enumerate(terms)
    ]


def _dots(x: Floats, terms: NDArray[np.intp]) -> Points:
    """Return points for the coefficients of a step, which gives them their heights."""
    return Points(
        panel="beside",
        x=x,
        y=[],
        color=np.arange(len(terms)) % N_COLORS,
        symbol=[0],
        size=[3.5],
        numbers=terms + 1,
        of="term",
    )


def _zero_line(panel: Panel) -> Line:
    ends = [panel.x.low, panel.x.high]
    return Line(panel=panel.name, x=ends, y=[0.0, 0.0], color="muted", width=1.0, dash=True)


def _names(fit: Fit, coefs: Floats, terms: NDArray[np.intp], panel: Panel) -> Texts:
    """Return the names of the paths at their left ends, without those that would overlap."""
    width, height = panel.size
    named: list[int] = []
    for j in terms:
        if all(abs(coefs[j] - coefs[k]) > NAME_GAP * height for k in named):
            named.append(int(j))
    x = np.full(len(named), panel.x.low + 0.08 * width)
    texts = [fit.terms[j] for j in named]
    return Texts(panel=panel.name, x=x, y=coefs[named], text=texts, anchor="start", halo=True)


def _knots(fit: Fit, path: Path) -> list[Mark]:
    """Return the λ at which a term enters or leaves."""
    if not path.knots:
        return []
    values, terms, enters = zip(*path.knots, strict=True)
    verbs = np.where(enters, "enters", "leaves")
    labels = [
        f"{fit.terms[j]} {verb} at λ = {value:.4g}"
        for value, j, verb in zip(values, terms, verbs, strict=True)
    ]
    return [
        Points(
            panel="beside",
            x=np.log10(values),
            y=np.zeros(len(values)),
            color=[NO_CLASS],
            size=[2.5],
            labels=labels,
            numbers=np.array(terms) + 1,
            of="term",
        )
    ]


# --- coefficients beside least squares ------------------------------------------------------------


def _bars(fit: Fit, steps: Sequence[PenaltyStep], least_squares: Floats) -> Plot:
    """Return the coefficients of a step over those of least squares."""
    terms = np.argsort(-np.abs(least_squares), kind="stable")[:MAX_PATHS]
    names = [fit.terms[j] for j in terms]
    heights = np.concatenate([*(step.standardized_coef for step in steps), least_squares, [0.0]])
    x = Axis("", -0.5, len(terms) - 0.5, ticks=names)
    panel = Panel("beside", x, Axis("b", *bounds(heights)), SIDE_PICTURES["bars"], True)
    free = Points(
        panel="beside",
        x=np.arange(len(terms), dtype=float),
        y=least_squares[terms],
        color=[0],
        symbol=[0],
        size=[5.0],
        hollow=[1],
        labels=[f"{name}: least squares" for name in names],
        numbers=terms + 1,
        of="term",
    )
    dots = replace(free, color=[1], size=[4.0], hollow=None, labels=())
    zero = _zero_line(panel)

    def marks(moment: Moment) -> list[Mark]:
        return [zero, free, replace(dots, y=moment.step.standardized_coef[terms])]

    return Plot(panel, marks)


# --- predictions ----------------------------------------------------------------------------------


def _fitted(fit: Fit, steps: Sequence[PenaltyStep]) -> Plot:
    """Return observed against fitted numbers: the higher λ, the closer the fitted to the mean."""
    problem = fit.problem
    y = np.asarray(problem.y, float)
    ends = bounds(y)
    axes = Axis("fitted", *ends), Axis("observed", *ends)
    panel = Panel("fit", *axes, "Observed against fitted", True)
    terms = fit.model.design(problem.data)
    data = fit.penalised.data
    diagonal = Line(panel="fit", x=ends, y=ends, color="muted", width=1.0, dash=True)
    dots = replace(data_points(problem), panel="fit", y=y, size=np.array([2.5]))

    def predicted(step: PenaltyStep) -> Floats:
        coef = fit.penalised.original(step.standardized_coef)
        return np.asarray(np.clip(terms @ coef + data.intercept(coef), *ends))

    # Of very many rows, only the predictions of the last step are drawn.
    final = predicted(steps[-1]) if len(y) * len(steps) > MAX_PLACES else None

    def marks(moment: Moment) -> list[Mark]:
        return [diagonal, replace(dots, x=predicted(moment.step) if final is None else final)]

    return Plot(panel, marks)
