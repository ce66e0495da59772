"""The three reductions over the same binary classifier: problems, errors, and rows at which votes contradict."""

from __future__ import annotations

from dataclasses import dataclass
from warnings import catch_warnings, simplefilter

import numpy as np
import plotly.graph_objects as go

from dmlib.classification.multiclass.binary_step import agreeing, contradictory
from dmlib.classification.multiclass.one_vs_one import OneVsOneClassifier
from dmlib.classification.multiclass.one_vs_rest import OneVsRestClassifier
from dmlib.classification.multiclass.output_code import OutputCodeClassifier
from dmlib.pictures.figures.style import ACCENT, CLEAR, MUTED, finish
from dmlib.pictures.regions import errors
from dmlib.pictures.run import Run
from dmlib.pictures.words import count


@dataclass(frozen=True)
class ReductionsData:
    """What each reduction makes of the training rows, and of the test rows if there are any."""

    names: tuple[str, ...]
    n_problems: tuple[int, ...]
    training: tuple[float, ...]  # errors
    test: tuple[float, ...]  # errors; none without test rows
    contradictory: tuple[
        float, ...
    ]  # share of the training rows at which no single class has the most votes


def reductions_data(run: Run) -> ReductionsData:
    """Fit each reduction with the binary classifier of a run; an output code keeps its settings.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 4.0, 5.0, 8.0, 9.0], "c": list("xxyyzz")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> data = reductions_data(Run.of(problem, OneVsOneClassifier("naive_bayes")))
    >>> data.n_problems, data.training
    ((3, 3, 4), (0.0, 0.0, 0.0))
    """
    base = run.model.estimator
    own = {type(run.model): run.fitted}
    learned = run.problem.training
    fresh = (
        OneVsRestClassifier(base),
        OneVsOneClassifier(base),
        OutputCodeClassifier(base, random_state=run.seed),
    )
    with catch_warnings():
        simplefilter("ignore", UserWarning)  # the ledger of the problem says the same as a sentence
        models = [own.get(type(model)) or model.fit(*learned.arguments) for model in fresh]
    wrong = [
        {part: missed / size for part, size, missed in errors(run.problem, model)}
        for model in models
    ]
    tied = [
        contradictory(agreeing(model.signs, model.answers(learned.data)[1])).mean()
        for model in models
    ]
    return ReductionsData(
        ("one-versus-rest", "one-versus-one", "output code"),
        tuple(len(model.estimators_) for model in models),
        tuple(each["training"] for each in wrong),
        tuple(each["test"] for each in wrong if "test" in each),
        tuple(map(float, tied)),
    )


def reductions(run: Run) -> go.Figure:
    """Draw what the three reductions make of the data of a run."""
    return plot_reductions(reductions_data(run))


def plot_reductions(data: ReductionsData) -> go.Figure:
    """Draw bars for each reduction: its errors, and the share of rows at which votes contradict."""
    figure, rows = go.Figure(), np.arange(len(data.names))
    striped = {
        "color": CLEAR,
        "line": {"color": MUTED, "width": 1},
        "pattern": {"shape": "/", "fgcolor": MUTED},
    }
    measures = (
        ("training error", data.training, {"color": MUTED}),
        ("test error", data.test, {"color": ACCENT}),
        ("contradictory votes", data.contradictory, striped),
    )
    for name, shares, marker in measures:
        if shares:
            figure.add_bar(
                x=shares,
                y=rows,
                orientation="h",
                name=name,
                marker=marker,
                texttemplate="%{x:.1%}",
                textposition="outside",
                cliponaxis=False,
                hovertemplate=f"{name} %{{x:.1%}}<extra></extra>",
            )
    ticks = [
        f"{name}<br>{count(n, 'problem', 'problems')}"
        for name, n in zip(data.names, data.n_problems, strict=True)
    ]
    figure.update_yaxes(tickvals=rows, ticktext=ticks, autorange="reversed", automargin=True)
    figure.update_xaxes(tickformat=".0%", rangemode="tozero", title_text="fraction of rows")
    judged, part = (data.test, "test") if data.test else (data.training, "training")
    best = [name for name, share in zip(data.names, judged, strict=True) if share == min(judged)]
    title = f"The smallest {part} error, {min(judged):.1%}: {', '.join(best)}."
    blue = " Blue: test error." if data.test else ""
    note = (
        f"Grey: training error.{blue} Striped: training "
        "rows at which no single class has the most votes."
    )
    return finish(figure, title, note, 320)
