"""The answer of an algorithm for each row, as columns beside the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor

from dmlib.pictures.run import AnyRun


def columns_of_answer(run: AnyRun, answer: Any) -> dict[str, Any]:
    """Return columns by name: clusters, components, predictions, as far as the answer has them."""
    problem, model = run.problem, run.fitted
    columns: dict[str, Any] = {}
    if hasattr(answer, "labels_"):
        labels = answer.labels_
        noise = (labels < 0).any()
        columns["cluster"] = (
            ["noise" if code < 0 else str(code + 1) for code in labels] if noise else labels + 1
        )
    if hasattr(model, "components_") and hasattr(model, "transform"):
        scores = model.transform(problem.data).T
        columns |= {f"component {j}": component for j, component in enumerate(scores, start=1)}
    if hasattr(model, "predictions_"):
        columns["predicted"] = _predictions(run)
    elif (is_classifier(model) or is_regressor(model)) and problem.labelled:
        predicted = model.predict(problem.data)
        columns["predicted"] = (
            [problem.classes[code] for code in predicted] if problem.classes else predicted
        )
    return columns


def _predictions(run: AnyRun) -> list[str | None]:
    """Return what an evaluation predicted for each row; nothing for rows that it did not."""
    problem = run.problem
    codes = np.full(len(problem.X), -1)
    codes[slice(None) if problem.test is None else ~problem.test] = run.fitted.predictions_
    return [problem.classes[code] if code >= 0 else None for code in codes]
