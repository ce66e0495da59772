"""How the margins of the training rows grow from round to round."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from dmlib.arrays import Floats
from dmlib.classification.adaboost.algorithm import AdaBoostClassifier
from dmlib.classification.adaboost.gradient import GradientBoostingClassifier
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_CURVES = 4


@dataclass(frozen=True)
class MarginsData:
    """The margins after some rounds: the vote for the class less the largest for another."""

    rounds: tuple[int, ...]
    margins: tuple[Floats, ...]  # for each, (n_samples,): sorted


def margins_data(run: Run[Problem, AdaBoostClassifier | GradientBoostingClassifier]) -> MarginsData:
    """Return the margins after the first round, the last, and about two between.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import AdaBoostClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "c": list("xxyyxx")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> data = margins_data(Run.of(problem, AdaBoostClassifier(n_estimators=3)))
    >>> data.rounds, data.margins[0].tolist()
    ((1, 2, 3), [-1.0, -1.0, 1.0, 1.0, 1.0, 1.0])
    """
    steps = run.trace.steps
    codes = np.searchsorted(run.fitted.classes_, np.asarray(run.problem.training.y))
    last = max(len(steps) - 1, 1)
    rounds = sorted({round(r) for r in np.geomspace(1, last, min(MAX_CURVES, last))})
    return MarginsData(tuple(rounds), tuple(np.sort(steps[i].margins(codes)) for i in rounds))


def margins(run: Run[Problem, AdaBoostClassifier | GradientBoostingClassifier]) -> go.Figure:
    """Draw the margins of a run."""
    return plot_margins(margins_data(run))


def plot_margins(data: MarginsData) -> go.Figure:
    """Draw the distribution function of the margins after some rounds."""
    figure = go.Figure()
    for i, (number, values) in enumerate(zip(data.rounds, data.margins, strict=True)):
        last = i == len(data.rounds) - 1
        share = np.arange(1, len(values) + 1) / len(values)
        figure.add_scatter(
            x=np.append(-1.0, values),
            y=np.append(0.0, share),
            name=f"round {number}",
            mode="lines",
            line={
                "color": ACCENT if last else MUTED,
                "width": 3 if last else 1.5,
                "shape": "hv",
                "dash": "solid" if last else ("dot", "dash", "dashdot")[i % 3],
            },
            hovertemplate=(
                f"after round {number}<br>%{{y:.1%}} have at most %{{x:.3f}}<extra></extra>"
            ),
        )
    figure.add_vline(x=0, line={"dash": "dot", "width": 1, "color": MUTED})
    figure.update_xaxes(title_text="margin", range=[-1.02, 1.02], showgrid=False)
    figure.update_yaxes(title_text="fraction of rows", tickformat=".0%", rangemode="tozero")
    rounds = ", ".join(map(str, data.rounds))
    smallest = f"{float(data.margins[-1][0]):.3f}".replace("-", "−")
    title = f"After {data.rounds[-1]} rounds the smallest margin is {smallest}."
    note = (
        f"After rounds {rounds}, the last in blue. Left of 0 rows are misclassified. Margins may"
        " grow without errors."
    )
    return finish(figure, title, note, 320)
