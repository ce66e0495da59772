"""Measures of the same decisions by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers
from dmlib.evaluation.classifier_metrics.classifier_report import ClassifierReport
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def measure_decisions(model: Any, y: Any) -> Answers:
    """Compute scikit-learn's measures of the same decisions."""
    from sklearn import metrics

    from dmlib.comparison import Answers

    is_scored = model.predictions_ >= 0
    labels = model.classes_
    truth, predicted = np.asarray(y)[is_scored], labels[model.predictions_[is_scored]]
    rates = metrics.precision_recall_fscore_support(
        truth, predicted, labels=labels, zero_division=np.nan
    )
    values = {
        "confusion_": metrics.confusion_matrix(truth, predicted, labels=labels),
        "accuracy_": metrics.accuracy_score(truth, predicted),
        "balanced_accuracy_": metrics.balanced_accuracy_score(truth, predicted),
        "mcc_": metrics.matthews_corrcoef(truth, predicted),
        "kappa_": metrics.cohen_kappa_score(truth, predicted),
        "class_rates_": np.column_stack(rates[:3]),
        "quadratic_loss_": np.nan,
        "informational_loss_": np.nan,
    }
    if model.probabilities_ is not None:
        p = model.probabilities_[is_scored]
        values["quadratic_loss_"] = metrics.brier_score_loss(
            truth, p, labels=labels, scale_by_half=False
        )
        values["informational_loss_"] = metrics.log_loss(truth, p, labels=labels) / np.log(2)
    functions = (
        "accuracy_score, balanced_accuracy_score, matthews_corrcoef, cohen_kappa_score,"
        " confusion_matrix, precision_recall_fscore_support, brier_score_loss, log_loss"
    )
    return Answers(f"sklearn.metrics: {functions}", values)


def metrics_reference(run: Run[Problem, ClassifierReport]) -> Reference:
    """Return the measures of the same decisions by scikit-learn."""
    return Reference(measure_decisions, "model", "y")
