"""Figures that several pages have in their tabs; what draws them is imported when a tab is opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ui.technique import Plot, Run

Labels = Callable[[Run], Any]


def fitted_labels(run: Run) -> Any:
    """Return the cluster of each row, as the fitted algorithm says."""
    return run.fitted.labels_


def silhouettes(
    labels: Labels = fitted_labels,
    note: str = "One bar per row: near 1 it is deep inside its cluster, at 0 between two, below 0 nearer to another.",
) -> Plot:
    """Return the tab of the silhouettes of clusters."""

    def figure(run: Run) -> Any:
        from dmlib.plots.silhouette import plot_silhouette, silhouette_data

        return plot_silhouette(silhouette_data(run.problem.X, labels(run)), run.problem.rows)

    return Plot("Silhouettes", figure, note)


def known_classes(
    labels: Labels = fitted_labels, note: str = "How the clusters share out classes that the clustering did not see."
) -> Plot:
    """Return the tab that compares clusters with known classes."""

    def figure(run: Run) -> Any:
        from dmlib.plots.contingency import contingency_data, plot_contingency

        return plot_contingency(contingency_data(labels(run), run.problem.y, run.problem.classes))

    return Plot("Known classes", figure, note)


def confusion_matrix(note: str = "Which class is taken for which.") -> Plot:
    """Return the tab of a classifier's confusion matrix."""

    def figure(run: Run) -> Any:
        from dmlib.plots.confusion_matrix import confusion_data, plot_confusion_matrix

        return plot_confusion_matrix(confusion_data(run.problem, run.fitted))

    return Plot("Confusion matrix", figure, note)
