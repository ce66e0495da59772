"""Fisher's projection as a picture: an axis turns from the first principal component to where the classes part."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.discriminant import DiscriminantStep
from dmlib.decomposition.lda_projection.fisher import Scatter, turning
from dmlib.decomposition.lda_projection.ledger import OwnAxis, Teller
from dmlib.decomposition.lda_projection.strips_scene import strip_marks, strip_panel
from dmlib.params import Number
from dmlib.pictures.axes import along, axis_ends, axis_handle, feet
from dmlib.pictures.ellipses import ellipses
from dmlib.pictures.marks import NO_CLASS, Ellipses, Line, Mark, Points, Texts
from dmlib.pictures.motion import moves, when, xy
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.plane import data_panel, data_scene
from dmlib.pictures.regions import class_legend, class_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Handle, Panel, Scene
from dmlib.problem import Problem

TURNS = 12  # frames in which the axis turns
MOST_FEET = 120  # rows whose perpendiculars are drawn
MOST_DRAWN = 4  # axes that are drawn in the plane
MANY, SMALL = 400, 3.0  # so many rows are drawn with this radius
ANGLES = np.linspace(0.0, 180.0, 91)
ROOM = 1.4  # heights of the largest ratio that the curve has
NAMED = 0.8  # where on an axis its name stands, from its middle to its end

OPTIONS = {"angle": Option(Number(0.0, 180.0, step=1.0), 20.0)}
"""The angle of the reader's axis in the plane of the picture, in degrees."""


@dataclass(frozen=True)
class _Shown:
    """What one frame draws: its text, the axis with the feet on it (None for no axis), and how many axes are found."""

    frame: Frame
    axis: Floats | None = None
    found: int = 0


def lda_projection_scene(run: Run) -> Scene:
    """Draw the axis that separates the classes best, and beside it the first principal component and the reader's axis.

    There is a frame for the means, the scatter within and between the classes, the reader's axis, the first principal
    component, for each turn from there to the best axis, for each axis found, and for the answer.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import LinearDiscriminantAnalysis
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 2, 4, 6], "b": [0.0, 2, 0, 2], "c": list("xxyy")})
    >>> problem = prepare(frame, ["a", "b"], target="c", labelled=True)
    >>> phases = [frame.phase for frame in lda_projection_scene(Run.of(problem, LinearDiscriminantAnalysis())).frames]
    >>> phases[:5], phases[-2:]
    (['mean', 'within', 'between', 'try', 'component'], ['axis', 'done'])
    """
    problem, trace = run.problem, run.trace
    if not trace.complete:
        return data_scene(problem, trace.reason)
    last: DiscriminantStep = trace.steps[-1]
    scatter, panel = Scatter.of(last), data_panel(problem)
    (own_way,) = along(problem, np.array([chosen(run, OPTIONS)["angle"]]))
    own = OwnAxis(chosen(run, OPTIONS)["angle"], own_way, scatter.ratio(own_way))
    teller = Teller(run, scatter, own)
    shown = _shown(teller, scatter, [step for step in trace.steps if step.phase == "axis"])
    component, _ = scatter.component
    axes = [s.axis for s in shown]
    marks = (
        *_feet(problem, panel, axes),
        _spreads(problem, last, [s.frame.phase for s in shown]),
        class_points(problem, **({"size": [SMALL]} if len(problem.X) > MANY else {})),
        *_found(problem, panel, shown, teller),
        *_lines(problem, panel, component, axes, teller),
        *strip_marks(run, scatter, component, axes),
        *_curve(problem, scatter, own, axes, teller.best),
    )
    panels = (panel, strip_panel(), _ratio_panel(teller.best, own.ratio))
    legend, notes = class_legend(problem), (*problem.notes, *_notes(problem))
    return Scene(panels, marks, [s.frame for s in shown], notes, _handles(problem, panel, own, teller.best), legend)


def _shown(teller: Teller, scatter: Scatter, steps: Sequence[DiscriminantStep]) -> list[_Shown]:
    component, _ = scatter.component
    shown = [
        _Shown(teller.mean()),
        _Shown(teller.within()),
        _Shown(teller.between()),
        _Shown(teller.own_axis(), teller.own.direction),
        _Shown(teller.component(), component),
    ]
    if not steps:
        return [*shown, _Shown(teller.done(), component)]
    found = teller.found
    way = turning(scatter, component, found[0], TURNS)
    shown += [_Shown(teller.turn(before, axis), axis) for before, axis in itertools.pairwise(way)]
    shown += [_Shown(teller.axis(step), axis, j + 1) for j, (step, axis) in enumerate(zip(steps, found, strict=True))]
    return [*shown, _Shown(teller.done(), found[0], len(found))]


def _notes(problem: Problem) -> tuple[str, ...]:
    if problem.plane.exact:
        return ()
    n = len(problem.features)
    shadows = f"Axes run through all {n} columns; the picture shows their projections, and perpendiculars look slanted."
    return shadows, "The dashed axis and the curve lie in the plane of the picture."


# --- the plane --------------------------------------------------------------------------------------------------------


def _feet(problem: Problem, panel: Panel, axes: Sequence[Floats | None]) -> list[Mark]:
    every = -(-len(problem.X) // MOST_FEET)
    some = np.arange(0, len(problem.X), every)
    starts = problem.points[some]
    ends = [None if axis is None else feet(problem, panel, some, axis) for axis in axes]
    lines = moves((None if e is None else starts for e in ends), ends, arrow=False, width=0.8, tween=True)
    return [lines, Points(x=lines.x1, y=lines.y1, color=np.asarray(problem.y)[some], size=[2.5], tween=True)]


def _spreads(problem: Problem, step: DiscriminantStep, phases: Sequence[str]) -> Ellipses:
    """Return the pooled ellipse around each mean, two standard deviations wide, from the scatter within on."""
    codes = np.unique(np.asarray(problem.training.y))
    x, y = problem.plane.project(step.means).T
    long, short, angle = (np.repeat(side, len(x)) for side in ellipses(problem, np.array([step.pooled])))
    there = [phase != "mean" for phase in phases]
    x_, y_, rx, ry = (when(there, side) for side in (x, y, 2 * long, 2 * short))
    return Ellipses(x=x_, y=y_, rx=rx, ry=ry, angle=when(there, angle), color=when(there, codes), fill=0.05)


def _lines(
    problem: Problem, panel: Panel, component: Floats, axes: Sequence[Floats | None], teller: Teller
) -> list[Mark]:
    """Return the first principal component, the axis of the frame, and their names."""
    fixed = axis_ends(problem, panel, problem.plane.basis @ component)
    lines: list[Floats | None] = []
    before = problem.plane.basis @ component
    for axis in axes:
        if axis is None:
            lines.append(None)
            continue
        shadow = problem.plane.basis @ axis
        before = shadow if shadow @ before >= 0 else -shadow  # the end that was on one side stays there
        lines.append(axis_ends(problem, panel, before))
    from_component = [i >= teller.FIRST for i in range(len(axes))]
    x, y = xy(lines)
    x0, y0 = when(from_component, fixed[:, 0]), when(from_component, fixed[:, 1])
    (name_x, name_y) = _inside(panel, problem.points.mean(axis=0), fixed)
    x_, y_ = problem.plane.project(teller.means).T
    return [
        Line(x=x0, y=y0, color="muted", width=2.5),
        Line(x=x, y=y, color="accent", width=3.0, tween=True),
        Points(x=x_, y=y_, color=teller.codes, emphasis=True, labels=teller.names),
        Texts(x=when(from_component, [name_x]), y=when(from_component, [name_y]), text=["PC1"], dy=-8.0),
    ]


def _found(problem: Problem, panel: Panel, shown: Sequence[_Shown], teller: Teller) -> list[Mark]:
    """Return the axes that are found by each frame, and their names."""
    middle = problem.points.mean(axis=0)
    ends = [axis_ends(problem, panel, problem.plane.basis @ axis) for axis in teller.found[:MOST_DRAWN]]
    gap, nowhere = np.full((1, 2), np.nan), np.full((MOST_DRAWN, 2), np.nan)
    x, y = xy(np.vstack([part for line in ends[: s.found] for part in (line, gap)] or [gap]) for s in shown)
    named = [
        np.vstack([*(_inside(panel, middle, line) for line in ends[: s.found]), nowhere])[:MOST_DRAWN] for s in shown
    ]
    name_x, name_y = xy(named)
    names = [f"w{j + 1}" for j in range(MOST_DRAWN)]
    return [Line(x=x, y=y, color="accent", width=2.0), Texts(x=name_x, y=name_y, text=names, dy=-8.0)]


def _inside(panel: Panel, middle: Floats, ends: Floats) -> Floats:
    """Return a place on the upper half of an axis, inside the panel, for its name."""
    way = max(ends - middle, key=lambda end: (end[1], end[0]))
    low, high = np.array([panel.x.low, panel.y.low]), np.array([panel.x.high, panel.y.high])
    room = np.where(way > 0, high - middle, middle - low) / np.maximum(np.abs(way), 1e-300)
    place: Floats = middle + NAMED * min(float(room.min()), 1.0) * way
    return place


def _handles(problem: Problem, panel: Panel, own: OwnAxis, best: float) -> tuple[Handle, ...]:
    if not problem.plane.basis[1].any():
        return ()
    label = f"your axis: {own.ratio:.3g}"
    return (
        axis_handle(problem, panel, own.angle, label),
        Handle("angle", "ratio", f"{own.ratio:.3g}", "x", own.angle),
    )


# --- Fisher's ratio against the angle ---------------------------------------------------------------------------------


def _ratio_panel(best: float, own: float) -> Panel:
    top = ROOM * max(best, min(own, 10 * best), 1e-9)
    return Panel("ratio", Axis("angle in the picture, °", -4.0, 184.0), Axis("ratio", 0.0, top), "Fisher's ratio", True)


def _curve(problem: Problem, scatter: Scatter, own: OwnAxis, axes: Sequence[Floats | None], best: float) -> list[Mark]:
    """Return the ratio of all axes in the plane, and where the axis of the frame is."""
    top = _ratio_panel(best, own.ratio).y.high
    heights = np.minimum([scatter.ratio(axis) for axis in along(problem, ANGLES)], top)
    places: list[Floats | None] = []
    for axis in axes:
        if axis is None:
            places.append(None)
            continue
        x, y = problem.plane.basis @ axis
        places.append(np.array([np.rad2deg(np.arctan2(y, x)) % 180, min(scatter.ratio(axis), top)]))
    x_, y_ = xy(places)
    return [
        Line(panel="ratio", x=[-4.0, 184.0], y=[best, best], color="muted", width=1.0, dash=True),
        Texts(panel="ratio", x=[184.0], y=[best], text=["largest λ"], anchor="end", dy=-8.0),
        Line(panel="ratio", x=ANGLES, y=heights, color="accent"),
        Points(panel="ratio", x=[own.angle], y=[min(own.ratio, top)], color=[NO_CLASS], labels=["your axis"]),
        Points(panel="ratio", x=x_, y=y_, color=[NO_CLASS], size=[6.0], labels=["the axis"], emphasis=True),
    ]
