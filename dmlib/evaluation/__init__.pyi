from .bias_variance.algorithm import BiasVariance, BiasVarianceStep
from .classifier_metrics.classifier_report import ClassifierReport, MeasureStep
from .classifier_metrics.confusion import Confusion, ConfusionStep, confusion, confusion_steps
from .counts import Counts
from .losses import informational_loss, informational_losses, quadratic_loss, quadratic_losses
from .resampling.algorithm import ClassifierResampling, RegressorResampling, ResamplingStep
from .resampling.estimates import (
    bootstrap_632,
    bootstrap_632_plus,
    fraction_in_sample,
    no_information,
)
from .resampling.splitting import Split, Splitter, splits
from .resampling.testing import corrected_resampled_t, mcnemar, paired_t
from .roc.algorithm import RocCurve, roc_curve
from .roc.lift import LiftCurve, LiftTable, lift_curve
from .roc.mailing import Mailing, MailingCurve, mailing_curve
from .roc.precision_recall import PrCurve, pr_curve
from .roc.profit import Payoff, ProfitCurve, profit_curve
from .roc.threshold_sweep import ThresholdSweep
from .scores import ScoreStep
from .thresholds import ThresholdCounts, ThresholdStep, threshold_counts, threshold_steps

__all__ = [
    "BiasVariance",
    "BiasVarianceStep",
    "ClassifierReport",
    "ClassifierResampling",
    "Confusion",
    "ConfusionStep",
    "Counts",
    "LiftCurve",
    "LiftTable",
    "Mailing",
    "MailingCurve",
    "MeasureStep",
    "Payoff",
    "PrCurve",
    "ProfitCurve",
    "RegressorResampling",
    "ResamplingStep",
    "RocCurve",
    "ScoreStep",
    "Split",
    "Splitter",
    "ThresholdCounts",
    "ThresholdStep",
    "ThresholdSweep",
    "bootstrap_632",
    "bootstrap_632_plus",
    "confusion",
    "confusion_steps",
    "corrected_resampled_t",
    "fraction_in_sample",
    "informational_loss",
    "informational_losses",
    "lift_curve",
    "mailing_curve",
    "mcnemar",
    "no_information",
    "paired_t",
    "pr_curve",
    "profit_curve",
    "quadratic_loss",
    "quadratic_losses",
    "roc_curve",
    "splits",
    "threshold_counts",
    "threshold_steps",
]
