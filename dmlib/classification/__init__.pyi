from .adaboost.adaboost_step import AdaBoostStep
from .adaboost.algorithm import AdaBoostClassifier
from .adaboost.gradient import GradientBoostingClassifier
from .adaboost.gradient_step import GradientBoostingStep
from .decision_tree.algorithm import DecisionTreeClassifier
from .decision_tree.settings import C45, CART, CHAID, ID3, ONE_R, QUEST
from .kernel_matrices.algorithm import KernelMatrix, KernelMatrixStep
from .kernels import kernel_matrix, polynomial_features
from .knn.algorithm import KNeighborsClassifier, NeighborStep
from .knn.error_curve import ErrorCurve, error_curve
from .knn.pebls import PEBLS
from .lda_classifier.algorithm import LinearDiscriminantAnalysis
from .lda_classifier.diagonal import DiagonalDiscriminantAnalysis
from .lda_classifier.discriminant import DiscriminantStep
from .lda_classifier.quadratic import QuadraticDiscriminantAnalysis, RegularizedDiscriminantAnalysis
from .logistic_regression.algorithm import LogisticRegression, binomial_rows
from .logistic_regression.ascent import LogisticRegressionStep
from .logistic_regression.separation import Separation, separation
from .multiclass.binary_step import BinaryStep
from .multiclass.one_vs_one import OneVsOneClassifier
from .multiclass.one_vs_rest import OneVsRestClassifier
from .multiclass.output_code import OutputCodeClassifier
from .naive_bayes.algorithm import NaiveBayes, NaiveBayesStep, ProductStep
from .relational_neighbour.algorithm import RelationalNeighborStep, WeightedVoteRelationalNeighbor
from .svm.algorithm import SVC, NuSVC
from .svm.svm_step import SVCStep

__all__ = [
    "C45",
    "CART",
    "CHAID",
    "ID3",
    "ONE_R",
    "PEBLS",
    "QUEST",
    "SVC",
    "AdaBoostClassifier",
    "AdaBoostStep",
    "BinaryStep",
    "DecisionTreeClassifier",
    "DiagonalDiscriminantAnalysis",
    "DiscriminantStep",
    "ErrorCurve",
    "GradientBoostingClassifier",
    "GradientBoostingStep",
    "KNeighborsClassifier",
    "KernelMatrix",
    "KernelMatrixStep",
    "LinearDiscriminantAnalysis",
    "LogisticRegression",
    "LogisticRegressionStep",
    "NaiveBayes",
    "NaiveBayesStep",
    "NeighborStep",
    "NuSVC",
    "OneVsOneClassifier",
    "OneVsRestClassifier",
    "OutputCodeClassifier",
    "ProductStep",
    "QuadraticDiscriminantAnalysis",
    "RegularizedDiscriminantAnalysis",
    "RelationalNeighborStep",
    "SVCStep",
    "Separation",
    "WeightedVoteRelationalNeighbor",
    "binomial_rows",
    "error_curve",
    "kernel_matrix",
    "polynomial_features",
    "separation",
]
