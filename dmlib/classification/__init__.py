"""Classification: known classes, learned from rows whose class is known."""

from dmlib.classification.error_curve import ErrorCurve, error_curve
from dmlib.classification.knn import KNeighborsClassifier, NeighborStep
from dmlib.classification.logistic_regression import LogisticRegression, LogisticRegressionStep, binomial_rows
from dmlib.classification.naive_bayes import NaiveBayes, NaiveBayesStep, ProductStep
from dmlib.classification.pebls import PEBLS
from dmlib.classification.separation import Separation, separation
from dmlib.classification.support_vectors import SVCStep
from dmlib.classification.svm import SVC, NuSVC

__all__ = [
    "PEBLS",
    "SVC",
    "ErrorCurve",
    "KNeighborsClassifier",
    "LogisticRegression",
    "LogisticRegressionStep",
    "NaiveBayes",
    "NaiveBayesStep",
    "NeighborStep",
    "NuSVC",
    "ProductStep",
    "SVCStep",
    "Separation",
    "binomial_rows",
    "error_curve",
    "separation",
]
