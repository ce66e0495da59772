"""The kernel perceptron as a picture: the curved boundary, and the mistakes of each row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.perceptron.epochs_scene import (
    COARSE,
    epoch_costs,
    epoch_panel,
    pixel_middles,
    ring,
    rows_note,
    sums_boundary,
    sums_image,
)
from dmlib.neural.perceptron.kernel import KernelStep
from dmlib.neural.perceptron.kernel_ledger import KernelNarrator
from dmlib.pictures.marks import Mark, Rects
from dmlib.pictures.places import line_through, path_until
from dmlib.pictures.regions import (
    class_legend,
    class_points,
    held_note,
    query_handle,
    region_panel,
    step_surfaces,
)
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Fold, Moment, Plot, story
from dmlib.problem import Problem

MAX_FRAMES = 80
MAX_BARS = 12  # rows whose counts are drawn
USUAL, WIDER, LARGEST = 4.0, 2.0, 12.0  # radius of a row, in pixels, and its growth with the count


def kernel_scene(run: Run[Problem, Any]) -> Scene:
    """Draw one row a step, later one epoch."""
    problem, steps = run.problem, run.trace.steps
    narrator, panel = KernelNarrator(run), region_panel(problem)
    surface = run.surface if steps[-1].phase == "done" else None
    rows, costs, counts = class_points(problem), epoch_costs(steps), _counts(run)
    scores_of = _scores(run)

    def draw(moment: Moment) -> Drawing:
        step: KernelStep = moment.step
        is_fitted = moment.is_last and surface is not None
        scores = scores_of(step.alpha)
        image = None if is_fitted else sums_image(scores)
        marks = (
            *step_surfaces(image, COARSE, surface, panel),
            line_through(sums_boundary(scores, panel), width=2.5),
            ring(problem, step),
            replace(rows, size=_sizes(problem, step.counts)),
            *counts.marks(moment),
            *path_until(costs, moment.so_far, panel="epochs"),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(panel, counts.panel, epoch_panel(costs, is_adaline=False)),
        fold=Fold.count_of("epoch"),
        legend=class_legend(problem, Key("size of a row: its mistakes α", symbol=0)),
        handles=(query_handle(run.query),),
        notes=(*held_note(problem), *rows_note(steps)),
        max_frames=MAX_FRAMES,
    )


def _scores(run: Run[Problem, Any]) -> Callable[[Floats], Floats]:
    """Return a function of coefficients that returns the sums on the grid, from the bottom up."""
    problem, model, panel = run.problem, run.model, region_panel(run.problem)
    X = np.asarray(problem.training.X, float)
    signs = np.where(np.asarray(problem.training.y) > 0, 1.0, -1.0)
    places = problem.plane.lift_grid(pixel_middles(panel.x), pixel_middles(panel.y))
    products = model.inner_product(X)(X, np.asarray(places, float))
    return lambda alpha: ((alpha * signs) @ products).reshape(COARSE, COARSE)


def _sizes(problem: Problem, counts: Floats) -> Floats:
    """Return the radius of each row, which grows with its mistakes."""
    sizes = np.full(len(problem.X), USUAL)
    sizes[problem.trained] = np.minimum(USUAL + WIDER * np.sqrt(counts), LARGEST)
    return sizes


def _counts(run: Run[Problem, Any]) -> Plot:
    """Return the counts of the rows with the most mistakes, as bars."""
    last: KernelStep = run.trace.steps[-1]
    order = np.argsort(-last.counts, kind="stable")[:MAX_BARS]
    order = order[last.counts[order] > 0]
    numbers = run.problem.training.rows[order] + 1
    x = np.arange(len(order), dtype=float)
    codes = np.asarray(run.problem.training.y)[order].astype(np.uint8)
    panel = Panel(
        "counts",
        Axis("row", -0.6, max(len(order), 1) - 0.4, ticks=[str(number) for number in numbers]),
        Axis("mistakes α", 0.0, 1.08 * max(float(last.counts.max()), 1.0), integer=True),
        title="Mistakes of each row",
        side=True,
    )
    bars = Rects(
        panel="counts",
        x0=x - 0.4,
        x1=x + 0.4,
        y0=np.zeros(len(x)),
        y1=np.zeros(len(x)),
        color=codes,
        of="row",
        numbers=numbers,
    )

    def marks(moment: Moment) -> list[Mark]:
        return [replace(bars, y1=moment.step.counts[order])]

    return Plot(panel, marks)
