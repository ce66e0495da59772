"""The holes of a table as a picture: the whole table as a matrix, two of its columns as a cloud, the patterns."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Points, Raster, Rects, Texts
from dmlib.pictures.motion import thin, thinned_note
from dmlib.pictures.plane import data_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Key, Panel, Scene, bounds
from dmlib.preprocessing import ImputerStep
from dmlib.preprocessing.missing_values.ledger import Teller
from dmlib.problem import Problem

OPEN, FILLED, NEAR = 1, 0, 2  # classes whose colours holes, what fills them, and neighbours have
MOST_FRAMES = 60
MOST_COLUMNS = 30
MOST_PATTERNS = 8


def filled_codes(run: Run) -> Floats:
    """Return the filled table as codes and numbers, shape (n_samples, n_features); NaN in rows that are left out."""

    def make() -> Floats:
        after: Floats = run.problem.X.copy()
        for step in run.trace.steps:
            if step.column >= 0:
                after[step.row, step.column] = step.value
        if run.model.strategy == "drop":
            after[np.isnan(run.problem.X).any(axis=1)] = np.nan
        return after

    return np.asarray(run.once("missing_values.filled", make))


def pair_of(problem: Problem) -> tuple[int, int]:
    """Return the columns of the cloud: the number that is missing most, and what goes with it most."""
    X = problem.X
    numeric = [j for j in range(X.shape[1]) if j not in problem.categories] or [0]
    y = max(numeric, key=lambda j: (int(np.isnan(X[:, j]).sum()), -j))
    best, x = -1.0, y
    for j in numeric:
        both = ~np.isnan(X[:, [j, y]]).any(axis=1)
        if j == y or both.sum() < 3 or min(np.ptp(X[both, j]), np.ptp(X[both, y])) == 0:
            continue
        with np.errstate(over="ignore", invalid="ignore"):
            r = abs(float(np.corrcoef(X[both, j], X[both, y])[0, 1]))
        if r > best:
            best, x = r, j
    return x, y


def missing_values_scene(run: Run) -> Scene:
    """Draw how holes are filled, one cell a step; of very many, some.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.preprocessing import Imputer
    >>> from dmlib.problem import prepare
    >>> table = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [2.0, None, 6.0]})
    >>> scene = missing_values_scene(Run.of(prepare(table, ["a", "b"], holes="keep"), Imputer("mean")))
    >>> scene.frames[1].caption
    'b of row 2 becomes 4, the mean of b.'
    """
    problem, trace = run.problem, run.trace
    if not trace.steps:
        return data_scene(problem, trace.reason)
    teller, after = Teller(problem, run.fitted), filled_codes(run)
    asked = teller.asked(run.selected, after)
    shown = thin(len(trace.steps), MOST_FRAMES)
    steps = [trace.steps[i] for i in shown]
    frames: Any = Deferred(lambda s: Frame(teller.caption(s), [*asked, *teller.ledger(s, after)], s.phase), steps)
    cloud, cloud_marks = _cloud(problem, steps, after, run.model.strategy)
    matrix, matrix_marks = _matrix(problem, steps)
    patterns, pattern_marks = _patterns(problem)
    legend = [Key("known"), Key("missing", OPEN), Key("filled", FILLED)]
    if run.model.strategy == "knn":
        legend.append(Key("neighbour", NEAR))
    notes = (*problem.notes, *thinned_note(shown), *_left_out(problem))
    return Scene((cloud, matrix, patterns), (*cloud_marks, *matrix_marks, *pattern_marks), frames, notes, (), legend)


def _left_out(problem: Problem) -> tuple[str, ...]:
    d = len(problem.features)
    return (f"The matrix has the first {MOST_COLUMNS} of {d} columns.",) if d > MOST_COLUMNS else ()


def _done(problem: Problem, steps: list[ImputerStep]) -> list[int]:
    return [s.n_done for s in steps]


def _cloud(problem: Problem, steps: list[ImputerStep], after: Floats, strategy: str) -> tuple[Panel, list[Mark]]:
    """Return two columns with the rows at their known and filled places; what is still missing lies on the border."""
    across, up = pair_of(problem)
    X, n = problem.X, len(problem.X)
    axes, places, ends = [], [], []
    for j in (across, up):
        low, high = bounds(np.r_[X[:, j], after[:, j]])
        border = low - 0.05 * (high - low)
        ticks = problem.categories.get(j, ())
        axes.append(Axis(problem.features[j], border - 0.05 * (high - low), high, ticks=ticks))
        places.append(np.where(np.isnan(X[:, j]), border, X[:, j]))
        end = np.where(np.isnan(after[:, j]), border, after[:, j])
        # A code of its own lies above all names.
        ends.append(end)
    holes = np.isnan(X)
    if strategy == "drop":
        order = np.cumsum(holes.any(axis=1))
        turns = np.repeat(np.where(holes.any(axis=1), order, n + 1)[:, None], 2, axis=1)
    else:
        order = np.where(holes, np.cumsum(holes.ravel()).reshape(X.shape), 0)
        turns = order[:, [across, up]]
    shown_holes = holes[:, [across, up]]
    touched = shown_holes.any(axis=1)
    states: dict[int, tuple[Any, ...]] = {}

    def state(done: int) -> tuple[Any, ...]:
        if done not in states:
            if strategy == "drop":
                gone = turns[:, 0] <= done
                x, y = (np.where(gone, np.nan, place) for place in places)
                color = np.where(touched, OPEN, NO_CLASS)
            else:
                x, y = (np.where(turns[:, a] <= done, ends[a], places[a]) for a in (0, 1))
                waiting = (shown_holes & (turns > done)).any(axis=1)
                color = np.where(waiting, OPEN, np.where(touched, FILLED, NO_CLASS))
            states[done] = (x, y, color.astype(np.uint8))
        return states[done]

    done = _done(problem, steps)
    size = 4.0 if n <= 200 else 3.0
    rows = Points(
        x=PerFrame(Deferred(lambda d: state(d)[0], done)),
        y=PerFrame(Deferred(lambda d: state(d)[1], done)),
        color=PerFrame(Deferred(lambda d: state(d)[2], done)),
        size=[size],
        opacity=[0.8],
        labels=problem.labels,
        numbers=problem.rows + 1,
        data=True,
        tween=True,
    )

    def place(s: ImputerStep, a: int) -> Floats:
        return state(s.n_done)[a][[s.row]] if s.column in (across, up) else np.empty(0)

    def near(s: ImputerStep, a: int) -> Floats:
        return places[a][s.neighbors[:30]] if s.column in (across, up) else np.empty(0)

    neighbours = Points(
        x=PerFrame(Deferred(lambda s: near(s, 0), steps)),
        y=PerFrame(Deferred(lambda s: near(s, 1), steps)),
        color=[NEAR],
        size=[5.5],
        of="",
    )
    now = Points(
        x=PerFrame(Deferred(lambda s: place(s, 0), steps)),
        y=PerFrame(Deferred(lambda s: place(s, 1), steps)),
        color=[FILLED],
        size=[7.0],
        emphasis=True,
        of="",
    )
    return Panel("data", axes[0], axes[1], "Rows in two columns"), [rows, neighbours, now]


def _matrix(problem: Problem, steps: list[ImputerStep]) -> tuple[Panel, list[Mark]]:
    """Return the table as an image, each known cell shaded by its rank, each hole coloured until it is filled."""
    X = problem.X[:, :MOST_COLUMNS]
    n, d = X.shape
    shade = np.zeros((n, d), np.uint8)
    for j in range(d):
        known = ~np.isnan(X[:, j])
        rank = np.argsort(np.argsort(X[known, j], kind="stable"), kind="stable")
        shade[known, j] = 40 + (150 * rank / max(known.sum() - 1, 1)).astype(int)
    panel = Panel(
        "matrix",
        Axis("column", -0.5, d - 0.5, ticks=problem.features[:d]),
        Axis("rows, the first on top", 0.0, float(n), ticks=("",)),
        "The table: a stronger cell is a larger value",
    )
    holes = np.isnan(problem.X)
    order = np.cumsum(holes.ravel()).reshape(holes.shape)
    if any(s.phase == "leave" for s in steps):
        order = np.repeat(np.cumsum(holes.any(axis=1))[:, None], holes.shape[1], axis=1)
    cells = np.argwhere(holes[:, :d])
    turn = order[cells[:, 0], cells[:, 1]]
    top = n - cells[:, 0].astype(float)
    done = _done(problem, steps)
    marks: list[Mark] = [
        Raster(
            panel="matrix", pixels=shade.ravel(), width=d, height=n, extent=(-0.5, d - 0.5, 0.0, float(n)),
            ramp=True, opacity=0.6, crisp=True,
        ),
        Rects(
            panel="matrix", x0=cells[:, 1] - 0.47, x1=cells[:, 1] + 0.47, y0=top - 1, y1=top,
            color=PerFrame(Deferred(lambda k: np.where(turn <= k, FILLED, OPEN).astype(np.uint8), done)),
            opacity=[0.95], numbers=problem.rows[cells[:, 0]] + 1,
        ),
    ]  # fmt: skip
    thick = max(1.0, n / 90)

    def rows_of(s: ImputerStep) -> Floats:
        return (n - s.neighbors[:30] - 0.5).astype(float) if 0 <= s.column < d else np.empty(0)

    def columns_of(s: ImputerStep, side: float) -> Floats:
        return np.full(len(rows_of(s)), s.column + side)

    marks.append(
        Rects(
            panel="matrix", x0=PerFrame(Deferred(lambda s: columns_of(s, -0.47), steps)),
            x1=PerFrame(Deferred(lambda s: columns_of(s, 0.47), steps)),
            y0=PerFrame(Deferred(lambda s: rows_of(s) - thick / 2, steps)),
            y1=PerFrame(Deferred(lambda s: rows_of(s) + thick / 2, steps)), color=[NEAR], opacity=[0.95],
        )
    )  # fmt: skip
    spot = [s if s.row >= 0 else None for s in steps]
    marks.append(
        Points(
            panel="matrix",
            x=PerFrame([[max(s.column, 0)] if s and s.column < d else [] for s in spot]),
            y=PerFrame([[n - s.row - 0.5] if s and s.column < d else [] for s in spot]),
            color=[FILLED], size=[5.0], emphasis=True, of="",
        )
    )  # fmt: skip
    return panel, marks


def _patterns(problem: Problem) -> tuple[Panel, list[Mark]]:
    """Return which columns are missing together, and in how many rows."""
    holes = np.isnan(problem.X[:, :MOST_COLUMNS])
    found, counts = np.unique(holes, axis=0, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:MOST_PATTERNS]
    d, m = holes.shape[1], len(order)
    title = "Patterns" if m == len(counts) else f"Patterns: the first {m} of {len(counts)}"
    panel = Panel(
        "patterns",
        Axis("column", -0.5, 1.5 * d + 0.2, ticks=problem.features[:d]),
        Axis("", 0.0, float(m), ticks=("",)),
        title,
        side=True,
    )
    rows, columns = np.divmod(np.arange(m * d), d)
    gone = found[order].ravel()
    marks: list[Mark] = [
        Rects(
            panel="patterns", x0=columns - 0.45, x1=columns + 0.45, y0=m - rows - 0.9, y1=m - rows - 0.1,
            color=np.where(gone, OPEN, NO_CLASS).astype(np.uint8), opacity=np.where(gone, 0.95, 0.25), of="",
        ),
        Texts(panel="patterns", x=np.full(m, d - 0.4), y=m - np.arange(m) - 0.5, text=[f"{counts[i]} rows" if d < 9
              else str(counts[i]) for i in order], anchor="start", dy=4.0),
    ]  # fmt: skip
    return panel, marks
