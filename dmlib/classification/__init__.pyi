from .adaboost.adaboost_step import AdaBoostStep
from .adaboost.algorithm import AdaBoostClassifier
from .adaboost.gradient import GradientBoostingClassifier
from .adaboost.gradient_step import GradientBoostingStep
from .bayesian_network.algorithm import BayesianNetworkClassifier
from .bayesian_network.bayesian_network_step import BayesianNetworkStep, InferenceStep
from .bayesian_network.exact_inference import ExactInference, ExactInferenceStep
from .decision_tree.algorithm import DecisionTreeClassifier
from .decision_tree.significance_trees import CHAID, QUEST
from .decision_tree.textbook import C45, CART, ID3, OneR
from .discriminant import DiscriminantStep
from .ensembles.bagging import BaggingClassifier
from .ensembles.ensemble_step import EnsembleStep
from .ensembles.random_forest import RandomForestClassifier
from .kernel_matrices.algorithm import KernelMatrix, KernelMatrixStep
from .kernel_matrices.spectrum import spectrum_kernel
from .kernels import kernel_matrix, polynomial_features
from .knn.algorithm import KNeighborsClassifier, NeighborStep
from .knn.error_curve import ErrorCurve, error_curve
from .knn.pebls import PEBLS
from .lda_classifier.algorithm import LinearDiscriminantAnalysis
from .lda_classifier.diagonal import DiagonalDiscriminantAnalysis
from .lda_classifier.quadratic import QuadraticDiscriminantAnalysis, RegularizedDiscriminantAnalysis
from .logistic_regression.algorithm import LogisticRegression
from .logistic_regression.ascent import LogisticRegressionStep
from .logistic_regression.binomial import binomial_rows
from .logistic_regression.separation import Separation, separation
from .multiclass.binary_step import BinaryStep
from .multiclass.one_vs_one import OneVsOneClassifier
from .multiclass.one_vs_rest import OneVsRestClassifier
from .multiclass.output_code import OutputCodeClassifier
from .naive_bayes.algorithm import NaiveBayes, NaiveBayesStep, ProductStep
from .relational_neighbour.algorithm import RelationalNeighborStep, WeightedVoteRelationalNeighbor
from .rule_learning.learner import RuleStep
from .rule_learning.one_rule import OneRule
from .rule_learning.prism import PRISM
from .rule_learning.ripper import RIPPER
from .rule_learning.sequential_covering import SequentialCovering
from .rule_learning.tree_rules import C45Rules
from .semi_supervised.active_learning import ActiveLearner
from .semi_supervised.graph_classifier import SpreadingStep
from .semi_supervised.round_step import RoundStep
from .semi_supervised.self_training import SelfTrainingClassifier
from .semi_supervised.spreading import LabelPropagation, LabelSpreading
from .svm.algorithm import SVC, NuSVC
from .svm.svm_step import SVCStep
from .tree_pruning.algorithm import PrunedTreeClassifier
from .tree_pruning.prune import prune
from .tree_pruning.pruning import PruningStep
from .tree_variants.fuzzy import FuzzyTree
from .tree_variants.incremental import IncrementalTree
from .tree_variants.info_fuzzy import InfoFuzzyNetwork
from .tree_variants.missing import holes, missing_ways
from .tree_variants.oblique import ObliqueTree
from .tree_variants.oblivious import ObliviousTree
from .tree_variants.variant import VariantStep

__all__ = [
    "C45",
    "CART",
    "CHAID",
    "ID3",
    "PEBLS",
    "PRISM",
    "QUEST",
    "RIPPER",
    "SVC",
    "ActiveLearner",
    "AdaBoostClassifier",
    "AdaBoostStep",
    "BaggingClassifier",
    "BayesianNetworkClassifier",
    "BayesianNetworkStep",
    "BinaryStep",
    "C45Rules",
    "DecisionTreeClassifier",
    "DiagonalDiscriminantAnalysis",
    "DiscriminantStep",
    "EnsembleStep",
    "ErrorCurve",
    "ExactInference",
    "ExactInferenceStep",
    "FuzzyTree",
    "GradientBoostingClassifier",
    "GradientBoostingStep",
    "IncrementalTree",
    "InferenceStep",
    "InfoFuzzyNetwork",
    "KNeighborsClassifier",
    "KernelMatrix",
    "KernelMatrixStep",
    "LabelPropagation",
    "LabelSpreading",
    "LinearDiscriminantAnalysis",
    "LogisticRegression",
    "LogisticRegressionStep",
    "NaiveBayes",
    "NaiveBayesStep",
    "NeighborStep",
    "NuSVC",
    "ObliqueTree",
    "ObliviousTree",
    "OneR",
    "OneRule",
    "OneVsOneClassifier",
    "OneVsRestClassifier",
    "OutputCodeClassifier",
    "ProductStep",
    "PrunedTreeClassifier",
    "PruningStep",
    "QuadraticDiscriminantAnalysis",
    "RandomForestClassifier",
    "RegularizedDiscriminantAnalysis",
    "RelationalNeighborStep",
    "RoundStep",
    "RuleStep",
    "SVCStep",
    "SelfTrainingClassifier",
    "Separation",
    "SequentialCovering",
    "SpreadingStep",
    "VariantStep",
    "WeightedVoteRelationalNeighbor",
    "binomial_rows",
    "error_curve",
    "holes",
    "kernel_matrix",
    "missing_ways",
    "polynomial_features",
    "prune",
    "separation",
    "spectrum_kernel",
]
