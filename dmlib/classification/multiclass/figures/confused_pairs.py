"""Which pairs of classes are taken for each other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dmlib.pictures.figures.style import ACCENT, MUTED, finish, plain
from dmlib.pictures.run import Run

MOST_PAIRS = 15


@dataclass(frozen=True)
class ConfusedPairsData:
    """Pairs of classes with rows of the one that are predicted as the other, the most confused first."""

    part: str  # "test" or "training": which rows
    n_rows: int
    pairs: tuple[tuple[str, str], ...]
    there: NDArray[np.intp]  # (n_pairs,): rows of the first class that are predicted as the second
    back: NDArray[np.intp]  # (n_pairs,): the other way round


def confused_pairs_data(run: Run) -> ConfusedPairsData:
    """Count the test rows or, without any, the training rows that are predicted as another class.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import OneVsRestClassifier
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 4.0, 5.0, 8.0, 4.5], "c": list("xxyyzz")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> confused_pairs_data(Run.of(problem, OneVsRestClassifier())).pairs
    (('x', 'y'), ('y', 'z'))
    """
    problem = run.problem
    part, rows = ("training", problem.training) if problem.testing is None else ("test", problem.testing)
    n = len(problem.classes)
    counts = np.zeros((n, n), np.intp)
    np.add.at(counts, (np.asarray(rows.y), run.fitted.predict(rows.data)), 1)
    pairs = [(i, j) for i, j in combinations(range(n), 2) if counts[i, j] + counts[j, i]]
    pairs.sort(key=lambda pair: -int(counts[pair] + counts[pair[::-1]]))
    names = tuple((problem.classes[i], problem.classes[j]) for i, j in pairs)
    there, back = (np.array([counts[pair[::way]] for pair in pairs], np.intp) for way in (1, -1))
    return ConfusedPairsData(part, len(rows.X), names, there, back)


def confused_pairs(run: Run) -> go.Figure:
    """Draw which classes a run takes for each other."""
    return plot_confused_pairs(confused_pairs_data(run))


def plot_confused_pairs(data: ConfusedPairsData) -> go.Figure:
    """Draw the pairs as bars of two parts, one for each way."""
    figure, some = go.Figure(), data.pairs[:MOST_PAIRS]
    places = np.arange(len(some))
    for counts, color, way in ((data.there, ACCENT, 1), (data.back, MUTED, -1)):
        told = [" predicted as ".join(map(plain, pair[::way])) for pair in some]
        figure.add_bar(
            x=counts[: len(some)], y=places, orientation="h", marker={"color": color}, customdata=told,
            hovertemplate="%{x} rows of %{customdata}<extra></extra>",
        )  # fmt: skip
    figure.update_layout(barmode="stack")
    names = [f"{plain(a)}, {plain(b)}" for a, b in some]
    figure.update_yaxes(tickvals=places, ticktext=names, autorange="reversed", automargin=True)
    figure.update_xaxes(title_text=f"misclassified {data.part} rows", rangemode="tozero")
    if not some:
        return finish(figure, f"No {data.part} row is misclassified.", "Each pair would have a bar.", 120)
    total = int((data.there + data.back).sum())
    first = int(data.there[0] + data.back[0])
    a, b = map(plain, some[0])
    title = f"{first} of {total} misclassified {data.part} rows are between {a} and {b}."
    note = "Blue: rows of the first class that are predicted as the second. Grey: the other way round."
    if len(some) < len(data.pairs):
        note += f" The first {len(some)} of {len(data.pairs)} pairs."
    return finish(figure, title, note, 90 + 30 * len(some))
