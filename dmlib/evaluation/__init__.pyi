from .classifier_metrics.classifier_report import ClassifierReport, MeasureStep
from .classifier_metrics.confusion import Confusion, ConfusionStep, confusion, confusion_steps
from .counts import Counts
from .losses import informational_loss, informational_losses, quadratic_loss, quadratic_losses
from .roc.algorithm import RocCurve, roc_curve
from .roc.lift import LiftCurve, LiftTable, lift_curve
from .roc.precision_recall import PrCurve, pr_curve
from .roc.profit import Payoff, ProfitCurve, profit_curve
from .roc.threshold_sweep import ThresholdSweep
from .scores import ScoreStep
from .thresholds import ThresholdCounts, ThresholdStep, threshold_counts, threshold_steps

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
    "lift_curve",
    "pr_curve",
    "profit_curve",
    "quadratic_loss",
    "quadratic_losses",
    "roc_curve",
    "threshold_counts",
    "threshold_steps",
]
