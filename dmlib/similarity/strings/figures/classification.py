"""Errors of a nearest neighbour and a support vector machine on the kernel matrix, for each k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.svm import SVC

from dmlib.datasets import load
from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.problem import TextsProblem
from dmlib.similarity.strings.string_kernel import StringKernel
from dmlib.trace import look

LENGTHS = range(1, 8)
FOLDS = 5


@dataclass(frozen=True)
class Classification:
    """Errors for each length of the parts.

    Attributes
    ----------
    lengths : list of int
        The lengths k.
    neighbour, machine : list of int
        The numbers of misclassified strings: each by the nearest of the others, and in
        cross-validation by a support vector machine.
    n_strings, n_largest : int
        The number of strings, and that of the most frequent class.
    kernel : str
        The kernel.
    own : bool
        Whether the strings are the run's.
    """

    lengths: list[int]
    neighbour: list[int]
    machine: list[int]
    n_strings: int
    n_largest: int
    kernel: str
    own: bool


def classification(run: Run[TextsProblem, Any]) -> go.Figure:
    """Draw the errors on the run's strings by its kernel, or else by the spectrum kernel."""
    model = run.model if isinstance(run.model, StringKernel) else StringKernel(normalize=True)
    return plot_classification(classification_data(model, run.problem))


def classification_data(model: StringKernel, problem: TextsProblem) -> Classification:
    """Classify each string by the others, for every k up to 7.

    Where the strings have no two classes of two or more, the promoters of the library take their
    place.

    Examples
    --------
    >>> from dmlib.problem import prepare_texts
    >>> texts = prepare_texts(["aab", "aac", "bbc", "bbd"], classes=["a", "a", "b", "b"])
    >>> classification_data(StringKernel(normalize=True), texts).neighbour[:2]
    [0, 0]
    """
    texts, y, own = _labelled(problem)
    sizes = np.bincount(y)
    lengths, neighbour, machine = [], [], []
    for k in LENGTHS if model.kernel != "delta" else [1]:
        look()
        mismatches = min(model.mismatches, k - 1)
        kernel = clone(model).set_params(k=k, mismatches=mismatches, first=1, second=2)
        K = kernel.fit(texts).matrix_
        lengths.append(k)
        neighbour.append(int((nearest(K, y) != y).sum()))
        folds = StratifiedKFold(min(FOLDS, int(sizes.min())), shuffle=True, random_state=0)
        predicted = cross_val_predict(SVC(kernel="precomputed"), K, y, cv=folds)
        machine.append(int((predicted != y).sum()))
    return Classification(lengths, neighbour, machine, len(y), int(sizes.max()), model.kernel, own)


def _labelled(problem: TextsProblem) -> tuple[Sequence[str], NDArray[np.intp], bool]:
    """Return strings with their classes, and whether they are the problem's."""
    y = problem.y
    if y is not None and (np.bincount(y) > 1).sum() > 1:
        rows = np.flatnonzero(np.bincount(y)[y] > 1)
        codes = np.unique(y[rows], return_inverse=True)[1]
        return [problem.texts[i] for i in rows], codes, True
    promoters: Any = load("promoters")
    return promoters.texts, np.unique(promoters.classes, return_inverse=True)[1], False


def nearest(K: NDArray[np.float64], y: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the class of the nearest other string of each, by the distance in feature space.

    Examples
    --------
    >>> K = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 1.0]])
    >>> nearest(K, np.array([0, 1, 2])).tolist()
    [1, 0, 0]
    """
    own = np.diag(K)
    squares = own[:, None] + own - 2 * K
    np.fill_diagonal(squares, np.inf)
    classes: NDArray[np.intp] = y[squares.argmin(axis=1)]
    return classes


def plot_classification(data: Classification) -> go.Figure:
    """Draw the errors over k."""
    figure = go.Figure()
    for name, errors, dash in (
        ("nearest neighbour, each left out once", data.neighbour, "solid"),
        (f"support vector machine, {FOLDS}-fold cross-validation", data.machine, "dash"),
    ):
        figure.add_scatter(
            x=data.lengths, y=errors, name=name, mode="lines+markers", line={"dash": dash}
        )
    figure.update_xaxes(title_text="length of a part, k", dtick=1)
    figure.update_yaxes(title_text="misclassified", rangemode="tozero")
    best = min(data.machine)
    title = (
        f"With the {data.kernel} kernel, the support vector machine misclassifies {best} of"
        f" {data.n_strings} strings at its best k, {data.lengths[data.machine.index(best)]}."
    )
    n_errors = data.n_strings - data.n_largest
    note = f"Always predicting the most frequent class misclassifies {n_errors}."
    if not data.own:
        promoters = "106 stretches of DNA, 53 of them promoters, stand in"
        note = f"These strings have no classes: {promoters}. {note}"
    return finish(figure, title, note, 320, legend=True)
