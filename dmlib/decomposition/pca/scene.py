"""Principal components as a picture: an axis that turns, the feet of the rows on it, the variance against its angle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.decomposition.pca.ledger import OwnAxis, Teller, own_axis
from dmlib.decomposition.pca.power_iteration import PCAStep
from dmlib.decomposition.pixels import pixel_grid
from dmlib.params import Number
from dmlib.pictures.axes import along, axis_ends, axis_handle, feet
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Raster, Rects, Texts
from dmlib.pictures.motion import moves, thin, thinned_note, with_before, xy
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.plane import data_panel, data_scene
from dmlib.pictures.regions import class_legend, class_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Handle, Panel, Scene
from dmlib.problem import Problem

MOST_TURNS = 40  # frames in which the axis turns, shared by the components
MOST_FEET = 6000  # feet of perpendiculars in all frames together; half as many where rows are many
MOST_DRAWN = 4  # components that are drawn in the plane
MANY, SMALL = 400, 3.0  # so many rows are drawn with this radius
ANGLES = np.linspace(0.0, 180.0, 91)
GAP = 1.0  # pixels between two pictures


OPTIONS = {
    "angle": Option(Number(0.0, 180.0, step=1.0), 20.0),
    "noise": Option(Number(0.0, 10.0, shown=(0.0, 2.0), step=0.1), 0.0),
}
"""The angle of the reader's axis in the plane of the picture, in degrees; the noise that is taken out, in standard
deviations of the columns."""


@dataclass(frozen=True)
class _Shown:
    """What one frame draws: its text, the axis with the feet on it (None for no feet), and the step behind it."""

    frame: Frame
    axis: Floats | None
    step: PCAStep | None

    @property
    def turning(self) -> PCAStep | None:
        """The step, as long as its axis turns."""
        return None if self.step is None or self.step.phase == "done" else self.step


def pca_scene(run: Run) -> Scene:
    """Draw the power iteration, and beside it an axis that the reader turns.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.decomposition.PCA`; see :data:`OPTIONS`.

    Returns
    -------
    Scene
        Centring, the covariance matrix, the reader's axis, and the turns of each component; of very many turns, some.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.decomposition import PCA
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [4.0, -4.0, -1.5, 1.5], "b": [3.0, -3.0, 2.0, -2.0]}), ["a", "b"])
    >>> scene = pca_scene(Run.of(problem, PCA(1, tol=0.1, random_state=0), options={"angle": 0.0}))
    >>> [frame.phase for frame in scene.frames]
    ['centre', 'covariance', 'try', 'start', 'turn', 'turn', 'found', 'done']
    """
    problem, trace, selected = run.problem, run.trace, run.selected
    if not trace.steps:
        return data_scene(problem, trace.reason)
    covariance: Floats = trace.steps[0].covariance
    own = own_axis(problem, covariance, chosen(run, OPTIONS)["angle"])
    teller = Teller(problem, covariance, own, selected)
    some, thinned = _some(trace.steps)
    shown = [
        _Shown(teller.centre(), None, None),
        _Shown(teller.covary(), own.direction, None),
        _Shown(teller.turn_it(), own.direction, None),
        *(_Shown(teller.step(s, b), s.components[0] if s.phase == "done" else s.axis, s) for s, b in some),
    ]
    plane = data_panel(problem)
    grid = pixel_grid(problem.features)
    n_found = max(len(s.step.variances) for s in shown if s.step is not None)
    beside = _picture_panel(grid) if grid else _scree_panel(own.best, n_found)
    panels = (plane, _variance_panel(own.best), beside)
    perpendiculars, note = _feet(problem, plane, shown)
    marks = (
        *perpendiculars,
        class_points(problem, **({"size": [SMALL]} if len(problem.X) > MANY else {})),
        *_axes(problem, plane, shown),
        *_curve(problem, covariance, own, shown),
        *(_pictures(problem, grid, shown, selected or 0) if grid else _scree(shown, n_found)),
    )
    legend = class_legend(problem) if problem.y is not None else ()
    notes = (*problem.notes, *note, *_view_note(problem, plane), *thinned)
    return Scene(panels, marks, [s.frame for s in shown], notes, _handles(problem, plane, own), legend)


def _some(steps: Sequence[PCAStep]) -> tuple[list[tuple[PCAStep, PCAStep]], tuple[str, ...]]:
    """Return steps, each with the one before it, and a note where not every turn is shown."""
    turns = [i for i, step in enumerate(steps) if step.phase == "turn"]
    kept = thin(len(turns), MOST_TURNS)
    left_out = set(turns) - {turns[i] for i in kept if turns}
    return with_before(steps, [i for i in range(len(steps)) if i not in left_out]), thinned_note(kept)


def _view_note(problem: Problem, plane: Panel) -> tuple[str, ...]:
    if problem.plane.exact:
        slanted = not plane.equal and len(problem.features) == 2
        return ("The two axes have different scales, so right angles look distorted.",) if slanted else ()
    n = len(problem.features)
    shadow = (
        f"The axis runs through all {n} columns. The picture has its projection, short where the axis points "
        "out of the picture, and perpendiculars look slanted."
    )
    return shadow, "The dashed axis and the curve lie in the plane of the picture."


# --- the plane --------------------------------------------------------------------------------------------------------


def _feet(problem: Problem, plane: Panel, shown: Sequence[_Shown]) -> tuple[list[Mark], tuple[str, ...]]:
    """Return the perpendiculars and their feet, of not too many rows, and a note if these are not all."""
    n_samples, n_axes = len(problem.X), sum(s.axis is not None for s in shown)
    every = -(-n_samples * n_axes // (MOST_FEET // 2 if n_samples > MANY else MOST_FEET))
    some = np.arange(0, n_samples, every)
    starts = problem.points[some]
    ends = [None if s.axis is None else feet(problem, plane, some, s.axis) for s in shown]
    lines = moves((None if e is None else starts for e in ends), ends, arrow=False, width=0.8, tween=True)
    dots = Points(x=lines.x1, y=lines.y1, color=[NO_CLASS], size=[2.2], tween=True)
    note = f"Perpendiculars are drawn for {len(some)} of {n_samples} rows."
    return [lines, dots], (note,) if every > 1 else ()


def _axes(problem: Problem, plane: Panel, shown: Sequence[_Shown]) -> list[Mark]:
    """Return the axis that turns, and the components found so far with two standard deviations on each side."""
    mean = problem.points.mean(axis=0)
    lines, before = [], np.zeros(2)
    for s in shown:
        if s.turning is None:
            lines.append(np.empty((0, 2)))
            continue
        shadow = problem.plane.basis @ s.turning.axis
        before = shadow if shadow @ before >= 0 else -shadow  # the end that was on one side stays there
        lines.append(axis_ends(problem, plane, before))
    found = [_component_lines(problem, mean, s.step) for s in shown]
    names = [str(j + 1) for j in range(MOST_DRAWN)]
    ends = [np.vstack([line[1::3], np.full((MOST_DRAWN - len(line) // 3, 2), np.nan)]) for line in found]
    (found_x, found_y), (line_x, line_y), (end_x, end_y) = xy(found), xy(lines), xy(ends)
    return [
        Line(x=found_x, y=found_y, color="accent", width=4.0),
        Line(x=line_x, y=line_y, color="accent", width=2.5, tween=True),
        Texts(x=end_x, y=end_y, text=names, dy=-12.0),
    ]


def _component_lines(problem: Problem, mean: Floats, step: PCAStep | None) -> Floats:
    """Return the ends of the components in the plane, with gaps between them, shape (3 n_drawn, 2)."""
    if step is None:
        return np.empty((0, 2))
    axes = (step.components @ problem.plane.basis.T)[:MOST_DRAWN]
    arms = 2 * np.sqrt(step.variances[:MOST_DRAWN])[:, None] * axes
    ends: Floats = np.stack([mean - arms, mean + arms, np.full_like(arms, np.nan)], axis=1).reshape(-1, 2)
    return ends


def _handles(problem: Problem, plane: Panel, own: OwnAxis) -> tuple[Handle, ...]:
    """Return the ends by which the reader turns the axis: in the plane, and along the curve."""
    if not problem.plane.basis[1].any():
        return ()
    return (
        axis_handle(problem, plane, own.angle, f"your axis: {own.lost:.0%} lost"),
        Handle("angle", "variance", f"{own.lost:.0%} lost", "x", own.angle),
    )


# --- the variance against the angle -----------------------------------------------------------------------------------


def _variance_panel(best: float) -> Panel:
    y = Axis("variance", 0.0, 1.4 * best)  # above the line of the best there is room for its name
    return Panel("variance", Axis("angle in the picture, °", -4.0, 184.0), y, "Variance along an axis", side=True)


def _curve(problem: Problem, covariance: Floats, own: OwnAxis, shown: Sequence[_Shown]) -> list[Mark]:
    """Return the variance of all axes in the plane, what is left of it for later components, and where the axis is."""
    directions = along(problem, ANGLES)
    curves: dict[int, Floats] = {}
    for s in shown:
        matrix = covariance if s.turning is None else s.turning.covariance
        if id(matrix) not in curves:
            curves[id(matrix)] = np.maximum((directions @ matrix * directions).sum(axis=1), 0.0)
    whole = curves[id(covariance)]
    left = [whole if s.turning is None else curves[id(s.turning.covariance)] for s in shown]
    x, y = xy(_place(problem, s) for s in shown)
    return [
        Line(panel="variance", x=[-4.0, 184.0], y=[own.best, own.best], color="muted", width=1.0, dash=True),
        Texts(panel="variance", x=[184.0], y=[own.best], text=["largest of all axes"], anchor="end", dy=-8.0),
        Line(panel="variance", x=ANGLES, y=whole, color="muted", width=1.0),
        Line(panel="variance", x=ANGLES, y=PerFrame(left), color="accent"),
        Points(panel="variance", x=[own.angle], y=[own.variance], color=[NO_CLASS], labels=["your axis"]),
        Points(panel="variance", x=x, y=y, color=[NO_CLASS], size=[6.0], labels=["the axis"], emphasis=True),
    ]


def _place(problem: Problem, shown: _Shown) -> Floats | None:
    """Return the angle of the axis's shadow and the variance along the axis; nothing while there is none."""
    if shown.turning is None:
        return None
    x, y = problem.plane.basis @ shown.turning.axis
    return np.array([np.rad2deg(np.arctan2(y, x)) % 180, shown.turning.variance])


# --- the components found ---------------------------------------------------------------------------------------------


def _scree_panel(best: float, n_found: int) -> Panel:
    x = Axis("component", 0.4, max(n_found, 2) + 0.6, integer=True)
    return Panel("scree", x, Axis("λ", 0.0, 1.06 * best), "Variance of the components found", side=True)


def _scree(shown: Sequence[_Shown], n_found: int) -> list[Mark]:
    found: list[Any] = [[] if s.step is None else s.step.variances for s in shown]
    heights = PerFrame([np.pad(variances, (0, n_found - len(variances))) for variances in found])
    x0, x1 = np.arange(n_found) + 0.64, np.arange(n_found) + 1.36
    number = np.arange(n_found) + 1
    return [
        Rects(
            panel="scree", x0=x0, x1=x1, y0=np.zeros(n_found), y1=heights, color=[NO_CLASS], tween=True,
            numbers=number, of="component",
        )
    ]  # fmt: skip


# --- rows that are pictures -------------------------------------------------------------------------------------------


def _picture_panel(grid: tuple[int, int]) -> Panel:
    height, width = grid
    x, y = Axis("", 0.0, 3 * width + 2 * GAP), Axis("", -0.25 * height, float(height))
    return Panel("picture", x, y, "Reconstruction of a row; the axis", side=True, equal=True)


def _pictures(problem: Problem, grid: tuple[int, int], shown: Sequence[_Shown], sample: int) -> list[Mark]:
    """Return a row as a picture, rebuilt from the components found so far, and the axis as a picture."""
    height, width = grid
    mean = problem.X.mean(axis=0)
    top = float(problem.unscaled(problem.X).max()) or 1.0
    blank = np.empty(0, np.uint8)

    def grey(row: Floats) -> Any:
        return (255 * np.clip(problem.unscaled(row) / top, 0, 1)).astype(np.uint8)

    def signed(axis: Floats) -> Any:
        return (127.5 * (1 + axis / max(float(np.abs(axis).max()), 1e-300))).astype(np.uint8)

    rebuilt, axes = [], []
    for s in shown:
        components = np.empty((0, len(mean))) if s.step is None else s.step.components
        rebuilt.append(grey(mean + (problem.X[sample] - mean) @ components.T @ components))
        axes.append(blank if s.step is None else signed(s.step.axis))
    left = [j * (width + GAP) for j in range(3)]
    shape: dict[str, Any] = {"width": width, "height": height, "ramp": True, "opacity": 1.0}
    tiles = [
        Raster(panel="picture", pixels=pixels, extent=(x, x + width, 0.0, float(height)), **shape)
        for x, pixels in zip(left, (grey(problem.X[sample]), PerFrame(rebuilt), PerFrame(axes)), strict=True)
    ]
    names = [f"row {problem.rows[sample] + 1}", "rebuilt", "axis"]
    middles = [x + width / 2 for x in left]
    return [*tiles, Texts(panel="picture", x=middles, y=np.full(3, -0.12 * height), text=names)]
