"""The table of techniques on the same data, and what differences of that size mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from dashboard.entrants import Entrant
from dashboard.thumbnails import Thumbnails
from dmlib.cached import cached_property
from dmlib.evaluation import corrected_resampled_t
from dmlib.evaluation.benchmark import Benchmark, Scores, Target
from dmlib.evaluation.resampling.testing import TestResult
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem

PERCENT, SHORT = "%.1f %%", "%.3g"
SAME = 1e-12  # differences up to which two means are equal but for rounding


class Column(NamedTuple):
    """A column of numbers: how each comes from scores, how it is written, and what it means."""

    value: Callable[[Scores], float]
    format: str
    help: str


def _measure(name: str, factor: float = 1.0) -> Callable[[Scores], float]:
    return lambda scores: factor * scores.measures.get(name, np.nan)


def _mean(name: str, factor: float = 1.0) -> Callable[[Scores], float]:
    return lambda scores: factor * scores.mean(name)


def _spread(name: str, factor: float = 1.0) -> Callable[[Scores], float]:
    return lambda scores: factor * scores.spread(name)


SPREAD = "The standard deviation over the folds."
COLUMNS: Mapping[Target, Mapping[str, Column]] = {
    "classes": {
        "Error": Column(
            _mean("error", 100),
            PERCENT,
            "Cross-validated: the share of rows of a fold that are misclassified, when the other"
            " folds are trained on; the mean over the folds.",
        ),
        "±": Column(_spread("error", 100), PERCENT, SPREAD),
        "Training error": Column(
            _measure("error", 100), PERCENT, "Of the rows that it was trained on: far too good."
        ),
    },
    "number": {
        "RMSE": Column(
            _mean("rmse"),
            SHORT,
            "Cross-validated: the root of the mean squared error of a fold, when the other folds"
            " are trained on; the mean over the folds.",
        ),
        "±": Column(_spread("rmse"), SHORT, SPREAD),
        "R²": Column(
            _mean("r2"), "%.2f", "Cross-validated: 1 is perfect, 0 no better than the mean."
        ),
        "± of R²": Column(_spread("r2"), "%.2f", SPREAD),
        "Training RMSE": Column(
            _measure("rmse"), SHORT, "Of the rows that it was trained on: too good."
        ),
        "Training R²": Column(
            _measure("r2"), "%.2f", "Of the rows that it was trained on: too good."
        ),
    },
    "clusters": {
        "Clusters": Column(_measure("n_clusters"), "%d", "The number of clusters, without noise."),
        "Noise": Column(_measure("noise", 100), PERCENT, "The share of rows in no cluster."),
        "Silhouette": Column(
            _measure("silhouette"),
            "%.2f",
            "From −1 to 1: how much nearer rows are to their cluster than to the next. Noise does"
            " not count.",
        ),
        "Davies-Bouldin": Column(
            _measure("davies_bouldin"),
            "%.2f",
            "Widths of clusters over their distances: small is good. Noise does not count.",
        ),
        "Rand index": Column(
            _measure("rand"),
            "%.2f",
            "Adjusted: agreement with the known classes, 1 if equal, 0 as by chance.",
        ),
        "Stability": Column(
            _mean("stability"),
            "%.2f",
            "The mean adjusted Rand index between these clusters and those of bootstrap samples.",
        ),
        "±": Column(_spread("stability"), "%.2f", "The standard deviation over the samples."),
    },
}
LOSS: Mapping[Target, str] = {"classes": "error", "number": "rmse"}
"""The measure that is tested, by what is found; small is good."""


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """The techniques that were compared so far.

    Attributes
    ----------
    rows : Problem
        The rows on which they are compared.
    benchmark : Benchmark
        The same with the folds.
    entries : sequence of (Entrant, Scores)
        The techniques with their scores.
    """

    rows: Problem
    benchmark: Benchmark
    entries: Sequence[tuple[Entrant, Scores]]

    @property
    def columns(self) -> Mapping[str, Column]:
        """Its columns of measures, without that of known classes where there are none."""
        columns = COLUMNS[self.benchmark.target]
        if self.benchmark.y is None:
            return {name: column for name, column in columns.items() if name != "Rand index"}
        return columns

    @property
    def loss(self) -> str | None:
        """The measure on each fold that is tested; None where there are no folds."""
        return LOSS.get(self.benchmark.target)

    @cached_property
    def ranked(self) -> list[tuple[Entrant, Scores]]:
        """The techniques from the smallest loss on; without a loss, as they come."""
        if self.loss is None:
            return [*self.entries]
        means = np.array([scores.mean(self.loss) for _, scores in self.entries])
        return [self.entries[i] for i in np.argsort(means, kind="stable")]  # NaN comes last

    def table(self, colors: Sequence[str]) -> pd.DataFrame:
        """Return a row for each technique, in the order of ``ranked``, with a picture each."""
        picture = self._thumbnails(colors).link
        pictures = [picture(scores) for _, scores in self.ranked]
        frame = pd.DataFrame({"Picture": pictures}, dtype=object)
        frame["Technique"] = [
            f"{entrant.title} (this page)" if entrant.is_own else entrant.title
            for entrant, _ in self.ranked
        ]
        for name, column in self.columns.items():
            frame[name] = [float(column.value(scores)) for _, scores in self.ranked]
        notes = [scores.reason or entrant.note for entrant, scores in self.ranked]
        if any(notes):
            frame["Note"] = notes
        frame["Fit"] = [1000 * scores.seconds for _, scores in self.ranked]
        sizes = [scores.n_parameters for _, scores in self.ranked]
        frame["Parameters"] = pd.array(sizes, dtype="Int64")
        frame["Parameters are"] = [scores.unit for _, scores in self.ranked]
        frame["It assumes"] = [entrant.assumption for entrant, _ in self.ranked]
        return frame

    def _thumbnails(self, colors: Sequence[str]) -> Thumbnails:
        """Return what draws the answers; clusters have the colours of those of the page."""
        target = self.benchmark.target
        own = (scores.answer for entrant, scores in self.entries if entrant.is_own)
        base = next(own, None) if target == "clusters" else None
        return Thumbnails(self.rows, target, colors, base)

    def differences(self) -> pd.DataFrame:
        """Return the differences of all to the best and to that of the page, with their p-values.

        They are those of the corrected resampled t test.
        """
        ranked = self._tested
        frame = pd.DataFrame({"Technique": [entrant.title for entrant, _ in ranked]})
        own = next((entry for entry in ranked if entry[0].is_own), None)
        best = ranked[0] if ranked else None
        for name, rival in (("the best", best), ("this page", own)):
            if rival is not None:
                tests = [self._test(scores, rival[1]) for _, scores in ranked]
                frame[f"Less {name}"] = [self._factor * test.difference for test in tests]
                frame[f"p, against {name}"] = [test.p_value for test in tests]
        return frame

    @property
    def _tested(self) -> list[tuple[Entrant, Scores]]:
        """The techniques that have a loss on each fold."""
        return [entry for entry in self.ranked if self.loss in entry[1].repeated]

    @property
    def _factor(self) -> float:
        return 100.0 if self.loss == "error" else 1.0

    def _test(self, first: Scores, second: Scores) -> TestResult:
        loss, n_folds = self.loss or "", len(self.benchmark.folds)
        return corrected_resampled_t(first.repeated[loss], second.repeated[loss], 1 / (n_folds - 1))

    def verdict(self) -> str:
        """Say what the difference between the best and this page means, or between the best two."""
        ranked = self._tested
        if len(ranked) < 2:
            return ""
        best = ranked[0]
        rival = next((entry for entry in ranked[1:] if entry[0].is_own), ranked[1])
        test = self._test(rival[1], best[1])
        names = f"{best[0].title} and {rival[0].title}"
        n_folds = len(self.benchmark.folds)
        start = f"On these {count(len(self.benchmark.X), 'row', 'rows')}, {names}"
        if abs(test.difference) < SAME:
            return f"{start} have the same mean error in {n_folds} folds."
        size = self._size(test.difference)
        if np.isnan(test.p_value):
            return (
                f"{start} differ by {size} in each of {n_folds} folds: there is no spread to test."
            )
        chance, end = _repetitions(test.p_value)
        return (
            f"{start} differ by {size} in the mean of {n_folds} folds. If both were equally good,"
            f" chance alone would give at least that much in {chance} of 100 repetitions: {end}."
        )

    def _size(self, difference: float) -> str:
        if self.loss == "error":
            return f"{100 * difference:.1f} points"
        return f"{num4(difference)} (RMSE, in units of {self.rows.target})"


def _repetitions(p_value: float) -> tuple[str, str]:
    """Return in how many of 100 repetitions chance gives such a difference, and what that means.

    Examples
    --------
    >>> _repetitions(0.38)
    ('38', 'the folds do not tell them apart')
    >>> _repetitions(0.001)
    ('fewer than 1', 'chance hardly explains it')
    """
    chance = "fewer than 1" if p_value < 0.01 else f"{100 * p_value:.0f}"
    return (
        chance,
        "chance hardly explains it" if p_value < 0.05 else "the folds do not tell them apart",
    )
