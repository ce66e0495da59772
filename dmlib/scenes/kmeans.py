"""k-means as a picture: rows and centres in the plane, the SSE beside it, the arithmetic of every half-step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.clustering.kmeans import KMeansStep
from dmlib.problem import Problem
from dmlib.scene import (
    NO_CLASS,
    Axis,
    Cells,
    Formula,
    Frame,
    LedgerTable,
    Line,
    Panel,
    PerFrame,
    Points,
    Scene,
    Segments,
)
from dmlib.scenes.centers import (
    MOST_COLUMNS,
    Blocks,
    cell_sites,
    center_table,
    cluster_table,
    count,
    distances_to_centers,
    parts_of_sse,
    plane_note,
    sum_of_parts,
)
from dmlib.scenes.data import data_panel, data_points, data_scene
from dmlib.trace import Trace

TOP = 5  # candidates shown of a seeding
LARGEST = 11.0  # radius in pixels of the most probable seed


def kmeans_scene(problem: Problem, trace: Trace, *, selected: int | None = None, restart: int | None = None) -> Scene:
    """Draw one restart of k-means.

    Parameters
    ----------
    problem : Problem
        The data.
    trace : Trace
        Steps of :class:`dmlib.clustering.KMeans`.
    selected : int, optional
        The sample whose distances are written out.
    restart : int, optional
        The restart to draw; by default the one that was kept.

    Returns
    -------
    Scene
        One frame per seed, assignment and update, and one for the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import KMeans
    >>> from dmlib.problem import prepare
    >>> from dmlib.trace import run
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.0, 0.0, 0.0]}), ["a", "b"])
    >>> scene = kmeans_scene(problem, run(KMeans(2, init=problem.X[:2], tol=0), problem.X))
    >>> [frame.phase for frame in scene.frames]
    ['seed', 'seed', 'assign', 'update', 'assign', 'update', 'assign', 'done']
    """
    if not trace.steps:
        return data_scene(problem, trace.reason)
    steps: list[KMeansStep] = [step for step in trace.steps if step.phase != "best"]
    shown = trace.steps[-1].restart if restart is None else restart
    mine = [step for step in steps if step.restart == shown]
    places = [problem.plane.project(step.centers) for step in mine]
    previous = [places[0], *places[:-1]]
    frames = [_frame(problem, step, before, selected) for step, before in zip(mine, [mine[0], *mine[:-1]], strict=True)]
    return Scene(
        (data_panel(problem, np.vstack(places)), _sse_panel(steps)),
        (*_data_marks(problem, mine, places, previous), *_sse_marks(steps, mine, shown)),
        frames,
        (*problem.notes, *plane_note(problem)),
    )


def _data_marks(
    problem: Problem, steps: Sequence[KMeansStep], places: Sequence[Any], previous: Sequence[Any]
) -> tuple[Any, ...]:
    k = len(places[0])
    names = [f"cluster {j + 1}" for j in range(k)]
    none = np.array([NO_CLASS], np.uint8)
    colors = PerFrame([none if step.labels is None else step.labels for step in steps])
    xs, ys = (PerFrame([place[:, axis] for place in places]) for axis in (0, 1))
    nothing: NDArray[np.float64] = np.empty((0, 2))
    moves = [
        (p, q) if s.phase == "update" else (nothing, nothing) for p, q, s in zip(previous, places, steps, strict=True)
    ]
    (x0, x1), (y0, y1) = ([PerFrame([pair[end][:, axis] for pair in moves]) for end in (0, 1)] for axis in (0, 1))
    marks: list[Any] = []
    if cell_sites(problem):
        marks.append(Cells(x=xs, y=ys, tween=True))
    marks.append(data_points(problem, color=colors, size=PerFrame(_sizes(steps)), classes=names))
    marks.append(Segments(x0=x0, y0=y0, x1=x1, y1=y1, arrow=True))
    labels = [f"centre {j + 1}" for j in range(k)]
    marks.append(Points(x=xs, y=ys, color=np.arange(k), labels=labels, emphasis=True, tween=True))
    return tuple(marks)


def _sizes(steps: Sequence[KMeansStep]) -> list[Any]:
    """Return the radii: while k-means++ draws, the area of a row is its probability."""
    normal = np.array([4.5])
    return [
        normal if s.distances is None else 1.5 + LARGEST * np.sqrt(s.distances / max(s.distances.max(), 1e-300))
        for s in steps
    ]


def _curve(steps: Sequence[KMeansStep]) -> list[float]:
    return [step.inertia for step in steps if step.phase in ("assign", "update")]


def _sse_panel(steps: Sequence[KMeansStep]) -> Panel:
    restarts = {step.restart for step in steps}
    curves = [_curve([s for s in steps if s.restart == r]) for r in restarts]
    top = max((value for curve in curves for value in curve), default=1.0)
    longest = max(map(len, curves), default=1)
    return Panel(
        "sse",
        Axis("half-step", 0.5, max(longest, 2) + 0.5, integer=True),
        Axis("SSE", 0.0, top * 1.06 or 1.0),
        title="SSE after each half-step",
        side=True,
    )


def _sse_marks(steps: Sequence[KMeansStep], mine: Sequence[KMeansStep], shown: int) -> list[Any]:
    marks: list[Any] = []
    for other in sorted({step.restart for step in steps} - {shown}):
        curve = _curve([step for step in steps if step.restart == other])
        marks.append(Line(panel="sse", x=np.arange(1, len(curve) + 1), y=curve, color="muted", width=1.0))
    curve, reached = _curve(mine), np.cumsum([step.phase in ("assign", "update") for step in mine])
    rows = [(np.arange(1, n + 1), np.asarray(curve[:n])) for n in reached]
    marks.append(Line(panel="sse", x=PerFrame([x for x, _ in rows]), y=PerFrame([y for _, y in rows]), color="accent"))
    ends = [(x[-1:], y[-1:]) for x, y in rows]
    marks.append(Points(panel="sse", x=PerFrame([x for x, _ in ends]), y=PerFrame([y for _, y in ends]), color=[0]))
    return marks


def _frame(problem: Problem, step: KMeansStep, before: KMeansStep, selected: int | None) -> Frame:
    build = {"seed": _seed, "assign": _assign, "update": _update, "done": _done}[step.phase]
    caption, ledger = build(problem, step, before)
    if selected is not None and step.labels is not None:
        label = int(step.labels[selected])
        ledger = [*distances_to_centers(problem, step.centers, label, selected), *ledger]
    return Frame(caption, ledger, step.phase)


def _seed(problem: Problem, step: KMeansStep, before: KMeansStep) -> tuple[str, Blocks]:
    j = int(np.isfinite(step.centers[:, 0]).sum())
    ledger: Blocks = [center_table(problem, step.centers[:j], "Centres so far")]
    if step.chosen is None:
        return f"Centre {j} starts where you put it.", ledger
    row = problem.rows[step.chosen] + 1
    if step.distances is None:
        return f"Centre {j} is a row drawn at random: row {row}.", ledger
    share = step.distances / step.distances.sum()
    order = np.argsort(-share, kind="stable")[:TOP]
    table = [(int(problem.rows[i] + 1), float(step.distances[i]), float(share[i])) for i in order]
    ledger.append(LedgerTable(("row", "D²", "D² / ΣD²"), table, f"The {len(table)} farthest rows"))
    mine = f"{step.distances[step.chosen]:.6g} / {step.distances.sum():.6g} = {share[step.chosen]:.4g}"
    ledger.append(Formula(f"row {row}: D² / ΣD² = {mine}"))
    if step.chosen == int(step.distances.argmax()) and share[step.chosen] == share.max():
        return (
            f"Centre {j} is row {row}, the one with the largest D², its squared distance to the nearest centre.",
            ledger,
        )
    return f"Centre {j} is row {row}, drawn with probability D² / ΣD²: the larger a mark, the likelier it was.", ledger


def _assign(problem: Problem, step: KMeansStep, before: KMeansStep) -> tuple[str, Blocks]:
    parts = _parts(problem, step)
    gained = step.counts - (0 if before.labels is None else before.counts)
    rows = [(int(n), int(g), float(p)) for n, g, p in zip(step.counts, gained, parts, strict=True)]
    change = count(step.n_changed, "row changes", "rows change")
    if before.labels is None:
        caption = f"Assign: every row joins its nearest centre; the SSE is {step.inertia:.6g}."
    elif step.n_changed == 0:
        caption = f"Assign: no row changes its cluster; the SSE stays {step.inertia:.6g}."
    else:
        caption = f"Assign: {change} to a nearer centre; the SSE falls from {before.inertia:.6g} to {step.inertia:.6g}."
    head = ("rows", "change", "Σ‖x − c‖²")
    return caption, [cluster_table(head, rows, "After the assignment"), sum_of_parts(parts, step.inertia)]


def _update(problem: Problem, step: KMeansStep, before: KMeansStep) -> tuple[str, Blocks]:
    shown = problem.features[:MOST_COLUMNS]
    shift = np.zeros(len(step.counts)) if step.shift is None else step.shift
    rows = [
        (*(f"{c * n:.5g} / {n} = {c:.5g}" for c in center[: len(shown)]), float(moved))
        for n, center, moved in zip(step.counts, step.centers, shift, strict=True)
    ]
    change = f"from {before.inertia:.6g} to {step.inertia:.6g}"
    caption = f"Update: every centre moves to the mean of its rows; the SSE falls {change}."
    if before.inertia <= step.inertia:
        caption = f"Update: every centre is already the mean of its rows; the SSE stays {step.inertia:.6g}."
    for cluster, sample in step.relocated:
        caption += (
            f" Cluster {cluster + 1} was empty: it takes row {problem.rows[sample] + 1}, far from its own centre."
        )
    return caption, [
        cluster_table((*shown, "moved by"), rows, "New centre = sum / rows"),
        Formula(f"SSE: {before.inertia:.6g} → {step.inertia:.6g}"),
    ]


def _done(problem: Problem, step: KMeansStep, before: KMeansStep) -> tuple[str, Blocks]:
    parts = _parts(problem, step)
    rows = [(int(n), float(p)) for n, p in zip(step.counts, parts, strict=True)]
    sizes = cluster_table(("rows", "Σ‖x − c‖²"), rows, "Clusters")
    ledger: Blocks = [sizes, sum_of_parts(parts, step.inertia), center_table(problem, step.centers, "Centres")]
    return f"Done after {count(step.iteration, 'iteration', 'iterations')}. {step.reason}", ledger


def _parts(problem: Problem, step: KMeansStep) -> NDArray[np.float64]:
    labels = np.zeros(len(problem.X), np.intp) if step.labels is None else step.labels
    return parts_of_sse(problem, step.centers, labels)
