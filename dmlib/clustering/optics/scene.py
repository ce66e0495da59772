"""OPTICS as a picture: the walk through the plane, and the reachability plot that grows with it."""

from __future__ import annotations

import numpy as np

from dmlib.clustering.clusters import Clusters
from dmlib.clustering.core_graph import NOISE
from dmlib.clustering.density_scene import (
    CROSS,
    DOT,
    MAX_FRAMES,
    cluster_colors,
    cluster_keys,
    disc_note,
    labelled_points,
    reach_marks,
)
from dmlib.clustering.neighbors import Neighbors
from dmlib.clustering.optics.algorithm import OPTICS, OPTICSStep
from dmlib.clustering.optics.ledger import Narrator
from dmlib.clustering.optics.plot_scene import ReachabilityPlot
from dmlib.clustering.reachability import cut_height
from dmlib.params import Choice, Number
from dmlib.pictures.marks import NO_CLASS, Segments
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.places import points_at, segments_between
from dmlib.pictures.plane import data_panel, data_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Key, Scene
from dmlib.pictures.story import Drawing, Moment, story
from dmlib.problem import Problem

MAX_REACHED = 6  # segments to rows that are reached more easily
OPTIONS = {
    "cut": Option(Number(0.0, 1e150, shown=(0.01, 10.0), log=True, names=("auto",)), "auto"),
    "clusters": Option(Choice(("cut", "xi")), "cut"),
}
"""The height of the cut, "auto" as in :func:`dmlib.clustering.reachability.cut_height`; and which
clusters are coloured: those below the cut, or with "xi" those that the run found by steep
flanks."""
LEGEND = (Key("noise", NO_CLASS, CROSS), Key("not processed", NO_CLASS))


def optics_scene(run: Run[Problem, OPTICS]) -> Scene:
    """Draw a run of OPTICS.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.clustering.OPTICS`; see :data:`OPTIONS`.

    Returns
    -------
    Scene
        One frame for each row that takes its place, and one for the end; of very many, some.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import OPTICS
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0], "b": [0.0, 0.0, 0.0, 0.0]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> scene = optics_scene(Run.of(problem, OPTICS(2)))
    >>> [frame.phase for frame in scene.frames], scene.handles[0].label
    (['start', 'process', 'process', 'process', 'done'], 'cut = 4.5')
    """
    problem, metric = run.problem, run.model.metric
    options = chosen(run, OPTIONS)
    steps, max_eps = run.trace.steps, run.model.max_eps
    plot = ReachabilityPlot(problem, steps, max_eps, options["cut"], options["clusters"])
    narrator = Narrator(problem, Neighbors(problem.X, metric=metric), plot, run.selected)
    panel, dots = data_panel(problem), data_points(problem, size=[DOT])

    def draw(moment: Moment) -> Drawing:
        step: OPTICSStep = moment.step
        rows = np.array([] if step.row is None else [step.row], np.intp)
        labels = np.where(plot.place <= step.position, plot.labels, NOISE - 1)
        marks = (
            *reach_marks(problem, panel, metric, rows, step.core_distance, NO_CLASS),
            _reached(problem, step),
            dots,
            labelled_points(problem, labels),
            _came_from(problem, step),
            points_at(
                problem.points[rows],
                color=cluster_colors(plot.labels[rows]),
                emphasis=True,
                size=[8.0],
            ),
            plot.bars(step.position),
            plot.flanks(step),
            plot.point(rows),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(panel, plot.panel()),
        fold=narrator.source,
        legend=(*cluster_keys(plot.labels), *LEGEND),
        handles=(plot.handle(),),
        notes=disc_note(problem),
        also=[max(len(run.trace.steps) - 2, 0)],
        max_frames=MAX_FRAMES,
    )


def _reached(problem: Problem, step: OPTICSStep) -> Segments:
    """Return the segments to the updated rows with the smallest reachabilities."""
    nearest = np.argsort(step.reachabilities[step.updated], kind="stable")[:MAX_REACHED]
    rows = step.updated[nearest]
    return segments_between(problem.points[np.full(len(rows), step.row or 0)], problem.points[rows])


def _came_from(problem: Problem, step: OPTICSStep) -> Segments:
    """Return the arrow to the processed row from its predecessor."""
    rows = np.array([] if step.row is None or step.predecessor < 0 else [step.row], np.intp)
    start = problem.points[np.full(len(rows), step.predecessor)]
    return segments_between(start, problem.points[rows], color=[0], arrow=True, width=2.5)


def shown_clusters(run: Run[Problem, OPTICS]) -> Clusters:
    """Return the clusters that are coloured; see :data:`OPTIONS`.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import OPTICS
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 1.0, 9.0, 10.0]}), ["a"])
    >>> shown_clusters(Run.of(problem, OPTICS(2))).labels_.tolist()
    [0, 0, 1, 1]
    """
    model, by_cut = run.fitted, chosen(run, OPTIONS)["clusters"] == "cut"
    return Clusters(model.cut(shown_cut(run)) if by_cut else model.labels_)


def shown_cut(run: Run[Problem, OPTICS]) -> float:
    """Return the height of the cut, as :data:`OPTIONS` say."""
    model, cut = run.fitted, chosen(run, OPTIONS)["cut"]
    return cut_height(cut, model.reachability_, model.core_distances_, model.max_eps)
