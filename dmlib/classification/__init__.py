"""Classification: known classes, learned from rows whose class is known."""

from dmlib.classification.ascent import LogisticRegressionStep
from dmlib.classification.decision_tree import DecisionTreeClassifier
from dmlib.classification.error_curve import ErrorCurve, error_curve
from dmlib.classification.knn import KNeighborsClassifier, NeighborStep
from dmlib.classification.logistic_regression import LogisticRegression, binomial_rows
from dmlib.classification.naive_bayes import NaiveBayes, NaiveBayesStep, ProductStep
from dmlib.classification.pebls import PEBLS
from dmlib.classification.separation import Separation, separation
from dmlib.classification.svm import SVC, NuSVC
from dmlib.classification.svm_step import SVCStep
from dmlib.classification.trees.impurity import impurity
from dmlib.classification.trees.settings import C45, CART, CHAID, ID3, ONE_R, QUEST
from dmlib.classification.trees.steps import DecisionTreeStep

__all__ = [
    "C45",
    "CART",
    "CHAID",
    "ID3",
    "ONE_R",
    "PEBLS",
    "QUEST",
    "SVC",
    "DecisionTreeClassifier",
    "DecisionTreeStep",
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
    "impurity",
    "separation",
]
