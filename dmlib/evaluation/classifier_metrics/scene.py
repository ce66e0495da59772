"""A confusion matrix that fills row by row, and the measures that are computed from it."""

from __future__ import annotations

from dmlib.evaluation.classifier_metrics.cells_scene import Cells, matrix_plot
from dmlib.evaluation.classifier_metrics.classifier_report import ClassifierReport
from dmlib.evaluation.classifier_metrics.ledger import Narrator
from dmlib.evaluation.classifier_metrics.panels_scene import bars, chance, lanes, losses, progress
from dmlib.evaluation.classifier_metrics.report_scene import Report, report_of
from dmlib.evaluation.measures_ledger import settings_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Key, Scene
from dmlib.pictures.story import data_alone, draw_plots, story
from dmlib.problem import Problem


def classifier_metrics_scene(run: Run[Problem, ClassifierReport]) -> Scene:
    """Draw a confusion matrix that fills, and its measures.

    There is a frame for each fold, for each batch of rows, for each measure, and for the end of the
    steps of :class:`dmlib.evaluation.ClassifierReport`.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.evaluation import ClassifierReport
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"score": [0.9, 0.8, 0.4, 0.1], "ill": ["yes", "no", "yes", "no"]})
    >>> problem = prepare(frame, ["score"], target="ill", labelled=True)
    >>> scene = classifier_metrics_scene(Run.of(problem, ClassifierReport("column")))
    >>> scene.frames[4].caption
    'Row 4 is no and is predicted no: TN = 1.'
    """
    problem, model = run.problem, run.model
    report = report_of(problem, run.trace)
    if report is None:
        return data_alone(run, "There is nothing to show.")
    cells = Cells.of(problem.classes, report.positive)
    plots = [matrix_plot(problem, report, cells), bars(report), chance(report)]
    if len(problem.classes) == 2:
        plots.insert(1, lanes(problem, report, model.threshold, model.column))
    if report.probabilities is not None:
        plots.append(losses(problem, report, report.probabilities))
    narrator = Narrator(run, report, cells)

    return story(
        run,
        draw_plots(plots, narrator.caption_and_ledger),
        panels=[plot.panel for plot in plots],
        steps=report.steps,
        fold=progress(len(problem.X)),
        notes=(*settings_note(model.model), *_notes(report)),
        handles=[handle for plot in plots for handle in plot.handles],
        legend=[Key(name, code) for code, name in enumerate(problem.classes)],
        max_frames=len(report.steps),
    )


def _notes(report: Report) -> tuple[str, ...]:
    if report.kind == "decision":
        squashed = "1 / (1 + exp(−decision)), which is no probability"
        return (f"The threshold is compared with {squashed}.",)
    return ()
