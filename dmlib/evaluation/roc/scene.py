"""A threshold that falls through the scores, on ROC, precision-recall, gain and profit curves."""

from __future__ import annotations

from typing import Any

from dmlib.evaluation.measures_ledger import settings_note
from dmlib.evaluation.roc.curves_scene import (
    LEGEND,
    gains_plot,
    precision_recall_plot,
    profit_plot,
    roc_plot,
    scored_rows,
    scores_plot,
)
from dmlib.evaluation.roc.ledger import Narrator
from dmlib.evaluation.roc.sweep_scene import Sweep, sweep_of
from dmlib.evaluation.roc.threshold_sweep import ThresholdSweep
from dmlib.pictures.regions import class_legend
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.pictures.story import Drawing, Moment, data_alone, story
from dmlib.problem import Problem

PLOTS = {"precision-recall": precision_recall_plot, "gains": gains_plot, "profit": profit_plot}
SIDE_CURVES = ("all", *PLOTS)
OPTIONS: dict[str, Any] = {
    "prior": 0.0,
    "benefit_tp": 1.0,
    "cost_fp": 1.0,
    "cost_fn": 0.0,
    "benefit_tn": 0.0,
    "beside": "all",
    "play_folds": True,
}
"""The prior in use (0: as in the data), benefits and costs of :class:`dmlib.evaluation.Payoff`, the
curves beside the ROC curve and the scores, and whether the scoring of each fold is played."""


def roc_scene(run: Run[Problem, ThresholdSweep]) -> Scene:
    """Draw a threshold that falls through the scores.

    There is a frame for each fold, for each threshold (of many, for some), and for the end of the
    steps of :class:`dmlib.evaluation.ThresholdSweep` on two classes, of which 1 is positive; see
    :data:`OPTIONS`.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.evaluation import ThresholdSweep
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"score": [0.9, 0.8, 0.4, 0.1], "ill": ["yes", "no", "yes", "no"]})
    >>> problem = prepare(frame, ["score"], target="ill", labelled=True, positive="yes")
    >>> scene = roc_scene(Run.of(problem, ThresholdSweep("column")))
    >>> [frame.phase for frame in scene.frames]
    ['score', 'start', 'threshold', 'threshold', 'threshold', 'threshold', 'done']
    """
    options = {name: run.options.get(name, usual) for name, usual in OPTIONS.items()}
    side_curves = options.pop("beside")
    sweep = sweep_of(run, **options)
    if sweep is None:
        return data_alone(run, "There is no threshold to show.")
    roc = roc_plot(sweep)
    scores = scores_plot(run.problem, sweep)
    is_side = side_curves == "all"
    curves = [
        plot(sweep, is_side) for name, plot in PLOTS.items() if is_side or name == side_curves
    ]
    narrator = Narrator(run, sweep)

    def draw(moment: Moment) -> Drawing:
        marks = [mark for plot in (scores, roc, *curves) for mark in plot.marks(moment)]
        return Drawing(marks, *narrator.caption_and_ledger(moment), moment.step.phase)

    steps = [*sweep.played_folds, *sweep.thresholds]
    return story(
        run,
        draw,
        panels=[plot.panel for plot in (roc, scores, *curves)],
        steps=steps,
        fold=scored_rows(run.problem, sweep),
        legend=(*class_legend(run.problem), *LEGEND),
        notes=(*settings_note(run.model.model), *_notes(sweep)),
        max_frames=len(steps),
    )


def _notes(sweep: Sweep) -> tuple[str, ...]:
    notes = [*sweep.note]
    if len(sweep.folds) > 1:
        notes.append(
            "Scores of different folds come from different models and are sorted together."
        )
    return tuple(notes)
