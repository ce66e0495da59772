"""Discriminant analysis as a picture: ellipses of the classes, pooled or not, and lines on which two classes tie."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.discriminant import DiscriminantStep
from dmlib.classification.lda_classifier.ledger import Teller
from dmlib.pictures.bars import class_bars
from dmlib.pictures.contours import contours
from dmlib.pictures.ellipses import ellipses
from dmlib.pictures.marks import Ellipses, Line, Mark, PerFrame, Points
from dmlib.pictures.motion import when, xy
from dmlib.pictures.plane import data_scene
from dmlib.pictures.regions import class_legend, class_points, held_note, last_surface, query_handle, region_panel
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.problem import Problem

Steps = Sequence[DiscriminantStep]

DEVIATIONS = 2.0  # standard deviations from the centre of an ellipse to its edge
AROUND = np.linspace(0, 2 * np.pi, 73)
MOST_TIES = 4  # classes up to which every pair has its line
FINE, GRID = 151, 91  # places along each side at which the scores are computed, of few classes and of many
NOTHING = np.empty((0, 2))


def lda_scene(run: Run) -> Scene:
    """Draw how discriminants are estimated, and how they classify a place or sample.

    There is a frame for the means, for each covariance matrix, for what becomes of these, for the discriminant of each
    class, and for the answer.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import LinearDiscriminantAnalysis
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 2, 4, 6], "b": [0.0, 2, 0, 2], "c": list("xxyy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> [frame.phase for frame in lda_scene(Run.of(problem, LinearDiscriminantAnalysis())).frames]
    ['mean', 'covariance', 'covariance', 'pool', 'discriminant', 'discriminant', 'done']
    """
    problem, trace = run.problem, run.trace
    if not trace.complete:
        return data_scene(problem, trace.reason)
    steps = [step for step in trace.steps if step.phase != "axis"]
    model, panel = run.fitted, region_panel(problem)
    teller = Teller(problem, model, run.asked, steps)
    codes = np.asarray(model.classes_, np.uint8)
    heights = [teller.posterior if step.phase == "done" else step.priors for step in steps]
    y = Axis("probability", 0.0, 1.05)
    share_panel, shares = class_bars("shares", problem.classes, codes, heights, y, "Prior, then posterior")
    marks = (
        *last_surface(run.surface, len(steps)),
        *_spreads(problem, codes, steps),
        class_points(problem),
        _means(problem, codes, steps[0]),
        *_ties(run, panel, steps),
        shares,
    )
    notes = (*problem.notes, *held_note(problem), *_note(problem))
    panels = (panel, share_panel)
    return Scene(panels, marks, teller.frames(), notes, (query_handle(run.asked),), class_legend(problem))


def _note(problem: Problem) -> tuple[str, ...]:
    wide = "Ellipses lie two standard deviations from the mean; dashed, those of each class alone."
    return (wide if problem.plane.exact else f"{wide} They are projections from all columns.",)


# --- the classes ------------------------------------------------------------------------------------------------------


def _means(problem: Problem, codes: NDArray[np.uint8], step: DiscriminantStep) -> Points:
    x, y = problem.plane.project(step.means).T
    return Points(x=x, y=y, color=codes, labels=[f"mean of {problem.classes[c]}" for c in codes], emphasis=True)


def _spreads(problem: Problem, codes: NDArray[np.uint8], steps: Steps) -> list[Mark]:
    """Return the ellipses that the discriminants use; where these are not the classes' own, the outlines of those."""
    centers = problem.plane.project(steps[0].means)
    singles = np.array(steps[-1].singles)
    used = [np.array(step.matrices or step.singles) for step in steps]
    shapes = [ellipses(problem, matrices) for matrices in used]
    long, short, angle = (PerFrame([shape[i] for shape in shapes]) for i in range(3))
    x, y = xy(centers[: len(matrices)] for matrices in used)
    there = [codes[: len(matrices)] for matrices in used]
    marks: list[Mark] = []
    if not np.array_equal(used[-1], singles):
        for k, line in enumerate(_outlines(centers, *ellipses(problem, singles))):
            seen = [len(step.singles) > k for step in steps]
            marks.append(Line(x=when(seen, line[:, 0]), y=when(seen, line[:, 1]), color=int(codes[k]), dash=True))
    wide, high = (PerFrame([DEVIATIONS * np.asarray(row) for row in side.rows]) for side in (long, short))
    marks.append(Ellipses(x=x, y=y, rx=wide, ry=high, angle=angle, color=PerFrame(there), tween=True))
    return marks


def _outlines(centers: Floats, long: Floats, short: Floats, angle: Floats) -> list[Floats]:
    """Return the outline of each ellipse as vertices."""
    lines = []
    for center, a, b, turn in zip(centers, long, short, angle, strict=True):
        u, v = DEVIATIONS * a * np.cos(AROUND), DEVIATIONS * b * np.sin(AROUND)
        turned = np.column_stack([u * np.cos(turn) - v * np.sin(turn), u * np.sin(turn) + v * np.cos(turn)])
        lines.append(center + turned)
    return lines


# --- where classes tie ------------------------------------------------------------------------------------------------


def _ties(run: Run, panel: Panel, steps: Steps) -> list[Mark]:
    """Return the lines on which two discriminants tie, dashed, and those at which the predicted class changes."""
    x, y, scores = _grid(run, panel)
    n_classes = scores.shape[2]
    pairs = list(combinations(range(n_classes), 2)) if n_classes <= MOST_TIES else []
    ties = [(j, contours(scores[:, :, i] - scores[:, :, j], x, y, 0.0)) for i, j in pairs]
    known = [0 if step.constants is None else len(step.constants) for step in steps]
    tie_x, tie_y = xy(_joined([line for j, line in ties if j < n]) for n in known)
    leads = [scores[:, :, k] - np.delete(scores, k, 2).max(axis=2) for k in range(n_classes - 1)]
    border = _joined([contours(lead, x, y, 0.0) for lead in leads])
    border_x, border_y = xy(border if n == n_classes else None for n in known)
    return [
        Line(x=tie_x, y=tie_y, color="muted", width=1.5, dash=True),
        Line(x=border_x, y=border_y, color="ink", width=2.5),
    ]


def _grid(run: Run, panel: Panel) -> tuple[Floats, Floats, Floats]:
    """Return places along both axes, and the log posterior at each pair of them, shape (n, n, n_classes)."""
    n = FINE if len(run.fitted.classes_) <= MOST_TIES else GRID
    x, y = (np.linspace(axis.low, axis.high, n) for axis in (panel.x, panel.y))
    places = run.problem.plane.lift_grid(x, y)
    return x, y, run.fitted.predict_log_proba(run.problem.table(places)).reshape(n, n, -1)


def _joined(lines: Sequence[Floats]) -> Floats:
    """Return lines as one, with gaps between them."""
    gap = np.full((1, 2), np.nan)
    parts = [part for line in lines if len(line) for part in (line, gap)]
    return np.vstack(parts) if parts else NOTHING
