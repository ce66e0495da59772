"""The curves of the same scores by scikit-learn, and the code that asks for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.evaluation import ThresholdSweep


def roc_reference(model: ThresholdSweep, X: Any, y: Any) -> Any:
    """Return scikit-learn's curves and areas of the scores that ``model`` gives to ``X``.

    They are attributes of its ``RocCurveDisplay``, named as those of ``model``.
    """
    from sklearn import metrics

    sweep = model.fit(X, y)
    known = ~np.isnan(sweep.scores_)
    truth, score = sweep.positive_[known], sweep.scores_[known]
    fpr, tpr, thresholds = metrics.roc_curve(truth, score, drop_intermediate=False)
    reference = metrics.RocCurveDisplay(fpr=fpr, tpr=tpr, roc_auc=metrics.roc_auc_score(truth, score))
    reference.fpr_, reference.tpr_, reference.thresholds_, reference.auc_ = fpr, tpr, thresholds, reference.roc_auc
    reference.average_precision_ = metrics.average_precision_score(truth, score)
    return reference


def roc_code(model: ThresholdSweep) -> str:
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
