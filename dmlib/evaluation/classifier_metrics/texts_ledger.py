"""Measures of a classifier as sentences, formulas and tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.evaluation.classifier_metrics.baselines import random_guessing, zero_r
from dmlib.evaluation.classifier_metrics.classifier_report import MeasureStep
from dmlib.evaluation.classifier_metrics.confusion import Confusion, summary
from dmlib.evaluation.counts import FORMULAS, Counts
from dmlib.evaluation.measures_ledger import Row, measure_cell, quotients
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.words import num, num4

MAX_CLASSES = 8  # rows and columns of a matrix in the ledger
TITLES = {
    **{name: title for name, (title, _) in FORMULAS.items()},
    "error": "Error rate, 0/1 loss",
    "kappa": "Cohen's kappa",
    "weighted_accuracy": "Weighted accuracy",
    "expected_cost": "Cost per row",
    "quadratic_loss": "Quadratic loss",
    "informational_loss": "Informational loss, bits",
}

SENTENCES = {
    "accuracy": "{right} of {n} rows are classified correctly: accuracy {value}.",
    "error": "{wrong} of {n} rows are misclassified: error {value}.",
    "precision": (
        "Of the {predicted_positive} rows predicted {name}, {tp} are {name}: precision {value}."
    ),
    "recall": "Of the {positive} rows that are {name}, {tp} are found: recall {value}.",
    "specificity": (
        "Of the {negative} rows that are not {name}, {tn} are not predicted so: specificity"
        " {value}."
    ),
    "fpr": (
        "Of the {negative} rows that are not {name}, {fp} are predicted so: false positive rate"
        " {value}."
    ),
    "fnr": "Of the {positive} rows that are {name}, {fn} are missed: false negative rate {value}.",
    "fdr": (
        "Of the {predicted_positive} rows predicted {name}, {fp} are not: false discovery rate"
        " {value}."
    ),
    "npv": (
        "Of the {predicted_negative} rows not predicted {name}, {tn} are indeed not:"
        " negative predictive value {value}."
    ),
    "f1": "F1, the harmonic mean of precision and recall, is {value}.",
    "balanced_accuracy": "Balanced accuracy, the mean of the classes' recalls, is {value}.",
    "youden": "Youden's J, how far the point lies above the diagonal of the ROC plane, is {value}.",
    "mcc": "Matthews' correlation of the true with the predicted class is {value}.",
    "lr_positive": (
        "A row that is {name} is predicted so {value} times as often as one that is not."
    ),
    "lr_negative": "A row that is {name} is left out {value} times as often as one that is not.",
    "kappa": "Kappa is {value}: this part of the way from chance, {chance}, to perfection.",
    "weighted_accuracy": (
        "With each error weighted by its cost, the fraction of correct predictions is {value}."
    ),
    "expected_cost": "A row costs {value} on average.",
    "quadratic_loss": "The quadratic loss is {value} a row; 0 is perfect, 2 the worst.",
    "informational_loss": (
        "The informational loss is {value} bits a row; 0 is perfect, and there is no worst."
    ),
}
"""The sentence of each measure for two classes."""

EACH = "{title}, each class against the rest; the mean over the classes is {value}."
OF_MATRIX = (
    "accuracy",
    "error",
    "balanced_accuracy",
    "mcc",
    "kappa",
    "weighted_accuracy",
    "expected_cost",
)
"""The measures with one value for any number of classes."""


def caption(step: MeasureStep, classes: Sequence[str]) -> str:
    """Return the sentence of a measure."""
    counts = counts_of(step)
    value = num4(step.value)
    if np.isnan(step.value):
        return undefined(step, counts)
    is_mean = step.name not in OF_MATRIX and "loss" not in step.name
    if len(classes) > 2 and is_mean:
        return EACH.format(title=TITLES[step.name], value=value)
    n_right = int(np.trace(step.matrix))
    n = int(step.matrix.sum())
    facts = {
        "tp": counts.tp,
        "fp": counts.fp,
        "tn": counts.tn,
        "fn": counts.fn,
        "n": n,
        "right": n_right,
        "wrong": n - n_right,
        "predicted_positive": counts.tp + counts.fp,
        "predicted_negative": counts.tn + counts.fn,
        "positive": counts.tp + counts.fn,
        "negative": counts.tn + counts.fp,
        "name": classes[step.positive],
        "value": value,
        "chance": num4(matrix_of(step).chance),
    }
    return SENTENCES[step.name].format_map(facts)


def undefined(step: MeasureStep, counts: Counts) -> str:
    """Return why a measure has no value."""
    if step.name in FORMULAS and (reason := counts.undefined(step.name)):
        return reason
    if "loss" in step.name:
        title, *_ = TITLES[step.name].split(",")
        return f"{title} is undefined: it needs probabilities, and these scores are none."
    return f"{TITLES[step.name]} is undefined: it would be 0 / 0."


def matrix_of(step: MeasureStep) -> Confusion:
    """Return the confusion matrix of a step with all its rates, each class against the rest."""
    return summary(step.matrix, np.arange(len(step.matrix)), None)


def counts_of(step: MeasureStep) -> Counts:
    """Return the counts of the positive class."""
    return matrix_of(step).one_versus_rest[step.positive]


def matrix_table(
    matrix: NDArray[Any], classes: Sequence[str], title: str, emphasis: Sequence[int] = ()
) -> LedgerTable:
    """Return a matrix as a table: true classes in rows, predicted classes in columns."""
    k = min(len(classes), MAX_CLASSES)
    if k < len(classes):
        title += f" (the first {k} of {len(classes)} classes)"
    rows: list[Row] = [
        (name, *map(_plain, values[:k]))
        for name, values in zip(classes[:k], matrix[:k].tolist(), strict=True)
    ]
    head = ("true ╲ predicted", *classes[:k])
    marked = [i for i in emphasis if i < k]
    return LedgerTable(head, rows, title, marked, by="true class", numbers=range(1, k + 1))


def _plain(value: float) -> Cell:
    return int(value) if float(value).is_integer() else value


def arithmetic(step: MeasureStep, classes: Sequence[str]) -> Blocks:
    """Return the formula of a measure with its numbers; of several classes, a line for each."""
    build = {"kappa": _kappa, "weighted_accuracy": _cost, "expected_cost": _cost}
    if step.name in build:
        return build[step.name](step, classes)
    if step.name not in FORMULAS:
        return []
    title, formula = FORMULAS[step.name]
    if len(classes) == 2:
        return [Formula(counts_of(step).put_in(step.name))]
    if step.name in ("accuracy", "error"):
        n = int(step.matrix.sum())
        n_right = int(np.trace(step.matrix))
        n_counted = n_right if step.name == "accuracy" else n - n_right
        return [Formula(f"{title} = {n_counted} / {n} = {num(step.value)}")]
    blocks: Blocks = [Formula(f"{title} = {formula}"), *_versus_rest(step, classes)]
    if step.name == "mcc":
        blocks.append(Formula(f"of the whole matrix (Gorodkin): {num(step.value)}"))
    return blocks


def _versus_rest(step: MeasureStep, classes: Sequence[str]) -> Blocks:
    result = matrix_of(step)
    rows: list[Row] = [
        (
            name,
            counts.tp,
            counts.fp,
            counts.fn,
            quotients(counts)[step.name],
            measure_cell(getattr(counts, step.name)),
        )
        for name, counts in zip(classes, result.one_versus_rest, strict=True)
    ]
    head = ("class", "TP", "FP", "FN", "values", "value")
    means: list[Row] = [
        ("macro: equal weight for every class", measure_cell(result.macro[step.name])),
        ("weighted: by their rows", measure_cell(result.weighted[step.name])),
        ("micro: of the summed counts", measure_cell(result.micro[step.name])),
    ]
    return [
        short_table(
            head, rows, "Each class against the rest", [step.positive], max_rows=MAX_CLASSES
        ),
        LedgerTable(("mean", "value"), means, "Means"),
    ]


def _kappa(step: MeasureStep, classes: Sequence[str]) -> Blocks:
    result = matrix_of(step)
    n = int(step.matrix.sum())
    margins = zip(step.matrix.sum(axis=1).tolist(), step.matrix.sum(axis=0).tolist(), strict=True)
    terms = abridged([f"{true} · {predicted}" for true, predicted in margins], MAX_CLASSES)
    chance = result.chance
    quotient = f"({result.accuracy:.4g} − {chance:.4g}) / (1 − {chance:.4g})"
    value = "undefined" if np.isnan(step.value) else num(step.value)
    return [
        Formula(f"chance = Σ true · predicted / n² = ({terms}) / {n}² = {num(chance)}"),
        Formula(f"kappa = (accuracy − chance) / (1 − chance) = {quotient} = {value}"),
        *_weighted_kappas(result),
    ]


def _weighted_kappas(result: Confusion) -> Blocks:
    if len(result.labels) == 2:
        return []
    rows: list[Row] = [
        (name, measure_cell(result.weighted_kappa(name))) for name in ("linear", "quadratic")
    ]
    title = "If the classes are ordered: distant errors weigh more"
    return [LedgerTable(("weights", "kappa"), rows, title)]


def _cost(step: MeasureStep, classes: Sequence[str]) -> Blocks:
    is_accuracy = step.name == "weighted_accuracy"
    weights = step.weights if is_accuracy else step.costs
    cells = zip(weights.ravel().tolist(), step.matrix.ravel().tolist(), strict=True)
    terms = abridged([f"{_plain(weight)} · {n}" for weight, n in cells if weight], 6)
    if is_accuracy:
        value = "undefined" if np.isnan(step.value) else num(step.value)
        diagonal = zip(np.diag(weights).tolist(), np.diag(step.matrix).tolist(), strict=True)
        correct = abridged([f"{_plain(weight)} · {n}" for weight, n in diagonal if weight], 6)
        line = f"weighted accuracy = ({correct or 0}) / ({terms or 0}) = {value}"
        title = "Weights w"
    else:
        n = int(step.matrix.sum())
        total = num((weights * step.matrix).sum())
        line = f"cost per row = ({terms or 0}) / {n} = {total} / {n} = {num(step.value)}"
        title = "Cost matrix"
    return [matrix_table(weights, classes, title, [step.positive]), Formula(line)]


def chance_table(step: MeasureStep, classes: Sequence[str]) -> LedgerTable:
    """Return the measures of the model beside those of ZeroR and random guessing."""
    result = matrix_of(step)
    most_frequent = classes[int(step.matrix.sum(axis=1).argmax())]
    models = {
        "this model": result,
        f"ZeroR ({most_frequent})": zero_r(result),
        "random": random_guessing(result),
    }
    rows: list[Row] = [
        (
            name,
            measure_cell(model.accuracy),
            measure_cell(model.balanced_accuracy),
            measure_cell(round(model.kappa, 12) + 0.0),
            measure_cell(model.expected_cost(step.costs)),
        )
        for name, model in models.items()
    ]
    head = ("", "accuracy", "balanced", "kappa", "cost")
    return LedgerTable(head, rows, "Compared with chance", [0], by="model", numbers=(1, 2, 3))


def loss_texts(step: MeasureStep, p: NDArray[np.float64]) -> list[str]:
    """Return the formulas of a mean loss, and that of predicting the class frequencies.

    ``p`` are the predicted probabilities of the true classes of the rows.
    """
    frequencies = step.matrix.sum(axis=1) / max(len(p), 1)
    if step.name == "informational_loss":
        return _informational_loss(step.value, p, frequencies)
    return _quadratic_loss(step.value, p, frequencies)


def _informational_loss(
    loss: float, p: NDArray[np.float64], frequencies: NDArray[np.float64]
) -> list[str]:
    terms = " + ".join(f"log₂ (1 / {value:.3g})" for value in p[:3])
    positive = frequencies[frequencies > 0]
    entropy = num(-positive @ np.log2(positive))
    return [
        f"mean of log₂ (1 / P(true class)) = ({terms} + …) / {len(p)} = {num(loss)} bits",
        f"in nats, the log loss: {num(loss)} · ln 2 = {num(loss * math.log(2))}",
        f"with the shares of the classes for every row, their entropy: {entropy} bits",
    ]


def _quadratic_loss(
    loss: float, p: NDArray[np.float64], frequencies: NDArray[np.float64]
) -> list[str]:
    lines = [f"mean of Σ (P(class) − [true class])² = {num(loss)}"]
    if len(frequencies) == 2:
        terms = " + ".join(f"2 · (1 − {value:.3g})²" for value in p[:3])
        lines = [
            f"mean of 2 · (1 − P(true class))² = ({terms} + …) / {len(p)} = {num(loss)}",
            f"half of it is the Brier score: {num(loss / 2)}",
        ]
    squares = abridged([f"{value:.3g}²" for value in frequencies], MAX_CLASSES)
    baseline = f"1 − ({squares}) = {num(1 - frequencies @ frequencies)}"
    return [*lines, f"with the shares of the classes for every row: {baseline}"]
