"""Counts, rates and losses of a classifier as ledger tables."""

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
"""The models in a sentence."""
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
    n = tp + fp + tn + fn
    predicted_positive = tp + fp
    predicted_negative = tn + fn
    positive = tp + fn
    negative = fp + tn
    rates = (counts.tpr, counts.fpr, counts.tnr, counts.fnr)
    tpr, fpr, tnr, fnr = (f"{rate:.3g}".replace("nan", "?") for rate in rates)
    margins = f"{predicted_positive}·{positive}·{negative}·{predicted_negative}"
    return {
        "accuracy": f"{tp + tn} / {n}",
        "error": f"{fp + fn} / {n}",
        "precision": f"{tp} / {predicted_positive}",
        "recall": f"{tp} / {positive}",
        "specificity": f"{tn} / {negative}",
        "fpr": f"{fp} / {negative}",
        "fnr": f"{fn} / {positive}",
        "fdr": f"{fp} / {predicted_positive}",
        "npv": f"{tn} / {predicted_negative}",
        "f1": f"{2 * tp} / {predicted_positive + positive}",
        "balanced_accuracy": f"({tpr} + {tnr}) / 2",
        "youden": f"{tpr} − {fpr}",
        "mcc": f"{tp * tn - fp * fn} / √({margins})",
        "lr_positive": f"{tpr} / {fpr}",
        "lr_negative": f"{fnr} / {tnr}",
    }


def measure_cell(value: float) -> str | float:
    """Return a measure for a table: text where it is undefined or infinite."""
    if math.isfinite(value):
        return float(f"{value:.5g}")
    return UNDEFINED if math.isnan(value) else "∞"


def count_table(names: Sequence[str], counts: Counts, title: str) -> LedgerTable:
    """Return the confusion matrix; ``names`` are those of the negative and the positive class."""
    rows = [
        (f"{names[1]} (+)", f"TP = {counts.tp}", f"FN = {counts.fn}"),
        (f"{names[0]} (−)", f"FP = {counts.fp}", f"TN = {counts.tn}"),
    ]
    return LedgerTable(("true class", "predicted +", "predicted −"), rows, title)


def rate_table(
    counts: Counts, extra_rows: Mapping[str, Row], by: str, numbers: Mapping[str, int]
) -> LedgerTable:
    """Return all rates with their quotients, and extra rows.

    ``numbers`` has the rows that answer to marks.
    """
    parts = quotients(counts)
    rows: list[Row] = [
        (title, parts[name], measure_cell(getattr(counts, name))) for name, title in SHORT.items()
    ]
    row_numbers = [numbers.get(name) for name in (*SHORT, *extra_rows)]
    rows += extra_rows.values()
    return LedgerTable(("rate", "counts", "value"), rows, "Rates", by=by, numbers=row_numbers)


def settings_note(model: Any) -> tuple[str, ...]:
    """Return the sentence on the settings of a model that are not its defaults, if any."""
    if isinstance(model, str):
        return ()
    defaults = {
        **type(model)().get_params(),
        "random_state": model.get_params().get("random_state"),
    }
    changed = [
        f"{name} = {_number(value)}"
        for name, value in model.get_params().items()
        if value != defaults[name]
    ]
    return (f"Settings of the model: {', '.join(changed)}.",) if changed else ()


def _number(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def score_frame(
    problem: Problem, step: ScoreStep, model: Any, column: int = 1
) -> tuple[str, Blocks]:
    """Return caption and ledger of a fold; ``column`` is the number of a column of scores."""
    if step.kind == "column":
        name = problem.features[column - 1]
        return f"The column {name} is the score: no model is trained.", [
            Formula(f"{count(len(step.rows), 'row', 'rows')}: score = {name}")
        ]
    truth = problem.training.y
    rows: list[Row] = []
    for part, members in (("training", step.learned), ("scored", step.rows)):
        codes = np.zeros(0, np.intp) if truth is None else truth[members]
        n_rows = np.bincount(codes, minlength=len(problem.classes))
        rows.append((part, len(members), *map(int, n_rows[:4])))
    head = ("rows", "all", *problem.classes[:4])
    scored = count(len(step.rows), "unseen row", "unseen rows")
    if len(step.learned) == len(step.rows) == len(problem.training.X):
        scored = "the same rows, which is optimistic"
    fold = f"Fold {step.fold + 1} of {step.n_folds}" if step.n_folds > 1 else "One part"
    name = model_name(model)
    trained, scores = ("are trained", "score") if name == "knn" else ("is trained", "scores")
    subject = f"{MODELS.get(name, 'the model')} {trained} on {len(step.learned)} rows"
    caption = f"{fold}: {subject} and {scores} {scored}."
    if step.reason and not step.fold:
        caption = f"{caption} {step.reason}"
    return caption, [LedgerTable(head, rows, "Rows of this fold")]


def loss_lines(name: str, p: float) -> Blocks:
    """Return both losses of a row of two classes, whose true class has the probability ``p``."""
    squares = f"(1 − {p:.4g})² + (0 − {1 - p:.4g})² = {2 * (1 - p) ** 2:.4g}"
    bits = "∞" if p <= 0 else num(0.0 - float(np.log2(p)))
    return [
        Formula(f"{name}, quadratic loss: {squares}"),
        Formula(f"{name}, informational loss: log₂ (1 / {p:.4g}) = {bits} bits"),
    ]
