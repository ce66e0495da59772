"""The headline numbers of each step of a run, which stand large beside the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import root_mean_squared_error

from dashboard.technique import Result, Technique, fitted
from dmlib.estimator import SupportsStages
from dmlib.pictures.regions import evaluated, misclassified
from dmlib.pictures.run import AnyRun
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import Share, brief, percent

AT_THE_END = "at the end"


@dataclass(frozen=True)
class Headline:
    """A headline number as it is written.

    Attributes
    ----------
    label : str
        What it is.
    text : str
        The number, with its unit.
    note : str
        Of what it is a share; of a step that does not know it, that it is that of the end.
    """

    label: str
    text: str
    note: str = ""

    @classmethod
    def of(cls, label: str, value: Any, *, is_of_step: bool = True) -> Headline:
        """Return a number with its label, in words.

        Examples
        --------
        >>> Headline.of("Test error", Share(4, 60))
        Headline(label='Test error', text='6.7 %', note='4 of 60')
        >>> Headline.of("SSE", 1234.5678, is_of_step=False)
        Headline(label='SSE', text='1,235', note='at the end')
        """
        if not isinstance(value, Share):
            return cls(label, brief(value), "" if is_of_step else AT_THE_END)
        return cls(label, percent(value.value), value.counts if is_of_step else AT_THE_END)


def results(
    technique: Technique, run: AnyRun, frames: Sequence[Frame]
) -> list[list[dict[str, str]]]:
    """Return the headline numbers of frames of a run; nothing of one cut off, or not in view.

    Those of classifiers and regressors begin with their errors.
    """
    if not run.trace.complete or not run.trace.steps:
        return []
    if not technique.has_results(run):
        return [[] for _ in frames]
    return [
        [asdict(each) for each in (*errors, *_numbers(technique, run, frame))]
        for frame, errors in zip(frames, _errors(run, frames), strict=True)
    ]


def _errors(run: AnyRun, frames: Sequence[Frame]) -> list[list[Headline]]:
    """Return the errors on the training set and on the test set in each frame."""
    if not (run.problem.labelled and (is_classifier(run.model) or is_regressor(run.model))):
        return [[] for _ in frames]
    columns = [
        _errors_on(run, name, rows, frames)
        for name, rows in evaluated(run.problem, run.fitted).items()
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def _errors_on(run: AnyRun, name: str, rows: Any, frames: Sequence[Frame]) -> list[Headline]:
    """Return the error on a set of rows in each frame."""
    model = run.fitted
    label = f"{name.capitalize()} {'error' if is_classifier(run.model) else 'RMSE'}"
    end = _error(model, rows, run.once(label, partial(model.predict, rows.data)))
    column = [Headline.of(label, end, is_of_step=frame.is_last) for frame in frames]
    if isinstance(model, SupportsStages):
        records = {type(step) for step in run.trace.steps}
        earlier = [i for i, f in enumerate(frames) if not f.is_last and type(f.step) in records]
        steps = [frames[i].step for i in earlier]

        def values() -> list[Share | float | None]:
            return [_error(model, rows, each) for each in model.predict_at(steps, rows.data)]

        # Made once for all who open the page; of a single frame it is cheap.
        name = f"{label} in {len(frames)} frames of restart {run.restart}"
        known = run.once(name, values) if len(frames) > 1 else values()
        for i, value in zip(earlier, known, strict=True):
            column[i] = Headline.of(label, value)
    return column


def _error(model: Any, rows: Any, predicted: Any) -> Share | float | None:
    """Return the share of misclassified rows, or the root mean squared error of numbers."""
    if predicted is None:
        return None
    if not is_classifier(model):
        return float(root_mean_squared_error(np.asarray(rows.y), predicted))
    size, wrong = misclassified(model, rows, predicted)
    return Share(wrong, size)


def _numbers(technique: Technique, run: AnyRun, frame: Frame) -> list[Headline]:
    """Return the numbers that a page declares, as they are at a step."""
    return [
        _number(technique, run, frame, label, result)
        for label, result in technique.headline_numbers.items()
    ]


def _number(
    technique: Technique, run: AnyRun, frame: Frame, label: str, result: Result
) -> Headline:
    is_known, value = result.at(frame.step) if frame.step else (False, None)
    if is_known and not frame.is_last:
        return Headline.of(label, value)
    value = result.number(_at_the_end(technique, run, result.attribute))
    return Headline.of(label, value, is_of_step=frame.is_last)


def _at_the_end(technique: Technique, run: AnyRun, attribute: str) -> Any:
    """Return what the last step says, unless the answer is fitted already."""
    last, step_field = run.trace.steps[-1], attribute.rstrip("_")
    if technique.answer is fitted and "fitted" not in vars(run) and hasattr(last, step_field):
        return getattr(last, step_field)
    return getattr(technique.answer(run), attribute)
