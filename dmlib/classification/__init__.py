"""Classification: known classes, learned from rows whose class is known."""

from dmlib.classification.logistic_regression import LogisticRegression, LogisticRegressionStep, binomial_rows
from dmlib.classification.naive_bayes import NaiveBayes, NaiveBayesStep, ProductStep
from dmlib.classification.separation import Separation, separation

__all__ = [
    "LogisticRegression",
    "LogisticRegressionStep",
    "NaiveBayes",
    "NaiveBayesStep",
    "ProductStep",
    "Separation",
    "binomial_rows",
    "separation",
]
