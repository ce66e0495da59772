"""Bisecting k-means in words and numbers: the chosen cluster, trial cuts, and the best one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from dmlib.clustering.centers_ledger import MAX_COLUMNS, center_table, sum_of_parts
from dmlib.clustering.kmeans_variants.bisecting_kmeans import BisectingKMeansStep as Step
from dmlib.pictures.ledger import MAX_LINES, Blocks, Formula, LedgerTable, class_table
from dmlib.pictures.story import Fold, Moment
from dmlib.pictures.words import count, num
from dmlib.problem import Problem


@dataclass(frozen=True)
class TrialCut:
    """The numbers of a trial cut."""

    trial: int  # the number of the trial, from 1
    cluster: int  # the number of the cluster, from 1
    sizes: tuple[int, ...]  # the rows of each part
    parts: tuple[float, ...]  # the SSE of each part
    before: float  # the SSE of all rows before the cut
    parent: float  # the SSE of the cluster before the cut

    @property
    def after(self) -> float:
        """The SSE of all rows after the cut."""
        return self.before - self.parent + sum(self.parts)

    @property
    def arithmetic(self) -> Formula:
        """The SSE after the cut, written out."""
        parts = " + ".join(map(num, self.parts))
        before, parent, after = map(num, (self.before, self.parent, self.after))
        return Formula(f"SSE: {before} − {parent} + ({parts}) = {after}")


def trial_cut(step: Step, before: Step) -> TrialCut:
    """Return the numbers of a trial or split; ``before`` is a step with the undivided cluster."""
    cluster, trial = cast(int, step.cluster), cast(int, step.trial)
    counts = np.bincount(cast(Any, step.child_labels) + 1, minlength=3)[1:]
    return TrialCut(
        trial + 1,
        cluster + 1,
        tuple(map(int, counts)),
        tuple(map(float, cast(Any, step.child_inertias))),
        before.inertia,
        float(before.inertias[cluster]),
    )


@dataclass(frozen=True)
class Progress:
    """The cuts up to a step."""

    # The number of clusters and the SSE, at the start and after each cut
    curve: tuple[tuple[int, float], ...] = ()
    trials: tuple[TrialCut, ...] = ()  # the trial cuts of the cluster that is about to be cut


def _advance(progress: Progress, step: Step) -> Progress:
    curve = progress.curve
    if len(step.centers) not in dict(curve):
        curve = (*curve, (len(step.centers), step.inertia))
    trials = (*progress.trials, trial_cut(step, step)) if step.phase == "trial" else ()
    return Progress(curve, trials)


PROGRESS = Fold(Progress(), _advance)
"""The cuts, as they accumulate."""


def bisecting_ledger(problem: Problem, moment: Moment) -> tuple[str, Blocks]:
    """Return the caption and the ledger of a moment."""
    step: Step = moment.step
    if step.phase == "start":
        cluster = f"all {step.counts[0]} rows are one cluster; its SSE is {num(step.inertia)}"
        center = center_table(problem, step.centers, "Its centre, the mean of all rows")
        return f"Start: {cluster}.", [center]
    if step.phase == "choose":
        return _choose(step), [_clusters(step, "Which cluster is split?")]
    if step.phase == "trial":
        return _trial(problem, step, moment.so_far.trials[-MAX_LINES:])
    if step.phase == "split":
        return _split(step, moment.before)
    if step.phase in ("assign", "update"):
        return _refine(problem, step, moment.before)
    clusters = count(len(step.centers), "cluster", "clusters")
    caption = f"Done: {clusters} with the SSE {num(step.inertia)}. {step.reason}".rstrip()
    return caption, _clusters_and_centers(problem, step)


def _clusters_and_centers(problem: Problem, step: Step) -> Blocks:
    centers = center_table(problem, step.centers, "Centres")
    return [_clusters(step, "Clusters"), sum_of_parts(step.inertias, step.inertia), centers]


def _clusters(step: Step, title: str) -> LedgerTable:
    rows = [(int(n), float(sse)) for n, sse in zip(step.counts, step.inertias, strict=True)]
    emphasis = () if step.cluster is None else (step.cluster,)
    return class_table(("rows", "SSE"), rows, title, emphasis)


def _choose(step: Step) -> str:
    j = step.cluster or 0
    reasons = []
    if step.inertias[j] == step.inertias.max():
        reasons.append("the largest SSE")
    if step.counts[j] == step.counts.max():
        reasons.append("the most rows")
    if not reasons:
        return f"Cluster {j + 1} is split next: the rows of those before it are all equal."
    return f"Cluster {j + 1} is split next: it has {' and '.join(reasons)}."


def _trial(problem: Problem, step: Step, cuts: Sequence[TrialCut]) -> tuple[str, Blocks]:
    """Return the caption and ledger of the last of these trial cuts."""
    cut = cuts[-1]
    parts = f"cluster {cut.cluster} into {cut.sizes[0]} and {cut.sizes[1]} rows"
    fall = f"the SSE would fall from {num(cut.before)} to {num(cut.after)}"
    ledger: Blocks = [_trial_table(cuts), cut.arithmetic, _parts(problem, step, cut)]
    return f"Trial {cut.trial}: 2-means splits {parts}; {fall}.", ledger


def _trial_table(cuts: Sequence[TrialCut]) -> LedgerTable:
    sums = [sum(cut.parts) for cut in cuts]
    sizes = [" + ".join(map(str, cut.sizes)) for cut in cuts]
    parts = [" + ".join(f"{part:.5g}" for part in cut.parts) for cut in cuts]
    rows = list(zip([cut.trial for cut in cuts], sizes, parts, sums, strict=True))
    best = sums.index(min(sums))
    title = f"Trial splits of cluster {cuts[-1].cluster}: the smallest sum wins"
    return LedgerTable(("trial", "rows", "SSE of the parts", "sum"), rows, title, [best])


def _parts(problem: Problem, step: Step, cut: TrialCut) -> LedgerTable:
    features = problem.features[:MAX_COLUMNS]
    numbers = cut.cluster, len(step.centers) + 1
    centers = cast(Any, step.child_centers)[:, : len(features)].tolist()
    rows = [[number, *center] for number, center in zip(numbers, centers, strict=True)]
    return LedgerTable(("centre", *features), rows, "Centres of the two parts")


def _split(step: Step, before: Step) -> tuple[str, Blocks]:
    cut, n_trials = trial_cut(step, before), cast(int, before.trial) + 1
    which = f"Trial {cut.trial} of {n_trials} has the smallest SSE and is"
    if n_trials == 1:
        which = "The split is"
    fall = f"the SSE falls from {num(cut.before)} to {num(cut.after)}"
    clusters = _clusters(step, "After the split")
    ledger: Blocks = [cut.arithmetic, clusters, sum_of_parts(step.inertias, step.inertia)]
    return f"{which} kept: {fall}, with {len(step.centers)} clusters.", ledger


def _refine(problem: Problem, step: Step, before: Step) -> tuple[str, Blocks]:
    """Return the caption and ledger of a half-step of the final k-means."""
    change = f"falls from {num(before.inertia)} to {num(step.inertia)}"
    if step.inertia >= before.inertia:
        change = f"stays {num(step.inertia)}"
    ledger = _clusters_and_centers(problem, step)
    if step.phase == "update":
        return f"Update: every centre moves to the mean of its rows; the SSE {change}.", ledger
    rows = "no row crosses"
    if step.n_changed:
        rows = count(step.n_changed, "row crosses", "rows cross")
    return f"Assign: {rows} a split to a nearer centre; the SSE {change}.", ledger
