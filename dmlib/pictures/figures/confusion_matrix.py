"""The confusion matrix of a classifier, on the training set and on the test set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots
from sklearn.metrics import confusion_matrix

from dmlib.pictures.figures.style import finish, plain
from dmlib.pictures.regions import cases_of, evaluated
from dmlib.pictures.words import percent
from dmlib.problem import Problem

MAX_NUMBERS = 400  # cells with their count written in


@dataclass(frozen=True)
class ConfusionData:
    """How often each class was taken for which.

    Attributes
    ----------
    parts : tuple of str
        What was classified: the training samples and, where some were held out, the test samples.
    counts : tuple of ndarray of shape (n_classes, n_classes)
        For each part: true classes down, predicted classes across.
    classes : tuple of str
        Names of the classes.
    """

    parts: tuple[str, ...]
    counts: tuple[NDArray[np.intp], ...]
    classes: tuple[str, ...]


def confusion_data(problem: Problem, model: Any) -> ConfusionData:
    """Classify the samples and count.

    Parameters
    ----------
    problem : Problem
        Labelled.
    model : classifier
        Fitted to the training samples.

    Returns
    -------
    ConfusionData
        One matrix, or two where samples are held out.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 9.0, 8.0], "c": ["low", "low", "high", "high"]})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> confusion_data(problem, GaussianNB().fit(problem.X, problem.y)).counts[0].tolist()
    [[2, 0], [0, 2]]
    """
    codes = np.arange(len(problem.classes))
    matrices = {
        name: confusion_matrix(
            part.y, model.predict(part.data), labels=codes, sample_weight=cases_of(model, part)
        )
        for name, part in evaluated(problem, model).items()
    }
    return ConfusionData(tuple(matrices), tuple(matrices.values()), problem.classes)


def plot_confusion_matrix(data: ConfusionData) -> go.Figure:
    """Draw the matrices side by side."""
    figure = make_subplots(1, len(data.parts), subplot_titles=data.parts, horizontal_spacing=0.16)
    names, n = [plain(name) for name in data.classes], len(data.classes)
    for column, (part, counts) in enumerate(zip(data.parts, data.counts, strict=True), start=1):
        figure.add_trace(
            go.Heatmap(
                z=counts,
                x=list(range(n)),
                y=list(range(n)),
                text=[[names[j] for j in range(n)] for _ in range(n)],
                customdata=[[name] * n for name in names],
                texttemplate="%{z}" if counts.size <= MAX_NUMBERS else None,
                showscale=False,
                xgap=2,
                ygap=2,
                hovertemplate=(
                    f"{part}: true %{{customdata}}, predicted %{{text}}<br>%{{z}}"
                    " rows<extra></extra>"
                ),
            ),
            row=1,
            col=column,
        )
    stride = max(1, n // 15)
    ticks: dict[str, Any] = {
        "tickvals": list(range(0, n, stride)),
        "ticktext": names[::stride],
        "showgrid": False,
    }
    figure.update_xaxes(title_text="predicted class", **ticks)
    figure.update_yaxes(autorange="reversed", zeroline=False, **ticks)
    figure.update_yaxes(title_text="true class", col=1)
    title = (
        "; ".join(
            _error(part, counts) for part, counts in zip(data.parts, data.counts, strict=True)
        )
        + "."
    )
    return finish(
        figure, title, "Correct predictions are on the diagonal.", max(220, min(520, 140 + 42 * n))
    )


def _error(part: str, counts: NDArray[np.intp]) -> str:
    wrong, total = int(counts.sum() - counts.trace()), int(counts.sum())
    return f"{part.capitalize()} error {wrong} of {total} = {percent(wrong / max(total, 1))}"
