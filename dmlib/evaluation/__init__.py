"""Evaluation: how good a classifier is, from its decisions, its probabilities or its scores."""

from dmlib.evaluation.classifier_report import ClassifierReport, MeasureStep
from dmlib.evaluation.confusion import Confusion, ConfusionStep, confusion, confusion_steps
from dmlib.evaluation.counts import Counts
from dmlib.evaluation.lift import LiftCurve, LiftTable, lift_curve
from dmlib.evaluation.losses import informational_loss, informational_losses, quadratic_loss, quadratic_losses
from dmlib.evaluation.precision_recall import PrCurve, pr_curve
from dmlib.evaluation.profit import Payoff, ProfitCurve, iso_slope, profit_curve
from dmlib.evaluation.roc import RocCurve, roc_curve
from dmlib.evaluation.scores import ScoreStep
from dmlib.evaluation.threshold_sweep import ThresholdSweep
from dmlib.evaluation.thresholds import ThresholdCounts, ThresholdStep, threshold_counts, threshold_steps

__all__ = [
    "ClassifierReport",
    "Confusion",
    "ConfusionStep",
    "Counts",
    "LiftCurve",
    "LiftTable",
    "MeasureStep",
    "Payoff",
    "PrCurve",
    "ProfitCurve",
    "RocCurve",
    "ScoreStep",
    "ThresholdCounts",
    "ThresholdStep",
    "ThresholdSweep",
    "confusion",
    "confusion_steps",
    "informational_loss",
    "informational_losses",
    "iso_slope",
    "lift_curve",
    "pr_curve",
    "profit_curve",
    "quadratic_loss",
    "quadratic_losses",
    "roc_curve",
    "threshold_counts",
    "threshold_steps",
]
