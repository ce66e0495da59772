"""Detectors of anomalies in words and numbers: a score at a time, and what is marked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.anomaly_detection.arithmetic_ledger import arithmetic, box, covariance_table
from dmlib.anomaly_detection.detector import DetectorStep
from dmlib.anomaly_detection.fences import FencesStep
from dmlib.anomaly_detection.followed_ledger import followed_row
from dmlib.anomaly_detection.isolation_forest import IsolationForestStep
from dmlib.anomaly_detection.isolation_tree import LEAF, average_path_length
from dmlib.anomaly_detection.local_outlier_factor import LocalOutlierFactorStep
from dmlib.anomaly_detection.mahalanobis import MahalanobisDistance, MahalanobisStep
from dmlib.anomaly_detection.neighbor_distance import KthNeighborDistance, NeighborStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, abridged, numbered_table
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num4, percent, short
from dmlib.problem import Problem

MAX_ROWS = 10  # of the table of the highest scores
MAX_COLUMNS = 4

Words = tuple[str, Blocks]


class Narrator:
    """Captions and ledgers of detectors.

    Parameters
    ----------
    run : Run
        Steps of a detector.
    is_known : ndarray of bool, shape (n_samples,), or None
        Which rows are known anomalies.
    """

    def __init__(self, run: Run[Problem, Any], is_known: NDArray[np.bool_] | None) -> None:
        self.run, self.problem, self.is_known = run, run.problem, is_known

    def caption_and_ledger(self, moment: Moment) -> Words:
        """Return the caption and the ledger of a moment."""
        step: DetectorStep = moment.step
        row = followed_row(self.run, moment)
        build: dict[str, Callable[[Any, int], Words]] = {
            "quartiles": self._quartiles,
            "mean": self._mean,
            "covariance": self._covariance,
            "k-distance": self._k_distance,
            "density": self._density,
            "sample": self._sample,
            "cut": self._cut,
            "score": self._score,
            "mark": self._mark,
        }
        caption, blocks = build[step.phase](step, row)
        selected = self.run.selected
        if selected is not None and (selected != row or step.phase == "mark"):
            blocks = [*blocks, *self._selected(step, selected)]
        return caption, blocks

    def _selected(self, step: DetectorStep, row: int) -> Blocks:
        """Return the arithmetic of the selected row."""
        name, score = self._name(row), step.scores[row]
        known = "has no score yet" if np.isnan(score) else f"scores {num4(score)}"
        return [Formula(f"selected: row {name} {known}"), *arithmetic(self.problem, step, row)]

    def _name(self, row: int) -> int:
        return int(self.problem.rows[row]) + 1

    def _quartiles(self, step: FencesStep, row: int) -> Words:
        column = step.column or 0
        low, high = step.quartiles[:, column]
        caption = (
            f"The box of {self.problem.features[column]}: the middle half of its values lies from "
            f"{num4(low)} to {num4(high)}."
        )
        return caption, box(self.problem, step, column)

    def _mean(self, step: MahalanobisStep, row: int) -> Words:
        place = abridged([num4(each) for each in step.location], MAX_COLUMNS, ", ")
        rows = count(len(step.scores), "row", "rows")
        return f"The mean m of {rows} is ({place}).", [Formula(f"m = ({place})")]

    def _covariance(self, step: MahalanobisStep, row: int) -> Words:
        caption = (
            "The covariance matrix S measures the spread in every direction: the ellipses are at "
            "the distances 1, 2 and 3."
        )
        return caption, [covariance_table(self.problem, step)]

    def _k_distance(self, step: LocalOutlierFactorStep, row: int) -> Words:
        caption = (
            f"The k-distance of every row is how far its neighbour {step.n_neighbors} is; that of "
            f"row {self._name(row)} is {num4(step.k_distances[row])}."
        )
        return caption, arithmetic(self.problem, step, row)

    def _density(self, step: LocalOutlierFactorStep, row: int) -> Words:
        caption = (
            "The density (lrd) of every row is 1 over its mean reachability distance; that of "
            f"row {self._name(row)} is {num4(step.densities[row])}."
        )
        return caption, arithmetic(self.problem, step, row)

    def _sample(self, step: IsolationForestStep, row: int) -> Words:
        n = len(step.scores)
        caption = (
            f"The first tree is grown from {step.n_drawn} of {count(n, 'row', 'rows')}, which are "
            "drawn at random."
        )
        average = average_path_length(step.n_drawn)
        formula = f"mean path in a random tree of {step.n_drawn} rows: c = {num4(average)}"
        return caption, [Formula(formula)]

    def _cut(self, step: IsolationForestStep, row: int) -> Words:
        node, tree = step.node or 0, step.trees[0]
        sizes = [int(tree.sizes[2 * node + side]) for side in (1, 2)]
        depth = int(np.log2(node + 1)) + 1
        name = self.problem.features[int(tree.features[node])]
        caption = (
            f"Cut at random: {name} at {num4(tree.thresholds[node])} parts "
            f"{count(sum(sizes), 'row', 'rows')} into {sizes[0]} and {sizes[1]}."
        )
        if 1 in sizes:
            caption = f"{caption[:-1]}: a row is alone after {count(depth, 'cut', 'cuts')}."
        n_open = int(((tree.features != LEAF)[node + 1 :]).sum())
        return caption, [
            Formula(f"depth {depth}: {sum(sizes)} = {sizes[0]} + {sizes[1]}"),
            Formula(f"cuts still to come in this tree: {n_open}"),
        ]

    def _score(self, step: DetectorStep, row: int) -> Words:
        name, score = self._name(row), num4(step.scores[row])
        blocks = arithmetic(self.problem, step, row)
        if isinstance(step, IsolationForestStep):
            tree, trees = step.trees[-1], count(len(step.trees), "tree", "trees")
            cuts = len(tree.path(self.problem.X[row])) - 1
            caption = f"Tree {len(step.trees)} sets row {name} apart after"
            return (
                f"{caption} {count(cuts, 'cut', 'cuts')}; over {trees} it scores {score}.",
                blocks,
            )
        if len(step.rows) > 1:
            first, last = (self._name(step.rows[end]) for end in (0, -1))
            n = len(step.rows)
            caption = f"{n} rows, {first} to {last}, get their scores: row {name} has the highest"
            return f"{caption}, {score}.", blocks
        return self._one_score(step, row), blocks

    def _one_score(self, step: DetectorStep, row: int) -> str:
        name, score = self._name(row), num4(step.scores[row])
        if isinstance(step, FencesStep):
            if step.scores[row] == 0:
                return f"Row {name} scores 0: all its values lie within the boxes."
            return f"Row {name} has a value {score} IQRs outside the box of its column."
        if isinstance(step, MahalanobisStep):
            return f"Row {name} is {score} from the mean, in units of the spread there."
        if isinstance(step, LocalOutlierFactorStep):
            return f"Row {name}: its neighbours lie {score} times as densely as it does."
        k = step.n_neighbors if isinstance(step, NeighborStep) else 0
        return f"Row {name}: its neighbour {k} is {score} away."

    def _mark(self, step: DetectorStep, row: int) -> Words:
        threshold, n = step.threshold or 0.0, step.n_anomalies or 0
        rows = count(len(step.scores), "row", "rows")
        have = "has a score" if n == 1 else "have scores"
        caption = (
            f"{n} of {rows} {have} above the threshold {num4(threshold)}: marked as anomalies."
        )
        return caption, [*self._threshold(step), *self._quality(step), self._highest(step)]

    def _threshold(self, step: DetectorStep) -> Blocks:
        """Return where the threshold comes from."""
        model, value = self.run.model, num4(step.threshold or 0.0)
        if model.threshold is not None:
            return [Formula(f"threshold: {value}, set by hand")]
        if not isinstance(model.contamination, str):
            share = percent(1 - model.contamination)
            return [Formula(f"threshold: {share} of the scores are at most {value}")]
        if isinstance(model, MahalanobisDistance):
            d = len(self.problem.features)
            square = num4((step.threshold or 0.0) ** 2)
            quantile = f"{percent(model.quantile)} quantile of χ² with d = {d}: {square}"
            return [Formula(quantile), Formula(f"threshold: √{square} = {value}")]
        if isinstance(model, KthNeighborDistance):
            low, high = np.percentile(step.scores, (25, 75))
            fence = f"{num4(high)} + 1.5·({num4(high)} − {num4(low)})"
            return [Formula(f"threshold: upper fence of the scores = {fence} = {value}")]
        return [Formula(f"threshold: {value}, the usual one of this method")]

    def _quality(self, step: DetectorStep) -> Blocks:
        """Return precision, recall and AUC where anomalies are known."""
        if self.is_known is None or step.anomalies is None or step.auc is None:
            return []
        hits, n_known = int((step.anomalies & self.is_known).sum()), int(self.is_known.sum())
        precision = f"precision: {hits} of {step.n_anomalies} marked rows"
        return [
            Formula(precision + (f" = {percent(step.precision)}" if step.precision else "")),
            Formula(f"recall: {hits} of {n_known} known anomalies = {percent(step.recall or 0.0)}"),
            Formula(f"AUC of the ranking: {num4(step.auc)}"),
        ]

    def _highest(self, step: DetectorStep) -> LedgerTable:
        order = np.argsort(-step.scores, kind="stable")
        marked = np.zeros(len(order), bool) if step.anomalies is None else step.anomalies
        head = ("row", "score", "marked", *(("known",) if self.is_known is not None else ()))
        rows = [
            (
                self._name(each),
                short(step.scores[each]),
                "yes" if marked[each] else "no",
                *(("yes" if self.is_known[each] else "no",) if self.is_known is not None else ()),
            )
            for each in order.tolist()
        ]
        emphasis = [place for place, each in enumerate(order[:MAX_ROWS]) if marked[each]]
        return numbered_table(head, rows, "Highest scores", emphasis, max_rows=MAX_ROWS)
