"""The headline numbers of a run, which stand large beside the picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier

from dashboard.technique import Technique, fitted
from dmlib.pictures.regions import errors
from dmlib.pictures.run import Run

MAX_NAMED = 4  # numbers of an array that are named


def results(technique: Technique, run: Run) -> list[dict[str, str]]:
    """Return the label and the text of each headline number; nothing of a run that was cut off.

    Those of every classifier begin with its errors.
    """
    if not run.trace.complete or not run.trace.steps:
        return []
    named = {f"{part.capitalize()} error": wrong / size for part, size, wrong in _errors(run)}
    named |= {label: _result(technique, run, name) for label, name in technique.results.items()}
    return [{"label": label, "text": brief(value)} for label, value in named.items()]


def _errors(run: Run) -> list[tuple[str, float, float]]:
    return (
        run.once("error rates", lambda: errors(run.problem, run.fitted))
        if is_classifier(run.model) and run.problem.labelled
        else []
    )


def _result(technique: Technique, run: Run, name: str) -> Any:
    """Return what the last step says, unless the answer is fitted already."""
    last, step_field = run.trace.steps[-1], name.rstrip("_")
    if technique.answer is fitted and "fitted" not in vars(run) and hasattr(last, step_field):
        return getattr(last, step_field)
    return getattr(technique.answer(run), name)


def brief(value: Any) -> str:
    """Return a number with four significant digits; of an array, its first few numbers.

    Examples
    --------
    >>> brief(0.123456), brief(12), brief(123456.7), brief([0.5, float("nan")])
    ('0.1235', '12', '123457', '0.5, –')
    """
    array = np.asarray(value)
    if array.ndim:
        texts = [brief(item) for item in array.ravel()[:MAX_NAMED]]
        return ", ".join(texts) + (" …" if array.size > MAX_NAMED else "")
    if array.dtype.kind in "iub":
        return str(int(array))
    number = float(array)
    if np.isnan(number):
        return "–"
    return (
        f"{number:.0f}"
        if 1e4 <= abs(number) < 1e7
        else f"{number:.4g}".replace("-", "−").replace("inf", "∞")
    )
