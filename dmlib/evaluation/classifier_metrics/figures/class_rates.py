"""Precision, recall and F1 of each class against the rest, and their means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.evaluation import Confusion
from dmlib.evaluation.classifier_metrics.classifier_report import ClassifierReport
from dmlib.evaluation.models_figures import finish_rows, plot_rows
from dmlib.pictures.figures.style import MUTED, plain
from dmlib.pictures.run import Run
from dmlib.problem import Problem

RATES = {"precision": "precision", "recall": "recall", "F1": "f1"}
MEANS = ("macro", "weighted", "micro")


@dataclass(frozen=True)
class ClassRates:
    """Rates of the classes and their means."""

    names: tuple[str, ...]  # the classes, then the means
    sizes: tuple[int, ...]  # the number of rows of each class
    rates: dict[str, NDArray[np.float64]]  # (n_names,): by rate of ``RATES``; NaN where it is 0/0


def class_rates_data(result: Confusion, classes: tuple[str, ...]) -> ClassRates:
    """Return the rates of each class against the rest, and their means.

    Examples
    --------
    >>> from dmlib.evaluation import confusion
    >>> data = class_rates_data(confusion([0, 0, 1, 1, 2], [0, 1, 1, 1, 2]), ("a", "b", "c"))
    >>> data.names, data.rates["recall"].round(3).tolist()
    (('a', 'b', 'c', 'macro', 'weighted', 'micro'), [0.5, 1.0, 1.0, 0.833, 0.8, 0.8])
    """
    means = [getattr(result, mean) for mean in MEANS]
    rates = {}
    for title, name in RATES.items():
        of_classes = [getattr(counts, name) for counts in result.one_versus_rest]
        rates[title] = np.array([*of_classes, *(mean[name] for mean in means)], float)
    return ClassRates((*classes, *MEANS), tuple(result.matrix.sum(axis=1).tolist()), rates)


def class_rates(run: Run[Problem, ClassifierReport]) -> go.Figure:
    """Draw each class against all the rest."""
    return plot_class_rates(class_rates_data(run.fitted.confusion_, run.problem.classes))


def plot_class_rates(data: ClassRates) -> go.Figure:
    """Draw the rates as symbols, one line for each class and each mean."""
    names = [plain(name) for name in data.names]
    sizes = [f"{size} rows" for size in data.sizes] + ["mean"] * len(MEANS)
    hover = [f"{name}, {size}" for name, size in zip(names, sizes, strict=True)]
    figure = plot_rows(names, data.rates, hover)
    figure.add_hline(y=len(data.sizes) - 0.5, line={"width": 1, "dash": "dot", "color": MUTED})
    figure.update_xaxes(title_text="rate", range=[-0.03, 1.03])
    f1 = data.rates["F1"][: len(data.sizes)]
    worst = int(np.nanargmin(f1))
    title = f"Smallest F1: {names[worst]}, with {f1[worst]:.3f}."
    note = (
        "Macro: equal weight per class. Weighted: weights by class size. Micro: from the summed"
        " counts."
    )
    return finish_rows(figure, title, note, 120 + 30 * len(names), margin=130)
