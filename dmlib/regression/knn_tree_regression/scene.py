"""The step function beside the line: one neighbourhood, one split or one pruning step a frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.data.heights import heights_panel, heights_scene
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Rects, Segments
from dmlib.pictures.motion import thin, thinned_note, with_before
from dmlib.pictures.plane import data_points
from dmlib.pictures.regions import query_handle
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene, bounds
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.drawing_scene import drawn_tree
from dmlib.regression.knn_tree_regression.ledger import NeighborTeller, TreeTeller
from dmlib.regression.knn_tree_regression.neighbors import KNeighborsRegressor
from dmlib.regression.knn_tree_regression.tree import Grown, TreeStep

MOST_FRAMES, MOST_PLACES = 60, 12_000  # frames; rows times frames
GRID = 300  # vertices of a curve without corners
MOST_BARS = 30  # neighbours whose weights are drawn
NEIGHBOR, OTHERS = 0, 1  # colours of what a step is about: the left and the right part of a split


def knn_tree_scene(run: Run) -> Scene:
    """Draw the steps of :class:`KNeighborsRegressor`, :class:`DecisionTreeRegressor` or :class:`ModelTree`.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.regression import DecisionTreeRegressor
    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 1.0, 5.0, 7.0]})
    >>> problem = prepare(frame, ["x"], target="y", numeric_target=True)
    >>> [frame.phase for frame in knn_tree_scene(Run.of(problem, DecisionTreeRegressor(max_leaf_nodes=2))).frames]
    ['root', 'split', 'done']
    """
    if not run.trace.steps:
        return heights_scene(run.problem)
    most = int(np.clip(MOST_PLACES // len(run.problem.X), 8, MOST_FRAMES))
    shown = thin(len(run.trace.steps), most)
    if run.trace.steps[-1].phase == "done":  # and the step before it, which may be the smoothing
        shown = np.union1d(shown, [len(run.trace.steps) - 2])
    return _neighbors(run, shown) if isinstance(run.model, KNeighborsRegressor) else _tree(run, shown)


def least_squares(problem: Problem) -> Floats:
    """Return the coefficients of the line through the training rows, the constant term first."""
    X, y = np.asarray(problem.training.X, float), np.asarray(problem.training.y, float)
    slopes = np.linalg.lstsq(X - X.mean(axis=0), y - y.mean(), rcond=1e-10)[0]
    return np.array([y.mean() - X.mean(axis=0) @ slopes, *slopes])


def _view(run: Run, predict: Sequence[Callable[[Floats], Floats]]) -> tuple[Panel, list[Mark], Points]:
    """Return the large panel, the line of least squares, and the rows: at their heights, or by their predictions."""
    problem = run.problem
    if problem.upright:
        panel = heights_panel(problem)
        line, ends = least_squares(problem), np.array([panel.x.low, panel.x.high])
        heights = np.clip(line[0] + line[1] * ends, panel.y.low, panel.y.high)
        places = ends if line[1] == 0 else np.clip((heights - line[0]) / line[1], *ends)
        return panel, [Line(x=places, y=heights, color="muted", width=1.8, dash=True)], data_points(problem)
    y = np.asarray(problem.y, float)
    axis = Axis(f"predicted {problem.target}", *bounds(y))
    panel = Panel("data", axis, Axis(f"observed {problem.target}", axis.low, axis.high), equal=True)
    fitted = Deferred(lambda at: np.clip(at(problem.X), axis.low, axis.high), predict)
    ends = np.array([axis.low, axis.high])
    points = replace(data_points(problem), x=PerFrame(fitted), y=y)
    return panel, [Line(x=ends, y=ends, color="accent", width=2.0)], points


def _notes(run: Run, shown: NDArray[np.intp]) -> tuple[str, ...]:
    told = "Dashed: the line of least squares through the same rows."
    if not run.problem.upright:
        told = "On the line, observed and predicted numbers are equal."
    return (*run.problem.notes, told, *thinned_note(shown))


def _handles(run: Run, panel: Panel, height: float) -> list[Handle]:
    if not run.problem.upright:
        return []
    return [replace(query_handle(run.asked), y=float(np.clip(height, panel.y.low, panel.y.high)))]


def _rings(problem: Problem, rows: Sequence[tuple[Any, Any]], fitted: Callable[[int], Floats]) -> Points:
    """Return rings around the rows that each frame is about: training rows and their colours."""
    y = np.asarray(problem.training.y, float)
    x = [fitted(i)[some] for i, (some, _) in enumerate(rows)]
    return Points(
        x=PerFrame(x), y=PerFrame([y[some] for some, _ in rows]), color=PerFrame([color for _, color in rows]),
        symbol=[0], size=[6.5], of="",
    )  # fmt: skip


# --- neighbours -------------------------------------------------------------------------------------------------------


def neighbor_curve(model: KNeighborsRegressor, low: float, high: float) -> tuple[Floats, Floats]:
    """Return the vertices of the prediction over a single column: with equal weights, its exact steps.

    Examples
    --------
    >>> model = KNeighborsRegressor(1).fit([[0.0], [2.0]], [5.0, 7.0])
    >>> [each.tolist() for each in neighbor_curve(model, -1.0, 3.0)]
    [[-1.0, 1.0, 1.0, 3.0], [5.0, 5.0, 7.0, 7.0]]
    """
    x, k = np.sort(model.stored_[:, 0]), model.n_neighbors
    if model.weights == "uniform":
        ends = (
            np.unique([low, *np.clip((x[:-k] + x[k:]) / 2, low, high), high]) if k < len(x) else np.array([low, high])
        )
        heights = model.predict(((ends[:-1] + ends[1:]) / 2)[:, None])
        return np.repeat(ends, 2)[1:-1], np.repeat(heights, 2)
    places = np.unique(np.concatenate([np.linspace(low, high, GRID), x[(x >= low) & (x <= high)]]))
    return places, model.predict(places[:, None])


def _neighbors(run: Run, shown: NDArray[np.intp]) -> Scene:
    problem, model, learned = run.problem, run.fitted, run.problem.training
    steps = [run.trace.steps[i] for i in shown]
    panel, marks, points = _view(run, [model.predict] * len(steps))
    if not problem.upright:
        fitted = np.clip(model.predict(problem.X), panel.x.low, panel.x.high)
        points = replace(points, x=fitted)
    query = run.asked
    at = query.x if problem.upright or query.sample is not None else steps[-1].place
    distances, neighbors = (each[0] for each in model.kneighbors(at[None]))
    weights = model.neighbor_weights(distances)
    last = replace(steps[-1], place=at, neighbors=neighbors, distances=distances, weights=weights,
                   prediction=float(model.predict(at[None])[0]))  # fmt: skip
    steps[-1] = last
    teller = NeighborTeller(problem, model, None if run.selected is None else query.sample)
    rings = [(step.neighbors, np.full(len(step.neighbors), NEIGHBOR, np.uint8)) for step in steps]
    x = learned.X[:, 0] if problem.upright else np.clip(model.fitted_, panel.x.low, panel.x.high)
    if problem.upright:
        marks += _curve_and_window(model, panel, steps)
    side, side_marks = _weights_panel(steps)
    legend = (Key("neighbours", NEIGHBOR, 0),)
    frames = Deferred(teller.frame, with_before(steps))
    scene = (panel, side), (*marks, points, _rings(problem, rings, lambda i: x), *side_marks), frames
    return Scene(*scene, _notes(run, shown), _handles(run, panel, last.prediction), legend)


def _curve_and_window(model: KNeighborsRegressor, panel: Panel, steps: Sequence[Any]) -> list[Mark]:
    """Return the curve as far as the queries have come, and the stretch in which the neighbours lie."""
    x, y = neighbor_curve(model, panel.x.low, panel.x.high)
    y = np.clip(y, panel.y.low, panel.y.high)
    known = [np.where((x <= step.place[0]) | (step.phase == "done"), y, np.nan) for step in steps]
    known[0] = np.full(len(y), np.nan)
    reach = [step.distances.max() if len(step.distances) else np.nan for step in steps]
    low = [np.clip([step.place[0] - r], panel.x.low, panel.x.high) for step, r in zip(steps, reach, strict=True)]
    high = [np.clip([step.place[0] + r], panel.x.low, panel.x.high) for step, r in zip(steps, reach, strict=True)]
    level = PerFrame([[step.prediction] for step in steps])
    heights = [[panel.y.low], [panel.y.high]]
    return [
        Rects(
            x0=PerFrame(low), x1=PerFrame(high), y0=heights[0], y1=heights[1], color=[NEIGHBOR], opacity=[0.1], of=""
        ),
        Line(x=x, y=PerFrame(known), color="accent", width=2.5),
        Segments(x0=PerFrame(low), x1=PerFrame(high), y0=level, y1=level, color=[NEIGHBOR], width=3.0, of=""),
    ]


def _weights_panel(steps: Sequence[Any]) -> tuple[Panel, list[Mark]]:
    """Return the share of each neighbour in the prediction."""
    n = min(len(steps[-1].neighbors), MOST_BARS)
    shares = [step.weights[:n] / step.weights.sum() if len(step.weights) else np.zeros(n) for step in steps]
    top = max(float(share.max()) for share in shares)
    x = np.arange(1.0, n + 1)
    panel = Panel("weights", Axis("neighbour, nearest first", 0.4, n + 0.6, integer=True),
                  Axis("share", 0.0, 1.08 * top), "Weights", side=True)  # fmt: skip
    bars = Rects(panel="weights", x0=x - 0.4, x1=x + 0.4, y0=np.zeros(n), y1=PerFrame(shares), tween=True,
                 color=np.full(n, NEIGHBOR, np.uint8), of="neighbour", numbers=x)  # fmt: skip
    return panel, [bars]


# --- trees ------------------------------------------------------------------------------------------------------------


def growing(steps: Sequence[TreeStep], shown: NDArray[np.intp]) -> list[Grown]:
    """Return the tree at each of the steps that are shown."""
    grown, wanted, found = Grown(), set(shown.tolist()), []
    for number, step in enumerate(steps):
        grown.add(step)
        if number in wanted:
            found.append(grown.copy())
    return found


def _tree(run: Run, shown: NDArray[np.intp]) -> Scene:
    problem, all_steps, learned = run.problem, run.trace.steps, run.problem.training
    pairs = with_before(all_steps, shown)
    steps = [step for step, _ in pairs]
    trees = growing(all_steps, shown)
    panel, marks, points = _view(run, [tree.predict for tree in trees])
    asked = run.asked
    query = asked.x if problem.upright or run.selected is not None else None
    final = trees[-1]
    teller = TreeTeller(run, steps, trees, query)
    if problem.upright:
        marks += _step_function(panel, trees) + _cuts(panel, steps, trees)
    rings = [_parts(step, tree) for step, tree in zip(steps, trees, strict=True)]
    X = np.asarray(learned.X, float)

    def across(i: int) -> Floats:
        return X[:, 0] if problem.upright else np.clip(trees[i].predict(X), panel.x.low, panel.x.high)

    last_growth = max(i for i, step in enumerate(all_steps) if step.phase in ("root", "split"))
    (full,) = growing(all_steps, np.array([last_growth]))
    drawing, drawn = drawn_tree(problem, full, steps, trees)
    side, side_marks = _errors_panel(all_steps, steps)
    handles = _handles(run, panel, float(final.predict(asked.x[None])[0]))
    legend = (Key("left part", NEIGHBOR, 0), Key("right part", OTHERS, 0))
    return Scene(
        (panel, drawing, side),
        (*marks, points, _rings(problem, rings, across), *drawn, *side_marks),
        Deferred(teller.frame, range(len(steps))),
        _notes(run, shown),
        handles,
        legend,
    )


def _parts(step: TreeStep, tree: Grown) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """Return the rows that a step is about, and in which part they are."""
    if step.phase == "split":
        parts = [node.rows for node in step.made]
        return np.concatenate(parts), np.repeat(np.array([NEIGHBOR, OTHERS], np.uint8), [len(p) for p in parts])
    rows = tree.nodes[step.node].rows if step.phase in ("keep", "prune") else np.empty(0, np.intp)
    return rows, np.full(len(rows), NO_CLASS, np.uint8)


def step_function(tree: Grown, low: float, high: float) -> tuple[Floats, Floats]:
    """Return the vertices of a tree's prediction over a single column.

    Examples
    --------
    >>> from dmlib.regression import DecisionTreeRegressor
    >>> steps = list(DecisionTreeRegressor().steps([[0.0], [2.0]], [5.0, 7.0]))
    >>> [each.tolist() for each in step_function(growing(steps, np.array([1]))[0], -1.0, 3.0)]
    [[-1.0, 1.0, 1.0, 3.0], [5.0, 5.0, 7.0, 7.0]]
    """
    cuts = sorted(split.threshold for split in tree.splits.values())
    ends = np.array([low, *(cut for cut in cuts if low < cut < high), high])
    # just inside each piece, so that a row at a threshold goes to the left
    inside = (ends[:-1] + ends[1:]) / 2
    x = np.repeat(ends, 2)[1:-1]
    middle = tree.predict(inside[:, None])
    if not tree.models:
        return x, np.repeat(middle, 2)
    found = tree.tree()
    places = found.numbers[found.apply(inside[:, None])]
    lines = np.repeat(np.array([tree.models[i] for i in places]), 2, axis=0)
    return x, lines[:, 0] + lines[:, 1] * x


def _step_function(panel: Panel, trees: Sequence[Grown]) -> list[Mark]:
    curves = [step_function(tree, panel.x.low, panel.x.high) for tree in trees]
    x = PerFrame([x for x, _ in curves])
    y = PerFrame([np.clip(y, panel.y.low, panel.y.high) for _, y in curves])
    return [Line(x=x, y=y, color="accent", width=2.5)]


def _cuts(panel: Panel, steps: Sequence[TreeStep], trees: Sequence[Grown]) -> list[Mark]:
    """Return the stretch that a step is about, with the new cut."""
    spans = [_span(tree, step.node, panel) if step.phase in ("split", "keep", "prune") else None
             for step, tree in zip(steps, trees, strict=True)]  # fmt: skip
    ends = [PerFrame([[] if span is None else [span[i]] for span in spans]) for i in (0, 1)]
    cut = PerFrame([[step.split.threshold] if step.split is not None else [] for step in steps])
    return [
        Rects(x0=ends[0], x1=ends[1], y0=PerFrame([[] if s is None else [panel.y.low] for s in spans]),
              y1=PerFrame([[] if s is None else [panel.y.high] for s in spans]),
              color=PerFrame([[] if s is None else [NO_CLASS] for s in spans]), opacity=[0.1], of=""),
        Segments(x0=cut, x1=cut, y0=PerFrame([[panel.y.low] if s.split else [] for s in steps]),
                 y1=PerFrame([[panel.y.high] if s.split else [] for s in steps]), width=1.5, of=""),
    ]  # fmt: skip


def _span(tree: Grown, number: int, panel: Panel) -> tuple[float, float]:
    """Return between which places of a single column a node lies."""
    low, high, node = panel.x.low, panel.x.high, tree.nodes[number]
    while node.parent >= 0:
        above = node.parent
        split = tree.splits[above]
        if tree.children[above][0] == node.number:
            high = min(high, split.threshold)
        else:
            low = max(low, split.threshold)
        node = tree.nodes[above]
    return low, high


def _errors_panel(all_steps: Sequence[TreeStep], steps: Sequence[TreeStep]) -> tuple[Panel, list[Mark]]:
    """Return the error of the training rows by the number of leaves."""
    path = [step for step in all_steps if step.phase in ("root", "split", "prune")]
    leaves, totals = np.array([s.n_leaves for s in path], float), np.array([s.total for s in path])
    panel = Panel("errors", Axis("leaves", *bounds(leaves, 0.04), integer=True),
                  Axis("training error", *bounds([0.0, *totals], 0.08)), "Sum of errors", side=True)  # fmt: skip
    line = Line(panel="errors", x=leaves, y=totals, color="accent", width=1.5)
    now = Points(panel="errors", x=PerFrame([[s.n_leaves] for s in steps]), y=PerFrame([[s.total] for s in steps]),
                 color=[NO_CLASS], symbol=[0], size=[5.0], emphasis=True, tween=True, of="")  # fmt: skip
    return panel, [line, now]
