"""The curves of the same scores by scikit-learn, and the code that asks for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers
from dmlib.pictures.run import Run


def roc_reference(run: Run) -> Any:
    """Return scikit-learn's curves and areas of the scores that ``model`` gives to ``X``."""
    from sklearn import metrics

    sweep = run.fitted
    known = ~np.isnan(sweep.scores_)
    truth, score = sweep.positive_[known], sweep.scores_[known]
    fpr, tpr, thresholds = metrics.roc_curve(truth, score, drop_intermediate=False)
    return Answers(
        "sklearn.metrics: roc_curve, roc_auc_score, average_precision_score",
        {
            "fpr_": fpr,
            "tpr_": tpr,
            "thresholds_": thresholds,
            "auc_": metrics.roc_auc_score(truth, score),
            "average_precision_": metrics.average_precision_score(truth, score),
        },
    )


def roc_code(run: Run) -> str:
    """Return code that computes scikit-learn's curves as ``reference``, after ``model``."""
    return """
# The same curves with scikit-learn, of the same scores
from sklearn import metrics

known = model.scores_ == model.scores_
truth, score = model.positive_[known], model.scores_[known]
reference = metrics.RocCurveDisplay(fpr=None, tpr=None)
curve = metrics.roc_curve(truth, score, drop_intermediate=False)
reference.fpr_, reference.tpr_, reference.thresholds_ = curve
reference.auc_ = metrics.roc_auc_score(truth, score)
reference.average_precision_ = metrics.average_precision_score(truth, score)
"""
