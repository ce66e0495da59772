"""X-means as a picture: every cut with the two BICs that judge it, and the BIC of each round."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from dmlib.clustering.centers_ledger import center_table, parts_of_sse, sum_of_parts
from dmlib.clustering.kmeans_variants.cuts_scene import curve_marks, cuts_scene, look_at_trial
from dmlib.clustering.kmeans_variants.xmeans import Score
from dmlib.clustering.kmeans_variants.xmeans import XMeansStep as Step
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, class_table
from dmlib.pictures.plane import data_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene, bounds
from dmlib.pictures.words import count, num, signed
from dmlib.problem import Problem


def xmeans_scene(run: Run) -> Scene:
    """Draw X-means, one frame per step.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.clustering import XMeans
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0, 0, 2, 2, 10, 10, 14, 14], "b": [0, 2, 0, 2, 0, 4, 0, 4]})
    >>> problem = prepare(frame, ["a", "b"])
    >>> scene = xmeans_scene(Run.of(problem, XMeans(1, random_state=0)))
    >>> print(scene.frames[1].caption)
    Cluster 1 is cut: one centre has the BIC −48.9015, two have −42.1183, which is higher.
    """
    problem, steps = run.problem, run.trace.steps
    if not steps:
        return data_scene(problem, run.trace.reason)
    looks = [replace(look_at_trial(step), cells=step.cluster is None) for step in steps]
    so_far = [_rounds(steps[: i + 1]) for i in range(len(steps))]
    curves = [[(float(len(now.centers)), now.score.bic) for now in rounds] for rounds in so_far]
    told = [_tell(problem, steps[: i + 1]) for i in range(len(steps))]
    return cuts_scene(run, looks, told, _bic_panel(steps), curve_marks("bic", curves, [s.round - 1 for s in steps]))


def _rounds(steps: Sequence[Step]) -> list[Step]:
    return [step for step in steps if step.phase == "improve_params"]


def _bic_panel(steps: Sequence[Step]) -> Panel:
    rounds = _rounds(steps)
    sizes = [len(step.centers) for step in rounds]
    low, high = bounds([step.score.bic for step in rounds], 0.12)
    x = Axis("clusters", min(sizes) - 0.5, max(*sizes, min(sizes) + 1) + 0.5, integer=True)
    return Panel("bic", x, Axis("BIC", low, high), title="BIC of all rows, round by round", side=True)


def _tell(problem: Problem, steps: Sequence[Step]) -> tuple[str, Blocks]:
    """Return the caption and the ledger of the last of these steps."""
    tell = {"improve_params": _improve_params, "improve_structure": _improve_structure, "done": _done}
    return tell[steps[-1].phase](problem, steps)


def _improve_params(problem: Problem, steps: Sequence[Step]) -> tuple[str, Blocks]:
    *earlier, step = _rounds(steps)
    centers = count(len(step.centers), "centre", "centres")
    if earlier:
        before, bic = earlier[-1].score.bic, step.score.bic
        verb = "rises" if bic > before else "falls" if bic < before else "stays"
        change = f"{verb} from {num(before)} to {num(bic)}" if bic != before else f"stays {num(bic)}"
        caption = f"Round {step.round}: k-means from the {centers} of the round before; the BIC of all rows {change}."
    else:
        caption = f"Round 1: k-means with {centers}; the BIC of all rows is {num(step.score.bic)}."
    return caption, [*_clusters(problem, step), *_bic(step.score, problem.X.shape[1])]


def _clusters(problem: Problem, step: Step) -> Blocks:
    parts = parts_of_sse(problem, step.centers, step.labels)
    rows = [(int(n), float(part)) for n, part in zip(step.counts, parts, strict=True)]
    return [class_table(("rows", "SSE"), rows, "Clusters"), sum_of_parts(parts, step.inertia)]


def _improve_structure(problem: Problem, steps: Sequence[Step]) -> tuple[str, Blocks]:
    step = steps[-1]
    cuts = [other for other in steps if other.round == step.round and other.phase == "improve_structure"]
    ledger: Blocks = [_verdicts(cuts)]
    if step.parent and step.children:
        d = problem.X.shape[1]
        ledger.append(_side_by_side(step.parent, step.children))
        ledger += [Formula("One centre:"), *_bic(step.parent, d), Formula("Two centres:"), *_bic(step.children, d)]
    return _verdict(step), ledger


def _verdict(step: Step) -> str:
    name = f"Cluster {(step.cluster or 0) + 1}"
    if not (step.parent and step.children):
        return f"{name} is not cut. {step.reason}"
    one, two = num(step.parent.bic), num(step.children.bic)
    if step.kept:
        return f"{name} is cut: one centre has the BIC {one}, two have {two}, which is higher."
    if step.children.bic > step.parent.bic:
        return f"{name} is not cut, though two centres have the BIC {two} and one has {one}. {step.reason}"
    return f"{name} is not cut: one centre has the BIC {one}, two have {two}, which is not higher."


def _verdicts(cuts: Sequence[Step]) -> LedgerTable:
    rows: list[tuple[Cell, ...]] = []
    for cut in cuts:
        verdict = "kept" if cut.kept else "refused"
        if cut.parent and cut.children:
            rows.append((cut.parent.bic, cut.children.bic, cut.children.bic - cut.parent.bic, verdict))
        else:
            rows.append((None, None, None, "not tried"))
    head = ("BIC, one centre", "two centres", "gain", "verdict")
    return class_table(head, rows, f"Cuts of round {cuts[-1].round} so far", [len(rows) - 1])


def _side_by_side(parent: Score, children: Score) -> LedgerTable:
    both = (parent, children)
    n = sum(parent.sizes)
    rows: list[tuple[Cell, ...]] = [
        ("rows", *(" + ".join(map(str, score.sizes)) for score in both)),
        ("SSE", *(score.inertia for score in both)),
        ("variance v", *(score.variance for score in both)),
        ("ln L", *(score.log_likelihood for score in both)),
        ("parameters p", *(score.n_parameters for score in both)),
        ("p/2 · ln n", *(score.n_parameters / 2 * math.log(n) for score in both)),
        ("BIC", *(score.bic for score in both)),
    ]
    return LedgerTable(("", "one centre", "two centres"), rows, "The rows of this cluster", [len(rows) - 1])


def _bic(score: Score, d: int) -> list[Formula]:
    """Write the BIC out with its numbers."""
    n, k, sse, v = sum(score.sizes), len(score.sizes), score.inertia, score.variance
    if n == k:
        return [Formula("As many centres as rows: nothing is left to estimate the variance from; BIC = −∞")]
    if sse == 0:
        return [Formula("SSE = 0: no spread is left, so the likelihood and the BIC are infinite")]
    shares = sum(size * math.log(size / n) for size in score.sizes if size)
    spread, fit = n * d / 2 * math.log(2 * math.pi * v), sse / (2 * v)
    likelihood = f"{num(shares)} − {signed(spread)} − {num(fit)} = {num(score.log_likelihood)}"
    penalty = f"{score.n_parameters}/2 · ln {n}"
    return [
        Formula(f"v = SSE / (d (n − k)) = {num(sse)} / ({d} · ({n} − {k})) = {num(v)}"),
        Formula(f"ln L = Σ nⱼ ln(nⱼ/n) − nd/2 · ln(2πv) − SSE/(2v) = {likelihood}"),
        Formula(f"p = (k − 1) + k d + 1 = {k - 1} + {k} · {d} + 1 = {score.n_parameters}"),
        Formula(f"BIC = ln L − p/2 · ln n = {num(score.log_likelihood)} − {penalty} = {num(score.bic)}"),
    ]


def _done(problem: Problem, steps: Sequence[Step]) -> tuple[str, Blocks]:
    step, rounds = steps[-1], _rounds(steps)
    rows = [(now.round, len(now.centers), now.inertia, now.score.bic) for now in rounds]
    table = LedgerTable(("round", "clusters", "SSE", "BIC"), rows, "The highest BIC wins", [step.round - 1])
    found = count(len(step.centers), "cluster", "clusters")
    which = f"round {step.round} has the highest BIC of all rows, {num(step.score.bic)}, with {found}"
    if len(rounds) == 1:
        which = f"the result has {found} and the BIC {num(step.score.bic)}"
    centers = center_table(problem, step.centers, "Centres")
    return f"Done: no further cut is kept; {which}.", [table, *_clusters(problem, step), centers]
