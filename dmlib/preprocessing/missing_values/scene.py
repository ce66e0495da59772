"""Missing values as a picture: the table as a matrix, two of its columns as a cloud, patterns."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Key, Scene
from dmlib.pictures.story import Plot, draw_plots, needs_steps, story
from dmlib.preprocessing.missing_values.algorithm import Imputer
from dmlib.preprocessing.missing_values.cloud_scene import Cloud
from dmlib.preprocessing.missing_values.ledger import Narrator
from dmlib.preprocessing.missing_values.matrix_scene import (
    FILLED,
    MAX_COLUMNS,
    NEIGHBOR,
    OPEN,
    matrix_plot,
    patterns_plot,
)
from dmlib.problem import Problem

MAX_FRAMES = 60


def filled_codes(run: Run[Problem, Imputer]) -> Floats:
    """Return the filled table as codes and numbers; NaN in rows that are left out."""

    def fill() -> Floats:
        filled: Floats = run.problem.X.copy()
        for step in run.trace.steps:
            if step.column >= 0:
                filled[step.row, step.column] = step.value
        if run.model.strategy == "drop":
            filled[np.isnan(run.problem.X).any(axis=1)] = np.nan
        return filled

    return np.asarray(run.once("missing_values.filled", fill))


def pair_of(problem: Problem) -> tuple[int, int]:
    """Return the columns of the cloud: that with most missing numbers, and its best correlate."""
    X = problem.X
    numeric = [j for j in range(X.shape[1]) if j not in problem.categories] or [0]
    y = max(numeric, key=lambda j: (int(np.isnan(X[:, j]).sum()), -j))
    strongest, x = -1.0, y
    for j in numeric:
        pairs = X[~np.isnan(X[:, [j, y]]).any(axis=1)][:, [j, y]]
        if j == y or len(pairs) < 3 or np.ptp(pairs, axis=0).min() == 0:
            continue
        with np.errstate(over="ignore", invalid="ignore"):
            r = abs(float(np.corrcoef(pairs[:, 0], pairs[:, 1])[0, 1]))
        if r > strongest:
            strongest, x = r, j
    return x, y


@needs_steps
def missing_values_scene(run: Run[Problem, Imputer]) -> Scene:
    """Draw how holes are filled, one cell a step.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.preprocessing import Imputer
    >>> from dmlib.problem import prepare
    >>> table = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [2.0, None, 6.0]})
    >>> problem = prepare(table, ["a", "b"], holes="keep")
    >>> scene = missing_values_scene(Run.of(problem, Imputer("mean")))
    >>> scene.frames[1].caption
    'b of row 2 becomes 4, the mean of b.'
    """
    problem, strategy = run.problem, run.model.strategy
    filled = filled_codes(run)
    cloud = Cloud(problem, filled, pair_of(problem), drops_rows=strategy == "drop")
    plots = (
        Plot(cloud.panel, cloud.marks),
        matrix_plot(problem, drops_rows=strategy == "drop"),
        patterns_plot(problem),
    )
    narrator = Narrator(problem, run.fitted, filled, run.selected)

    legend = [Key("known"), Key("missing", OPEN), Key("filled", FILLED)]
    if strategy == "knn":
        legend.append(Key("neighbour", NEIGHBOR))
    return story(
        run,
        draw_plots(plots, narrator.caption_and_ledger),
        panels=[plot.panel for plot in plots],
        legend=legend,
        notes=_notes(problem),
        max_frames=MAX_FRAMES,
    )


def _notes(problem: Problem) -> tuple[str, ...]:
    d = len(problem.features)
    return (f"The matrix has the first {MAX_COLUMNS} of {d} columns.",) if d > MAX_COLUMNS else ()
