"""A column as a picture: its values row by row, then sorted, with quantiles, mean and spread."""

from __future__ import annotations

from dmlib.params import Choice, Integer
from dmlib.pictures.ledger import Blocks
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Key, Scene
from dmlib.pictures.story import Moment, draw_plots, needs_steps, story
from dmlib.preprocessing.data_overview.bins import RULES
from dmlib.preprocessing.data_overview.boxes_scene import box_plots
from dmlib.preprocessing.data_overview.column_summary import ColumnSummary
from dmlib.preprocessing.data_overview.histogram_scene import histogram_plot
from dmlib.preprocessing.data_overview.ledger import caption_and_ledger
from dmlib.preprocessing.data_overview.statistic_names import scale_note
from dmlib.preprocessing.data_overview.values_scene import ColumnValues, values_plot
from dmlib.problem import Problem

MEASURES = ("pearson", "spearman", "covariance")
OPTIONS = {
    "bins": Option(Choice(RULES), "sturges"),
    "k": Option(Integer(1, 200, shown=(2, 40)), 10),
    "measure": Option(Choice(MEASURES), "pearson"),
}
"""The rule and the number of bins of the histograms, and the measure of correlation."""


@needs_steps
def data_overview_scene(run: Run[Problem, ColumnSummary]) -> Scene:
    """Draw the location and the spread of a column.

    There is one frame for each step of :class:`dmlib.preprocessing.ColumnSummary`; see
    :data:`OPTIONS`.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.preprocessing import ColumnSummary
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [2.0, 4.0, 4.0, 5.0, 15.0]}), ["a"])
    >>> scene = data_overview_scene(Run.of(problem, ColumnSummary()))
    >>> scene.frames[3].phase, scene.frames[3].caption
    ('median', 'Half of the values are at most 4: the median.')
    """
    problem, steps, options = run.problem, run.trace.steps, chosen(run, OPTIONS)
    values = ColumnValues(problem, steps)
    plots = [values_plot(values), histogram_plot(values, options["bins"], options["k"])]
    if "low_fence" in values.statistics:
        plots.append(box_plots(values))

    def words(moment: Moment) -> tuple[str, Blocks]:
        return caption_and_ledger(problem, moment.step, run.selected)

    return story(
        run,
        draw_plots(plots, words),
        panels=[plot.panel for plot in plots],
        legend=_legend(values),
        notes=(scale_note(steps[-1]),),
    )


def _legend(values: ColumnValues) -> list[Key]:
    """Return the classes, where colours tell them apart, and the mark of missing values."""
    names = values.problem.classes if values.has_colors else ()
    keys = [Key(name, code) for code, name in enumerate(names)]
    return keys if values.is_known.all() else [*keys, Key("missing", hollow=True)]
