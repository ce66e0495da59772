"""The measures of the same decisions by scikit-learn, and the code that asks for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers
from dmlib.pictures.run import Run

SINGLE = {
    "accuracy_": "accuracy_score",
    "balanced_accuracy_": "balanced_accuracy_score",
    "mcc_": "matthews_corrcoef",
    "kappa_": "cohen_kappa_score",
}
"""Attributes of the report that are one number, and scikit-learn's functions of true and predicted
classes."""


def metrics_reference(run: Run) -> Any:
    """Return scikit-learn's measures of the decisions that ``model`` takes on ``X``."""
    from sklearn import metrics

    report = run.fitted
    known = report.predictions_ >= 0
    truth, predicted = (
        np.asarray(run.problem.training.y)[known],
        report.classes_[report.predictions_[known]],
    )
    labels = report.classes_
    found = {
        name: getattr(metrics, function)(truth, predicted) for name, function in SINGLE.items()
    }
    rates = metrics.precision_recall_fscore_support(
        truth, predicted, labels=labels, zero_division=np.nan
    )
    found |= {
        "confusion_": metrics.confusion_matrix(truth, predicted, labels=labels),
        "class_rates_": np.column_stack(rates[:3]),
        "quadratic_loss_": np.nan,
        "informational_loss_": np.nan,
    }
    if report.probabilities_ is not None:
        proba = report.probabilities_[known]
        found["quadratic_loss_"] = metrics.brier_score_loss(
            truth, proba, labels=labels, scale_by_half=False
        )
        found["informational_loss_"] = metrics.log_loss(truth, proba, labels=labels) / np.log(2)
    several = (
        "confusion_matrix",
        "precision_recall_fscore_support",
        "brier_score_loss",
        "log_loss",
    )
    return Answers(f"sklearn.metrics: {', '.join((*SINGLE.values(), *several))}", found)


def metrics_code(run: Run) -> str:
    """Return code that computes scikit-learn's measures as ``reference``, after ``model``."""
    return """
# The same measures with scikit-learn, of the same decisions
import numpy as np
from sklearn import metrics

known = model.predictions_ >= 0
truth, called = np.asarray(y)[known], model.classes_[model.predictions_[known]]
labels = model.classes_
matrix = metrics.confusion_matrix(truth, called, labels=labels)
reference = metrics.ConfusionMatrixDisplay(matrix, display_labels=labels)
reference.accuracy_ = metrics.accuracy_score(truth, called)
reference.balanced_accuracy_ = metrics.balanced_accuracy_score(truth, called)
reference.mcc_ = metrics.matthews_corrcoef(truth, called)
reference.kappa_ = metrics.cohen_kappa_score(truth, called)
print(metrics.classification_report(truth, called, labels=labels, zero_division=np.nan))
if model.probabilities_ is not None:
    print("Brier score:", metrics.brier_score_loss(truth, model.probabilities_[known], labels=labels))
    print("log loss, nats:", metrics.log_loss(truth, model.probabilities_[known], labels=labels))
"""
