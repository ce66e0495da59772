"""What the scenes that evaluate a classifier share: counts and rates as ledger tables, and the losses of one row."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dmlib.evaluation.counts import Counts
from dmlib.evaluation.scores import ScoreStep, model_name
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable
from dmlib.pictures.words import count, num
from dmlib.problem import Problem

Row = tuple[Cell, ...]

UNDEFINED = "0 / 0"
MODELS = {
    "naive_bayes": "naive Bayes",
    "logistic_regression": "logistic regression",
    "decision_tree": "a decision tree",
    "knn": "k nearest neighbours",
    "svm": "a support vector machine",
    "zero_r": "ZeroR, which uses no column,",
}
"""What a sentence calls a model."""
SHORT = {
    "accuracy": "Accuracy",
    "error": "Error",
    "precision": "Precision",
    "recall": "Recall, TPR",
    "specificity": "Specificity, TNR",
    "fpr": "FPR",
    "fnr": "FNR",
    "fdr": "FDR",
    "npv": "NPV",
    "f1": "F1",
    "balanced_accuracy": "Balanced accuracy",
    "youden": "Youden's J",
    "mcc": "MCC",
    "lr_positive": "LR+",
    "lr_negative": "LR−",
}
"""Names of the rates that fit into a narrow table."""


def quotients(counts: Counts) -> dict[str, str]:
    """Return every rate as a quotient with the numbers put in.

    Examples
    --------
    >>> quotients(Counts(6, 2, 10, 2))["precision"], quotients(Counts(6, 2, 10, 2))["youden"]
    ('6 / 8', '0.75 − 0.167')
    """
    tp, fp, tn, fn = counts.tp, counts.fp, counts.tn, counts.fn
    n, called, left, positive, negative = tp + fp + tn + fn, tp + fp, tn + fn, tp + fn, fp + tn
    tpr, fpr = (f"{rate:.3g}".replace("nan", "?") for rate in (counts.tpr, counts.fpr))
    tnr, fnr = (f"{rate:.3g}".replace("nan", "?") for rate in (counts.tnr, counts.fnr))
    return {
        "accuracy": f"{tp + tn} / {n}",
        "error": f"{fp + fn} / {n}",
        "precision": f"{tp} / {called}",
        "recall": f"{tp} / {positive}",
        "specificity": f"{tn} / {negative}",
        "fpr": f"{fp} / {negative}",
        "fnr": f"{fn} / {positive}",
        "fdr": f"{fp} / {called}",
        "npv": f"{tn} / {left}",
        "f1": f"{2 * tp} / {called + positive}",
        "balanced_accuracy": f"({tpr} + {tnr}) / 2",
        "youden": f"{tpr} − {fpr}",
        "mcc": f"{tp * tn - fp * fn} / √({called}·{positive}·{negative}·{left})",
        "lr_positive": f"{tpr} / {fpr}",
        "lr_negative": f"{fnr} / {tnr}",
    }


def shown(value: float) -> str | float:
    """Return a measure for a table: text where it is undefined."""
    if math.isfinite(value):
        return float(f"{value:.5g}")
    return UNDEFINED if math.isnan(value) else "∞"


def count_table(names: Sequence[str], counts: Counts, title: str) -> LedgerTable:
    """Return the four counts: true classes down, what they were called across; ``names`` are negative, positive."""
    rows = [
        (f"{names[1]} (+)", f"TP = {counts.tp}", f"FN = {counts.fn}"),
        (f"{names[0]} (−)", f"FP = {counts.fp}", f"TN = {counts.tn}"),
    ]
    return LedgerTable(("true class", "predicted +", "predicted −"), rows, title)


def rate_table(
    counts: Counts, more: Mapping[str, Row], by: str, numbers: Mapping[str, int]
) -> LedgerTable:
    """Return all rates with the numbers put in, and ``more`` rows; ``numbers`` has those that answer to marks."""
    parts = quotients(counts)
    rows: list[Row] = [(SHORT[name], parts[name], shown(getattr(counts, name))) for name in SHORT]
    found = [numbers.get(name) for name in (*SHORT, *more)]
    return LedgerTable(
        ("rate", "counts", "value"), [*rows, *more.values()], "Rates", by=by, numbers=found
    )


def settings_note(model: Any) -> tuple[str, ...]:
    """Return the sentence on the settings of a model that are not its defaults, if there are any."""
    if isinstance(model, str):
        return ()
    usual = type(model)().get_params()
    changed = [
        f"{name} = {value:g}" if isinstance(value, float) else f"{name} = {value}"
        for name, value in model.get_params().items()
        if name != "random_state" and value != usual[name]
    ]
    return (f"Settings of the model: {', '.join(changed)}.",) if changed else ()


def score_frame(
    problem: Problem, step: ScoreStep, model: Any, column: int = 1
) -> tuple[str, Blocks]:
    """Return caption and ledger of a fold; ``column`` is the number of the column that may hold the scores."""
    if step.kind == "column":
        name = problem.features[column - 1]
        return f"The column {name} is the score: no model is trained.", [
            Formula(f"{count(len(step.rows), 'row', 'rows')}: score = {name}")
        ]
    truth = problem.training.y
    rows: list[Row] = []
    for name, members in (("training", step.learned), ("scored", step.rows)):
        codes = np.zeros(0, np.intp) if truth is None else truth[members]
        each = np.bincount(codes, minlength=len(problem.classes))
        rows.append((name, len(members), *map(int, each[:4])))
    head = ("rows", "all", *problem.classes[:4])
    same = len(step.learned) == len(step.rows) == len(problem.training.X)
    unseen = (
        "the same rows, which is optimistic"
        if same
        else f"{count(len(step.rows), 'unseen row', 'unseen rows')}"
    )
    fold = f"Fold {step.fold + 1} of {step.n_folds}" if step.n_folds > 1 else "One part"
    which = model_name(model)
    name = MODELS.get(which, "the model")
    verb = ("are trained", "score") if which == "knn" else ("is trained", "scores")
    caption = f"{fold}: {name} {verb[0]} on {len(step.learned)} rows and {verb[1]} {unseen}."
    if step.reason and not step.fold:
        caption = f"{caption} {step.reason}"
    return caption, [LedgerTable(head, rows, "Rows of this fold")]


def loss_lines(name: str, p: float) -> Blocks:
    """Return the two losses of a row whose true class got the probability ``p``, as arithmetic (two classes)."""
    lost = "∞" if p <= 0 else num(0.0 - float(np.log2(p)))
    return [
        Formula(
            f"{name}, quadratic loss: (1 − {p:.4g})² + (0 − {1 - p:.4g})² = {2 * (1 - p) ** 2:.4g}"
        ),
        Formula(f"{name}, informational loss: log₂ (1 / {p:.4g}) = {lost} bits"),
    ]
