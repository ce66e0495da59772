"""What a measure of a classifier says, in a sentence and as arithmetic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.evaluation.classifier_metrics.baselines import by_lot, zero_r
from dmlib.evaluation.classifier_metrics.classifier_report import MeasureStep
from dmlib.evaluation.classifier_metrics.confusion import Confusion, summary
from dmlib.evaluation.counts import FORMULAS, Counts
from dmlib.evaluation.measures_ledger import Row, quotients, shown
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged, short_table
from dmlib.pictures.words import num, num4

MAX_CLASSES = 8  # rows and columns of a matrix in the ledger
TITLES = {name: title for name, (title, _) in FORMULAS.items()} | {
    "error": "Error rate, 0/1 loss",
    "kappa": "Cohen's kappa",
    "weighted_accuracy": "Weighted accuracy",
    "expected_cost": "Cost per row",
    "quadratic_loss": "Quadratic loss",
    "informational_loss": "Informational loss, bits",
}
"""What each measure is called."""

SENTENCES = {
    "accuracy": "{right} of {n} rows are classified correctly: accuracy {value}.",
    "error": "{wrong} of {n} rows are misclassified: error {value}.",
    "precision": "Of the {called} rows predicted {name}, {tp} are {name}: precision {value}.",
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
    "fdr": "Of the {called} rows predicted {name}, {fp} are not: false discovery rate {value}.",
    "npv": (
        "Of the {left} rows not predicted {name}, {tn} are indeed not: negative predictive value"
        " {value}."
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
"""What each measure says of two classes."""

EACH = "{title}, each class against the rest; the mean over the classes is {value}."
ONE_ANSWER = (
    "accuracy",
    "error",
    "balanced_accuracy",
    "mcc",
    "kappa",
    "weighted_accuracy",
    "expected_cost",
)
"""The measures that are of the whole matrix, however many classes there are."""


def caption(step: MeasureStep, classes: Sequence[str]) -> str:
    """Return what a measure says, in one sentence."""
    counts = counts_of(step)
    value = num4(step.value)
    whole = step.name in ONE_ANSWER or "loss" in step.name
    if np.isnan(step.value):
        return undefined(step, counts)
    if len(classes) > 2 and not whole:
        return EACH.format(title=TITLES[step.name], value=value)
    trace, n = int(np.trace(step.matrix)), int(step.matrix.sum())
    facts = {
        "tp": counts.tp,
        "fp": counts.fp,
        "tn": counts.tn,
        "fn": counts.fn,
        "n": n,
        "right": trace,
        "wrong": n - trace,
        "called": counts.tp + counts.fp,
        "left": counts.tn + counts.fn,
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
        return (
            f"{TITLES[step.name].split(',')[0]} is undefined: it needs probabilities, and these"
            " scores are none."
        )
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
    """Return a matrix as a table: true classes down, predicted classes across."""
    few = min(len(classes), MAX_CLASSES)
    cut = f" (the first {few} of {len(classes)} classes)" if few < len(classes) else ""
    rows: list[Row] = [
        (classes[i], *(_plain(value) for value in matrix[i, :few].tolist())) for i in range(few)
    ]
    head, numbers = ("true ╲ predicted", *classes[:few]), range(1, few + 1)
    shown = [i for i in emphasis if i < few]
    return LedgerTable(head, rows, title + cut, shown, by="true class", numbers=numbers)


def _plain(value: float) -> Cell:
    return int(value) if float(value).is_integer() else value


def arithmetic(step: MeasureStep, classes: Sequence[str]) -> Blocks:
    """Return the formula of a measure with the numbers put in; of several classes, one line for each."""
    build = {"kappa": _kappa, "weighted_accuracy": _cost, "expected_cost": _cost}
    if step.name in build:
        return build[step.name](step, classes)
    if step.name not in FORMULAS:
        return []
    title, formula = FORMULAS[step.name]
    if len(classes) == 2:
        return [Formula(counts_of(step).put_in(step.name))]
    if step.name in ("accuracy", "error"):
        n, right = int(step.matrix.sum()), int(np.trace(step.matrix))
        return [
            Formula(
                f"{title} = {right if step.name == 'accuracy' else n - right} / {n} ="
                f" {num(step.value)}"
            )
        ]
    blocks: Blocks = [Formula(f"{title} = {formula}"), *_versus_rest(step, classes)]
    if step.name == "mcc":
        blocks.append(Formula(f"of the whole matrix (Gorodkin): {num(step.value)}"))
    return blocks


def _versus_rest(step: MeasureStep, classes: Sequence[str]) -> Blocks:
    result = matrix_of(step)
    rows: list[Row] = [
        (
            name,
            each.tp,
            each.fp,
            each.fn,
            quotients(each)[step.name],
            shown(getattr(each, step.name)),
        )
        for name, each in zip(classes, result.one_versus_rest, strict=True)
    ]
    head = ("class", "TP", "FP", "FN", "values", "value")
    means: list[Row] = [
        ("macro: equal weight for every class", shown(result.macro[step.name])),
        ("weighted: by their rows", shown(result.weighted[step.name])),
        ("micro: of the summed counts", shown(result.micro[step.name])),
    ]
    return [
        short_table(
            head, rows, "Each class against the rest", [step.positive], max_rows=MAX_CLASSES
        ),
        LedgerTable(("mean", "value"), means, "Means"),
    ]


def _kappa(step: MeasureStep, classes: Sequence[str]) -> Blocks:
    result, n = matrix_of(step), int(step.matrix.sum())
    true, called = step.matrix.sum(axis=1).tolist(), step.matrix.sum(axis=0).tolist()
    terms = abridged([f"{a} · {b}" for a, b in zip(true, called, strict=True)], MAX_CLASSES)
    o, c = result.accuracy, result.chance
    value = "undefined" if np.isnan(step.value) else num(step.value)
    return [
        Formula(f"chance = Σ true · predicted / n² = ({terms}) / {n}² = {num(c)}"),
        Formula(
            f"kappa = (accuracy − chance) / (1 − chance) = ({o:.4g} − {c:.4g}) / (1 − {c:.4g}) ="
            f" {value}"
        ),
        *_weighted_kappas(result),
    ]


def _weighted_kappas(result: Confusion) -> Blocks:
    if len(result.labels) == 2:
        return []
    rows: list[Row] = [
        (name, shown(result.weighted_kappa(name))) for name in ("linear", "quadratic")
    ]
    return [
        LedgerTable(
            ("weights", "kappa"), rows, "If the classes are ordered: distant errors weigh more"
        )
    ]


def _cost(step: MeasureStep, classes: Sequence[str]) -> Blocks:
    weighted = step.name == "weighted_accuracy"
    weights = step.costs + np.eye(len(classes)) if weighted else step.costs
    product = weights * step.matrix
    terms = [
        f"{_plain(w)} · {n}"
        for w, n in zip(weights.ravel().tolist(), step.matrix.ravel().tolist(), strict=True)
        if w
    ]
    total = abridged(terms, 6)
    below, n = num(product.sum()), int(step.matrix.sum())
    if weighted:
        line = f"weighted accuracy = {int(np.trace(step.matrix))} / ({total}) = {num(step.value)}"
        title = "Weights w: 1 on the diagonal"
    else:
        line = f"cost per row = ({total}) / {n} = {below} / {n} = {num(step.value)}"
        title = "Cost matrix"
    return [matrix_table(weights, classes, title, [step.positive]), Formula(line)]


def chance_table(step: MeasureStep, classes: Sequence[str]) -> LedgerTable:
    """Return what the model reaches beside ZeroR and beside a guess that calls each class as often, but at random."""
    result = matrix_of(step)
    most = classes[int(step.matrix.sum(axis=1).argmax())]
    each = {
        "this model": result,
        f"ZeroR: all are {most}": zero_r(result),
        "random, as often": by_lot(result),
    }
    rows: list[Row] = [
        (
            name,
            shown(one.accuracy),
            shown(one.balanced_accuracy),
            shown(round(one.kappa, 12) + 0.0),
            shown(one.expected_cost(step.costs)),
        )
        for name, one in each.items()
    ]
    head = ("", "accuracy", "balanced", "kappa", "cost")
    return LedgerTable(head, rows, "Compared with chance", [0], by="model", numbers=(1, 2, 3))


def loss_texts(step: MeasureStep, p: NDArray[np.float64]) -> list[str]:
    """Return a mean loss as arithmetic, in its other units, and of who gives every row the shares of the classes.

    ``p`` are the probabilities that the true classes of the rows got.
    """
    n, k = len(p), len(step.matrix)
    shares = step.matrix.sum(axis=1) / max(n, 1)
    if step.name == "informational_loss":
        terms = " + ".join(f"log₂ (1 / {value:.3g})" for value in p[:3])
        known = shares[shares > 0]
        return [
            f"mean of log₂ (1 / P(true class)) = ({terms} + …) / {n} = {num(step.value)} bits",
            f"in nats, the log loss: {num(step.value)} · ln 2 = {num(step.value * math.log(2))}",
            (
                "with the shares of the classes for every row, their entropy:"
                f" {num(-known @ np.log2(known))} bits"
            ),
        ]
    squares = " + ".join(f"{value:.3g}²" for value in shares[:MAX_CLASSES])
    more = " + …" if k > MAX_CLASSES else ""
    terms = " + ".join(f"2 · (1 − {value:.3g})²" for value in p[:3])
    lines = [f"mean of Σ (P(class) − [true class])² = {num(step.value)}"]
    if k == 2:
        lines = [
            f"mean of 2 · (1 − P(true class))² = ({terms} + …) / {n} = {num(step.value)}",
            f"half of it is the Brier score: {num(step.value / 2)}",
        ]
    return [
        *lines,
        (
            f"with the shares of the classes for every row: 1 − ({squares}{more}) ="
            f" {num(1 - shares @ shares)}"
        ),
    ]
