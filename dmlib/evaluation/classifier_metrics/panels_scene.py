"""What is drawn beside a confusion matrix: scores, measures, chance, losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.evaluation.classifier_metrics.baselines import by_lot, zero_r
from dmlib.evaluation.classifier_metrics.ledger import Report
from dmlib.evaluation.classifier_metrics.texts_ledger import matrix_of
from dmlib.evaluation.losses import quadratic_losses
from dmlib.pictures.marks import Line, Mark, PerFrame, Points, Rects, Texts
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.problem import JITTER, Problem

Side = tuple[Panel, list[Mark]]

BARS = {
    "accuracy": "accuracy",
    "precision": "precision",
    "recall": "recall",
    "specificity": "specificity",
    "f1": "F1",
    "balanced_accuracy": "balanced",
    "mcc": "MCC",
    "kappa": "kappa",
}
"""The measures that are drawn as bars, in the order in which they are computed."""
HALF = 0.42  # half the width of a bar
QUIET, LOUD = 0.22, 0.5  # opacity of a bar; the numbers are written on it
MOST_LOSSES = 400  # rows of that picture
HIGHEST_LOSS = 4.0  # bits that the picture of the losses shows


def lanes(problem: Problem, report: Report, threshold: float, column: int) -> Side:
    """Return the scores by class, with the side of the threshold on which rows are predicted positive."""
    known = report.order
    score = report.score[known]
    low, high = bounds([*score, threshold] if abs(threshold) < 1e6 else score)
    if report.kind != "column":
        low, high = min(low, -0.03), max(high, 1.03)
    names = {"probability": f"P({problem.classes[report.positive]})", "decision": "1 / (1 + exp(−decision))"}
    label = names.get(report.kind, problem.features[column - 1])
    lane = report.truth[known].astype(float)
    spread = JITTER * 1.3 * (np.arange(1, len(lane) + 1) * 0.61803398875 % 1 - 0.5)
    # Room above the lanes: the name of the handle is written there.
    panel = Panel(
        "scores", Axis(label, low, high), Axis("class", -0.5, 2.1, ticks=problem.classes), "Scores", side=True
    )
    border = float(np.clip(threshold, low, high))
    return panel, [
        Rects(panel="scores", x0=[border], x1=[high], y0=[-0.5], y1=[2.1], opacity=[0.12]),
        Points(
            panel="scores", x=score, y=lane + spread, color=report.truth[known], size=[3.0], classes=problem.classes
        ),
    ]


def bars(report: Report) -> Side:
    """Return the measures between -1 and 1 as bars that appear when they are computed."""
    values = {step.name: step.value for step in report.measured}
    texts = [f"{title} {_short(values[name])}" for name, title in BARS.items()]
    lengths = np.nan_to_num([values[name] for name in BARS])
    frames: list[tuple[int, int]] = [(0, -1)] * report.n_before
    for step in report.measured:
        done = frames[-1][0] + (step.name in BARS)
        frames.append((done, done - 1 if step.name in BARS else -1))
    return _levels("measures", "Measures", "measure", texts, lengths, frames)


def chance(report: Report) -> Side:
    """Return the accuracy beside those of ZeroR and of random guessing, from the moment at which it is known."""
    result = matrix_of(report.measured[0])
    accuracies = {"this model": result, "ZeroR": zero_r(result), "random": by_lot(result)}
    lengths = np.array([float(each.accuracy) for each in accuracies.values()])
    texts = [f"{name} {_short(length)}" for name, length in zip(accuracies, lengths, strict=True)]
    frames = [(0, -1)] * report.n_before + [
        (3, 0 if step.name in ("accuracy", "kappa") else -1) for step in report.measured
    ]
    return _levels("chance", "Accuracy", "model", texts, lengths, frames)


def _short(value: float) -> str:
    return "0 / 0" if np.isnan(value) else f"{value:.3f}".replace("-", "−")


def _levels(name: str, title: str, of: str, texts: list[str], lengths: Floats, frames: list[tuple[int, int]]) -> Side:
    """Return horizontal bars with texts on them; each frame says how many there are, and which one is meant."""
    n = len(texts)
    y = np.arange(n)[::-1].astype(float)
    low = min(0.0, float(lengths.min()))
    panel = Panel(name, Axis("", low, 1.0), Axis("", -0.6, n - 0.4), title, side=True)
    known = {done: np.arange(done) for done, _ in frames}
    strong = {pair: np.where(known[pair[0]] == pair[1], LOUD, QUIET) for pair in frames}
    x0 = {done: np.minimum(lengths[rows], 0.0) for done, rows in known.items()}
    x1 = {done: np.maximum(lengths[rows], 0.0) for done, rows in known.items()}
    return panel, [
        Rects(
            panel=name,
            x0=PerFrame([x0[done] for done, _ in frames]),
            x1=PerFrame([x1[done] for done, _ in frames]),
            y0=PerFrame([y[:done] - HALF for done, _ in frames]),
            y1=PerFrame([y[:done] + HALF for done, _ in frames]),
            opacity=PerFrame([strong[pair] for pair in frames]),
            numbers=np.arange(n) + 1,
            of=of,
        ),
        Texts(
            panel=name,
            x=PerFrame([np.full(done, low + 0.02 * (1 - low)) for done, _ in frames]),
            y=PerFrame([y[:done] for done, _ in frames]),
            text=texts,
            anchor="start",
        ),
    ]


def losses(problem: Problem, report: Report, given: Floats) -> Side:
    """Return the two losses of rows over the probability that their true class got; the quadratic one is hollow."""
    known = report.order[:: -(-len(report.order) // MOST_LOSSES)]
    truth = report.truth[known]
    p = given[known, truth]
    bits = np.minimum(-np.log2(np.maximum(p, 2.0**-HIGHEST_LOSS / 2)), HIGHEST_LOSS)
    quadratic = quadratic_losses(truth, given[known], labels=np.arange(given.shape[1]))
    curve = np.linspace(2.0**-HIGHEST_LOSS, 1.0, 40)
    title = "Losses" if len(known) == len(report.order) else f"Losses of {len(known)} rows"
    axes = Axis("P(true class)", -0.03, 1.03), Axis("loss", -0.15, HIGHEST_LOSS + 0.25)
    look: dict[str, Any] = {"panel": "losses", "size": [3.0], "x": p, "color": truth, "classes": problem.classes}
    return Panel("losses", *axes, title, side=True), [
        Line(panel="losses", x=curve, y=-np.log2(curve), color="muted", width=1.5),
        Points(**look, y=bits),
        Points(**look, y=quadratic, hollow=np.ones(len(p), np.uint8)),
    ]
