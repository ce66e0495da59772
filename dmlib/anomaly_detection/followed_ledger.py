"""The row whose arithmetic is written out at a step of a detector."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.problem import Problem


def drawn_rows(run: Run[Problem, Any], moment: Moment) -> list[int]:
    """Return the row that is drawn: the one that a step is about; of all rows, a selected one."""
    step = moment.step
    is_about_all = step.phase != "score" or len(step.rows) == len(step.scores)
    if run.selected is not None and is_about_all:
        return [run.selected]
    return [] if step.phase == "mark" else [followed_row(run, moment)]


def followed_row(run: Run[Problem, Any], moment: Moment) -> int:
    """Return the row that a step is about.

    That is the row that gets its score, of several rows the one with the highest. Of a step about
    all rows it is the one with the highest score at the end.
    """
    rows, scores = moment.step.rows, moment.step.scores
    if moment.step.phase == "score" and len(rows) < len(scores):
        return int(rows[scores[rows].argmax()])
    return int(np.nan_to_num(run.trace.steps[-1].scores, nan=-1.0).argmax())
