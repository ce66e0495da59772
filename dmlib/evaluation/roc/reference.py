"""Curves and areas of the same scores by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers
from dmlib.evaluation.roc.threshold_sweep import ThresholdSweep
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def measure_curves(model: Any) -> Answers:
    """Compute scikit-learn's curves and areas of the same scores."""
    from sklearn import metrics

    from dmlib.comparison import Answers

    is_scored = ~np.isnan(model.scores_)
    truth, score = model.positive_[is_scored], model.scores_[is_scored]
    fpr, tpr, thresholds = metrics.roc_curve(truth, score, drop_intermediate=False)
    values = {
        "fpr_": fpr,
        "tpr_": tpr,
        "thresholds_": thresholds,
        "auc_": metrics.roc_auc_score(truth, score),
        "average_precision_": metrics.average_precision_score(truth, score),
    }
    return Answers("sklearn.metrics: roc_curve, roc_auc_score, average_precision_score", values)


def roc_reference(run: Run[Problem, ThresholdSweep]) -> Reference:
    """Return the curves and areas of the same scores by scikit-learn."""
    return Reference(measure_curves, "model")
