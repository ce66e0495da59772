"""The three reductions with the same binary classifier: problems, errors, contradictory votes."""

from __future__ import annotations

from dataclasses import dataclass
from warnings import catch_warnings, simplefilter

import numpy as np
import plotly.graph_objects as go

from dmlib.classification.multiclass.binary_step import agreeing, contradictory
from dmlib.classification.multiclass.one_vs_one import OneVsOneClassifier
from dmlib.classification.multiclass.one_vs_rest import OneVsRestClassifier
from dmlib.classification.multiclass.output_code import OutputCodeClassifier
from dmlib.classification.multiclass.reduction import BinaryReduction
from dmlib.pictures.figures.style import ACCENT, CLEAR, MUTED, finish
from dmlib.pictures.regions import errors
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, percent
from dmlib.problem import Problem


@dataclass(frozen=True)
class ReductionsData:
    """Errors of each reduction on the training rows, and on the test rows if there are any."""

    names: tuple[str, ...]
    n_problems: tuple[int, ...]
    training: tuple[float, ...]  # errors
    test: tuple[float, ...]  # errors; none without test rows
    contradictory: tuple[float, ...]  # share of training rows without a single class of most votes


def reductions_data(run: Run[Problem, BinaryReduction]) -> ReductionsData:
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
    estimator = run.model.estimator
    training = run.problem.training
    models: dict[str, BinaryReduction] = {
        "one-versus-rest": OneVsRestClassifier(estimator),
        "one-versus-one": OneVsOneClassifier(estimator),
        "output code": OutputCodeClassifier(estimator, random_state=run.seed),
    }
    with catch_warnings():
        simplefilter("ignore", UserWarning)  # the ledger of the problem says the same as a sentence
        for name, model in models.items():
            is_own = type(model) is type(run.model)
            models[name] = run.fitted if is_own else model.fit(*training.arguments)
    rates = []
    ties = []
    for model in models.values():
        rates.append({part: n / size for part, size, n in errors(run.problem, model)})
        _, positive = model.answers(training.data)
        ties.append(float(contradictory(agreeing(model.signs, positive)).mean()))
    return ReductionsData(
        names=tuple(models),
        n_problems=tuple(len(model.estimators_) for model in models.values()),
        training=tuple(rate["training"] for rate in rates),
        test=tuple(rate["test"] for rate in rates if "test" in rate),
        contradictory=tuple(ties),
    )


def reductions(run: Run[Problem, BinaryReduction]) -> go.Figure:
    """Draw the errors of the three reductions on the data of a run."""
    return plot_reductions(reductions_data(run))


def plot_reductions(data: ReductionsData) -> go.Figure:
    """Draw bars for each reduction: its errors, and the share of rows at which votes contradict."""
    figure = go.Figure()
    rows = np.arange(len(data.names))
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
    rates, part = (data.test, "test") if data.test else (data.training, "training")
    best = [name for name, rate in zip(data.names, rates, strict=True) if rate == min(rates)]
    title = f"The smallest {part} error, {percent(min(rates))}: {', '.join(best)}."
    test_key = " Blue: test error." if data.test else ""
    note = (
        f"Grey: training error.{test_key} Striped: training "
        "rows at which no single class has the most votes."
    )
    return finish(figure, title, note, 320)
