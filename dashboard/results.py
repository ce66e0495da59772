"""The headline numbers of each step of a run, which stand large beside the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import mean_absolute_error, root_mean_squared_error

from dashboard.technique import Result, Technique, fitted
from dmlib.estimator import SupportsStages
from dmlib.pictures.regions import evaluated, misclassified
from dmlib.pictures.run import AnyRun
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import Share, brief, percent

AT_THE_END, SO_FAR = "at the end", "so far"
MANY = 2.0**53  # from which on not every whole number is a float


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
        Of what it is a share; of a step that does not know it, that it is that of the end; of a sum
        that grows, that it is the one so far.
    value : Share or number, optional
        The number itself.
    """

    label: str
    text: str
    note: str = ""
    value: Any = field(default=None, compare=False, repr=False)

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
            return cls(label, brief(value), "" if is_of_step else AT_THE_END, value)
        return cls(label, percent(value.value), value.counts if is_of_step else AT_THE_END, value)

    def packed(self) -> dict[str, str]:
        """Return it as plain data for the stage."""
        return {"label": self.label, "text": self.text, "note": self.note}

    def compared(self, pinned: Headline) -> dict[str, str]:
        """Return it as plain data with the same number of a pinned run, and the difference.

        Examples
        --------
        >>> Headline.of("SSE", 30.0).compared(Headline.of("SSE", 78.5))
        {'label': 'SSE', 'text': '30', 'note': 'difference −48.5', 'pinned': '78.5'}
        >>> Headline.of("Error", Share(4, 60)).compared(Headline.of("Error", Share(1, 60)))["note"]
        'difference +5 points'
        """
        note = self.note if self.note in {AT_THE_END, SO_FAR} else ""
        gap = _difference(pinned.value, self.value)
        parts = [f"difference {gap}" if gap else "", note]
        text = ", ".join(filter(None, parts))
        return {**self.packed(), "note": text, "pinned": pinned.text}


def _difference(before: Any, after: Any) -> str:
    """Return how far a number is above another one; nothing where they cannot be compared."""
    if isinstance(before, Share) and isinstance(after, Share):
        points = percent(after.value - before.value).removesuffix(" %")
        return f"{_plus(points)} points"
    numbers = [np.asarray(np.nan if value is None else value) for value in (before, after)]
    if any(number.ndim or number.dtype.kind not in "iuf" for number in numbers):
        return ""
    gap = float(numbers[1]) - float(numbers[0])
    return _signed(gap) if np.isfinite(gap) else ""


def _signed(gap: float) -> str:
    is_whole = gap == int(gap) and abs(gap) < MANY  # a larger number has no digits for the ones
    return _plus(brief(int(gap) if is_whole else gap))


def _plus(text: str) -> str:
    return text if text in ("0", "–") or text.startswith("−") else f"+{text}"


def results(technique: Technique, run: AnyRun, frames: Sequence[Frame]) -> list[list[Headline]]:
    """Return the headline numbers of frames of a run; nothing of one cut off, or not in view.

    Those of classifiers and regressors begin with their errors.
    """
    if not run.trace.complete or not run.trace.steps:
        return []
    if not technique.has_results(run):
        return [[] for _ in frames]
    return [
        [*errors, *_numbers(technique, run, frame)]
        for frame, errors in zip(frames, _errors(run, frames), strict=True)
    ]


def _errors(run: AnyRun, frames: Sequence[Frame]) -> list[list[Headline]]:
    """Return the errors on the training set and on the test set in each frame."""
    if not (run.problem.labelled and (is_classifier(run.model) or is_regressor(run.model))):
        return [[] for _ in frames]
    parts = evaluated(run.problem, run.fitted)
    columns = [_errors_on(run, name, rows, frames) for name, rows in parts.items()]
    if is_regressor(run.model) and parts:
        columns.append(_absolute_errors(run, *list(parts.items())[-1], frames))
    return [list(row) for row in zip(*columns, strict=True)] or [[] for _ in frames]


def _absolute_errors(run: AnyRun, name: str, rows: Any, frames: Sequence[Frame]) -> list[Headline]:
    """Return the mean absolute error on a set of rows at the end of the run."""
    predicted = run.once(f"{name.capitalize()} RMSE", partial(run.fitted.predict, rows.data))
    error = float(mean_absolute_error(np.asarray(rows.y), predicted))
    label = f"{name.capitalize()} MAE"
    return [Headline.of(label, error, is_of_step=frame.is_last) for frame in frames]


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
        for label, result in technique.headline_numbers(run).items()
        if not result.optional or _at_the_end(technique, run, result.attribute) is not None
    ]


def _number(
    technique: Technique, run: AnyRun, frame: Frame, label: str, result: Result
) -> Headline:
    is_known, value = result.at(frame.step) if frame.step else (False, None)
    if not frame.is_last and (is_known or result.is_sum):
        headline = Headline.of(label, value)
        return replace(headline, note=SO_FAR) if is_known and result.is_sum else headline
    value = result.number(_at_the_end(technique, run, result.attribute))
    return Headline.of(label, value, is_of_step=frame.is_last)


def _at_the_end(technique: Technique, run: AnyRun, attribute: str) -> Any:
    """Return what the last step says, unless the answer is fitted already."""
    last, step_field = run.trace.steps[-1], attribute.rstrip("_")
    if technique.answer is fitted and "fitted" not in vars(run) and hasattr(last, step_field):
        return getattr(last, step_field)
    return getattr(technique.answer(run), attribute)
