"""X-means in words and numbers: the BIC of each round, and the two BICs that judge each cut."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dmlib.clustering.centers_ledger import center_table, parts_of_sse, sum_of_parts
from dmlib.clustering.kmeans_variants.xmeans import Score
from dmlib.clustering.kmeans_variants.xmeans import XMeansStep as Step
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, class_table
from dmlib.pictures.story import Fold, Moment
from dmlib.pictures.words import changes, count, num, signed
from dmlib.problem import Problem


@dataclass(frozen=True)
class Progress:
    """The rounds up to a step."""

    rounds: tuple[Step, ...] = ()  # the k-means of each round
    cuts: tuple[Step, ...] = ()  # the cuts of the last round


def _advance(progress: Progress, step: Step) -> Progress:
    if step.phase == "improve_params":
        return Progress((*progress.rounds, step))
    if step.phase == "improve_structure":
        return Progress(progress.rounds, (*progress.cuts, step))
    return progress


PROGRESS = Fold(Progress(), _advance)
"""The rounds, as they accumulate."""


def xmeans_ledger(problem: Problem, moment: Moment) -> tuple[str, Blocks]:
    """Return the caption and the ledger of a moment."""
    build = {
        "improve_params": _improve_params,
        "improve_structure": _improve_structure,
        "done": _done,
    }[moment.step.phase]
    return build(problem, moment.step, moment.so_far)


def _improve_params(problem: Problem, step: Step, progress: Progress) -> tuple[str, Blocks]:
    *earlier, _ = progress.rounds
    ledger = [*_clusters(problem, step), *_bic(step.score, problem.X.shape[1])]
    centers, bic = count(len(step.centers), "centre", "centres"), step.score.bic
    if not earlier:
        return f"Round 1: k-means with {centers}; the BIC of all rows is {num(bic)}.", ledger
    change = changes("the BIC of all rows", earlier[-1].score.bic, bic)
    start = f"k-means from the {centers} of the round before"
    return f"Round {step.round}: {start}; {change}.", ledger


def _clusters(problem: Problem, step: Step) -> Blocks:
    parts = parts_of_sse(problem, step.centers, step.labels)
    rows = [(int(n), float(part)) for n, part in zip(step.counts, parts, strict=True)]
    return [class_table(("rows", "SSE"), rows, "Clusters"), sum_of_parts(parts, step.inertia)]


def _improve_structure(problem: Problem, step: Step, progress: Progress) -> tuple[str, Blocks]:
    ledger: Blocks = [_verdicts(progress.cuts)]
    if step.parent and step.children:
        d = problem.X.shape[1]
        ledger.append(_side_by_side(step.parent, step.children))
        ledger += [
            Formula("One centre:"),
            *_bic(step.parent, d),
            Formula("Two centres:"),
            *_bic(step.children, d),
        ]
    return _verdict(step), ledger


def _verdict(step: Step) -> str:
    name = f"Cluster {(step.cluster or 0) + 1}"
    if not (step.parent and step.children):
        return f"{name} is not split. {step.reason}"
    parent, children = num(step.parent.bic), num(step.children.bic)
    scores = f"one centre has the BIC {parent}, two have {children}"
    if step.accepted:
        return f"{name} is split: {scores}, which is higher."
    if step.children.bic > step.parent.bic:
        scores = f"two centres have the BIC {children} and one has {parent}"
        return f"{name} is not split, though {scores}. {step.reason}"
    return f"{name} is not split: {scores}, which is not higher."


def _verdicts(cuts: Sequence[Step]) -> LedgerTable:
    rows: list[tuple[Cell, ...]] = []
    for cut in cuts:
        if not (cut.parent and cut.children):
            rows.append((None, None, None, "not tried"))
            continue
        parent, children = cut.parent.bic, cut.children.bic
        rows.append((parent, children, children - parent, "kept" if cut.accepted else "refused"))
    head = ("BIC, one centre", "two centres", "gain", "verdict")
    return class_table(head, rows, f"Splits of round {cuts[-1].round} so far", [len(rows) - 1])


def _side_by_side(parent: Score, children: Score) -> LedgerTable:
    scores = (parent, children)
    n = sum(parent.sizes)
    rows: list[tuple[Cell, ...]] = [
        ("rows", *(" + ".join(map(str, score.sizes)) for score in scores)),
        ("SSE", *(score.inertia for score in scores)),
        ("variance v", *(score.variance for score in scores)),
        ("ln L", *(score.log_likelihood for score in scores)),
        ("parameters p", *(score.n_parameters for score in scores)),
        ("p/2 · ln n", *(score.n_parameters / 2 * math.log(n) for score in scores)),
        ("BIC", *(score.bic for score in scores)),
    ]
    return LedgerTable(
        ("", "one centre", "two centres"), rows, "The rows of this cluster", [len(rows) - 1]
    )


def _bic(score: Score, d: int) -> list[Formula]:
    """Write the BIC out with its numbers."""
    n, k = sum(score.sizes), len(score.sizes)
    sse, v = score.inertia, score.variance
    if n == k:
        reason = "nothing is left to estimate the variance from"
        return [Formula(f"As many centres as rows: {reason}; BIC = −∞")]
    if sse == 0:
        return [Formula("SSE = 0: no spread is left, so the likelihood and the BIC are infinite")]
    shares = sum(size * math.log(size / n) for size in score.sizes if size)
    spread, fit = n * d / 2 * math.log(2 * math.pi * v), sse / (2 * v)
    likelihood = f"{num(shares)} − {signed(spread)} − {num(fit)} = {num(score.log_likelihood)}"
    difference = f"{num(score.log_likelihood)} − {score.n_parameters}/2 · ln {n}"
    return [
        Formula(f"v = SSE / (d (n − k)) = {num(sse)} / ({d} · ({n} − {k})) = {num(v)}"),
        Formula(f"ln L = Σ nⱼ ln(nⱼ/n) − nd/2 · ln(2πv) − SSE/(2v) = {likelihood}"),
        Formula(f"p = (k − 1) + k d + 1 = {k - 1} + {k} · {d} + 1 = {score.n_parameters}"),
        Formula(f"BIC = ln L − p/2 · ln n = {difference} = {num(score.bic)}"),
    ]


def _done(problem: Problem, step: Step, progress: Progress) -> tuple[str, Blocks]:
    rounds = [
        (each.round, len(each.centers), each.inertia, each.score.bic) for each in progress.rounds
    ]
    head = ("round", "clusters", "SSE", "BIC")
    table = LedgerTable(head, rounds, "The highest BIC wins", [step.round - 1])
    clusters, bic = count(len(step.centers), "cluster", "clusters"), num(step.score.bic)
    result = f"round {step.round} has the highest BIC of all rows, {bic}, with {clusters}"
    if len(rounds) == 1:
        result = f"the result has {clusters} and the BIC {bic}"
    centers = center_table(problem, step.centers, "Centres")
    caption = f"Done: no further split is kept; {result}."
    return caption, [table, *_clusters(problem, step), centers]
