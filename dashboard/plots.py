"""Figures that several pages have in their tabs, imported when a tab is opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dashboard.technique import Plot, fitted
from dmlib.pictures.run import AnyRun

Answer = Callable[[AnyRun], Any]
SILHOUETTES_NOTE = (
    "One bar per row: near 1 it is deep inside its cluster, at 0 between two, below 0 nearer to"
    " another."
)


def silhouettes(
    answer: Answer = fitted,
    note: str = SILHOUETTES_NOTE,
    distances: Callable[[AnyRun], Any] | None = None,
) -> Plot:
    """Return the tab of silhouettes, by Euclidean distance or by a matrix of distances."""

    def figure(run: AnyRun) -> Any:
        from dmlib.pictures.figures.silhouette import plot_silhouette, silhouette_data

        distance_arguments = (
            {"X": distances(run), "metric": "precomputed"} if distances else {"X": run.problem.X}
        )
        return plot_silhouette(
            silhouette_data(labels=answer(run).labels_, **distance_arguments), run.problem.rows
        )

    return Plot("Silhouettes", figure, note)


def known_classes(
    answer: Answer = fitted, note: str = "How the known classes are distributed over the clusters."
) -> Plot:
    """Return the tab that compares clusters with known classes."""

    def figure(run: AnyRun) -> Any:
        from dmlib.pictures.figures.contingency import contingency_data, plot_contingency

        return plot_contingency(
            contingency_data(answer(run).labels_, run.problem.y, run.problem.classes)
        )

    return Plot("Known classes", figure, note)


def confusion_matrix(note: str = "Which classes are confused.") -> Plot:
    """Return the tab of a classifier's confusion matrix."""

    def figure(run: AnyRun) -> Any:
        from dmlib.pictures.figures.confusion_matrix import confusion_data, plot_confusion_matrix

        if getattr(run.problem, "y", None) is None:
            raise ValueError("These data have no rows with known classes to count.")
        return plot_confusion_matrix(confusion_data(run.problem, run.fitted))

    return Plot("Confusion matrix", figure, note)
