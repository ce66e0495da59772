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
from dmlib.evaluation.models_figures import finish_rows, plot_rows
from dmlib.pictures.regions import errors
from dmlib.pictures.run import Run


@dataclass(frozen=True)
class ReductionsData:
    """What each reduction makes of the training rows, and of the test rows if there are any."""

    names: tuple[str, ...]
    n_problems: tuple[int, ...]
    training: tuple[float, ...]  # errors
    test: tuple[float, ...]  # errors; none without test rows
    contradictory: tuple[float, ...]  # share of the training rows at which no single class has the most votes


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
    fresh = (OneVsRestClassifier(base), OneVsOneClassifier(base), OutputCodeClassifier(base, random_state=run.seed))
    with catch_warnings():
        simplefilter("ignore", UserWarning)  # the ledger of the problem says the same as a sentence
        models = [own.get(type(model)) or model.fit(*learned.arguments) for model in fresh]
    wrong = [{part: missed / size for part, size, missed in errors(run.problem, model)} for model in models]
    tied = [contradictory(agreeing(model.signs, model.answers(learned.data)[1])).mean() for model in models]
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
    """Draw a row for each reduction, with its errors and the share of rows at which votes contradict."""
    names = [f"{name}<br>{n} problems" for name, n in zip(data.names, data.n_problems, strict=True)]
    measures = {"training error": data.training}
    measures |= {"test error": data.test} if data.test else {}
    figure = plot_rows(names, measures | {"contradictory votes": data.contradictory}, data.names)
    figure.update_xaxes(tickformat=".0%", rangemode="tozero", title_text="share of rows")
    judged, part = (data.test, "test") if data.test else (data.training, "training")
    best = int(np.argmin(judged))
    title = f"The smallest {part} error has {data.names[best]}: {judged[best]:.1%}."
    note = "All over the same binary classifier. Votes contradict where no single class has the most; ties are broken."
    return finish_rows(figure, title, note, 340, 130)
