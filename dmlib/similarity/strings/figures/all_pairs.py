"""The edit distances of all strings, and their dendrogram."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from dmlib.pictures.figures.style import finish
from dmlib.pictures.run import Run
from dmlib.problem import TextsProblem
from dmlib.similarity.kernel_figures import plot_dendrogram
from dmlib.similarity.strings.alignment import edit_distance
from dmlib.trace import look

MAX_STRINGS = 24
MAX_LETTERS = 120


@dataclass(frozen=True)
class AllPairs:
    """The distances of strings.

    Attributes
    ----------
    names : list of str
        Their names.
    distances : ndarray of shape (n_strings, n_strings)
        Levenshtein distances.
    merges : ndarray of shape (n_strings - 1, 4)
        SciPy's average linkage.
    n_all : int
        The number of strings in all.
    """

    names: list[str]
    distances: NDArray[np.intp]
    merges: NDArray[np.float64]
    n_all: int


def all_pairs(run: Run[TextsProblem, Any]) -> go.Figure:
    """Draw the dendrogram of the run's strings."""
    return plot_all_pairs(all_pairs_data(run.problem))


def all_pairs_data(problem: TextsProblem) -> AllPairs:
    """Compare the first strings by Levenshtein's distance.

    Examples
    --------
    >>> from dmlib.problem import prepare_texts
    >>> all_pairs_data(prepare_texts(["tea", "ten", "milk"])).distances.tolist()
    [[0, 1, 4], [1, 0, 4], [4, 4, 0]]
    """
    texts = [text[:MAX_LETTERS] for text in problem.texts[:MAX_STRINGS]]
    if len(texts) < 2:
        raise ValueError("There is only one string. Add another one to compare it with.")
    distances = np.zeros((len(texts), len(texts)), np.intp)
    for i in range(len(texts)):
        for j in range(i):
            look()
            distances[i, j] = distances[j, i] = edit_distance(texts[i], texts[j])
    merges = linkage(squareform(distances), "average")
    return AllPairs(list(problem.names[: len(texts)]), distances, merges, len(problem.texts))


def plot_all_pairs(data: AllPairs) -> go.Figure:
    """Draw the dendrogram with the names on its left."""
    figure, _ = plot_dendrogram(data.merges, data.names)
    figure.update_xaxes(title_text="mean Levenshtein distance", rangemode="tozero")
    number = f"{len(data.names)}"
    if data.n_all > len(data.names):
        number = f"the first {number} of {data.n_all}"
    title = f"Levenshtein distances of {number} strings."
    note = f"Average linkage. Of longer strings, the first {MAX_LETTERS} letters are compared."
    return finish(figure, title, note, 60 + 18 * len(data.names))
